//! What is asked for: a kernel that is to run.

use nnz_kernel::{Kernel, Schedule};

/// A kernel to be prepared.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    pub kernel: &'r Kernel,
    pub schedule: &'r Schedule,
    /// The right side as written, which reports of costs quote, if somebody wrote one.
    pub text: Option<&'r str>,
    pub origin: Origin,
}

/// Where a kernel comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Session,
    /// The body of a program's kernel: see [`nnz_plan::iterate::Wishes::is_body`].
    Body,
}

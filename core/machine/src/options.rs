//! How a program runs, its limits, and what it is given by whoever runs it.

use nnz_backend::Cache;
use nnz_base::{diagnostic::Diagnostic, host::Host, source::Source};
use nnz_run::Engine;

use crate::{Kept, budget};

/// Takes the output of a program while it runs.
pub trait Sink {
    /// Text for standard output.
    fn print(&mut self, text: &str);
    /// Something that the user may want to know.
    fn note(&mut self, _diagnostic: Diagnostic) {}
}

/// How a program runs, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The largest number of operations and points of kernels.
    pub steps: u64,
    /// The largest number of bytes of memory.
    pub memory: u64,
    /// The largest number of threads that run a kernel; at least 1.
    pub threads: usize,
    pub kernels: Kernels,
    /// Which code runs those that the compiler takes.
    pub engine: Engine,
}

/// How kernels run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// The compiler, except for small kernels, which are evaluated faster than planned.
    #[default]
    BySize,
    /// The compiler, wherever it can.
    Compiled,
    /// Evaluation point by point, which is the reference.
    Direct,
}

impl Default for Options {
    /// Picked by gut feeling: some minutes, and what most machines have.
    fn default() -> Options {
        Options {
            steps: 10_000_000_000,
            memory: budget::DEFAULT_BYTES,
            threads: 1,
            kernels: Kernels::BySize,
            engine: Engine::Adaptive,
        }
    }
}

/// The parameters of a run.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub options: Options,
    /// Kernels that were compiled already.
    pub cache: &'a Cache,
    /// The plans of the program's kernels.
    pub kept: &'a Kept,
    /// The text of the program, for diagnostics and names.
    pub source: &'a Source,
    /// The name of the text that runs it: files may lie beside that.
    pub text: &'a str,
}

/// The input and the output of a program.
pub type World<'w> = (&'w dyn Host, &'w mut dyn Sink);

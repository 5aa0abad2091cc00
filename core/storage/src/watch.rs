//! Long work that reports its progress and can be stopped.

use std::ops::ControlFlow;

/// The progress: in bytes of the text for a reader, in entries for a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub total: u64,
}

/// Called with progress from any thread; breaking stops the work.
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Watches nothing, stops nothing.
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Whether to go on, asked between the steps of work whose length is not known.
pub(crate) type GoOn<'a> = &'a (dyn Fn() -> bool + Sync);

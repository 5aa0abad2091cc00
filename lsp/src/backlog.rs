//! Whether input of the client waits.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Whether input of the client has arrived that has not been passed on.
#[derive(Clone, Default)]
pub(crate) struct Backlog(Arc<Input>);

#[derive(Default)]
struct Input {
    /// Messages that the transport has not begun to read.
    waiting: AtomicUsize,
    /// A message has arrived in part, or lies behind another in the buffer.
    arriving: AtomicBool,
}

impl Backlog {
    pub(crate) fn is_there(&self) -> bool {
        self.0.arriving.load(Ordering::Acquire) || self.0.waiting.load(Ordering::Acquire) > 0
    }
    pub(crate) fn arriving(&self, arriving: bool) {
        self.0.arriving.store(arriving, Ordering::Release);
    }
    /// A message waits for the transport.
    pub(crate) fn waits(&self) {
        self.0.waiting.fetch_add(1, Ordering::AcqRel);
    }
    /// The transport has begun to read a message.
    pub(crate) fn taken(&self) {
        self.0.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

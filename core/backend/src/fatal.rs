//! Errors for which LLVM ends the process: it cannot make code from its input, which is a bug of nnz.
//!
//! LLVM calls a handler first, and nothing may continue after it: the library may hold locks, and its state is
//! undefined. So the handler reports the kernel, and the process ends in the way that its owner has set.

use std::{cell::RefCell, sync::OnceLock};

use nnz_loops::Function;

static END: OnceLock<fn(&str) -> !> = OnceLock::new();

thread_local! {
    /// The kernel that this thread compiles.
    static KERNEL: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sets the function that ends the process after a fatal error; it gets the message. Only the first call has an effect.
pub fn end_with(end: fn(&str) -> !) {
    let _ = END.set(end);
}

/// While it lives, a message names this kernel.
pub(crate) struct Noted(());

impl Noted {
    pub(crate) fn of(kernel: &Function) -> Noted {
        KERNEL.set(Some(kernel.to_string()));
        Noted(())
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        KERNEL.take();
    }
}

/// Ends the process for `reason`, which LLVM gives. Where nobody has said how, LLVM ends it with words of its own.
pub(crate) fn end(reason: &str) {
    if let Some(end) = END.get() {
        end(&message(reason, &KERNEL.take().unwrap_or_default()))
    }
}

fn message(reason: &str, kernel: &str) -> String {
    let reason = reason.trim_end();
    format!(
        "error: LLVM ended while it made machine code of a kernel, which is a bug of nnz: {reason}\n  \
         = help: `--interpret` runs without machine code; please report the kernel below\n{kernel}"
    )
}

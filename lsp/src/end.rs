//! The end of the process.

/// Ends the process at once. Other threads may be inside LLVM, and the exit handlers of libraries would free memory
/// that they use. Everything has been flushed before.
pub fn end_process(status: i32) -> ! {
    crate::child::end_all();
    #[cfg(unix)]
    // SAFETY: nothing runs after it.
    unsafe {
        libc::_exit(status)
    }
    #[cfg(not(unix))]
    std::process::exit(status)
}

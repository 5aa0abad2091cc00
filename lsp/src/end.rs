//! The end of the process.

/// Ends the process at once. Other threads may be within LLVM, and what libraries do at the end of a process would
/// take their memory from under them. What is to be flushed has been flushed before.
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

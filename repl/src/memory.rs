//! How the C library's allocator keeps memory.
//!
//! By default every array beyond 128 KiB is a mapping of its own, given back when it is freed; a session that
//! makes one result after another then spends more time on page faults than on the kernels. Here freed memory
//! is kept for the next array, up to a bound.

/// Arrays below this come from the heap: the most that glibc takes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGEST_FROM_HEAP: libc::c_int = 32 << 20;
/// At most so much that is free stays with the process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_KEPT: libc::c_int = 512 << 20;

/// To be called before other threads are started.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn keep() {
    // SAFETY: both are parameters of glibc's malloc, which only takes note of them.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_FROM_HEAP);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MOST_KEPT);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep() {}

//! How memory is taken and kept.
//!
//! Large arrays ask for huge pages: a scatter into 50 MB of ordinary ones misses the processor's table of
//! addresses at nearly every store (CSR to CSC of 6 million entries takes 1.6 times as long).
//!
//! What `--max-memory` allows is held twice: whatever may become large asks the core for room and is refused with the
//! sizes; and the allocator ends the process where that was not enough.
//!
//! By default the C library makes every array beyond 128 KiB a mapping of its own, given back when it is freed; a session
//! that makes one result after another then spends more time on page faults than on the kernels. Here freed memory
//! is kept for the next array, up to a bound.

use std::{
    fmt::Write,
    sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
};

/// What `--max-memory` allows, in bytes; 0 for all that there is.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Bytes that were taken from the allocator since there is a limit.
static TAKEN: AtomicI64 = AtomicI64::new(0);

/// From now on the process may take so many bytes.
pub(crate) fn limit_to(bytes: Option<u64>) {
    TAKEN.store(i64::try_from(used().unwrap_or(0)).unwrap_or(0), Ordering::Relaxed);
    LIMIT.store(bytes.unwrap_or(0), Ordering::Relaxed);
}

fn limit() -> Option<u64> {
    Some(LIMIT.load(Ordering::Relaxed)).filter(|limit| *limit > 0)
}

/// Counts what is taken or given back; beyond the limit the process ends.
#[cfg(target_os = "linux")]
fn count(bytes: i64) {
    let Some(limit) = limit() else { return };
    let before = TAKEN.fetch_add(bytes, Ordering::Relaxed);
    if bytes > 0 && before.saturating_add(bytes) > i64::try_from(limit).unwrap_or(i64::MAX) {
        end(bytes, before, limit);
    }
}

/// Ends the process. Nothing may be allocated here, nor may a lock be waited for.
#[cfg(target_os = "linux")]
#[cold]
fn end(wanted: i64, used: i64, limit: u64) {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        return;
    }
    let mut text = Text { bytes: [0; 200], len: 0 };
    // What is cut off is the help.
    let _ = write!(
        text,
        "error: {wanted} more bytes of memory are wanted, {used} are in use, and `--max-memory` allows {limit}\n  \
         = help: `--max-memory` sets another limit\n"
    );
    crate::files::remove_unfinished_now();
    // SAFETY: the bytes are ours; the process ends without running anything else.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.bytes.as_ptr().cast(), text.len);
        libc::_exit(1)
    }
}

/// A text of fixed length, as it cannot grow.
#[cfg(target_os = "linux")]
struct Text {
    bytes: [u8; 200],
    len: usize,
}

#[cfg(target_os = "linux")]
impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.bytes.get_mut(self.len..).unwrap_or_default();
        let len = room.len().min(text.len());
        room.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        self.len += len;
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod huge {
    use std::alloc::{GlobalAlloc, Layout, System};

    use super::count;

    #[global_allocator]
    static ALLOCATOR: Huge = Huge;

    /// The system's allocator; what is large is told to the kernel.
    struct Huge;

    /// The size of a huge page on x86-64, and on AArch64 with pages of 4 KiB; elsewhere the advice does nothing.
    const PAGE: usize = 2 << 20;
    /// Below this an array has too few whole huge pages for the call to pay.
    const LARGE: usize = 2 * PAGE;

    // SAFETY: every request goes to the system's allocator as it came.
    unsafe impl GlobalAlloc for Huge {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            count(layout.size() as i64);
            // SAFETY: the caller's promises are handed on.
            advised(unsafe { System.alloc(layout) }, layout.size())
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            count(layout.size() as i64);
            // SAFETY: the caller's promises are handed on.
            advised(unsafe { System.alloc_zeroed(layout) }, layout.size())
        }

        unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            count(size as i64 - layout.size() as i64);
            // SAFETY: the caller's promises are handed on.
            advised(unsafe { System.realloc(old, layout, size) }, size)
        }

        unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
            count(-(layout.size() as i64));
            // SAFETY: the caller's promises are handed on.
            unsafe { System.dealloc(old, layout) }
        }
    }

    /// `start`, whose whole huge pages are from now on backed by such, if it is large.
    fn advised(start: *mut u8, size: usize) -> *mut u8 {
        if size >= LARGE && !start.is_null() {
            let skipped = start.align_offset(PAGE).min(size);
            let length = (size - skipped) / PAGE * PAGE;
            // SAFETY: the range lies inside the allocation, and advice changes no contents. A kernel without
            // huge pages says no, which is as well.
            unsafe { libc::madvise(start.add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
        }
        start
    }
}

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

/// How many bytes are allocated now; freed memory that is kept does not count.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn used() -> Option<u64> {
    // SAFETY: it only reads the allocator's own counts, under the allocator's locks.
    let info = unsafe { libc::mallinfo2() };
    Some(info.uordblks as u64 + info.hblkhd as u64)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn used() -> Option<u64> {
    None
}

/// Tells the core what there is.
pub(crate) fn tell() {
    nnz_core::memory::measure_by(nnz_core::memory::Meter { used, free, limit });
}

/// How many bytes the process can still have, as Linux says it; elsewhere it is not known. What the machine has
/// free may be more than the process's own limit (`ulimit -v`) or its group's.
pub(crate) fn free() -> Option<u64> {
    let allowed = limit().map(|limit| limit.saturating_sub(used().unwrap_or(0)));
    [allowed, of_machine(), of_process(), of_group()].into_iter().flatten().min()
}

fn of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(target_os = "linux")]
fn of_process() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the system writes to a structure of ours.
    let asked = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    if asked != 0 || limit.rlim_cur == libc::RLIM_INFINITY {
        return None;
    }
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let taken = line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)?;
    Some(limit.rlim_cur.saturating_sub(taken))
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Option<u64> {
    None
}

/// Of the control group, as containers have one.
fn of_group() -> Option<u64> {
    let number = |name: &str| {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

/// `512M`, `4GiB`, `1000000`: bytes, units being powers of 1024.
///
/// # Errors
/// Anything else.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = text[digits.len()..].trim().to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("units are K, M, G and T".to_string()),
    };
    let number: u64 = digits.parse().map_err(|_| "a number of bytes, as in 512M or 4GiB".to_string())?;
    number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).ok_or_else(|| "from one byte up to 16 EiB".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = ["1000", "64K", "512MiB", "4 gb", "2g"].map(parse);
        assert_eq!(sizes, [Ok(1000), Ok(64 << 10), Ok(512 << 20), Ok(4 << 30), Ok(2 << 30)]);
        for wrong in ["", "K", "0", "1.5G", "-1", "3x", "99999999999G", "1 parsec"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn what_is_allocated_is_counted() {
        let before = used().unwrap();
        let kept = vec![1u8; 50 << 20];
        assert!(used().unwrap() >= before + (40 << 20));
        drop(kept);
    }
}

//! The allocator.
//!
//! Large arrays use huge pages. A scatter into 50 MB of ordinary pages misses the TLB at nearly every store
//! (CSR to CSC of 6 million entries takes 1.6 times as long).
//!
//! The limit of `--max-memory` and of the machine is enforced in three steps. Code that may allocate much asks the core
//! for room, and is refused with the sizes. If that was not enough, the allocator releases a reserve, and the statement
//! ends at the next place that asks. If that was not enough either, the process ends with a line that gives the size,
//! because a global allocator may not unwind.
//!
//! By default the C library maps every array beyond 128 KiB separately and unmaps it when it is freed. A session that
//! makes one result after another then spends more time on page faults than on its kernels. Here freed memory is kept
//! for the next array, up to a bound.

use std::{
    fmt::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI64, AtomicPtr, AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

use nnz_core::memory::{Bound, Free};

/// What `--max-memory` allows, in bytes; 0 for no limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Bytes that were taken from the allocator since there is a limit.
static TAKEN: AtomicI64 = AtomicI64::new(0);

/// Bytes of libraries that were opened, which are in memory without having been allocated.
static OPENED: AtomicU64 = AtomicU64::new(0);

/// Limits the memory of the process from now on.
pub(crate) fn limit_to(bytes: Option<u64>) {
    let used = used().unwrap_or(0).saturating_add(OPENED.load(Ordering::Relaxed));
    TAKEN.store(i64::try_from(used).unwrap_or(0), Ordering::Relaxed);
    LIMIT.store(bytes.unwrap_or(0), Ordering::Relaxed);
}

fn limit() -> Option<u64> {
    Some(LIMIT.load(Ordering::Relaxed)).filter(|limit| *limit > 0)
}

/// The part of a limit that is reserved for statements that end because of it.
fn margin(limit: u64) -> u64 {
    (limit / 8).min(64 << 20)
}

/// Counts the bytes of a library that was opened.
fn count_opened(bytes: u64) {
    OPENED.fetch_add(bytes, Ordering::Relaxed);
    TAKEN.fetch_add(i64::try_from(bytes).unwrap_or(i64::MAX), Ordering::Relaxed);
}

/// What is in use under a limit: what the allocator here counts, which it compares with the limit, and at least what the C
/// library's counts, which libraries use as well.
fn in_use() -> u64 {
    let taken = u64::try_from(TAKEN.load(Ordering::Relaxed)).unwrap_or(0);
    taken.max(used().unwrap_or(0).saturating_add(OPENED.load(Ordering::Relaxed)))
}

/// Counts what is taken or given back, and says whether it may be taken. What a statement needs to end it may have;
/// beyond the limit the process ends.
#[cfg(target_os = "linux")]
fn count(bytes: i64) -> bool {
    let Some(limit) = limit() else { return true };
    let before = TAKEN.fetch_add(bytes, Ordering::Relaxed);
    let beyond = |limit: u64| bytes > 0 && before.saturating_add(bytes) > i64::try_from(limit).unwrap_or(i64::MAX);
    if !beyond(limit - margin(limit)) {
        return true;
    }
    if nnz_core::memory::may_be_refused() {
        TAKEN.fetch_sub(bytes, Ordering::Relaxed);
        return false;
    }
    nnz_core::memory::ran_short(bytes.unsigned_abs());
    if beyond(limit) {
        end(format_args!(
            "{} KiB more memory are wanted, {} KiB are in use, and `--max-memory` allows {} KiB\n  \
             = help: `--max-memory` sets another limit; an input without an end fits none",
            kibibytes(bytes.unsigned_abs()),
            kibibytes(before.unsigned_abs()),
            kibibytes(limit)
        ));
    }
    true
}

#[cfg(target_os = "linux")]
fn kibibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 10)
}

/// Ends the process. This must neither allocate nor wait for a lock.
#[cfg(target_os = "linux")]
#[cold]
fn end(reason: std::fmt::Arguments<'_>) {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        return;
    }
    let mut text = Text { bytes: [0; 256], len: 0 };
    // If the text is cut off, only the help is lost.
    let _ = writeln!(text, "error: {reason}");
    crate::unfinished::remove_unfinished_now();
    // SAFETY: the bytes are ours; the process ends without running anything else.
    unsafe {
        libc::write(libc::STDERR_FILENO, text.bytes.as_ptr().cast(), text.len);
        libc::_exit(1)
    }
}

/// A text of fixed length, as it cannot grow.
#[cfg(target_os = "linux")]
struct Text {
    bytes: [u8; 256],
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

/// Addresses in reserve for the time when there are no others; nothing is ever written there.
#[cfg(target_os = "linux")]
mod reserve {
    use super::{AtomicPtr, AtomicUsize, Ordering, of_process};

    static START: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    static BYTES: AtomicUsize = AtomicUsize::new(0);

    const MOST: usize = 64 << 20;
    const LEAST: usize = 1 << 20;

    /// Takes the reserve, which is small compared with the free memory.
    pub(crate) fn keep() {
        if !START.load(Ordering::Acquire).is_null() {
            return;
        }
        let free = of_process().map_or(usize::MAX, |free| usize::try_from(free).unwrap_or(usize::MAX));
        let mut bytes = MOST;
        while bytes >= LEAST {
            if bytes <= free / 4 && take(bytes) {
                return;
            }
            bytes /= 2;
        }
    }

    fn take(bytes: usize) -> bool {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, wherever there is room for it.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return false;
        }
        BYTES.store(bytes, Ordering::Relaxed);
        let before = START.compare_exchange(std::ptr::null_mut(), start.cast(), Ordering::AcqRel, Ordering::Relaxed);
        if before.is_err() {
            // SAFETY: another thread was first, and this mapping is known to nobody.
            unsafe { libc::munmap(start, bytes) };
        }
        true
    }

    /// Releases the reserve; returns whether there was one.
    pub(super) fn give_up() -> bool {
        let start = START.swap(std::ptr::null_mut(), Ordering::AcqRel);
        if start.is_null() {
            return false;
        }
        // SAFETY: nothing refers to the mapping, which whoever swaps its start out alone knows.
        unsafe { libc::munmap(start.cast(), BYTES.load(Ordering::Relaxed)) };
        true
    }
}

#[cfg(target_os = "linux")]
mod huge {
    use std::alloc::{GlobalAlloc, Layout, System};

    use nnz_core::memory::{may_be_refused, ran_short};

    use super::{count, end, reserve};

    #[global_allocator]
    static ALLOCATOR: Huge = Huge;

    /// The system's allocator; it advises the operating system about large arrays.
    struct Huge;

    /// The size of a huge page on x86-64, and on AArch64 with pages of 4 KiB; elsewhere the advice does nothing.
    const PAGE: usize = 2 << 20;
    /// Below this an array has too few whole huge pages for the call to pay.
    const LARGE: usize = 2 * PAGE;

    // SAFETY: every request goes to the system's allocator as it came; a second time where it failed.
    unsafe impl GlobalAlloc for Huge {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promises are handed on.
            had(layout.size(), layout.size() as i64, || unsafe { System.alloc(layout) })
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promises are handed on.
            had(layout.size(), layout.size() as i64, || unsafe { System.alloc_zeroed(layout) })
        }

        unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            let more = size as i64 - layout.size() as i64;
            // SAFETY: the caller's promises are handed on; what could not be moved stands as it was.
            had(size, more, || unsafe { System.realloc(old, layout, size) })
        }

        unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
            count(-(layout.size() as i64));
            // SAFETY: the caller's promises are handed on.
            unsafe { System.dealloc(old, layout) }
        }
    }

    /// What `allocate` gives for `size` bytes, `more` than before. Null only where the caller takes that for an answer.
    #[inline]
    fn had(size: usize, more: i64, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        if !count(more) {
            return std::ptr::null_mut();
        }
        let start = allocate();
        if start.is_null() { short(size, more, allocate) } else { advised(start, size) }
    }

    #[cold]
    fn short(size: usize, more: i64, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        if may_be_refused() {
            count(-more);
            return std::ptr::null_mut();
        }
        if reserve::give_up() {
            ran_short(size as u64);
        }
        // Another thread may have been the one to give it up.
        let start = allocate();
        if start.is_null() {
            end(format_args!("memory ran out: {size} more bytes cannot be had"));
        }
        start
    }

    /// `start`, whose whole huge pages are from now on backed by such, if it is large.
    fn advised(start: *mut u8, size: usize) -> *mut u8 {
        if size >= LARGE {
            let skipped = start.align_offset(PAGE).min(size);
            let length = (size - skipped) / PAGE * PAGE;
            // SAFETY: the range lies inside the allocation, and advice changes no contents. A kernel without
            // huge pages says no, which is as well.
            unsafe { libc::madvise(start.add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
        }
        start
    }
}

#[cfg(not(target_os = "linux"))]
mod reserve {
    pub(crate) fn keep() {}
}

/// Arrays below this come from the heap: the most that glibc takes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGEST_FROM_HEAP: libc::c_int = 32 << 20;
/// Arrays from this size on are mappings of their own where addresses are bounded.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const SMALLEST_MAPPED: libc::c_int = 1 << 20;
/// The largest number of freed bytes that the process keeps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_KEPT: libc::c_int = 512 << 20;

/// Call this before other threads are started. If addresses are bounded (`ulimit -v`), freed memory is returned at
/// once, and threads share one heap, so the free memory is known.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn keep() {
    let bounded = of_process().is_some();
    // SAFETY: all are parameters of glibc's malloc, which only takes note of them.
    unsafe {
        if bounded {
            libc::mallopt(libc::M_MMAP_THRESHOLD, SMALLEST_MAPPED);
            libc::mallopt(libc::M_TRIM_THRESHOLD, SMALLEST_MAPPED);
            libc::mallopt(libc::M_ARENA_MAX, 1);
        } else {
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_FROM_HEAP);
            libc::mallopt(libc::M_TRIM_THRESHOLD, MOST_KEPT);
        }
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

/// The same, from a recent measurement: the allocator counts by visiting every freed piece of memory, which takes
/// milliseconds if there are many.
pub(crate) fn used_lately() -> Option<u64> {
    /// Counting may take this fraction of the time: one part in 32.
    const SHARE: u32 = 32;
    static LAST: Mutex<Option<(Instant, Option<u64>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let start = Instant::now();
    match *last {
        Some((until, used)) if start < until => used,
        _ => {
            let used = used();
            let end = Instant::now();
            *last = Some((end + (end - start) * SHARE, used));
            used
        }
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn used() -> Option<u64> {
    None
}

/// Reports to the core how much memory there is.
pub(crate) fn tell() {
    nnz_core::memory::measure_by(nnz_core::memory::Meter {
        used,
        free: least,
        addresses: of_process,
        limit,
        count: count_opened,
        keep_reserve: reserve::keep,
    });
}

/// The number of bytes that the process can still allocate, from Linux; unknown elsewhere. The machine's free
/// memory may exceed the process's own limit (`ulimit -v`) or its group's.
pub(crate) fn free() -> Option<u64> {
    least().map(|free| free.bytes)
}

/// The same, with what bounds it.
fn least() -> Option<Free> {
    let allowed = limit().map(|limit| (limit - margin(limit)).saturating_sub(in_use()));
    let bounds = [
        (allowed, Bound::Allowed),
        (of_process(), Bound::Addresses),
        (of_machine(), Bound::Machine),
        (of_group(), Bound::Machine),
    ];
    let known = bounds.into_iter().filter_map(|(bytes, of)| Some(Free { bytes: bytes?, of }));
    known.min_by_key(|free| free.bytes)
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
    Some(limit.rlim_cur.saturating_sub(mapped()?))
}

/// Bytes of all mappings, computed without allocation.
#[cfg(target_os = "linux")]
fn mapped() -> Option<u64> {
    let mut text = [0; 64];
    let length = std::fs::File::open("/proc/self/statm").and_then(|mut file| std::io::Read::read(&mut file, &mut text));
    let pages = std::str::from_utf8(text.get(..length.ok()?)?).ok()?.split_whitespace().next()?;
    // SAFETY: it only asks for a number.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
    pages.parse::<u64>().ok()?.checked_mul(page)
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Option<u64> {
    None
}

/// Whether there is one free range of this many addresses.
#[cfg(unix)]
pub(crate) fn can_map(bytes: usize) -> bool {
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping without access, which is known to nobody else and given back at once.
    unsafe {
        let start = libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, kind, -1, 0);
        start != libc::MAP_FAILED && libc::munmap(start, bytes) == 0
    }
}

#[cfg(not(unix))]
pub(crate) fn can_map(_: usize) -> bool {
    false
}

/// The free memory of the control group, which containers have.
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
        "p" => 50,
        "e" => 60,
        _ if digits.is_empty() => return Err("a number of bytes, as in 512M or 4GiB".to_string()),
        _ => return Err("units are K, M, G, T, P and E".to_string()),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| digits.parse().unwrap_or(u64::MAX));
    match number.map(|number| number.checked_mul(1 << shift)) {
        None => Err("a number of bytes, as in 512M or 4GiB".to_string()),
        Some(None | Some(u64::MAX)) => Err("it is too large: less than 16 EiB is wanted".to_string()),
        Some(Some(0)) => Err("it is zero: at least one byte is wanted".to_string()),
        Some(Some(bytes)) => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = ["1000", "64K", "512MiB", "4 gb", "2g", "3PiB", "10EiB"].map(parse);
        assert_eq!(sizes, [1000, 64 << 10, 512 << 20, 4 << 30, 2 << 30, 3 << 50, 10 << 60].map(Ok));
        for (told, wrong) in [
            ("a number of bytes", &["", "K", "1.5G", "-1"][..]),
            ("units are", &["3x", "1 parsec"]),
            ("it is too large", &["99999999999G", "16EiB", "99999999999999999999"]),
            ("it is zero", &["0", "00 MiB"]),
        ] {
            assert!(
                wrong.iter().all(|wrong| parse(wrong).is_err_and(|why| why.starts_with(told))),
                "{told}: {wrong:?}"
            );
        }
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn what_is_allocated_is_counted() {
        let before = used().unwrap();
        // Far more than the tests beside this one give back meanwhile; no page of it is touched.
        let kept = std::hint::black_box(Vec::<u8>::with_capacity(2 << 30));
        assert!(used().unwrap() >= before + (1 << 30));
        drop(kept);
    }
}

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

/// How many bytes are free, as Linux says it; elsewhere it is not known.
pub(crate) fn free() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
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

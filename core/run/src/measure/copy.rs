//! This machine's memory copying speed, the limit of a kernel that only streams its arrays.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use rayon::prelude::*;

use nnz_base::{memory, threads};

const MIB: usize = 1 << 20;
/// Best of so many copies: about 100 ms in all.
const COPIES: usize = 5;

/// Gigabytes a second, read plus written, of copying between arrays larger than the caches with
/// `threads` threads (at least one; no more than the pool has). Measured at the first call for a
/// number of threads, then remembered.
pub fn copy_bandwidth(threads: usize) -> f64 {
    static KNOWN: Mutex<Option<HashMap<usize, f64>>> = Mutex::new(None);
    let threads = if threads <= 1 { 1 } else { threads.min(threads::count()) };
    // Held while measuring, so that two callers do not disturb each other.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.get_or_insert_default().entry(threads).or_insert_with(|| measure_copy(threads, affordable(array_bytes())))
}

/// This many bytes, halved until two such arrays fit in memory.
fn affordable(bytes: usize) -> usize {
    let sizes = std::iter::successors(Some(bytes), |bytes| Some(bytes / 2)).take_while(|bytes| *bytes > MIB);
    sizes.into_iter().find(|bytes| memory::room_for(2, *bytes as u64).is_ok()).unwrap_or(MIB)
}

/// Twice the largest cache, within reason.
fn array_bytes() -> usize {
    largest_cache().map_or(64 * MIB, |bytes| (2 * bytes).clamp(32 * MIB, 128 * MIB))
}

fn measure_copy(threads: usize, bytes: usize) -> f64 {
    let words = bytes / size_of::<u64>();
    // Written, so that both really take up memory.
    let (source, mut target) = (vec![1u64; words], vec![2u64; words]);
    let chunk = words.div_ceil(threads).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..COPIES {
        let start = Instant::now();
        if threads == 1 {
            target.copy_from_slice(&source);
        } else {
            threads::within(|| {
                let chunks = target.par_chunks_mut(chunk).zip(source.par_chunks(chunk));
                chunks.for_each(|(to, from)| to.copy_from_slice(from));
            });
        }
        best = best.min(start.elapsed().as_nanos() as f64);
        std::hint::black_box(&mut target);
    }
    2.0 * bytes as f64 / best.max(1.0)
}

/// The size of the outermost data cache, as the processor reports it.
#[cfg(target_arch = "x86_64")]
fn largest_cache() -> Option<usize> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The "deterministic cache parameters" leaf: Intel's, then AMD's of the same layout.
    let leaf = [0x4, 0x8000_001d]
        .into_iter()
        .find(|&leaf| __cpuid(leaf & 0x8000_0000).eax >= leaf && __cpuid_count(leaf, 0).eax & 0x1f != 0)?;
    let size = |at| {
        let found = __cpuid_count(leaf, at);
        let field = |low: u32, bits: u32| (found.ebx >> low & ((1 << bits) - 1)) as usize + 1;
        let is_cache = found.eax & 0x1f != 0;
        is_cache.then(|| field(22, 10) * field(12, 10) * field(0, 12) * (found.ecx as usize + 1))
    };
    (0..8).map_while(size).max()
}

#[cfg(not(target_arch = "x86_64"))]
fn largest_cache() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copying_takes_a_plausible_time() {
        // From a tape drive to a cache.
        for threads in [1, 2] {
            let found = measure_copy(threads, MIB);
            assert!((0.01..100_000.0).contains(&found), "{found} GB/s");
        }
        let bytes = array_bytes();
        assert!((32 * MIB..=128 * MIB).contains(&bytes), "{bytes}");
    }
}

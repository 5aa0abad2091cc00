//! Runs a parallel loop's body, a function over a range, on nnz's thread pool.

use std::sync::atomic::{AtomicU64, Ordering};

use super::balance::{Positions, share};
use nnz_base::threads;

/// Chunks each thread gets on average: enough that a thread with dense rows does not keep the others
/// waiting, few enough that taking one costs nothing beside running it.
const CHUNKS_PER_THREAD: u64 = 16;

/// The threads that a run may use.
pub(in crate::llvm) struct Team {
    threads: usize,
}

impl Team {
    /// At most `threads`, at least one, and no more than the pool has.
    pub(in crate::llvm) fn new(threads: usize) -> Team {
        Team { threads: if threads <= 1 { 1 } else { threads.min(threads::count()) } }
    }
}

/// A compiled loop body: `(lo, hi, frame)`.
type Body = unsafe extern "C" fn(i64, i64, *const u8);

/// What the threads of one loop share.
struct Loop {
    lo: i64,
    hi: i64,
    chunks: u64,
    positions: Option<Positions>,
    body: Body,
    frame: *const u8,
    taken: AtomicU64,
}

// SAFETY: the frame and the positions are only read, and the iterations of a parallel loop write no entry in common
// (`ForKind::Parallel`).
unsafe impl Sync for Loop {}

/// Runs `body` over `lo..hi`, in chunks that free threads take; returns when all are done.
///
/// # Safety
/// `team` must be valid, and `body` and `frame` must come from one kernel; `positions`, unless null, must
/// have the entries `lo..=hi` of `bytes` bytes each.
pub(super) unsafe extern "C" fn parallel_for(
    team: *const Team,
    lo: i64,
    hi: i64,
    body: Body,
    frame: *const u8,
    positions: *const u8,
    bytes: i64,
) {
    if lo >= hi {
        return;
    }
    let count = hi.abs_diff(lo);
    // SAFETY: the caller's promise.
    let team = (unsafe { (*team).threads } as u64).min(count);
    if team <= 1 {
        // SAFETY: the caller's promise.
        return unsafe { body(lo, hi, frame) };
    }
    let chunks = count.min(team * CHUNKS_PER_THREAD);
    let positions = (!positions.is_null()).then_some(Positions { array: positions, bytes });
    let shared = Loop { lo, hi, chunks, positions, body, frame, taken: AtomicU64::new(0) };
    threads::within(|| {
        rayon::scope(|scope| {
            for _ in 0..team {
                scope.spawn(|_| shared.work());
            }
        })
    });
}

impl Loop {
    fn work(&self) {
        loop {
            let at = self.taken.fetch_add(1, Ordering::Relaxed);
            if at >= self.chunks {
                return;
            }
            let (lo, hi) = (self.start(at), self.start(at + 1));
            if lo < hi {
                // SAFETY: `parallel_for`'s caller promised that body and frame belong together.
                unsafe { (self.body)(lo, hi, self.frame) };
            }
        }
    }

    /// The first iteration of chunk `at`; the end of the loop for the one after the last.
    fn start(&self, at: u64) -> i64 {
        match self.positions {
            // SAFETY: `parallel_for`'s caller promised these entries.
            Some(positions) if at < self.chunks => unsafe { positions.cut(self.lo, self.hi, at, self.chunks) },
            _ => self.lo.saturating_add_unsigned(share(self.hi.abs_diff(self.lo), at, self.chunks)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the body of the tests' loops sees: one number an iteration, and the array's start.
    struct Frame {
        visits: Vec<AtomicU64>,
        first: i64,
    }

    unsafe extern "C" fn visit(lo: i64, hi: i64, frame: *const u8) {
        // SAFETY: the frame is the one that `visits` made, and outlives the loop.
        let frame = unsafe { &*frame.cast::<Frame>() };
        for at in lo..hi {
            frame.visits[(at - frame.first) as usize].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How often each iteration of `lo..hi` ran, on so many threads.
    fn visits<T>(threads: usize, lo: i64, hi: i64, positions: &[T]) -> Vec<u64> {
        let visits = (lo..hi).map(|_| AtomicU64::new(0)).collect();
        let (team, frame) = (Team { threads }, Frame { visits, first: lo });
        let array = if positions.is_empty() { std::ptr::null() } else { positions.as_ptr().cast() };
        // SAFETY: `visit` takes this frame, and the positions have the entries `lo..=hi`.
        unsafe { parallel_for(&team, lo, hi, visit, (&raw const frame).cast(), array, size_of::<T>() as i64) };
        frame.visits.into_iter().map(AtomicU64::into_inner).collect()
    }

    #[test]
    fn every_iteration_runs_once() {
        for threads in [1, 2, 3] {
            assert_eq!(visits::<u8>(threads, 0, 0, &[]), []);
            assert_eq!(visits::<u8>(threads, -3, 40, &[]), [1; 43]);
            assert_eq!(visits::<u8>(threads, 1, 6, &[9, 0, 0, 200, 200, 201, 201]), [1; 5]);
            assert_eq!(visits::<u16>(threads, 0, 3, &[0, 1, 2, 1000]), [1; 3]);
            assert_eq!(visits::<u32>(threads, 0, 3, &[0, 0, 0, 0]), [1; 3]);
            assert_eq!(visits::<u64>(threads, 0, 50, &[7; 51]), [1; 50]);
        }
    }
}

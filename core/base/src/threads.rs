//! The thread pool of the core. If the system grants no threads, as in a container that limits their number, the
//! calling thread does all the work.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::memory;

static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// The addresses that a thread needs at its start, including its stack. Rust ends the process if a started thread
/// cannot get them.
const THREAD_BYTES: u64 = 4 << 20;

/// The stack, in bytes, of a thread that runs statements and programs: deeply nested input recurses deeply, and so do
/// calls within MLIR programs.
pub const STATEMENT_STACK: usize = 256 << 20;

/// As many threads as the machine runs at once, or as many as the system grants.
fn pool() -> Option<&'static ThreadPool> {
    let wanted = || {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let fewer = std::iter::successors(Some(all), |threads| Some(threads / 2));
        { fewer }.find(|threads| memory::addresses(*threads as u64 * THREAD_BYTES).is_ok()).unwrap_or(0)
    };
    let built = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    POOL.get_or_init(|| as_many_as_there_are(wanted(), built)).as_ref()
}

/// What `build` makes of `wanted` threads, or of half as many, and so on.
fn as_many_as_there_are<P>(
    wanted: usize,
    mut build: impl FnMut(usize) -> Result<P, ThreadPoolBuildError>,
) -> Option<P> {
    let fewer = std::iter::successors(Some(wanted), |threads| Some(threads / 2));
    fewer.take_while(|threads| *threads > 0).find_map(|threads| build(threads).ok())
}

/// How many threads share work.
pub fn count() -> usize {
    match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads(),
        None => pool().map_or(1, ThreadPool::current_num_threads),
    }
}

/// Does `work`; its `rayon` loops, joins and sorts share these threads.
pub fn within<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    if rayon::current_thread_index().is_some() {
        return work();
    }
    match pool() {
        Some(pool) => pool.install(work),
        None => alone(work),
    }
}

/// Does `work` on this thread alone, which is made a pool of one for good.
fn alone<R>(work: impl FnOnce() -> R) -> R {
    // It cannot fail: nothing is started, and the thread is in no pool yet.
    let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    std::mem::forget(pool);
    work()
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    /// An error as a pool gives it that cannot start its threads.
    fn refused() -> ThreadPoolBuildError {
        let none = |_| Err(std::io::Error::from(std::io::ErrorKind::WouldBlock));
        ThreadPoolBuilder::new().num_threads(1).spawn_handler(none).build().unwrap_err()
    }

    #[test]
    fn fewer_threads_are_better_than_none() {
        let mut asked = Vec::new();
        let built = as_many_as_there_are(8, |threads| {
            asked.push(threads);
            if threads > 2 { Err(refused()) } else { Ok(threads) }
        });
        assert_eq!((built, asked), (Some(2), vec![8, 4, 2]));
        assert_eq!(as_many_as_there_are(3, |_| Err::<(), _>(refused())), None);
    }

    #[test]
    fn a_thread_alone_does_all_the_work() {
        let work = || {
            let sum: u64 = (0..1000u64).into_par_iter().sum();
            let (left, right) = rayon::join(rayon::current_num_threads, || sum);
            let mut done = 0;
            rayon::scope(|scope| scope.spawn(|_| done = 7));
            (left, right, done)
        };
        let told = std::thread::spawn(move || [alone(work), within(work)]).join().unwrap();
        assert_eq!(told, [(1, 499_500, 7); 2]);
    }
}

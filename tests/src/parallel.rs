//! Cases that have nothing to do with each other, on all processors: many a suite is one test of many cases.
//!
//! A thread of rayon takes another case while a kernel of its own waits for its parallel loops; these do not.

use std::{
    num::NonZero,
    panic,
    sync::{Mutex, PoisonError},
    thread,
};

/// What `of` makes of each item, in the order of the items. A panic in one is a panic of the whole.
pub fn each<T: Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    of: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    each_with(items, || (), |(), item| of(item))
}

/// As [`each`], with something that each thread has for itself.
pub fn each_with<T: Send, S, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    own: impl Fn() -> S + Sync,
    of: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        let mut own = own();
        let mut made = Vec::new();
        while let Some((at, item)) = next() {
            made.push((at, of(&mut own, item)));
        }
        made
    };
    // Miri runs one thread at a time.
    let threads = if cfg!(miri) { 1 } else { thread::available_parallelism().map_or(1, NonZero::get) };
    let mut made = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|payload| panic::resume_unwind(payload)));
        }
        made
    });
    made.sort_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, result)| result).collect()
}

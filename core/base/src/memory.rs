//! The available memory, as the edge that starts the process reports it; the core does not query the system.
//!
//! Rust ends the process if an allocation fails. So there are three lines of defence. Code that may allocate much first
//! asks for [`room`] with an estimate, and is refused with the sizes. Large arrays whose length comes from a file or a
//! text are allocated by [`array()`] and [`reserve`], which return an error. For the many small allocations the edge's
//! allocator keeps a reserve: if one fails, it releases the reserve and calls [`ran_short`]. The step continues to the
//! next place that asks for room or checks for cancellation; there its statement fails, and its definitions are undone.

use std::{
    cell::Cell,
    sync::{
        OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

/// The edge's knowledge of memory, and its part in handling shortage.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Bytes that the process has allocated.
    pub used: fn() -> Option<u64>,
    /// What it can still have.
    pub free: fn() -> Option<Free>,
    /// The bytes of addresses left, if these are bounded (`ulimit -v`).
    pub addresses: fn() -> Option<u64>,
    /// Bytes that the user allows it.
    pub limit: fn() -> Option<u64>,
    /// Counts bytes that a library takes without asking the allocator as in use, under the user's limit.
    pub count: fn(u64),
    /// Takes the reserve again, as far as possible.
    pub keep_reserve: fn(),
}

/// Memory that can still be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    pub bytes: u64,
    pub of: Bound,
}

/// What bounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The user's limit, `--max-memory`.
    Allowed,
    /// The addresses of the process, `ulimit -v`.
    Addresses,
    /// The machine, or the group of processes.
    Machine,
}

static METER: OnceLock<Meter> = OnceLock::new();

/// Bytes of the allocation that could not be had without the reserve; 0 if there was none.
static SHORT: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Whether this thread asks for an array and takes no for an answer.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Sets the meter of this process, once.
pub fn measure_by(meter: Meter) {
    // Whoever came first knows as much.
    let _ = METER.set(meter);
}

/// The number of bytes allocated, if known.
pub fn used() -> Option<u64> {
    METER.get().and_then(|meter| (meter.used)())
}

/// The user's limit in bytes, if there is one.
pub fn limit() -> Option<u64> {
    METER.get().and_then(|meter| (meter.limit)())
}

fn free() -> Option<Free> {
    METER.get().and_then(|meter| (meter.free)())
}

/// Counts what a library takes as in use: the allocator does not see it.
pub fn count(bytes: u64) {
    if let Some(meter) = METER.get() {
        (meter.count)(bytes);
    }
}

/// Less than this is not worth asking for.
fn small() -> u64 {
    const SMALL: u64 = 1 << 20;
    limit().map_or(SMALL, |limit| (limit / 64).min(SMALL))
}

/// A request for more memory than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct NoRoom {
    wanted: u64,
    /// `None` where there was not even so little.
    free: Option<Free>,
}

impl NoRoom {
    /// How many bytes there are, if any.
    pub fn free(&self) -> Option<u64> {
        self.free.map(|free| free.bytes)
    }

    /// How much there is.
    pub fn left(&self) -> String {
        self.free.map_or_else(|| "memory ran out".to_string(), |free| of_bound(mebibytes(free.bytes), free.of))
    }

    fn message(&self) -> String {
        let wanted = mebibytes(self.wanted);
        match self.free {
            None => format!("memory ran out where {wanted} more were wanted"),
            Some(free) => {
                // Free memory in parts is no help, nor what another thread has given back meanwhile.
                let in_parts =
                    if self.wanted <= free.bytes { " in one piece, and what is left is in parts: " } else { ", and " };
                format!("this would take {wanted} of memory{in_parts}{}", of_bound(mebibytes(free.bytes), free.of))
            }
        }
    }
}

/// `x` with its unit, 1024 bytes to the kibibyte.
pub fn size_text(x: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if x < 10_000 {
        return if x == 1 { "1 byte".to_string() } else { format!("{x} bytes") };
    }
    let mut scaled = x as f64 / 1024.0;
    let mut unit = 0;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", UNITS[unit])
}

/// How much is free, and which limit decides that.
pub fn left(free: String) -> String {
    of_bound(free, self::free().map_or(Bound::Machine, |free| free.of))
}

fn of_bound(free: String, of: Bound) -> String {
    match (of, limit()) {
        (Bound::Allowed, Some(limit)) => {
            format!("{free} are left of the {} that `--max-memory` allows", mebibytes(limit))
        }
        (Bound::Addresses, _) => format!("{free} are left of the addresses that `ulimit -v` allows"),
        (Bound::Allowed | Bound::Machine, _) => format!("{free} are free"),
    }
}

fn mebibytes(bytes: u64) -> String {
    match bytes {
        ..1_048_576 => format!("{bytes} bytes"),
        _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
    }
}

/// Checks that `wanted` bytes can be allocated.
///
/// # Errors
/// They cannot. If the free memory is unknown, 64 GiB or more cannot.
pub fn room(wanted: u64) -> Result<(), NoRoom> {
    shortage().map_or_else(|| room_apart(wanted), Err)
}

/// As [`room`], for work that is not part of a statement, which may go on after a statement ran out of memory.
///
/// # Errors
/// As [`room`].
pub fn room_apart(wanted: u64) -> Result<(), NoRoom> {
    const UNKNOWN: Free = Free { bytes: 64 << 30, of: Bound::Machine };
    if wanted < small() {
        return Ok(());
    }
    let free = free().unwrap_or(UNKNOWN);
    if wanted <= free.bytes { Ok(()) } else { Err(NoRoom { wanted, free: Some(free) }) }
}

/// As [`room`], for `count` things of `bytes` each.
///
/// # Errors
/// As [`room`].
pub fn room_for(count: u128, bytes: u64) -> Result<(), NoRoom> {
    room(u64::try_from(count.saturating_mul(u128::from(bytes))).unwrap_or(u64::MAX))
}

/// Checks that there are addresses for so many more bytes. This is for the memory of libraries, which
/// `--max-memory` does not count.
///
/// # Errors
/// There are not.
pub fn addresses(wanted: u64) -> Result<(), NoRoom> {
    match METER.get().and_then(|meter| (meter.addresses)()) {
        Some(bytes) if bytes < wanted => Err(NoRoom { wanted, free: Some(Free { bytes, of: Bound::Addresses }) }),
        _ => Ok(()),
    }
}

// Arrays that may not be had.

/// An empty array with room for `count` items.
///
/// # Errors
/// There is none.
pub fn array<T>(count: usize) -> Result<Vec<T>, NoRoom> {
    let mut items = Vec::new();
    had(&mut items, count, Vec::try_reserve_exact)?;
    Ok(items)
}

/// Reserves room for `more` items in a growing array, and doubles it if possible.
///
/// # Errors
/// There is no room for `more`; the array is as it was.
pub fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), NoRoom> {
    if items.capacity() - items.len() >= more {
        return Ok(());
    }
    let twice = items.len().max(more);
    // The items move as the array grows, so that it is there twice for a while.
    let grown = items.len() as u128 + twice as u128;
    if room_for(grown, size_of::<T>() as u64).is_ok() && had(items, twice, Vec::try_reserve).is_ok() {
        return Ok(());
    }
    had(items, more, Vec::try_reserve_exact)
}

/// Calls `reserve`, which allocates at least `wanted` bytes.
///
/// # Errors
/// There is no room for them.
pub fn ask<E>(reserve: impl FnOnce() -> Result<(), E>, wanted: usize) -> Result<(), NoRoom> {
    room(wanted as u64)?;
    let before = ASKING.replace(true);
    let reserved = reserve();
    ASKING.set(before);
    reserved.map_err(|_| NoRoom { wanted: wanted as u64, free: free() })
}

/// Has `reserve` ask for room for `more` items.
fn had<T>(
    items: &mut Vec<T>,
    more: usize,
    reserve: impl FnOnce(&mut Vec<T>, usize) -> Result<(), std::collections::TryReserveError>,
) -> Result<(), NoRoom> {
    let wanted = items.len().saturating_add(more).saturating_mul(size_of::<T>());
    ask(|| reserve(items, more), wanted)
}

/// Whether allocations of this thread may fail with an error.
pub fn may_be_refused() -> bool {
    ASKING.try_with(Cell::get).unwrap_or(false)
}

// The last resort.

/// The allocator calls this when it has released the reserve for an allocation of `bytes`. Allocates nothing.
pub fn ran_short(bytes: u64) {
    // The first is the one that is told.
    let _ = SHORT.compare_exchange(0, bytes.max(1), Ordering::Relaxed, Ordering::Relaxed);
}

/// Whether memory has run out since the statement began. The current step should then end with an error.
pub fn shortage() -> Option<NoRoom> {
    let wanted = SHORT.load(Ordering::Relaxed);
    (wanted > 0).then_some(NoRoom { wanted, free: None })
}

/// Begins a statement: forgets an earlier shortage, and takes the reserve again.
pub fn begin() {
    SHORT.store(0, Ordering::Relaxed);
    if let Some(meter) = METER.get() {
        (meter.keep_reserve)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_keeps_them_short() {
        assert_eq!(size_text(1), "1 byte");
        assert_eq!(size_text(9_999), "9999 bytes");
        assert_eq!(size_text(3 << 20), "3.0 MiB");
    }

    #[test]
    fn an_array_that_cannot_be_had_is_refused_with_its_size() {
        let refused = array::<u64>(usize::MAX / 16).map(|_| ());
        assert!(matches!(refused, Err(NoRoom { wanted, .. }) if wanted == (usize::MAX / 16 * 8) as u64));
        let mut items = vec![7u8; 3];
        assert!(reserve(&mut items, usize::MAX / 4).is_err());
        assert_eq!((items.as_slice(), may_be_refused()), (&[7, 7, 7][..], false));
        assert_eq!(reserve(&mut items, 1000).map(|()| items.capacity() >= 1003), Ok(true));
    }

    #[test]
    fn what_cannot_be_had_in_one_piece_is_told_so() {
        let free = |of| move |bytes| Free { bytes, of };
        let refused = |wanted, bytes: Option<u64>| NoRoom { wanted, free: bytes.map(free(Bound::Machine)) }.to_string();
        let [short, scattered] = [refused(9 << 20, Some(5000)), refused(8 << 20, Some(9 << 20))];
        assert_eq!(short, "this would take 9 MiB of memory, and 5000 bytes are free");
        assert_eq!(refused(100, None), "memory ran out where 100 bytes more were wanted");
        let told = "this would take 8 MiB of memory in one piece, and what is left is in parts: 9 MiB are free";
        assert_eq!(scattered, told);
        let addresses = NoRoom { wanted: 9 << 20, free: Some(free(Bound::Addresses)(8 << 20)) }.to_string();
        let told = "this would take 9 MiB of memory, and 8 MiB are left of the addresses that `ulimit -v` allows";
        assert_eq!(addresses, told);
    }
}

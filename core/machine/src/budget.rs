//! The memory limit of a program.
//!
//! Two checks enforce the limit: an array that would exceed it together with the memory in use is not made, and
//! the memory of the whole process is checked after every large result and at regular steps.

use std::cell::Cell;

use crate::{machine::Fault, value::by};
use nnz_base::{element::Element, memory};

thread_local! {
    /// The limit of the program that this thread runs, in bytes: arrays are made in places that do not see the machine.
    static LIMIT: Cell<u64> = const { Cell::new(DEFAULT_BYTES) };
    /// Entries of arrays made since the machine last counted its steps.
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// The default memory limit of a program, in bytes.
pub(super) const DEFAULT_BYTES: u64 = 8 << 30;

/// A limit for as long as this is kept.
pub(super) struct Budget {
    before: u64,
}

impl Budget {
    /// Limits this thread's programs to `bytes`.
    pub(super) fn set(bytes: u64) -> Budget {
        Budget { before: LIMIT.replace(bytes) }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        LIMIT.set(self.before);
    }
}

/// Arrays below this are made without asking how much is in use.
const SMALL: u64 = 1 << 20;

/// The number of entries of a new array, of at least `bytes` each. They count as work.
///
/// # Errors
/// More bytes than the limit leaves.
pub(super) fn entries(shape: &[u64], bytes: usize) -> Result<usize, Fault> {
    if let Some(size) = shape.iter().map(|size| size.cast_signed()).find(|size| *size < 0) {
        return Err(Fault::new(format!("no array has the size {size}")));
    }
    let limit = LIMIT.get();
    let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
    let total = count.and_then(|count| count.checked_mul(bytes as u64));
    let (Some(count), Some(total)) = (count, total.filter(|total| *total <= limit)) else {
        return Err(too_much(shape, total, limit));
    };
    room_for(total, || format!("an array of {}", by(shape)))?;
    MADE.set(MADE.get().saturating_add(count));
    usize::try_from(count).map_err(|_| too_much(shape, Some(total), limit))
}

/// Checks that there is room for `total` more bytes, for an array or for an operation's temporary needs.
///
/// # Errors
/// More than the limit.
pub(super) fn room_for(total: u64, what: impl Fn() -> String) -> Result<(), Fault> {
    if total < SMALL {
        return Ok(());
    }
    let (used, limit) = (memory::used().unwrap_or(0), LIMIT.get());
    if used.saturating_add(total) <= limit {
        return Ok(());
    }
    let [wanted, used, limit] = [total, used, limit].map(memory::size_text);
    let message = format!("{} would take {wanted}; {used} are in use, and the program may take {limit}", what());
    Err(Fault::limit(message).help(HELP))
}

/// The number of array entries made since the last call.
pub(super) fn made() -> u64 {
    MADE.take()
}

/// The operation has made room that it does not fill, which does not count as work.
pub(super) fn only_room() {
    MADE.set(0);
}

/// As [`entries`], for an array of `element`s.
///
/// # Errors
/// As [`entries`].
pub(super) fn room(shape: &[u64], element: Element) -> Result<usize, Fault> {
    entries(shape, element.bytes())
}

fn too_much(shape: &[u64], total: Option<u64>, limit: u64) -> Fault {
    let wanted = total.map_or("more memory than there is".to_string(), memory::size_text);
    let message =
        format!("an array of {} would take {wanted}, and the program may take {}", by(shape), memory::size_text(limit));
    Fault::limit(message).help(HELP)
}

const HELP: &str = "`--max-memory` sets another limit";

/// Checks the memory of the process against the limit.
///
/// # Errors
/// More than the limit.
pub(super) fn check(used: Option<u64>) -> Result<(), Fault> {
    let limit = LIMIT.get();
    if let Some(short) = memory::shortage() {
        return Err(Fault::limit(short.to_string()).help(HELP));
    }
    match used {
        Some(used) if used > limit => {
            let [used, limit] = [used, limit].map(memory::size_text);
            Err(Fault::limit(format!("{used} are in use, and the program may take {limit}")).help(HELP))
        }
        _ => Ok(()),
    }
}

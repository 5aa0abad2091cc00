//! How much memory a program may take.
//!
//! Two checks hold the limit: an array that alone would exceed it is never made, and what the whole process
//! uses is asked for after every large result and every so many steps.

use std::cell::Cell;

use super::{machine::Fault, value::by};
use crate::{element::Element, view::number};

thread_local! {
    /// The limit of the program that this thread runs, in bytes: arrays are made in places that do not see the machine.
    static LIMIT: Cell<u64> = const { Cell::new(DEFAULT_BYTES) };
}

/// What a program may take unless said otherwise, in bytes.
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

/// The number of entries of a new array, of at least `bytes` each.
///
/// # Errors
/// More bytes than the program may take.
pub(super) fn entries(shape: &[u64], bytes: usize) -> Result<usize, Fault> {
    let limit = LIMIT.get();
    let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
    let total = count.and_then(|count| count.checked_mul(bytes as u64));
    match (count, total.filter(|total| *total <= limit)) {
        (Some(count), Some(_)) => usize::try_from(count).map_err(|_| too_much(shape, total, limit)),
        _ => Err(too_much(shape, total, limit)),
    }
}

/// As [`entries`], for an array of `element`s.
///
/// # Errors
/// As [`entries`].
pub(super) fn room(shape: &[u64], element: Element) -> Result<usize, Fault> {
    entries(shape, element.bytes())
}

fn too_much(shape: &[u64], total: Option<u64>, limit: u64) -> Fault {
    let wanted = total.map_or("more memory than there is".to_string(), number::bytes);
    let message =
        format!("an array of {} would take {wanted}, and the program may take {}", by(shape), number::bytes(limit));
    Fault::limit(message).help(HELP)
}

const HELP: &str = "`--max-memory` sets another limit";

/// Holds what the process uses against the limit.
///
/// # Errors
/// More than the program may take.
pub(super) fn check(used: Option<u64>) -> Result<(), Fault> {
    let limit = LIMIT.get();
    match used {
        Some(used) if used > limit => {
            let [used, limit] = [used, limit].map(number::bytes);
            Err(Fault::limit(format!("{used} are in use, and the program may take {limit}")).help(HELP))
        }
        _ => Ok(()),
    }
}

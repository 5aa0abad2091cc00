//! The memory limit of a program.
//!
//! Two checks enforce the limit: an array is not made if it and the memory in use would exceed it, and the memory of
//! the whole process is checked after every large result and at regular steps.

use std::cell::Cell;

use crate::{fault::Fault, shape::by};
use nnz_base::{element::Element, memory};

/// The default memory limit of a program, in bytes.
pub(super) const DEFAULT_BYTES: u64 = 8 << 30;

/// The memory that a program may take, and the arrays that it makes.
#[derive(Debug)]
pub struct Budget {
    /// In bytes.
    limit: u64,
    /// Entries of arrays made since the machine last counted its steps.
    made: Cell<u64>,
}

/// Arrays below this are made without asking how much is in use.
const SMALL: u64 = 1 << 20;

impl Budget {
    /// At most `limit` bytes.
    pub fn new(limit: u64) -> Budget {
        Budget { limit, made: Cell::new(0) }
    }

    /// The number of entries of a new array, of at least `bytes` each. They count as work.
    ///
    /// # Errors
    /// More bytes than the limit leaves.
    pub(super) fn entries(&self, shape: &[u64], bytes: usize) -> Result<usize, Fault> {
        if let Some(size) = shape.iter().map(|size| size.cast_signed()).find(|size| *size < 0) {
            return Err(Fault::new(format!("no array has the size {size}")));
        }
        let limit = self.limit;
        let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
        let total = count.and_then(|count| count.checked_mul(bytes as u64));
        let (Some(count), Some(total)) = (count, total.filter(|total| *total <= limit)) else {
            return Err(too_much(shape, total, limit));
        };
        self.room_for(total, || format!("an array of {}", by(shape)))?;
        self.made.set(self.made.get().saturating_add(count));
        usize::try_from(count).map_err(|_| too_much(shape, Some(total), limit))
    }

    /// Checks that there is room for `total` more bytes, for an array or for an operation's temporary needs.
    ///
    /// # Errors
    /// More than the limit.
    pub(super) fn room_for(&self, total: u64, what: impl Fn() -> String) -> Result<(), Fault> {
        if total < SMALL {
            return Ok(());
        }
        let (used, limit) = (memory::used().unwrap_or(0), self.limit);
        if used.saturating_add(total) <= limit {
            return Ok(());
        }
        let [wanted, used, limit] = [total, used, limit].map(memory::size_text);
        let message = format!("{} would take {wanted}; {used} are in use, and the program may take {limit}", what());
        Err(Fault::limit(message).help(HELP))
    }

    /// The number of array entries made since the last call.
    pub(super) fn made(&self) -> u64 {
        self.made.take()
    }

    /// Forgets the entries made so far: an operation that only allocates has done no work.
    pub(super) fn only_room(&self) {
        self.made.set(0);
    }

    /// As [`Budget::entries`], for an array of `element`s.
    ///
    /// # Errors
    /// As [`Budget::entries`].
    pub(super) fn room(&self, shape: &[u64], element: Element) -> Result<usize, Fault> {
        self.entries(shape, element.bytes())
    }

    /// Checks the memory of the process against the limit.
    ///
    /// # Errors
    /// More than the limit.
    pub(super) fn check(&self, used: Option<u64>) -> Result<(), Fault> {
        let limit = self.limit;
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
}

fn too_much(shape: &[u64], total: Option<u64>, limit: u64) -> Fault {
    let wanted = total.map_or("more memory than there is".to_string(), memory::size_text);
    let message =
        format!("an array of {} would take {wanted}, and the program may take {}", by(shape), memory::size_text(limit));
    Fault::limit(message).help(HELP)
}

const HELP: &str = "`--max-memory` sets another limit";

#[cfg(test)]
mod tests {
    use super::*;

    /// As in a server, where one thread may check or run for several.
    #[test]
    fn programs_on_one_thread_have_their_own_limits() {
        let (small, large) = (Budget::new(100), Budget::new(1000));
        assert_eq!(large.entries(&[10, 10], 8).ok(), Some(100));
        let refused = small.entries(&[10, 10], 8).map_err(|fault| fault.message);
        assert_eq!(refused, Err("an array of 10x10 would take 800 bytes, and the program may take 100 bytes".into()));
        assert_eq!((small.made(), large.made(), large.made()), (0, 100, 0));
    }
}

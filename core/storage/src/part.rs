//! The part of a dimension that a slice keeps.

use nnz_encoding::Slice;

/// Coordinates `offset, offset + stride, ..` of a dimension, `size` of them; `stride` is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub offset: u64,
    pub size: u64,
    pub stride: u64,
}

impl Part {
    /// A slice's part; what it leaves open (`?`) comes from `open`.
    pub fn of(slice: Slice, open: Part) -> Part {
        Part {
            offset: slice.offset.unwrap_or(open.offset),
            size: slice.size.unwrap_or(open.size),
            stride: slice.stride.unwrap_or(open.stride),
        }
    }

    /// The coordinate in the slice of the parent's coordinate `at`.
    pub(super) fn locate(self, at: u64) -> Option<u64> {
        let past = at.checked_sub(self.offset)?;
        let position = past.checked_div(self.stride)?;
        (past.is_multiple_of(self.stride) && position < self.size).then_some(position)
    }

    /// Whether its last coordinate lies within `size`.
    pub(super) fn fits(self, size: u64) -> bool {
        let Some(last) = self.size.checked_sub(1) else { return true };
        let last = last.checked_mul(self.stride).and_then(|past| past.checked_add(self.offset));
        self.stride > 0 && last.is_some_and(|last| last < size)
    }
}

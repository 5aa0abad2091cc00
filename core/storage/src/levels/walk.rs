//! From one position to its children and its parent. In every format the children of a position are
//! consecutive; they are found without a search, and the parent in logarithmic time.

use std::ops::Range;

use super::{Arrays, LevelShape, LevelStorage};
use nnz_base::arrays::IndexArray;
use nnz_encoding::format::Below;

impl LevelStorage {
    /// The positions below position `parent`.
    pub(crate) fn below(&self, place: &LevelShape, parent: u64) -> Range<u64> {
        let times = |n: u64| parent * n..(parent + 1) * n;
        match place.format.below() {
            Below::Size | Below::Batch => times(place.size),
            Below::One => times(1),
            Below::Exactly(n) => times(n),
            Below::Segment | Below::Pair => {
                let Arrays { positions, coordinates } = self.arrays();
                let at = first_of(place, positions, parent);
                let base = place.batch_of(parent) * place.part(coordinates.len());
                base + positions.at(at)..base + positions.at(at + 1)
            }
        }
    }

    /// Whether `position` has an entry, at a level that may be without.
    pub(crate) fn has(&self, place: &LevelShape, position: u64) -> bool {
        let Some(coordinates) = self.coordinates() else { return true };
        let stored = coordinates.at(position as usize);
        if place.format.has_mask() { stored != 0 } else { stored < place.size }
    }

    /// The position that `position` lies below.
    pub(crate) fn above(&self, place: &LevelShape, position: u64) -> u64 {
        match place.format.below() {
            Below::Size | Below::Batch => position / place.size.max(1),
            Below::One => position,
            Below::Exactly(n) => position / n.max(1),
            Below::Segment | Below::Pair => last_at_most(self.arrays().positions, position),
        }
    }
}

/// Where the segment of `parent` starts in the positions.
fn first_of(place: &LevelShape, positions: &IndexArray, parent: u64) -> usize {
    let batch = place.batch_of(parent);
    let (part, own) = (place.part(positions.len()), parent - batch * place.parents);
    let per_parent = if place.format.below() == Below::Pair { 2 } else { 1 };
    (batch * part + per_parent * own) as usize
}

/// The last segment that starts at or before `position`: of those, the one that is not empty.
fn last_at_most(positions: &IndexArray, position: u64) -> u64 {
    let (mut low, mut high) = (0, positions.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if positions.at(middle) <= position {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (low as u64).saturating_sub(1)
}

//! From one position to its children and its parent. In every format the children of a position are
//! consecutive; they are found without a search, and the parent in logarithmic time.

use std::ops::Range;

use super::{LevelStorage, Place};
use nnz_base::arrays::IndexArray;
use nnz_encoding::LevelFormat;

impl LevelStorage {
    /// The positions below position `parent`.
    pub(crate) fn below(&self, place: &Place, parent: u64) -> Range<u64> {
        let times = |n: u64| parent * n..(parent + 1) * n;
        match self {
            LevelStorage::Dense
            | LevelStorage::Batch
            | LevelStorage::Range
            | LevelStorage::Counted { .. }
            | LevelStorage::Bitmap { .. } => times(place.size),
            LevelStorage::Singleton { .. } => times(1),
            LevelStorage::Structured { .. } => times(per_block(place)),
            LevelStorage::Compressed { positions, coordinates }
            | LevelStorage::LooseCompressed { positions, coordinates }
            | LevelStorage::Delta { positions, coordinates }
            | LevelStorage::Hashed { positions, coordinates }
            | LevelStorage::RunLength { positions, ends: coordinates } => {
                let at = self.first_of(place, positions, parent);
                let base = place.batch_of(parent) * place.part(coordinates.len());
                base + positions.at(at)..base + positions.at(at + 1)
            }
        }
    }

    /// Whether `position` has an entry, at a level that may be without.
    pub(crate) fn has(&self, place: &Place, position: u64) -> bool {
        match self {
            LevelStorage::Bitmap { mask } => mask.at(position as usize) != 0,
            _ => self.coordinates().is_none_or(|coordinates| coordinates.at(position as usize) < place.size),
        }
    }

    /// Where the segment of `parent` starts in the positions.
    fn first_of(&self, place: &Place, positions: &IndexArray, parent: u64) -> usize {
        let batch = place.batch_of(parent);
        let (part, own) = (place.part(positions.len()), parent - batch * place.parents);
        let per_parent = if matches!(self, LevelStorage::LooseCompressed { .. }) { 2 } else { 1 };
        (batch * part + per_parent * own) as usize
    }

    /// The position that `position` lies below.
    pub(crate) fn above(&self, place: &Place, position: u64) -> u64 {
        match self {
            LevelStorage::Dense
            | LevelStorage::Batch
            | LevelStorage::Range
            | LevelStorage::Counted { .. }
            | LevelStorage::Bitmap { .. } => position / place.size.max(1),
            LevelStorage::Singleton { .. } => position,
            LevelStorage::Structured { .. } => position / per_block(place).max(1),
            LevelStorage::Compressed { positions, .. }
            | LevelStorage::LooseCompressed { positions, .. }
            | LevelStorage::Delta { positions, .. }
            | LevelStorage::Hashed { positions, .. }
            | LevelStorage::RunLength { positions, .. } => last_at_most(positions, position),
        }
    }
}

fn per_block(place: &Place) -> u64 {
    match place.format {
        LevelFormat::Structured(block) => block.n(),
        _ => 1,
    }
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

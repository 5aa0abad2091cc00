//! Which parts of given arrays a tensor uses. Arrays may be longer than that, and what stands in slots that belong to no
//! segment means nothing, nor does anything below them.

use std::ops::Range;

use nnz_encoding::{Encoding, LevelFormat, format::Below};

/// The positions of the level above that are used.
pub(super) struct Used {
    pub(super) count: usize,
    /// Those of them that belong to a segment.
    held: Vec<Range<usize>>,
    /// Batches have arrays of equal length, used or not.
    whole: bool,
}

impl Used {
    pub(super) fn start(encoding: &Encoding) -> Used {
        let whole = encoding.batch_rank() > 0;
        let count = if whole { usize::MAX } else { 1 };
        Used { count, held: std::iter::once(0..count).collect(), whole }
    }

    /// The parts of a level's arrays that it uses, with what any tensor may hold in free slots. Moves on to the level below.
    pub(super) fn level(
        &mut self,
        (format, size): (LevelFormat, u64),
        [positions, coordinates]: [Option<Vec<u64>>; 2],
    ) -> [Option<Vec<u64>>; 2] {
        let positions = positions.map(|positions| self.positions(format, positions));
        self.go_below(format, size, positions.as_deref().unwrap_or_default());
        let coordinates = coordinates.map(|coordinates| self.coordinates((format, size), coordinates));
        if self.whole {
            self.held = std::iter::once(0..usize::MAX).collect();
        }
        [positions, coordinates]
    }

    fn positions(&self, format: LevelFormat, mut positions: Vec<u64>) -> Vec<u64> {
        if self.whole {
            return positions;
        }
        let loose = format.below() == Below::Pair;
        positions.truncate(if loose { self.count.saturating_mul(2) } else { self.count.saturating_add(1) });
        self.close_free(loose, &mut positions);
        positions
    }

    /// Free slots of the level above have no entries.
    fn close_free(&self, loose: bool, positions: &mut [u64]) {
        let held = self.marked(positions.len());
        let holds = |at: usize| held.get(at).copied().unwrap_or(false);
        let mut end = 0;
        for (at, position) in positions.iter_mut().enumerate() {
            let is_read = if loose { holds(at / 2) } else { holds(at) || at.checked_sub(1).is_some_and(holds) };
            if !is_read {
                *position = end;
            }
            end = *position;
        }
    }

    /// Whether each of the first `count` positions is held.
    fn marked(&self, count: usize) -> Vec<bool> {
        let mut marked = vec![false; count];
        for Range { start, end } in &self.held {
            let (start, end) = (*start.min(&count), *end.min(&count));
            if start < end {
                marked[start..end].fill(true);
            }
        }
        marked
    }

    fn go_below(&mut self, format: LevelFormat, size: u64, positions: &[u64]) {
        let at = |place: usize| positions.get(place).map_or(0, |at| usize::try_from(*at).unwrap_or(usize::MAX));
        let loose = format.below() == Below::Pair;
        let parents = if loose { positions.len() / 2 } else { positions.len().saturating_sub(1) };
        let of_parents = self.held.iter().map(|Range { start, end }| *start.min(&parents)..*end.min(&parents));
        match format.below() {
            Below::Segment => self.held = of_parents.map(|held| at(held.start)..at(held.end)).collect(),
            Below::Pair => {
                let pairs = of_parents.flatten().map(|parent| at(2 * parent)..at(2 * parent + 1));
                self.held = pairs.collect();
            }
            Below::Size => self.multiply(size),
            Below::Exactly(count) => self.multiply(count),
            Below::One | Below::Batch => {}
        }
        if !self.whole && matches!(format.below(), Below::Segment | Below::Pair) {
            self.count = positions.iter().copied().max().map_or(0, |end| usize::try_from(end).unwrap_or(usize::MAX));
        }
    }

    fn multiply(&mut self, times: u64) {
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        for held in &mut self.held {
            *held = held.start.saturating_mul(times)..held.end.saturating_mul(times);
        }
        self.count = if self.whole { self.count } else { self.count.saturating_mul(times) };
    }

    fn coordinates(&self, (format, size): (LevelFormat, u64), mut coordinates: Vec<u64>) -> Vec<u64> {
        coordinates.truncate(self.count);
        // Positions start anew in each batch.
        if self.whole && format.below() != Below::Pair {
            return coordinates;
        }
        // A free segment is no list of coordinates if they do not rise.
        let rises = format.below() == Below::Segment && !format.has_mask();
        let held = self.marked(coordinates.len());
        let mut next = 0;
        for (coordinate, held) in coordinates.iter_mut().zip(held) {
            if held {
                next = 0;
            } else if rises || *coordinate >= size {
                *coordinate = next;
                next = if rises && next + 1 < size { next + 1 } else { next };
            }
        }
        coordinates
    }
}

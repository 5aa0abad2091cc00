//! Code shared by the two compressed formats: segments of coordinates, and of tuples of them.

use std::{collections::HashSet, ops::Range};

use super::{Children, Counts, LevelShape, Positions};
use crate::{ArrayKind, Storage, StorageError};
use nnz_base::{arrays::IndexArray, ids::Lvl};
use nnz_encoding::Props;

/// The number of positions in each batch.
pub(super) fn count(coordinates: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let count = place.part(coordinates.len());
    if count * place.batches != coordinates.len() as u64 {
        let expected = count * place.batches;
        return Err(StorageError::length(place.lvl, ArrayKind::Coordinates, expected, coordinates.len()));
    }
    Ok(count)
}

/// The segments below `parents`, in their order.
pub(super) fn of_parents<'a>(
    positions: &'a IndexArray,
    coordinates: &IndexArray,
    place: &'a LevelShape,
    parents: &'a Positions,
) -> impl Iterator<Item = Range<u64>> + 'a {
    let (part, count) = (place.part(positions.len()), place.part(coordinates.len()));
    parents.iter().map(move |parent| {
        let batch = place.batch_of(parent);
        let at = (batch * part + (parent - batch * place.parents)) as usize;
        batch * count + positions.at(at)..batch * count + positions.at(at + 1)
    })
}

pub(super) fn expand(segments: impl Iterator<Item = Range<u64>> + Clone, coordinates: &IndexArray) -> Children {
    let coordinates = coordinates.widened();
    let length = |segment: &Range<u64>| segment.end - segment.start;
    let counts: Vec<u64> = segments.clone().map(|segment| length(&segment)).collect();
    let positions =
        together(segments.clone()).map_or_else(|| Positions::List(segments.flatten().collect()), Positions::All);
    Children { coordinates: positions.of(&coordinates), positions, counts: Counts::Each(counts) }
}

/// The one range that the segments make, if each starts where the one before ends.
fn together(mut segments: impl Iterator<Item = Range<u64>>) -> Option<Range<u64>> {
    let first = segments.next().unwrap_or(0..0);
    segments.try_fold(first, |all, next| (next.start == all.end).then_some(all.start..next.end))
}

/// The coordinates of the levels that store tuples together, outermost first.
struct Tuples<'a> {
    first: Lvl,
    columns: Vec<&'a IndexArray>,
    props: Vec<Props>,
}

impl<'a> Tuples<'a> {
    /// The tuples of the segment that `place` heads; `None` where a level below it is not stored.
    fn new(storage: &'a Storage, place: &LevelShape) -> Option<Tuples<'a>> {
        let first = place.lvl;
        let segments = storage.encoding.coo_segments();
        let len = segments.iter().find(|segment| segment.head == first).map_or(1, |segment| segment.len);
        let lvls = (first.index()..first.index() + len).map(Lvl::new);
        let columns = lvls.clone().map(|lvl| storage.coordinates(lvl)).collect::<Option<Vec<_>>>()?;
        Some(Tuples { first, columns, props: lvls.map(|lvl| storage.encoding.format(lvl).props()).collect() })
    }

    fn is_ordered(&self) -> bool {
        self.props.iter().all(|props| !props.nonordered)
    }
    fn is_unique(&self) -> bool {
        self.props.last().is_some_and(|props| !props.nonunique)
    }
    fn last(&self) -> Lvl {
        Lvl::new(self.first.index() + self.columns.len() - 1)
    }
    /// Zero beyond a singleton's end: its own check finds that.
    fn coordinate(&self, level: usize, at: usize) -> u64 {
        let column = self.columns[level];
        if at < column.len() { column.at(at) } else { 0 }
    }

    /// Checks every position of a segment against the one before it.
    fn check_pairs(&self, segment: Range<usize>) -> Result<(), StorageError> {
        let Some(column) = self.only_column() else {
            return (segment.start + 1..segment.end).try_for_each(|at| self.check_pair(at));
        };
        // Most levels are such a column, which is looked through at the speed of memory.
        column.fall(segment, self.is_unique()).map_or(Ok(()), |at| self.check_pair(at))
    }

    /// The coordinates, where they are ordered and no tuples.
    fn only_column(&self) -> Option<&IndexArray> {
        match self.columns.as_slice() {
            [column] if self.is_ordered() => Some(column),
            _ => None,
        }
    }

    /// Checks position `at` against the one before it: the first level on which they differ rises if
    /// it is ordered; they differ somewhere if the last level is unique.
    fn check_pair(&self, at: usize) -> Result<(), StorageError> {
        let differs = |&level: &usize| self.coordinate(level, at - 1) != self.coordinate(level, at);
        let Some(level) = (0..self.columns.len()).find(differs) else {
            return if self.is_unique() { Err(self.repeated(at)) } else { Ok(()) };
        };
        let (before, got) = (self.coordinate(level, at - 1), self.coordinate(level, at));
        if before > got && !self.props[level].nonordered {
            return Err(StorageError::Order { lvl: Lvl::new(self.first.index() + level), at, before, got });
        }
        Ok(())
    }

    fn repeated(&self, at: usize) -> StorageError {
        let coordinate = self.coordinate(self.columns.len() - 1, at);
        StorageError::Repeated { lvl: self.last(), at, coordinate }
    }

    fn check_unique(&self, segment: Range<usize>) -> Result<(), StorageError> {
        let mut seen = HashSet::new();
        let tuple = |at| -> Vec<u64> { (0..self.columns.len()).map(|level| self.coordinate(level, at)).collect() };
        match segment.into_iter().find(|&at| !seen.insert(tuple(at))) {
            Some(at) => Err(self.repeated(at)),
            None => Ok(()),
        }
    }
}

/// Checks that each segment's tuples are ordered and unique as their levels say.
pub(super) fn check_order(
    segments: impl Iterator<Item = Range<u64>>,
    storage: &Storage,
    place: &LevelShape,
) -> Result<(), StorageError> {
    let Some(tuples) = Tuples::new(storage, place) else { return Ok(()) };
    for segment in segments {
        let segment = segment.start as usize..segment.end as usize;
        tuples.check_pairs(segment.clone())?;
        if !tuples.is_ordered() && tuples.is_unique() {
            tuples.check_unique(segment)?;
        }
    }
    Ok(())
}

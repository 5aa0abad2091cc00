//! `compressed`: a segment of coordinates below every position.
//!
//! ```text
//! parent        0     1     2
//! pos         0     2     2     3     segment of p: pos[p] .. pos[p + 1]
//! crd         1 4         2
//! ```
//! At the head of a COO segment a position is a tuple: the singletons below keep its other coordinates.

use std::ops::Range;

use super::{Builder, Children, Place, Positions, RawLevel, check_range, segments};
use crate::{
    arrays::IndexArray,
    ids::Lvl,
    storage::{ArrayKind, Storage, StorageError},
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> RawLevel {
    let positions = builder.split(lvl);
    RawLevel { positions: Some(positions), coordinates: Some(builder.coordinates(lvl)) }
}

pub(super) fn check(
    positions: &IndexArray,
    coordinates: &IndexArray,
    storage: &Storage,
    place: &Place,
) -> Result<u64, StorageError> {
    let count = segments::count(coordinates, place)?;
    let ranges = check_segments(positions, count, place)?;
    check_range(&coordinates.widened(), place)?;
    segments::check_order(ranges.into_iter(), storage, place)?;
    Ok(count)
}

/// Checks the positions of every batch, which has `count` coordinates, and gives the segments.
pub(super) fn check_segments(
    positions: &IndexArray,
    count: u64,
    place: &Place,
) -> Result<Vec<Range<u64>>, StorageError> {
    let part = place.parents + 1;
    if positions.len() as u64 != part * place.batches {
        let expected = part * place.batches;
        return Err(StorageError::length(place.lvl, ArrayKind::Positions, expected, positions.len()));
    }
    let positions = positions.widened();
    let batches = || positions.chunks(part as usize).enumerate();
    for (batch, positions) in batches() {
        check_positions(positions, batch * part as usize, count, place)?;
    }
    let segment = |first: u64, pair: &[u64]| first + pair[0]..first + pair[1];
    let of_batch = |(batch, p): (usize, &[u64])| -> Vec<Range<u64>> {
        p.windows(2).map(|pair| segment(batch as u64 * count, pair)).collect()
    };
    Ok(batches().flat_map(of_batch).collect())
}

/// Checks one batch's positions, which stand at `at` in the array.
fn check_positions(positions: &[u64], at: usize, count: u64, place: &Place) -> Result<(), StorageError> {
    let lvl = place.lvl;
    if let Some(&got) = positions.first().filter(|&&first| first != 0) {
        return Err(StorageError::Start { lvl, at, got });
    }
    if let Some(fall) = positions.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(StorageError::Decrease {
            lvl,
            at: at + fall + 1,
            before: positions[fall],
            got: positions[fall + 1],
        });
    }
    let last = positions.last().copied().unwrap_or(0);
    if last > count {
        return Err(StorageError::End { lvl, at: at + positions.len() - 1, got: last, coordinates: count });
    }
    if last < count && place.batches == 1 {
        return Err(StorageError::Length { lvl, array: ArrayKind::Coordinates, expected: last, got: count });
    }
    Ok(())
}

pub(super) fn expand(positions: &IndexArray, coordinates: &IndexArray, place: &Place, parents: &Positions) -> Children {
    let (positions, part) = (positions.widened(), place.part(coordinates.len()));
    let segment = |parent: u64| {
        let batch = place.batch_of(parent);
        let at = (parent + batch) as usize;
        batch * part + positions[at]..batch * part + positions[at + 1]
    };
    segments::expand(parents.iter().map(segment), coordinates)
}

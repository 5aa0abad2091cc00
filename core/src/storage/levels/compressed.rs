//! `compressed`: a segment of coordinates below every position.
//!
//! ```text
//! parent        0     1     2
//! pos         0     2     2     3     segment of p: pos[p] .. pos[p + 1]
//! crd         1 4         2
//! ```
//! At the head of a COO segment a position is a tuple: the singletons below keep its other coordinates.

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
    let (lvl, count) = (place.lvl, segments::count(coordinates, place)?);
    let part = place.parents + 1;
    if positions.len() as u64 != part * place.batches {
        return Err(StorageError::length(lvl, ArrayKind::Positions, part * place.batches, positions.len()));
    }
    let positions = positions.widened();
    for (batch, positions) in positions.chunks(part as usize).enumerate() {
        check_positions(positions, batch * part as usize, count, place)?;
    }
    check_range(&coordinates.widened(), place)?;
    let all = positions.chunks(part as usize).enumerate();
    let segments = all
        .flat_map(|(batch, p)| p.windows(2).map(move |w| (batch as u64 * count + w[0])..(batch as u64 * count + w[1])));
    segments::check_order(segments, storage, place)?;
    Ok(count)
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

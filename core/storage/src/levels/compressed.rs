//! `compressed`: a segment of coordinates below every position.
//!
//! ```text
//! parent        0     1     2
//! pos         0     2     2     3     segment of p: pos[p] .. pos[p + 1]
//! crd         1 4         2
//! ```
//! At the head of a COO segment a position is a tuple: the singletons below keep its other coordinates.

use std::ops::Range;

use super::{Builder, Children, Code, LevelShape, Positions, RawLevel, check_range, segments};
use crate::{ArrayKind, Storage, StorageError};
use nnz_base::{arrays::IndexArray, ids::Lvl};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| Ok(build(builder, lvl)),
    check: |arrays, storage, place| check(arrays.positions, arrays.coordinates, storage, place),
    expand: |arrays, place, parents| expand(arrays.positions, arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> RawLevel {
    let positions = builder.split(lvl);
    RawLevel { positions: Some(positions), coordinates: Some(builder.coordinates(lvl)) }
}

pub(super) fn check(
    positions: &IndexArray,
    coordinates: &IndexArray,
    storage: &Storage,
    place: &LevelShape,
) -> Result<u64, StorageError> {
    let count = segments::count(coordinates, place)?;
    let ranges = check_segments(positions, count, place)?;
    check_range(coordinates, place)?;
    segments::check_order(ranges, storage, place)?;
    Ok(count)
}

/// Checks the positions of every batch, which has `count` coordinates, and gives the segments.
pub(super) fn check_segments<'a>(
    positions: &'a IndexArray,
    count: u64,
    place: &'a LevelShape,
) -> Result<impl Iterator<Item = Range<u64>> + 'a, StorageError> {
    let part = place.parents + 1;
    if positions.len() as u64 != part * place.batches {
        let expected = part * place.batches;
        return Err(StorageError::length(place.lvl, ArrayKind::Positions, expected, positions.len()));
    }
    for batch in 0..place.batches {
        let first = (batch * part) as usize;
        check_positions(positions, first..first + part as usize, count, place)?;
    }
    Ok((0..place.parents * place.batches).map(move |parent| {
        let batch = place.batch_of(parent);
        let at = (parent + batch) as usize;
        batch * count + positions.at(at)..batch * count + positions.at(at + 1)
    }))
}

/// Checks one batch's positions, which are in `range`.
fn check_positions(
    positions: &IndexArray,
    range: Range<usize>,
    count: u64,
    place: &LevelShape,
) -> Result<(), StorageError> {
    let (lvl, first, last) = (place.lvl, positions.at(range.start), positions.at(range.end - 1));
    if first != 0 {
        return Err(StorageError::Start { lvl, at: range.start, got: first });
    }
    if let Some(at) = positions.fall(range.clone(), false) {
        return Err(StorageError::Decrease { lvl, at, before: positions.at(at - 1), got: positions.at(at) });
    }
    if last > count {
        return Err(StorageError::End { lvl, at: range.end - 1, got: last, coordinates: count });
    }
    if last < count && place.batches == 1 {
        return Err(StorageError::Length { lvl, array: ArrayKind::Coordinates, expected: last, got: count });
    }
    Ok(())
}

pub(super) fn expand(
    positions: &IndexArray,
    coordinates: &IndexArray,
    place: &LevelShape,
    parents: &Positions,
) -> Children {
    let (positions, part) = (positions.widened(), place.part(coordinates.len()));
    let segment = |parent: u64| {
        let batch = place.batch_of(parent);
        let at = (parent + batch) as usize;
        batch * part + positions[at]..batch * part + positions[at + 1]
    };
    segments::expand(parents.iter().map(segment), coordinates)
}

//! `loose_compressed`: a segment of coordinates below every position, gaps between segments allowed.
//!
//! ```text
//! parent          0         1         2
//! pos         0   2     4   4     5   6      segment of p: pos[2p] .. pos[2p + 1]
//! crd         1 4   . .         . 2
//! ```
//! Packing leaves no gaps. Like MLIR's library it adds one slot after the last pair, which nothing reads.

use super::{Builder, Children, Code, LevelShape, Positions, RawLevel, check_range, segments};
use crate::{ArrayKind, Storage, StorageError};
use nnz_base::{arrays::IndexArray, ids::Lvl};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| Ok(build(builder, lvl)),
    check: |arrays, storage, place| check(arrays.positions, arrays.coordinates, storage, place),
    expand: |arrays, place, parents| expand(arrays.positions, arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> RawLevel {
    let starts = builder.split(lvl);
    let ends = starts.iter().skip(1);
    let positions = std::iter::once(0).chain(ends.flat_map(|&end| [end, end])).collect();
    RawLevel { positions: Some(positions), coordinates: Some(builder.coordinates(lvl)) }
}

pub(super) fn check(
    positions: &IndexArray,
    coordinates: &IndexArray,
    storage: &Storage,
    place: &LevelShape,
) -> Result<u64, StorageError> {
    let (lvl, count) = (place.lvl, segments::count(coordinates, place)?);
    let part = part(positions, place);
    if part * place.batches != positions.len() as u64 || (place.batches > 0 && part / 2 != place.parents) {
        let expected = place.batches * (2 * place.parents + 1);
        return Err(StorageError::length(lvl, ArrayKind::Positions, expected, positions.len()));
    }
    let positions = positions.widened();
    for batch in 0..place.batches {
        check_pairs(&positions, (batch * part) as usize, count, place)?;
    }
    check_range(coordinates, place)?;
    let pair = |parent: u64| {
        let (batch, at) = (place.batch_of(parent), first_of(parent, part, place));
        batch * count + positions[at]..batch * count + positions[at + 1]
    };
    segments::check_order((0..place.parents * place.batches).map(pair), storage, place)?;
    Ok(count)
}

/// Entries of one batch: two a parent, and perhaps the unused slot.
fn part(positions: &IndexArray, place: &LevelShape) -> u64 {
    place.part(positions.len())
}

/// The place of the pair of `parent`.
fn first_of(parent: u64, part: u64, place: &LevelShape) -> usize {
    let batch = place.batch_of(parent);
    (batch * part + 2 * (parent - batch * place.parents)) as usize
}

/// Checks the pairs of one batch: low before high, within the coordinates, and after the last
/// segment that was not empty.
fn check_pairs(positions: &[u64], first: usize, count: u64, place: &LevelShape) -> Result<(), StorageError> {
    let lvl = place.lvl;
    let mut end = 0;
    for at in (first..).step_by(2).take(place.parents as usize) {
        let (low, high) = (positions[at], positions[at + 1]);
        if high < low {
            return Err(StorageError::Decrease { lvl, at: at + 1, before: low, got: high });
        }
        if high > count {
            return Err(StorageError::End { lvl, at: at + 1, got: high, coordinates: count });
        }
        if low < high && low < end {
            return Err(StorageError::Decrease { lvl, at, before: end, got: low });
        }
        end = if low < high { high } else { end };
    }
    Ok(())
}

pub(super) fn expand(
    positions: &IndexArray,
    coordinates: &IndexArray,
    place: &LevelShape,
    parents: &Positions,
) -> Children {
    let (part, count) = (part(positions, place), place.part(coordinates.len()));
    let positions = positions.widened();
    let segment = |parent: u64| {
        let (batch, at) = (place.batch_of(parent), first_of(parent, part, place));
        batch * count + positions[at]..batch * count + positions[at + 1]
    };
    segments::expand(parents.iter().map(segment), coordinates)
}

//! `singleton`: one coordinate at every position of the level above, whose positions it shares.
//!
//! ```text
//! crd above   0 0 2
//! crd         1 4 2
//! ```
//! Below a full level with a counting level above, as in ELL, a position may have no entry: then its coordinate is the
//! level's size, which is no valid coordinate, and its value is zero.

use super::{Builder, Children, Code, Counts, LevelShape, Positions, RawLevel, check_range};
use crate::{ArrayKind, StorageError};
use nnz_base::{arrays::IndexArray, ids::Lvl};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |arrays, _, place| check(arrays.coordinates, place),
    expand: |arrays, place, parents| expand(arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    let padded = builder.has_holes(lvl);
    let coordinates = if padded { builder.padded_coordinates(lvl)? } else { builder.coordinates(lvl) };
    Ok(RawLevel { positions: None, coordinates: Some(coordinates) })
}

/// The order of tuples is checked at the head of the segment.
pub(super) fn check(coordinates: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let expected = place.parents * place.batches;
    if coordinates.len() as u64 != expected {
        return Err(StorageError::length(place.lvl, ArrayKind::Coordinates, expected, coordinates.len()));
    }
    check_range(coordinates, place)?;
    Ok(place.parents)
}

pub(super) fn expand(coordinates: &IndexArray, place: &LevelShape, parents: &Positions) -> Children {
    let coordinates = coordinates.widened();
    if place.holes {
        return Children::present(parents.iter().map(|p| p..p + 1), |position| {
            Some(coordinates[position as usize]).filter(|coordinate| *coordinate < place.size)
        });
    }
    Children { positions: parents.clone(), coordinates: parents.of(&coordinates), counts: Counts::One }
}

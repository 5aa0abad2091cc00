//! `singleton`: one coordinate at every position of the level above, whose positions it shares.
//!
//! ```text
//! crd above   0 0 2
//! crd         1 4 2
//! ```

use super::{Builder, Children, Counts, Place, Positions, RawLevel, check_range};
use crate::{
    arrays::IndexArray,
    ids::Lvl,
    storage::{ArrayKind, StorageError},
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> RawLevel {
    RawLevel { positions: None, coordinates: Some(builder.coordinates(lvl)) }
}

/// The order of tuples is checked at the head of the segment.
pub(super) fn check(coordinates: &IndexArray, place: &Place) -> Result<u64, StorageError> {
    let expected = place.parents * place.batches;
    if coordinates.len() as u64 != expected {
        return Err(StorageError::length(place.lvl, ArrayKind::Coordinates, expected, coordinates.len()));
    }
    check_range(&coordinates.widened(), place)?;
    Ok(place.parents)
}

pub(super) fn expand(coordinates: &IndexArray, parents: &Positions) -> Children {
    let coordinates = coordinates.widened();
    Children { positions: parents.clone(), coordinates: parents.of(&coordinates), counts: Counts::One }
}

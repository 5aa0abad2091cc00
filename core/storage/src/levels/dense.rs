//! `dense`: all coordinates below every position, so nothing is stored.
//!
//! ```text
//! parent        0       1          size 3
//! position    0 1 2   3 4 5        parent * size + coordinate
//! ```

use super::{Builder, Children, Code, Counts, LevelShape, Positions, RawLevel};
use crate::{StorageError, bounds};
use nnz_base::ids::Lvl;

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |_, _, place| check(place),
    expand: |_, place, parents| expand(place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    builder.fill(lvl)?;
    Ok(RawLevel::default())
}

pub(super) fn check(place: &LevelShape) -> Result<u64, StorageError> {
    bounds::positions(place.lvl, place.parents * place.batches, place.size)?;
    Ok(place.parents * place.size)
}

pub(super) fn expand(place: &LevelShape, parents: &Positions) -> Children {
    let size = place.size;
    Children {
        positions: parents.times(size),
        coordinates: (0..parents.len()).flat_map(|_| 0..size).collect(),
        counts: Counts::Times(size),
    }
}

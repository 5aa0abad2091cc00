//! `bitmap`: a slot for every coordinate below every position, and a byte that says which have an entry.
//!
//! ```text
//! parent          0           1          size 4
//! mask         0 1 0 1     1 0 0 0       position: parent * size + coordinate
//! values       . x . x     x . . .       . is zero, and no entry
//! ```
//! Like `dense`, but positions without an entry are not visited, and a stored zero stays an entry (the bitmap format of
//! SuiteSparse:GraphBLAS, Davis 2019). The mask has bytes, not bits, so that entries can be set independently.

use super::{Builder, Children, Code, LevelShape, Positions, RawLevel, dense};
use crate::{ArrayKind, StorageError};
use nnz_base::{arrays::IndexArray, ids::Lvl, memory};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |arrays, _, place| check(arrays.coordinates, place),
    expand: |arrays, place, parents| expand(arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    builder.fill(lvl)?;
    memory::room_for(builder.count().into(), 8)?;
    let mut mask = vec![0; builder.count() as usize];
    builder.owners().for_each(|owner| mask[owner as usize] = 1);
    Ok(RawLevel { positions: None, coordinates: Some(mask) })
}

pub(super) fn check(mask: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let count = dense::check(place)?;
    let expected = count * place.batches;
    if mask.len() as u64 != expected {
        return Err(StorageError::length(place.lvl, ArrayKind::Coordinates, expected, mask.len()));
    }
    match mask.iter().position(|byte| byte > 1) {
        Some(at) => Err(StorageError::Mask { lvl: place.lvl, at, got: mask.at(at) }),
        None => Ok(count),
    }
}

pub(super) fn expand(mask: &IndexArray, place: &LevelShape, parents: &Positions) -> Children {
    let size = place.size;
    let slots = parents.iter().map(|parent| parent * size..(parent + 1) * size);
    Children::present(slots, |position| (mask.at(position as usize) != 0).then(|| position % size))
}

//! `range`: a slot for every coordinate of its dimension below every position, like `dense`.
//!
//! ```text
//! j - i        -1      0       2          diagonals of a 3 x 4 matrix, compressed
//! i : range   0 1 2   0 1 2   0 1 2      position: parent * size + i
//! values      . 4 5   1 2 3   6 7 .      . is zero: there, j = i + diagonal lies outside the matrix
//! ```
//! Every diagonal has as many slots as the dimension, so that a multiplication finds a slot; slots outside the tensor
//! are zero and never visited (RANGE, NVIDIA's Universal Sparse Tensor).

use super::{Builder, Children, Code, LevelShape, Positions, RawLevel, dense};
use crate::StorageError;
use nnz_base::ids::Lvl;

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |_, _, place| check(place),
    expand: |_, place, parents| expand(place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    dense::build(builder, lvl)
}

pub(super) fn check(place: &LevelShape) -> Result<u64, StorageError> {
    dense::check(place)
}

pub(super) fn expand(place: &LevelShape, parents: &Positions) -> Children {
    dense::expand(place, parents)
}

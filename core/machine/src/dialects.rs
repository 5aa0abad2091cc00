//! What the operations of each dialect do: a file per dialect, as in the front end.

mod affine;
pub(crate) mod arith;
mod arith_casts;
mod arith_wide;
mod bufferization;
mod cf;
mod complex;
pub(crate) mod func;
mod linalg;
mod linalg_structured;
mod math;
mod math_integers;
pub(super) mod memref;
mod scf;
mod sparse_tensor;
mod sparse_tensor_arrays;
mod sparse_tensor_assemble;
mod sparse_tensor_buffers;
mod sparse_tensor_concatenate;
mod sparse_tensor_expand;
mod sparse_tensor_files;
mod sparse_tensor_foreach;
mod sparse_tensor_iterate;
mod sparse_tensor_levels;
mod sparse_tensor_spaces;
mod sparse_tensor_specifier;
mod sparse_tensor_used;
mod tensor;
mod tensor_parts;
mod tensor_shapes;
mod vector;
mod vector_masked;
mod vector_masks;
mod vector_shapes;
mod vector_transfer;

use std::sync::LazyLock;

use crate::{
    externs, generic,
    meaning::{Meanings, Row, host},
};
use nnz_mlir::dialects::linalg_named;

/// The meanings of every dialect's operations.
pub(super) fn all() -> impl Iterator<Item = Row> {
    let kernels = linalg_named::OPS.iter().map(|entry| host(entry.name(), generic::run));
    ALL.iter().flat_map(|rows| rows.iter().copied()).chain(kernels)
}

/// What machines are given.
pub(super) fn meanings() -> &'static Meanings {
    static MEANINGS: LazyLock<Meanings> = LazyLock::new(|| Meanings::new(all(), externs::call));
    &MEANINGS
}

static ALL: &[&[Row]] = &[
    affine::MEANINGS,
    arith::MEANINGS,
    arith_casts::MEANINGS,
    arith_wide::MEANINGS,
    bufferization::MEANINGS,
    cf::MEANINGS,
    complex::MEANINGS,
    func::MEANINGS,
    linalg::MEANINGS,
    linalg_structured::MEANINGS,
    math::MEANINGS,
    math::OF_ONE,
    math::OF_TWO,
    math_integers::MEANINGS,
    memref::MEANINGS,
    scf::MEANINGS,
    sparse_tensor::MEANINGS,
    sparse_tensor_arrays::MEANINGS,
    sparse_tensor_assemble::MEANINGS,
    sparse_tensor_buffers::MEANINGS,
    sparse_tensor_concatenate::MEANINGS,
    sparse_tensor_expand::MEANINGS,
    sparse_tensor_files::MEANINGS,
    sparse_tensor_foreach::MEANINGS,
    sparse_tensor_iterate::MEANINGS,
    sparse_tensor_levels::MEANINGS,
    sparse_tensor_spaces::MEANINGS,
    sparse_tensor_specifier::MEANINGS,
    tensor::MEANINGS,
    tensor_parts::MEANINGS,
    tensor_shapes::MEANINGS,
    vector::MEANINGS,
    vector_masked::MEANINGS,
    vector_masks::MEANINGS,
    vector_shapes::MEANINGS,
    vector_transfer::MEANINGS,
];

//! The operations that nnz knows, one table for each dialect.

mod affine;
pub mod arith;
pub mod arith_casts;
mod arith_wide;
mod bufferization;
mod cf;
pub mod complex;
mod func;
pub mod linalg;
pub mod linalg_named;
mod linalg_shapes;
mod linalg_structured;
pub(super) mod math;
mod math_integers;
pub(super) mod memref;
mod mlir_only;
mod regions;
mod scf;
pub mod sparse_tensor;
pub mod sparse_tensor_arrays;
mod sparse_tensor_assemble;
mod sparse_tensor_body;
pub mod sparse_tensor_buffers;
mod sparse_tensor_concatenate;
pub mod sparse_tensor_expand;
mod sparse_tensor_files;
mod sparse_tensor_foreach;
pub mod sparse_tensor_iterate;
pub mod sparse_tensor_levels;
mod sparse_tensor_spaces;
pub mod sparse_tensor_specifier;
mod tensor;
mod tensor_parts;
pub mod tensor_shapes;
mod vector;
mod vector_masks;
pub mod vector_shapes;
pub mod vector_transfer;

pub(super) use self::mlir_only::MLIR_ONLY;
use super::{ir::Op, operation::OpDef};
use nnz_base::element::Scalar;

/// Every dialect's operations.
pub(super) static ALL: &[&[OpDef]] = &[
    affine::OPS,
    arith::OPS,
    arith_casts::OPS,
    arith_wide::OPS,
    bufferization::OPS,
    cf::OPS,
    complex::OPS,
    func::OPS,
    linalg::OPS,
    linalg_named::OPS,
    linalg_structured::OPS,
    math::OPS,
    math::OF_ONE,
    math::OF_TWO,
    math_integers::OPS,
    memref::OPS,
    scf::OPS,
    sparse_tensor::OPS,
    sparse_tensor_arrays::OPS,
    sparse_tensor_assemble::OPS,
    sparse_tensor_body::OPS,
    sparse_tensor_buffers::OPS,
    sparse_tensor_concatenate::OPS,
    sparse_tensor_expand::OPS,
    sparse_tensor_files::OPS,
    sparse_tensor_foreach::OPS,
    sparse_tensor_iterate::OPS,
    sparse_tensor_levels::OPS,
    sparse_tensor_spaces::OPS,
    sparse_tensor_specifier::OPS,
    tensor::OPS,
    tensor_parts::OPS,
    tensor_shapes::OPS,
    vector::OPS,
    vector_masks::OPS,
    vector_shapes::OPS,
    vector_transfer::OPS,
];

/// The number that an operation is, if it is a constant.
pub fn constant_of(op: &Op) -> Option<Scalar> {
    match op.def.name {
        "arith.constant" => arith_casts::number(op),
        "complex.constant" => complex::number(op),
        _ => None,
    }
}

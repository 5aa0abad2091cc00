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
mod linalg_kernels;
pub mod linalg_named;
mod linalg_scalars;
mod linalg_shapes;
mod linalg_structured;
pub(crate) mod math;
mod math_integers;
pub mod memref;
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
pub mod tensor_parts;
pub mod tensor_shapes;
mod vector;
mod vector_masked;
mod vector_masks;
pub mod vector_shapes;
pub mod vector_transfer;

use std::sync::LazyLock;

use self::mlir_only::MLIR_ONLY;
use crate::{
    ir::Op,
    operation::OpDef,
    read::{Dialects, Entry},
};
use nnz_base::element::Scalar;

/// The tables of every dialect.
const ALL: &[&[Entry]] = &[
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
    vector_masked::OPS,
    vector_masks::OPS,
    vector_shapes::OPS,
    vector_transfer::OPS,
];

/// What every program is read by.
pub(crate) static DIALECTS: LazyLock<Dialects> = LazyLock::new(|| Dialects::new(ALL, MLIR_ONLY, constant_of));

/// Every operation, each at the place that its id says.
pub fn operations() -> impl Iterator<Item = &'static OpDef> {
    DIALECTS.operations()
}

/// The operation of a name.
pub fn lookup(name: &str) -> Option<&'static OpDef> {
    DIALECTS.lookup(name).map(|entry| &entry.def)
}

/// The number that an operation is, if it is a constant.
pub fn constant_of(op: &Op) -> Option<Scalar> {
    match op.def.name {
        "arith.constant" => arith_casts::number(op),
        "complex.constant" => complex::number(op),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::lookup;
    use crate::checks::{elements::TWINS, values::OF_TENSORS_AND_BUFFERS};

    #[test]
    fn what_fixes_name_is_there() {
        let names = TWINS.iter().chain(OF_TENSORS_AND_BUFFERS).flat_map(|(one, other)| [one, other]);
        let missing: Vec<_> = names.filter(|name| lookup(name).is_none()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

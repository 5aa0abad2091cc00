//! Operations of MLIR 22 that nnz lacks, in the dialects that nnz knows. They are legal, but do not run.

#[rustfmt::skip]
pub(super) static MLIR_ONLY: &[&str] = &[
    "affine.delinearize_index", "affine.dma_start", "affine.dma_wait", "affine.for", "affine.if",
    "affine.linearize_index", "affine.load", "affine.parallel", "affine.prefetch", "affine.store",
    "affine.vector_load", "affine.vector_store", "affine.yield",
    "arith.scaling_extf", "arith.scaling_truncf", "bufferization.clone",
    "bufferization.dealloc", "builtin.module", "builtin.unrealized_conversion_cast",
    "complex.bitcast", "func.call_indirect", "func.constant", "func.func",
    "linalg.fill_rng_2d", "linalg.pack",
    "linalg.softmax", "linalg.unpack", "linalg.winograd_filter_transform",
    "linalg.winograd_input_transform", "linalg.winograd_output_transform",
    "memref.alloca_scope", "memref.alloca_scope.return", "memref.assume_alignment",
    "memref.atomic_rmw", "memref.atomic_yield", "memref.collapse_shape", "memref.distinct_objects",
    "memref.dma_start", "memref.dma_wait", "memref.expand_shape", "memref.extract_aligned_pointer_as_index",
    "memref.extract_strided_metadata", "memref.generic_atomic_rmw", "memref.get_global", "memref.global",
    "memref.memory_space_cast", "memref.prefetch", "memref.rank", "memref.realloc", "memref.reinterpret_cast",
    "memref.reshape", "memref.transpose", "memref.view", "scf.forall", "scf.forall.in_parallel",
    "scf.reduce.return", "tensor.bitcast", "tensor.gather",
    "tensor.parallel_insert_slice", "tensor.scatter", "vector.contract",
    "vector.deinterleave", "vector.extract_strided_slice", 
    "vector.insert_strided_slice", "vector.interleave", "vector.mask", 
    "vector.multi_reduction", "vector.outerproduct", "vector.scalable.extract", "vector.scalable.insert",
    "vector.scan", "vector.shuffle", "vector.to_elements", "vector.type_cast", "vector.vscale",
    "vector.yield",
];

#[cfg(test)]
mod tests {
    use super::MLIR_ONLY;
    use crate::dialects::lookup;

    #[test]
    fn none_is_known() {
        let known: Vec<_> = MLIR_ONLY.iter().filter(|name| lookup(name).is_some()).collect();
        assert!(known.is_empty(), "{known:?}");
        assert!(MLIR_ONLY.is_sorted());
    }
}

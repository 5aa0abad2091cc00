//! Operations of MLIR 22 that nnz lacks, in the dialects that nnz knows. They are legal, but do not run.

#[rustfmt::skip]
pub(super) static MLIR_ONLY: &[&str] = &[
    "affine.delinearize_index", "affine.dma_start", "affine.dma_wait", "affine.for", "affine.if",
    "affine.linearize_index", "affine.load", "affine.parallel", "affine.prefetch", "affine.store",
    "affine.vector_load", "affine.vector_store", "affine.yield",
    "arith.scaling_extf", "arith.scaling_truncf", "bufferization.clone",
    "bufferization.dealloc", "builtin.module", "builtin.unrealized_conversion_cast",
    "complex.bitcast", "complex.powi", "func.call_indirect", "func.constant", "func.func", "linalg.batch_mmt4d",
    "linalg.conv_2d_nchw_fchw_q", "linalg.conv_2d_ngchw_fgchw", "linalg.conv_2d_ngchw_gfchw",
    "linalg.conv_2d_ngchw_gfchw_q", "linalg.conv_2d_nhwc_fhwc_q", "linalg.conv_2d_nhwc_hwcf_q",
    "linalg.conv_2d_nhwgc_gfhwc", "linalg.conv_2d_nhwgc_gfhwc_q", "linalg.conv_3d_ndhwc_dhwcf_q",
    "linalg.depthwise_conv_1d_ncw_cw", "linalg.depthwise_conv_1d_nwc_wcm", "linalg.depthwise_conv_2d_nchw_chw",
    "linalg.depthwise_conv_2d_nhwc_hwc_q", "linalg.depthwise_conv_2d_nhwc_hwcm",
    "linalg.depthwise_conv_2d_nhwc_hwcm_q", "linalg.depthwise_conv_3d_ncdhw_cdhw",
    "linalg.depthwise_conv_3d_ndhwc_dhwc", "linalg.depthwise_conv_3d_ndhwc_dhwcm",
    "linalg.fill_rng_2d", "linalg.mmt4d", "linalg.pack", "linalg.pooling_ncw_max", "linalg.pooling_ncw_sum",
    "linalg.pooling_ndhwc_max", "linalg.pooling_ndhwc_min", "linalg.pooling_ndhwc_sum",
    "linalg.pooling_nhwc_max_unsigned", "linalg.pooling_nhwc_min_unsigned", "linalg.pooling_nwc_max_unsigned",
    "linalg.pooling_nwc_min", "linalg.pooling_nwc_min_unsigned", "linalg.quantized_batch_matmul",
    "linalg.softmax", "linalg.unpack", "linalg.winograd_filter_transform",
    "linalg.winograd_input_transform", "linalg.winograd_output_transform",
    "math.isnormal", "math.sincos", "memref.alloca_scope", "memref.alloca_scope.return", "memref.assume_alignment",
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

//! `linalg`: the table of named kernels.

use super::linalg_named::{Body, Named, named};

/// Every kernel whose maps its name says.
pub(super) const NAMED: &[Named] = &[
    named("linalg.dot", "| m", &["m", "m", ""], Body::MulAdd),
    named("linalg.matvec", "m | n", &["m n", "n", "m"], Body::MulAdd),
    named("linalg.vecmat", "n | m", &["m", "m n", "n"], Body::MulAdd),
    named("linalg.matmul", "m n | k", &["m k", "k n", "m n"], Body::MulAdd).casting(),
    named("linalg.matmul_transpose_a", "m n | k", &["k m", "k n", "m n"], Body::MulAdd).casting(),
    named("linalg.matmul_transpose_b", "m n | k", &["m k", "n k", "m n"], Body::MulAdd).casting(),
    named("linalg.quantized_matmul", "m n | k", &["m k", "k n", "", "", "m n"], Body::Quantized),
    named("linalg.batch_matmul", "b m n | k", &["b m k", "b k n", "b m n"], Body::MulAdd).casting(),
    named("linalg.quantized_batch_matmul", "b m n | k", &["b m k", "b k n", "", "", "b m n"], Body::Quantized),
    named("linalg.batch_matvec", "b m | k", &["b m k", "b k", "b m"], Body::MulAdd),
    named("linalg.batch_vecmat", "b n | k", &["b k", "b k n", "b n"], Body::MulAdd),
    named("linalg.batch_reduce_matmul", "m n | b k", &["b m k", "b k n", "m n"], Body::MulAdd),
    named("linalg.mmt4d", "m n | k | m0 n0 | k0", &["m k m0 k0", "n k n0 k0", "m n m0 n0"], Body::MulAdd),
    named("linalg.batch_mmt4d", "b m n | k | m0 n0 | k0", &["b m k m0 k0", "b n k n0 k0", "b m n m0 n0"], Body::MulAdd),
    named("linalg.conv_1d", "w | k", &["w+k", "k", "w"], Body::MulAdd),
    named("linalg.conv_2d", "h w | kh kw", &["h+kh w+kw", "kh kw", "h w"], Body::MulAdd),
    named("linalg.conv_3d", "d h w | kd kh kw", &["d+kd h+kh w+kw", "kd kh kw", "d h w"], Body::MulAdd),
    named("linalg.conv_1d_nwc_wcf", "n w f | kw c", &["n w*s0+kw*d0 c", "kw c f", "n w f"], Body::MulAdd),
    named("linalg.conv_1d_ncw_fcw", "n f w | c kw", &["n c w*s0+kw*d0", "f c kw", "n f w"], Body::MulAdd),
    named(
        "linalg.conv_2d_nhwc_hwcf",
        "n h w f | kh kw c",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw c f", "n h w f"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_2d_nhwc_hwcf_q",
        "n h w f | kh kw c",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw c f", "", "", "n h w f"],
        Body::Quantized,
    ),
    named(
        "linalg.conv_2d_nhwc_fhwc",
        "n h w f | kh kw c",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "f kh kw c", "n h w f"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_2d_nhwc_fhwc_q",
        "n h w f | kh kw c",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "f kh kw c", "", "", "n h w f"],
        Body::Quantized,
    ),
    named(
        "linalg.conv_2d_nchw_fchw",
        "n f h w | c kh kw",
        &["n c h*s0+kh*d0 w*s1+kw*d1", "f c kh kw", "n f h w"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_2d_nchw_fchw_q",
        "n f h w | c kh kw",
        &["n c h*s0+kh*d0 w*s1+kw*d1", "f c kh kw", "", "", "n f h w"],
        Body::Quantized,
    ),
    named(
        "linalg.conv_2d_ngchw_fgchw",
        "n g f h w | c kh kw",
        &["n g c h*s0+kh*d0 w*s1+kw*d1", "f g c kh kw", "n g f h w"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_2d_ngchw_gfchw",
        "n g f h w | c kh kw",
        &["n g c h*s0+kh*d0 w*s1+kw*d1", "g f c kh kw", "n g f h w"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_2d_ngchw_gfchw_q",
        "n g f h w | c kh kw",
        &["n g c h*s0+kh*d0 w*s1+kw*d1", "g f c kh kw", "", "", "n g f h w"],
        Body::Quantized,
    ),
    named(
        "linalg.conv_2d_nhwgc_gfhwc",
        "n h w g f | kh kw c",
        &["n h*s0+kh*d0 w*s1+kw*d1 g c", "g f kh kw c", "n h w g f"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_2d_nhwgc_gfhwc_q",
        "n h w g f | kh kw c",
        &["n h*s0+kh*d0 w*s1+kw*d1 g c", "g f kh kw c", "", "", "n h w g f"],
        Body::Quantized,
    ),
    named(
        "linalg.conv_3d_ndhwc_dhwcf",
        "n d h w f | kd kh kw c",
        &["n d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2 c", "kd kh kw c f", "n d h w f"],
        Body::MulAdd,
    ),
    named(
        "linalg.conv_3d_ndhwc_dhwcf_q",
        "n d h w f | kd kh kw c",
        &["n d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2 c", "kd kh kw c f", "", "", "n d h w f"],
        Body::Quantized,
    ),
    named(
        "linalg.conv_3d_ncdhw_fcdhw",
        "n f d h w | c kd kh kw",
        &["n c d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2", "f c kd kh kw", "n f d h w"],
        Body::MulAdd,
    ),
    named("linalg.depthwise_conv_1d_nwc_wc", "n w c | kw", &["n w*s0+kw*d0 c", "kw c", "n w c"], Body::MulAdd),
    named("linalg.depthwise_conv_1d_ncw_cw", "n w c | kw", &["n c w*s0+kw*d0", "c kw", "n c w"], Body::MulAdd),
    named("linalg.depthwise_conv_1d_nwc_wcm", "n w c m | kw", &["n w*s0+kw*d0 c", "kw c m", "n w c m"], Body::MulAdd),
    named(
        "linalg.depthwise_conv_2d_nhwc_hwc",
        "n h w c | kh kw",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw c", "n h w c"],
        Body::MulAdd,
    ),
    named(
        "linalg.depthwise_conv_2d_nhwc_hwc_q",
        "n h w c | kh kw",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw c", "", "", "n h w c"],
        Body::Quantized,
    ),
    named(
        "linalg.depthwise_conv_2d_nchw_chw",
        "n h w c | kh kw",
        &["n c h*s0+kh*d0 w*s1+kw*d1", "c kh kw", "n c h w"],
        Body::MulAdd,
    ),
    named(
        "linalg.depthwise_conv_2d_nhwc_hwcm",
        "n h w c m | kh kw",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw c m", "n h w c m"],
        Body::MulAdd,
    ),
    named(
        "linalg.depthwise_conv_2d_nhwc_hwcm_q",
        "n h w c m | kh kw",
        &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw c m", "", "", "n h w c m"],
        Body::Quantized,
    ),
    named(
        "linalg.depthwise_conv_3d_ndhwc_dhwc",
        "n d h w c | kd kh kw",
        &["n d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2 c", "kd kh kw c", "n d h w c"],
        Body::MulAdd,
    ),
    named(
        "linalg.depthwise_conv_3d_ncdhw_cdhw",
        "n d h w c | kd kh kw",
        &["n c d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2", "c kd kh kw", "n c d h w"],
        Body::MulAdd,
    ),
    named(
        "linalg.depthwise_conv_3d_ndhwc_dhwcm",
        "n d h w m c | kd kh kw",
        &["n d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2 c", "kd kh kw c m", "n d h w c m"],
        Body::MulAdd,
    ),
    named("linalg.pooling_nwc_sum", "n w c | kw", POOL_NWC, Body::Sum),
    named("linalg.pooling_nwc_max", "n w c | kw", POOL_NWC, Body::Max),
    named("linalg.pooling_nwc_min", "n w c | kw", POOL_NWC, Body::Min),
    named("linalg.pooling_nwc_max_unsigned", "n w c | kw", POOL_NWC, Body::MaxUnsigned),
    named("linalg.pooling_nwc_min_unsigned", "n w c | kw", POOL_NWC, Body::MinUnsigned),
    named("linalg.pooling_ncw_sum", "n c w | kw", POOL_NCW, Body::Sum),
    named("linalg.pooling_ncw_max", "n c w | kw", POOL_NCW, Body::Max),
    named("linalg.pooling_nhwc_sum", "n h w c | kh kw", POOL_NHWC, Body::Sum),
    named("linalg.pooling_nhwc_max", "n h w c | kh kw", POOL_NHWC, Body::Max),
    named("linalg.pooling_nhwc_min", "n h w c | kh kw", POOL_NHWC, Body::Min),
    named("linalg.pooling_nhwc_max_unsigned", "n h w c | kh kw", POOL_NHWC, Body::MaxUnsigned),
    named("linalg.pooling_nhwc_min_unsigned", "n h w c | kh kw", POOL_NHWC, Body::MinUnsigned),
    named("linalg.pooling_nchw_sum", "n c h w | kh kw", POOL_NCHW, Body::Sum),
    named("linalg.pooling_nchw_max", "n c h w | kh kw", POOL_NCHW, Body::Max),
    named("linalg.pooling_ndhwc_sum", "n d h w c | kd kh kw", POOL_NDHWC, Body::Sum),
    named("linalg.pooling_ndhwc_max", "n d h w c | kd kh kw", POOL_NDHWC, Body::Max),
    named("linalg.pooling_ndhwc_min", "n d h w c | kd kh kw", POOL_NDHWC, Body::Min),
];

const POOL_NWC: &[&str] = &["n w*s0+kw*d0 c", "kw", "n w c"];

const POOL_NCW: &[&str] = &["n c w*s0+kw*d0", "kw", "n c w"];

const POOL_NDHWC: &[&str] = &["n d*s0+kd*d0 h*s1+kh*d1 w*s2+kw*d2 c", "kd kh kw", "n d h w c"];

const POOL_NHWC: &[&str] = &["n h*s0+kh*d0 w*s1+kw*d1 c", "kh kw", "n h w c"];

const POOL_NCHW: &[&str] = &["n c h*s0+kh*d0 w*s1+kw*d1", "kh kw", "n c h w"];

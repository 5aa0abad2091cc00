//! What the suite's tests share.

pub mod kernels;

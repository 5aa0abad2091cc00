//! Code shared by the suite's tests.

pub mod cc;
pub mod hosts;
pub mod kernels;
pub mod languages;
pub mod mlir;
pub mod parallel;
pub mod sessions;

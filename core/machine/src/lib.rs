//! Runs MLIR programs that the front end (`nnz-mlir`) has read and checked.
//!
//! [`run()`] runs a function of a [`Module`](nnz_mlir::Module). An evaluator (`machine`) runs control flow, scalars,
//! dense tensors, buffers and vectors; the compiler runs sparse kernels (`generic`). A machine is given what each
//! declared operation does ([`meaning`]), with one file for each dialect (`dialects`). A program reads files and
//! environment variables through a [`Host`](nnz_base::host::Host); its output goes to a [`Sink`].
//!
//! Tensors are immutable values: `tensor.insert` and similar operations give new ones. An entry of a tensor with an
//! encoding is stored or absent, and kernels depend on that; see `generic`.

#![warn(clippy::wildcard_enum_match_arm)]

mod fault;
mod shape;
mod budget;
pub mod value;
mod views;
mod freed;
mod print;
mod random;
mod kept;
mod caught;
mod options;
pub mod machine;
mod generic;
mod externs;
mod dialects;
mod ahead;
mod entry;
mod catch;

pub use ahead::{costs, diagnostics, sites, sites_at};
pub use budget::Budget;
pub use catch::catch;
pub use caught::{Caught, Given};
pub use entry::{call, run};
pub use generic::{Becomes, Declined, Site, becomes_loops, plain_name};
pub use kept::Kept;
pub use machine::meaning;
pub use options::{Kernels, Options, Run, Sink, World};

//! The front end of MLIR programs: text to checked functions.
//!
//! [`modules`] makes typed functions of a checked file (`read`). One file for each dialect (`dialects`) declares its
//! operations: names, syntax, the kinds of their values, attributes. What an operation does is not known here;
//! `nnz-machine` has that.

pub mod attribute;
pub mod constraints;
pub mod dialects;
pub mod inherent;
pub mod ir;
pub mod operation;
pub mod read;
pub mod types;
pub mod used;

pub use ir::Module;
pub use read::{Known, modules, types_at};

//! The front end of MLIR programs: text to checked functions.
//!
//! A checked program is a [`Module`] (`ir`) of operations, which are declared as data (`operation`, with `constraints`
//! for its values and `inherent` for its attributes). A reader (`read`) goes over a text with the tables that it is
//! given. Each file of `dialects` is such a table: it declares the operations of a dialect and reads their syntax.
//! [`modules`] reads a checked file with all of them (`program`). `nnz-machine` knows what operations do; this crate
//! does not.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod layout;
pub mod types;
pub mod attribute;
pub mod constraints;
pub mod inherent;
pub mod operation;
pub mod ir;
pub mod mistake;
pub mod draft;
pub mod checks;
pub mod read;
pub mod dialects;
mod program;
pub mod used;
pub mod words;
mod miscompiled;

pub use ir::Module;
pub use miscompiled::miscompiled;
pub use program::{function_at, mistakes, modules, types_at};
pub use read::Known;

//! The loop IR: imperative code over flat arrays. It knows nothing of sparsity, and every back end takes it.
//!
//! Meaning. A function has parameters (arrays and scalars), an arena of effect-free expressions and
//! a tree of statements. An expression is evaluated where the statement that uses it stands, each
//! time it is used; it reads arrays and variables as they are at that moment. A `Let` variable is set
//! once per execution of its block; a `Mut` variable is set by `Assign`. Arithmetic on `Index` is on
//! 64-bit signed integers; integers wrap; there is no undefined behaviour but an access outside an
//! array, which lowering excludes and the interpreter reports.

pub mod build;
pub mod machine;
pub mod nest;
pub mod parse;
pub mod passes;
pub mod print;
pub mod quotient;
pub mod ranges;
pub mod complex;
pub mod scalar;
pub mod sizes;
pub mod sorter;
#[cfg(test)]
mod tests;
pub mod types;
pub mod typing;
pub mod uses;
pub mod verify;
pub mod visit;

pub use build::{Builder, Copies};
pub use parse::{parse, parse_module};
pub use types::*;
pub use verify::{LoopError, ModuleError, Verified, verify, verify_module};
pub use visit::Map;

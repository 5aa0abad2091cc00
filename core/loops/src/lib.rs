//! The loop IR: imperative code over flat arrays. It knows nothing of sparsity, and every back end takes it.
//!
//! Meaning. A function has parameters (arrays and scalars), an arena of effect-free expressions and
//! a tree of statements. An expression is evaluated where the statement that uses it stands, each
//! time it is used; it reads arrays and variables as they are at that moment. A `Let` variable is set
//! once per execution of its block; a `Mut` variable is set by `Assign`. Arithmetic on `Index` is on
//! 64-bit signed integers; integers wrap; the only undefined behaviour is an access outside an
//! array, which lowering excludes and the interpreter reports.
//!
//! Arrays lie in a space (host, device, shared by a block, local to a thread) and may have a known length. Parameters
//! come from the caller; a function may allocate others, which are uninitialized at first. A [`Module`] has GPU kernels
//! and the host functions that launch them; [`types`] defines kernels, and [`nest`] takes one apart. In kernels, two
//! accesses to an entry, at least one of them a store, must be by one thread, have a barrier between them, or both be
//! atomic. The verifier refuses the races, divergent barriers, accesses to memory that a function cannot see, and
//! ill-fitting launches that it can prove; the interpreter runs kernels thread by thread and reports the others.

#![warn(clippy::wildcard_enum_match_arm)]

mod width;
pub mod types;
mod segments;
mod words;
pub mod visit;
pub mod key;
pub mod build;
pub mod complex;
pub mod operators;
pub mod quotient;
pub mod scalar;
pub mod sizes;
pub mod typing;
pub mod nest;
pub mod verify;
mod launching;
pub mod machine;
pub mod uses;
pub mod counting;
pub mod lines;
pub mod print;
pub mod parse;
pub mod passes;
pub mod ranges;
pub mod sorter;
pub mod trace;
#[cfg(test)]
mod tests;

pub use build::{Builder, Copies};
pub use parse::{parse, parse_module};
pub use types::*;
pub use verify::{LoopError, ModuleError, Verified, verify, verify_module};
pub use visit::Map;

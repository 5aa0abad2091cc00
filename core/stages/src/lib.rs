//! Runs functions of SparseTIR over arrays.
//!
//! [`run()`] binds arrays to the parameters of a function by name (`bind`) and checks that the structure of each iterator is
//! one (`structure`). Then it evaluates the statements of stage I by their mathematical meaning (`points`, `statements`,
//! `expr`): an element at a coordinate that is not stored reads as the default value of its buffer, a store there does
//! nothing, and an iteration initializes every element of its result first. Functions of stages II and III, to which `lower`
//! brings those of stage I, run too: there elements are found by positions. It is slow and plain, so that it can be the
//! measure of faster ones.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod array;
mod fault;
mod number;
mod closed;
mod structure;
mod machine;
mod bind;
mod expr;
mod element;
mod points;
mod statements;
mod run;
pub mod lower;
pub mod compile;
pub mod schedule;
pub mod specialize;
pub mod horizontal;
pub mod decompose;
pub mod encoding;
pub mod iterators;

pub use array::{Array, Arrays};
pub use run::{Limits, check_structure, run};

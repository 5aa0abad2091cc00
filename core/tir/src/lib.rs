//! The front end of SparseTIR: functions in Python files that iterate over sparse structures.
//!
//! A script is a Python file. [`script()`] finds the functions under `@T.prim_func` in it and makes a [`model::Function`]
//! of each: iterators, buffers and statements, with resolved names and typed expressions. Ruff's parser gives the
//! tree of the Python text; nothing here knows Python's grammar. `check` finds what is legal Python and a wrong
//! program, and [`mod@print`] writes a function in the spelling of the RFC or of the prototype. The rest of Python is left
//! alone: a file without such a function has no mistakes.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod model;
pub mod members;
pub mod print;
pub mod arrays;
pub mod resolve;
pub mod sites;
pub mod maps;
pub mod read;
pub mod rules;
mod check;
mod script;

pub use script::{Script, script};

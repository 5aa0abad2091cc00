//! The base of every crate of nnz: ids, texts and places in them, diagnostics, functions of numbers, level formats, element types,
//! arrays, what the edge provides (`host`), and the available memory and threads. A module uses only modules declared above it.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod ids;
pub mod host;
pub mod functions;
pub mod format;
pub mod memory;
pub mod threads;
pub mod source;
pub mod diagnostic;
pub mod element;
pub mod arrays;

//! What every crate of nnz names: ids, texts and places in them, diagnostics, functions of numbers, element types, arrays, and what memory
//! and threads there are. A module uses only modules declared above it.

pub mod ids;
pub mod functions;
pub mod memory;
pub mod threads;
pub mod source;
pub mod diagnostic;
pub mod element;
pub mod arrays;

//! What every crate of nnz names: ids, texts and places in them, diagnostics, element types, arrays, and what memory
//! and threads there are.

pub mod arrays;
pub mod diagnostic;
pub mod element;
pub mod ids;
pub mod memory;
pub mod source;
pub mod threads;

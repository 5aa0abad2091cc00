//! Answers to editors, in plain data: byte spans, no protocol types. One request, one file.
//!
//! Everything here works on a [`nnz_check::Checked`], also one with errors: what could be
//! understood is answered, the rest is silent.

pub mod actions;
pub mod complete;
pub mod definition;
pub mod diagnostics;
pub mod hover;
pub mod references;
pub mod semantic_tokens;
pub mod symbols;
mod words;

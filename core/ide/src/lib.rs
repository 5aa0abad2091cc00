//! Answers to editors, in plain data: byte spans, no protocol types. One request, one file.
//!
//! Everything here works on a [`nnz_check::Checked`], even one with errors: the parts that were understood
//! get answers.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod actions;
pub mod code_lens;
pub mod complete;
pub mod definition;
pub mod diagnostics;
pub mod hover;
pub mod kernels;
pub mod lowered;
pub mod references;
pub mod semantic_tokens;
pub mod symbols;
mod words;

//! Answers to editors, in plain data: byte spans, no protocol types. One request, one file.
//!
//! Everything here works on a [`nnz_check::Checked`], even one with errors: the parts that were understood
//! get answers.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod actions;
pub mod code_lens;
mod brackets;
pub mod calls;
pub mod complete;
pub mod definition;
pub mod diagnostics;
pub mod execution;
pub mod folding;
pub mod formatting;
mod heads;
pub mod hover;
pub mod inlay;
pub mod kernels;
pub mod lowered;
pub mod links;
mod lints;
pub mod names;
pub mod panel;
pub mod refactor;
pub mod references;
pub mod rename;
pub mod selection;
pub mod semantic_tokens;
pub mod signature;
pub mod symbols;
pub mod type_definition;
mod variables;
mod words;

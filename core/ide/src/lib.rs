//! Answers to editors, in plain data: byte spans, no protocol types. One request, one file.
//!
//! Everything here works on a [`nnz_check::Checked`], even one with errors: the parts that were understood
//! get answers. `scripts` does the same with a [`nnz_tir::Script`].

#![warn(clippy::wildcard_enum_match_arm)]

pub mod kernels;
pub mod actions;
pub mod code_lens;
mod brackets;
mod heads;
pub mod calls;
mod words;
pub mod complete;
pub mod names;
pub mod definition;
mod lints;
pub mod diagnostics;
pub mod folding;
pub mod formatting;
pub mod hover;
pub mod inlay;
pub mod execution;
pub mod lowered;
pub mod links;
pub mod panel;
pub mod refactor;
pub mod references;
pub mod rename;
pub mod selection;
pub mod semantic_tokens;
pub mod signature;
pub mod symbols;
pub mod scripts;
pub mod type_definition;

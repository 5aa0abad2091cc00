//! Protocol tests: the real server, `nnz lsp --stdio`, over pipes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]

mod actions;
mod client;
mod completion;
mod concurrency;
mod declaration;
mod diagnostics;
mod execution;
mod features;
mod formatting;
mod hints;
mod hints_of_mlir;
mod hover;
mod lifecycle;
#[cfg(target_os = "linux")]
mod memory;
mod navigation;
mod programs;
mod pull;
mod renames;
mod schedules;
mod signatures;
mod storage;
mod token_ranges;
mod uses;
mod views;
mod whole;

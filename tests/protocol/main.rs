//! Protocol tests: the real server, `nnz lsp --stdio`, over pipes.

mod client;
mod concurrency;
mod diagnostics;
mod features;
mod lifecycle;

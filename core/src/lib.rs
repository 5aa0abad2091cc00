//! The shared core of nnz, as the edges use it.
//!
//! Text becomes a lossless tree ([`syntax`]), the tree a checked [`encoding::Encoding`] or [`kernel::Kernel`] with
//! diagnostics ([`check`]); data become [`storage`]; a kernel over storage becomes loops ([`iterate`], [`lower`],
//! [`loops`]), and loops run ([`backend`], [`run`]). The result of every stage can be shown ([`view`]). [`ide`]
//! answers editors in plain data; [`session`] evaluates statements.
//!
//! Each layer is a crate in a folder beside this one, and the compiler enforces their order. Architecture
//! Invariant: the core does no I/O; bytes come and go through what the edge passes in. Architecture
//! Invariant: nothing here knows LSP, ANSI colours or ariadne.

pub use nnz_backend as backend;
pub use nnz_base::{arrays, diagnostic, element, functions, host, ids, memory, source, threads, with_values};
pub use nnz_check as check;
pub use nnz_encoding as encoding;
pub use nnz_ide as ide;
pub use nnz_kernel as kernel;
pub use nnz_languages as languages;
pub use nnz_listing as listing;
pub use nnz_loops as loops;
pub use nnz_machine as machine;
pub use nnz_mlir as mlir;
pub use nnz_plan::{iterate, lower, schedule};
pub use nnz_run::{self as run, measure};
pub use nnz_session as session;
pub use nnz_stages as stages;
pub use nnz_storage as storage;
pub use nnz_syntax as syntax;
pub use nnz_tir as tir;
pub use nnz_view as view;

//! The shared core of nnz.
//!
//! Text becomes a lossless tree (`syntax`), the tree a checked [`encoding::Encoding`] or
//! [`kernel::Kernel`] with diagnostics (`check`); data become `storage`; a kernel over storage
//! becomes loops (`iterate`, `lower`, [`loops`]), and loops run (`backend`). Every arrow's result can
//! be shown (`view`). `ide` answers editors in plain data; `session` is the façade.
//!
//! Architecture Invariant: a module uses only modules declared above it here; a test holds that.
//! Architecture Invariant: the core does no I/O; bytes come and go through what the edge passes in.
//! Architecture Invariant: nothing here knows LSP, ANSI colours or ariadne.

pub mod ids;
pub mod memory;
pub mod threads;
pub mod source;
pub mod diagnostic;
pub mod element;
pub mod arrays;
pub mod syntax;
pub mod encoding;
pub mod kernel;
pub mod storage;
pub mod check;
pub mod loops;
pub mod iterate;
pub mod lower;
pub mod schedule;
pub mod backend;
pub mod run;
pub mod measure;
pub mod view;
pub mod program;
pub mod ide;
pub mod session;

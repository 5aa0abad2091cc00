//! Text to a lossless tree, for `.mlir` and `.nnz` alike. Parsing never fails: errors are collected,
//! and every byte of the text is in the tree. One parser serves the checker, the highlighter, the
//! completer and the REPL's question "is this statement finished?".
//!
//! The tree is two flat arrays, tokens and nodes in preorder: a 10,000-line file is lexed and parsed whole in a few
//! milliseconds. After an edit in one function of an MLIR file only that function is parsed ([`mlir::edited()`]), in a
//! session only the edited statements ([`session::edited()`]).
//!
//! Naming: `parse_x` is called where an x must stand and reports an error if none does; `try_x`
//! may decline without an error and then consumes nothing.

#![warn(clippy::wildcard_enum_match_arm)]

pub mod kind;
pub mod lexer;
pub mod tree;
mod edited;
pub mod habits;
mod words;
pub mod parser;
pub mod encoding;
pub mod attribute;
pub mod location;
pub mod types;
pub mod mlir;
pub mod expr;
pub mod session;

pub use edited::Edited;
pub use expr::products::of_power as power_of_matrix;
pub use kind::{NodeKind, TokenKind};
pub use parser::{Checkpoint, Open, Parser};
pub use tree::{ByElement, NodeRef, Reading, SyntaxError, SyntaxFix, TokenRef, Tree};

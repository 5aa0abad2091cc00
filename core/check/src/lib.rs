//! Text to meaning: one call, [`session::check_session`] or [`mlir::check_mlir`], makes an immutable snapshot of a file,
//! with all its diagnostics and the tables that editors query.
//!
//! Queries by offset: [`Checked::definition_at`] finds names, at their definition and at every use;
//! [`Checked::encoding_at`] finds an encoding's text, with the places of its dimensions and levels;
//! [`Checked::type_at`] a tensor type; [`Tree::token_at`](nnz_syntax::Tree::token_at) and `TokenRef::node` the syntax. A
//! name that resolves to something broken has a definition whose kind holds `None`, so errors do not cascade.
//!
//! Rules for diagnostics: they are sorted by place; a token has at most one error; each has a code.

#![warn(clippy::wildcard_enum_match_arm)]

mod grammar;
mod tensor_type;
mod mlir_types;
pub mod scope;
mod symbols;
mod free;
mod sizes;
pub mod fixed;
pub mod value;
pub mod semiring;
pub mod functions;
mod view;
pub mod topics;
pub mod command;
pub mod literal;
pub mod variables;
mod checked;
pub mod used;
mod places;
mod checker;
mod sections;
pub mod encoding;
pub mod types;
pub mod spec;
pub mod schedule;
pub mod kernel;
pub mod mlir;
pub mod session;

pub use checked::{Checked, CheckedCall, CheckedKernel, Contents, Places, TensorPlace};
pub use checker::{Checker, room};
pub use encoding::SPARSE_ATTRIBUTES;
pub use grammar::Grammar;
pub use mlir::{form_today, is_historic, renamed};
pub use mlir_types::{MLIR_FAMILIES, is_mlir_type};
pub use scope::list_of;
pub use symbols::{AffineMapSite, DefId, Definition, DefinitionKind, EncodingSite, MapVariable, NameUse, Symbols};
pub use tensor_type::{TensorType, TypeSite};

//! A session of definitions, kernels and commands. The REPL, scripts and one-liners all run through
//! [`Session::run`]; `nnz check` and the editors through [`Session::check`].
//!
//! The definitions of a statement that fails or is cancelled are undone, so the session stays as it was. A session is
//! cheap to clone.

#![warn(clippy::wildcard_enum_match_arm)]

mod help;
mod parse;
mod limits;
mod stale;
mod lower;
mod options;
mod programs;
mod names;
mod timing;
mod shown;
pub mod json;
mod outcome;
mod hints;
mod define;
mod evaluation;
mod kernels;
mod convert;
mod decompose;
mod compare;
mod write;
mod functions;
mod call;
mod commands;
mod evaluate;
mod session;
mod requests;
mod caught;

pub use compare::UsualFormats;
pub use lower::{LoweredSite, Lowering, NotLowered, lower_program};
pub use names::{DefinitionInfo, DefinitionKind};
pub use options::Options;
pub use outcome::{Event, Outcome, Verdict};
pub use parse::{Completeness, given_up, is_complete};
pub use requests::{Answer, Refused, Told};
pub use session::Session;
pub use shown::{Called, Written};
pub use timing::Timed;
pub use write::Converted;

pub use nnz_check::command::{Command, CommandInfo, MOST_THREADS, Setting, View};
pub use nnz_check::{scope::Word, session::Typed, spec::Spec};
pub use nnz_run::Engine;

//! What running statements gives and reports.

use std::sync::OnceLock;

use serde_json::Value as Json;

use super::shown::Shown;
use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_view::{Markup, Screen};

/// The outcome of one statement.
#[derive(Clone)]
pub struct Outcome {
    /// The statement.
    pub span: Span,
    pub(super) shown: Shown,
    /// For the text.
    pub(super) screen: Screen,
    /// JSON has the data of tensors.
    pub(super) data: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// How many of the diagnostics were reported early.
    pub told: usize,
    pub(super) text: OnceLock<Option<Markup>>,
}

/// A report of a run.
pub enum Event<'a> {
    /// A statement is about to take long, for this reason.
    Ahead(&'a Diagnostic),
    /// An MLIR program prints this; see [`super::Options::streams`].
    Printed(&'a str),
    Ended(Box<Outcome>),
}

impl Outcome {
    /// The text to show; nothing for a silent definition. The text of a large tensor takes seconds, once.
    pub fn markup(&self) -> Option<&Markup> {
        self.text.get_or_init(|| self.shown.markup(self.screen)).as_ref()
    }

    /// One object for machines ([`super::json`]).
    pub fn json(&self) -> Json {
        self.shown.json(self.data)
    }

    pub fn is_error(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    /// At least one statement had an error.
    Failed,
    /// The user stopped it.
    Cancelled,
    /// `:quit`.
    Quit,
}

/// Receives reports of work that is about to take long, and of what programs print.
pub(super) type Sink<'s> = &'s mut dyn FnMut(Event<'_>);

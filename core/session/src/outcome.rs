//! What running statements gives and reports.

use serde_json::Value as Json;

use nnz_base::{diagnostic::Diagnostic, source::Span};
use nnz_view::Markup;

/// The outcome of one statement.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The statement.
    pub span: Span,
    /// The text to show; nothing for a silent definition.
    pub markup: Option<Markup>,
    /// One object for machines: `{"kind": "tensor" | "scalar" | "timing" | "text" | ...}`.
    pub json: Json,
    pub diagnostics: Vec<Diagnostic>,
    /// How many of the diagnostics were reported early.
    pub told: usize,
}

/// A report of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A statement is about to take long, for this reason.
    Ahead(&'a Diagnostic),
    /// An MLIR program prints this; see [`super::Options::streams`].
    Printed(&'a str),
    Ended(Box<Outcome>),
}

impl Outcome {
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

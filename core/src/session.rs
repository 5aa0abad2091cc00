//! The façade: a session of definitions, kernels and commands. The REPL, scripts and one-liners all
//! run through [`Session::run`]; `nnz check` and the editors through [`Session::check`].
//!
//! A statement is evaluated on a clone of the definitions and committed when it succeeded, so that a
//! failed or cancelled one leaves the session as it was. A session is cheap to clone.

pub mod command;
mod help;
mod parse;

use std::sync::Arc;

pub use command::{Command, CommandInfo};
pub use parse::{Completeness, is_complete};

use crate::{
    backend::Target,
    diagnostic::Diagnostic,
    source::{Source, Span},
    syntax::{self, NodeKind, NodeRef},
    view::{Markup, Screen},
};

/// What the edge does for a session: the core itself opens no file.
pub trait Host: Send + Sync {
    /// The bytes of a file named in a statement.
    ///
    /// # Errors
    /// The reason, in words for the user.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
    /// Writes a whole file.
    ///
    /// # Errors
    /// The reason, in words for the user.
    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String>;
    /// Long work goes on: `done` of `total` steps of `what`.
    fn progress(&self, _what: &str, _done: u64, _total: u64) {}
    /// The user wants the running statement stopped.
    fn cancelled(&self) -> bool {
        false
    }
}

/// How kernels run and results look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub target: Target,
    /// At most this many threads run a kernel; at least 1.
    pub threads: usize,
    pub screen: Screen,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: Target::Interpreter, threads: 1, screen: Screen::default() }
    }
}

/// What one statement gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The statement.
    pub span: Span,
    /// What to show a person; nothing for a silent definition.
    pub markup: Option<Markup>,
    /// One object for machines: `{"kind": "tensor" | "scalar" | "timing" | "text" | ...}`.
    pub json: serde_json::Value,
    pub diagnostics: Vec<Diagnostic>,
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

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionKind {
    Encoding,
    Tensor,
    Scalar,
}

/// A name of the session, for completion and `:vars`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionInfo {
    pub name: String,
    pub kind: DefinitionKind,
    /// As MLIR writes it: `tensor<3x4xf64, #CSR>`.
    pub type_text: String,
}

#[derive(Clone)]
pub struct Session {
    host: Arc<dyn Host>,
    pub options: Options,
}

impl Session {
    pub fn new(host: Arc<dyn Host>, options: Options) -> Session {
        Session { host, options }
    }

    /// Runs every statement of `source` in order, handing each one's outcome to `sink` as it comes.
    /// Stops at the first error unless `keep_going`.
    pub fn run(&mut self, source: &Source, keep_going: bool, sink: &mut dyn FnMut(Outcome)) -> Verdict {
        let tree = syntax::session::parse(source.text.clone());
        let mut verdict = Verdict::Fine;
        for statement in parse::statements(&tree) {
            if self.host.cancelled() {
                return Verdict::Cancelled;
            }
            let outcome = self.run_statement(source, &statement);
            let (failed, quit) = (outcome.is_error(), outcome.json.get("kind").is_some_and(|kind| kind == "quit"));
            sink(outcome);
            match (failed, quit) {
                (_, true) => return Verdict::Quit,
                (true, _) if !keep_going => return Verdict::Failed,
                (true, _) => verdict = Verdict::Failed,
                (false, _) => {}
            }
        }
        verdict
    }

    fn run_statement(&mut self, source: &Source, statement: &parse::Statement<'_>) -> Outcome {
        let errors: Vec<Diagnostic> = statement.errors.iter().map(|e| parse::diagnostic(source.id, e)).collect();
        if !errors.is_empty() {
            return Outcome::failed(statement.span, errors);
        }
        match statement.node {
            Some(node) if node.kind() == NodeKind::Command => self.run_command(source, node),
            _ => Outcome::failed(statement.span, vec![parse::not_yet(source.id, statement.span)]),
        }
    }

    fn run_command(&self, source: &Source, node: NodeRef<'_>) -> Outcome {
        match Command::parse(source.id, node) {
            Ok(Command::Help(topic)) => Outcome::shown(node.span(), help::help(topic.as_ref())),
            Ok(Command::Quit) => Outcome::said(node.span(), serde_json::json!({ "kind": "quit" })),
            Ok(_) => Outcome::failed(node.span(), vec![parse::not_yet(source.id, node.span())]),
            Err(diagnostic) => Outcome::failed(node.span(), vec![*diagnostic]),
        }
    }

    /// Every diagnostic of `source` that needs no data, without running anything.
    pub fn check(&self, source: &Source) -> Vec<Diagnostic> {
        let tree = syntax::session::parse(source.text.clone());
        tree.errors().iter().map(|error| parse::diagnostic(source.id, error)).collect()
    }

    /// What the session has defined, by name.
    pub fn definitions(&self) -> impl Iterator<Item = DefinitionInfo> {
        std::iter::empty()
    }
}

impl Outcome {
    fn said(span: Span, json: serde_json::Value) -> Outcome {
        Outcome { span, markup: None, json, diagnostics: Vec::new() }
    }
    fn shown(span: Span, markup: Markup) -> Outcome {
        let json = serde_json::json!({ "kind": "text", "text": markup.plain_text() });
        Outcome { span, markup: Some(markup), json, diagnostics: Vec::new() }
    }
    fn failed(span: Span, diagnostics: Vec<Diagnostic>) -> Outcome {
        Outcome { span, markup: None, json: serde_json::json!({ "kind": "error" }), diagnostics }
    }
}

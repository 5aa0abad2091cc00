//! Programs whose functions a session can call, and what they report.

use std::sync::Arc;

use nnz_base::{diagnostic::Diagnostic, ids::FileId, source::Source};
use nnz_check::{
    Checked,
    scope::{Signature, Word},
    used,
};
use nnz_machine::Kept;
use nnz_mlir::{self as mlir, Module, ir::FunctionId};

/// A program whose functions a session can call.
pub(super) struct Program {
    pub source: Source,
    pub module: Module,
    /// Its functions are called again and again.
    pub kept: Kept,
    /// How diagnostics give a place in the program.
    place: Reported,
}

/// How a place in a program is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reported {
    /// By file, line and column.
    Words,
    /// By its span.
    Span,
}

/// A function of a program.
#[derive(Clone)]
pub(super) struct Callable {
    pub program: Arc<Program>,
    pub function: FunctionId,
}

/// The functions of a checked file, each with its type.
pub(super) fn callables(
    checked: &Checked,
    modules: Vec<Module>,
    place: Reported,
) -> Vec<(String, Arc<Signature>, Callable)> {
    let known = Source::clone(&checked.source);
    let mut found = Vec::new();
    for module in modules {
        let program = Arc::new(Program { source: known.clone(), module, kept: Kept::default(), place });
        for (at, function) in program.module.functions.iter().enumerate() {
            if function.body.is_some() {
                let callable = Callable { program: program.clone(), function: FunctionId::new(at) };
                found.push((function.name.clone(), Arc::new(mlir::used::signature(checked, function)), callable));
            }
        }
    }
    found
}

/// A diagnostic of a program, placed at its call in `file`.
pub(super) fn told(program: &Program, call: (FileId, &Word), diagnostic: Diagnostic) -> Diagnostic {
    match (program.place, diagnostic.code) {
        (Reported::Span, _) => diagnostic,
        (Reported::Words, code) if code.is_cost() => {
            used::cost_of_call(call, &program.source, &program.source.name, &diagnostic)
        }
        (Reported::Words, _) => used::at_call(call, &program.source, &program.source.name, &diagnostic),
    }
}

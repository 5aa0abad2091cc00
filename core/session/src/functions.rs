//! The functions of MLIR programs that a session knows.

use std::sync::Arc;

use super::{
    evaluate::{Evaluation, Result},
    names::Names,
};
use nnz_base::{diagnostic::Diagnostic, ids::FileId, source::Source};
use nnz_check::{
    Checked,
    scope::{Signature, Word},
    used,
};
use nnz_languages::{self as languages, Execution, LANGUAGES, NOTHING_TO_USE};
use nnz_machine::Kept;
use nnz_mlir::{self as mlir, Module, ir::FunctionId};
use nnz_view::{Line, Markup, Role};

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
fn callables(checked: &Checked, modules: Vec<Module>, place: Reported) -> Vec<(String, Arc<Signature>, Callable)> {
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

impl Names {
    /// Adds the functions of a file, and reports their names.
    pub(super) fn learn(&mut self, checked: &Checked, modules: Vec<Module>, place: Reported) -> Vec<String> {
        let found = callables(checked, modules, place);
        let names = found.iter().map(|(name, ..)| format!("@{name}")).collect();
        for (name, signature, callable) in found {
            self.define_function(&name, signature, callable);
        }
        names
    }
}

impl Evaluation<'_> {
    /// A file without errors in its encodings and types, with its functions or the mistakes in them.
    pub(super) fn checked_file(&self, path: &Word) -> Result<languages::Program> {
        let unreadable = |reason: &str| Box::new(used::unreadable(self.source.id, path, reason));
        let bytes = self.host.read_text(&self.found(path)).map_err(|reason| unreadable(&reason))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text"))?;
        let language = LANGUAGES.of_path(&path.text).ok_or_else(|| unreadable(&LANGUAGES.unknown()))?;
        let source = Source::new(self.source.id, &path.text, text);
        let program = match language.execution {
            Execution::Statements(check) => languages::Program { checked: check(&source), modules: Ok(Vec::new()) },
            Execution::Functions(program) => program(&source),
            Execution::Nothing => return Err(unreadable(NOTHING_TO_USE)),
        };
        match program.checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
            Some(error) => Err(self.wrong_file(path, &program.checked, error)),
            None => Ok(program),
        }
    }

    /// The type and the file of `@f`, for `:help`.
    pub(super) fn function_help(&self, name: &str) -> Option<Markup> {
        let plain = name.strip_prefix('@')?;
        let (signature, callable) = self.names.scope.function(plain).zip(self.names.function(plain))?;
        let (inputs, outputs) = (signature.inputs.len(), signature.results.len());
        let form = format!("{}{name}({})", if outputs == 0 { "" } else { "y = " }, vec!["..."; inputs].join(", "));
        let file = format!("a function of `{}`: {}", callable.program.source.name, signature.text);
        Some(Markup::new().line(Line::of(Role::Keyword, form).text("  ").text(file)))
    }

    fn wrong_file(&self, path: &Word, checked: &Checked, error: &Diagnostic) -> Box<Diagnostic> {
        Box::new(used::wrong_file(self.source.id, path, (checked, error)))
    }

    /// Defines the functions of a program. If nnz cannot run the program, it defines none, and a note says so.
    pub(super) fn functions(
        &mut self,
        path: &Word,
        languages::Program { checked, modules }: languages::Program,
    ) -> Result<(Vec<String>, Option<Line>)> {
        let checked = &checked;
        let found = match modules {
            Ok(modules) => return Ok((self.names.learn(checked, modules, Reported::Words), None)),
            Err(found) => found,
        };
        match mlir::used::guilty(&found) {
            Some(error) => Err(self.wrong_file(path, checked, error)),
            None => {
                let (line, reason) = found.first().map_or((1, ""), |error| {
                    let at = checked.source.line_and_character(error.primary.span.start as usize);
                    (at.0, error.message.as_str())
                });
                let note = format!("its functions cannot be called: line {line}: {reason}");
                Ok((Vec::new(), Some(Line::of(Role::Note, note))))
            }
        }
    }
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

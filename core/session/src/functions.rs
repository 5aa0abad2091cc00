//! The functions of MLIR programs that a session knows.

use super::{
    evaluation::{Evaluation, Result},
    names::Names,
    programs::{Reported, callables},
};
use nnz_base::{diagnostic::Diagnostic, source::Source};
use nnz_check::{Checked, scope::Word, used};
use nnz_languages::{self as languages, Execution, LANGUAGES, NOTHING_TO_USE};
use nnz_mlir::{self as mlir, Module};
use nnz_view::{Line, Markup, Role};

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
        let unreadable = |reason: &str| Box::new(used::unusable(self.source.id, path, reason));
        let bytes = self.host.read_text(&self.found(path)).map_err(|reason| unreadable(&reason))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text"))?;
        let language = LANGUAGES.of_path(&path.text).ok_or_else(|| unreadable(&LANGUAGES.unknown()))?;
        let source = Source::new(self.source.id, &path.text, text);
        let program = match language.execution {
            Execution::Statements(check) => languages::Program { checked: check(&source), modules: Ok(Vec::new()) },
            Execution::Functions(program) => program(&source),
            Execution::Arrays(_) | Execution::Nothing => return Err(unreadable(NOTHING_TO_USE)),
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

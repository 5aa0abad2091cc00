//! nnz notation: definitions, statements and `:commands` of a session.

use std::sync::Arc;

use nnz_base::source::Source;
use nnz_check::{
    Checked, Grammar,
    scope::Scope,
    session::{check_edited, check_session, check_session_with},
    used::UsedFile,
};
use nnz_ide::diagnostics::of_session;

use crate::{
    Answers, Context, Execution, FrontEnd, Known,
    checked::{Edited, Text},
};

pub static NOTATION: FrontEnd = FrontEnd {
    name: "nnz notation",
    extensions: &[Grammar::Notation.extension()],
    editor_ids: &["nnz"],
    check,
    may_use_files: |text| text.contains("use") || text.contains("read"),
    execution: Execution::Statements(|source| check_session(source, &Scope::default())),
};

fn check(source: &Source, Context { scope, files }: Context<'_>) -> Arc<dyn Answers> {
    let checked = match files {
        Some(files) => check_session_with(source, scope, files),
        None => check_session(source, scope),
    };
    let edited: Edited = if scope.is_empty() { check_edited } else { |_, _, _| None };
    let diagnostics =
        |checked: &Checked, known: &mut Known, cancelled: &dyn Fn() -> bool| of_session(checked, known.of(), cancelled);
    Arc::new(Text { checked: Arc::new(checked), diagnostics, used, edited })
}

fn used(checked: &Arc<Checked>) -> UsedFile {
    let wrong = checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    UsedFile { functions: Vec::new(), wrong: wrong.cloned().map(Box::new), checked: checked.clone() }
}

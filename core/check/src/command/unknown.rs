//! Unknown commands, and nnz's equivalents.

use super::{TABLE, View};
use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, did_you_mean},
    ids::FileId,
    source::Span,
};
use nnz_syntax::habits::{self, Leading};

pub(super) fn unknown(file: FileId, span: Span, name: &str) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::UnknownCommand, file, span, format!("there is no command `:{name}`"));
    let diagnostic = diagnostic.label("no command");
    if let Some(help) = otherwise(name) {
        return Box::new(diagnostic.help(help));
    }
    let shown = name.strip_prefix("show").unwrap_or(name);
    if View::ALL.iter().any(|view| view.name() == shown) {
        let edit = Edit { file, span, replacement: format!("show {shown}") };
        return Box::new(diagnostic.fix_edits(
            format!("write `:show {shown}`"),
            vec![edit],
            Applicability::MaybeIncorrect,
        ));
    }
    let short = || TABLE.iter().map(|info| info.name).find(|full| !name.is_empty() && full.starts_with(name));
    let habit = || if let Leading::Command(own) = habits::leading(name)? { Some(own) } else { None };
    Box::new(match habit().or_else(short).or_else(|| did_you_mean(name, TABLE.iter().map(|info| info.name))) {
        Some(near) => {
            let edit = Edit { file, span, replacement: near.to_string() };
            let told = diagnostic.help(format!("did you mean `:{near}`?"));
            told.fix_edits(format!("write `{near}`"), vec![edit], Applicability::MaybeIncorrect)
        }
        None => diagnostic.help("`:help` lists the commands"),
    })
}

/// What commands of other tools do, by what does it here.
fn otherwise(name: &str) -> Option<&'static str> {
    match name {
        "load" | "open" | "source" | "run" | "use" | "import" | "include" | "read" => Some(
            "`nnz FILE` runs the statements of a file; `use \"FILE\"` takes over its encodings and functions, \
             `A : CSR = read \"FILE\"` reads a tensor",
        ),
        "compare" => Some(
            "`:time NAME` times a kernel of the session, as it is stored; outside of it `nnz compare FILE --kernel NAME` \
                 measures a kernel with one of its tensors in several formats",
        ),
        "convert" => Some("`B : CSR = A` converts a tensor; `nnz convert A.mtx B.mtx` does so with a file"),
        "save" => Some("`:write NAME \"FILE\"` writes a tensor; a session is not written as a whole"),
        "history" => Some("the arrow keys go through earlier lines, and Ctrl-R searches them"),
        "clear" | "reset" | "delete" | "del" => {
            Some("a definition takes the place of an earlier one of its name; `:quit` ends the session")
        }
        "cd" | "ls" | "pwd" | "cat" => {
            Some("commands of a shell are typed outside of nnz; names of files are relative to where it was started")
        }
        "format" | "fmt" => Some("`nnz fmt FILE` formats a text; `:show levels NAME` shows how a tensor is stored"),
        _ => None,
    }
}

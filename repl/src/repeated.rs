//! Findings that say the same of every mention of a name: the first is told, and how often the rest.

use nnz_core::diagnostic::{Code, Diagnostic};

/// One finding for each operation that nnz does not run.
pub(crate) fn once(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut told: Vec<(Diagnostic, usize)> = Vec::new();
    for diagnostic in found {
        let of_name = matches!(diagnostic.code, Code::NotRun | Code::UnsupportedProgram);
        match told.iter_mut().find(|(first, _)| of_name && is_same(first, &diagnostic)) {
            Some((_, more)) => *more += 1,
            None => told.push((diagnostic, 0)),
        }
    }
    told.into_iter().map(|(first, more)| counted(first, more)).collect()
}

fn is_same(first: &Diagnostic, other: &Diagnostic) -> bool {
    first.code == other.code && first.message == other.message
}

fn counted(first: Diagnostic, more: usize) -> Diagnostic {
    match more {
        0 => first,
        1 => first.note("the same at one more place"),
        _ => first.note(format!("the same at {more} more places")),
    }
}

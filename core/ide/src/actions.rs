//! `textDocument/codeAction`: the fixes of the diagnostics at a place, and the fixes that are safe to apply all at
//! once without review.

use std::ops::Range;

use nnz_base::{
    diagnostic::{Applicability, Code, Diagnostic, Edit, Fix},
    source::Span,
};

/// A fix with its diagnostic.
pub struct Action<'c> {
    pub diagnostic: &'c Diagnostic,
    pub fix: &'c Fix,
}

/// The fixes of every diagnostic of a text that touches `range`.
pub fn actions(found: &[Diagnostic], range: Range<usize>) -> Vec<Action<'_>> {
    let here = found.iter().filter(|diagnostic| touches(diagnostic.primary.span, range.clone()));
    here.flat_map(|diagnostic| diagnostic.fixes.iter().map(move |fix| Action { diagnostic, fix })).collect()
}

/// Whether a place holds a part of a range, or borders on it.
pub fn touches(place: Span, range: Range<usize>) -> bool {
    place.start as usize <= range.end && range.start <= place.end as usize
}

/// The edits of every fix that only changes the spelling, except those that overlap an earlier one. Editors apply
/// them without review, even when they save an unfinished text. Guesses, removals, and choices between fixes are
/// left to the user.
pub fn safe_edits(found: &[Diagnostic]) -> Vec<Edit> {
    let respelt = found.iter().filter(|diagnostic| is_spelling(diagnostic.code));
    let fixes = respelt.filter_map(|diagnostic| diagnostic.fixes.iter().find(|fix| is_safe(fix)));
    let mut chosen: Vec<Edit> = Vec::new();
    for fix in fixes {
        if !fix.edits.iter().any(|edit| chosen.iter().any(|other| overlap(edit.span, other.span))) {
            chosen.extend(fix.edits.iter().cloned());
        }
    }
    chosen.sort_by_key(|edit| edit.span.start);
    chosen
}

/// The text is understood, but is in a form that MLIR no longer has or never had.
pub fn is_spelling(code: Code) -> bool {
    matches!(code, Code::HistoricEncoding | Code::HistoricOperation | Code::OtherNotation)
}

fn is_safe(fix: &Fix) -> bool {
    fix.applicability == Applicability::MachineApplicable && fix.edits.iter().all(|edit| !edit.replacement.is_empty())
}

fn overlap(a: Span, b: Span) -> bool {
    a == b || (a.start < b.end && b.start < a.end)
}

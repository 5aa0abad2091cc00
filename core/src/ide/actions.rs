//! `textDocument/codeAction`: the fixes of the diagnostics at a place, and all safe fixes at once.

use std::ops::Range;

use crate::{
    check::Checked,
    diagnostic::{Applicability, Diagnostic, Edit, Fix},
    source::Span,
};

/// A fix with the diagnostic that it mends.
pub struct Action<'c> {
    pub diagnostic: &'c Diagnostic,
    pub fix: &'c Fix,
}

/// The fixes of every diagnostic that touches `range`.
pub fn actions(checked: &Checked, range: Range<usize>) -> Vec<Action<'_>> {
    let touches = |span: Span| span.start as usize <= range.end && range.start <= span.end as usize;
    let here = checked.diagnostics.iter().filter(|diagnostic| touches(diagnostic.primary.span));
    here.flat_map(|diagnostic| diagnostic.fixes.iter().map(move |fix| Action { diagnostic, fix })).collect()
}

/// The edits of the first safe fix of every diagnostic, less those that overlap an earlier one.
pub fn safe_edits(checked: &Checked) -> Vec<Edit> {
    let safe = |fix: &&Fix| fix.applicability == Applicability::MachineApplicable;
    let fixes = checked.diagnostics.iter().filter_map(|diagnostic| diagnostic.fixes.iter().find(safe));
    let mut chosen: Vec<Edit> = Vec::new();
    for fix in fixes {
        if !fix.edits.iter().any(|edit| chosen.iter().any(|other| overlap(edit.span, other.span))) {
            chosen.extend(fix.edits.iter().cloned());
        }
    }
    chosen.sort_by_key(|edit| edit.span.start);
    chosen
}

fn overlap(a: Span, b: Span) -> bool {
    a == b || (a.start < b.end && b.start < a.end)
}

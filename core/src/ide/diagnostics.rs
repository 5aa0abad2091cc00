//! `textDocument/publishDiagnostics`, and what `nnz check` says: all that is wrong with a text as far as
//! that is known without data, in order.

use crate::{
    check::{Checked, ScheduledKernel},
    diagnostic::{Code, Diagnostic},
    program::{self, Known},
    schedule::{self, ScheduleError},
    source::Language,
};

/// The checker's diagnostics; what is wrong with the operations of an MLIR program; the steps of schedules that the
/// loops of their kernels do not allow.
pub fn diagnostics(checked: &Checked) -> Vec<Diagnostic> {
    diagnostics_after(checked, &mut Known::default())
}

/// The same after an edit: `known` is what the version before has left, and is left for the next one.
pub fn diagnostics_after(checked: &Checked, known: &mut Known) -> Vec<Diagnostic> {
    if checked.source.language == Language::Mlir {
        return with_operations(checked, known);
    }
    let illegal = checked.scheduled.iter().filter_map(|scheduled| illegal_step(checked, scheduled));
    let mut all: Vec<Diagnostic> = checked.diagnostics.iter().cloned().chain(illegal).collect();
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all
}

/// One at each place: the reader of operations meets what the checker has reported again.
fn with_operations(checked: &Checked, known: &mut Known) -> Vec<Diagnostic> {
    let mut all = checked.diagnostics.clone();
    all.extend(program::diagnostics(checked, known));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all.dedup_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.is_error()));
    all
}

/// A kernel that cannot be lowered for another reason is reported when it runs.
fn illegal_step(checked: &Checked, ScheduledKernel { kernel, scheduled }: &ScheduledKernel) -> Option<Diagnostic> {
    let Err(ScheduleError::Step { step, refusal }) = schedule::lower(kernel, &scheduled.schedule) else { return None };
    let place = scheduled.places.get(step)?;
    let mut error = Diagnostic::new(Code::IllegalStep, checked.source.id, place.whole, refusal.to_string());
    error.helps.extend(refusal.help());
    Some(error)
}

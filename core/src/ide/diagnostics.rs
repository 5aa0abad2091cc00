//! `textDocument/publishDiagnostics`, and what `nnz check` says: all that is wrong with a text as far as
//! that is known without data, in order.

use crate::{
    check::{Checked, ScheduledKernel},
    diagnostic::{Code, Diagnostic},
    schedule::{self, ScheduleError},
};

/// The checker's diagnostics, and the steps of schedules that the loops of their kernels do not allow.
pub fn diagnostics(checked: &Checked) -> Vec<Diagnostic> {
    let illegal = checked.scheduled.iter().filter_map(|scheduled| illegal_step(checked, scheduled));
    let mut all: Vec<Diagnostic> = checked.diagnostics.iter().cloned().chain(illegal).collect();
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
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

//! `textDocument/publishDiagnostics` and `nnz check`: everything wrong with a text that can be found without
//! data, in order.

use std::collections::HashMap;

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::Language,
};
use nnz_check::{Checked, CheckedKernel};
use nnz_kernel::Kernel;
use nnz_mlir as program;
use nnz_plan::{
    iterate::{self, Hint},
    schedule::{self, ScheduleError},
};
use nnz_run::LONG_FROM;

/// The findings in one version of a text, cached for the next.
#[derive(Debug, Default)]
pub struct Known {
    functions: program::Known,
    /// What kernels cost.
    costs: HashMap<String, Vec<String>>,
}

/// All diagnostics of a text: the checker's; errors in the operations of an MLIR program; illegal steps of
/// schedules; kernels that will take long for reasons that their text does not show.
pub fn diagnostics(checked: &Checked) -> Vec<Diagnostic> {
    diagnostics_after(checked, &mut Known::default())
}

/// The same after an edit: `known` holds the findings of the previous version, and then those of this one.
pub fn diagnostics_after(checked: &Checked, known: &mut Known) -> Vec<Diagnostic> {
    if checked.source.language == Language::Mlir {
        return with_operations(checked, known);
    }
    let illegal = checked.kernels.iter().filter_map(|kernel| illegal_step(checked, kernel));
    let mut all: Vec<Diagnostic> = checked.diagnostics.iter().cloned().chain(illegal).collect();
    all.extend(costs(checked, &mut known.costs));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all
}

/// One at each place: the reader of operations meets what the checker has reported again.
fn with_operations(checked: &Checked, known: &mut Known) -> Vec<Diagnostic> {
    let mut all = checked.diagnostics.clone();
    all.extend(program::diagnostics(checked, &mut known.functions));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all.dedup_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.is_error()));
    all
}

/// A kernel that cannot be lowered for another reason is reported when it runs.
fn illegal_step(checked: &Checked, CheckedKernel { kernel, scheduled, .. }: &CheckedKernel) -> Option<Diagnostic> {
    if scheduled.schedule.steps.is_empty() {
        return None;
    }
    let Err(ScheduleError::Step { step, refusal }) = schedule::lower(kernel, &scheduled.schedule) else { return None };
    let place = scheduled.places.get(step)?;
    let mut error = Diagnostic::new(Code::IllegalStep, checked.source.id, place.whole, refusal.to_string());
    error.helps.extend(refusal.help());
    Some(error)
}

/// The kernels that visit so many coordinates that it takes long, those that are `known` not planned again.
fn costs(checked: &Checked, known: &mut HashMap<String, Vec<String>>) -> Vec<Diagnostic> {
    let (mut now, mut found) = (HashMap::new(), Vec::new());
    for CheckedKernel { kernel, span, .. } in checked.kernels.iter().filter(|checked| may_be_long(&checked.kernel)) {
        let written = checked.source.slice(*span);
        let key = format!("{written}: {kernel:?}");
        let texts =
            now.entry(key).or_insert_with_key(|key| known.remove(key).unwrap_or_else(|| cost_texts(kernel, written)));
        let hint = |text: &String| Diagnostic::new(Code::HiddenCost, checked.source.id, *span, text.clone());
        found.extend(texts.iter().map(hint));
    }
    *known = now;
    found
}

/// Of a scalar the value may decide what is visited, and is not known here.
fn may_be_long(kernel: &Kernel) -> bool {
    let points = kernel.vars().iter().map(|var| var.extent).fold(1, u64::saturating_mul);
    points >= LONG_FROM && kernel.expr().accesses().iter().all(|access| !access.indices.is_empty())
}

fn cost_texts(kernel: &Kernel, written: &str) -> Vec<String> {
    let hints = iterate::plan(kernel).map(|plan| plan.hints).unwrap_or_default();
    let hints = iterate::hints_on(&hints, kernel, written);
    hints.iter().filter(|hint| hint.points() >= LONG_FROM).map(Hint::to_string).collect()
}

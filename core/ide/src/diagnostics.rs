//! `textDocument/publishDiagnostics` and `nnz check`: everything wrong with a text that can be found without
//! data, in order.

use std::collections::HashMap;

use nnz_base::diagnostic::{Code, Diagnostic};
use nnz_check::{Checked, CheckedKernel};
use nnz_kernel::Kernel;
use nnz_machine as machine;
use nnz_mlir as mlir;
use nnz_run::{self as run, Blame, Hidden, LONG_FROM, Origin, Refusal, Request};

/// The findings in the kernels of one version of a text, cached for the next.
#[derive(Debug, Default)]
pub struct Kernels(HashMap<String, Foreseen>);

/// The costs that a run of a kernel reports before it starts, or its refusal.
type Foreseen = Result<Vec<Hidden>, Refusal>;

/// All diagnostics of a text in nnz notation: the checker's; illegal steps of schedules; kernels that will take long for
/// reasons that their text does not show. `known` holds the findings of the previous version, and then those of this one.
pub fn of_session(checked: &Checked, known: &mut Kernels) -> Vec<Diagnostic> {
    let mut all = checked.diagnostics.clone();
    all.extend(foreseen(checked, known));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all
}

/// All diagnostics of an MLIR program: the checker's, and errors in its operations. One error at each place: the reader of
/// operations finds again what the checker has reported. A kernel may have several costs.
pub fn of_program(checked: &Checked, known: &mut mlir::Known) -> Vec<Diagnostic> {
    let mut all = checked.diagnostics.clone();
    all.extend(machine::diagnostics(checked, known));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all.dedup_by(|one, other| one.is_error() == other.is_error() && one.repeats(other));
    all
}

/// What kernels will say when they run; those that are `known` are not planned again.
fn foreseen(checked: &Checked, Kernels(known): &mut Kernels) -> Vec<Diagnostic> {
    let (mut now, mut found) = (HashMap::new(), Vec::new());
    let is_asked = |kernel: &&CheckedKernel| has_steps(kernel) || may_be_long(&kernel.kernel);
    for checked_kernel in checked.kernels.iter().filter(is_asked) {
        let CheckedKernel { kernel, span, scheduled, .. } = checked_kernel;
        let written = checked.source.slice(*span);
        let key = format!("{written}: {kernel:?} {}", scheduled.schedule);
        let request = Request { kernel, schedule: &scheduled.schedule, text: Some(written), origin: Origin::Session };
        let foreseen =
            now.entry(key).or_insert_with_key(|key| known.remove(key).unwrap_or_else(|| run::foresee(request)));
        found.extend(said(checked, checked_kernel, foreseen));
    }
    *known = now;
    found
}

fn said(checked: &Checked, kernel: &CheckedKernel, foreseen: &Foreseen) -> Vec<Diagnostic> {
    let file = checked.source.id;
    match foreseen {
        Ok(costs) if may_be_long(&kernel.kernel) => {
            let place = |cost: &Hidden| cost.tensor.and_then(|tensor| kernel.places.get(tensor.index()).copied());
            let hint = |cost: &Hidden| {
                Diagnostic::new(Code::HiddenCost, file, place(cost).unwrap_or(kernel.span), cost.text.clone())
            };
            costs.iter().filter(|cost| cost.is_long()).map(hint).collect()
        }
        Ok(_) => Vec::new(),
        Err(refusal) => refused(checked, kernel, refusal).into_iter().collect(),
    }
}

/// What data may yet allow is reported when the kernel runs.
fn refused(checked: &Checked, kernel: &CheckedKernel, refusal: &Refusal) -> Option<Diagnostic> {
    let span = match refusal.blame() {
        Blame::Step(step) => kernel.scheduled.places.get(step)?.whole,
        Blame::Nnz => kernel.span,
        Blame::Kernel | Blame::Tensor(_) | Blame::Memory => return None,
    };
    Some(refusal.diagnostic(checked.source.id, span))
}

fn has_steps(kernel: &CheckedKernel) -> bool {
    !kernel.scheduled.schedule.steps.is_empty()
}

/// Of a scalar the value may decide what is visited, and is not known here.
fn may_be_long(kernel: &Kernel) -> bool {
    let points = kernel.vars().iter().map(|var| var.extent).fold(1, u64::saturating_mul);
    points >= LONG_FROM && kernel.expr().accesses().iter().all(|access| !access.indices.is_empty())
}

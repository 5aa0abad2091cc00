//! `textDocument/publishDiagnostics` and `nnz check`: everything wrong with a text that can be found without
//! data, in order.

use std::{collections::HashMap, sync::Arc};

use nnz_base::{diagnostic::Diagnostic, source::Source};
use nnz_check::{Checked, CheckedCall, CheckedKernel, fixed, mlir::check_mlir, used};
use nnz_kernel::{Kernel, schedule::Schedule};
use nnz_machine as machine;
use nnz_mlir as mlir;
use nnz_run::{self as run, Blame, Hidden, Origin, Refusal, Request};

use crate::lints::lints;

/// The findings in the kernels and calls of one version of a text, cached for the next.
#[derive(Debug, Default)]
pub struct Kernels {
    /// By the names of their results and the texts of their right sides.
    kernels: HashMap<String, Vec<Known>>,
    calls: Vec<Costs>,
}

/// The costs that a run of a kernel reports before it starts, or its refusal.
type Foreseen = Result<Vec<Hidden>, Refusal>;

/// A kernel, and what is known of it.
#[derive(Debug)]
struct Known {
    kernel: Arc<Kernel>,
    schedule: Schedule,
    foreseen: Foreseen,
}

impl Known {
    fn is_of(&self, other: &CheckedKernel) -> bool {
        let same = Arc::ptr_eq(&self.kernel, &other.kernel) || self.kernel == other.kernel;
        same && self.schedule == other.scheduled.schedule
    }

    fn of(CheckedKernel { kernel, scheduled, .. }: &CheckedKernel, written: &str) -> Known {
        let schedule = scheduled.schedule.clone();
        let request = Request { kernel, schedule: &schedule, text: Some(written), origin: Origin::Session };
        let foreseen = run::foresee(request);
        Known { kernel: kernel.clone(), schedule, foreseen }
    }
}

/// The costs of a function of a program.
#[derive(Debug)]
struct Costs {
    function: String,
    program: Source,
    costs: Vec<Diagnostic>,
}

impl Costs {
    fn is_of(&self, call: &CheckedCall) -> bool {
        self.function == call.function.text && self.program.text == call.file.source.text
    }

    fn of(call: &CheckedCall) -> Costs {
        let costs = machine::costs(&call.file, &call.function.text);
        Costs { function: call.function.text.clone(), program: call.file.source.clone(), costs }
    }
}

/// All diagnostics of a text in nnz notation: the checker's; illegal steps of schedules; kernels, and functions that are
/// called, that will take long for reasons that their text does not show. `known` holds the findings of the previous version, and then those of this one; once
/// `cancelled` says so, no more kernels are looked at.
pub fn of_session(checked: &Checked, known: &mut Kernels, cancelled: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    let mut all = checked.diagnostics.clone();
    all.extend(lints(checked));
    all.extend(foreseen(checked, &mut known.kernels, cancelled));
    all.extend(costs_of_calls(checked, &mut known.calls, cancelled));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all
}

/// All diagnostics of an MLIR program: the checker's, and errors in its operations. One error at each place: the reader of
/// operations finds again what the checker has reported. A kernel may have several costs.
pub fn of_program(checked: &Checked, known: &mut mlir::Known) -> Vec<Diagnostic> {
    let (mut all, source) = (found_in(checked, known), &checked.source);
    all.extend(lints(checked));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    fixed::settle(&mut all, (&source.text, 0), |text| {
        let checked = check_mlir(&Source::new(source.id, "fixed", text));
        fixed::Errors::of(&found_in(&checked, &mut mlir::Known::default()))
    });
    all
}

fn found_in(checked: &Checked, known: &mut mlir::Known) -> Vec<Diagnostic> {
    let mut all = checked.diagnostics.clone();
    all.extend(machine::diagnostics(checked, known));
    all.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.severity()));
    all.dedup_by(|one, other| one.is_error() == other.is_error() && one.repeats(other));
    all
}

/// What kernels will say when they run; those that are `known` are not planned again.
fn foreseen(
    checked: &Checked,
    known: &mut HashMap<String, Vec<Known>>,
    cancelled: &dyn Fn() -> bool,
) -> Vec<Diagnostic> {
    let (mut now, mut found) = (HashMap::<String, Vec<Known>>::new(), Vec::new());
    let is_asked = |kernel: &&CheckedKernel| has_steps(kernel) || may_be_long(kernel);
    for kernel in checked.kernels.iter().filter(is_asked).take_while(|_| !cancelled()) {
        let written = checked.source.slice(kernel.span);
        let key = format!("{} = {written}", kernel.kernel.tensor(kernel.kernel.result().tensor).name);
        let before = known.get_mut(&key);
        let here = now.entry(key).or_default();
        let at = here.iter().position(|one| one.is_of(kernel)).unwrap_or_else(|| {
            here.push(before.and_then(|all| taken(all, kernel)).unwrap_or_else(|| Known::of(kernel, written)));
            here.len() - 1
        });
        found.extend(said(checked, kernel, &here[at].foreseen));
    }
    if cancelled() {
        known.drain().for_each(|(key, all)| now.entry(key).or_default().extend(all));
    }
    *known = now;
    found
}

/// What is already known about a kernel.
fn taken(all: &mut Vec<Known>, kernel: &CheckedKernel) -> Option<Known> {
    let at = all.iter().position(|one| one.is_of(kernel))?;
    Some(all.swap_remove(at))
}

/// What functions of programs will say when they run, each at its first call; those that are `known` are not planned
/// again.
fn costs_of_calls(checked: &Checked, known: &mut Vec<Costs>, cancelled: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    let (mut now, mut found): (Vec<Costs>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for call in checked.calls.iter().take_while(|_| !cancelled()) {
        if now.iter().any(|costs| costs.is_of(call)) {
            continue;
        }
        let before = known.iter().position(|costs| costs.is_of(call)).map(|at| known.swap_remove(at));
        let costs = before.unwrap_or_else(|| Costs::of(call));
        let place = (checked.source.id, &call.function);
        found.extend(costs.costs.iter().map(|cost| used::cost_of_call(place, &costs.program, &call.path, cost)));
        now.push(costs);
    }
    if cancelled() {
        now.append(known);
    }
    *known = now;
    found
}

fn said(checked: &Checked, kernel: &CheckedKernel, foreseen: &Foreseen) -> Vec<Diagnostic> {
    let file = checked.source.id;
    match foreseen {
        Ok(costs) if may_be_long(kernel) => {
            let place =
                |cost: &Hidden| cost.tensor.and_then(|tensor| kernel.places.access(tensor.index(), &cost.indices));
            let hint = |cost: &Hidden| cost.hint(file, place(cost).unwrap_or(kernel.span));
            costs.iter().filter(|cost| cost.is_told()).map(hint).collect()
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

fn may_be_long(kernel: &CheckedKernel) -> bool {
    Hidden::may_be_told(kernel.size)
}

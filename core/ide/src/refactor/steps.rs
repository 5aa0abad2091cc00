//! One more step of a schedule, among those that the loops of the kernel allow.

use nnz_base::source::Span;
use nnz_check::{Checked, CheckedKernel};
use nnz_kernel::{
    LoopName, Schedule, Step,
    schedule::{Count, Unit},
};
use nnz_run::{Origin, Request, foresee};
use nnz_syntax::{NodeKind, TokenRef};

use super::{Refactoring, rewrite};

/// Each step is tried by planning the kernel, as long as `may_plan` says so.
pub(super) fn refactorings(checked: &Checked, token: TokenRef<'_>, may_plan: &dyn Fn() -> bool) -> Vec<Refactoring> {
    let statement = token.node().ancestors().find(|node| node.kind() == NodeKind::Assignment);
    let Some(kernel) = statement.and_then(|statement| checked.kernel_in(statement.span())) else { return Vec::new() };
    let Some(end) = statement.map(|statement| statement.span().end as usize) else { return Vec::new() };
    let schedule = &kernel.scheduled.schedule;
    let begins = if schedule.steps.is_empty() { " schedule " } else { ", " };
    let tried = candidates(kernel).into_iter().take_while(|_| may_plan());
    let legal = tried.filter(|step| is_legal(checked, kernel, step));
    legal
        .map(|step| {
            let text = written(&step);
            rewrite(checked, format!("add the step {text}"), vec![(Span::at(end), format!("{begins}{text}"))])
        })
        .collect()
}

/// The usual steps on the index variables.
fn candidates(kernel: &CheckedKernel) -> Vec<Step> {
    let names: Vec<LoopName> = kernel.kernel.vars().iter().map(|var| LoopName::new(var.name.clone())).collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else { return Vec::new() };
    let made = |suffix: &str| LoopName::new(format!("{}{suffix}", first.as_str()));
    let mut reversed = names.clone();
    reversed.reverse();
    let reorder = (names.len() > 1).then_some(Step::Reorder { loops: reversed });
    let others = [
        Some(Step::Parallelize { of: first.clone(), on: Unit::CpuThreads }),
        Some(Step::Vectorize { of: last.clone() }),
        Count::new(4).map(|times| Step::Unroll { of: last.clone(), times }),
        Count::new(16).map(|size| Step::Split { of: first.clone(), outer: made("0"), inner: made("1"), size }),
    ];
    others.into_iter().chain([reorder]).flatten().filter(|step| is_new(kernel, step)).collect()
}

/// Without a unit, threads of the CPU are meant.
fn written(step: &Step) -> String {
    if let Step::Parallelize { of, on: Unit::CpuThreads } = step {
        return format!("parallelize({of})");
    }
    step.to_string()
}

/// Whether the schedule has no step of this kind yet, and none has taken its loops away.
fn is_new(kernel: &CheckedKernel, step: &Step) -> bool {
    let same = |other: &Step| std::mem::discriminant(other) == std::mem::discriminant(step);
    !kernel.scheduled.schedule.steps.iter().any(same)
}

fn is_legal(checked: &Checked, kernel: &CheckedKernel, step: &Step) -> bool {
    let mut steps = kernel.scheduled.schedule.steps.clone();
    steps.push(step.clone());
    let schedule = Schedule { steps };
    let text = Some(checked.source.slice(kernel.span));
    foresee(Request { kernel: &kernel.kernel, schedule: &schedule, text, origin: Origin::Session }).is_ok()
}

//! Applies schedules: a kernel and the steps of its schedule become loops, or one precise refusal.
//!
//! There are two kinds of steps. Some constrain the plan of the kernel. The others are functions from loops
//! to loops, one per file here, applied in the order of the text to every loop of the name. The verifier
//! checks the loops after each step.
//!
//! Architecture Invariant: a step never changes a result. Every entry is computed by the same operations in
//! the same order as without the schedule, so its bits are the same, except perhaps the sign of a zero,
//! unless the schedule allows sums to be reassociated. A step that cannot be proved to keep this is refused.

mod accesses;
mod bound;
mod draft;
mod fuse;
mod independent;
mod interchange;
mod lanes;
mod parallelize;
mod planned;
mod pos;
mod refusal;
mod several;
mod split;
mod sums;
#[cfg(test)]
mod tests;
mod unroll;
mod vectorize;

pub use refusal::Refusal;

use crate::{
    iterate::{self, Plan},
    lower::{self, LowerError, Lowered, LoweredParts},
};
use draft::Draft;
use nnz_kernel::{Kernel, LoopName, Schedule, Step};
use split::Cut;

/// Why there are no loops.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// The kernel itself cannot be lowered.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// A step, by its number, is not legal.
    #[error("{refusal}")]
    Step { step: usize, refusal: Refusal },
}

/// Lowers `kernel` to verified loops, arranged by `schedule`.
///
/// # Errors
/// As [`lower::lower`]; the first step that is not legal.
pub fn lower(kernel: &Kernel, schedule: &Schedule) -> Result<Lowered, ScheduleError> {
    let lowered = lower_as_written(kernel, schedule);
    match lowered {
        Err(ScheduleError::Step { step, refusal: Refusal::Reassociates }) => {
            Err(even_if_reassociated(kernel, schedule, step))
        }
        Err(ScheduleError::Step { step, refusal }) => {
            let refusal = with_nest(kernel, (schedule, step), refusal);
            Err(ScheduleError::Step { step, refusal })
        }
        lowered => Ok(lowered?.hoisted()?),
    }
}

/// The refusal of loops that do not nest alone, with the order that makes the step legal, if it does: sums around
/// the loops of the result.
fn with_nest(kernel: &Kernel, (schedule, step): (&Schedule, usize), refusal: Refusal) -> Refusal {
    let Refusal::NotAlone { outer, inner, between, first } = refusal else { return refusal };
    let gets_further = |first: &Vec<LoopName>| {
        let mut nested = schedule.clone();
        nested.steps.insert(0, Step::Reorder { loops: first.clone() });
        match lower_as_written(kernel, &nested) {
            Err(ScheduleError::Step { step: at, .. }) => at > step + 1,
            lowered => lowered.is_ok(),
        }
    };
    let known = Some(first).filter(|first| !first.is_empty());
    let first = known.or_else(|| Some(sums_first(kernel)).filter(gets_further)).unwrap_or_default();
    Refusal::NotAlone { outer, inner, between, first }
}

fn sums_first(kernel: &Kernel) -> Vec<LoopName> {
    let names: Vec<LoopName> = kernel.vars().iter().map(|var| LoopName::new(var.name.as_str())).collect();
    let result = kernel.result().indices.iter().filter_map(|var| names.get(var.index()).cloned());
    let result: Vec<LoopName> = result.collect();
    names.iter().filter(|name| !result.contains(name)).chain(&result).cloned().collect()
}

/// The refusal of a step that would reassociate a sum: another one if the step is not legal where that is allowed.
fn even_if_reassociated(kernel: &Kernel, schedule: &Schedule, step: usize) -> ScheduleError {
    let mut free = schedule.clone();
    free.steps.insert(0, Step::Reassociate);
    match lower_as_written(kernel, &free) {
        Err(ScheduleError::Step { step: at, refusal }) if at == step + 1 => ScheduleError::Step { step, refusal },
        Ok(_) | Err(_) => ScheduleError::Step { step, refusal: Refusal::Reassociates },
    }
}

fn lower_as_written(kernel: &Kernel, schedule: &Schedule) -> Result<Lowered, ScheduleError> {
    lower::check_extents(kernel)?;
    if schedule.steps.is_empty() {
        return Ok(lower::lower_plan(iterate::plan(kernel).map_err(LowerError::from)?)?);
    }
    let lowered = lower::lower_plan(planned::planned(kernel, schedule)?)?;
    let freedom = planned::sums_are_free(kernel, schedule);
    let mut steps = schedule.steps.iter().enumerate();
    steps.try_fold(lowered, |lowered, (at, step)| {
        let stopped = |error: Stopped| error.behind(schedule.steps.get(..at).unwrap_or_default()).at(at);
        applied(kernel, lowered, step, freedom).map_err(stopped)
    })
}

/// What stops a step.
enum Stopped {
    Refused(Refusal),
    Bug(LowerError),
}

impl Stopped {
    /// Names the step of those before that took the loop away.
    fn behind(self, before: &[Step]) -> Stopped {
        match self {
            Stopped::Refused(Refusal::NoLoop { name, .. })
                if before.iter().any(|step| matches!(step, Step::Unroll { of, .. } if *of == name)) =>
            {
                Stopped::Refused(Refusal::Unrolled { name })
            }
            other @ (Stopped::Refused(_) | Stopped::Bug(_)) => other,
        }
    }

    fn at(self, step: usize) -> ScheduleError {
        match self {
            Stopped::Refused(refusal) => ScheduleError::Step { step, refusal },
            Stopped::Bug(error) => ScheduleError::Lower(error),
        }
    }
}

/// The loops after one step. The counting function or the filling function must have each loop that the step names.
fn applied(kernel: &Kernel, lowered: Lowered, step: &Step, freedom: bool) -> Result<Lowered, Stopped> {
    let LoweredParts { plan, conversions, count, fill, shares_reductions } = lowered.into_parts();
    let (mut count, mut fill) = (count.map(Draft::new), Draft::new(fill));
    let drafts = || count.iter().chain([&fill]);
    let names = || drafts().flat_map(Draft::names);
    if let Some(missing) = step.loops().into_iter().find(|name| !names().any(|known| known == **name)) {
        return Err(Stopped::Refused(Refusal::no_loop(missing, names().collect())));
    }
    for draft in count.iter_mut().chain([&mut fill]) {
        let runs = several::runs(&plan, draft);
        let refused = |refusal| Stopped::Refused(several::told(kernel, &runs, step, refusal));
        transform(&plan, draft, step, freedom).map_err(refused)?;
    }
    let count = count.map(Draft::finish).transpose().map_err(Stopped::Bug)?;
    let fill = fill.finish().map_err(Stopped::Bug)?;
    Ok(Lowered::new(LoweredParts { plan, conversions, count, fill, shares_reductions }))
}

/// Applies one step to one function, which need not have the step's loops. `freedom` allows sums to be added up in any
/// order.
fn transform(plan: &Plan, draft: &mut Draft, step: &Step, freedom: bool) -> Result<(), Refusal> {
    match step {
        Step::Split { of, outer, inner, size } => {
            split::strips(plan, draft, of, [outer, inner], Cut::EveryStrip(*size))
        }
        Step::Divide { of, outer, inner, parts } => split::strips(plan, draft, of, [outer, inner], Cut::Parts(*parts)),
        Step::Fuse { outer, inner, into } => fuse::fuse(plan, draft, [outer, inner], into),
        Step::Pos { of, into, tensor } => pos::pos(plan, draft, of, into, tensor),
        Step::Unroll { of, times } => unroll::unroll(plan, draft, of, *times),
        Step::Vectorize { of } => vectorize::vectorize(plan, draft, of, freedom),
        Step::Parallelize { of, on } => parallelize::parallelize(plan, draft, of, *on),
        Step::Bound { of, into, extent } => bound::bound(plan, draft, of, into, *extent),
        Step::Reorder { loops } if !planned::is_planned(&plan.kernel, loops) => {
            interchange::reorder(plan, draft, loops)
        }
        Step::Precompute { of, into } => {
            pos::rename(draft, of, into);
            Ok(())
        }
        Step::Reorder { .. } | Step::Assemble { .. } | Step::Reassociate => Ok(()),
    }
}

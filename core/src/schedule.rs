//! Schedules carried out: a kernel and the steps of its schedule become loops, or one precise refusal.
//!
//! Steps are of two kinds. Some say what the plan of the kernel must be; the others are functions from
//! loops to loops, one in each file here, applied in the order of the text to every loop of the name. The
//! verifier looks at the loops after each step.
//!
//! Architecture Invariant: a step never changes a result. Every entry is computed by the same operations
//! in the same order as without the schedule, so that not a bit of it differs, unless the schedule says
//! that sums may be reassociated. What cannot be shown to keep this is refused.

mod draft;
mod refusal;
mod split;
mod unroll;

pub use refusal::Refusal;

use crate::{
    iterate,
    kernel::{Kernel, Schedule, Step},
    lower::{self, LowerError, Lowered},
};
use draft::Draft;

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

/// Lowers `kernel` to verified loops, arranged as `schedule` says.
///
/// # Errors
/// As [`lower::lower`]; the first step that is not legal.
pub fn lower(kernel: &Kernel, schedule: &Schedule) -> Result<Lowered, ScheduleError> {
    let lowered = lower::lower(kernel)?;
    let steps = schedule.steps.iter().enumerate();
    steps.into_iter().try_fold(lowered, |lowered, (at, step)| applied(lowered, step).map_err(|error| error.at(at)))
}

/// What stops a step.
enum Stopped {
    Refused(Refusal),
    Bug(LowerError),
}

impl Stopped {
    fn at(self, step: usize) -> ScheduleError {
        match self {
            Stopped::Refused(refusal) => ScheduleError::Step { step, refusal },
            Stopped::Bug(error) => ScheduleError::Lower(error),
        }
    }
}

/// The loops after one step. The loops that count or those that fill must have the one it is about.
fn applied(lowered: Lowered, step: &Step) -> Result<Lowered, Stopped> {
    let Lowered { plan, count, fill } = lowered;
    let (mut count, mut fill) = (count.map(Draft::new), Draft::new(fill));
    let drafts = || count.iter().chain([&fill]);
    if !drafts().any(|draft| draft.has(step.of())) {
        let loops = drafts().flat_map(Draft::names).collect();
        return Err(Stopped::Refused(Refusal::no_loop(step.of(), loops)));
    }
    for draft in count.iter_mut().chain([&mut fill]).filter(|draft| draft.has(step.of())) {
        transform(&plan, draft, step).map_err(Stopped::Refused)?;
    }
    let count = count.map(Draft::finish).transpose().map_err(Stopped::Bug)?;
    Ok(Lowered { count, fill: fill.finish().map_err(Stopped::Bug)?, plan })
}

fn transform(plan: &iterate::Plan, draft: &mut Draft, step: &Step) -> Result<(), Refusal> {
    match step {
        Step::Split { of, outer, inner, size } => {
            split::strips(plan, draft, of, [outer, inner], split::Cut::EveryStrip(*size))
        }
        Step::Divide { of, outer, inner, parts } => {
            split::strips(plan, draft, of, [outer, inner], split::Cut::Parts(*parts))
        }
        Step::Unroll { of, times } => unroll::unroll(plan, draft, of, *times),
    }
}

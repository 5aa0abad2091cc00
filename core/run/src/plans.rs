//! A cache of the loops of kernels, so that no kernel is planned twice.

use std::sync::{
    Arc, Mutex, OnceLock, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    Compile, Compiled,
    request::{Origin, Request},
};
use nnz_backend::{BackendError, Brief, FloatOrder, Target};
use nnz_kernel::{Kernel, Schedule};
use nnz_plan::{
    lower::{self, Lowered, Seal},
    schedule::{self, ScheduleError},
};

/// The number of plans that are kept. They belong to one place in a text, whose sizes or scalars change from run to
/// run.
const MOST_PLANS: usize = 16;

/// A cache from kernels to their loops or a refusal. A kernel holds all that planning needs: shapes, encodings, the
/// expression.
#[derive(Default)]
pub struct Plans {
    /// The latest last.
    made: Vec<Made>,
}

struct Made {
    kernel: Kernel,
    schedule: Schedule,
    origin: Origin,
    lowered: Result<Arc<Planned>, ScheduleError>,
}

impl Made {
    fn new(kernel: &Kernel, Request { schedule, origin, .. }: Request<'_>) -> Made {
        let planned = |lowered| Arc::new(Planned::new(kernel.clone(), lowered));
        let lowered = lower_anew(kernel, schedule, origin).map(planned);
        Made { kernel: kernel.clone(), schedule: schedule.clone(), origin, lowered }
    }

    fn is_of(&self, kernel: &Kernel, request: Request<'_>) -> bool {
        self.origin == request.origin && self.kernel == *kernel && self.schedule == *request.schedule
    }
}

impl Plans {
    pub fn is_empty(&self) -> bool {
        self.made.is_empty()
    }

    /// Which loops are kept.
    pub fn seals(&self) -> impl Iterator<Item = Seal> {
        self.made.iter().filter_map(|made| made.lowered.as_ref().ok()).map(|planned| planned.lowered.seal())
    }

    /// Whether the kernel was planned before.
    pub fn know(&self, request: Request<'_>) -> bool {
        self.made.iter().any(|made| made.is_of(request.kernel, request))
    }

    /// The loops of the request's kernel, if it was planned before and nothing has to be made or reported first.
    pub(super) fn plain(&mut self, request: Request<'_>) -> Option<Arc<Planned>> {
        let is_plain = |made: &Made| made.lowered.as_ref().is_ok_and(|planned| planned.plain.load(Ordering::Relaxed));
        let at = self
            .made
            .iter()
            .position(|made| made.is_of(request.kernel, request))
            .filter(|at| is_plain(&self.made[*at]))?;
        // The latest last.
        self.made[at..].rotate_left(1);
        self.made.last().and_then(|made| made.lowered.as_ref().ok().cloned())
    }

    /// The loops of `kernel`, which the kernel of the request was rewritten to.
    pub(super) fn lowered(&mut self, kernel: &Kernel, request: Request<'_>) -> Result<Arc<Planned>, ScheduleError> {
        let made = match self.made.iter().position(|made| made.is_of(kernel, request)) {
            Some(at) => self.made.remove(at),
            None => Made::new(kernel, request),
        };
        let lowered = made.lowered.clone();
        let surplus = (self.made.len() + 1).saturating_sub(MOST_PLANS);
        self.made.drain(..surplus);
        self.made.push(made);
        lowered
    }
}

fn lower_anew(kernel: &Kernel, schedule: &Schedule, origin: Origin) -> Result<Lowered, ScheduleError> {
    match origin {
        Origin::Session => schedule::lower(kernel, schedule),
        Origin::Body => Ok(lower::lower_body(kernel)?),
    }
}

/// The loops of a kernel, and the code that was made of them last.
pub(super) struct Planned {
    pub(super) kernel: Kernel,
    pub(super) lowered: Lowered,
    /// It takes its operands as they are, whatever their values, and has no costs to report.
    plain: AtomicBool,
    /// The points that they have visited.
    points: AtomicU64,
    code: Mutex<Option<Code>>,
    /// For short runs in the interpreter.
    brief: OnceLock<Arc<Compiled>>,
}

struct Code {
    target: (Target, FloatOrder),
    compiled: Arc<Compiled>,
}

impl Planned {
    fn new(kernel: Kernel, lowered: Lowered) -> Planned {
        Planned {
            kernel,
            lowered,
            plain: AtomicBool::new(false),
            points: AtomicU64::new(0),
            code: Mutex::new(None),
            brief: OnceLock::new(),
        }
    }

    pub(super) fn mark_plain(&self) {
        self.plain.store(true, Ordering::Relaxed);
    }

    pub(super) fn count(&self, points: u64) {
        self.points.fetch_add(points, Ordering::Relaxed);
    }

    pub(super) fn points_so_far(&self) -> u64 {
        self.points.load(Ordering::Relaxed)
    }

    /// The code for short runs.
    pub(super) fn brief(&self, backend: Brief) -> Result<Arc<Compiled>, BackendError> {
        if let Some(known) = self.brief.get() {
            return Ok(known.clone());
        }
        let compiled = Arc::new(Compiled::new(&self.lowered, &backend)?);
        Ok(self.brief.get_or_init(|| compiled).clone())
    }

    /// The code for a target, compiled unless it was before.
    pub(super) fn code(
        &self,
        target: (Target, FloatOrder),
        compile: &mut Compile<'_>,
    ) -> Result<Arc<Compiled>, BackendError> {
        let mut code = self.code.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = code.as_ref().filter(|code| code.target == target) {
            return Ok(known.compiled.clone());
        }
        let compiled = Arc::new(Compiled::by(&self.lowered, compile)?);
        *code = Some(Code { target, compiled: compiled.clone() });
        Ok(compiled)
    }
}

//! Runs a prepared kernel once, in the faster way: making machine code takes longer than running a small kernel in the
//! interpreter.

use super::{Compiled, Hidden, Means, Prepared, RunError};
use nnz_backend::{BackendError, Brief, Cache, FloatOrder, Target, expected, resolved};
use nnz_base::arrays::Values;
use nnz_storage::Storage;

/// Kernels that have run fewer points are interpreted. Measured roughly: the interpreter takes 0.3 microseconds per
/// point, and making machine code takes 20 to 100 milliseconds.
const MACHINE_CODE_FROM: u64 = 1 << 16;

/// Which code runs kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter for short runs, else machine code.
    #[default]
    Adaptive,
    MachineCode,
    Interpreter,
}

impl Engine {
    /// The target of long runs, and of the code that is shown.
    pub fn target(self) -> Target {
        match self {
            Engine::Adaptive | Engine::MachineCode => Target::Cpu,
            Engine::Interpreter => Target::Interpreter,
        }
    }
}

impl From<Target> for Engine {
    fn from(target: Target) -> Engine {
        match target {
            Target::Interpreter => Engine::Interpreter,
            Target::Cpu => Engine::MachineCode,
        }
    }
}

/// How a kernel is run.
#[derive(Clone, Copy)]
pub struct Launch<'l> {
    pub engine: Engine,
    pub order: FloatOrder,
    pub cache: &'l Cache,
    pub means: Means,
}

/// One run by some code.
type Run<'r, T> = dyn Fn(&Compiled) -> Result<T, RunError> + 'r;

impl Prepared<'_> {
    /// Runs once, for a tensor. Costs of code are reported before they arise.
    ///
    /// # Errors
    /// As [`super::run`]; a function that no back end takes.
    pub fn run(&self, launch: Launch<'_>, tell: &mut dyn FnMut(Hidden)) -> Result<Storage, RunError> {
        let run = |code: &Compiled| super::run(self.lowered(), code, &self.operands(), launch.means);
        self.launched(launch, &run, tell)
    }

    /// Runs once, for the values of a dense tensor in the order of its levels; for a number, one value.
    ///
    /// # Errors
    /// As [`Prepared::run`].
    pub fn run_values(&self, launch: Launch<'_>, tell: &mut dyn FnMut(Hidden)) -> Result<Values, RunError> {
        let run = |code: &Compiled| super::run_values(self.lowered(), code, &self.operands(), launch.means);
        self.launched(launch, &run, tell)
    }

    /// Whether the next run is short enough for the interpreter, judging by the operands.
    pub fn is_short(&self, engine: Engine) -> bool {
        engine == Engine::Adaptive
            && self.outline().planned.points_so_far().saturating_add(self.points()) < MACHINE_CODE_FROM
    }

    fn launched<T>(&self, launch: Launch<'_>, run: &Run<'_, T>, tell: &mut dyn FnMut(Hidden)) -> Result<T, RunError> {
        let is_short = self.is_short(launch.engine);
        self.outline().planned.count(self.points());
        if is_short && expected(launch.engine.target())? == Target::Cpu {
            match run(&*self.outline().planned.brief(Brief { order: launch.order, most_steps: MACHINE_CODE_FROM })?) {
                // The estimate was too low.
                Err(RunError::Backend(BackendError::TooManySteps)) => {}
                result => return result,
            }
        }
        if launch.engine.target() == Target::Cpu && resolved(Target::Cpu) == Target::Interpreter {
            tell(self.interpreted(&"nnz cannot make machine code here"));
        }
        let code = self.compile((launch.engine.target(), launch.order), launch.cache, tell)?;
        run(&code)
    }
}

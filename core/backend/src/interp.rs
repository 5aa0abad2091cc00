//! The reference interpreter. It runs verified loops as written, statement by statement, in the arithmetic
//! that `loops::types` defines. It is simple and slow on purpose. It reports accesses outside an array, reads of
//! entries that were never written, and races between iterations of a parallel loop or threads of a kernel.

mod cells;
mod kernel;
mod memory;
mod races;
mod steps;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Argument, Backend, BackendError, Executable, FloatOrder, Form, Target, arguments, passed};
use cells::{Cell, binary, cast, ill_typed, unary};
use memory::Slot;
use nnz_base::element::Scalar;
use nnz_loops::{
    ArrayId, AtomicOp, Binary, Expr, ExprId, ForKind, Function, Module, Space, Stmt, Type, Verified, scalar, typing,
};
use races::Watch;
pub use steps::Recorder;

/// The back end that is always available.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter;

impl Interpreter {
    /// Runs any verified loops, parsed ones too: every access is checked.
    ///
    /// # Errors
    /// Arguments that do not fit; an access outside an array; iterations of a parallel loop that write the same entry.
    pub fn run(
        function: &Verified<Function>,
        arrays: &mut [Argument<'_>],
        scalars: &[Scalar],
    ) -> Result<(), BackendError> {
        Program::of(function, u64::MAX).run(arrays, scalars)
    }

    /// Runs a host function of a module, which launches the module's kernels.
    ///
    /// # Errors
    /// As [`Interpreter::run`]; the module has no host function of that number; a race in a kernel.
    pub fn run_host(
        module: &Verified<Module>,
        host: usize,
        arrays: &mut [Argument<'_>],
        scalars: &[Scalar],
    ) -> Result<(), BackendError> {
        let missing = || BackendError::Failed(format!("the module has no host function {host}"));
        let function = Code::new(module.host.get(host).ok_or_else(missing)?);
        let kernels = module.kernels.iter().map(Code::new).collect();
        Program { function, kernels, most_steps: u64::MAX }.run(arrays, scalars)
    }
}

// SAFETY: a program is the function itself, and every access is checked.
unsafe impl Backend for Interpreter {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        Ok(Arc::new(Program::of(function, u64::MAX)))
    }
}

/// The interpreter for runs of at most this many loop iterations; longer runs stop with [`BackendError::TooManySteps`].
/// It runs the same loops as machine code, after the same passes.
#[derive(Clone, Copy, Debug)]
pub struct Brief {
    pub order: FloatOrder,
    pub most_steps: u64,
}

// SAFETY: a program is a function with the same results, and every access is checked.
unsafe impl Backend for Brief {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        let function = passed(Form::Run(Target::Cpu, self.order), function)?;
        Ok(Arc::new(Program::of(&function, self.most_steps)))
    }
}

/// A verified function and the types of its expressions.
struct Code {
    function: Function,
    types: Vec<Type>,
}

impl Code {
    fn new(function: &Function) -> Code {
        Code { types: typing::types(function), function: function.clone() }
    }
}

struct Program {
    function: Code,
    /// Those that it may launch.
    kernels: Vec<Code>,
    most_steps: u64,
}

impl Executable for Program {
    unsafe fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], _: usize) -> Result<(), BackendError> {
        Program::run(self, arrays, scalars)
    }
}

impl Program {
    fn of(function: &Function, most_steps: u64) -> Program {
        Program { function: Code::new(function), kernels: Vec::new(), most_steps }
    }

    fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar]) -> Result<(), BackendError> {
        self.watched(Watch::Nothing, arrays, scalars).0
    }

    /// Runs, and returns what was recorded.
    fn watched(
        &self,
        watch: Watch,
        arrays: &mut [Argument<'_>],
        scalars: &[Scalar],
    ) -> (Result<(), BackendError>, Watch) {
        let function = &self.function.function;
        if let Err(unfit) = arguments::check(function, arrays, scalars) {
            return (Err(unfit), watch);
        }
        let scalars: Vec<Cell> =
            function.vars.iter().zip(scalars).map(|(var, scalar)| Cell::of(var.ty, *scalar)).collect();
        let arrays = arrays.iter_mut().map(Slot::of).collect();
        let mut machine = Machine::new(&self.function, &self.kernels, arrays, &scalars);
        (machine.steps_left, machine.watch) = (self.most_steps, watch);
        (machine.block(&function.body), machine.watch)
    }
}

thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// The number of loop iterations that the interpreter has run on this thread.
pub fn steps() -> u64 {
    STEPS.get()
}

/// A function while it runs.
struct Machine<'p, 'r> {
    code: &'p Code,
    kernels: &'p [Code],
    arrays: Vec<Slot<'r>>,
    vars: Vec<Cell>,
    watch: Watch,
    steps_left: u64,
}

impl<'p, 'r> Machine<'p, 'r> {
    /// `arrays` and `scalars` are for its parameters.
    fn new(code: &'p Code, kernels: &'p [Code], mut arrays: Vec<Slot<'r>>, scalars: &[Cell]) -> Self {
        arrays.resize_with(code.function.arrays.len(), || Slot::Absent);
        let mut vars = scalars.to_vec();
        vars.resize(code.function.vars.len(), Cell::Index(0));
        Machine { code, kernels, arrays, vars, watch: Watch::Nothing, steps_left: u64::MAX }
    }

    /// Counts an iteration of a loop.
    fn step(&mut self) -> Result<(), BackendError> {
        STEPS.set(STEPS.get().wrapping_add(1));
        self.steps_left = self.steps_left.checked_sub(1).ok_or(BackendError::TooManySteps)?;
        Ok(())
    }

    fn block(&mut self, block: &'p [Stmt]) -> Result<(), BackendError> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    /// Sets a variable.
    fn set(&mut self, var: usize, value: Cell) {
        self.watch.set(var, value);
        self.vars[var] = value;
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> Result<(), BackendError> {
        self.watch.begin(stmt)?;
        match stmt {
            Stmt::Let { var, value } | Stmt::Mut { var, value } | Stmt::Assign { var, value } => {
                let value = self.eval(*value)?;
                self.set(var.index(), value);
                Ok(())
            }
            Stmt::Store { array, index, value } => {
                let (at, value) = (self.index(*index)?, self.eval(*value)?);
                self.store(*array, at, value)
            }
            Stmt::Sort { array, lo, hi } => {
                let (lo, hi) = (self.index(*lo)?, self.index(*hi)?);
                self.sort(*array, lo..hi)
            }
            Stmt::LoadVector { vars, array, index } => {
                let start = self.aligned(*array, *index, vars.len())?;
                for (at, var) in (start..).zip(vars) {
                    let value = self.load(*array, at)?;
                    self.set(var.index(), value);
                }
                Ok(())
            }
            Stmt::StoreVector { array, index, values } => {
                let start = self.aligned(*array, *index, values.len())?;
                let values = values.iter().map(|value| self.eval(*value)).collect::<Result<Vec<Cell>, _>>()?;
                (start..).zip(values).try_for_each(|(at, value)| self.store(*array, at, value))
            }
            Stmt::Atomic { op, array, index, value, old } => {
                let (at, value) = (self.index(*index)?, self.eval(*value)?);
                let before = self.atomic(*op, *array, at, value)?;
                old.iter().for_each(|old| self.set(old.index(), before));
                Ok(())
            }
            Stmt::Alloc { array } => self.alloc(*array),
            Stmt::Copy { from, to, len } => self.copy(*from, *to, self.index(*len)?),
            Stmt::Launch(launch) => self.launch(launch),
            Stmt::For { var, lo, hi, kind, body } => {
                let (lo, hi) = (self.index(*lo)?, self.index(*hi)?);
                self.iterate(stmt, var.index(), lo..hi, *kind, body)
            }
            Stmt::While { cond, body } => {
                while self.truth(*cond)? {
                    self.step()?;
                    self.block(body)?;
                    self.watch.begin(stmt)?;
                }
                Ok(())
            }
            Stmt::If { cond, then, other } => {
                let branch = if self.truth(*cond)? { then } else { other };
                self.block(branch)
            }
            Stmt::Comment(_) => Ok(()),
            // Threads stop there: `kernel`.
            Stmt::Barrier | Stmt::Shuffle { .. } => {
                Err(BackendError::Failed(format!("{} outside a kernel", stmt.construct())))
            }
        }
    }

    fn iterate(
        &mut self,
        stmt: &Stmt,
        var: usize,
        range: std::ops::Range<i64>,
        kind: ForKind,
        body: &'p [Stmt],
    ) -> Result<(), BackendError> {
        let races = kind.is_parallel() && !self.watch.is_steps();
        if races {
            self.watch = Watch::iterations();
        }
        for at in range {
            self.step()?;
            self.watch.begin(stmt)?;
            self.set(var, Cell::Index(at));
            if races {
                self.watch.iteration(at);
            }
            self.block(body)?;
        }
        if races {
            self.watch = Watch::Nothing;
        }
        Ok(())
    }

    fn eval(&self, id: ExprId) -> Result<Cell, BackendError> {
        Ok(match self.code.function.expr(id) {
            Expr::Index(number) => Cell::Index(*number),
            Expr::Bool(truth) => Cell::Bool(*truth),
            Expr::Value(element, scalar) => Cell::Value(scalar::rounded(*element, *scalar)),
            Expr::Var(var) => self.vars[var.index()],
            Expr::Load { array, index } => self.load(*array, self.index(*index)?)?,
            Expr::Unary(op, a) => unary(*op, self.type_of(*a), self.eval(*a)?),
            Expr::Binary(op, a, b) => self.binary(*op, *a, *b)?,
            Expr::Select { cond, then, other } => {
                let branch = if self.truth(*cond)? { *then } else { *other };
                self.eval(branch)?
            }
            Expr::Cast { to, from } => cast(*to, self.eval(*from)?),
        })
    }

    /// `&&` and `||` evaluate both sides only where the first does not decide.
    fn binary(&self, op: Binary, a: ExprId, b: ExprId) -> Result<Cell, BackendError> {
        let left = self.eval(a)?;
        match (op, left) {
            (Binary::And, Cell::Bool(false)) | (Binary::Or, Cell::Bool(true)) => Ok(left),
            _ => Ok(binary(op, self.type_of(a), left, self.eval(b)?)),
        }
    }

    fn type_of(&self, id: ExprId) -> Type {
        self.code.types[id.index()]
    }
    fn index(&self, id: ExprId) -> Result<i64, BackendError> {
        self.eval(id)?.index()
    }
    fn truth(&self, id: ExprId) -> Result<bool, BackendError> {
        self.eval(id)?.truth()
    }
}

//! The reference interpreter. It runs verified loops as written, statement by statement, in the arithmetic
//! that `loops::types` defines. It is simple and slow on purpose. It reports accesses outside an array, and
//! parallel loops whose iterations write the same entry.

use std::collections::HashMap;

use super::{Argument, Backend, BackendError, Executable, arguments};
use nnz_base::{arrays::IndexArray, element::Scalar, memory};
use nnz_loops::{ArrayId, Binary, Expr, ExprId, ForKind, Function, Stmt, Type, Unary, Verified, scalar, typing};

/// The back end that is always available.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter;

impl Backend for Interpreter {
    fn compile(&self, function: &Verified<Function>) -> Result<Box<dyn Executable>, BackendError> {
        Ok(Box::new(Program { types: typing::types(function), function: function.clone() }))
    }
}

struct Program {
    function: Verified<Function>,
    types: Vec<Type>,
}

impl Executable for Program {
    fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], _threads: usize) -> Result<(), BackendError> {
        arguments::check(&self.function, arrays, scalars)?;
        let mut vars = vec![Cell::Index(0); self.function.vars.len()];
        for ((slot, var), scalar) in vars.iter_mut().zip(&self.function.vars).zip(scalars) {
            *slot = Cell::of(var.ty, *scalar);
        }
        let mut machine = Machine { program: self, arrays, vars, writers: None };
        machine.block(&self.function.body)
    }
}

thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many iterations of loops the interpreter has gone through on this thread.
pub fn steps() -> u64 {
    STEPS.get()
}

fn count_step() {
    STEPS.set(STEPS.get().wrapping_add(1));
}

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Bool(bool),
    Index(i64),
    Value(Scalar),
}

impl Cell {
    fn of(ty: Type, scalar: Scalar) -> Cell {
        match (ty, scalar) {
            (Type::Index, Scalar::Int(number)) => Cell::Index(number as i64),
            _ => Cell::Value(scalar),
        }
    }
}

struct Machine<'p, 'r, 'a> {
    program: &'p Program,
    arrays: &'r mut [Argument<'a>],
    vars: Vec<Cell>,
    /// Inside a parallel loop.
    writers: Option<Writers>,
}

/// Which iteration of the parallel loop wrote each entry.
#[derive(Default)]
struct Writers {
    iteration: i64,
    of_entry: HashMap<(ArrayId, i64), i64>,
}

impl Machine<'_, '_, '_> {
    fn block(&mut self, block: &[Stmt]) -> Result<(), BackendError> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), BackendError> {
        match stmt {
            Stmt::Let { var, value } | Stmt::Mut { var, value } | Stmt::Assign { var, value } => {
                self.vars[var.index()] = self.eval(*value)?;
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
            Stmt::For { var, lo, hi, kind, body } => {
                let (lo, hi) = (self.index(*lo)?, self.index(*hi)?);
                self.iterate(var.index(), lo..hi, *kind, body)
            }
            Stmt::While { cond, body } => {
                while self.truth(*cond)? {
                    count_step();
                    self.block(body)?;
                }
                Ok(())
            }
            Stmt::If { cond, then, other } => {
                let branch = if self.truth(*cond)? { then } else { other };
                self.block(branch)
            }
            Stmt::Comment(_) => Ok(()),
        }
    }

    fn iterate(
        &mut self,
        var: usize,
        range: std::ops::Range<i64>,
        kind: ForKind,
        body: &[Stmt],
    ) -> Result<(), BackendError> {
        if kind.is_parallel() {
            self.writers = Some(Writers::default());
        }
        for at in range {
            count_step();
            self.vars[var] = Cell::Index(at);
            if let Some(writers) = self.writers.as_mut().filter(|_| kind.is_parallel()) {
                writers.iteration = at;
            }
            self.block(body)?;
        }
        if kind.is_parallel() {
            self.writers = None;
        }
        Ok(())
    }

    fn eval(&self, id: ExprId) -> Result<Cell, BackendError> {
        Ok(match self.program.function.expr(id) {
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
        self.program.types[id.index()]
    }
    fn index(&self, id: ExprId) -> Result<i64, BackendError> {
        match self.eval(id)? {
            Cell::Index(number) => Ok(number),
            other => Err(ill_typed(other)),
        }
    }
    fn truth(&self, id: ExprId) -> Result<bool, BackendError> {
        match self.eval(id)? {
            Cell::Bool(truth) => Ok(truth),
            other => Err(ill_typed(other)),
        }
    }

    fn load(&self, id: ArrayId, at: i64) -> Result<Cell, BackendError> {
        let entry = usize::try_from(at).ok().and_then(|at| match &self.arrays[id.index()] {
            Argument::Values(values) => values.get(at).map(Cell::Value),
            Argument::ValuesMut(values) => values.get(at).map(Cell::Value),
            Argument::Indices(indices) => index_at(indices, at),
            Argument::IndicesMut(indices) => index_at(indices, at),
        });
        entry.ok_or_else(|| self.outside(id, at))
    }

    fn store(&mut self, id: ArrayId, at: i64, value: Cell) -> Result<(), BackendError> {
        self.check_writer(id, at)?;
        let inside = usize::try_from(at).ok().filter(|at| *at < self.len(id));
        let Some(entry) = inside else { return Err(self.outside(id, at)) };
        match (&mut self.arrays[id.index()], value) {
            (Argument::ValuesMut(values), Cell::Value(scalar)) => values.set(entry, scalar),
            (Argument::IndicesMut(indices), Cell::Index(number)) => indices.set(entry, number as u64),
            _ => return Err(ill_typed(value)),
        }
        Ok(())
    }

    fn sort(&mut self, id: ArrayId, range: std::ops::Range<i64>) -> Result<(), BackendError> {
        let number = |at| match self.load(id, at)? {
            Cell::Index(number) => Ok(number),
            other => Err(ill_typed(other)),
        };
        let mut numbers = range.clone().map(number).collect::<Result<Vec<_>, BackendError>>()?;
        numbers.sort_unstable();
        range.zip(numbers).try_for_each(|(at, number)| self.store(id, at, Cell::Index(number)))
    }

    fn check_writer(&mut self, id: ArrayId, at: i64) -> Result<(), BackendError> {
        let Some(writers) = &mut self.writers else { return Ok(()) };
        if writers.of_entry.len() == writers.of_entry.capacity() {
            let more = writers.of_entry.len().max(1);
            memory::ask(|| writers.of_entry.try_reserve(more), more * size_of::<((ArrayId, i64), i64)>())?;
        }
        let first = *writers.of_entry.entry((id, at)).or_insert(writers.iteration);
        if first == writers.iteration {
            return Ok(());
        }
        let (name, now) = (&self.program.function.array(id).name, writers.iteration);
        let problem = format!("iterations {first} and {now} of a parallel loop both write `{name}[{at}]`");
        Err(BackendError::Failed(problem))
    }

    fn outside(&self, id: ArrayId, at: i64) -> BackendError {
        let (name, len) = (&self.program.function.array(id).name, self.len(id));
        BackendError::Failed(format!("`{name}[{at}]` is outside the array, which has {len} entries"))
    }

    fn len(&self, id: ArrayId) -> usize {
        match &self.arrays[id.index()] {
            Argument::Values(values) => values.len(),
            Argument::ValuesMut(values) => values.len(),
            Argument::Indices(indices) => indices.len(),
            Argument::IndicesMut(indices) => indices.len(),
        }
    }
}

fn index_at(indices: &IndexArray, at: usize) -> Option<Cell> {
    (at < indices.len()).then(|| Cell::Index(indices.at(at) as i64))
}

fn ill_typed(cell: Cell) -> BackendError {
    BackendError::Failed(format!("{cell:?} is of the wrong type here"))
}

fn unary(op: Unary, ty: Type, cell: Cell) -> Cell {
    match (ty, cell) {
        (_, Cell::Bool(truth)) => Cell::Bool(!truth),
        (_, Cell::Index(number)) => Cell::Index(match op {
            Unary::Abs => number.wrapping_abs(),
            _ => number.wrapping_neg(),
        }),
        (Type::Element(element), Cell::Value(value)) => Cell::Value(scalar::unary(op, element, value)),
        (_, Cell::Value(value)) => Cell::Value(value),
    }
}

fn binary(op: Binary, ty: Type, left: Cell, right: Cell) -> Cell {
    match (ty, left, right) {
        (_, Cell::Bool(a), Cell::Bool(b)) => Cell::Bool(match op {
            Binary::And => a && b,
            Binary::Or => a || b,
            Binary::Eq => a == b,
            _ => a != b,
        }),
        (_, Cell::Index(a), Cell::Index(b)) => match scalar::compare(op, a.partial_cmp(&b)) {
            Some(truth) => Cell::Bool(truth),
            None => Cell::Index(scalar::index(op, a, b)),
        },
        (Type::Element(element), Cell::Value(a), Cell::Value(b)) => match scalar::compare(op, scalar::order(a, b)) {
            Some(truth) => Cell::Bool(truth),
            None => Cell::Value(scalar::binary(op, element, a, b)),
        },
        _ => left,
    }
}

fn cast(to: Type, cell: Cell) -> Cell {
    let scalar = match cell {
        Cell::Index(number) => Scalar::Int(i128::from(number)),
        Cell::Value(scalar) => scalar,
        Cell::Bool(_) => return cell,
    };
    match to {
        Type::Index => Cell::Index(scalar::to_index(scalar)),
        Type::Element(element) => Cell::Value(scalar::convert(element, scalar)),
        Type::Bool => cell,
    }
}

//! Records a run step by step for people: which statement runs, what it sets, which entries it reads and stores.

use std::sync::{Arc, Mutex, PoisonError};

use super::{ArrayId, Cell, Function, Program, Scalar, Stmt, Type, Watch};
use crate::{Argument, Backend, BackendError, Executable};
use nnz_base::element::Element;
use nnz_loops::{
    ArrayType, VarId, Verified,
    lines::Lines,
    trace::{Noted, Step, Touched, Trace},
};

/// The interpreter, with a record of at most this many steps.
pub struct Recorder {
    trace: Arc<Mutex<Trace>>,
    most_steps: usize,
}

impl Recorder {
    pub fn new(most_steps: usize) -> Recorder {
        Recorder { trace: Arc::default(), most_steps }
    }

    /// What was recorded so far.
    pub fn trace(&self) -> Trace {
        self.trace.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

// SAFETY: a program is the function itself, and every access is checked.
unsafe impl Backend for Recorder {
    fn compile(&self, function: &Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> {
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        let first_line = trace.text.lines().count();
        trace.text += &function.to_string();
        let program = Program::of(function, u64::MAX);
        Ok(Arc::new(Recorded { program, first_line, trace: self.trace.clone(), most_steps: self.most_steps }))
    }
}

struct Recorded {
    program: Program,
    first_line: usize,
    trace: Arc<Mutex<Trace>>,
    most_steps: usize,
}

impl Executable for Recorded {
    unsafe fn run(&self, arrays: &mut [Argument<'_>], scalars: &[Scalar], _: usize) -> Result<(), BackendError> {
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        let function = &self.program.function.function;
        let room = self.most_steps.saturating_sub(trace.steps.len());
        let steps = Steps { lines: Lines::of(function), made: Vec::new(), room };
        let (ended, watch) = self.program.watched(Watch::Steps(steps.into()), arrays, scalars);
        if let Watch::Steps(steps) = watch {
            let told = Told { function, first_line: self.first_line };
            trace.steps.extend(steps.into_inner().made.into_iter().map(|made| told.step(made)));
        }
        trace.is_cut |= matches!(ended, Err(BackendError::TooManySteps));
        ended
    }
}

/// The record while the function runs.
pub(super) struct Steps {
    lines: Lines,
    made: Vec<Made>,
    room: usize,
}

/// A step by the numbers of variables and arrays.
struct Made {
    line: usize,
    set: Vec<(usize, Cell)>,
    touched: Vec<(ArrayId, i64, bool, Cell)>,
}

impl Steps {
    /// # Errors
    /// There is no room for another one.
    pub(super) fn begin(&mut self, stmt: &Stmt) -> Result<(), BackendError> {
        if matches!(stmt, Stmt::Comment(_)) {
            return Ok(());
        }
        self.room = self.room.checked_sub(1).ok_or(BackendError::TooManySteps)?;
        let line = self.lines.get(stmt).unwrap_or_default();
        self.made.push(Made { line, set: Vec::new(), touched: Vec::new() });
        Ok(())
    }

    pub(super) fn set(&mut self, var: usize, value: Cell) {
        if let Some(step) = self.made.last_mut() {
            step.set.push((var, value));
        }
    }

    pub(super) fn touched(&mut self, array: ArrayId, at: i64, is_store: bool, value: Cell) {
        if let Some(step) = self.made.last_mut() {
            step.touched.push((array, at, is_store, value));
        }
    }
}

/// Puts names for numbers.
struct Told<'f> {
    function: &'f Function,
    first_line: usize,
}

impl Told<'_> {
    fn step(&self, made: Made) -> Step {
        let set = made.set.into_iter().map(|(var, cell)| self.set(var, cell)).collect();
        let touched = made.touched.into_iter().map(|(array, at, is_store, cell)| {
            let declared = self.function.array(array);
            let element = if let ArrayType::Values(element) = declared.ty { Some(element) } else { None };
            Touched { array: declared.name.clone(), at, is_store, value: noted(cell, element) }
        });
        Step { line: self.first_line + made.line, set, touched: touched.collect() }
    }

    fn set(&self, var: usize, cell: Cell) -> (String, Noted) {
        let var = self.function.var(VarId::new(var));
        let element = if let Type::Element(element) = var.ty { Some(element) } else { None };
        (var.name.clone(), noted(cell, element))
    }
}

fn noted(cell: Cell, element: Option<Element>) -> Noted {
    match cell {
        Cell::Bool(truth) => Noted::Truth(truth),
        Cell::Index(number) => Noted::Index(number),
        Cell::Value(scalar) => Noted::Value(element.unwrap_or(Element::F64), scalar),
    }
}

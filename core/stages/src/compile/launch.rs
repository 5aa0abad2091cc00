//! Runs a function of stage III as loops.

use std::{sync::Arc, time::Instant};

use nnz_backend::{Argument, Backend, BackendError, Brief, Cache, Executable, FloatOrder, Target, expected};
use nnz_base::{
    arrays::{IndexArray, Values},
    diagnostic::{Code, Diagnostic},
    element::Scalar,
    ids::FileId,
};
use nnz_tir::model::{BufferId, Function, VariableId};

use super::{Compiled, Known, Uncompiled, arrays::Binding, compile, faults::NOTED};
use crate::{
    array::Arrays,
    fault::{Done, unread},
    machine::Machine,
    run::{Limits, bound},
};

/// What runs the loops.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    pub target: Target,
    /// Short runs take the interpreter, which is quicker than to make machine code.
    pub is_brief: bool,
    pub order: FloatOrder,
    pub threads: usize,
}

/// What came of a function.
pub enum Ran {
    /// The arrays that it has written.
    As(Arrays),
    /// It does not become loops, and has not run.
    Not(Uncompiled),
}

/// So many elements are worth a second thread.
const WORTH_A_THREAD: usize = 1 << 13;

/// Runs over arrays of so many elements may be short, and are if they take no more steps than these.
const SHORT: usize = 1 << 12;
const MOST_STEPS: u64 = 1 << 16;

/// Runs a function of stage III over arrays as [`crate::run()`] does, as loops.
///
/// # Errors
/// As [`crate::run()`]; what a back end refuses.
pub fn run_compiled(
    function: &Function,
    arrays: &Arrays,
    limits: Limits,
    means: Means,
) -> Result<Ran, Box<Diagnostic>> {
    let mut machine = bound(function, arrays, limits)?;
    let compiled = match made(&machine)? {
        Ok(compiled) => compiled,
        Err(why) => return Ok(Ran::Not(why)),
    };
    if means.is_brief && means.target == Target::Cpu && expected(Target::Cpu) == Ok(Target::Cpu) {
        let brief = Brief { order: means.order, most_steps: MOST_STEPS }.compile(&compiled.loops);
        let code = brief.map_err(|error| broken(function, &error))?;
        if let Some(found) = short(&mut bound(function, arrays, limits)?, (&compiled, &code), arrays)? {
            return Ok(Ran::As(found));
        }
    }
    let code = match code(function, &compiled, means)? {
        Ok(code) => code,
        Err(why) => return Ok(Ran::Not(why)),
    };
    let mut bound = Bound::new(&mut machine, &compiled);
    bound.call(&code, means.threads).map_err(|error| broken(function, &error))?;
    bound.end()?;
    machine.results(arrays).map(Ran::As)
}

/// How long the loops of a function take, in seconds, each of so many times over what the time before has left.
///
/// # Errors
/// As [`run_compiled`]; a function that does not become loops.
pub fn time_compiled(
    function: &Function,
    arrays: &Arrays,
    (means, times): (Means, usize),
) -> Result<Vec<f64>, Box<Diagnostic>> {
    let mut machine = bound(function, arrays, Limits::default())?;
    let not = |why: Uncompiled| Box::new(unread(why.place, why.why));
    let compiled = made(&machine)?.map_err(not)?;
    let code = code(function, &compiled, means)?.map_err(not)?;
    let mut bound = Bound::new(&mut machine, &compiled);
    let mut run = || {
        let start = Instant::now();
        bound.call(&code, means.threads).map_err(|error| broken(function, &error))?;
        Ok(start.elapsed().as_secs_f64())
    };
    (0..times).map(|_| run()).collect()
}

/// The loops of a function over its arrays.
fn made(machine: &Machine<'_>) -> Done<Result<Compiled, Uncompiled>> {
    let known = Known::measured(&machine.scalars, &machine.memory);
    compile(machine.function, &known, machine.steps)
}

fn code(function: &Function, compiled: &Compiled, means: Means) -> Done<Result<Arc<dyn Executable>, Uncompiled>> {
    match Cache::new(1).compile(means.target, means.order, &compiled.loops) {
        Ok(code) => Ok(Ok(code)),
        Err(BackendError::Unsupported { reason, .. } | BackendError::Unavailable { reason, .. }) => {
            Ok(Err(Uncompiled { place: function.place.0, why: reason }))
        }
        Err(error) => Err(broken(function, &error)),
    }
}

/// A run of few steps; `None` if it takes more.
fn short(
    machine: &mut Machine<'_>,
    (compiled, code): (&Compiled, &Arc<dyn Executable>),
    arrays: &Arrays,
) -> Done<Option<Arrays>> {
    let function = machine.function;
    if machine.memory.iter().flatten().any(|values| values.len() > SHORT) {
        return Ok(None);
    }
    let mut bound = Bound::new(machine, compiled);
    match bound.call(code, 1) {
        Err(BackendError::TooManySteps) => Ok(None),
        Err(error) => Err(broken(function, &error)),
        Ok(()) => {
            bound.end()?;
            machine.results(arrays).map(Some)
        }
    }
}

fn broken(function: &Function, error: &BackendError) -> Box<Diagnostic> {
    let told = Diagnostic::new(error.code(), FileId(0), function.place.0, error.to_string());
    let told = told.label("it did not run as loops");
    Box::new(match error.loops() {
        Some(loops) => told.help(loops),
        None if error.code() == Code::CompilerBug => told,
        None => told.help("`--stage 2` runs it without loops"),
    })
}

/// The array of a parameter.
enum Taken {
    Read(Values),
    Written(BufferId, Values),
    Structure(IndexArray),
    Faults(IndexArray),
}

/// Loops over the arrays that they were made for.
struct Bound<'b, 'f> {
    machine: &'b mut Machine<'f>,
    compiled: &'b Compiled,
    arrays: Vec<Taken>,
    scalars: Vec<Scalar>,
}

impl<'b, 'f> Bound<'b, 'f> {
    /// Takes the arrays of a machine; those that are written come back with [`Bound::end`].
    fn new(machine: &'b mut Machine<'f>, compiled: &'b Compiled) -> Bound<'b, 'f> {
        let number = |id: &VariableId| machine.scalars[id.index()].unwrap_or(Scalar::Int(0));
        let scalars = compiled.scalars.iter().map(number).collect();
        let arrays = compiled.arrays.iter().map(|binding| taken(machine, *binding)).collect();
        Bound { machine, compiled, arrays, scalars }
    }

    fn call(&mut self, code: &Arc<dyn Executable>, threads: usize) -> Result<(), BackendError> {
        let most = self.arrays.iter().map(Taken::len).max().unwrap_or(0);
        let threads = threads.min(most / WORTH_A_THREAD + 1);
        let mut arguments: Vec<Argument<'_>> = self.arrays.iter_mut().map(Taken::argument).collect();
        // SAFETY: the code is of these loops. They were made for these arrays and numbers: every access that those do not
        // keep inside its array is guarded, and the iterations of each parallel loop are proven to be independent.
        unsafe { code.run(&mut arguments, &self.scalars, threads) }
    }

    /// What the function did wrong is an error.
    fn end(self) -> Done<()> {
        let Bound { machine, compiled, arrays, .. } = self;
        for taken in arrays {
            match taken {
                Taken::Written(id, values) => machine.memory[id.index()] = Some(values),
                Taken::Faults(IndexArray::U64(noted)) => {
                    compiled.faults.told(machine.function, &noted).map_or(Ok(()), Err)?;
                }
                Taken::Read(_) | Taken::Structure(_) | Taken::Faults(_) => {}
            }
        }
        Ok(())
    }
}

fn taken(machine: &mut Machine<'_>, binding: Binding) -> Taken {
    let mut values = |id: BufferId| machine.memory[id.index()].take();
    match binding {
        Binding::Faults => Taken::Faults(IndexArray::U64(vec![0; NOTED])),
        Binding::Structure(id) => Taken::Structure(natural(values(id))),
        Binding::Values(id) => {
            let values = values(id).unwrap_or_else(|| Values::F64(Vec::new()));
            let is_written = crate::bind::written(machine.function).contains(&id);
            if is_written { Taken::Written(id, values) } else { Taken::Read(values) }
        }
    }
}

impl Taken {
    fn len(&self) -> usize {
        match self {
            Taken::Read(values) | Taken::Written(_, values) => values.len(),
            Taken::Structure(numbers) | Taken::Faults(numbers) => numbers.len(),
        }
    }
    fn argument(&mut self) -> Argument<'_> {
        match self {
            Taken::Read(values) => Argument::Values(values),
            Taken::Written(_, values) => Argument::ValuesMut(values),
            Taken::Structure(numbers) => Argument::Indices(numbers),
            Taken::Faults(numbers) => Argument::IndicesMut(numbers),
        }
    }
}

/// Whole numbers, none of which is negative, as positions or coordinates.
fn natural(values: Option<Values>) -> IndexArray {
    match values {
        Some(Values::I64(all)) => IndexArray::U64(all.into_iter().map(|number| number as u64).collect()),
        Some(Values::I32(all)) => IndexArray::U32(all.into_iter().map(|number| number as u32).collect()),
        _ => IndexArray::U32(Vec::new()),
    }
}

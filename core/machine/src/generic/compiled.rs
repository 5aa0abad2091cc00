//! Translates a kernel's body into an expression of the compiler, and runs the compiled kernel.
//!
//! It declines what expressions cannot represent, and `direct` evaluates that: maps with divisions,
//! bodies with operations that expressions lack, reductions that are not a function of the old value and one
//! term.

mod captured;
mod draft;
mod expression;
mod plan;
mod reduction;
mod unset;

use std::sync::Arc;

use num_complex::Complex;

use super::{Declined, Generic, PLANNED_FROM};
use crate::{
    Caught, Kernels,
    budget::Budget,
    kept::Plans,
    machine::{Fault, Frame, Machine},
    meaning::Meanings,
    value::{Array, Sparse, Value},
};
use nnz_backend::FloatOrder;
use nnz_base::{diagnostic::Code, element::Scalar, source::Source};
use nnz_kernel::{Expr, Kernel, ReduceOp, Schedule};
use nnz_run::{Blame, Launch, Means, Origin, Prepared, Refusal, Request, RunError};

pub(super) use draft::Draft;
pub(super) use expression::Known;
use plan::Plan;
pub(super) use reduction::{exact, is_identity};

/// The outcome for a kernel.
pub(super) enum Outcome {
    Results(Vec<Value>),
    /// The compiler does not take it.
    Declined(Declined),
    /// A plan is not worth making yet, or there is no point to run.
    TooFew,
}

/// How kernels of programs are prepared.
pub(super) fn request(kernel: &Kernel) -> Request<'_> {
    static NO_STEPS: Schedule = Schedule { steps: Vec::new() };
    Request { kernel, schedule: &NO_STEPS, text: None, origin: Origin::Body }
}

/// Runs the kernel, if expressions can represent it and it is worth a plan.
///
/// # Errors
/// What stops the run; a bug of nnz.
pub(super) fn run(
    machine: &mut Machine<'_>,
    frame: &Frame<'_>,
    generic: &Generic<'_>,
    plans: &mut Plans,
) -> Result<Outcome, Fault> {
    // Loops would store the sums of no terms.
    if generic.points() == 0 || !generic.may_compile(machine.run.options.kernels) {
        return Ok(Outcome::TooFew);
    }
    plans.points = plans.points.saturating_add(generic.points());
    let worth = machine.run.options.kernels == Kernels::Compiled || plans.points >= PLANNED_FROM;
    if !worth && plans.made.is_empty() {
        return Ok(Outcome::TooFew);
    }
    if !generic.has_buffers() {
        return run_on_tensors(machine, frame, generic, (plans, worth));
    }
    let copied = match generic.on_copies(&machine.budget)? {
        Ok(copied) => copied,
        Err(declined) => return Ok(Outcome::Declined(declined)),
    };
    match run_on_tensors(machine, frame, &copied, (plans, worth))? {
        Outcome::Results(results) => {
            drop(copied);
            Ok(Outcome::Results(generic.write_back(&machine.budget, results)?))
        }
        other @ (Outcome::Declined(_) | Outcome::TooFew) => Ok(other),
    }
}

fn run_on_tensors(
    machine: &mut Machine<'_>,
    frame: &Frame<'_>,
    generic: &Generic<'_>,
    (plans, worth): (&mut Plans, bool),
) -> Result<Outcome, Fault> {
    let results = 0..generic.values.len().saturating_sub(generic.inputs);
    let said = results.map(|result| Plan::of((machine.run.source, frame, machine.meanings), generic, result));
    let said: Vec<Plan> = match said.collect::<Result<Vec<_>, Fault>>()?.into_iter().collect() {
        Ok(said) => said,
        Err(declined) => return declined_or_bug(declined),
    };
    if !said.iter().all(|plan| plans.made.know(request(&plan.kernel))) {
        if !worth {
            return Ok(Outcome::TooFew);
        }
        plans.points = 0;
    }
    let mut costs = generic.costs(machine);
    let prepared = said.iter().map(|plan| plan.prepared(&mut plans.made, &mut |cost| costs.tell(cost)));
    match prepared.collect::<Result<Vec<_>, Refusal>>() {
        Ok(prepared) => {
            let results = prepared.iter().zip(&said).enumerate();
            let results = results.map(|(at, (prepared, plan))| run_one(machine, generic, (plan, prepared), at));
            Ok(Outcome::Results(results.collect::<Result<_, _>>()?))
        }
        Err(refusal) if refusal.blame() == Blame::Memory => Err(Fault::limit(refusal.to_string())),
        Err(refusal) => declined_or_bug(refusal.into()),
    }
}

/// A kernel is evaluated directly for any reason but a bug of nnz.
fn declined_or_bug(declined: Declined) -> Result<Outcome, Fault> {
    match declined.bug() {
        Some(bug) => Err(Fault::bug(bug.to_string()).helped(bug.help())),
        None => Ok(Outcome::Declined(declined)),
    }
}

fn run_one(
    machine: &mut Machine<'_>,
    generic: &Generic<'_>,
    (plan, prepared): (&Plan, &Prepared<'_>),
    result: usize,
) -> Result<Value, Fault> {
    machine.step(prepared.points())?;
    let (cache, options) = (machine.run.cache, &machine.run.options);
    let means = Means::from(options.threads);
    let launch = Launch { engine: options.engine, order: FloatOrder::Strict, cache, means };
    let mut costs = generic.costs(machine);
    let mut tell = |cost| costs.tell(cost);
    let out = generic.values.get(generic.inputs + result).ok_or_else(|| Fault::new("a kernel without a result"))?;
    if let Value::Sparse(_) = out {
        let value = Value::Sparse(Sparse::new(prepared.run(launch, &mut tell).map_err(|error| failed(&error))?));
        return if generic.adds_up(result, &plan.kernel) { from_zero(value) } else { Ok(value) };
    }
    let values = Arc::new(prepared.run_values(launch, &mut tell).map_err(|error| failed(&error))?);
    Ok(Value::Array(Array { element: plan.kernel.element(), shape: out.sizes(), values }))
}

/// The kernel of the first result, with its data.
///
/// # Errors
/// As [`run()`].
pub(super) fn caught(
    budget: &Budget,
    around: (&Source, &Frame<'_>, &Meanings),
    generic: &Generic<'_>,
) -> Result<Result<Caught, Declined>, Fault> {
    if !generic.has_buffers() {
        return Ok(Plan::of(around, generic, 0)?.map(Plan::caught));
    }
    match generic.on_copies(budget)? {
        Ok(copied) => Ok(Plan::of(around, &copied, 0)?.map(Plan::caught)),
        Err(declined) => Ok(Err(declined)),
    }
}

fn failed(error: &RunError) -> Fault {
    let message = error.to_string();
    match (error.code(), error) {
        (Code::CompilerBug, RunError::Backend(error)) => Fault::bug(message).helped(error.loops().map(str::to_string)),
        (Code::CompilerBug, _) => Fault::bug(message),
        _ if error.is_no_room() => Fault::limit(message),
        _ => Fault::new(message),
    }
}

/// Makes zeros of a sum positive: assembled entries start from their first term, while a program's sums start from
/// zero.
fn from_zero(value: Value) -> Result<Value, Fault> {
    let Value::Sparse(tensor) = value else { return Ok(value) };
    let storage = tensor.storage()?;
    let signed = |(at, value)| Some((at, without_sign(value)?));
    let signless: Vec<(usize, Scalar)> = storage.values().iter().enumerate().filter_map(signed).collect();
    if signless.is_empty() {
        return Ok(Value::Sparse(tensor));
    }
    let mut values = storage.values().clone();
    signless.into_iter().for_each(|(at, value)| values.set(at, value));
    Ok(Value::Sparse(Sparse::new((*storage).clone().with_values(values)?)))
}

/// A value with -0 replaced by 0, in each part of a complex number; `None` if there is no -0.
fn without_sign(value: Scalar) -> Option<Scalar> {
    let negative = |part: f64| part == 0.0 && part.is_sign_negative();
    match value {
        Scalar::Float(value) => negative(value).then_some(Scalar::Float(0.0)),
        Scalar::Complex(Complex { re, im }) => {
            (negative(re) || negative(im)).then(|| Scalar::Complex(Complex::new(re + 0.0, im + 0.0)))
        }
        Scalar::Int(_) => None,
    }
}

impl Generic<'_> {
    /// Whether entries of a sparse result are sums of floating-point numbers over loops.
    fn adds_up(&self, result: usize, kernel: &Kernel) -> bool {
        let at = self.inputs + result;
        let reduces = self.maps.get(at).is_some_and(|map| map.results.len() < map.dims);
        let sparse = matches!(self.values.get(at), Some(Value::Sparse(_)));
        reduces && sparse && !reduction::exact(kernel.element()) && adds(kernel.expr())
    }
}

/// Whether an expression of a reducing kernel is a sum.
fn adds(expr: &Expr) -> bool {
    match expr {
        Expr::Reduce { op, .. } => *op == ReduceOp::Sum,
        Expr::Onto { reduce, .. } => adds(reduce),
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => true,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => true,
        Expr::Select { .. } | Expr::Present { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use nnz_backend::BackendError;
    use nnz_loops::passes::Broken;

    use super::*;
    use crate::machine::FaultKind;

    /// A pass that breaks the loops of a program's kernel stops the program, with the loops.
    #[test]
    fn broken_loops_are_a_bug() {
        let broken = Broken { pass: "Tile".to_string(), problems: Vec::new(), loops: "kernel k() {}".to_string() };
        let fault = failed(&RunError::Backend(BackendError::Broken(broken)));
        assert_eq!(fault.kind, FaultKind::Bug);
        assert_eq!(fault.more.and_then(|more| more.help).as_deref(), Some("kernel k() {}"));
        let refused = BackendError::Refused { target: "LLVM", reason: "a sort of values".to_string() };
        let outgrown = RunError::Outgrown { tensor: "A".to_string() };
        for bug in [RunError::Backend(refused), outgrown, RunError::OtherCode] {
            assert_eq!(failed(&bug).kind, FaultKind::Bug, "{bug}");
        }
        assert_eq!(failed(&RunError::Missing { tensor: "A".to_string() }).kind, FaultKind::Failed);
    }
}

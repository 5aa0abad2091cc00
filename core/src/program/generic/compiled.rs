//! Says a kernel's body as an expression of the compiler's, and runs what that makes of it.
//!
//! What the compiler cannot say, it declines, and `direct` evaluates: buffers, maps with divisions, bodies with
//! operations that expressions lack, reductions that are no function of the old value and one term.

mod expression;
mod reduction;

use std::sync::Arc;

use super::Generic;
use crate::{
    arrays::Values,
    backend::{FloatOrder, Target},
    element::Scalar,
    encoding::Affine,
    ids::{Dim, IndexVar, TensorId},
    iterate::PlanError,
    kernel::{Access, Expr, IndexExpr, Kernel, ReduceOp, Tensor, VarDecl},
    lower::{LowerError, Lowered, lower},
    program::{
        attribute::AffineMap,
        ir::ValueId,
        machine::{Fault, Frame, Machine},
        types::Type,
        value::{Array, Sparse, Value},
    },
    run::{self, Bound, Compiled, Operand},
    storage::Storage,
};

pub(super) use expression::Known;
pub(super) use reduction::{exact, is_identity};

/// Kernels of fewer points are interpreted: the machine code would take longer to make. Measured roughly.
const MACHINE_CODE_FROM: u64 = 1 << 20;

/// The results of the kernel, or why the compiler declines it.
///
/// # Errors
/// What stops the run.
pub(super) fn run(
    machine: &mut Machine<'_>,
    frame: &Frame<'_>,
    generic: &Generic<'_>,
) -> Result<Result<Vec<Value>, Declined>, Fault> {
    let mut plans = Vec::new();
    for result in 0..generic.values.len().saturating_sub(generic.inputs) {
        let Some(plan) = Plan::of(frame, generic, result)? else { return Ok(Err(declined(generic))) };
        match lower(&plan.kernel) {
            Ok(lowered) => plans.push((plan, lowered)),
            Err(LowerError::Bug { problems, .. }) => {
                let problem = problems.first().map_or(String::new(), ToString::to_string);
                return Err(Fault::bug(format!("nnz made loops that its verifier refuses: {problem}")));
            }
            Err(error) => return Ok(Err(Declined::of(&error))),
        }
    }
    let mut results = Vec::new();
    for (at, (plan, lowered)) in plans.iter().enumerate() {
        results.push(run_one(machine, generic, (plan, lowered), at)?);
    }
    Ok(Ok(results))
}

/// Why the compiler does not take a kernel.
pub(super) struct Declined {
    pub reason: String,
    /// Nothing in the kernel's text tells: it is an expression, but the compiler has a limit.
    pub unexpected: bool,
}

impl Declined {
    fn of(error: &LowerError) -> Declined {
        let unexpected = matches!(error, LowerError::TooLong { .. } | LowerError::Plan(PlanError::ManyOperands { .. }));
        Declined { reason: error.to_string(), unexpected }
    }
}

/// Why expressions do not say a kernel.
fn declined(generic: &Generic<'_>) -> Declined {
    let buffer = |value: &Value| matches!(value, Value::Memory(_) | Value::Name(_));
    let reason = match generic.values.iter().any(buffer) {
        true => ON_BUFFERS,
        false => unsaid(&generic.maps),
    };
    Declined { reason: reason.to_string(), unexpected: false }
}

pub(super) const ON_BUFFERS: &str = "it works on buffers";

/// Why expressions do not say a kernel on tensors, with these indexing maps.
pub(super) fn unsaid(maps: &[Arc<AffineMap>]) -> &'static str {
    match maps.iter().any(|map| index_exprs(map).is_none()) {
        true => "an indexing map divides",
        false => "no expression says its body, or how it adds up",
    }
}

fn run_one(
    machine: &mut Machine<'_>,
    generic: &Generic<'_>,
    (plan, lowered): (&Plan, &Lowered),
    result: usize,
) -> Result<Value, Fault> {
    let operands = plan.operands();
    let points = run::points(lowered, &operands);
    machine.step(points)?;
    let target = if cfg!(feature = "llvm") && points >= MACHINE_CODE_FROM { Target::Cpu } else { Target::Interpreter };
    if points >= run::LONG_FROM {
        generic.say_costs(machine, lowered);
    }
    let cache = machine.cache;
    let compile = |function: &_| cache.compile(target, FloatOrder::Strict, function);
    let compiled = Compiled::new(lowered, compile).map_err(|error| Fault::new(error.to_string()))?;
    let out = generic.values.get(generic.inputs + result).ok_or_else(|| Fault::new("a kernel without a result"))?;
    execute(out, lowered, &compiled, &operands, machine.options.threads)
}

fn execute(
    out: &Value,
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    threads: usize,
) -> Result<Value, Fault> {
    let failed = |error: run::RunError| Fault::new(error.to_string());
    if let Value::Sparse(_) = out {
        return Ok(Value::Sparse(Sparse::new(run::run(lowered, compiled, operands, threads).map_err(failed)?)));
    }
    let derived = run::derive(lowered, compiled, operands, threads).map_err(failed)?;
    let mut bound = Bound::new(lowered, operands, &derived, threads).map_err(failed)?;
    bound.run(compiled).map_err(failed)?;
    let element = lowered.plan.kernel.element();
    Ok(Value::Array(Array { element, shape: out.sizes(), values: Arc::new(bound.into_values()) }))
}

/// A kernel and its operands' data.
struct Plan {
    kernel: Kernel,
    data: Vec<Data>,
}

enum Data {
    Scalar(Scalar),
    Dense(Arc<Values>),
    Stored(Arc<Storage>),
}

impl Plan {
    fn of(frame: &Frame<'_>, generic: &Generic<'_>, result: usize) -> Result<Option<Plan>, Fault> {
        let used: Vec<usize> = (0..generic.inputs).chain([generic.inputs + result]).collect();
        let Some(out) = generic.values.get(generic.inputs + result) else { return Ok(None) };
        if !matches!(out, Value::Sparse(_) | Value::Array(_)) {
            return Ok(None);
        }
        let (mut tensors, mut data) = (Vec::new(), Vec::new());
        // The old result is an operand too, the last; the compiler drops one that is not read.
        for at in used.iter().copied() {
            let Some((tensor, its)) = operand(generic, at)? else { return Ok(None) };
            tensors.push(tensor);
            data.push(its);
        }
        let outer = |id| outer(frame, id);
        let starts_at_identity = |op: &ReduceOp| starts_at_identity(out, op);
        let maps: Vec<Arc<AffineMap>> = used.iter().filter_map(|at| generic.maps.get(*at).cloned()).collect();
        let encoded = |at: &usize| matches!(generic.values.get(*at), Some(Value::Sparse(_)));
        let known = Known {
            op: generic.op,
            maps: &maps,
            inputs: generic.inputs,
            result,
            loops: generic.extents.len(),
            encoded: used.iter().map(encoded).collect(),
            outer: &outer,
            starts_at_identity: &starts_at_identity,
        };
        let places = (0..tensors.len()).map(TensorId::new).collect();
        let draft = Draft { tensors, places, extents: &generic.extents, result: "result".to_string() };
        let Some(Said { kernel, reads_old }) = draft.say(&known) else { return Ok(None) };
        if !reads_old {
            data.pop();
        }
        Ok(Some(Plan { kernel, data }))
    }

    /// One per tensor of the kernel, the result's empty.
    fn operands(&self) -> Vec<Option<Operand<'_>>> {
        self.data.iter().map(|data| Some(data.operand())).chain([None]).collect()
    }
}

/// A scalar that was computed outside of the body.
fn outer(frame: &Frame<'_>, id: ValueId) -> Option<Expr> {
    let element = frame.function.types.get(id.index()).and_then(Type::scalar)?;
    Some(Expr::literal(element, frame.get(id).ok()?.scalar().ok()?))
}

/// A result without entries, or of identities alone, changes nothing.
fn starts_at_identity(out: &Value, op: &ReduceOp) -> bool {
    match out {
        Value::Sparse(tensor) => tensor.is_empty(),
        Value::Array(array) => array.values.iter().all(|value| is_identity(op, value)),
        _ => false,
    }
}

/// An operand as the compiler has it; `None` where it cannot take it.
fn operand(generic: &Generic<'_>, at: usize) -> Result<Option<(Tensor, Data)>, Fault> {
    let element = generic.op.operands.get(at).and_then(|operand| operand.ty.element());
    let (Some(element), Some(value)) = (element, generic.values.get(at)) else { return Ok(None) };
    let (encoding, data) = match value {
        Value::Scalar(scalar) => (None, Data::Scalar(*scalar)),
        Value::Sparse(tensor) => (Some(tensor.encoding().clone()), Data::Stored(tensor.storage()?)),
        Value::Memory(_) | Value::Name(_) => return Ok(None),
        other => {
            let array = other.array()?.into_owned();
            match array.values.get(0).filter(|_| array.shape.is_empty()) {
                Some(scalar) => (None, Data::Scalar(scalar)),
                None => (None, Data::Dense(array.values)),
            }
        }
    };
    Ok(Some((Tensor { name: format!("operand {at}"), element, shape: value.sizes(), encoding }, data)))
}

impl Data {
    fn operand(&self) -> Operand<'_> {
        match self {
            Data::Scalar(scalar) => Operand::Scalar(*scalar),
            Data::Dense(values) => Operand::Dense(values),
            Data::Stored(storage) => Operand::Stored(storage),
        }
    }
}

/// A kernel that is being made.
pub(super) struct Draft<'g> {
    /// The tensors that it may read; the last is what the result was before.
    pub tensors: Vec<Tensor>,
    /// Which of them each operand is.
    pub places: Vec<TensorId>,
    pub extents: &'g [u64],
    /// What the result is called.
    pub result: String,
}

/// A body said as an expression.
pub(super) struct Said {
    pub kernel: Kernel,
    /// The last operand is what the result was before.
    pub reads_old: bool,
}

impl Draft<'_> {
    /// The kernel; `None` where expressions cannot say it.
    pub(super) fn say(mut self, known: &Known<'_>) -> Option<Said> {
        let access = |(tensor, map): (&TensorId, &Arc<AffineMap>)| {
            Some(Expr::Access(Access { tensor: *tensor, indices: index_exprs(map)? }))
        };
        let accesses: Option<Vec<Expr>> = self.places.iter().zip(known.maps).map(access).collect();
        let meaning = expression::of_body(known, &accesses?)?;
        let (old, map) = (self.tensors.last()?.clone(), known.maps.last()?);
        if !meaning.reads_old {
            self.tensors.pop();
        }
        let vars: Option<Vec<IndexVar>> =
            map.results.iter().map(|result| result.as_var().map(|dim| IndexVar::new(dim.index()))).collect();
        let target = Access::of_vars(TensorId::new(self.tensors.len()), &vars?);
        self.tensors.push(Tensor { name: self.result, ..old });
        let named = |(at, extent): (usize, &u64)| VarDecl { name: format!("d{at}"), extent: Some(*extent) };
        let vars = self.extents.iter().enumerate().map(named).collect();
        let kernel = Kernel::declared(self.tensors, vars, target, meaning.expr).ok()?;
        Some(Said { kernel, reads_old: meaning.reads_old })
    }
}

/// An affine map as the compiler's indices: sums of multiples of loops.
fn index_exprs(map: &AffineMap) -> Option<Vec<IndexExpr>> {
    map.results.iter().map(index_expr).collect()
}

fn index_expr(affine: &Affine<Dim>) -> Option<IndexExpr> {
    match affine {
        Affine::Var(dim) => Some(IndexExpr::var(IndexVar::new(dim.index()))),
        Affine::Const(offset) => Some(IndexExpr::constant(*offset)),
        Affine::Add(a, b) => index_expr(a)?.plus(&index_expr(b)?),
        Affine::Mul(a, b) => index_expr(a)?.times(b.as_const()?),
        Affine::Sym(_) | Affine::FloorDiv(..) | Affine::CeilDiv(..) | Affine::Mod(..) => None,
    }
}

//! Says a kernel's body as an expression of the compiler's, and runs what that makes of it.
//!
//! What the compiler cannot say, it declines, and `direct` evaluates: several results, maps with divisions,
//! bodies with operations that expressions lack, results that are read in any other way than a reduction's.

mod expression;

use std::sync::Arc;

use super::Generic;
use crate::{
    arrays::Values,
    backend::{FloatOrder, Target},
    element::Scalar,
    encoding::Affine,
    ids::{Dim, IndexVar, TensorId},
    kernel::{Access, Expr, IndexExpr, Kernel, ReduceOp, Tensor, VarDecl},
    lower::{Lowered, lower},
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

pub(super) use expression::{Known, exact, is_identity};

/// Kernels of fewer points are interpreted: the machine code would take longer to make. Measured roughly.
const MACHINE_CODE_FROM: u64 = 1 << 20;

/// The results of the kernel; `None` where the compiler declines it.
///
/// # Errors
/// What stops the run.
pub(super) fn run(
    machine: &mut Machine<'_>,
    frame: &Frame<'_>,
    generic: &Generic<'_>,
) -> Result<Option<Vec<Value>>, Fault> {
    let Some(plan) = Plan::of(frame, generic)? else { return Ok(None) };
    let Ok(lowered) = lower(&plan.kernel) else { return Ok(None) };
    let operands = plan.operands();
    let points = run::points(&lowered, &operands);
    machine.step(points)?;
    let target = if cfg!(feature = "llvm") && points >= MACHINE_CODE_FROM { Target::Cpu } else { Target::Interpreter };
    let cache = machine.cache;
    let compile = |function: &_| cache.compile(target, FloatOrder::Strict, function);
    let compiled = Compiled::new(&lowered, compile).map_err(|error| Fault::new(error.to_string()))?;
    execute(generic, &lowered, &compiled, &operands, machine.options.threads).map(|value| Some(vec![value]))
}

fn execute(
    generic: &Generic<'_>,
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    threads: usize,
) -> Result<Value, Fault> {
    let failed = |error: run::RunError| Fault::new(error.to_string());
    let out = generic.values.get(generic.inputs).ok_or_else(|| Fault::new("a kernel without a result"))?;
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
    fn of(frame: &Frame<'_>, generic: &Generic<'_>) -> Result<Option<Plan>, Fault> {
        let [out] = &generic.values[generic.inputs..] else { return Ok(None) };
        if !matches!(out, Value::Sparse(_) | Value::Array(_)) {
            return Ok(None);
        }
        let (mut tensors, mut data) = (Vec::new(), Vec::new());
        // The old result is an operand too, the last; the compiler drops one that is not read.
        for at in 0..generic.values.len() {
            let Some((tensor, its)) = operand(generic, at)? else { return Ok(None) };
            tensors.push(tensor);
            data.push(its);
        }
        let outer = |id| outer(frame, id);
        let starts_at_identity = |op: &ReduceOp| starts_at_identity(out, op);
        let known = Known {
            op: generic.op,
            maps: &generic.maps,
            inputs: generic.inputs,
            loops: generic.extents.len(),
            encoded: generic.values.iter().map(|value| matches!(value, Value::Sparse(_))).collect(),
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

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
    kernel::{Access, Expr, IndexExpr, Kernel, Tensor, VarDecl},
    lower::{Lowered, lower},
    program::{
        attribute::AffineMap,
        machine::{Fault, Frame, Machine},
        value::{Array, Sparse, Value},
    },
    run::{self, Bound, Compiled, Operand},
    storage::Storage,
};
use expression::Meaning;

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
        let mut draft = Draft { generic, tensors: Vec::new(), data: Vec::new(), accesses: Vec::new() };
        for (at, value) in generic.values.iter().enumerate() {
            // The old result is an operand too, the last; the compiler drops one that is not read.
            if !draft.operand(at, value)? {
                return Ok(None);
            }
        }
        let Some(meaning) = expression::of_body(frame, generic, &draft.accesses) else { return Ok(None) };
        Ok(draft.finish(meaning))
    }

    /// One per tensor of the kernel, the result's empty.
    fn operands(&self) -> Vec<Option<Operand<'_>>> {
        self.data.iter().map(|data| Some(data.operand())).chain([None]).collect()
    }
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
struct Draft<'g, 'o> {
    generic: &'g Generic<'o>,
    tensors: Vec<Tensor>,
    data: Vec<Data>,
    /// How the body reads each operand.
    accesses: Vec<Expr>,
}

impl Draft<'_, '_> {
    /// Adds an operand; whether the compiler can take it.
    fn operand(&mut self, at: usize, value: &Value) -> Result<bool, Fault> {
        let Some(map) = self.generic.maps.get(at) else { return Ok(false) };
        let Some(indices) = index_exprs(map) else { return Ok(false) };
        let element = self.generic.op.operands.get(at).and_then(|operand| operand.ty.element());
        let Some(element) = element else { return Ok(false) };
        let (encoding, data) = match value {
            Value::Scalar(scalar) => (None, Data::Scalar(*scalar)),
            Value::Sparse(tensor) => (Some(tensor.encoding().clone()), Data::Stored(tensor.storage()?)),
            Value::Memory(_) | Value::Name(_) => return Ok(false),
            other => {
                let array = other.array()?.into_owned();
                match array.values.get(0).filter(|_| array.shape.is_empty()) {
                    Some(scalar) => (None, Data::Scalar(scalar)),
                    None => (None, Data::Dense(array.values)),
                }
            }
        };
        let tensor = TensorId::new(self.tensors.len());
        self.tensors.push(Tensor { name: format!("operand {at}"), element, shape: value.sizes(), encoding });
        self.data.push(data);
        self.accesses.push(Expr::Access(Access { tensor, indices }));
        Ok(true)
    }

    fn finish(mut self, meaning: Meaning) -> Option<Plan> {
        let generic = self.generic;
        let (old, map) = (self.tensors.last()?.clone(), generic.maps.last()?);
        if !meaning.reads_old {
            self.tensors.pop();
            self.data.pop();
        }
        let vars: Option<Vec<IndexVar>> =
            map.results.iter().map(|result| result.as_var().map(|dim| IndexVar::new(dim.index()))).collect();
        let target = Access::of_vars(TensorId::new(self.tensors.len()), &vars?);
        self.tensors.push(Tensor { name: "result".to_string(), ..old });
        let named = |(at, extent): (usize, &u64)| VarDecl { name: format!("d{at}"), extent: Some(*extent) };
        let vars = generic.extents.iter().enumerate().map(named).collect();
        let kernel = Kernel::declared(self.tensors, vars, target, meaning.expr).ok()?;
        Some(Plan { kernel, data: self.data })
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

//! Translates a kernel's body into an expression of the compiler, and runs the compiled kernel.
//!
//! It declines what expressions cannot represent, and `direct` evaluates that: buffers, maps with divisions,
//! bodies with operations that expressions lack, reductions that are not a function of the old value and one
//! term.

mod expression;
mod reduction;

use std::sync::Arc;

use num_complex::Complex;

use super::{Declined, Generic, PLANNED_FROM, names};
use crate::{
    Kernels,
    machine::{Fault, Frame, Machine},
    value::{Array, Sparse, Value},
};
use nnz_backend::{FloatOrder, Target};
use nnz_base::{
    arrays::Values,
    diagnostic::Code,
    element::{Element, Scalar},
    ids::{Dim, IndexVar, TensorId},
    source::Source,
};
use nnz_encoding::Affine;
use nnz_kernel::{Access, Expr, IndexExpr, Kernel, ReduceOp, Schedule, Tensor, VarDecl};
use nnz_mlir::{
    attribute::AffineMap,
    ir::{Region, ValueId},
    types::Type,
};
use nnz_run::{self as run, Blame, Means, Operand, Origin, Prepared, Refusal, Request, RunError};
use nnz_storage::Storage;

pub(super) use expression::Known;
pub(super) use reduction::{exact, is_identity};

/// Kernels that have run fewer points are interpreted: the machine code would take longer to make. Measured roughly.
const MACHINE_CODE_FROM: u64 = 1 << 16;

/// The outcome for a kernel.
pub(super) enum Outcome {
    Results(Vec<Value>),
    /// The compiler does not take it.
    Declined(Declined),
    /// A plan is not worth making yet.
    TooFew,
}

/// The plans of one kernel of a program, kept from run to run.
#[derive(Default)]
pub(crate) struct Plans {
    /// The points that it has run since a plan was made.
    points: u64,
    made: run::Plans,
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
    if !generic.may_compile(machine.run.options.kernels) {
        return Ok(Outcome::TooFew);
    }
    plans.points = plans.points.saturating_add(generic.points());
    let worth = machine.run.options.kernels == Kernels::Compiled || plans.points >= PLANNED_FROM;
    if !worth && plans.made.is_empty() {
        return Ok(Outcome::TooFew);
    }
    let results = 0..generic.values.len().saturating_sub(generic.inputs);
    let said = results.map(|result| Plan::of((machine.run.source, frame), generic, result));
    let Some(said) = said.collect::<Result<Option<Vec<Plan>>, Fault>>()? else {
        return Ok(Outcome::Declined(unsaid(generic)));
    };
    if !said.iter().all(|plan| plans.made.know(request(&plan.kernel))) {
        if !worth {
            return Ok(Outcome::TooFew);
        }
        plans.points = 0;
    }
    let mut costs = generic.costs(machine);
    let prepared = said.iter().map(|plan| plan.prepared(&mut plans.made, &mut |cost| costs.tell(&cost)));
    match prepared.collect::<Result<Vec<_>, Refusal>>() {
        Ok(prepared) => {
            let results = prepared.iter().zip(&said).enumerate();
            let results = results.map(|(at, (prepared, plan))| run_one(machine, generic, (plan, prepared), at));
            Ok(Outcome::Results(results.collect::<Result<_, _>>()?))
        }
        Err(refusal) => match refusal.blame() {
            Blame::Nnz => Err(Fault::bug(refusal.to_string()).helped(refusal.help())),
            Blame::Memory => Err(Fault::limit(refusal.to_string())),
            Blame::Kernel | Blame::Tensor(_) | Blame::Step(_) => Ok(Outcome::Declined(refusal.into())),
        },
    }
}

/// Why expressions do not say a kernel.
fn unsaid(generic: &Generic<'_>) -> Declined {
    let buffer = |value: &Value| matches!(value, Value::Memory(_) | Value::Name(_));
    if generic.values.iter().any(buffer) { Declined::Buffers } else { unsaid_on_tensors(&generic.maps) }
}

/// Why expressions do not say a kernel on tensors, with these indexing maps.
pub(super) fn unsaid_on_tensors(maps: &[Arc<AffineMap>]) -> Declined {
    if maps.iter().any(|map| index_exprs(map).is_none()) { Declined::Divides } else { Declined::Unsaid }
}

fn run_one(
    machine: &mut Machine<'_>,
    generic: &Generic<'_>,
    (plan, prepared): (&Plan, &Prepared<'_>),
    result: usize,
) -> Result<Value, Fault> {
    let points = prepared.points();
    machine.step(points)?;
    let many = cfg!(feature = "llvm") && prepared.points_so_far(points) >= MACHINE_CODE_FROM;
    let target = if many { Target::Cpu } else { Target::Interpreter };
    let cache = machine.run.cache;
    let mut costs = generic.costs(machine);
    let code = prepared.compile((target, FloatOrder::Strict), cache, &mut |cost| costs.tell(&cost));
    let code = code.map_err(|error| failed(&RunError::Backend(error)))?;
    let out = generic.values.get(generic.inputs + result).ok_or_else(|| Fault::new("a kernel without a result"))?;
    let means = Means::from(machine.run.options.threads);
    if let Value::Sparse(_) = out {
        let value = Value::Sparse(Sparse::new(prepared.run(&code, means).map_err(|error| failed(&error))?));
        return if generic.adds_up(result, &plan.kernel) { from_zero(value) } else { Ok(value) };
    }
    let values = Arc::new(prepared.run_values(&code, means).map_err(|error| failed(&error))?);
    Ok(Value::Array(Array { element: plan.kernel.element(), shape: out.sizes(), values }))
}

fn failed(error: &RunError) -> Fault {
    let message = error.to_string();
    match (error.code(), error) {
        (Code::CompilerBug, RunError::Backend(error)) => Fault::bug(message).helped(error.loops().map(str::to_string)),
        _ if error.is_no_room() => Fault::limit(message),
        _ => Fault::new(message),
    }
}

/// A sum without the sign of its zeros: entries that are assembled start from their first term, and a program's from zero.
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

/// 0 for a -0; of complex numbers in each part.
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
        _ => true,
    }
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
    /// With scalars from outside as operands where nothing follows from what they are, so that one plan does for
    /// all, else as numbers.
    fn of(around: (&Source, &Frame<'_>), generic: &Generic<'_>, result: usize) -> Result<Option<Plan>, Fault> {
        let factors = generic.op.region(0).map(|body| factors(around.1, body)).unwrap_or_default();
        let plan = Plan::with(around, generic, result, &factors)?;
        if plan.is_some() || factors.is_empty() { Ok(plan) } else { Plan::with(around, generic, result, &[]) }
    }

    fn with(
        (source, frame): (&Source, &Frame<'_>),
        generic: &Generic<'_>,
        result: usize,
        factors: &[(ValueId, Element)],
    ) -> Result<Option<Plan>, Fault> {
        let used: Vec<usize> = (0..generic.inputs).chain([generic.inputs + result]).collect();
        let Some(out) = generic.values.get(generic.inputs + result) else { return Ok(None) };
        if !matches!(out, Value::Sparse(_) | Value::Array(_)) {
            return Ok(None);
        }
        let (mut tensors, mut data) = (Vec::new(), Vec::new());
        for at in used.iter().copied() {
            let Some((tensor, its)) = operand((source, &tensors), generic, at)? else { return Ok(None) };
            tensors.push(tensor);
            data.push(its);
        }
        // The old result is an operand too, the last; the compiler drops one that is not read.
        for (at, (id, element)) in factors.iter().enumerate() {
            let name = names::distinct(&tensors, format!("factor{at}"));
            let tensor = Tensor { name, element: *element, shape: Vec::new(), encoding: None };
            tensors.insert(generic.inputs + at, tensor);
            data.insert(generic.inputs + at, Data::Scalar(frame.get(*id)?.scalar()?));
        }
        let outer = |id| match factors.iter().position(|(factor, _)| *factor == id) {
            Some(at) => Some(Expr::Access(Access { tensor: TensorId::new(generic.inputs + at), indices: Vec::new() })),
            None => outer(frame, id),
        };
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
        let name = names::distinct(&tensors, names::of_result(source, generic.op));
        let places = (0..generic.inputs).chain([tensors.len() - 1]).map(TensorId::new).collect();
        let draft = Draft { tensors, places, extents: &generic.extents, result: name };
        let Some(Said { kernel, reads_old }) = draft.say(&known) else { return Ok(None) };
        if !reads_old {
            data.pop();
        } else if generic.adds_up(result, &kernel) && data.last().is_some_and(Data::has_negative_zeros) {
            // A sum that goes on from one may be one.
            return Ok(None);
        }
        Ok(Some(Plan { kernel, data }))
    }

    fn prepared(&self, plans: &mut run::Plans, tell: &mut dyn FnMut(run::Hidden)) -> Result<Prepared<'_>, Refusal> {
        run::prepare(request(&self.kernel), self.data.iter().map(|data| Some(data.operand())), plans, tell)
    }
}

/// The scalars from outside that a body has as factors alone: a product is absent where its other factor is,
/// whatever they are.
fn factors(frame: &Frame<'_>, body: &Region) -> Vec<(ValueId, Element)> {
    let (mut own, mut found, mut others) = (Vec::new(), Vec::new(), Vec::new());
    collect_factors(body, &mut own, &mut found, &mut others);
    found.retain(|id| !own.contains(id) && !others.contains(id));
    found.sort_unstable_by_key(|id| id.index());
    found.dedup();
    let element = |id: ValueId| frame.function.types.get(id.index()).and_then(Type::scalar);
    found.into_iter().filter_map(|id| Some((id, element(id)?))).collect()
}

/// What a region computes itself, what it multiplies, and what it uses otherwise.
fn collect_factors(region: &Region, own: &mut Vec<ValueId>, found: &mut Vec<ValueId>, others: &mut Vec<ValueId>) {
    own.extend(region.arguments.iter().map(|argument| argument.value));
    for op in &region.operations {
        own.extend(&op.results);
        let multiplies = matches!(op.def.name, "arith.mulf" | "arith.muli" | "complex.mul");
        let uses = if multiplies { &mut *found } else { &mut *others };
        uses.extend(op.operands.iter().map(|operand| operand.value));
        op.regions.iter().flatten().for_each(|inner| collect_factors(inner, own, found, others));
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
fn operand(
    (source, tensors): (&Source, &[Tensor]),
    generic: &Generic<'_>,
    at: usize,
) -> Result<Option<(Tensor, Data)>, Fault> {
    let (Some(operand), Some(value)) = (generic.op.operands.get(at), generic.values.get(at)) else { return Ok(None) };
    let Some(element) = operand.ty.element() else { return Ok(None) };
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
    let name = names::distinct(tensors, names::of(source, operand));
    Ok(Some((Tensor { name, element, shape: value.sizes(), encoding }, data)))
}

impl Data {
    fn has_negative_zeros(&self) -> bool {
        match self {
            Data::Stored(storage) => storage.values().iter().any(|value| without_sign(value).is_some()),
            _ => false,
        }
    }
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
    /// The tensors that it may read; the last is the old value of the result.
    pub tensors: Vec<Tensor>,
    /// Which of them each operand is.
    pub places: Vec<TensorId>,
    pub extents: &'g [u64],
    /// The name of the result.
    pub result: String,
}

/// A body as an expression.
pub(super) struct Said {
    pub kernel: Kernel,
    /// The last operand is the old value of the result.
    pub reads_old: bool,
}

impl Draft<'_> {
    /// The kernel; `None` if expressions cannot represent it.
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
        // A number as a factor in a program, which infinities tell from what is absent in an expression.
        if kernel.expr().nodes().into_iter().any(Expr::has_condition_as_factor) {
            return None;
        }
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
        assert_eq!(failed(&RunError::Missing { tensor: "A".to_string() }).kind, FaultKind::Failed);
    }
}

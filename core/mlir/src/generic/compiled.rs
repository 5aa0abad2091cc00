//! Translates a kernel's body into an expression of the compiler, and runs the compiled kernel.
//!
//! It declines what expressions cannot represent, and `direct` evaluates that: buffers, maps with divisions,
//! bodies with operations that expressions lack, reductions that are not a function of the old value and one
//! term.

mod expression;
mod reduction;

use std::{cell::RefCell, rc::Rc, sync::Arc};

use num_complex::Complex;

use super::{Generic, PLANNED_FROM};
use crate::{
    Kernels,
    attribute::AffineMap,
    ir::{Region, ValueId},
    machine::{Fault, Frame, Machine},
    types::Type,
    value::{Array, Sparse, Value},
};
use nnz_backend::{Cache, FloatOrder, Target};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    ids::{Dim, IndexVar, TensorId},
};
use nnz_encoding::Affine;
use nnz_kernel::{Access, Expr, IndexExpr, Kernel, ReduceOp, Tensor, VarDecl};
use nnz_plan::{
    iterate::{PlanError, is_finite, minds_padding, unpadded},
    lower::{LowerError, Lowered, lower_body},
};
use nnz_run::{self as run, Bound, Compiled, Operand};
use nnz_storage::{self as storage, Storage};

pub(super) use expression::Known;
pub(super) use reduction::{exact, is_identity};

/// Kernels that have run fewer points are interpreted: the machine code would take longer to make. Measured roughly.
const MACHINE_CODE_FROM: u64 = 1 << 16;

/// So many plans are kept of one kernel, whose sizes or scalars change from run to run.
const MOST_PLANS: usize = 8;

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
    /// The latest last.
    made: Vec<Rc<Made>>,
}

/// A plan, or why there is none.
struct Made {
    kernel: Kernel,
    lowered: Result<Lowered, Declined>,
    state: RefCell<State>,
}

/// The code of a plan, and the points that it has run.
#[derive(Default)]
struct State {
    points: u64,
    code: Option<(Target, Arc<Compiled>)>,
}

impl Plans {
    /// The plan of a kernel; `None` where it is not worth one yet.
    fn of(&mut self, kernel: &Kernel, worth: bool) -> Result<Option<Rc<Made>>, Fault> {
        if let Some(at) = self.made.iter().position(|made| made.kernel == *kernel) {
            let made = self.made.remove(at);
            self.made.push(made.clone());
            return Ok(Some(made));
        }
        if !worth {
            return Ok(None);
        }
        self.points = 0;
        if self.made.len() == MOST_PLANS {
            self.made.remove(0);
        }
        let lowered = match lower_body(kernel) {
            Err(LowerError::Bug { problems, .. }) => {
                let problem = problems.first().map_or(String::new(), ToString::to_string);
                return Err(Fault::bug(format!("nnz made loops that its verifier refuses: {problem}")));
            }
            other => other.map_err(|error| Declined::of(&error)),
        };
        let made = Rc::new(Made { kernel: kernel.clone(), lowered, state: RefCell::default() });
        self.made.push(made.clone());
        Ok(Some(made))
    }
}

impl Made {
    /// The code to run so many more points with, machine code where they are many.
    fn code(&self, lowered: &Lowered, points: u64, cache: &Cache) -> Result<Arc<Compiled>, Fault> {
        let mut state = self.state.borrow_mut();
        state.points = state.points.saturating_add(points);
        let many = cfg!(feature = "llvm") && state.points >= MACHINE_CODE_FROM;
        let target = if many { Target::Cpu } else { Target::Interpreter };
        if let Some((_, code)) = state.code.as_ref().filter(|(known, _)| *known == target) {
            return Ok(code.clone());
        }
        let compile = |function: &_| cache.compile(target, FloatOrder::Strict, function);
        let code = Arc::new(Compiled::new(lowered, compile).map_err(|error| Fault::new(error.to_string()))?);
        state.code = Some((target, code.clone()));
        Ok(code)
    }
}

/// Runs the kernel, if expressions can represent it and it is worth a plan.
///
/// # Errors
/// What stops the run.
pub(super) fn run(
    machine: &mut Machine<'_>,
    frame: &Frame<'_>,
    generic: &Generic<'_>,
    plans: &mut Plans,
) -> Result<Outcome, Fault> {
    if !generic.may_compile(machine.options.kernels) {
        return Ok(Outcome::TooFew);
    }
    plans.points = plans.points.saturating_add(generic.points());
    let worth = machine.options.kernels == Kernels::Compiled || plans.points >= PLANNED_FROM;
    let mut ready = Vec::new();
    for result in 0..generic.values.len().saturating_sub(generic.inputs) {
        let Some(plan) = Plan::of(frame, generic, result)? else { return Ok(Outcome::Declined(declined(generic))) };
        let Some(made) = plans.of(&plan.kernel, worth)? else { return Ok(Outcome::TooFew) };
        match &made.lowered {
            Ok(_) => ready.push((plan, made)),
            Err(declined) => return Ok(Outcome::Declined(declined.clone())),
        }
    }
    let results = ready.iter().enumerate().map(|(at, (plan, made))| run_one(machine, generic, (plan, made), at));
    Ok(Outcome::Results(results.collect::<Result<_, _>>()?))
}

/// Why the compiler does not take a kernel.
#[derive(Clone)]
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
    (plan, made): (&Plan, &Made),
    result: usize,
) -> Result<Value, Fault> {
    let Ok(lowered) = &made.lowered else { return Err(Fault::bug("a kernel without a plan")) };
    let operands = plan.operands();
    let points = run::points(lowered, &operands);
    machine.step(points)?;
    if points >= run::LONG_FROM {
        generic.say_costs(machine, lowered);
    }
    let code = made.code(lowered, points, machine.cache)?;
    let out = generic.values.get(generic.inputs + result).ok_or_else(|| Fault::new("a kernel without a result"))?;
    let value = execute(out, lowered, &code, &operands, machine.options.threads)?;
    if generic.adds_up(result, &plan.kernel) { from_zero(value) } else { Ok(value) }
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

fn execute(
    out: &Value,
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    threads: usize,
) -> Result<Value, Fault> {
    let failed = |error: run::RunError| match error.is_no_room() {
        true => Fault::limit(error.to_string()),
        false => Fault::new(error.to_string()),
    };
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
    /// With scalars from outside as operands where nothing follows from what they are, so that one plan does for
    /// all, else as numbers.
    fn of(frame: &Frame<'_>, generic: &Generic<'_>, result: usize) -> Result<Option<Plan>, Fault> {
        let factors = generic.op.region(0).map(|body| factors(frame, body)).unwrap_or_default();
        let plan = Plan::with(frame, generic, result, &factors)?;
        if plan.is_some() || factors.is_empty() { Ok(plan) } else { Plan::with(frame, generic, result, &[]) }
    }

    fn with(
        frame: &Frame<'_>,
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
            let Some((tensor, its)) = operand(generic, at)? else { return Ok(None) };
            tensors.push(tensor);
            data.push(its);
        }
        // The old result is an operand too, the last; the compiler drops one that is not read.
        for (at, (id, element)) in factors.iter().enumerate() {
            let name = format!("factor {at}");
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
        let places = (0..generic.inputs).chain([tensors.len() - 1]).map(TensorId::new).collect();
        let draft = Draft { tensors, places, extents: &generic.extents, result: "result".to_string() };
        let Some(Said { kernel, reads_old }) = draft.say(&known) else { return Ok(None) };
        if !reads_old {
            data.pop();
        } else if generic.adds_up(result, &kernel) && data.last().is_some_and(Data::has_negative_zeros) {
            // A sum that goes on from one may be one.
            return Ok(None);
        }
        Plan { kernel, data }.without_padding().map(Some)
    }

    /// With copies of operands that pad, where a slot of padding that counted as an entry would show.
    fn without_padding(self) -> Result<Plan, Fault> {
        let Plan { kernel, mut data } = self;
        let mut tensors = kernel.tensors().to_vec();
        let copies: Vec<_> = tensors.iter().map(|tensor| tensor.encoding.as_deref().and_then(unpadded)).collect();
        let padded = copies.iter().zip(&data).any(|(copy, _)| copy.is_some());
        if !padded || !minds_padding(&kernel, || !data.iter().all(Data::is_finite)) {
            return Ok(Plan { kernel, data });
        }
        for ((tensor, data), copy) in tensors.iter_mut().zip(&mut data).zip(copies) {
            if let (Some(encoding), Data::Stored(storage)) = (copy, &*data) {
                *data = Data::Stored(Arc::new(storage::convert(storage, &encoding)?));
                tensor.encoding = Some(encoding);
            }
        }
        let kernel = kernel.rewritten(tensors, kernel.declarations(), kernel.expr().clone());
        let kernel = kernel.map_err(|_| Fault::bug("a copy without padding has another shape"))?;
        Ok(Plan { kernel, data })
    }

    /// One per tensor of the kernel, the result's empty.
    fn operands(&self) -> Vec<Option<Operand<'_>>> {
        self.data.iter().map(|data| Some(data.operand())).chain([None]).collect()
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
    fn is_finite(&self) -> bool {
        match self {
            Data::Scalar(scalar) => is_finite(*scalar),
            Data::Dense(values) => values.iter().all(is_finite),
            Data::Stored(storage) => storage.values().iter().all(is_finite),
        }
    }
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

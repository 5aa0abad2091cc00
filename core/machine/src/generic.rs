//! `linalg.generic` and the operations that become one: a body that runs at every point of a loop space, with
//! operands accessed by affine maps of the point.
//!
//! Meaning. The body is evaluated at every point, in the order of the loops, and yields the result's entry there. So
//! the answer depends neither on the formats of operands nor on the way in which it is computed.
//!
//! - An operand with an encoding has a value where it stores an entry (entries at the same coordinates are added up),
//!   and is *absent* elsewhere. A product is absent where a factor is, so `0 * inf` is not NaN there. Any other
//!   operation takes an absent operand as zero, and is absent if its absent operands force it to zero, whatever its
//!   other operands are. An absent value is not stored in a result with an encoding, and is zero in a dense one.
//! - The old value of a dense result is an ordinary value, and present, wherever the body uses it. A reduction applies
//!   every term to it, an absent term as zero, so a product turns an old infinity into NaN.
//! - Where `unary`, `binary` or `select` omits a value, there is *no result*. A sum or difference is then its other
//!   operand, and a product has no result either. Any other operation takes it as zero, like an absent value. A point
//!   without a result leaves the entry unchanged: the old value if the body reads it, else zero or no entry.
//! - `sparse_tensor.reduce` reduces stored terms into the old value. It starts from the identity if the result has no
//!   entry there, or its contents are undefined (`tensor.empty`). Without a term the old value stays.

mod buffers;
mod caught;
mod compiled;
mod declined;
mod direct;
mod names;
mod sites;
mod uses;
mod written;

use std::{collections::HashSet, sync::Arc};

pub(super) use caught::conversion as caught_conversion;
use compiled::Outcome;
pub use declined::Declined;
pub use names::plain as plain_name;
pub use sites::{Becomes, Site, becomes_loops};
pub(crate) use sites::{costs, costs_of_call, sites, sites_at};
use written::Written;

use crate::{
    Kernels,
    budget::Budget,
    machine::{Fault, Frame, Machine},
    value::{Array, Value, by},
};
use nnz_base::{
    element::Scalar,
    source::{Source, Span},
};
use nnz_encoding::AffineMap;
use nnz_mlir::{
    attribute::Attribute,
    dialects::constant_of,
    ir::{Function, Op, Region, ValueId},
    types::Type,
};
use nnz_run::Hidden;

/// An operation of this form, with the values of its operands.
pub(super) struct Generic<'o> {
    pub op: &'o Op,
    /// One per operand, the results' last.
    pub maps: Vec<Arc<AffineMap>>,
    pub values: Vec<Value>,
    /// How many of the operands are inputs.
    pub inputs: usize,
    /// The extent of each loop.
    pub extents: Vec<u64>,
}

/// Runs the operation.
///
/// # Errors
/// Operands whose shapes disagree; whatever stops the body.
pub(super) fn run(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let generic = Generic::new(&machine.budget, frame, op)?;
    if machine.catch.wants(op) {
        return Err(caught::kernel(machine, frame, &generic));
    }
    let mut plans = machine.plans.remove(&op.span).unwrap_or_default();
    let compiled = compiled::run(machine, frame, &generic, &mut plans);
    machine.plans.insert(op.span, plans);
    match compiled? {
        Outcome::Results(results) => return Ok(results),
        Outcome::Declined(declined) => {
            machine.has_steps_for(generic.points(), "the kernel, evaluated point by point,")?;
            generic.say_slow(machine, &declined);
        }
        Outcome::TooFew => {}
    }
    direct::run(machine, frame, &generic)
}

/// A kernel gets a plan once it has evaluated this many points since its last plan, which takes about as long as making
/// one. Measured roughly.
const PLANNED_FROM: u64 = 1 << 12;

/// Fewer points than this are evaluated in less time than it takes to bind operands to a plan. Measured roughly.
const FEW: u64 = 1 << 7;

/// How often a kernel of `points` is evaluated directly before it gets a plan; `None` if it has too few points to ever
/// get one.
fn direct_runs(points: u64) -> Option<u64> {
    (points >= FEW).then(|| (PLANNED_FROM - 1) / points)
}

impl<'o> Generic<'o> {
    fn may_compile(&self, kernels: Kernels) -> bool {
        match kernels {
            Kernels::BySize => self.points() >= FEW,
            Kernels::Compiled => true,
            Kernels::Direct => false,
        }
    }

    fn points(&self) -> u64 {
        self.extents.iter().fold(1u64, |points, extent| points.saturating_mul(*extent))
    }

    /// Says that a kernel is about to be evaluated without loops, unless that was said.
    fn say_slow(&self, machine: &mut Machine<'_>, declined: &Declined) {
        let points = self.points();
        self.costs(machine).tell(Hidden::without_loops(&point_by_point(points, declined), points));
    }

    /// Says what a kernel costs, unless that was said.
    fn costs<'m>(&'m self, machine: &'m mut Machine<'_>) -> Costs<'m> {
        let is_new = !machine.slow.contains(&self.op.span);
        Costs { sink: machine.sink, slow: &mut machine.slow, source: machine.run.source, op: self.op, is_new }
    }

    fn new(budget: &Budget, frame: &Frame<'_>, op: &'o Op) -> Result<Generic<'o>, Fault> {
        let memoized = nnz_mlir::dialects::linalg::MEMOIZED_MAPS;
        let maps = match op.attribute("indexing_maps").or(op.attribute(memoized)) {
            Some(Attribute::Array(maps)) => maps.iter().filter_map(Attribute::as_map).cloned().collect(),
            _ => Vec::new(),
        };
        let values = frame.all(&op.operands)?;
        let inputs = op.segments.first().copied().unwrap_or(values.len().saturating_sub(1));
        let mut generic = Generic { op, maps, values, inputs, extents: Vec::new() };
        generic.extents = generic.loops()?;
        generic.start_undefined(budget, frame)?;
        Ok(generic)
    }

    /// The values of the body that stand for what the results were before.
    fn outs(&self) -> Vec<ValueId> {
        let arguments = self.op.region(0).map(|body| &body.arguments[..]).unwrap_or_default();
        arguments.iter().skip(self.inputs).map(|argument| argument.value).collect()
    }

    /// A dense result with undefined contents starts from the identity of the `sparse_tensor.reduce` that reads it.
    fn start_undefined(&mut self, budget: &Budget, frame: &Frame<'_>) -> Result<(), Fault> {
        for (out, at) in self.outs().into_iter().zip(self.inputs..) {
            let Some(identity) = self.op.region(0).and_then(|body| identity_of(body, out)) else { continue };
            let undefined = self.op.operands.get(at).is_some_and(|operand| is_undefined(frame.function, operand.value));
            let Some(value) = self.values.get(at).filter(|_| undefined) else { continue };
            let Some(start) = constant_in(self.op, identity).or_else(|| frame.get(identity).ok()?.scalar().ok()) else {
                continue;
            };
            self.values[at] = match value {
                Value::Array(array) => {
                    Value::Array(Array::filled(budget, (array.element, start), array.shape.clone())?)
                }
                Value::Sparse(tensor) if tensor.encoding().stores_all() => Value::Sparse(tensor.filled(budget, start)?),
                Value::Scalar(_)
                | Value::Entries(_)
                | Value::Sparse(_)
                | Value::Memory(_)
                | Value::Name(_)
                | Value::Specifier(_)
                | Value::Walk(_) => continue,
            };
        }
        Ok(())
    }

    /// The extent of each loop, which some operand has as a dimension of its own.
    fn loops(&self) -> Result<Vec<u64>, Fault> {
        let count = self.maps.first().map_or(0, |map| map.dims);
        let mut extents: Vec<Option<(u64, [usize; 2])>> = vec![None; count];
        for (operand, (map, value)) in self.maps.iter().zip(&self.values).enumerate() {
            for (dim, (result, size)) in map.results.iter().zip(value.sizes()).enumerate() {
                let Some(extent) = result.as_var().and_then(|dim| extents.get_mut(dim.index())) else { continue };
                match extent {
                    Some((known, place)) if *known != size => {
                        return Err(differing((*known, *place), (size, [operand, dim])));
                    }
                    _ => *extent = Some((size, [operand, dim])),
                }
            }
        }
        let open = extents.iter().position(Option::is_none);
        if let Some(open) = open {
            return Err(Fault::new(format!("no operand says how far loop {open} runs")));
        }
        let extents: Vec<u64> = extents.into_iter().flatten().map(|(extent, _)| extent).collect();
        self.check_bounds(&extents)?;
        Ok(extents)
    }

    /// Every access stays within its operand.
    fn check_bounds(&self, extents: &[u64]) -> Result<(), Fault> {
        if extents.contains(&0) {
            return Ok(());
        }
        for (map, value) in self.maps.iter().zip(&self.values) {
            let last: Vec<u64> = extents.iter().map(|extent| extent - 1).collect();
            let reached: Vec<i128> = map.image(&last).collect();
            let sizes = value.sizes();
            if reached.iter().zip(&sizes).any(|(at, size)| *at >= i128::from(*size)) {
                let message = format!("the loops, {}, reach beyond an operand of {}", by(extents), by(&sizes));
                return Err(Fault::new(message));
            }
        }
        Ok(())
    }
}

/// `evaluated point by point, in 1000000 steps: a result is in the memory of another operand`
fn point_by_point(points: u64, reason: &Declined) -> String {
    format!("evaluated point by point, in {points} steps: {reason}")
}

/// Reports the hidden costs of one kernel.
struct Costs<'m> {
    sink: &'m mut dyn crate::Sink,
    slow: &'m mut HashSet<Span>,
    source: &'m Source,
    op: &'m Op,
    /// Nothing was reported about the kernel before this run.
    is_new: bool,
}

impl Costs<'_> {
    fn tell(&mut self, mut cost: Hidden) {
        if self.is_new && cost.is_told() {
            self.slow.insert(self.op.span);
            cost.text = Written::of(self.source, self.op).in_words(&cost.text);
            self.sink.note(cost.hint(self.source.id, self.op.span));
        }
    }
}

/// Two sizes for one loop, each with the operand and its dimension that has it.
fn differing((one, [first, dim]): (u64, [usize; 2]), (other, [second, at]): (u64, [usize; 2])) -> Fault {
    Fault::new(format!(
        "a loop runs to {one} by dimension {dim} of operand {first} and to {other} by dimension {at} of operand {second}"
    ))
}

/// What a `sparse_tensor.reduce` of `old` starts from.
fn identity_of(body: &Region, old: ValueId) -> Option<ValueId> {
    let takes = |op: &&Op| op.operands.iter().take(2).any(|operand| operand.value == old);
    let reduce = body.in_use().filter(|op| op.def.name == "sparse_tensor.reduce").find(takes)?;
    Some(reduce.operands.get(2)?.value)
}

/// The number that the body of a kernel writes out as `id`.
fn constant_in(kernel: &Op, id: ValueId) -> Option<Scalar> {
    constant_of(kernel.region(0)?.operations.iter().find(|op| op.results.contains(&id))?)
}

/// Whether a tensor is made without values: `tensor.empty`, or an allocation that copies nothing.
fn is_undefined(function: &Function, id: ValueId) -> bool {
    match function.maker(id) {
        Some(op) if op.def.name == "tensor.cast" => {
            op.operands.first().is_some_and(|operand| is_undefined(function, operand.value))
        }
        Some(op) => is_without_values(op),
        None => false,
    }
}

/// `tensor.empty`, or an allocation that copies nothing.
fn is_without_values(op: &Op) -> bool {
    let sizes_only = || op.operands.iter().all(|operand| operand.ty == Type::INDEX);
    op.def.name == "tensor.empty" || op.def.name == "bufferization.alloc_tensor" && sizes_only()
}

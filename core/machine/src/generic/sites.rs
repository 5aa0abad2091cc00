//! Lowers the kernels of a function as a run would, without running it.
//!
//! It reports what it assumes about facts that are known only at run time: sizes that types leave open, and that a
//! result from outside the function starts empty.

mod sizes;

use std::{
    cell::Cell,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    Declined,
    buffers::{must_overlap, reaches_all},
    compiled::{Draft, Known, exact, is_identity, request},
    direct_runs,
    names::{self, distinct},
    point_by_point,
    uses::of_outside,
    written::Written,
};
use crate::meaning::Meanings;
use nnz_base::{
    element::{Element, Scalar},
    ids::TensorId,
    source::{Source, Span},
};
use nnz_encoding::AffineMap;
use nnz_kernel::{Access, Expr, Kernel, ReduceOp, Tensor};
use nnz_mlir::{
    attribute::Attribute,
    dialects::{constant_of, linalg::MEMOIZED_MAPS, lookup, memref::is_buffer},
    ir::{Function, FunctionId, Module, Op, Operand, Region, ValueId},
    mistake::Mistake,
    operation::Role,
    types::Type,
};
use nnz_plan::iterate;
use nnz_run::{self as run, Hidden, Outline, Refusal};
use sizes::{extents, known_points, reached, sizes};

/// A kernel of a function.
pub struct Site {
    /// The operation: `linalg.generic`.
    pub name: &'static str,
    /// The operation's name in the text.
    pub span: Span,
    pub becomes: Becomes,
    /// The points of its loops; 0 for a conversion.
    pub points: u64,
    /// Assumptions, and differences from a run.
    pub notes: Vec<String>,
}

/// The outcome for a kernel.
pub enum Becomes {
    /// Loops, and their hidden costs, however small.
    Loops(Arc<Outline>, Vec<Hidden>),
    /// Evaluated without loops: how, and why.
    Evaluated(String),
    /// A bug of nnz.
    Broken(Refusal),
}

/// Every kernel of `function`, in the order of the text.
pub(crate) fn sites(source: &Source, function: &Function, meanings: &Meanings) -> Vec<Site> {
    let surroundings = Surroundings::new(source, function, meanings);
    operations(function).into_iter().flat_map(|op| surroundings.sites(op)).collect()
}

/// What the operation at `name` in the text becomes; of a kernel with several results, one for each.
pub(crate) fn sites_at((source, meanings): (&Source, &Meanings), function: &Function, name: Span) -> Vec<Site> {
    let Some(op) = operations(function).into_iter().find(|op| op.span == name) else { return Vec::new() };
    match op.operands.iter().any(|operand| matches!(operand.ty, Type::Broken)) {
        true => Vec::new(),
        false => Surroundings::new(source, function, meanings).sites(op),
    }
}

/// Whether an operation of this name is a kernel, or a conversion that could be one.
pub fn becomes_loops(name: &str) -> bool {
    let is_kernel = name.starts_with("linalg.") && name != "linalg.fill";
    let known = || lookup(name).is_some_and(|def| def.role == Role::Host);
    name == "sparse_tensor.convert" || is_kernel && known()
}

/// The operations of a function outside kernels' bodies.
fn operations(function: &Function) -> Vec<&Op> {
    let mut ops = Vec::new();
    function.body.iter().for_each(|body| collect(body, &mut ops));
    ops
}

/// The operations of a region and of those within, but not of kernels' bodies.
fn collect<'o>(region: &'o Region, into: &mut Vec<&'o Op>) {
    for op in region.blocks().flatten() {
        into.push(op);
        if maps(op).is_none() {
            op.regions.iter().flatten().for_each(|inner| collect(inner, into));
        }
    }
}

/// The indexing maps of an operation that is a kernel.
fn maps(op: &Op) -> Option<Vec<Arc<AffineMap>>> {
    match op.attribute("indexing_maps").or(op.attribute(MEMOIZED_MAPS)) {
        Some(Attribute::Array(maps)) => Some(maps.iter().filter_map(Attribute::as_map).cloned().collect()),
        _ => None,
    }
}

/// What a result holds before its kernel runs.
enum Before {
    /// Zeros, or no entries.
    Nothing,
    Everywhere(Scalar),
    Unknown,
}

fn site(
    (source, op, points): (&Source, &Op, u64),
    made: Result<Kernel, Declined>,
    notes: Vec<String>,
    otherwise: impl Fn(&Declined) -> String,
) -> Site {
    let written = Written::of(source, op);
    let becomes = made.and_then(|kernel| foreseen(&kernel, &written)).unwrap_or_else(|declined| match declined.bug() {
        Some(bug) => Becomes::Broken(bug.clone()),
        None => Becomes::Evaluated(written.in_words(&otherwise(&declined))),
    });
    Site { name: op.def.name, span: op.span, becomes, points, notes }
}

/// The loops of a kernel without data, and their costs in the words of its program.
fn foreseen(kernel: &Kernel, written: &Written<'_>) -> Result<Becomes, Declined> {
    let (outline, mut costs) = run::outlined(request(kernel))?;
    costs.iter_mut().for_each(|cost: &mut Hidden| cost.text = written.in_words(&cost.text));
    Ok(Becomes::Loops(outline, costs))
}

impl Site {
    /// The hidden costs of a run that are told.
    pub fn costs(&self) -> Vec<Hidden> {
        let all = match &self.becomes {
            // A run packs.
            Becomes::Loops(..) if self.name == "sparse_tensor.convert" => Vec::new(),
            Becomes::Loops(_, costs) => costs.clone(),
            Becomes::Evaluated(how) => vec![Hidden::without_loops(how, self.points)],
            Becomes::Broken(_) => Vec::new(),
        };
        all.into_iter().filter(Hidden::is_told).collect()
    }

    /// The costs that are told, or a bug of nnz.
    fn told(self) -> Vec<Mistake> {
        if let Becomes::Broken(bug) = &self.becomes {
            let mistake = Mistake::new(bug.code(), self.span, bug.to_string());
            return vec![bug.help().into_iter().fold(mistake, Mistake::help)];
        }
        let mistake = |cost: Hidden| {
            let mistake = Mistake::new(cost.code, self.span, &cost.text).label(cost.label);
            cost.help().into_iter().fold(mistake, Mistake::help)
        };
        self.costs().into_iter().map(mistake).collect()
    }
}

/// The hidden costs of running `function`, as far as types give the sizes.
pub(crate) fn costs(source: &Source, function: &Function, meanings: &Meanings) -> Vec<Mistake> {
    let long: Vec<&Op> = operations(function).into_iter().filter(|op| may_be_long(op)).collect();
    if long.is_empty() {
        return Vec::new();
    }
    let surroundings = Surroundings::new(source, function, meanings);
    long.into_iter().flat_map(|op| surroundings.sites(op)).flat_map(Site::told).collect()
}

/// The hidden costs of running `function` and the functions that it calls, directly or not, in the order of the text.
pub(crate) fn costs_of_call(
    source: &Source,
    (module, meanings): (&Module, &Meanings),
    function: FunctionId,
) -> Vec<Mistake> {
    let (mut reached, mut open) = (BTreeSet::from([function]), vec![function]);
    while let Some(caller) = open.pop().map(|id| module.function(id)) {
        let calls = operations(caller).into_iter().filter(|op| op.def.name == "func.call");
        let called = calls.filter_map(|op| module.called(caller, op.callee()));
        open.extend(called.filter(|id| reached.insert(*id)));
    }
    reached.into_iter().flat_map(|id| costs(source, module.function(id), meanings)).collect()
}

/// Whether a kernel of known sizes has many points, or is planned and has an operand of many places, which may be copied.
fn may_be_long(op: &Op) -> bool {
    let Some(points) = maps(op).and_then(|maps| known_points(op, &maps)) else { return false };
    let places = |operand: &Operand| {
        let sizes = operand.ty.sparse().and_then(|_| operand.ty.shape())?;
        sizes.into_iter().try_fold(1u64, |places, size| Some(places.saturating_mul(size?)))
    };
    let largest = op.operands.iter().filter_map(places).max().unwrap_or(0);
    Hidden::may_be_told(points) || direct_runs(points) == Some(0) && Hidden::may_be_told(largest)
}

fn inputs(op: &Op) -> usize {
    op.segments.first().copied().unwrap_or(op.operands.len().saturating_sub(1))
}

/// What is known about the value that a reduction starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Said,
    Assumed,
}

/// The function around a kernel.
struct Surroundings<'a> {
    source: &'a Source,
    function: &'a Function,
    meanings: &'a Meanings,
    /// What computes each value.
    makers: HashMap<ValueId, &'a Op>,
}

impl<'a> Surroundings<'a> {
    fn new(source: &'a Source, function: &'a Function, meanings: &'a Meanings) -> Surroundings<'a> {
        let makers = operations(function).into_iter().flat_map(|op| op.results.iter().map(move |id| (*id, op)));
        Surroundings { source, function, meanings, makers: makers.collect() }
    }

    /// The sites of a kernel, one for each of its results.
    fn sites(&self, op: &Op) -> Vec<Site> {
        let mut notes = Vec::new();
        match (op.def.name, maps(op)) {
            ("sparse_tensor.convert", _) => {
                let made = self.conversion(op, &mut notes);
                vec![site((self.source, op, 0), made, notes, |reason| format!("evaluated directly: {reason}"))]
            }
            (_, Some(maps)) => {
                let points = extents(op, &maps).into_iter().fold(1, u64::saturating_mul);
                let of_result = |result| {
                    let mut notes = Vec::new();
                    let made = self.kernel(op, result, &maps, &mut notes);
                    site((self.source, op, points), made, notes, |reason| point_by_point(points, reason))
                };
                (0..op.operands.len().saturating_sub(inputs(op)).max(1)).map(of_result).collect()
            }
            _ => Vec::new(),
        }
    }

    fn name(&self, operand: &Operand) -> String {
        names::of(self.source, operand)
    }

    fn conversion(&self, op: &Op, notes: &mut Vec<String>) -> Result<Kernel, Declined> {
        let operand = op.operands.first().ok_or(Declined::Operand)?;
        let to = op.result_types.first().ok_or(Declined::Operand)?;
        let same = operand.ty.tensor().zip(to.tensor()).is_some_and(|(from, to)| from.element == to.element);
        if !same {
            return Err(Declined::OneByOne);
        }
        let shape = sizes(operand, notes);
        let from = tensor(self.name(operand), &operand.ty, shape.clone()).ok_or(Declined::Operand)?;
        let mut result = tensor(names::of_result(self.source, op), to, shape).ok_or(Declined::Operand)?;
        if result.name == from.name {
            result.name.push('_');
        }
        notes.push("`nnz run` packs the entries instead, to the same arrays".to_string());
        match iterate::conversion(&from, &result) {
            Ok(kernel) => kernel.ok_or(Declined::Packed),
            Err(error) => Err(Refusal::from(error).into()),
        }
    }

    fn kernel(
        &self,
        op: &Op,
        result: usize,
        all: &[Arc<AffineMap>],
        notes: &mut Vec<String>,
    ) -> Result<Kernel, Declined> {
        let (inputs, at) = (inputs(op), inputs(op) + result);
        let old = op.operands.get(at).ok_or(Declined::Operand)?;
        let has_buffer = op.operands.get(at).is_some_and(|out| is_buffer(&out.ty));
        if must_overlap(op, inputs, all) || has_buffer && !all.get(at).is_some_and(|map| reaches_all(map)) {
            return Err(Declined::Buffers);
        }
        if has_buffer {
            notes.push("as if no two of its buffers overlap".to_string());
        }
        let extents = extents(op, all);
        let used = || (0..inputs).chain([at]);
        let operands: Vec<&Operand> = used().filter_map(|at| op.operands.get(at)).collect();
        let maps: Vec<Arc<AffineMap>> = used().filter_map(|at| all.get(at).cloned()).collect();
        let (tensors, outer) = self.tensors(op, (&operands, &maps), &extents, notes)?;
        let places = (0..inputs).map(TensorId::new).chain([TensorId::new(tensors.len() - 1)]).collect();
        let first_outer = inputs;
        let name = distinct(&tensors, names::of_result(self.source, op));
        let start = Cell::new(Start::Said);
        let element = old.ty.element().unwrap_or(Element::F64);
        let starts = |reduce: &ReduceOp| self.starts_at_identity(old, element, reduce, &start);
        let outside = |id: ValueId| self.outside(id, first_outer, &outer);
        let known = Known {
            op,
            meanings: self.meanings,
            maps: &maps,
            inputs,
            result,
            loops: extents.len(),
            encoded: operands.iter().map(|operand| operand.ty.sparse().is_some()).collect(),
            elements: tensors.iter().map(|tensor| tensor.element).collect(),
            outer: &outside,
            starts_at_identity: &starts,
        };
        let said = Draft { tensors, places, extents: &extents, result: name }.say(&known);
        let name = self.source.slice(old.span);
        let kernel = said?.kernel;
        if start.get() == Start::Assumed {
            notes.push(format!("as if `{name}` held nothing before; with anything else it goes on from that"));
        }
        let points = extents.iter().fold(1u64, |points, extent| points.saturating_mul(*extent));
        match direct_runs(points) {
            None => notes.push(format!("{points} points: `nnz run` evaluates so few directly")),
            Some(0) => {}
            Some(times) => {
                let times = if times == 1 { "once".to_string() } else { format!("{times} times") };
                notes.push(format!("{points} points: `nnz run` evaluates so few directly, {times}, and compiles then"));
            }
        }
        Ok(kernel)
    }

    /// The operands, the scalars from outside the body, and last the old value of the result.
    fn tensors(
        &self,
        op: &Op,
        (operands, maps): (&[&Operand], &[Arc<AffineMap>]),
        extents: &[u64],
        notes: &mut Vec<String>,
    ) -> Result<(Vec<Tensor>, Vec<ValueId>), Declined> {
        let mut tensors: Vec<Tensor> = Vec::new();
        for (operand, map) in operands.iter().zip(maps) {
            let shape = reached(operand, map, extents, notes);
            let name = distinct(&tensors, self.name(operand));
            tensors.push(tensor(name, &operand.ty, shape).ok_or(Declined::Operand)?);
        }
        let old = tensors.pop().ok_or(Declined::Operand)?;
        let mut outer = Vec::new();
        for operand in op.region(0).map(|body| self.outside_uses(body)).unwrap_or_default() {
            if outer.contains(&operand.value) {
                continue;
            }
            outer.push(operand.value);
            let name = distinct(&tensors, self.name(operand));
            tensors.push(tensor(name, &operand.ty, Vec::new()).ok_or(Declined::Outside)?);
        }
        tensors.push(old);
        Ok((tensors, outer))
    }

    /// The uses in a body of scalars that are computed outside it and are not constants.
    fn outside_uses<'r>(&self, body: &'r Region) -> Vec<&'r Operand> {
        let mut uses = of_outside(body);
        uses.retain(|operand| self.constant(operand.value).is_none());
        uses
    }

    fn constant(&self, id: ValueId) -> Option<Scalar> {
        self.makers.get(&id).and_then(|op| constant_of(op))
    }

    fn outside(&self, id: ValueId, first: usize, outer: &[ValueId]) -> Option<Expr> {
        if let Some(at) = outer.iter().position(|known| *known == id) {
            return Some(Expr::Access(Access { tensor: TensorId::new(first + at), indices: Vec::new() }));
        }
        let element = self.function.types.get(id.index()).and_then(Type::scalar)?;
        Some(Expr::literal(element, self.constant(id)?))
    }

    fn starts_at_identity(&self, out: &Operand, element: Element, op: &ReduceOp, start: &Cell<Start>) -> bool {
        match self.before(out) {
            Before::Nothing => out.ty.sparse().is_some() || is_identity(op, element.zero()),
            Before::Everywhere(value) => is_identity(op, value),
            // The old value is added to where the order of additions does not matter.
            Before::Unknown if exact(element) => false,
            Before::Unknown => {
                start.set(Start::Assumed);
                true
            }
        }
    }

    fn before(&self, out: &Operand) -> Before {
        let Some(op) = self.makers.get(&out.value) else { return Before::Unknown };
        match op.def.name {
            _ if super::is_without_values(op) => Before::Nothing,
            "linalg.fill" => op
                .operands
                .first()
                .and_then(|value| self.constant(value.value))
                .map_or(Before::Unknown, Before::Everywhere),
            "arith.constant" => splat(op).map_or(Before::Unknown, Before::Everywhere),
            _ => Before::Unknown,
        }
    }
}

/// The value that a dense constant holds everywhere.
fn splat(op: &Op) -> Option<Scalar> {
    let Some(Attribute::Dense(literal)) = op.attribute("value") else { return None };
    let first = literal.values.get(0)?;
    literal.values.iter().all(|value| value == first).then_some(first)
}

fn tensor(name: String, ty: &Type, shape: Vec<u64>) -> Option<Tensor> {
    if !matches!(ty, Type::Scalar(_) | Type::Tensor(_) | Type::Memory(_)) {
        return None;
    }
    let encoding = ty.tensor().and_then(|tensor| tensor.encoding.clone());
    Some(Tensor { name, element: ty.element()?, shape, encoding })
}

#[cfg(test)]
mod tests;

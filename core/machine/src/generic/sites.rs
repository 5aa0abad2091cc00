//! Lowers the kernels of a function as a run would, without running it.
//!
//! It reports what it assumes about facts that only a run tells: sizes that types leave open, and that a
//! result from outside the function starts empty.

use std::{cell::Cell, collections::HashMap, sync::Arc};

use super::{
    Declined,
    compiled::{Draft, Known, exact, is_identity, request, unsaid_on_tensors},
    direct_runs,
    names::{self, distinct},
    point_by_point,
};
use nnz_base::{
    diagnostic::Code,
    element::{Element, Scalar},
    ids::TensorId,
    source::{Source, Span},
};
use nnz_kernel::{Access, Expr, Kernel, ReduceOp, Tensor};
use nnz_mlir::{
    attribute::{AffineMap, Attribute},
    dialects::{constant_of, linalg::MEMOIZED_MAPS},
    ir::{Function, Op, Operand, Region, ValueId},
    mistake::Mistake,
    types::Type,
};
use nnz_plan::iterate;
use nnz_run::{self as run, Hidden, LONG_FROM, Plans, Prepared, Refusal};

/// A size that only a run tells is taken to be this.
const ASSUMED_SIZE: u64 = 1000;

/// A kernel of a function.
pub struct Site {
    /// The operation: `linalg.generic`.
    pub name: &'static str,
    /// The operation's name in the text.
    pub span: Span,
    pub becomes: Becomes,
    /// Assumptions, and differences from a run.
    pub notes: Vec<String>,
}

/// The outcome for a kernel.
pub enum Becomes {
    /// Loops, and their hidden costs.
    Loops(Box<Prepared<'static>>, Vec<Hidden>),
    /// Evaluated without loops: how, and why.
    Evaluated(String),
    /// A bug of nnz.
    Broken(Refusal),
}

/// Every kernel of `function`, in the order of the text.
pub fn sites(source: &Source, function: &Function) -> Vec<Site> {
    let surroundings = Surroundings::new(source, function);
    operations(function).into_iter().flat_map(|op| surroundings.sites(op)).collect()
}

/// The operations of a function outside of kernels' bodies.
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

fn site(op: &Op, made: Result<Kernel, Declined>, notes: Vec<String>, otherwise: impl Fn(&Declined) -> String) -> Site {
    let becomes = made.and_then(|kernel| foreseen(&kernel)).unwrap_or_else(|declined| match declined.bug() {
        Some(bug) => Becomes::Broken(bug.clone()),
        None => Becomes::Evaluated(otherwise(&declined)),
    });
    Site { name: op.def.name, span: op.span, becomes, notes }
}

/// The loops of a kernel without data.
fn foreseen(kernel: &Kernel) -> Result<Becomes, Declined> {
    let mut costs = Vec::new();
    let operands = kernel.tensors().iter().skip(1).map(|_| None);
    let prepared = run::prepare(request(kernel), operands, &mut Plans::default(), &mut |cost| costs.push(cost))?;
    Ok(Becomes::Loops(Box::new(prepared), costs))
}

impl Site {
    /// What takes long and its text does not show, or a bug of nnz.
    fn told(self) -> Vec<Mistake> {
        let cost = |text| Mistake::new(Code::HiddenCost, self.span, text);
        match self.becomes {
            Becomes::Loops(_, costs) => costs.into_iter().filter(Hidden::is_long).map(|it| cost(it.text)).collect(),
            Becomes::Evaluated(how) => vec![cost(format!("this kernel is {how}"))],
            Becomes::Broken(bug) => {
                let mistake = Mistake::new(bug.code(), self.span, bug.to_string());
                vec![bug.help().into_iter().fold(mistake, Mistake::help)]
            }
        }
    }
}

/// The hidden costs of running `function`, as far as types give the sizes.
pub(crate) fn costs(source: &Source, function: &Function) -> Vec<Mistake> {
    let long = |op: &&Op| maps(op).and_then(|maps| known_points(op, &maps)).is_some_and(|points| points >= LONG_FROM);
    let long: Vec<&Op> = operations(function).into_iter().filter(long).collect();
    if long.is_empty() {
        return Vec::new();
    }
    let surroundings = Surroundings::new(source, function);
    long.into_iter().flat_map(|op| surroundings.sites(op)).flat_map(Site::told).collect()
}

fn inputs(op: &Op) -> usize {
    op.segments.first().copied().unwrap_or(op.operands.len().saturating_sub(1))
}

/// What is known of how a reduction starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Said,
    Assumed,
}

/// The function around a kernel.
struct Surroundings<'a> {
    source: &'a Source,
    function: &'a Function,
    /// What computes each value.
    makers: HashMap<ValueId, &'a Op>,
}

impl<'a> Surroundings<'a> {
    fn new(source: &'a Source, function: &'a Function) -> Surroundings<'a> {
        let makers = operations(function).into_iter().flat_map(|op| op.results.iter().map(move |id| (*id, op)));
        Surroundings { source, function, makers: makers.collect() }
    }

    /// Of a kernel with several results, one for each.
    fn sites(&self, op: &Op) -> Vec<Site> {
        let mut notes = Vec::new();
        match (op.def.name, maps(op)) {
            ("sparse_tensor.convert", _) => {
                let made = self.conversion(op, &mut notes);
                vec![site(op, made, notes, |reason| format!("evaluated directly: {reason}"))]
            }
            (_, Some(maps)) => {
                let points = extents(op, &maps).into_iter().fold(1, u64::saturating_mul);
                let of_result = |result| {
                    let mut notes = Vec::new();
                    let made = self.kernel(op, result, &maps, &mut notes);
                    site(op, made, notes, |reason| point_by_point(points, reason))
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
        iterate::conversion(&from, &result).ok_or(Declined::Packed)
    }

    fn kernel(
        &self,
        op: &Op,
        result: usize,
        maps: &[Arc<AffineMap>],
        notes: &mut Vec<String>,
    ) -> Result<Kernel, Declined> {
        let (inputs, at) = (inputs(op), inputs(op) + result);
        let old = op.operands.get(at).ok_or(Declined::Operand)?;
        if op.operands.iter().any(|operand| matches!(operand.ty, Type::Memory(_) | Type::UnrankedMemory(_))) {
            return Err(Declined::Buffers);
        }
        let extents = extents(op, maps);
        let used = || (0..inputs).chain([at]);
        let operands: Vec<&Operand> = used().filter_map(|at| op.operands.get(at)).collect();
        let maps: Vec<Arc<AffineMap>> = used().filter_map(|at| maps.get(at).cloned()).collect();
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
            maps: &maps,
            inputs,
            result,
            loops: extents.len(),
            encoded: operands.iter().map(|operand| operand.ty.sparse().is_some()).collect(),
            outer: &outside,
            starts_at_identity: &starts,
        };
        let said = Draft { tensors, places, extents: &extents, result: name }.say(&known);
        let name = self.source.slice(old.span);
        let kernel = match said {
            Some(said) => said.kernel,
            None => return Err(unsaid_on_tensors(&maps)),
        };
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

    /// The operands, the scalars from outside of the body, and last what the result was before.
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

    /// The uses in a body of scalars that are computed outside of it and are no constants.
    fn outside_uses<'r>(&self, body: &'r Region) -> Vec<&'r Operand> {
        let declared = |region: &Region| region.arguments.iter().map(|argument| argument.value).collect::<Vec<_>>();
        let mut inside = declared(body);
        let mut uses = Vec::new();
        walk(body, &mut |op| {
            uses.extend(op.operands.iter());
            inside.extend(&op.results);
            inside.extend(op.regions.iter().flatten().flat_map(declared));
        });
        uses.retain(|operand| !inside.contains(&operand.value) && self.constant(operand.value).is_none());
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

fn walk<'r>(region: &'r Region, visit: &mut impl FnMut(&'r Op)) {
    for op in region.blocks().flatten() {
        visit(op);
        op.regions.iter().flatten().for_each(|inner| walk(inner, visit));
    }
}

fn tensor(name: String, ty: &Type, shape: Vec<u64>) -> Option<Tensor> {
    let encoding = match ty {
        Type::Scalar(_) => None,
        Type::Tensor(tensor) => tensor.encoding.clone(),
        _ => return None,
    };
    Some(Tensor { name, element: ty.element()?, shape, encoding })
}

/// The points of a kernel whose sizes types tell.
fn known_points(op: &Op, maps: &[Arc<AffineMap>]) -> Option<u64> {
    known_extents(op, maps).into_iter().try_fold(1u64, |points, extent| Some(points.saturating_mul(extent?)))
}

/// How far each loop runs, by the sizes that types tell or else as is assumed.
fn extents(op: &Op, maps: &[Arc<AffineMap>]) -> Vec<u64> {
    known_extents(op, maps).into_iter().map(|extent| extent.unwrap_or(ASSUMED_SIZE)).collect()
}

/// How far each loop runs, by the sizes that types tell.
fn known_extents(op: &Op, maps: &[Arc<AffineMap>]) -> Vec<Option<u64>> {
    let mut extents = vec![None; maps.first().map_or(0, |map| map.dims)];
    for (operand, map) in op.operands.iter().zip(maps) {
        for (result, size) in map.results.iter().zip(operand.ty.shape().unwrap_or_default()) {
            let extent = result.as_var().and_then(|dim| extents.get_mut(dim.index()));
            if let (Some(extent), Some(size)) = (extent, size) {
                extent.get_or_insert(size);
            }
        }
    }
    extents
}

/// The sizes of an operand: those of its type, and for open ones what the loops reach.
fn reached(operand: &Operand, map: &AffineMap, extents: &[u64], notes: &mut Vec<String>) -> Vec<u64> {
    let last: Vec<u64> = extents.iter().map(|extent| extent.saturating_sub(1)).collect();
    let ends = map.image(&last).map(|end| u64::try_from(end).unwrap_or(0).saturating_add(1));
    let known = operand.ty.shape().unwrap_or_default();
    let open = known.contains(&None);
    let shape = known.into_iter().zip(ends).map(|(size, end)| size.unwrap_or(end)).collect();
    if open {
        note_open(notes);
    }
    shape
}

fn sizes(operand: &Operand, notes: &mut Vec<String>) -> Vec<u64> {
    let shape = operand.ty.shape().unwrap_or_default();
    if shape.contains(&None) {
        note_open(notes);
    }
    shape.into_iter().map(|size| size.unwrap_or(ASSUMED_SIZE)).collect()
}

fn note_open(notes: &mut Vec<String>) {
    let note = format!("as if sizes that only a run tells were {ASSUMED_SIZE}");
    if !notes.contains(&note) {
        notes.push(note);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_base::ids::FileId;
    use nnz_check::mlir::check_mlir;
    use nnz_mlir::modules;

    const TRAITS: &str = "
#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>
#sum = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"] }
func.func @f(%A: tensor<?x8xf64, #CSR>, %out: tensor<?xf64>, %alpha: f64) -> tensor<?xf64> {";

    const SUM: &str = "
  %y = linalg.generic #sum ins(%A : tensor<?x8xf64, #CSR>) outs(%x : tensor<?xf64>) {
    ^bb0(%a: f64, %s: f64):
      %1 = arith.mulf %a, %alpha : f64
      %2 = arith.addf %s, %1 : f64
      linalg.yield %2 : f64
  } -> tensor<?xf64>
  return %y : tensor<?xf64>
}";

    /// The kernels of `@f` with `start` in front of the sum, and what is noted of each.
    fn found(start: &str) -> Vec<(String, Vec<String>)> {
        let text = format!(
            "{TRAITS}\n{start}\n{}",
            if start.contains("%x =") { SUM.into() } else { SUM.replace("%x", "%out") }
        );
        let source = Source::new(FileId(0), "f.mlir", text);
        let modules = modules(&check_mlir(&source)).unwrap();
        let told = |site: Site| match site.becomes {
            Becomes::Loops(made, _) => (made.kernel().to_string(), site.notes),
            Becomes::Evaluated(reason) => (reason, site.notes),
            Becomes::Broken(refusal) => (refusal.to_string(), site.notes),
        };
        sites(&source, &modules[0].functions[0]).into_iter().map(told).collect()
    }

    const SIZES: &str = "as if sizes that only a run tells were 1000";

    #[test]
    fn a_sum_is_a_kernel_with_the_names_of_the_text() {
        let start = "%c = arith.constant 4 : index\n%x = tensor.empty(%c) : tensor<?xf64>";
        assert_eq!(found(start), [("y(d0) = A(d0, d1) * alpha".to_string(), vec![SIZES.to_string()])]);
    }

    #[test]
    fn what_a_result_holds_before_is_assumed_or_known() {
        let kernel = "y(d0) = A(d0, d1) * alpha".to_string();
        let assumed = "as if `%out` held nothing before; with anything else it goes on from that".to_string();
        assert_eq!(found(""), [(kernel, vec![SIZES.to_string(), assumed])]);
        let start = "%c = arith.constant 4 : index\n%one = arith.constant 1.0 : f64\n%e = tensor.empty(%c) : tensor<?xf64>\n\
                     %x = linalg.fill ins(%one : f64) outs(%e : tensor<?xf64>) -> tensor<?xf64>";
        let goes_on = "y(d0) = x(d0) + A(d0, d1) * alpha".to_string();
        assert_eq!(found(start), [(goes_on, vec![SIZES.to_string()])]);
    }
}

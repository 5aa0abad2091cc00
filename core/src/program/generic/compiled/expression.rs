//! A kernel's body as an expression.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::super::direct::Rule;
use crate::{
    element::{Element, Scalar},
    ids::IndexVar,
    kernel::{BinaryOp, Expr, Over, ReduceOp},
    program::{
        attribute::{AffineMap, Attribute},
        ir::{Op, Operand, Region, ValueId},
        machine::signature,
        operation::{BodyOp, Meaning as OpMeaning},
    },
};

/// What must be known of a kernel to say its body as an expression, whether or not it has data yet.
pub(in crate::program::generic) struct Known<'k> {
    pub op: &'k Op,
    pub maps: &'k [Arc<AffineMap>],
    /// How many of the operands are inputs; one more is the result.
    pub inputs: usize,
    pub loops: usize,
    /// Whether each operand has an encoding.
    pub encoded: Vec<bool>,
    /// A scalar from outside of the body.
    pub outer: &'k dyn Fn(ValueId) -> Option<Expr>,
    /// Whether the result starts without entries, or from the identity of a reduction everywhere.
    pub starts_at_identity: &'k dyn Fn(&ReduceOp) -> bool,
}

/// What the result is.
pub(super) struct Meaning {
    pub expr: Expr,
    /// The expression reads what the result was before.
    pub reads_old: bool,
}

/// Bodies that become larger than this are not worth an expression. Picked by gut feeling.
const MOST_NODES: usize = 2000;

/// The expression of a body; `None` where there is none.
pub(super) fn of_body(known: &Known<'_>, accesses: &[Expr]) -> Option<Meaning> {
    let region = known.op.region(0)?;
    let mut body = Body { outer: known.outer, values: HashMap::new(), partial: HashSet::new(), nodes: 0 };
    for (argument, access) in region.arguments.iter().zip(accesses) {
        body.values.insert(argument.value, access.clone());
    }
    let old = region.arguments.get(known.inputs)?.value;
    let [yielded] = &region.yielded()?.operands[..] else { return None };
    let kept = kept_loops(known);
    let reduced: Vec<IndexVar> = (0..known.loops).filter(|at| !kept.contains(at)).map(IndexVar::new).collect();
    let uses_old = reads(region, old);
    if filters_zeros(known, uses_old) {
        return None;
    }
    if reduced.is_empty() {
        body.all(region)?;
        // Without a result at a point, a dense result keeps what it was.
        if uses_old && known.encoded.last() == Some(&false) && body.partial.contains(&yielded.value) {
            return None;
        }
        return Some(Meaning { expr: body.value(yielded.value)?, reads_old: uses_old });
    }
    let last = region.operations.iter().rev().find(|op| op.results.contains(&yielded.value))?;
    Reduction { body, region, old, last, reduced }.meaning(known)
}

/// The loops that the result has.
fn kept_loops(known: &Known<'_>) -> Vec<usize> {
    let results = known.maps.last().map(|map| &map.results[..]).unwrap_or_default();
    results.iter().filter_map(|result| result.as_var()).map(|dim| dim.index()).collect()
}

/// Of dense operands alone a result with an encoding keeps what is not zero, which expressions do not say.
fn filters_zeros(known: &Known<'_>, uses_old: bool) -> bool {
    let (inputs, outs) = known.encoded.split_at(known.inputs.min(known.encoded.len()));
    outs.contains(&true) && !uses_old && !inputs.contains(&true)
}

fn reads(region: &Region, value: ValueId) -> bool {
    region.operations.iter().any(|op| {
        op.operands.iter().any(|operand| operand.value == value)
            || op.regions.iter().flatten().any(|inner| reads(inner, value))
    })
}

/// A body that adds up: its last operation combines the old result with a term that does not read it.
struct Reduction<'f, 'b> {
    body: Body<'f>,
    region: &'b Region,
    old: ValueId,
    last: &'b Op,
    reduced: Vec<IndexVar>,
}

impl Reduction<'_, '_> {
    fn meaning(mut self, known: &Known<'_>) -> Option<Meaning> {
        let uses = |op: &Op| op.operands.iter().filter(|operand| operand.value == self.old).count();
        let elsewhere = self.region.operations.iter().any(|op| {
            !std::ptr::eq(op, self.last)
                && !op.def.is_terminator()
                && (uses(op) > 0 || op.regions.iter().flatten().any(|r| reads(r, self.old)))
        });
        if elsewhere || uses(self.last) != 1 {
            return None;
        }
        let (op, over) = self.operation()?;
        let term = self.last.operands.iter().take(2).find(|operand| operand.value != self.old)?.value;
        let others =
            self.region.operations.iter().filter(|op| !std::ptr::eq(*op, self.last) && !op.def.is_terminator());
        for inner in others {
            self.body.operation(inner)?;
        }
        if self.body.partial.contains(&term) && over == Over::All && op != ReduceOp::Sum {
            return None;
        }
        let term = self.body.value(term)?;
        self.combined(known, op, over, term)
    }

    /// How the last operation combines, over all terms or over those that are stored.
    fn operation(&self) -> Option<(ReduceOp, Over)> {
        let element = signature(self.last).to;
        if self.last.def.name != "sparse_tensor.reduce" {
            return Some((reduction(self.last.def.name, element)?, Over::All));
        }
        let region = self.last.region(0)?;
        let [only, _] = &region.operations[..] else { return None };
        let arguments = |operand: &Operand| region.arguments.iter().any(|argument| argument.value == operand.value);
        if only.operands.len() != 2
            || !only.operands.iter().all(arguments)
            || only.operands[0].value == only.operands[1].value
        {
            return None;
        }
        let op = reduction(only.def.name, element)?;
        match self.body.value(self.last.operands.get(2)?.value)? {
            Expr::Literal(identity) if is_identity(&op, identity.value) => Some((op, Over::Stored)),
            _ => None,
        }
    }

    fn combined(self, known: &Known<'_>, op: ReduceOp, over: Over, term: Expr) -> Option<Meaning> {
        // Over what is stored alone a dense result starts from the identity, and keeps its old values elsewhere.
        if over.is_stored() && known.encoded.last() == Some(&false) {
            return None;
        }
        let starts_anew = (known.starts_at_identity)(&op);
        let reduced = Expr::Reduce { op: op.clone(), over, vars: self.reduced.clone(), body: Box::new(term.clone()) };
        let sum = op == ReduceOp::Sum && over == Over::All && sums_as_written(&term, &self.reduced);
        let expr = if sum { term } else { reduced };
        if starts_anew {
            return Some(Meaning { expr, reads_old: false });
        }
        if over.is_stored() || !exact(signature(self.last).to) {
            // Terms are added to the old value one after another, which another order would round differently.
            return None;
        }
        let old = self.body.value(self.old)?;
        let expr = Expr::Binary(joined(&op)?, Box::new(old), Box::new(expr));
        Some(Meaning { expr, reads_old: true })
    }
}

/// Whether a sum over the variables is what the term alone says: it is no sum itself, and uses them all.
fn sums_as_written(term: &Expr, vars: &[IndexVar]) -> bool {
    let free = term.free_vars();
    let product = matches!(term, Expr::Access(_) | Expr::Binary(BinaryOp::Mul, ..));
    product && vars.iter().all(|var| free.contains(var))
}

pub(in crate::program::generic) fn exact(element: Element) -> bool {
    element.is_integer()
}

/// The reduction that an operation carries out.
fn reduction(name: &str, element: Element) -> Option<ReduceOp> {
    let signed = element.int_range().is_some_and(|(low, _)| low < 0);
    Some(match name {
        "arith.addf" | "arith.addi" | "complex.add" => ReduceOp::Sum,
        "arith.mulf" | "arith.muli" | "complex.mul" => ReduceOp::Prod,
        "arith.maximumf" => ReduceOp::Max,
        "arith.minimumf" => ReduceOp::Min,
        "arith.maxsi" if signed => ReduceOp::Max,
        "arith.minsi" if signed => ReduceOp::Min,
        "arith.ori" if element == Element::I1 => ReduceOp::Or,
        "arith.andi" if element == Element::I1 => ReduceOp::And,
        "arith.xori" if element == Element::I1 => ReduceOp::Xor,
        _ => return None,
    })
}

fn joined(op: &ReduceOp) -> Option<BinaryOp> {
    Some(match op {
        ReduceOp::Sum => BinaryOp::Add,
        ReduceOp::Prod => BinaryOp::Mul,
        ReduceOp::Min => BinaryOp::Min,
        ReduceOp::Max => BinaryOp::Max,
        ReduceOp::Or => BinaryOp::Or,
        ReduceOp::And => BinaryOp::And,
        ReduceOp::Xor => BinaryOp::Xor,
        ReduceOp::Pick | ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => return None,
    })
}

pub(in crate::program::generic) fn is_identity(op: &ReduceOp, value: Scalar) -> bool {
    let is = |wanted: f64| !matches!(value, Scalar::Complex(_)) && value.as_f64().to_bits() == wanted.to_bits();
    match op {
        ReduceOp::Sum => value.is_zero() && (matches!(value, Scalar::Complex(_)) || is(0.0)),
        ReduceOp::Or | ReduceOp::Xor => is(0.0),
        ReduceOp::Prod | ReduceOp::And => is(1.0),
        ReduceOp::Min => is(f64::INFINITY),
        ReduceOp::Max => is(f64::NEG_INFINITY),
        ReduceOp::Pick | ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => false,
    }
}

/// Whether an operation of one operand makes zero of zero.
fn keeps_zero(operand: &Expr, op: &Op) -> bool {
    let OpMeaning::Scalar(meaning) = op.def.meaning else { return false };
    match (meaning.expr)(&signature(op), vec![operand.clone()]) {
        Some(Expr::Unary(unary, _)) => unary.preserves_zero(),
        Some(Expr::Cast(..)) => true,
        _ => false,
    }
}

/// A number that the body itself writes out.
fn constant(op: &Op) -> Option<Expr> {
    let value = crate::program::dialects::constant_of(op)?;
    Some(Expr::literal(op.result_types.first()?.scalar()?, value))
}

/// The values of a body as expressions.
struct Body<'f> {
    outer: &'f dyn Fn(ValueId) -> Option<Expr>,
    values: HashMap<ValueId, Expr>,
    /// Those that `unary`, `binary` or `select` leaves out at some points.
    partial: HashSet<ValueId>,
    nodes: usize,
}

impl Body<'_> {
    fn all(&mut self, region: &Region) -> Option<()> {
        region.operations.iter().filter(|op| !op.def.is_terminator()).try_for_each(|op| self.operation(op))
    }

    /// A value of the body, or a scalar from outside of it.
    fn value(&self, id: ValueId) -> Option<Expr> {
        self.values.get(&id).cloned().or_else(|| (self.outer)(id))
    }

    fn operation(&mut self, op: &Op) -> Option<()> {
        let operands = op.operands.iter().map(|operand| self.value(operand.value)).collect::<Option<Vec<_>>>()?;
        let expr = match op.def.meaning {
            OpMeaning::Scalar(meaning) => (meaning.expr)(&signature(op), operands)?,
            OpMeaning::Body(BodyOp::Index) => {
                let dim = op.attribute("dim").and_then(Attribute::as_int)?;
                Expr::Index(IndexVar::new(usize::try_from(dim).ok()?), Element::Index)
            }
            OpMeaning::Body(BodyOp::Unary) => self.unary(op, operands)?,
            OpMeaning::Body(BodyOp::Binary) => self.binary(op, operands)?,
            OpMeaning::Body(BodyOp::Select) => self.select(op, operands)?,
            OpMeaning::Host(_) => constant(op)?,
            OpMeaning::Body(BodyOp::Reduce) | OpMeaning::Terminator | OpMeaning::Branch(_) => return None,
        };
        self.nodes += expr.nodes().len();
        if self.nodes > MOST_NODES {
            return None;
        }
        let result = *op.results.first()?;
        if self.is_partial(op)? {
            self.partial.insert(result);
        }
        self.values.insert(result, expr);
        Some(())
    }

    /// Whether the operation has no result at some points; `None` where an expression would have one there.
    fn is_partial(&self, op: &Op) -> Option<bool> {
        let partial = |operand: &Operand| self.partial.contains(&operand.value);
        let yields_partial = || op.regions.iter().flatten().any(|region| self.yields_partial(region));
        match op.def.meaning {
            OpMeaning::Body(BodyOp::Unary) => {
                Some(op.region(0).is_none() || op.region(1).is_none() || yields_partial())
            }
            OpMeaning::Body(BodyOp::Binary | BodyOp::Select) => Some(true),
            _ if !op.operands.iter().any(partial) => Some(false),
            _ => match Rule::of(op.def.name) {
                Rule::Product => Some(true),
                Rule::Sum | Rule::Difference => Some(op.operands.iter().all(partial)),
                Rule::Quotient if !op.operands.iter().skip(1).any(partial) => Some(true),
                Rule::Other if keeps_zero(self.values.get(&op.operands.first()?.value)?, op) => Some(true),
                _ => None,
            },
        }
    }

    fn yields_partial(&self, region: &Region) -> bool {
        let yielded = region.yielded().and_then(|end| end.operands.first());
        yielded.is_some_and(|operand| self.partial.contains(&operand.value))
    }

    /// What a region yields for the given arguments; the inner `None` of one that is left out.
    fn branch(&mut self, op: &Op, at: usize, arguments: &[Expr]) -> Option<Option<Expr>> {
        let Some(region) = op.region(at) else { return Some(None) };
        for (declared, argument) in region.arguments.iter().zip(arguments) {
            self.values.insert(declared.value, argument.clone());
        }
        self.all(region)?;
        let yielded = region.yielded()?.operands.first()?;
        Some(Some(self.value(yielded.value)?))
    }

    fn unary(&mut self, op: &Op, operands: Vec<Expr>) -> Option<Expr> {
        let then = self.branch(op, 0, &operands)?;
        let other = self.branch(op, 1, &[])?;
        let [of]: [Expr; 1] = operands.try_into().ok()?;
        if then.is_none() && other.is_none() {
            return None;
        }
        Some(Expr::Present { of: Box::new(of), then: then.map(Box::new), other: other.map(Box::new) })
    }

    fn binary(&mut self, op: &Op, operands: Vec<Expr>) -> Option<Expr> {
        let [a, b]: [Expr; 2] = operands.try_into().ok()?;
        let overlap = self.branch(op, 0, &[a.clone(), b.clone()])?;
        let left = self.side(op, 1, "left_identity", &a)?;
        let right = self.side(op, 2, "right_identity", &b)?;
        if overlap.is_none() && left.is_none() && right.is_none() {
            return None;
        }
        Some(Expr::regions([a, b], overlap, left, right))
    }

    fn side(&mut self, op: &Op, at: usize, identity: &str, operand: &Expr) -> Option<Option<Expr>> {
        if op.attribute(identity).is_some() {
            return Some(Some(operand.clone()));
        }
        self.branch(op, at, std::slice::from_ref(operand))
    }

    fn select(&mut self, op: &Op, operands: Vec<Expr>) -> Option<Expr> {
        let cond = self.branch(op, 0, &operands)??;
        let [then]: [Expr; 1] = operands.try_into().ok()?;
        Some(Expr::Select { cond: Box::new(cond), then: Box::new(then), other: None })
    }
}

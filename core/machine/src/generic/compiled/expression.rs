//! A kernel's body as an expression.

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{
    super::{declined::Declined, uses::reads},
    reduction::{Reduction, exact},
    unset::Unset,
};
use crate::{
    machine::signature,
    meaning::{Meaning as OpMeaning, Meanings, Rule, ScalarOp},
};
use nnz_base::{
    element::{Element, Scalar},
    ids::IndexVar,
};
use nnz_encoding::AffineMap;
use nnz_kernel::{BinaryOp, CompareOp, Expr, MOST_QUESTIONS, ReduceOp, UnaryOp};
use nnz_mlir::{
    attribute::Attribute,
    ir::{Op, Operand, Region, ValueId},
    operation::BodyOp,
};

/// The facts about a kernel that its translation into an expression needs, with or without data.
pub(in crate::generic) struct Known<'k> {
    pub op: &'k Op,
    pub meanings: &'k Meanings,
    pub maps: &'k [Arc<AffineMap>],
    /// How many of the operands are inputs; one more is the result.
    pub inputs: usize,
    /// Which of the results it is.
    pub result: usize,
    pub loops: usize,
    /// Whether each operand has an encoding.
    pub encoded: Vec<bool>,
    /// The element types of the kernel's tensors.
    pub elements: Vec<Element>,
    /// A scalar from outside the body.
    pub outer: &'k dyn Fn(ValueId) -> Option<Expr>,
    /// Whether the result starts without entries, or from the identity of a reduction everywhere.
    pub starts_at_identity: &'k dyn Fn(&ReduceOp) -> bool,
}

/// The expression for a result.
pub(super) struct Meaning {
    pub expr: Expr,
    /// The expression reads the old value of the result.
    pub reads_old: bool,
}

impl Meaning {
    pub(super) fn anew(expr: Expr) -> Meaning {
        Meaning { expr, reads_old: false }
    }
    pub(super) fn onto(expr: Expr) -> Meaning {
        Meaning { expr, reads_old: true }
    }
}

/// Bodies that become larger than this are not worth an expression. Picked by gut feeling.
const MOST_NODES: usize = 2000;

/// The expression of a body, if there is one.
///
/// # Errors
/// None says it: the operation that is to blame, if it is one.
pub(super) fn of_body(known: &Known<'_>, accesses: &[Expr]) -> Result<Meaning, Declined> {
    let blamed = Cell::new(None);
    meaning_of(known, accesses, &blamed).ok_or_else(|| blamed.get().map_or(Declined::Unsaid, Declined::Operation))
}

fn meaning_of(known: &Known<'_>, accesses: &[Expr], blamed: &Cell<Option<&'static str>>) -> Option<Meaning> {
    let region = known.op.region(0)?;
    let (values, partial) = (HashMap::new(), HashSet::new());
    let mut body = Body {
        meanings: known.meanings,
        outer: known.outer,
        values,
        partial,
        unset: Unset::default(),
        nodes: 0,
        blamed,
    };
    let old = region.arguments.get(known.inputs + known.result)?.value;
    let inputs = region.arguments.iter().take(known.inputs).map(|argument| argument.value);
    for (argument, access) in inputs.chain([old]).zip(accesses) {
        body.values.insert(argument, access.clone());
    }
    let yielded = region.yielded()?.operands.get(known.result)?;
    let kept = kept_loops(known);
    let reduced: Vec<IndexVar> = (0..known.loops).filter(|at| !kept.contains(at)).map(IndexVar::new).collect();
    let uses_old = reads(region, old);
    let filters = filters_zeros(known, region);
    if filters && !reduced.is_empty() {
        return None;
    }
    if reduced.is_empty() {
        if known.encoded.last() == Some(&true) {
            body.unset = Unset::of(old, accesses.last()?.clone());
        }
        body.all(region)?;
        // A point without a result leaves the entry as it was. Expressions cannot represent that.
        if uses_old && body.partial.contains(&yielded.value) && !body.follows(region, yielded.value, old) {
            return None;
        }
        let value = body.value(yielded.value)?;
        let expr = if filters { not_zero(value, yielded.ty.element()?) } else { value };
        return Some(Meaning { expr, reads_old: uses_old });
    }
    Reduction { body, region, old, yielded: yielded.value, reduced }.meaning(known)
}

/// The loops that the result has.
fn kept_loops(known: &Known<'_>) -> Vec<usize> {
    let results = known.maps.last().map(|map| &map.results[..]).unwrap_or_default();
    results.iter().filter_map(|result| result.as_var()).map(|dim| dim.index()).collect()
}

/// Whether zeros are left out: a result with an encoding keeps only nonzeros if the body reads no operand with an
/// encoding.
fn filters_zeros(known: &Known<'_>, region: &Region) -> bool {
    let (inputs, outs) = known.encoded.split_at(known.inputs.min(known.encoded.len()));
    let is_read = |argument: &&Operand| reads(region, argument.value);
    let mut read = inputs.iter().zip(&region.arguments).filter(|(_, argument)| is_read(argument));
    let uses_old = region.arguments.iter().skip(known.inputs).any(|argument| is_read(&argument));
    outs.contains(&true) && !uses_old && !read.any(|(encoded, _)| *encoded)
}

/// A value where it is not zero.
fn not_zero(value: Expr, element: Element) -> Expr {
    let zero = Box::new(Expr::zero(element));
    let cond = Expr::Compare(CompareOp::Ne, Box::new(value.clone()), zero);
    Expr::Select { cond: Box::new(cond), then: Box::new(value), other: None }
}

/// Whether an operation of one operand makes zero of zero.
fn keeps_zero(operand: &Expr, op: &Op, meaning: ScalarOp) -> bool {
    let Some(expr) = (meaning.expr)(&signature(op), vec![operand.clone()]) else { return false };
    match expr {
        Expr::Unary(unary, _) => unary.preserves_zero(),
        Expr::Cast(..) => true,
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Binary(..) => false,
        Expr::Compare(..) | Expr::Select { .. } | Expr::Present { .. } => false,
        Expr::Reduce { .. } | Expr::Onto { .. } => false,
    }
}

/// The value of an operation on numbers alone.
fn number(op: &Op, meaning: ScalarOp, operands: &[Expr]) -> Option<Expr> {
    let value = |operand: &Expr| if let Expr::Literal(number) = operand { Some(number.value) } else { None };
    let values: Vec<Scalar> = operands.iter().map(value).collect::<Option<_>>()?;
    let signature = signature(op);
    Some(Expr::literal(signature.to, (meaning.apply)(&signature, &values).ok()?))
}

/// Whether a condition that is a number holds.
pub(super) fn truth(cond: &Expr) -> Option<bool> {
    if let Expr::Literal(number) = cond { Some(!number.value.is_zero()) } else { None }
}

fn is_sum(op: &Op, meaning: ScalarOp) -> bool {
    matches!(meaning.rule(&signature(op)), Rule::Sum | Rule::Difference)
}

/// A sum or difference with a number, which is present even where the other operand is absent.
fn with_number(op: &Op, meaning: ScalarOp, operands: &[Expr]) -> Option<Expr> {
    let is_number = |operand: &Expr| matches!(operand, Expr::Literal(_));
    let at = operands.iter().position(is_number).filter(|_| is_sum(op, meaning) && operands.len() == 2)?;
    let (number, other) = (Expr::there(operands.get(at)?.clone()), operands.get(1 - at)?.clone());
    let sum = |number| {
        (meaning.expr)(&signature(op), if at == 0 { [number, other.clone()] } else { [other.clone(), number] }.into())
    };
    if !may_be_made(&other) {
        return sum(number);
    }
    let then = sum(operands.get(at)?.clone())?;
    // Loops cannot test the presence of a filtered value.
    if other.nodes().into_iter().any(|node| matches!(node, Expr::Select { other: None, .. })) {
        return Some(then);
    }
    let negated = at == 1 && meaning.rule(&signature(op)) == Rule::Difference;
    let alone = if negated { Expr::Unary(UnaryOp::Neg, Box::new(number)) } else { number };
    Some(Expr::Present { of: Box::new(other), then: Some(Box::new(then)), other: Some(Box::new(alone)) })
}

/// Whether an expression may be a nonzero number where all its operands are absent, as `exp` is. A number added to it
/// is not added to an absent value.
fn may_be_made(expr: &Expr) -> bool {
    let makes = match expr {
        Expr::Select { then, other: None, .. } => return may_be_made(then),
        Expr::Unary(op, _) => !op.preserves_zero(),
        Expr::Binary(op, ..) => matches!(op, BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow | BinaryOp::Function(_)),
        Expr::Compare(..) => true,
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Cast(..) => false,
        Expr::Select { .. } | Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => false,
    };
    makes || expr.operands().into_iter().any(may_be_made)
}

/// A number that the body itself writes out.
pub(super) fn constant(op: &Op) -> Option<Expr> {
    let value = nnz_mlir::dialects::constant_of(op)?;
    Some(Expr::literal(op.result_types.first()?.scalar()?, value))
}

/// The values of a body as expressions.
pub(super) struct Body<'f> {
    meanings: &'f Meanings,
    outer: &'f dyn Fn(ValueId) -> Option<Expr>,
    values: HashMap<ValueId, Expr>,
    /// Those that `unary`, `binary` or `select` leaves out at some points.
    partial: HashSet<ValueId>,
    /// Those that a sum or difference takes as a zero that it starts from.
    unset: Unset,
    nodes: usize,
    /// The operation that no expression is for.
    blamed: &'f Cell<Option<&'static str>>,
}

impl Body<'_> {
    pub(super) fn set(&mut self, id: ValueId, expr: Expr) {
        self.values.insert(id, expr);
    }
    pub(super) fn is_left_out(&self, id: ValueId) -> bool {
        self.partial.contains(&id)
    }
    /// Some value has no result at some points.
    pub(super) fn leaves_out(&self) -> bool {
        !self.partial.is_empty()
    }
    pub(super) fn all(&mut self, region: &Region) -> Option<()> {
        region.in_use().filter(|op| !op.def.is_terminator()).try_for_each(|op| self.operation(op))
    }

    /// A value of the body, or a scalar from outside it.
    pub(super) fn value(&self, id: ValueId) -> Option<Expr> {
        self.values.get(&id).cloned().or_else(|| (self.outer)(id))
    }

    pub(super) fn operation(&mut self, op: &Op) -> Option<()> {
        let operands = op.operands.iter().map(|operand| self.value(operand.value)).collect::<Option<Vec<_>>>()?;
        let expr = match self.meanings.of(op.def) {
            OpMeaning::Scalar(meaning) => self.scalar(op, meaning, &operands)?,
            OpMeaning::Body(BodyOp::Index) => {
                let dim = op.attribute("dim").and_then(Attribute::as_int)?;
                Expr::Index(IndexVar::new(usize::try_from(dim).ok()?), Element::Index)
            }
            OpMeaning::Body(BodyOp::Unary) => self.unary(op, operands.clone())?,
            OpMeaning::Body(BodyOp::Binary) => self.binary(op, operands.clone())?,
            OpMeaning::Body(BodyOp::Select) => self.select(op, operands.clone())?,
            OpMeaning::Host(_) => constant(op)?,
            OpMeaning::Body(BodyOp::Reduce) | OpMeaning::Parts(_) | OpMeaning::Terminator | OpMeaning::Branch(_) => {
                return None;
            }
        };
        self.nodes += expr.nodes().len();
        if self.nodes > MOST_NODES {
            return None;
        }
        let result = *op.results.first()?;
        if let OpMeaning::Scalar(meaning) = self.meanings.of(op.def) {
            self.unset.learn(op, meaning.rule(&signature(op)), &operands);
        }
        if self.is_partial(op)? {
            self.partial.insert(result);
        }
        self.values.insert(result, expr);
        Some(())
    }

    fn scalar(&self, op: &Op, meaning: ScalarOp, operands: &[Expr]) -> Option<Expr> {
        if let Some(number) = number(op, meaning, operands) {
            return Some(number);
        }
        if let (Rule::Choice, [cond, then, other]) = (meaning.rule(&signature(op)), operands)
            && let Some(holds) = truth(cond)
        {
            return Some(if holds { then.clone() } else { other.clone() });
        }
        let expr = with_number(op, meaning, operands).or_else(|| (meaning.expr)(&signature(op), operands.to_vec()));
        if expr.is_none() {
            self.blamed.set(Some(op.def.name));
        }
        let expr = expr?;
        match is_sum(op, meaning) && !exact(signature(op).from) {
            true => self.unset.started(op, meaning, operands, expr),
            false => Some(expr),
        }
    }

    /// Whether the operation has no result at some points.
    fn is_partial(&self, op: &Op) -> Option<bool> {
        let partial = |operand: &Operand| self.partial.contains(&operand.value);
        let yields_partial = || op.regions.iter().flatten().any(|region| self.yields_partial(region));
        let meaning = self.meanings.of(op.def);
        if matches!(meaning, OpMeaning::Body(BodyOp::Unary)) {
            return Some(op.region(0).is_none() || op.region(1).is_none() || yields_partial());
        }
        if matches!(meaning, OpMeaning::Body(BodyOp::Binary | BodyOp::Select)) {
            return Some(true);
        }
        if !op.operands.iter().any(partial) {
            return Some(false);
        }
        let OpMeaning::Scalar(meaning) = meaning else { return None };
        match meaning.rule(&signature(op)) {
            Rule::Product => Some(true),
            Rule::Sum | Rule::Difference => Some(op.operands.iter().all(partial)),
            Rule::Quotient => Some(op.operands.iter().take(1).any(partial)),
            Rule::Below => Some(op.operands.iter().skip(1).any(partial)),
            Rule::Choice => Some(op.operands.iter().skip(1).any(partial)),
            Rule::Zeros => Some(keeps_zero(&self.value(op.operands.first()?.value)?, op, meaning)),
            Rule::ProductAndSum => None,
        }
    }

    /// Whether a value is left out only where `old` has no entry, so that no entry has to stay: `unary` of `old`
    /// without `absent`.
    fn follows(&self, region: &Region, value: ValueId, old: ValueId) -> bool {
        let Some(op) = region.operations.iter().find(|op| op.results.contains(&value)) else { return false };
        let present = op.region(0).is_some_and(|present| !self.yields_partial(present));
        let of_old = op.operands.iter().all(|operand| operand.value == old);
        matches!(self.meanings.of(op.def), OpMeaning::Body(BodyOp::Unary))
            && of_old
            && present
            && op.region(1).is_none()
    }

    fn yields_partial(&self, region: &Region) -> bool {
        let yielded = region.yielded().and_then(|end| end.operands.first());
        yielded.is_some_and(|operand| self.partial.contains(&operand.value))
    }

    /// The value that a region yields for the given arguments; the inner `None` for an omitted region.
    pub(super) fn branch(&mut self, op: &Op, at: usize, arguments: &[Expr]) -> Option<Option<Expr>> {
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
        Some(Expr::regions([a, b], overlap, left, right)).filter(|asking| asking.questions() <= MOST_QUESTIONS)
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
        if truth(&cond) == Some(true) {
            return Some(then);
        }
        Some(Expr::Select { cond: Box::new(cond), then: Box::new(then), other: None })
    }
}

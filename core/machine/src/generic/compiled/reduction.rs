//! Bodies that reduce: their terms, their operation, and the value they start from.

use std::sync::Arc;

use super::{
    super::uses::reads,
    expression::{Body, Known, Meaning},
};
use crate::machine::signature;
use nnz_base::{
    element::{Element, Scalar},
    ids::{IndexVar, TensorId},
};
use nnz_kernel::{BinaryOp, Expr, Fold, Literal, Nothing, Over, ReduceOp, Slot, UnaryOp};
use nnz_mlir::ir::{Op, Operand, Region, ValueId};

/// A body with loops that the result lacks.
pub(super) struct Reduction<'f, 'b> {
    pub body: Body<'f>,
    pub region: &'b Region,
    /// The old value of the result.
    pub old: ValueId,
    pub yielded: ValueId,
    pub reduced: Vec<IndexVar>,
}

/// The terms that are reduced at a point.
struct Terms {
    op: ReduceOp,
    over: Over,
    /// Several terms of a sum stand beside each other, in the order in which they are added.
    body: Expr,
    several: bool,
}

impl<'b> Reduction<'_, 'b> {
    pub(super) fn meaning(mut self, known: &Known<'_>) -> Option<Meaning> {
        let last = self.maker(self.yielded)?;
        let terms = match last.def.name {
            "sparse_tensor.reduce" => self.custom(last)?,
            _ => match self.chain(self.yielded) {
                Some(chain) => self.sum(chain)?,
                None => self.combined(last).or_else(|| self.folded(known))?,
            },
        };
        self.onto(known, terms)
    }

    fn maker(&self, id: ValueId) -> Option<&'b Op> {
        self.region.operations.iter().find(|op| op.results.contains(&id))
    }

    fn element(&self) -> Option<Element> {
        Some(signature(self.maker(self.yielded)?).to)
    }

    /// How often the body uses a value.
    fn uses(&self, id: ValueId) -> usize {
        let here = self.region.in_use().flat_map(|op| &op.operands).filter(|operand| operand.value == id);
        let within = self.region.in_use().flat_map(|op| op.regions.iter().flatten());
        here.count() + within.filter(|inner| reads(inner, id)).count()
    }

    /// The terms that are added to the old value one after another, and whether each is subtracted; `None` where the
    /// old value goes through anything else.
    fn chain(&self, from: ValueId) -> Option<Vec<(ValueId, bool)>> {
        let mut terms = Vec::new();
        let mut at = from;
        while at != self.old {
            let op = self.maker(at).filter(|_| self.uses(at) == 1)?;
            let [left, right] = op.operands.iter().map(|operand| operand.value).collect::<Vec<_>>()[..] else {
                return None;
            };
            let (next, term) = match op.def.name {
                "arith.addf" | "arith.addi" | "complex.add" if self.leads_to_old(left) => (left, (right, false)),
                "arith.addf" | "arith.addi" | "complex.add" => (right, (left, false)),
                "arith.subf" | "arith.subi" | "complex.sub" => (left, (right, true)),
                _ => return None,
            };
            terms.push(term);
            at = next;
        }
        terms.reverse();
        (self.uses(self.old) == 1).then_some(terms)
    }

    fn leads_to_old(&self, id: ValueId) -> bool {
        id == self.old
            || self.maker(id).is_some_and(|op| op.operands.iter().any(|operand| self.leads_to_old(operand.value)))
    }

    /// Makes expressions of all values that do not depend on the old value.
    fn without_old(&mut self) -> Option<()> {
        for op in self.region.in_use().filter(|op| !op.def.is_terminator()) {
            let of_old = |operand: &Operand| self.leads_to_old(operand.value);
            let reads_old = op.regions.iter().flatten().any(|inner| reads(inner, self.old));
            if !op.operands.iter().any(of_old) && !reads_old {
                self.body.operation(op)?;
            }
        }
        Some(())
    }

    fn sum(&mut self, chain: Vec<(ValueId, bool)>) -> Option<Terms> {
        self.without_old()?;
        let several = chain.len() > 1;
        let mut body = None;
        for (id, negated) in chain {
            // A number is a term beside what is absent, too.
            let term = self.body.value(id)?.there_if_number();
            body = Some(match (body, negated) {
                (None, false) => whole(term, several, self.element()?),
                (None, true) => Expr::Unary(UnaryOp::Neg, Box::new(whole(term, several, self.element()?))),
                (Some(before), negated) => {
                    let op = if negated { BinaryOp::Sub } else { BinaryOp::Add };
                    Expr::Binary(op, Box::new(before), Box::new(term))
                }
            });
        }
        Some(Terms { op: ReduceOp::Sum, over: Over::All, body: body?, several })
    }

    /// One operation takes one term in.
    fn combined(&mut self, last: &Op) -> Option<Terms> {
        let op = reduction(last.def.name, self.element()?)?;
        let term = last.operands.iter().map(|operand| operand.value).find(|value| *value != self.old)?;
        let once = last.operands.iter().any(|operand| operand.value == self.old) && self.uses(self.old) == 1;
        if !once || self.leads_to_old(term) {
            return None;
        }
        self.without_old()?;
        // A factor that is left out would count as a zero.
        let factors = matches!(op, ReduceOp::Prod | ReduceOp::And);
        (!factors || !self.body.is_left_out(term)).then_some(())?;
        Some(Terms { op, over: Over::All, body: self.body.value(term)?, several: false })
    }

    /// A function of the old value and of one term, which has its type.
    fn folded(&mut self, known: &Known<'_>) -> Option<Terms> {
        let element = self.element()?;
        let of = |tensor: TensorId| known.elements.get(tensor.index()).copied().unwrap_or(element);
        let fits = |expr: &Expr| expr.element(&of) == element;
        self.body.set(self.old, Expr::Slot(Slot::Left, element));
        self.body.all(self.region)?;
        if self.body.leaves_out() {
            return None;
        }
        let whole = self.body.value(self.yielded)?;
        let mut terms = Vec::new();
        free_parts(&whole, &fits, &mut terms);
        let term = terms.first().copied()?.clone();
        let same = terms.iter().all(|other| **other == term);
        (same && fits(&term)).then_some(())?;
        let combine = with_slot(&whole, &term, element);
        Some(Terms { op: fold(element, combine), over: Over::All, body: term, several: false })
    }

    /// `sparse_tensor.reduce`, by an operation that has a name or one that it writes out.
    fn custom(&mut self, last: &Op) -> Option<Terms> {
        let [first, second, _] = last.operands.iter().map(|operand| operand.value).collect::<Vec<_>>()[..] else {
            return None;
        };
        let swapped = second == self.old;
        let term = if swapped { first } else { second };
        if first != self.old && !swapped {
            return None;
        }
        let others = self.region.in_use().filter(|op| !op.def.is_terminator() && !std::ptr::eq(*op, last));
        others.into_iter().try_for_each(|op| self.body.operation(op))?;
        let (element, body, old) = (self.element()?, self.body.value(term)?, self.body.value(self.old)?);
        if reads_value(&body, &old) {
            return None;
        }
        let op = match self.named(last) {
            Some(op) => op,
            None => {
                let slots = [Slot::Left, Slot::Right].map(|slot| Expr::Slot(slot, element));
                let [left, right] = slots;
                let slots = if swapped { [right, left] } else { [left, right] };
                let combine = self.body.branch(last, 0, &slots)??;
                ReduceOp::Custom(Arc::new(Fold { identity: self.identity(last)?, combine }))
            }
        };
        Some(Terms { op, over: Over::Stored, body, several: false })
    }

    /// The named reduction that the region of a `sparse_tensor.reduce` is, if it starts from its identity.
    fn named(&self, last: &Op) -> Option<ReduceOp> {
        let region = last.region(0)?;
        let [only, _] = region.in_use().collect::<Vec<_>>()[..] else { return None };
        let [a, b] = &only.operands[..] else { return None };
        let arguments: Vec<ValueId> = region.arguments.iter().map(|argument| argument.value).collect();
        let both = a.value != b.value && arguments.contains(&a.value) && arguments.contains(&b.value);
        let op = reduction(only.def.name, signature(last).to).filter(|_| both)?;
        is_identity(&op, self.identity(last)?.value).then_some(op)
    }

    /// What a `sparse_tensor.reduce` starts from where the result has no entry, if it is known by now.
    fn identity(&self, last: &Op) -> Option<Literal> {
        if let Expr::Literal(identity) = self.body.value(last.operands.get(2)?.value).or_else(|| self.constant(last))? {
            Some(identity)
        } else {
            None
        }
    }

    fn constant(&self, last: &Op) -> Option<Expr> {
        super::expression::constant(self.maker(last.operands.get(2)?.value)?)
    }

    /// The terms, onto what the result was before.
    fn onto(self, known: &Known<'_>, terms: Terms) -> Option<Meaning> {
        let Terms { op, over, body, several } = terms;
        let (element, dense) = (self.element()?, known.encoded.last() == Some(&false));
        // A sum is the same over all terms as over those that are stored, and then any format can lead its loops.
        let over = if op == ReduceOp::Sum && dense { Over::All } else { over };
        let starts_anew = (known.starts_at_identity)(&op);
        if !dense && over == Over::All && op != ReduceOp::Sum {
            return None;
        }
        let simple = op == ReduceOp::Sum && over == Over::All && !several && sums_as_written(&body, &self.reduced);
        let several_in_order = several && !exact(element);
        let reduce = Expr::Reduce { op: op.clone(), over, vars: self.reduced.clone(), body: Box::new(body.clone()) };
        let old = || self.body.value(self.old);
        let anew = starts_anew && !matches!(op, ReduceOp::Custom(_)) && !(dense && over == Over::Stored);
        Some(match () {
            () if anew && several_in_order && dense => Meaning::anew(onto(Expr::zero(element), reduce)),
            () if anew => Meaning::anew(if simple { body } else { reduce }),
            () if simple || (op == ReduceOp::Sum && over == Over::All && exact(element)) => {
                let added = if simple { body } else { reduce };
                Meaning::onto(Expr::Binary(BinaryOp::Add, Box::new(old()?), Box::new(added)))
            }
            () if dense && over == Over::Stored && named(&op).is_some() => {
                // Its terms are taken into the entries of the result, in any order of the loops.
                let over = Over::StoredOr(Nothing::Identity);
                let (with, body) = (named(&op)?, Box::new(body));
                let terms = Expr::Reduce { op, over, vars: self.reduced.clone(), body };
                Meaning::onto(Expr::Binary(with, Box::new(old()?), Box::new(terms)))
            }
            () => Meaning::onto(onto(old()?, reduce)),
        })
    }
}

/// The operation on two numbers that a reduction is made of, but for a sum.
fn named(op: &ReduceOp) -> Option<BinaryOp> {
    op.of_two().filter(|op| matches!(op, BinaryOp::Min | BinaryOp::Max | BinaryOp::Mul))
}

/// Whether an expression takes the value of `old`, and does not only ask whether it is there.
fn reads_value(expr: &Expr, old: &Expr) -> bool {
    if expr == old {
        return true;
    }
    let Expr::Present { of, then, other } = expr else {
        return expr.operands().into_iter().any(|part| reads_value(part, old));
    };
    let arms = [then, other].into_iter().flatten().any(|arm| reads_value(arm, old));
    arms || (**of != *old && reads_value(of, old))
}

fn onto(from: Expr, reduce: Expr) -> Expr {
    Expr::Onto { from: Box::new(from), reduce: Box::new(reduce) }
}

/// The first term is taken in as a whole, even if it is a sum itself.
fn whole(term: Expr, several: bool, element: Element) -> Expr {
    let is_sum = matches!(term, Expr::Binary(BinaryOp::Add | BinaryOp::Sub, ..) | Expr::Unary(UnaryOp::Neg, _));
    if is_sum && (several || !exact(element)) { Expr::Cast(element, Box::new(term)) } else { term }
}

fn fold(element: Element, combine: Expr) -> ReduceOp {
    ReduceOp::Custom(Arc::new(Fold { identity: Literal { element, value: element.zero() }, combine }))
}

/// The largest parts without a slot that are more than numbers: of a condition, say, what it compares, unless it
/// `fits` itself.
fn free_parts<'e>(expr: &'e Expr, fits: &dyn Fn(&Expr) -> bool, into: &mut Vec<&'e Expr>) {
    let parts = expr.operands();
    if matches!(expr, Expr::Literal(_) | Expr::Slot(..))
        || expr.accesses().is_empty() && !has_index(expr) && !has_slot(expr)
    {
        return;
    }
    if parts.is_empty() || !has_slot(expr) && fits(expr) {
        into.push(expr);
    } else {
        parts.into_iter().for_each(|part| free_parts(part, fits, into));
    }
}

fn has_slot(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Slot(..)))
}
fn has_index(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Index(..)))
}

fn with_slot(expr: &Expr, term: &Expr, element: Element) -> Expr {
    match expr == term {
        true => Expr::Slot(Slot::Right, element),
        false => expr.with_parts(&|part| with_slot(part, term, element)),
    }
}

/// Whether the term alone means a sum over the variables: it is not a sum itself, and uses all of them.
fn sums_as_written(term: &Expr, vars: &[IndexVar]) -> bool {
    let free = term.free_vars();
    let product = matches!(term, Expr::Access(_) | Expr::Binary(BinaryOp::Mul, ..));
    product && vars.iter().all(|var| free.contains(var))
}

pub(in crate::generic) fn exact(element: Element) -> bool {
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

pub(in crate::generic) fn is_identity(op: &ReduceOp, value: Scalar) -> bool {
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

//! The value of a reduction over stored terms that has no terms.
//!
//! As the whole right side it is absent, and a sparse result stores nothing there. Where a value is needed, in a dense
//! result or as an operand of a larger expression, it is its identity. (Where a filter or a missing region drops it,
//! it is absent as usual, and zero in a dense result.) This module makes that explicit once, before planning: such a
//! reduction becomes one that is always present ([`Over::StoredOr`]). An identity of zero needs no change, because an
//! absent entry is zero.

use super::{PlanError, combine, factors, is_random_access, split, zero};
use nnz_base::{
    element::{Element, Scalar},
    ids::IndexVar,
};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, Nothing, Over, ReduceOp, UnaryOp};

/// The place of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// If it is absent, the whole is.
    Open,
    /// The same of a term or of an arm: a reduction over stored terms is left out if it has none.
    Term,
    /// A value is needed.
    Value,
    /// The same in a function that is a factor, which is a number wherever the reduction in it has no terms.
    Number,
}

impl Use {
    fn is_value(self) -> bool {
        matches!(self, Use::Value | Use::Number)
    }

    /// What an operation in this place makes of one of its operands.
    fn of_operand(self, operation: &Expr, operand: &Expr) -> Use {
        let product = matches!(operation, Expr::Binary(BinaryOp::Mul | BinaryOp::Div, ..));
        if self == Use::Number || product && is_function(operand) { Use::Number } else { Use::Value }
    }
}

/// Whether a factor of this form is one number, and not multiplied out.
fn is_function(factor: &Expr) -> bool {
    match factor {
        Expr::Unary(op, _) => *op != UnaryOp::Neg,
        Expr::Binary(op, ..) => !matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub),
        Expr::Compare(..) => true,
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Cast(..) => false,
        Expr::Select { .. } | Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => false,
    }
}

/// `kernel` with every reduction over stored terms whose value is needed made explicit; `None` if there is none.
pub(super) fn settled(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let over_stored = |node: &Expr| matches!(node, Expr::Reduce { over, .. } if over.is_stored());
    if !kernel.expr().nodes().into_iter().any(over_stored) {
        return Ok(None);
    }
    let settler = Settler { kernel };
    let dense = is_random_access(kernel.tensor(kernel.result().tensor));
    let combined = combine::combined(kernel, kernel.expr()).is_some();
    let expr = settler.expr(kernel.expr(), if dense && !combined { Use::Value } else { Use::Open });
    kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), expr).map(Some).map_err(PlanError::rewrite)
}

struct Settler<'k> {
    kernel: &'k Kernel,
}

impl Settler<'_> {
    /// Whether a reduction gives zero without terms.
    fn counts_as_zero(&self, op: &ReduceOp, vars: &[IndexVar], body: &Expr) -> bool {
        zero::is_zero(&zero::over_nothing(self.kernel, op, Nothing::Identity, (vars, body)))
    }

    fn expr(&self, expr: &Expr, place: Use) -> Expr {
        match self.met(expr).filter(|_| place == Use::Term) {
            None => self.operation(expr, place),
            Some(cond) => {
                let then = Box::new(self.operation(expr, Use::Value));
                Expr::Select { cond: Box::new(cond), then, other: None }
            }
        }
    }

    fn operation(&self, expr: &Expr, place: Use) -> Expr {
        let part = |part: &Expr| Box::new(self.expr(part, place));
        let arm = |arm: &Option<Box<Expr>>| arm.as_deref().map(part);
        match expr {
            Expr::Reduce { op, over, vars, body } => {
                let made = self.reduce(op, *over, vars, body, place);
                if place == Use::Value { self.or_absent(expr, made) } else { made }
            }
            Expr::Cast(..) | Expr::Unary(UnaryOp::Neg, _) => expr.with_parts(&|part| self.expr(part, place)),
            // The condition chooses an arm, and each arm determines its own presence.
            Expr::Select { cond, then, other: Some(other) } if !place.is_value() => Expr::Select {
                cond: Box::new(self.expr(cond, Use::Value)),
                then: Box::new(self.expr(then, Use::Term)),
                other: Some(Box::new(self.expr(other, Use::Term))),
            },
            Expr::Select { cond, then, other } => {
                let cond = Box::new(self.expr(cond, Use::Value));
                Expr::Select { cond, then: part(then), other: arm(other) }
            }
            Expr::Present { of, then, other } => self.present(of, arm(then), arm(other)),
            // Without terms it is the value that it continues from.
            Expr::Onto { from, reduce } => Expr::Onto {
                from: Box::new(self.expr(from, Use::Value)),
                reduce: Box::new(self.expr(reduce, Use::Open)),
            },
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => expr.clone(),
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) => {
                expr.with_parts(&|part| self.expr(part, place.of_operand(expr, part)))
            }
        }
    }

    /// A sum of reductions over stored terms is absent as a value, too, where it has no term. One of entries takes factors
    /// into its terms, which then are absent themselves.
    fn or_absent(&self, written: &Expr, made: Expr) -> Expr {
        let Expr::Reduce { op: ReduceOp::Sum, over: Over::Stored, body, .. } = written else { return made };
        match self.met(body).and_then(|_| self.met(written)) {
            Some(cond) => Expr::Select { cond: Box::new(cond), then: Box::new(made), other: None },
            None => made,
        }
    }

    fn reduce(&self, op: &ReduceOp, over: Over, vars: &[IndexVar], body: &Expr, place: Use) -> Expr {
        // A sum that takes a factor into its terms makes numbers of the reductions in them.
        let sparse = |access: &Access| !is_random_access(self.kernel.tensor(access.tensor));
        let takes_factors = place.is_value() && *op == ReduceOp::Sum && split::sums_entries(body, &sparse);
        let leaves_out = zero::leaves_zeros_out(self.kernel, op) && !takes_factors;
        let inside = match over.is_stored() {
            true if leaves_out && !counts_terms(over) => self.expr(body, Use::Term),
            true => self.where_met(body),
            false => self.expr(body, Use::Value),
        };
        let over = match over {
            // Without terms it is zero or absent, like a sum over absent terms.
            Over::Stored if *op == ReduceOp::Sum => Over::All,
            Over::Stored if place.is_value() && !self.counts_as_zero(op, vars, body) => {
                Over::StoredOr(Nothing::Identity)
            }
            Over::All | Over::AllOrZero | Over::Stored | Over::StoredOr(_) => over,
        };
        Expr::Reduce { op: op.clone(), over, vars: vars.to_vec(), body: Box::new(inside) }
    }

    /// A term, left out where the reductions over all terms in it met nothing and it is absent without them.
    fn where_met(&self, body: &Expr) -> Expr {
        let (term, body) = (self.expr(body, Use::Term), &factors::valued(self.kernel, body));
        let of = self.meeting(body);
        if of == *body || self.met(body).is_some() {
            return term;
        }
        Expr::Present { of: Box::new(of), then: Some(Box::new(term)), other: None }
    }

    /// `expr` with a number in place of each reduction that may be absent within it, behind a filter that one of its
    /// terms passes. In an operand of [`Expr::Present`] such reductions are numbers.
    fn meeting(&self, expr: &Expr) -> Expr {
        let one = |element| Expr::literal(element, Scalar::Int(1));
        expr.replaced(&|part| {
            if let Expr::Present { of, then, other } = part {
                let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(self.meeting(arm))));
                // Whether a reduction over stored terms has any chooses the region here, too.
                let asks = self.met(of).or_else(|| self.met_by_arms(of)).is_some();
                return Some(if asks {
                    self.present(of, then, other)
                } else {
                    Expr::Present { of: of.clone(), then, other }
                });
            }
            // What a condition asks for is a value.
            if let Expr::Select { cond, then, other } = part {
                let [then, other] = [Some(then), other.as_ref()].map(|arm| arm.map(|arm| Box::new(self.meeting(arm))));
                return Some(Expr::Select { cond: cond.clone(), then: then?, other });
            }
            let Expr::Reduce { op, over, vars, body } = part else { return None };
            // One over stored terms is a value without terms, unless that is zero.
            let counts_zeros = !op.is_place() && zero::visits_zeros(self.kernel, op);
            let has_value = counts_zeros || self.has_value_over_nothing(op, vars, body);
            let gives_zero = op.gives_zero_of(self.kernel.element_of(body));
            let may_be_absent = *over == Over::All && !has_value || *over == Over::Stored && gives_zero;
            if !may_be_absent {
                return None;
            }
            // One over all terms is a larger expression of what it reduces.
            let valued = (*over == Over::All).then(|| self.expr(body, Use::Value));
            let stored = Box::new(self.filtered(&self.meeting(valued.as_ref().unwrap_or(body)), one(Element::I1)));
            let any = Expr::Reduce { op: ReduceOp::Or, over: Over::Stored, vars: vars.clone(), body: stored };
            let then = Box::new(one(self.kernel.element_of(part)));
            Some(Expr::Select { cond: Box::new(any), then, other: None })
        })
    }

    /// Whether a reduction over a range without values gives something that is not zero.
    fn has_value_over_nothing(&self, op: &ReduceOp, vars: &[IndexVar], body: &Expr) -> bool {
        self.kernel.is_empty_over(vars) && !self.counts_as_zero(op, vars, body)
    }

    /// Whether a reduction is present is known only after it.
    fn present(&self, of: &Expr, then: Option<Box<Expr>>, other: Option<Box<Expr>>) -> Expr {
        let Some(cond) = self.met(of).or_else(|| self.met_by_arms(of)).map(Box::new) else {
            return Expr::Present { of: Box::new(self.expr(of, Use::Open)), then, other };
        };
        // A number that a region gives is there, even a zero.
        let given = |arm: Box<Expr>| Box::new(zero::yielded(self.kernel, *arm));
        match (then.map(given), other.map(given)) {
            // `unary(x, present = x)` is `x`, where that may be absent.
            (Some(then), None) if *then == self.expr(of, Use::Open) => *then,
            (Some(then), other) => {
                let then = Box::new(where_holds(&then, &cond));
                Expr::Select { cond, then, other }
            }
            (None, Some(other)) => {
                Expr::Select { cond: Box::new(Expr::Unary(UnaryOp::Not, cond)), then: other, other: None }
            }
            (None, None) => Expr::Present { of: Box::new(of.clone()), then: None, other: None },
        }
    }

    /// Whether a reduction over stored terms has any, as a condition; `None` of anything else.
    fn met(&self, expr: &Expr) -> Option<Expr> {
        let there = |part: &Expr| self.filtered(part, Expr::literal(Element::I1, Scalar::Int(1)));
        match expr {
            Expr::Reduce { over: Over::Stored, vars, body, .. } => {
                let yes = Box::new(Expr::literal(Element::I1, Scalar::Int(1)));
                let term = match self.met(body) {
                    Some(cond) => Expr::Select { cond: Box::new(cond), then: yes, other: None },
                    None => self.filtered(&self.meeting(&factors::valued(self.kernel, body)), *yes),
                };
                Some(Expr::Reduce { op: ReduceOp::Or, over: Over::Stored, vars: vars.clone(), body: Box::new(term) })
            }
            Expr::Cast(_, a) | Expr::Unary(UnaryOp::Neg, a) => self.met(a),
            // A region may give such a reduction.
            Expr::Present { of, then, other } => {
                let arms = [then, other].map(|arm| arm.as_deref());
                arms.into_iter().flatten().find_map(|arm| self.met(arm))?;
                let [then, other] =
                    arms.map(|arm| arm.map(|arm| Box::new(self.met(arm).unwrap_or_else(|| there(arm)))));
                // What chooses the region may itself be such a reduction.
                let Some(cond) = self.met(of).or_else(|| self.met_by_arms(of)).map(Box::new) else {
                    return Some(Expr::Present { of: of.clone(), then, other });
                };
                let no = || Box::new(Expr::literal(Element::I1, Scalar::Int(0)));
                Some(Expr::Select { cond, then: then.unwrap_or_else(no), other: Some(other.unwrap_or_else(no)) })
            }
            // Conditions without any term are zero, and so absent.
            Expr::Binary(BinaryOp::Or, a, b) => {
                let (a, b) = match (self.met(a), self.met(b)) {
                    (None, None) => return None,
                    (in_a, in_b) => (in_a.unwrap_or_else(|| there(a)), in_b.unwrap_or_else(|| there(b))),
                };
                Some(Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b)))
            }
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Select { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => None,
        }
    }

    /// Whether a reduction over stored terms that a choice gives has any.
    fn met_by_arms(&self, of: &Expr) -> Option<Expr> {
        let Expr::Select { cond, then, other } = of else { return None };
        let met = |arm: &Expr| self.met(arm).or_else(|| self.met_by_arms(arm));
        met(then).or_else(|| met(other.as_deref()?))?;
        let [no, yes] = [0, 1].map(|truth| Expr::literal(Element::I1, Scalar::Int(truth)));
        let of_zero =
            |arm: &Expr, beside: &Expr| met(beside).filter(|_| zero::is_zero(arm)).map(|met| where_compared(cond, met));
        let arm = |arm: &Expr, beside: &Expr| {
            let known = of_zero(arm, beside).or_else(|| met(arm));
            Box::new(known.unwrap_or_else(|| self.filtered(arm, yes.clone())))
        };
        let beside = other.as_deref().map_or_else(|| Box::new(no), |other| arm(other, then));
        let then = other.as_deref().map_or_else(|| arm(then, then), |other| arm(then, other));
        Some(Expr::Select { cond: cond.clone(), then, other: Some(beside) })
    }

    /// `value` where `term` is stored and its filters let it through.
    fn filtered(&self, term: &Expr, value: Expr) -> Expr {
        if let Expr::Reduce { over: Over::Stored, .. } = term
            && let Some(cond) = self.met(term)
        {
            return Expr::Select { cond: Box::new(cond), then: Box::new(value), other: None };
        }
        let filters = |node: &Expr| matches!(node, Expr::Select { other: None, .. });
        let where_stored =
            |value| Expr::Present { of: Box::new(term.clone()), then: Some(Box::new(value)), other: None };
        // Whether a reduction within is present is known only after it.
        if let Expr::Present { of, then: Some(then), other: None } = term
            && let Some(cond) = self.met(of)
        {
            return Expr::Select { cond: Box::new(cond), then: Box::new(self.filtered(then, value)), other: None };
        }
        if !term.nodes().into_iter().any(filters) {
            return where_stored(value);
        }
        match term {
            Expr::Select { cond, then, other: None } => {
                Expr::Select { cond: cond.clone(), then: Box::new(self.filtered(then, value)), other: None }
            }
            Expr::Binary(BinaryOp::Mul, a, b) => self.filtered(a, self.filtered(b, value)),
            Expr::Binary(BinaryOp::Div, a, _) | Expr::Cast(_, a) => self.filtered(a, value),
            Expr::Unary(op, a) if op.preserves_zero() => self.filtered(a, value),
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Compare(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => where_stored(value),
        }
    }
}

/// Where a zero that `cond` chooses is there: where the other arm, `beside`, is, and not where absent operands choose it.
fn where_compared(cond: &Expr, beside: Expr) -> Expr {
    let any = |a: Expr, b: Expr| Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b));
    let is_there = |of: &Access| {
        let yes = Expr::literal(Element::I1, Scalar::Int(1));
        Expr::Present { of: Box::new(Expr::Access(of.clone())), then: Some(Box::new(yes)), other: None }
    };
    let has_value = |node: &Expr| matches!(node, Expr::Reduce { .. } | Expr::Index(..) | Expr::Present { .. });
    if cond.nodes().into_iter().any(has_value) {
        return beside;
    }
    let compared = cond.accesses().into_iter().filter(|access| !access.indices.is_empty()).map(is_there);
    match compared.reduce(any) {
        Some(there) => Expr::Select { cond: Box::new(there), then: Box::new(beside), other: None },
        None => beside,
    }
}

/// Whether a reduction by any operation has another value without terms than with terms that are zero.
fn counts_terms(over: Over) -> bool {
    matches!(over, Over::StoredOr(Nothing::One | Nothing::Greatest | Nothing::Least))
}

/// `expr` without the filters by `cond`, where that holds.
fn where_holds(expr: &Expr, cond: &Expr) -> Expr {
    expr.replaced(&|part| match part {
        Expr::Reduce { .. } => Some(part.clone()),
        Expr::Select { cond: by, then, other: None } if **by == *cond => Some(where_holds(then, cond)),
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Unary(..) => None,
        Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) | Expr::Select { .. } => None,
        Expr::Present { .. } | Expr::Onto { .. } => None,
    })
}

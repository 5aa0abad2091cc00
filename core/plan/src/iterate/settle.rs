//! The value of a reduction over stored terms that has no terms.
//!
//! As the whole right side it is absent, and a sparse result stores nothing there. Where a value is needed, in a dense
//! result or as an operand of a larger expression, it is its identity. (Where a filter or a missing region drops it,
//! it is absent as usual, and zero in a dense result.) This module makes that explicit once, before planning: such a
//! reduction becomes one that is always present ([`Over::StoredOr`]). An identity of zero needs no change, because an
//! absent entry is zero.

use super::{PlanError, combine, is_random_access, zero};
use nnz_base::{
    element::{Element, Scalar},
    ids::IndexVar,
};
use nnz_kernel::{BinaryOp, Expr, Kernel, Nothing, Over, ReduceOp, UnaryOp};

/// The place of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// If it is absent, the whole is.
    Open,
    /// A value is needed.
    Value,
}

/// `kernel` with every reduction over stored terms whose value is needed made explicit; `None` if there is none.
pub(super) fn settled(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let over_stored = |node: &Expr| matches!(node, Expr::Reduce { over: Over::Stored, .. });
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
    fn counts_as_zero(&self, op: &ReduceOp, body: &Expr) -> bool {
        !op.is_place() && op.identity(self.kernel.element_of(body)).is_zero()
    }

    fn expr(&self, expr: &Expr, place: Use) -> Expr {
        let part = |part: &Expr| Box::new(self.expr(part, place));
        let arm = |arm: &Option<Box<Expr>>| arm.as_deref().map(part);
        match expr {
            Expr::Reduce { op, over, vars, body } => self.reduce(op, *over, vars, body, place),
            Expr::Cast(..) | Expr::Unary(UnaryOp::Neg, _) => expr.with_parts(&|part| self.expr(part, place)),
            // The condition chooses an arm, and each arm determines its own presence.
            Expr::Select { cond, then, other: Some(other) } if place == Use::Open => Expr::Select {
                cond: Box::new(self.expr(cond, Use::Value)),
                then: Box::new(self.term(then)),
                other: Some(Box::new(self.term(other))),
            },
            Expr::Select { cond, then, other } => {
                let cond = Box::new(self.expr(cond, Use::Value));
                Expr::Select { cond, then: part(then), other: arm(other) }
            }
            Expr::Present { of, then, other } => self.present(of, arm(then), arm(other), place),
            // Without terms it is the value that it continues from.
            Expr::Onto { from, reduce } => Expr::Onto {
                from: Box::new(self.expr(from, Use::Value)),
                reduce: Box::new(self.expr(reduce, Use::Open)),
            },
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => expr.clone(),
            Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) => {
                expr.with_parts(&|part| self.expr(part, Use::Value))
            }
        }
    }

    fn reduce(&self, op: &ReduceOp, over: Over, vars: &[IndexVar], body: &Expr, place: Use) -> Expr {
        let inside = match over.is_stored() {
            true if zero::leaves_zeros_out(self.kernel, op) => self.term(body),
            true => self.where_met(body).unwrap_or_else(|| self.term(body)),
            false => self.expr(body, Use::Value),
        };
        let over = match over {
            // Without terms it is zero or absent, like a sum over absent terms.
            Over::Stored if *op == ReduceOp::Sum => Over::All,
            Over::Stored if place == Use::Value && !self.counts_as_zero(op, body) => Over::StoredOr(Nothing::Identity),
            Over::All | Over::AllOrZero | Over::Stored | Over::StoredOr(_) => over,
        };
        Expr::Reduce { op: op.clone(), over, vars: vars.to_vec(), body: Box::new(inside) }
    }

    /// A term or an arm. If it is a reduction over stored terms, it is left out if it has no terms.
    fn term(&self, body: &Expr) -> Expr {
        match met(body) {
            None => self.expr(body, Use::Open),
            Some(cond) => {
                Expr::Select { cond: Box::new(cond), then: Box::new(self.expr(body, Use::Value)), other: None }
            }
        }
    }

    /// A term with a reduction over all terms in it, left out where that met nothing and the term is absent without it;
    /// `None` of any other term.
    fn where_met(&self, body: &Expr) -> Option<Expr> {
        let of = self.meeting(body);
        (of != *body && met(body).is_none()).then(|| Expr::Present {
            of: Box::new(of),
            then: Some(Box::new(self.expr(body, Use::Open))),
            other: None,
        })
    }

    /// `expr` with a number in place of each reduction over all terms, behind a filter that one of its terms passes.
    fn meeting(&self, expr: &Expr) -> Expr {
        let one = |element| Expr::literal(element, Scalar::Int(1));
        expr.replaced(&|part| {
            let Expr::Reduce { over: Over::All, vars, body, .. } = part else { return None };
            let stored = Box::new(filtered(&self.meeting(body), one(Element::I1)));
            let any = Expr::Reduce { op: ReduceOp::Or, over: Over::Stored, vars: vars.clone(), body: stored };
            let then = Box::new(one(self.kernel.element_of(part)));
            Some(Expr::Select { cond: Box::new(any), then, other: None })
        })
    }

    /// Whether a reduction is present is known only after it.
    fn present(&self, of: &Expr, then: Option<Box<Expr>>, other: Option<Box<Expr>>, place: Use) -> Expr {
        let Some(cond) = met(of).map(Box::new) else {
            return Expr::Present { of: Box::new(self.expr(of, Use::Open)), then, other };
        };
        match (then, other) {
            // `unary(x, present = x)` is `x`.
            (Some(then), None) if *then == self.expr(of, place) => *then,
            (Some(then), other) => Expr::Select { cond, then, other },
            (None, Some(other)) => {
                Expr::Select { cond: Box::new(Expr::Unary(UnaryOp::Not, cond)), then: other, other: None }
            }
            (None, None) => Expr::Present { of: Box::new(of.clone()), then: None, other: None },
        }
    }
}

/// Whether a reduction over stored terms has any, as a condition; `None` of anything else.
fn met(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Reduce { over: Over::Stored, vars, body, .. } => {
            let yes = Box::new(Expr::literal(Element::I1, Scalar::Int(1)));
            let term = match met(body) {
                Some(cond) => Expr::Select { cond: Box::new(cond), then: yes, other: None },
                None => filtered(body, *yes),
            };
            Some(Expr::Reduce { op: ReduceOp::Or, over: Over::Stored, vars: vars.clone(), body: Box::new(term) })
        }
        Expr::Cast(_, a) | Expr::Unary(UnaryOp::Neg, a) => met(a),
        // Conditions without any term are zero, and so absent.
        Expr::Binary(BinaryOp::Or, a, b) => {
            let there = |part: &Expr| filtered(part, Expr::literal(Element::I1, Scalar::Int(1)));
            let (a, b) = match (met(a), met(b)) {
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
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => None,
    }
}

/// `value` where `term` is stored and its filters let it through.
fn filtered(term: &Expr, value: Expr) -> Expr {
    let filters = |node: &Expr| matches!(node, Expr::Select { other: None, .. });
    let where_stored = |value| Expr::Present { of: Box::new(term.clone()), then: Some(Box::new(value)), other: None };
    // Whether a reduction within is present is known only after it.
    if let Expr::Present { of, then: Some(then), other: None } = term
        && let Some(cond) = met(of)
    {
        return Expr::Select { cond: Box::new(cond), then: Box::new(filtered(then, value)), other: None };
    }
    if !term.nodes().into_iter().any(filters) {
        return where_stored(value);
    }
    match term {
        Expr::Select { cond, then, other: None } => {
            Expr::Select { cond: cond.clone(), then: Box::new(filtered(then, value)), other: None }
        }
        Expr::Binary(BinaryOp::Mul, a, b) => filtered(a, filtered(b, value)),
        Expr::Binary(BinaryOp::Div, a, _) | Expr::Cast(_, a) => filtered(a, value),
        Expr::Unary(op, a) if op.preserves_zero() => filtered(a, value),
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

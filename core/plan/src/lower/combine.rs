//! Combines a term with an entry of the result: by addition, or by the operation of the plan.

use super::{
    Lowerer,
    reductions::combine,
    values::{filters, reduces},
};
use crate::iterate::{find, fold::converted, guard, zero};
use nnz_kernel::{Access, Expr, ReduceOp, UnaryOp};
use nnz_loops::{ExprId, Type};

/// The value of a term, and the condition under which it exists.
#[derive(Clone, Copy)]
pub(super) struct TermValue {
    pub(super) value: ExprId,
    /// `None` if the value always exists, or if it is added and zero elsewhere, which changes nothing.
    pub(super) guard: Option<ExprId>,
}

impl Lowerer<'_> {
    /// Whether `expr` is absent whatever later loops find.
    pub(super) fn is_never_there(&self, expr: &Expr) -> bool {
        self.left_of(expr).is_none()
    }

    /// Whether nothing filters `expr` out.
    pub(super) fn is_unfiltered(&self, expr: &Expr) -> bool {
        self.left_of(expr).is_some_and(|left| guard::of(self.kernel, &left).is_none())
    }

    /// Runs `emit` under the condition that `expr` has a value.
    pub(super) fn where_there(&mut self, expr: &Expr, emit: &mut dyn FnMut(&mut Self)) {
        let Some(left) = self.left_of(expr) else { return };
        match guard::of(self.kernel, &left) {
            None => emit(self),
            Some(guard) => self.under(&guard, emit),
        }
    }

    /// `expr` simplified at the current loops; `None` if it is absent whatever later loops find.
    pub(super) fn left_of(&self, expr: &Expr) -> Option<Expr> {
        let open = |access: &Access| find(&self.plan.operands, access).is_some_and(|id| self.is_open(id, 0));
        zero::simplify_open(self.kernel, expr, &|_| false, &open)
    }

    /// The value of a term at the current loops.
    pub(super) fn term_value(&mut self, expr: &Expr) -> TermValue {
        if self.plan.combine == ReduceOp::Sum {
            return TermValue { guard: self.guard_of_summand(expr), value: self.value(expr) };
        }
        let guard = self.left_of(expr).and_then(|left| guard::of(self.kernel, &left));
        TermValue { guard: guard.map(|guard| self.asked(&guard)), value: self.value(expr) }
    }

    /// The same for the first term, and whether it is negated: a filtered value is a zero without a sign.
    pub(super) fn first_term_value(&mut self, expr: &Expr, negated: bool) -> (TermValue, bool) {
        match negated && (filters(expr) || reduces(expr)) {
            true => (self.term_value(&Expr::Unary(UnaryOp::Neg, Box::new(expr.clone()))), false),
            false => (self.term_value(expr), negated),
        }
    }

    /// The value of an entry without terms.
    pub(super) fn nothing(&mut self) -> ExprId {
        let element = self.element();
        let identity = self.plan.combine.identity(element);
        self.b.value(element, converted(element, identity))
    }

    /// The terms so far, if there are any, combined with one more.
    pub(super) fn taken_in(&mut self, before: Option<ExprId>, negated: bool, term: TermValue) -> ExprId {
        let value = match before {
            Some(before) if self.plan.combine == ReduceOp::Sum => {
                let value = self.or_neutral(term.value, (self.element(), term.guard, negated));
                return self.with_term(before, negated, value);
            }
            Some(before) => self.with_term(before, negated, term.value),
            None => self.first_term(negated, term.value),
        };
        let Some(guard) = term.guard else { return value };
        let before = before.unwrap_or_else(|| self.nothing());
        self.b.select(guard, value, before)
    }

    /// The first term.
    pub(super) fn first_term(&mut self, negated: bool, value: ExprId) -> ExprId {
        if let ReduceOp::Custom(_) = self.plan.combine {
            let nothing = self.nothing();
            return self.with_term(nothing, negated, value);
        }
        self.added(None, negated, value)
    }

    /// The terms so far with one more.
    pub(super) fn with_term(&mut self, before: ExprId, negated: bool, value: ExprId) -> ExprId {
        match &self.plan.combine {
            ReduceOp::Sum => self.added(Some(before), negated, value),
            ReduceOp::Pick => value,
            ReduceOp::Custom(fold) => {
                let ty = Type::Element(self.element());
                let parts = [("left", before), ("right", value)].map(|(name, part)| self.b.define(name, ty, part));
                self.folded(fold, parts)
            }
            op @ (ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max | ReduceOp::And | ReduceOp::Or | ReduceOp::Xor) => {
                self.b.binary(combine(op), before, value)
            }
            op @ (ReduceOp::ArgMin | ReduceOp::ArgMax) => self.b.binary(combine(op), before, value),
        }
    }
}

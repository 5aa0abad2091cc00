//! The signs of zeros: an absent value is a zero without a sign, however the loops compute it.

use super::{Lowerer, values::reduces};
use crate::iterate::{fold, guard};
use nnz_kernel::{BinaryOp, Expr, UnaryOp};
use nnz_loops::ExprId;

impl Lowerer<'_> {
    /// The value that `compute` gives `expr`, or zero where it is absent because its reductions meet nothing: computed from
    /// their zeros it could be -0.
    pub(super) fn where_any_met(&mut self, expr: &Expr, compute: &mut dyn FnMut(&mut Self) -> ExprId) -> ExprId {
        if !self.turns_zeros(expr) || !reduces(expr) {
            return compute(self);
        }
        let left = self.left_of(&self.without_doubtful(expr));
        if left.as_ref().is_some_and(|left| guard::of(self.kernel, left).is_none()) {
            return compute(self);
        }
        let (outer, flag) = (self.found, self.flag());
        self.found = Some(flag);
        let value = compute(self);
        left.iter().for_each(|left| self.mark_found(left));
        self.found = outer;
        let met = self.b.var(flag);
        self.mark_where(met);
        let zero = self.zero_of(expr);
        self.b.select(met, value, zero)
    }

    /// Whether an operation makes -0 of the zero of an absent operand: a minus sign, or a negative factor or divisor.
    fn turns_zeros(&self, expr: &Expr) -> bool {
        let rounds = !self.kernel.element_of(expr).is_integer();
        let is_negative = |part: &Expr| {
            let number = fold::constant(part, &|part| self.kernel.element_of(part));
            number.is_some_and(|number| number.value.as_f64() < 0.0)
        };
        let is_scaled = |[a, b]: [&Expr; 2]| is_negative(a) || is_negative(b);
        let minus = matches!(expr, Expr::Unary(UnaryOp::Neg, _));
        let scaled = matches!(expr, Expr::Binary(BinaryOp::Mul | BinaryOp::Div, a, b) if is_scaled([a, b]));
        rounds && (minus || scaled)
    }
}

//! Where the right side of an update is present, as a condition: a sum over stored terms in a larger expression is absent
//! without terms, and only its loops tell whether it has any.

use super::{Element, Expr, Over, Scalar, Updater, open::keeps_zeros_of};
use nnz_kernel::{BinaryOp, UnaryOp};

impl Updater<'_> {
    /// The condition, if `expr` is a product of such sums, or a function of one that keeps zeros; `None` of others, whose
    /// presence loops can test.
    pub(super) fn there(&self, expr: &Expr) -> Option<Expr> {
        // A sign or a cast alone makes no larger expression of a reduction.
        if let Expr::Unary(UnaryOp::Neg, a) | Expr::Cast(_, a) = expr
            && let Some(any) = any_stored(unsigned(a))
        {
            return Some(any);
        }
        let has_sum = expr.nodes().into_iter().any(|node| self.sums_stored(node).is_some());
        if has_sum { self.condition(expr) } else { None }
    }

    /// Of a product of such sums with accesses and numbers, or a function of one that keeps zeros.
    fn condition(&self, expr: &Expr) -> Option<Expr> {
        if let Some(any) = self.sums_stored(expr) {
            return Some(any);
        }
        match expr {
            Expr::Access(_) => Some(truth(expr)),
            Expr::Binary(BinaryOp::Mul, a, b) => self.both(a, b),
            Expr::Cast(..) | Expr::Unary(..) | Expr::Binary(..) => self.condition(keeps_zeros_of(expr)?),
            Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Compare(..) => None,
            Expr::Select { .. } | Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => None,
        }
    }

    /// Whether a reduction that is absent without terms, even in a larger expression, has any.
    fn sums_stored(&self, expr: &Expr) -> Option<Expr> {
        let Expr::Reduce { op, body, .. } = expr else { return None };
        if op.gives_zero_of((self.element)(body)) { any_stored(expr) } else { None }
    }

    /// `expr`, a larger expression, as the operand of a region, in which reductions over stored terms are numbers: those that
    /// are absent without terms are filters.
    pub(super) fn asked(&self, expr: &Expr) -> Expr {
        expr.replaced(&|part| {
            let one = Expr::literal((self.element)(part), Scalar::Int(1));
            match self.sums_stored(part) {
                Some(cond) => Some(Expr::Select { cond: Box::new(cond), then: Box::new(one), other: None }),
                // In a larger expression it is a value, also where the rest of that is absent.
                None => any_stored(part).map(|_| Expr::there(one)),
            }
        })
    }

    /// Of two factors; one that is never absent says nothing.
    fn both(&self, a: &Expr, b: &Expr) -> Option<Expr> {
        match [a, b].map(|factor| self.may_be_absent(factor)) {
            [true, true] => {
                let [a, b] = [self.condition(a)?, self.condition(b)?].map(Box::new);
                Some(Expr::Binary(BinaryOp::And, a, b))
            }
            [true, false] => self.condition(a),
            [false, true] => self.condition(b),
            [false, false] => None,
        }
    }
}

/// Whether a reduction over stored terms has any.
fn any_stored(expr: &Expr) -> Option<Expr> {
    matches!(expr, Expr::Reduce { over: Over::Stored, .. }).then(|| truth(expr))
}

/// An expression without signs and casts around it.
fn unsigned(expr: &Expr) -> &Expr {
    if let Expr::Unary(UnaryOp::Neg, a) | Expr::Cast(_, a) = expr { unsigned(a) } else { expr }
}

/// 1 where `of` is present, 0 where it is not.
fn truth(of: &Expr) -> Expr {
    let number = |number| Some(Box::new(Expr::literal(Element::I1, Scalar::Int(number))));
    Expr::Present { of: Box::new(of.clone()), then: number(1), other: number(0) }
}

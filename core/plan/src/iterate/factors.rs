//! Reductions that count as values even if they meet no entry.
//!
//! A reduction is absent where all its terms are. But if its absence would make a larger operation absent, as with a
//! factor, the loops would have to know whether it met an entry before they compute with it. There it is a value: zero,
//! if it met no entry. This does not concern a sum whose factors were applied to its terms, because it is no longer in
//! a factor.

use super::{fold, is_finite, zero::is_zero};
use nnz_kernel::{BinaryOp, Expr, Kernel};

/// `expr`, a term of `kernel`, with the reductions marked that are values (see [`nnz_kernel::Over::as_value`]).
pub(super) fn valued(kernel: &Kernel, expr: &Expr) -> Expr {
    Marker { kernel }.part(expr, false)
}

struct Marker<'k> {
    kernel: &'k Kernel,
}

impl Marker<'_> {
    /// `is_factor`: whether an operation around it is absent where it is.
    fn part(&self, expr: &Expr, is_factor: bool) -> Expr {
        match expr {
            Expr::Reduce { op, over, vars, body } => {
                let over = if is_factor { over.as_value() } else { *over };
                Expr::Reduce { op: op.clone(), over, vars: vars.clone(), body: Box::new(self.part(body, false)) }
            }
            Expr::Binary(op, a, b) => {
                let [is_a, is_b] = self.values_of(*op, a, b);
                let (a, b) = (self.part(a, is_factor || is_a), self.part(b, is_factor || is_b));
                Expr::Binary(*op, Box::new(a), Box::new(b))
            }
            Expr::Select { cond, then, other } => Expr::Select {
                cond: Box::new(self.part(cond, false)),
                then: Box::new(self.part(then, is_factor)),
                other: other.as_deref().map(|other| Box::new(self.part(other, is_factor))),
            },
            Expr::Present { of, then, other } => {
                let [then, other] =
                    [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(self.part(arm, is_factor))));
                Expr::Present { of: of.clone(), then, other }
            }
            Expr::Unary(..) | Expr::Compare(..) | Expr::Cast(..) => expr.with_parts(&|part| self.part(part, is_factor)),
            Expr::Onto { .. } => expr.with_parts(&|part| self.part(part, false)),
            Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => expr.clone(),
        }
    }

    /// Which operands are values: those that make the operation absent where they are, as a finite number beside them changes
    /// no zero, and those that have no part in whether it is.
    fn values_of(&self, op: BinaryOp, a: &Expr, b: &Expr) -> [bool; 2] {
        let scales = |other: &Expr| !self.is_finite_number(other);
        match op {
            BinaryOp::Mul | BinaryOp::And => [scales(b), scales(a)],
            // The dividend decides, but for a number, which may become known only where operands are absent.
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => [scales(b) || self.is_zero(b), false],
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow => [scales(b), false],
            BinaryOp::Min if self.kernel.element_of(a).is_unsigned() => [scales(b), scales(a)],
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max => [false; 2],
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::Function(_) => [false; 2],
        }
    }

    fn is_finite_number(&self, expr: &Expr) -> bool {
        fold::constant(expr, &|part| self.kernel.element_of(part)).is_some_and(|number| is_finite(number.value))
    }

    fn is_zero(&self, expr: &Expr) -> bool {
        let number = fold::constant(expr, &|part| self.kernel.element_of(part));
        number.is_some_and(|number| is_zero(&Expr::Literal(number)))
    }
}

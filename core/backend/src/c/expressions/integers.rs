//! Operations on integers, which wrap. C's own operators are used where they cannot overflow.

use super::{
    index_literal,
    text::{C, Prec, operator},
};
use crate::c::{
    Emitter,
    helpers::Helper,
    types::{int_type, wrapping_type},
};
use nnz_loops::{
    ArrayType, Binary, Expr, ExprId, Unary,
    machine::{Int, Width},
    operators::Comparison,
};

impl Emitter<'_> {
    pub(super) fn int_unary(&self, op: Unary, id: ExprId, int: Int, a: ExprId) -> C {
        match op {
            Unary::Not => C::new(Prec::Sign, format!("!{}", self.expr(a).at(Prec::Leaf))),
            Unary::Abs if int.is_signed() => self.call(Helper::Abs(int), &[a]),
            Unary::Neg if int == Int::INDEX && self.ranges.cannot_overflow(id) => self.negated(a),
            Unary::Neg | Unary::BitNot => self.wrapped(int, id),
            // Unsigned numbers are their own size.
            Unary::Abs => self.expr(a),
            // Not integers' operations.
            Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => self.expr(a),
        }
    }

    pub(super) fn int_comparison(&self, op: Comparison, int: Int, operands: [ExprId; 2]) -> C {
        if self.looks_mistaken(int, operands) {
            self.header("stdbool.h");
            return self.call(Helper::Compare(op, int), &operands);
        }
        self.compared(op, operands)
    }

    /// A comparison whose outcome the types alone decide, or of a thing with itself, is warned of.
    fn looks_mistaken(&self, int: Int, [a, b]: [ExprId; 2]) -> bool {
        let is_near = |number: i64| i32::try_from(number).is_ok();
        let far = |id: ExprId| !matches!(self.function.expr(id), Expr::Index(number) if is_near(*number));
        let odd = |a: ExprId, b: ExprId| self.is_constant(a) && (far(a) || self.may_be_narrow(int, b));
        a == b || odd(a, b) || odd(b, a)
    }

    fn is_constant(&self, id: ExprId) -> bool {
        self.constants.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether C could see that the expression does not take all values of 64 bits.
    fn may_be_narrow(&self, int: Int, id: ExprId) -> bool {
        if int != Int::INDEX {
            return true;
        }
        match self.function.expr(id) {
            Expr::Load { array, .. } => self.function.array(*array).ty != ArrayType::Indices(Width::W64),
            Expr::Var(_) | Expr::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Rem, ..) => false,
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) | Expr::Unary(..) | Expr::Binary(..) => true,
            Expr::Select { .. } | Expr::Cast { .. } => true,
        }
    }

    pub(super) fn int_binary(&self, op: Binary, id: ExprId, int: Int, [a, b]: [ExprId; 2]) -> C {
        match op {
            Binary::Add | Binary::Sub | Binary::Mul => self.int_arithmetic(id, int, op, [a, b]),
            Binary::Div => self.int_division(op, int, Helper::Div, [a, b]),
            Binary::Rem => self.int_division(op, int, Helper::Rem, [a, b]),
            Binary::Min => self.call(Helper::Min(int), &[a, b]),
            Binary::Max => self.call(Helper::Max(int), &[a, b]),
            Binary::Pow => self.call(Helper::Pow(int), &[a, b]),
            Binary::BitAnd => self.bits("&", a, b),
            Binary::BitOr => self.bits("|", a, b),
            Binary::BitXor => self.bits("^", a, b),
            Binary::Shl => self.call(Helper::ShiftLeft(int), &[a, b]),
            Binary::Shr => self.call(Helper::ShiftRight(int), &[a, b]),
            // Not integers' operations.
            Binary::Function(_) | Binary::And | Binary::Or | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => {
                self.expr(a)
            }
        }
    }

    /// Of numbers that are extended to their machine types' width, so that the result is too. Always in
    /// parentheses: few know how tightly these bind.
    fn bits(&self, sign: &str, a: ExprId, b: ExprId) -> C {
        C::new(Prec::Conditional, format!("{} {sign} {}", self.expr(a).at(Prec::Sign), self.expr(b).at(Prec::Sign)))
    }

    fn int_arithmetic(&self, id: ExprId, int: Int, op: Binary, [a, b]: [ExprId; 2]) -> C {
        if int == Int::INDEX && self.ranges.cannot_overflow(id) {
            let range = self.ranges.of(id);
            return match (i64::try_from(range.lo), operator(op)) {
                (Ok(number), _) if range.lo == range.hi => index_literal(number),
                (_, Some((prec, sign))) => self.expr(a).infix(prec, sign, self.expr(b)),
                (_, None) => self.expr(a),
            };
        }
        self.wrapped(int, id)
    }

    /// `helper` is for divisors that may be zero or less.
    fn int_division(&self, op: Binary, int: Int, helper: fn(Int) -> Helper, [a, b]: [ExprId; 2]) -> C {
        let by_positive = int == Int::INDEX && self.ranges.of(b).lo > 0;
        match operator(op) {
            Some((prec, sign)) if by_positive => self.expr(a).infix(prec, sign, self.expr(b)),
            Some(_) | None => self.call(helper(int), &[a, b]),
        }
    }

    /// Arithmetic done without a sign, which wraps, and brought back to the type.
    fn wrapped(&self, int: Int, id: ExprId) -> C {
        let value = self.wrapping(int, id);
        if int.width < int.bits {
            return self.call_text(Helper::Wrap(int), vec![value.text]);
        }
        if !int.is_signed() && int.bits >= 32 {
            return value;
        }
        C::cast(&int_type(int), value)
    }

    /// The expression in the type that wraps, whose low bits are right. Of two operands C converts the
    /// second to the type of the first.
    pub(super) fn wrapping(&self, int: Int, id: ExprId) -> C {
        if let Expr::Unary(Unary::BitNot, a) = *self.function.expr(id) {
            let a = C::cast(wrapping_type(int), self.expr(a));
            return C::new(Prec::Sign, format!("~{}", a.text));
        }
        let Some((left, (prec, sign), right)) = self.inexact(int, id) else {
            return C::cast(wrapping_type(int), self.expr(id));
        };
        let left = left.map_or_else(|| C::cast(wrapping_type(int), C::leaf("0")), |left| self.wrapping(int, left));
        let right = if self.inexact(int, right).is_some() { self.wrapping(int, right) } else { self.expr(right) };
        left.infix(prec, sign, right)
    }

    /// The operator between two operands, or before one, if the result may wrap.
    fn inexact(&self, int: Int, id: ExprId) -> Option<(Option<ExprId>, (Prec, &'static str), ExprId)> {
        if int == Int::INDEX && self.ranges.cannot_overflow(id) {
            return None;
        }
        match *self.function.expr(id) {
            Expr::Unary(Unary::Neg, a) => Some((None, (Prec::Sum, "-"), a)),
            Expr::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => Some((Some(a), operator(op)?, b)),
            Expr::Index(_) | Expr::Bool(_) | Expr::Value(..) | Expr::Var(_) | Expr::Load { .. } => None,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Select { .. } | Expr::Cast { .. } => None,
        }
    }
}

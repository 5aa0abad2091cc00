//! Operations of two numbers.

use nnz_base::element::{Element, Scalar};
use nnz_loops::{Binary as Op, ExprId, Type};
use nnz_tir::model::{Binary, Expr};

use super::{Emission, Made, scope::Form, uncompiled};

impl<'f> Emission<'f> {
    /// Whole numbers as `index`, where the result does not wrap; `None` for operations that it does not have.
    pub(super) fn of_indices(&mut self, op: Binary, (left, right): (&'f Expr, &'f Expr)) -> Made<Option<ExprId>> {
        let plain = match op {
            Binary::Add => Op::Add,
            Binary::Subtract => Op::Sub,
            Binary::Multiply => Op::Mul,
            Binary::Least => Op::Min,
            Binary::Greatest => Op::Max,
            Binary::FloorDivide | Binary::FloorModulo | Binary::TruncateDivide | Binary::TruncateModulo => {
                return self.divided(op, (left, right), Form::Index).map(Some);
            }
            Binary::Divide
            | Binary::Power
            | Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::And
            | Binary::Or
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor
            | Binary::ShiftLeft
            | Binary::ShiftRight => return Ok(None),
        };
        let (left, right) = (self.index(left)?, self.index(right)?);
        Ok(Some(self.b.binary(plain, left, right)))
    }

    /// Numbers of one type.
    pub(super) fn of_values(&mut self, op: Binary, (left, right): (&'f Expr, &'f Expr)) -> Made<ExprId> {
        let plain = match op {
            Binary::Add => Op::Add,
            Binary::Subtract => Op::Sub,
            Binary::Multiply => Op::Mul,
            Binary::Divide => Op::Div,
            Binary::Power => Op::Pow,
            Binary::Least => Op::Min,
            Binary::Greatest => Op::Max,
            Binary::BitAnd => Op::BitAnd,
            Binary::BitOr => Op::BitOr,
            Binary::BitXor => Op::BitXor,
            Binary::ShiftLeft | Binary::ShiftRight => return self.shifted(op, (left, right)),
            Binary::FloorDivide | Binary::FloorModulo | Binary::TruncateDivide | Binary::TruncateModulo => {
                return self.divided(op, (left, right), Form::Element);
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::And
            | Binary::Or => return uncompiled(left.place.0, "a condition stands for a number"),
        };
        let (left, right) = (self.value(left)?, self.value(right)?);
        Ok(self.b.binary(plain, left, right))
    }

    fn shifted(&mut self, op: Binary, (left, right): (&'f Expr, &'f Expr)) -> Made<ExprId> {
        let (value, by) = (self.value(left)?, self.value(right)?);
        let amount = self.b.cast(Type::Index, by);
        let range = self.interval(right);
        if range.least < 0 || range.most >= 64 {
            let (zero, most) = (self.b.index(0), self.b.index(63));
            let (least, most) = (self.b.binary(Op::Le, zero, amount), self.b.binary(Op::Le, amount, most));
            let holds = self.b.binary(Op::And, least, most);
            self.in_range(right, holds, amount);
        }
        Ok(self.b.binary(if op == Binary::ShiftLeft { Op::Shl } else { Op::Shr }, value, by))
    }

    /// A quotient or a remainder, with a guard where the divisor may be zero.
    fn divided(&mut self, op: Binary, (left, right): (&'f Expr, &'f Expr), form: Form) -> Made<ExprId> {
        let (range, by_range) = (self.interval(left), self.interval(right));
        let (value, by) = (self.in_form(left, form)?, self.in_form(right, form)?);
        let zero = match form {
            Form::Index => self.b.index(0),
            Form::Bool | Form::Element => self.b.value(right.element(), Scalar::Int(0)),
        };
        if by_range.least <= 0 && by_range.most >= 0 && self.rows(left, right).is_none() {
            let holds = self.b.binary(Op::Ne, by, zero);
            let noted = if form == Form::Index { by } else { self.b.cast(Type::Index, by) };
            self.in_range(right, holds, noted);
        }
        let is_plain = range.least >= 0 && (by_range.least >= 0 || self.rows(left, right).is_some());
        let is_quotient = matches!(op, Binary::TruncateDivide | Binary::FloorDivide);
        let truncates = matches!(op, Binary::TruncateDivide | Binary::TruncateModulo);
        if truncates || is_plain {
            return Ok(self.b.binary(if is_quotient { Op::Div } else { Op::Rem }, value, by));
        }
        if form == Form::Index && by_range.least > 0 && range.least >= -by_range.least {
            return Ok(self.moved_up(is_quotient, value, by));
        }
        Ok(self.rounded_down(is_quotient, (value, by), (zero, form, right.element())))
    }

    /// Of a number that the divisor brings to 0 or more.
    fn moved_up(&mut self, is_quotient: bool, value: ExprId, by: ExprId) -> ExprId {
        let (moved, one) = (self.b.add(value, by), self.b.index(1));
        if !is_quotient {
            return self.b.binary(Op::Rem, moved, by);
        }
        let quotient = self.b.binary(Op::Div, moved, by);
        self.b.sub(quotient, one)
    }

    /// Rounded down, where truncation rounds up: if the remainder is of another sign than the divisor.
    fn rounded_down(
        &mut self,
        is_quotient: bool,
        (value, by): (ExprId, ExprId),
        (zero, form, element): (ExprId, Form, Element),
    ) -> ExprId {
        let rest = self.b.binary(Op::Rem, value, by);
        let is_exact = self.b.binary(Op::Eq, rest, zero);
        let (falls, is_below) = (self.b.binary(Op::Lt, rest, zero), self.b.binary(Op::Lt, by, zero));
        let agrees = self.b.binary(Op::Eq, falls, is_below);
        let stays = self.b.binary(Op::Or, is_exact, agrees);
        if !is_quotient {
            let moved = self.b.add(rest, by);
            return self.b.select(stays, rest, moved);
        }
        let one = match form {
            Form::Index => self.b.index(1),
            Form::Bool | Form::Element => self.b.value(element, Scalar::Int(1)),
        };
        let quotient = self.b.binary(Op::Div, value, by);
        let less = self.b.sub(quotient, one);
        self.b.select(stays, quotient, less)
    }
}

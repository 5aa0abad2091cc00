//! Whether a coordinate is in range wherever it is computed, as far as expressions tell it.

#![expect(clippy::wildcard_enum_match_arm, reason = "of other expressions nothing is known")]

use nnz_tir::model::{Binary, Expr, ExprKind, Function, Loop, Role, VariableId};

use super::Lowering;

impl Lowering<'_> {
    /// An expression of the function before is never negative.
    pub(super) fn is_from_zero(&self, expr: &Expr) -> bool {
        self.least(expr).is_some_and(|least| least >= 0)
    }

    /// It lies below another.
    pub(super) fn is_below(&self, expr: &Expr, end: &Expr) -> bool {
        let limit = match expr.kind() {
            ExprKind::Variable(id) => self.end_of(*id),
            ExprKind::Binary(Binary::FloorModulo, _, divisor) => Some(&**divisor),
            _ => None,
        };
        let is_small = |most: i64| end.as_constant().is_some_and(|end| most < end);
        limit == Some(end) || self.most(expr).is_some_and(is_small)
    }

    fn least(&self, expr: &Expr) -> Option<i64> {
        match expr.kind() {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Variable(id) => self.start_of(*id),
            ExprKind::Binary(Binary::Add, left, right) => self.least(left)?.checked_add(self.least(right)?),
            ExprKind::Binary(Binary::Multiply | Binary::FloorDivide, left, right) => {
                (self.is_from_zero(left) && self.is_from_zero(right)).then_some(0)
            }
            ExprKind::Binary(Binary::FloorModulo, _, divisor) => self.is_from_zero(divisor).then_some(0),
            _ => None,
        }
    }

    fn most(&self, expr: &Expr) -> Option<i64> {
        match expr.kind() {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Variable(id) => self.end_of(*id)?.as_constant()?.checked_sub(1),
            ExprKind::Binary(Binary::Add, left, right) => self.most(left)?.checked_add(self.most(right)?),
            ExprKind::Binary(Binary::Multiply, left, right) if self.is_from_zero(left) && self.is_from_zero(right) => {
                self.most(left)?.checked_mul(self.most(right)?)
            }
            ExprKind::Binary(Binary::FloorModulo, _, divisor) => divisor.as_constant()?.checked_sub(1),
            ExprKind::Binary(Binary::FloorDivide, left, right) => {
                let by = right.as_constant().filter(|by| *by > 0)?;
                Some(self.most(left)?.div_euclid(by))
            }
            _ => None,
        }
    }

    fn start_of(&self, id: VariableId) -> Option<i64> {
        match self.function.variable(id).role {
            Role::Iteration => Some(0),
            _ => self.loop_of(id)?.start.as_constant(),
        }
    }

    /// What a variable stays below.
    fn end_of(&self, id: VariableId) -> Option<&Expr> {
        match self.function.variable(id).role {
            Role::Iteration => length_of(self.function, &self.around, id),
            _ => Some(&self.loop_of(id)?.end),
        }
    }

    fn loop_of(&self, id: VariableId) -> Option<&Loop> {
        self.loops.iter().rev().find(|one| one.variable == id).copied()
    }
}

/// The length of the iterator whose coordinate a variable is.
fn length_of<'f>(function: &'f Function, around: &[&'f nnz_tir::model::Iteration], id: VariableId) -> Option<&'f Expr> {
    let (running, _) = nnz_tir::resolve::runs(around, id)?;
    Some(&function.iterator(running.iterator).length)
}

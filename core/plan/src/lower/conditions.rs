//! The range of a variable in which a condition on index variables holds, from the values of the others.

use super::{Lowerer, levels::Level};
use crate::iterate::OperandId;
use nnz_base::ids::{IndexVar, Lvl};
use nnz_kernel::CompareOp;
use nnz_loops::{Binary, ExprId};

impl Lowerer<'_> {
    /// The last level of a condition, which has the coordinates in a range.
    pub(super) fn level_of_condition(&mut self, id: OperandId, lvl: Lvl) -> Option<Level> {
        let operand = &self.plan.operands[id.index()];
        let condition = operand.condition.as_ref().filter(|_| !operand.encoding.format(lvl).is_full())?;
        let dim = operand.encoding.levels().get(lvl.index())?.expr.as_var()?;
        let (var, indices) = (*operand.indices.get(dim.index())?, &operand.indices);
        let factor = *condition.factors.get(dim.index())?;
        let sign = factor.signum();
        let others = indices.iter().zip(&condition.factors).filter(|(other, _)| **other != var);
        let others: Vec<(IndexVar, i64)> = others.map(|(other, factor)| (*other, factor * -sign)).collect();
        let start = self.b.index(condition.offset * -sign);
        let middle = others.into_iter().fold(start, |sum, (other, factor)| {
            let value = self.coordinate(other);
            let times = self.b.index(factor.abs());
            let value = if factor.abs() == 1 { value } else { self.b.binary(Binary::Mul, value, times) };
            if factor < 0 { self.b.sub(sum, value) } else { self.b.add(sum, value) }
        });
        let middle = self.named("edge", middle);
        let op = if sign < 0 { condition.op.mirrored() } else { condition.op };
        let bounds = self.where_it_holds((op, factor.abs()), middle, var);
        Some(Level::of_range(&mut self.b, bounds))
    }

    /// The range of values of `var` for which `factor * var op number` holds, of those that its loop visits.
    fn where_it_holds(&mut self, (op, factor): (CompareOp, i64), number: ExprId, var: IndexVar) -> [ExprId; 2] {
        // For values before `below` the product is less than the number, from `above` on it is greater, and between it
        // is equal.
        let (below, above) = self.quotients(number, factor);
        let [first, end] = self.values_of(var);
        let (low, high) = match op {
            CompareOp::Eq => (Some(below), Some(above)),
            CompareOp::Lt => (None, Some(below)),
            CompareOp::Le => (None, Some(above)),
            CompareOp::Gt => (Some(above), None),
            CompareOp::Ge => (Some(below), None),
            CompareOp::Ne => (None, None),
        };
        let low = low.map_or(first, |low| self.b.binary(Binary::Max, first, low));
        let high = high.map_or(end, |high| self.b.binary(Binary::Min, end, high));
        // If the condition holds nowhere, the range is empty.
        [low, self.b.binary(Binary::Max, low, high)]
    }

    /// The least number that is `number / factor` or more, and the least that is more.
    fn quotients(&mut self, number: ExprId, factor: i64) -> (ExprId, ExprId) {
        let [one, by] = [1, factor].map(|number| self.b.index(number));
        let after = self.b.add(number, one);
        if factor == 1 {
            return (number, after);
        }
        let last = self.b.index(factor - 1);
        let up = self.b.add(number, last);
        let (below, above) = (self.floor(up, by), self.floor(number, by));
        (below, self.b.add(above, one))
    }

    /// `a / b`, rounded down: division truncates.
    fn floor(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let quotient = self.b.binary(Binary::Div, a, b);
        let back = self.b.binary(Binary::Mul, quotient, b);
        let (beyond, one) = (self.b.binary(Binary::Lt, a, back), self.b.index(1));
        let lower = self.b.sub(quotient, one);
        self.b.select(beyond, lower, quotient)
    }
}

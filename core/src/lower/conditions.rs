//! Where conditions on index variables hold: the range of a variable, from the values of the others.

use super::{Lowerer, levels::Level};
use crate::{
    ids::{IndexVar, Lvl},
    iterate::OperandId,
    kernel::CompareOp,
    loops::{Binary, ExprId},
};

impl Lowerer<'_> {
    /// The last level of a condition, of whose coordinates those in a range are there.
    pub(super) fn level_of_condition(&mut self, id: OperandId, lvl: Lvl) -> Option<Level> {
        let operand = &self.plan.operands[id.index()];
        let condition = operand.condition.as_ref().filter(|_| !operand.encoding.format(lvl).is_full())?;
        let dim = operand.encoding.levels().get(lvl.index())?.expr.as_var()?;
        let (var, indices) = (*operand.indices.get(dim.index())?, &operand.indices);
        let sign = *condition.factors.get(dim.index())?;
        let others = indices.iter().zip(&condition.factors).filter(|(other, _)| **other != var);
        let others: Vec<(IndexVar, i64)> = others.map(|(other, factor)| (*other, factor * -sign)).collect();
        let start = self.b.index(condition.offset * -sign);
        let middle = others.into_iter().fold(start, |sum, (other, factor)| {
            let value = self.coordinate(other);
            if factor < 0 { self.b.sub(sum, value) } else { self.b.add(sum, value) }
        });
        let middle = self.named("edge", middle);
        let op = if sign < 0 { condition.op.mirrored() } else { condition.op };
        let bounds = self.where_it_holds(op, middle, var);
        Some(Level::of_range(&mut self.b, bounds))
    }

    /// The values of `var` that are `op` a number, of those that its loop visits.
    fn where_it_holds(&mut self, op: CompareOp, number: ExprId, var: IndexVar) -> [ExprId; 2] {
        let one = self.b.index(1);
        let after = self.b.add(number, one);
        let [first, end] = self.values_of(var);
        let (low, high) = match op {
            CompareOp::Eq => (Some(number), Some(after)),
            CompareOp::Lt => (None, Some(number)),
            CompareOp::Le => (None, Some(after)),
            CompareOp::Gt => (Some(after), None),
            CompareOp::Ge => (Some(number), None),
            CompareOp::Ne => (None, None),
        };
        let low = low.map_or(first, |low| self.b.binary(Binary::Max, first, low));
        let high = high.map_or(end, |high| self.b.binary(Binary::Min, end, high));
        // Where it holds nowhere, nothing lies between.
        [low, self.b.binary(Binary::Max, low, high)]
    }
}

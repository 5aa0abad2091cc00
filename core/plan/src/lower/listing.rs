//! Sorts coordinates that loops have listed in their own order.

use super::Lowerer;
use nnz_loops::{ArrayId, Binary, ExprId, Stmt, Type};

/// If more than one in this many coordinates is listed, scanning all coordinates is faster than sorting the list.
const SCAN: i64 = 16;

/// A list of distinct coordinates.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) array: ArrayId,
    /// The range of the list in the array.
    pub(super) range: [ExprId; 2],
    pub(super) length: ExprId,
    /// The number of coordinates that could be listed.
    pub(super) size: ExprId,
    /// The last place to list them at, if there may not be room for all.
    pub(super) most: Option<ExprId>,
}

impl Lowerer<'_> {
    /// Brings the list into order: by sorting, or, if it is long, by scanning all coordinates.
    pub(super) fn in_order(&mut self, list: List, is_listed: &mut dyn FnMut(&mut Self, ExprId) -> ExprId) {
        let many = self.b.index(SCAN);
        let weighed = self.b.mul(list.length, many);
        let cond = self.b.binary(Binary::Lt, weighed, list.size);
        let [start, end] = list.range;
        self.b.open();
        self.b.sort(list.array, start, end);
        let then = self.b.close();
        self.b.open();
        self.list_again(list, is_listed);
        let other = self.b.close();
        self.b.push(Stmt::If { cond, then, other });
    }

    fn list_again(&mut self, list: List, is_listed: &mut dyn FnMut(&mut Self, ExprId) -> ExprId) {
        let next = self.accumulator_of("next", Type::Index, list.range[0]);
        let (zero, one) = (self.b.index(0), self.b.index(1));
        self.each("at", [zero, list.size], &mut |this, at| {
            let cond = is_listed(this, at);
            this.b.open();
            let position = this.b.var(next);
            let place = list.most.map_or(position, |most| this.b.binary(Binary::Min, position, most));
            this.b.store(list.array, place, at);
            let value = this.b.add(position, one);
            this.b.push(Stmt::Assign { var: next, value });
            let then = this.b.close();
            this.b.push(Stmt::If { cond, then, other: Vec::new() });
        });
    }
}

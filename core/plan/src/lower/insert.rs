//! Sparse results whose entries are put into their places in the order in which the loops meet them.
//!
//! The loops run twice, and both runs use the array of positions `pos`. The first counts the entries of segment `s` in
//! `pos[s + 2]`. Sums of the counts then make `pos[s + 1]` the start of segment `s`. The second run puts each entry of
//! the segment at `pos[s + 1]` and increments that, so in the end `pos[s + 1]` is the end of the segment, as it should
//! be. The element after the last holds the sum of all counts; if there is no room for so many entries, the second run
//! is left out.

use super::{ArrayBinding, Lowerer, ScalarBinding, merge::Body};
use crate::iterate::{Assembly, OperandId};
use nnz_base::ids::{IndexVar, Lvl};
use nnz_kernel::Expr;
use nnz_loops::{ArrayId, Binary, ExprId, ForKind, Stmt, Type};

impl<'k> Lowerer<'k> {
    pub(super) fn insert(&mut self, assembly: &'k Assembly, leader: Option<OperandId>) {
        let Some((last, outer)) = assembly.rows.split_last() else { return };
        self.leader = leader;
        let positions = self.parameters.array(&mut self.b, ArrayBinding::ResultPositions(last.lvl));
        let (zero, one, two) = (self.b.index(0), self.b.index(1), self.b.index(2));
        let sizes: Vec<ExprId> = outer.iter().map(|row| self.extent(row.var)).collect();
        let segments = sizes.into_iter().fold(one, |product, size| self.b.mul(product, size));
        let end = self.b.add(segments, two);
        self.each("at", [zero, end], &mut |this, at| this.b.store(positions, at, zero));
        let ahead = |this: &mut Self, segment: ExprId| {
            let ahead = this.b.add(segment, two);
            this.raise(positions, ahead);
        };
        match leader.and_then(|leader| self.listed_segments(assembly, leader)) {
            Some((coordinates, range)) => self.each("at", range, &mut |this, at| {
                let segment = this.b.load(coordinates, at);
                ahead(this, segment);
            }),
            None => self.entries_in_any_order(assembly, leader, &mut |this, _| {
                let segment = this.segment_of(assembly);
                ahead(this, segment);
            }),
        }
        self.each("at", [one, end], &mut |this, at| {
            let before = this.b.sub(at, one);
            let (start, count) = (this.b.load(positions, before), this.b.load(positions, at));
            let sum = this.b.add(start, count);
            this.b.store(positions, at, sum);
        });
        self.reset_cursors();
        self.b.open();
        self.put_in_place(assembly, leader, positions);
        let then = self.b.close();
        let (behind, room) = (self.b.add(segments, one), self.parameters.scalar(&mut self.b, ScalarBinding::Room));
        let count = self.b.load(positions, behind);
        let cond = self.b.binary(Binary::Le, count, room);
        self.b.push(Stmt::If { cond, then, other: Vec::new() });
        self.report_insertions(assembly, count);
    }

    /// The second run.
    fn put_in_place(&mut self, assembly: &'k Assembly, leader: Option<OperandId>, positions: ArrayId) {
        let Some(last) = assembly.rows.last() else { return };
        let coordinates = self.parameters.array(&mut self.b, ArrayBinding::ResultCoordinates(last.lvl));
        let one = self.b.index(1);
        self.entries_in_any_order(assembly, leader, &mut |this, expr| {
            let segment = this.segment_of(assembly);
            let next = this.b.add(segment, one);
            let place = this.b.load(positions, next);
            let place = this.named("place", place);
            let (value, coordinate) = (this.value(expr), this.coordinate(last.var));
            let values = this.result_array();
            this.b.store(coordinates, place, coordinate);
            this.b.store(values, place, value);
            this.raise(positions, next);
        });
    }

    /// The loops, with `body` run for each entry that is not filtered out.
    fn entries_in_any_order(&mut self, assembly: &'k Assembly, leader: Option<OperandId>, body: Body<'_, 'k>) {
        let mut entry = |this: &mut Self, expr: &Expr| this.where_there(expr, &mut |this| body(this, expr));
        match leader {
            None => self.nest_loops(&assembly.order, &assembly.expr, &mut entry),
            Some(leader) => self.levels_of(leader, &assembly.expr, &mut entry),
        }
    }

    /// The coordinates of a leader that is compressed below a dense level, if they number the segments: then one loop
    /// over all positions counts the entries, without a loop over rows.
    fn listed_segments(&mut self, assembly: &Assembly, leader: OperandId) -> Option<(ArrayId, [ExprId; 2])> {
        let (rows, columns) = (Lvl::new(0), Lvl::new(1));
        let operand = self.operand(leader);
        let vars = [operand.level_var(rows)?, operand.level_var(columns)?];
        let [outer, inner] = [rows, columns].map(|lvl| operand.encoding.format(lvl));
        let compressed = outer.is_dense() && inner.lists_entries() && operand.encoding.lvl_rank() == 2;
        let [by, _] = assembly.rows.as_slice() else { return None };
        if !compressed || by.var != vars[1] || !self.is_unfiltered(&assembly.expr) {
            return None;
        }
        let level = self.level(leader, columns);
        let (positions, coordinates) = (level.positions?, level.coordinates?);
        let (first, end) = (self.b.index(0), self.extent(vars[0]));
        let range = [first, end].map(|at| self.b.load(positions.array, at));
        Some((coordinates.array, range))
    }

    fn levels_of(&mut self, leader: OperandId, expr: &Expr, body: Body<'_, 'k>) {
        if self.is_complete(leader) {
            return body(self, expr);
        }
        self.level_loop(leader, ForKind::Serial, &mut |this| this.levels_of(leader, expr, body));
    }

    /// The number of the segment that the entry belongs to.
    fn segment_of(&mut self, assembly: &Assembly) -> ExprId {
        let outer = assembly.rows.split_last().map_or(&[][..], |(_, outer)| outer);
        let vars: Vec<IndexVar> = outer.iter().map(|row| row.var).collect();
        let segment = self.row_major(&vars);
        self.named("segment", segment)
    }

    fn raise(&mut self, array: ArrayId, at: ExprId) {
        let (before, one) = (self.b.load(array, at), self.b.index(1));
        let value = self.b.add(before, one);
        self.b.store(array, at, value);
    }

    pub(super) fn each(&mut self, name: &str, range: [ExprId; 2], body: &mut dyn FnMut(&mut Self, ExprId)) {
        let var = self.b.local(name, Type::Index);
        let at = self.b.var(var);
        self.for_loop(var, range, ForKind::Serial, |this| body(this, at));
    }

    fn report_insertions(&mut self, assembly: &Assembly, count: ExprId) {
        let counts = self.parameters.array(&mut self.b, ArrayBinding::Ends);
        let zero = self.b.index(0);
        let last = assembly.rows.len().saturating_sub(1);
        for row in 0..=last {
            let at = self.b.index(i64::try_from(row).unwrap_or(i64::MAX));
            self.b.store(counts, at, if row == last { count } else { zero });
        }
    }
}

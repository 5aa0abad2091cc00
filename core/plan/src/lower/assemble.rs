//! Sparse results: the loops that append their entries.
//!
//! Every level that stores coordinates has a counter of its positions so far. A coordinate of a level with further
//! levels below is appended after its segment, and only if the segment is not empty. The loops are made twice if no
//! bound of the arrays' lengths is known: once to count, and once to fill the arrays.
//!
//! A bound comes from the plan, and lowering relies on it only if it can prove it: every entry is appended while the
//! loops stand at an entry of an operand that the bound counts, and they stand at each of those once (`is_bounded`). If
//! that cannot be proved for some entry, all stores are capped: an entry for which there is no room goes into a spare
//! place behind the others. The counters go on, and from their ends the runner sees that the bound was too low.

use super::{ArrayBinding, Lowerer, ScalarBinding, values::reduces, workspace::Workspace};
use crate::iterate::{Assembly, Capacity, Fill, Method, Row, Term, entry_terms, guard, without_partial, zero};
use nnz_base::{
    element::{Element, Scalar},
    ids::IndexVar,
};
use nnz_kernel::{Expr, Over};
use nnz_loops::{Binary, ExprId, ForKind, Stmt, Type, VarId};

/// The purpose of a run of the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Count,
    Fill,
}

/// The state of assembling a result.
pub(super) struct Assembler<'a> {
    pub(super) assembly: &'a Assembly,
    pub(super) purpose: Purpose,
    /// For each row that appends, how many positions it has so far.
    pub(super) counters: Vec<Option<VarId>>,
    pub(super) workspace: Option<Workspace>,
}

/// What is emitted where there is an entry, given its value, if that is wanted.
pub(super) type Emit<'e, 'k> = &'e mut dyn FnMut(&mut Lowerer<'k>, Option<ExprId>);

impl<'k> Lowerer<'k> {
    pub(super) fn assemble(&mut self, assembly: &'k Assembly, purpose: Purpose) {
        self.reset_cursors();
        self.order = &assembly.order;
        match assembly.method {
            Method::Insert { leader } => return self.insert(assembly, leader),
            Method::Blocks(blocks) => return self.blocks(assembly, blocks, purpose),
            Method::List => return self.products(assembly, purpose),
            Method::Append | Method::Workspace => {}
        }
        let mut assembler = Assembler { assembly, purpose, counters: Vec::new(), workspace: None };
        self.open_segments(&assembler);
        self.in_parts(assembly, |this| this.part_of_result(&mut assembler));
        self.close_segments(&assembler);
    }

    /// One part of the result, or all of it.
    fn part_of_result(&mut self, assembler: &mut Assembler<'k>) {
        let assembly = assembler.assembly;
        assembler.counters = (0..assembly.rows.len()).map(|at| self.counter(assembler, at)).collect();
        if assembly.method == Method::Workspace {
            self.open_workspace(assembler);
        }
        let root = self.b.index(0);
        self.row(assembler, 0, &assembly.expr, root);
        if !assembly.in_parts {
            self.close_segment(assembler, 0, root);
        }
        self.report_ends(assembler);
    }

    pub(super) fn counter(&mut self, assembler: &Assembler<'_>, at: usize) -> Option<VarId> {
        let row = assembler.assembly.rows.get(at)?;
        let appends = matches!(row.fill, Fill::Append | Fill::Head);
        appends.then(|| self.first_position(assembler.assembly, at, &format!("count{}", row.lvl.index())))
    }

    /// The loops of the result's rows from the `at`th on, below a position of the row above.
    fn row(&mut self, assembler: &Assembler<'_>, at: usize, expr: &Expr, parent: ExprId) {
        let Some(row) = assembler.assembly.rows.get(at) else { return self.entry(assembler, expr, parent) };
        if assembler.workspace.is_some() && at + 1 == assembler.assembly.rows.len() {
            self.scattered_row(assembler, row, expr, parent);
        } else {
            self.var_loop(row.var, ForKind::Serial, expr, &mut |this, expr| {
                this.hoist_entries(expr);
                this.coordinate_of_row(assembler, at, expr, parent);
            });
        }
    }

    fn coordinate_of_row(&mut self, assembler: &Assembler<'_>, at: usize, expr: &Expr, parent: ExprId) {
        let row = &assembler.assembly.rows[at];
        let coordinate = self.coordinate(row.var);
        match row.fill {
            Fill::Dense => {
                let size = self.extent(row.var);
                let first = self.b.mul(parent, size);
                let position = self.b.add(first, coordinate);
                let position = self.named(&format!("at{}", row.lvl.index()), position);
                self.row(assembler, at + 1, expr, position);
                self.close_segment(assembler, at + 1, position);
            }
            // A tuple is appended as a whole, at its last level.
            Fill::Head | Fill::Tuple => self.row(assembler, at + 1, expr, parent),
            Fill::Append if at + 1 == assembler.assembly.rows.len() => self.entry(assembler, expr, parent),
            Fill::Append => self.append_if_any(assembler, at, expr, coordinate),
        }
    }

    /// The entries below a coordinate, then the coordinate, if there are any.
    fn append_if_any(&mut self, assembler: &Assembler<'_>, at: usize, expr: &Expr, coordinate: ExprId) {
        let Some(counter) = assembler.counters[at] else { return };
        let count = self.b.var(counter);
        let position = self.capped(assembler, count);
        let position = self.b.define(&format!("at{}", at), Type::Index, position);
        let position = self.b.var(position);
        self.clear_block(assembler, at, position);
        let outer = self.found;
        let below = assembler.counters[at + 1..].iter().flatten().next().copied();
        let (before, found) = match below {
            Some(below) => {
                let so_far = self.b.var(below);
                let before = self.b.define("before", Type::Index, so_far);
                (Some((below, self.b.var(before))), None)
            }
            None => (None, Some(self.flag())),
        };
        self.found = found.or(outer);
        self.row(assembler, at + 1, expr, position);
        self.found = outer;
        let any = match (before, found) {
            (Some((below, before)), _) => {
                let now = self.b.var(below);
                self.b.binary(Binary::Lt, before, now)
            }
            (None, Some(found)) => self.b.var(found),
            (None, None) => self.b.bool(true),
        };
        self.b.open();
        self.close_segment(assembler, at + 1, position);
        self.store_coordinate(assembler, at, position, coordinate);
        self.count_one(counter);
        let then = self.b.close();
        self.b.push(Stmt::If { cond: any, then, other: Vec::new() });
    }

    /// `var found = false`.
    pub(super) fn flag(&mut self) -> VarId {
        let var = self.b.local("found", Type::Bool);
        let value = self.b.bool(false);
        self.b.push(Stmt::Mut { var, value });
        var
    }

    /// One entry of the result, if it is there.
    fn entry(&mut self, assembler: &Assembler<'_>, expr: &Expr, parent: ExprId) {
        self.where_met(expr, assembler.purpose == Purpose::Fill, &mut |this, value| {
            this.say_found();
            this.append(assembler, parent, value);
        });
    }

    /// Runs `emit` with the value of `expr`, if that is `wanted`, under the condition that there is one: no filter leaves it
    /// out, and its reductions meet a term.
    pub(super) fn where_met(&mut self, expr: &Expr, wanted: bool, emit: Emit<'_, 'k>) {
        self.expect_bound(self.kernel.result().indices.iter().copied());
        let Some(left) = self.left_of(expr) else { return };
        match guard::of(self.kernel, &left) {
            None => self.where_found((expr, self.is_certain(expr, None)), wanted, emit),
            Some(guard) => {
                let certain = self.is_certain(expr, Some(&guard));
                self.under(&guard, &mut |this| this.where_found((expr, certain), wanted, emit));
            }
        }
    }

    /// Unless it is `certain`, `expr` has a value only if its reductions meet a term or a filter lets a part of it through.
    fn where_found(&mut self, (expr, certain): (&Expr, bool), wanted: bool, emit: Emit<'_, 'k>) {
        let outer = self.found;
        let found = if certain { None } else { Some(self.flag()) };
        self.found = found;
        let value = (wanted || !certain).then(|| self.value(expr));
        if !certain {
            self.apart_from_reductions(expr).iter().for_each(|part| self.mark_found(part));
        }
        self.found = outer;
        let cond = found.map(|found| self.b.var(found));
        self.b.open();
        emit(self, value.filter(|_| wanted));
        let then = self.b.close();
        match cond {
            Some(cond) => self.b.push(Stmt::If { cond, then, other: Vec::new() }),
            None => then.into_iter().for_each(|stmt| self.b.push(stmt)),
        }
    }

    /// Marks for the level above that there is an entry below.
    pub(super) fn say_found(&mut self) {
        if let Some(var) = self.found {
            let value = self.b.bool(true);
            self.b.push(Stmt::Assign { var, value });
        }
    }

    /// Whether the expression has a value wherever it is reached, which is where `condition` holds: a part of it that is not
    /// reduced, or a reduction that visits every coordinate.
    fn is_certain(&self, expr: &Expr, condition: Option<&Expr>) -> bool {
        let parts = self.apart_from_reductions(expr);
        let mut guards = parts.iter().map(|part| guard::of(self.kernel, part));
        guards.any(|guard| guard.is_none() || guard.as_ref() == condition)
    }

    /// The terms that remain where every reduction that may meet no entry meets none.
    fn apart_from_reductions(&self, expr: &Expr) -> Vec<Expr> {
        let left = |term: &Term| {
            let body = self.without_doubtful(&term.body);
            let there = !self.may_meet_nothing(&term.summed, &body);
            there.then(|| self.left_of(&body)).flatten()
        };
        entry_terms(&self.plan.combine, expr).iter().filter_map(left).collect()
    }

    /// Whether loops over `vars` may find no term: some are left out, or there are no values at all.
    fn may_meet_nothing(&self, vars: &[IndexVar], body: &Expr) -> bool {
        self.leaves_out(vars, body) || self.kernel.is_empty_over(vars)
    }

    /// Whether loops over `vars` pass over some of their values, or filters leave out what they find there.
    fn leaves_out(&self, vars: &[IndexVar], body: &Expr) -> bool {
        self.skips(vars, body) || (!vars.is_empty() && self.is_filtered(body)) || self.lacks_inner(vars, body)
    }

    /// Whether a reduction in `body` may meet nothing where loops over `vars` pass over an operand.
    fn lacks_inner(&self, vars: &[IndexVar], body: &Expr) -> bool {
        let passed = || without_partial(self.kernel, body, (vars, self.order), &self.plan.operands);
        let certain = |left: Expr| self.left_of(&self.without_doubtful(&left)).is_some();
        !vars.is_empty() && reduces(body) && !passed().is_some_and(certain)
    }

    /// `expr` where every reduction that may meet no entry is absent, and so is what such a reduction filters.
    pub(super) fn without_doubtful(&self, expr: &Expr) -> Expr {
        expr.replaced(&|part| {
            if let Expr::Select { cond, then, other: None } = part {
                let doubtful = reduces(cond) && self.without_doubtful(cond) != **cond;
                return doubtful.then(|| self.never(then));
            }
            // What a choice asks for is a value, but for a zero beside what may be absent.
            if let Expr::Select { cond, then, other: Some(other) } = part
                && ![then, other].into_iter().any(|arm| zero::is_zero(arm))
            {
                let [then, other] = [then, other].map(|arm| Box::new(self.without_doubtful(arm)));
                return Some(Expr::Select { cond: cond.clone(), then, other: Some(other) });
            }
            let Expr::Reduce { over, vars, body, .. } = part else { return None };
            if matches!(over, Over::StoredOr(_) | Over::AllOrZero) {
                return Some(part.clone());
            }
            let body = &self.without_doubtful(body);
            let doubtful = self.leaves_out(vars, body) || (over.is_stored() && self.may_meet_nothing(vars, body));
            doubtful.then(|| self.never(part))
        })
    }

    /// Absent, and of the type of `like`.
    fn never(&self, like: &Expr) -> Expr {
        let cond = Box::new(Expr::literal(Element::I1, Scalar::Int(0)));
        Expr::Select { cond, then: Box::new(Expr::zero(self.kernel.element_of(like))), other: None }
    }

    /// Appends the coordinates that end here, and the value.
    pub(super) fn append(&mut self, assembler: &Assembler<'_>, parent: ExprId, value: Option<ExprId>) {
        let rows = &assembler.assembly.rows;
        let Some(last) = rows.last() else { return };
        self.unbounded |= !self.is_bounded(assembler);
        if last.fill == Fill::Dense {
            return self.store_value(assembler, parent, value);
        }
        let Some(head) = assembler.head() else { return };
        let Some(counter) = assembler.counters[head] else { return };
        let count = self.b.var(counter);
        let position = self.capped(assembler, count);
        let position = self.named("place", position);
        for (at, row) in rows.iter().enumerate().skip(head) {
            let coordinate = self.coordinate(row.var);
            self.store_coordinate(assembler, at, position, coordinate);
        }
        self.store_value(assembler, position, value);
        self.count_one(counter);
    }

    pub(super) fn is_capped(&self, assembler: &Assembler<'_>) -> bool {
        self.capped && assembler.purpose == Purpose::Fill && assembler.assembly.capacity != Capacity::Counted
    }

    fn count_one(&mut self, counter: VarId) {
        let (count, one) = (self.b.var(counter), self.b.index(1));
        let value = self.b.add(count, one);
        self.b.push(Stmt::Assign { var: counter, value });
    }

    /// Whether the loops stand at an entry of an operand that the bound counts. If an operand is looked up, they may
    /// also be at coordinates without an entry of it.
    fn is_bounded(&self, assembler: &Assembler<'_>) -> bool {
        let Capacity::Bound(operands) = &assembler.assembly.capacity else { return true };
        let vars: Vec<IndexVar> = assembler.assembly.rows.iter().map(|row| row.var).collect();
        operands.iter().any(|id| {
            let operand = self.operand(*id);
            let walked = operand.condition.is_none() && !operand.has_looked_up_level();
            walked && self.is_complete(*id) && operand.determines(&vars)
        })
    }

    /// The place where the entry of this position is stored: if that could be outside the array, it is capped at the
    /// spare place.
    pub(super) fn capped(&mut self, assembler: &Assembler<'_>, position: ExprId) -> ExprId {
        if !self.is_capped(assembler) {
            return position;
        }
        let room = self.parameters.scalar(&mut self.b, ScalarBinding::Room);
        self.b.binary(Binary::Min, position, room)
    }

    pub(super) fn store_value(&mut self, assembler: &Assembler<'_>, at: ExprId, value: Option<ExprId>) {
        if let (Purpose::Fill, Some(value)) = (assembler.purpose, value) {
            let array = self.result_array();
            self.b.store(array, at, value);
        }
    }

    pub(super) fn store_coordinate(&mut self, assembler: &Assembler<'_>, row: usize, at: ExprId, coordinate: ExprId) {
        if assembler.purpose == Purpose::Fill {
            let binding = ArrayBinding::ResultCoordinates(assembler.assembly.rows[row].lvl);
            let array = self.parameters.array(&mut self.b, binding);
            self.b.store(array, at, coordinate);
        }
    }

    /// The dense levels at the end of the result hold zeros where nothing is stored.
    fn clear_block(&mut self, assembler: &Assembler<'_>, at: usize, position: ExprId) {
        let below = &assembler.assembly.rows[at + 1..];
        if assembler.purpose == Purpose::Count || below.iter().any(|row| row.fill != Fill::Dense) {
            return;
        }
        let one = self.b.index(1);
        let sizes: Vec<ExprId> = below.iter().map(|row| self.extent(row.var)).collect();
        let size = sizes.into_iter().fold(one, |product, size| self.b.mul(product, size));
        let next = self.b.add(position, one);
        let range = [self.b.mul(position, size), self.b.mul(next, size)];
        let array = self.result_array();
        let nothing = self.nothing();
        self.fill(array, range, nothing, ForKind::Serial);
    }
}

impl Assembler<'_> {
    /// The rows that have positions.
    pub(super) fn appending(&self) -> Vec<(usize, Row)> {
        let rows = self.assembly.rows.iter().copied().enumerate();
        rows.filter(|(_, row)| matches!(row.fill, Fill::Append | Fill::Head)).collect()
    }

    /// The row that the last coordinate is appended with: itself, or the head of its run of tuples.
    pub(super) fn head(&self) -> Option<usize> {
        self.assembly.rows.iter().rposition(|row| row.fill != Fill::Tuple)
    }

    pub(super) fn counter(&self, row: usize) -> Option<VarId> {
        self.counters.get(row).copied().flatten()
    }
}

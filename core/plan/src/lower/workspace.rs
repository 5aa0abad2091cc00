//! A row of a sparse result that is added up in a dense array first (Kjolstad 2019, section 4).
//!
//! The touched coordinates are listed at the end of the result's own coordinates and sorted there; if most are touched,
//! the array is scanned instead. A stamp per coordinate holds the row that touched it last, so nothing needs clearing
//! between rows. For very long rows the array is a hash table, with as many slots as the operands' entries can need.
//! That number comes from the plan, and no loop relies on it: a search in a table without a free slot ends, and the
//! runner learns of it.

use super::{
    ArrayBinding, Lowerer, ScalarBinding,
    assemble::{Assembler, Purpose},
    combine::TermValue,
    listing::List,
};
use crate::iterate::{Capacity, Fill, Row, Space, Term, entry_terms};
use nnz_base::ids::IndexVar;
use nnz_kernel::Expr;
use nnz_loops::{ArrayId, Binary, ExprId, ForKind, Stmt, Type, VarId};

/// The arrays and counters of a workspace.
#[derive(Clone, Copy)]
pub(super) struct Workspace {
    stamps: ArrayId,
    /// The number of the row that is added up.
    row: VarId,
    /// How many coordinates it has so far.
    touched: VarId,
    /// Where the part's region of the arrays starts.
    region: Option<ExprId>,
    table: Option<Table>,
}

/// A hash table with open addressing: the coordinate in each slot, how many slots there are, and how many of them the
/// fullest row so far has taken.
#[derive(Clone, Copy)]
struct Table {
    keys: ArrayId,
    slots: ExprId,
    fullest: VarId,
}

/// The end that a part reports whose table was too small.
const FULL: i64 = -1;

impl<'k> Lowerer<'k> {
    pub(super) fn open_workspace(&mut self, assembler: &mut Assembler<'_>) {
        let Some(last) = assembler.assembly.rows.last() else { return };
        let stamps = self.parameters.array(&mut self.b, ArrayBinding::Stamps);
        let zero = self.b.index(0);
        let table = (assembler.assembly.space != Space::Dense).then(|| Table {
            keys: self.parameters.array(&mut self.b, ArrayBinding::Keys),
            slots: self.parameters.scalar(&mut self.b, ScalarBinding::Slots),
            fullest: self.accumulator_of("fullest", Type::Index, zero),
        });
        let size = table.map_or_else(|| self.extent(last.var), |table| table.slots);
        let [row, touched] = ["row", "touched"].map(|name| {
            let var = self.b.local(name, Type::Index);
            self.b.push(Stmt::Mut { var, value: zero });
            var
        });
        let region = self.region(size).map(|first| self.named("region", first));
        let workspace = Workspace { stamps, row, touched, region, table };
        let var = self.b.local("at", Type::Index);
        let at = self.b.var(var);
        self.for_loop(var, [zero, size], ForKind::Serial, |this| {
            let place = this.place_in(workspace, at);
            this.b.store(stamps, place, zero);
        });
        assembler.workspace = Some(workspace);
    }

    /// Where the part's workspace has its entry `at`.
    fn place_in(&mut self, workspace: Workspace, at: ExprId) -> ExprId {
        workspace.region.map_or(at, |first| self.b.add(first, at))
    }

    /// The place of a coordinate in the workspace. In a table it is the first slot, from its home slot on, that holds
    /// the coordinate or nothing of this row.
    fn place_of(&mut self, workspace: Workspace, coordinate: ExprId) -> ExprId {
        let Some(Table { keys, slots, .. }) = workspace.table else { return self.place_in(workspace, coordinate) };
        let own = self.b.binary(Binary::Rem, coordinate, slots);
        let slot = self.accumulator_of("slot", Type::Index, own);
        let at = self.b.var(slot);
        let place = self.place_in(workspace, at);
        let (stamp, row) = (self.b.load(workspace.stamps, place), self.b.var(workspace.row));
        let taken = self.b.binary(Binary::Eq, stamp, row);
        let key = self.b.load(keys, place);
        let other = self.b.binary(Binary::Ne, key, coordinate);
        let cond = self.b.binary(Binary::And, taken, other);
        let touched = self.b.var(workspace.touched);
        let free = self.b.binary(Binary::Lt, touched, slots);
        let cond = self.b.binary(Binary::And, cond, free);
        let (zero, one) = (self.b.index(0), self.b.index(1));
        let next = self.b.add(at, one);
        let inside = self.b.binary(Binary::Lt, next, slots);
        let value = self.b.select(inside, next, zero);
        let body = vec![Stmt::Assign { var: slot, value }];
        self.b.push(Stmt::While { cond, body });
        place
    }

    /// The last row below `parent`: every term is added up, then the entries are appended in order.
    pub(super) fn scattered_row(&mut self, assembler: &Assembler<'_>, row: &Row, expr: &Expr, parent: ExprId) {
        let Some(workspace) = assembler.workspace else { return };
        self.unbounded |= assembler.assembly.capacity != Capacity::Counted;
        if row.fill == Fill::Dense {
            return self.added_in_place(assembler, row, expr, parent);
        }
        let (zero, one) = (self.b.index(0), self.b.index(1));
        let number = self.b.var(workspace.row);
        let value = self.b.add(number, one);
        self.b.push(Stmt::Assign { var: workspace.row, value });
        self.b.push(Stmt::Assign { var: workspace.touched, value: zero });
        for term in entry_terms(&self.plan.combine, expr) {
            self.term_loops(&term, row.var, &mut |this, expr| this.scatter(assembler, workspace, &term, expr));
        }
        self.gather(assembler, workspace, row);
    }

    /// The loops of a term over its own variables and `last`, in the order of the plan.
    fn term_loops(&mut self, term: &Term, last: IndexVar, body: super::merge::Body<'_, 'k>) {
        let mut vars: Vec<IndexVar> = term.summed.iter().copied().chain([last]).collect();
        let order = self.order;
        vars.sort_by_key(|var| order.iter().position(|other| other == var));
        self.nest_loops(&vars, &term.body, body);
    }

    /// Adds one value to its place in the workspace.
    fn scatter(&mut self, assembler: &Assembler<'_>, workspace: Workspace, term: &Term, expr: &Expr) {
        let fills = assembler.purpose == Purpose::Fill;
        self.where_met(expr, fills, &mut |this, value| this.scatter_value(assembler, workspace, term, value));
    }

    fn scatter_value(&mut self, assembler: &Assembler<'_>, workspace: Workspace, term: &Term, value: Option<ExprId>) {
        let Some(last) = assembler.assembly.rows.last() else { return };
        let at = self.coordinate(last.var);
        let place = self.place_of(workspace, at);
        let (stamp, row) = (self.b.load(workspace.stamps, place), self.b.var(workspace.row));
        let cond = self.b.binary(Binary::Ne, stamp, row);
        self.b.open();
        self.b.store(workspace.stamps, place, row);
        if let Some(table) = workspace.table {
            self.b.store(table.keys, place, at);
        }
        self.list(assembler, workspace, at);
        if let Some(value) = value {
            let first = self.first_term(term.negated, value);
            let values = self.workspace_values();
            self.b.store(values, place, first);
        }
        let then = self.b.close();
        self.b.open();
        if let Some(value) = value {
            let values = self.workspace_values();
            let before = self.b.load(values, place);
            let sum = self.with_term(before, term.negated, value);
            self.b.store(values, place, sum);
        }
        let other = self.b.close();
        self.b.push(Stmt::If { cond, then, other });
    }

    /// Lists one more coordinate of the row.
    fn list(&mut self, assembler: &Assembler<'_>, workspace: Workspace, coordinate: ExprId) {
        let (touched, one) = (self.b.var(workspace.touched), self.b.index(1));
        if let Some((start, row)) = self.row_start(assembler) {
            let at = self.b.add(start, touched);
            let at = self.capped(assembler, at);
            self.store_coordinate(assembler, row, at, coordinate);
        }
        let value = self.b.add(touched, one);
        self.b.push(Stmt::Assign { var: workspace.touched, value });
    }

    /// Where the row's entries start, and the row of the result whose coordinates they are.
    fn row_start(&mut self, assembler: &Assembler<'_>) -> Option<(ExprId, usize)> {
        let counter = assembler.counter(assembler.head()?)?;
        Some((self.b.var(counter), assembler.assembly.rows.len() - 1))
    }

    /// Appends the entries of the row, in the order of their coordinates.
    fn gather(&mut self, assembler: &Assembler<'_>, workspace: Workspace, row: &Row) {
        let Some((start, last)) = self.row_start(assembler) else { return };
        let touched = self.b.var(workspace.touched);
        let end = self.b.add(start, touched);
        if assembler.purpose == Purpose::Fill {
            let range = [start, end].map(|at| self.capped(assembler, at));
            self.touched_in_order(assembler, workspace, row, range);
            self.copy_out(assembler, workspace, last, range);
        }
        if let Some(Table { fullest, .. }) = workspace.table {
            let so_far = self.b.var(fullest);
            let value = self.b.binary(Binary::Max, so_far, touched);
            self.b.push(Stmt::Assign { var: fullest, value });
        }
        self.b.open();
        self.say_found();
        let marks = self.b.close();
        if !marks.is_empty() {
            let zero = self.b.index(0);
            let cond = self.b.binary(Binary::Lt, zero, touched);
            self.b.push(Stmt::If { cond, then: marks, other: Vec::new() });
        }
        if let Some(counter) = assembler.head().and_then(|head| assembler.counter(head)) {
            self.b.push(Stmt::Assign { var: counter, value: end });
        }
    }

    /// Brings the touched coordinates into order.
    fn touched_in_order(&mut self, assembler: &Assembler<'_>, workspace: Workspace, row: &Row, range: [ExprId; 2]) {
        let array = self.parameters.array(&mut self.b, ArrayBinding::ResultCoordinates(row.lvl));
        if workspace.table.is_some() {
            return self.b.sort(array, range[0], range[1]);
        }
        let (length, size) = (self.b.var(workspace.touched), self.extent(row.var));
        let most = self.is_capped(assembler).then_some(range[1]);
        self.in_order(List { array, range, length, size, most }, &mut |this, at| {
            let place = this.place_in(workspace, at);
            let (stamp, number) = (this.b.load(workspace.stamps, place), this.b.var(workspace.row));
            this.b.binary(Binary::Eq, stamp, number)
        });
    }

    /// The values of the row, and the coordinates that its tuples share.
    fn copy_out(&mut self, assembler: &Assembler<'_>, workspace: Workspace, last: usize, range: [ExprId; 2]) {
        let Some(head) = assembler.head() else { return };
        let array =
            self.parameters.array(&mut self.b, ArrayBinding::ResultCoordinates(assembler.assembly.rows[last].lvl));
        let var = self.b.local("at", Type::Index);
        let at = self.b.var(var);
        self.for_loop(var, range, ForKind::Serial, |this| {
            for row in head..last {
                let coordinate = this.coordinate(assembler.assembly.rows[row].var);
                this.store_coordinate(assembler, row, at, coordinate);
            }
            let (coordinate, values) = (this.b.load(array, at), this.workspace_values());
            let place = this.place_of(workspace, coordinate);
            let value = this.b.load(values, place);
            this.store_value(assembler, at, Some(value));
        });
    }

    /// A dense last row is its own workspace.
    fn added_in_place(&mut self, assembler: &Assembler<'_>, row: &Row, expr: &Expr, parent: ExprId) {
        let fills = assembler.purpose == Purpose::Fill;
        for term in entry_terms(&self.plan.combine, expr) {
            self.term_loops(&term, row.var, &mut |this, expr| {
                this.where_met(expr, fills, &mut |this, value| {
                    this.say_found();
                    value.into_iter().for_each(|value| this.add_in_place((row, parent), &term, value));
                });
            });
        }
    }

    fn add_in_place(&mut self, (row, parent): (&Row, ExprId), term: &Term, value: ExprId) {
        let (size, coordinate) = (self.extent(row.var), self.coordinate(row.var));
        let first = self.b.mul(parent, size);
        let at = self.b.add(first, coordinate);
        let array = self.result_array();
        let before = self.b.load(array, at);
        let sum = self.taken_in(Some(before), term.negated, TermValue { value, guard: None });
        self.b.store(array, at, sum);
    }

    /// The end of a part that is reported: no position, if its table was too small.
    pub(super) fn end_if_roomy(&mut self, assembler: &Assembler<'_>, end: ExprId) -> ExprId {
        let Some(Table { slots, fullest, .. }) = assembler.workspace.and_then(|workspace| workspace.table) else {
            return end;
        };
        let (fullest, full) = (self.b.var(fullest), self.b.index(FULL));
        let is_roomy = self.b.binary(Binary::Lt, fullest, slots);
        self.b.select(is_roomy, end, full)
    }

    fn workspace_values(&mut self) -> ArrayId {
        self.parameters.array(&mut self.b, ArrayBinding::Workspace)
    }
}

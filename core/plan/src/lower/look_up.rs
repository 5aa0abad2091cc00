//! Operands that are looked up at the current coordinates, not walked: a branch tests whether there is an entry.

use super::{Lowerer, access::affine, merge::Body};
use crate::iterate::{OperandId, find, zero};
use nnz_base::ids::{Dim, Lvl};
use nnz_kernel::{Access, Expr};
use nnz_loops::{ExprId, Stmt};

impl<'k> Lowerer<'k> {
    /// Runs `body` with `expr` simplified at the current loops, after looking up all levels whose coordinates are
    /// known.
    pub(super) fn look_up(&mut self, expr: &Expr, body: Body<'_, 'k>) {
        if self.is_too_long() {
            return;
        }
        let Some(id) = self.next_to_look_up(expr) else { return body(self, expr) };
        let cursors = self.cursors.clone();
        let (lvl, parent) = (self.next_level(id), self.cursor(id).place);
        let coordinate = self.level_coordinate(id, lvl);
        let step = self.level(id, lvl).locate(&mut self.b, parent, coordinate);
        self.enter(id, step, coordinate);
        match step.present {
            None => self.look_up(expr, body),
            Some(found) => self.there_or_not(id, found, expr, body),
        }
        self.cursors = cursors;
    }

    /// The next operand to look up. Operands whose place is computed come first, so that no search is made where they
    /// are absent.
    fn next_to_look_up(&self, expr: &Expr) -> Option<OperandId> {
        let found = expr.accesses().into_iter().filter_map(|access| find(&self.plan.operands, access));
        let known = |id: &OperandId| {
            let (operand, lvl) = (self.operand(*id), self.next_level(*id));
            let bound = || operand.level_vars(lvl).iter().all(|var| self.coordinates.contains_key(var));
            Some(*id) != self.leader && operand.looks_up(lvl) && bound()
        };
        let computed = |id: &OperandId| self.operand(*id).encoding.format(self.next_level(*id)).has_every_place();
        found.filter(known).min_by_key(|id| !computed(id))
    }

    /// The level's coordinate at the current loops.
    fn level_coordinate(&mut self, id: OperandId, lvl: Lvl) -> ExprId {
        let operand = &self.plan.operands[id.index()];
        let values: Vec<ExprId> = operand.indices.iter().map(|var| self.coordinate(*var)).collect();
        affine(&mut self.b, &operand.encoding.levels()[lvl.index()].expr, &|dim: Dim| values.get(dim.index()).copied())
    }

    /// A branch for the case that the operand has an entry, and one for the case that it has none. Either may be empty.
    fn there_or_not(&mut self, id: OperandId, found: ExprId, expr: &Expr, body: Body<'_, 'k>) {
        let then = self.branch(expr, &|_| false, body);
        let operand = &self.plan.operands[id.index()];
        let other = self.branch(expr, &|access| operand.is(access), body);
        if !then.is_empty() || !other.is_empty() {
            self.b.push(Stmt::If { cond: found, then, other });
        }
    }

    fn branch(&mut self, expr: &Expr, absent: &dyn Fn(&Access) -> bool, body: Body<'_, 'k>) -> Vec<Stmt> {
        let open = |access: &Access| find(&self.plan.operands, access).is_some_and(|id| self.is_open(id, 0));
        let left = zero::simplify_open(self.kernel, expr, absent, &open);
        let cursors = self.cursors.clone();
        self.b.open();
        if let Some(left) = left {
            self.look_up(&left, body);
        }
        self.cursors = cursors;
        self.b.close()
    }

    /// Whether later loops decide if the operand has an entry, once `entered` more of its levels are entered.
    pub(super) fn is_open(&self, id: OperandId, entered: usize) -> bool {
        Some(id) != self.leader && self.operand(id).has_partial_level_from(self.next_level(id).index() + entered)
    }
}

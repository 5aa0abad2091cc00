//! What the statements of a loop touch, for proofs that its iterations are independent.

use std::collections::{BTreeSet, HashSet};

use nnz_loops::{ArrayId, Builder, Expr, ExprId, Stmt, VarId, visit};

/// What a block does to arrays and variables.
#[derive(Default)]
pub(super) struct Accesses {
    pub(super) written: BTreeSet<ArrayId>,
    /// Arrays with accesses whose places are not known to be distinct, for example a sort of a segment.
    pub(super) unplaced: BTreeSet<ArrayId>,
    /// Where each array is written or read.
    pub(super) places: Vec<(ArrayId, ExprId)>,
    pub(super) assigned: HashSet<VarId>,
    pub(super) declared: HashSet<VarId>,
    seen: HashSet<ExprId>,
}

impl Accesses {
    pub(super) fn of(b: &Builder, block: &[Stmt]) -> Accesses {
        let mut accesses = Accesses::default();
        visit::each(block, &mut |stmt| accesses.stmt(b, stmt));
        accesses
    }

    fn stmt(&mut self, b: &Builder, stmt: &Stmt) {
        match stmt {
            Stmt::Assign { var, .. } => drop(self.assigned.insert(*var)),
            Stmt::Store { array, index, .. } => self.places.push((*array, *index)),
            Stmt::Let { .. } | Stmt::Mut { .. } | Stmt::For { .. } | Stmt::While { .. } | Stmt::If { .. } => {}
            Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Alloc { .. } | Stmt::Comment(_) => {}
            Stmt::Sort { .. }
            | Stmt::LoadVector { .. }
            | Stmt::StoreVector { .. }
            | Stmt::Atomic { .. }
            | Stmt::Copy { .. } => {
                self.unplaced.extend(stmt.inspected().iter().chain(stmt.changed()));
            }
            Stmt::Launch(launch) => self.unplaced.extend(&launch.arrays),
        }
        self.declared.extend(stmt.declared());
        self.written.extend(stmt.changed());
        stmt.exprs().into_iter().for_each(|expr| self.expr(b, expr));
    }

    fn expr(&mut self, b: &Builder, id: ExprId) {
        let Some(expr) = b.get(id).filter(|_| self.seen.insert(id)) else { return };
        if let Expr::Load { array, index } = expr {
            self.places.push((*array, *index));
        }
        expr.operands().into_iter().for_each(|operand| self.expr(b, operand));
    }
}

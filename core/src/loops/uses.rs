//! Which variables and arrays statements look at and change.

use std::collections::{BTreeSet, HashSet};

use super::{ArrayId, Expr, ExprId, Function, Stmt, VarId, verify::operands};

/// What statements do with its variables and arrays.
#[derive(Default)]
pub struct Uses {
    /// Variables whose value is asked for.
    pub read: BTreeSet<VarId>,
    /// Variables that are assigned.
    pub changing: BTreeSet<VarId>,
    pub loaded: BTreeSet<ArrayId>,
    /// Those of which entries are sorted too.
    pub stored: BTreeSet<ArrayId>,
    seen: HashSet<ExprId>,
}

impl Uses {
    /// Of `body`, which is the function's or a part of it.
    pub fn of(function: &Function, body: &[Stmt]) -> Uses {
        let mut uses = Uses::default();
        uses.block(function, body);
        uses
    }

    /// Of one expression.
    pub fn of_expr(function: &Function, expr: ExprId) -> Uses {
        let mut uses = Uses::default();
        uses.expr(function, expr);
        uses
    }

    fn block(&mut self, function: &Function, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.stmt(function, stmt));
    }

    fn stmt(&mut self, function: &Function, stmt: &Stmt) {
        match stmt {
            Stmt::Let { value, .. } => self.expr(function, *value),
            Stmt::Mut { var, value } | Stmt::Assign { var, value } => {
                self.changing.insert(*var);
                self.expr(function, *value);
            }
            Stmt::Store { array, index: a, value: b } | Stmt::Sort { array, lo: a, hi: b } => {
                self.stored.insert(*array);
                self.expr(function, *a);
                self.expr(function, *b);
            }
            Stmt::For { lo, hi, body, .. } => {
                self.expr(function, *lo);
                self.expr(function, *hi);
                self.block(function, body);
            }
            Stmt::While { cond, body } => {
                self.expr(function, *cond);
                self.block(function, body);
            }
            Stmt::If { cond, then, other } => {
                self.expr(function, *cond);
                self.block(function, then);
                self.block(function, other);
            }
            Stmt::Comment(_) => {}
        }
    }

    fn expr(&mut self, function: &Function, id: ExprId) {
        if !self.seen.insert(id) {
            return;
        }
        let expr = function.expr(id);
        match expr {
            Expr::Var(var) => drop(self.read.insert(*var)),
            Expr::Load { array, .. } => drop(self.loaded.insert(*array)),
            _ => {}
        }
        operands(expr).into_iter().for_each(|operand| self.expr(function, operand));
    }
}

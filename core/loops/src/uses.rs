//! The variables and arrays that statements read and change.

use std::collections::{BTreeSet, HashSet};

use super::{ArrayId, ExprId, Function, Stmt, VarId, visit};

/// The uses of variables and arrays in statements.
#[derive(Default)]
pub struct Uses {
    /// Variables whose value is read.
    pub read: BTreeSet<VarId>,
    /// Variables that are assigned.
    pub changing: BTreeSet<VarId>,
    pub loaded: BTreeSet<ArrayId>,
    /// Including those whose entries are sorted.
    pub stored: BTreeSet<ArrayId>,
    seen: HashSet<ExprId>,
}

impl Uses {
    /// Of `body`, which is the function's or a part of it.
    pub fn of(function: &Function, body: &[Stmt]) -> Uses {
        let mut uses = Uses::default();
        visit::each(body, &mut |stmt| uses.stmt(function, stmt));
        uses
    }

    /// Of one expression.
    pub(crate) fn of_expr(function: &Function, expr: ExprId) -> Uses {
        let mut uses = Uses::default();
        uses.expr(function, expr);
        uses
    }

    fn stmt(&mut self, function: &Function, stmt: &Stmt) {
        if let Stmt::Mut { var, .. } | Stmt::Assign { var, .. } = stmt {
            self.changing.insert(*var);
        }
        self.stored.extend(stmt.changed());
        self.loaded.extend(stmt.inspected());
        if let Stmt::Alloc { array } = stmt {
            function.array(*array).len.into_iter().for_each(|len| self.expr(function, len));
        }
        stmt.exprs().into_iter().for_each(|expr| self.expr(function, expr));
    }

    fn expr(&mut self, function: &Function, id: ExprId) {
        if !self.seen.insert(id) {
            return;
        }
        let expr = function.expr(id);
        self.read.extend(expr.var());
        self.loaded.extend(expr.array());
        expr.operands().into_iter().for_each(|operand| self.expr(function, operand));
    }
}

/// For every expression, whether it contains a load. Such an expression may be evaluated only where the program does
/// so: elsewhere its index may lie outside the array.
pub fn reading(function: &Function) -> Vec<bool> {
    let mut reads: Vec<bool> = Vec::with_capacity(function.exprs.len());
    for expr in &function.exprs {
        // Operands come before what uses them.
        let of_operands = expr.operands().into_iter().any(|id| reads.get(id.index()).copied().unwrap_or(true));
        reads.push(of_operands || expr.array().is_some());
    }
    reads
}

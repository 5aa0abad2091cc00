//! Finished functions, to be changed.

use super::{Builder, FIRST_LOCAL};
use crate::loops::{Expr, ExprId, Function, Stmt, VarId};

impl Builder {
    /// A function to be changed: a builder that knows its parameters, and its body. Variables keep no
    /// numbers: `tracked` get those that theirs have in the builder.
    pub fn reopen<'v>(function: &Function, tracked: impl Iterator<Item = &'v mut VarId>) -> (Builder, Vec<Stmt>) {
        let (params, locals) = function.vars.split_at(function.scalar_params.min(function.vars.len()));
        let names = function.arrays.iter().map(|array| &array.name).chain(function.vars.iter().map(|var| &var.name));
        let mut builder = Builder {
            arrays: function.arrays.clone(),
            params: params.to_vec(),
            locals: locals.to_vec(),
            names: names.cloned().collect(),
            ..Builder::new(&function.name)
        };
        let opener = Opener { first_local: params.len() };
        for expr in &function.exprs {
            builder.exprs.push(opener.expr(expr));
        }
        for (at, expr) in builder.exprs.iter().enumerate() {
            builder.interned.entry(format!("{expr:?}")).or_insert(ExprId::new(at));
        }
        tracked.for_each(|var| *var = opener.var(*var));
        (builder, opener.block(&function.body))
    }
}

/// Renumbers the variables of a finished function for a builder; expressions keep their numbers.
struct Opener {
    first_local: usize,
}

impl Opener {
    fn var(&self, var: VarId) -> VarId {
        match var.index().checked_sub(self.first_local) {
            Some(local) => VarId(FIRST_LOCAL + local as u32),
            None => var,
        }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Var(var) => Expr::Var(self.var(*var)),
            other => other.clone(),
        }
    }

    fn block(&self, block: &[Stmt]) -> Vec<Stmt> {
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::Let { var, value } => Stmt::Let { var: self.var(*var), value: *value },
            Stmt::Mut { var, value } => Stmt::Mut { var: self.var(*var), value: *value },
            Stmt::Assign { var, value } => Stmt::Assign { var: self.var(*var), value: *value },
            Stmt::For { var, lo, hi, kind, body } => {
                Stmt::For { var: self.var(*var), lo: *lo, hi: *hi, kind: *kind, body: self.block(body) }
            }
            Stmt::While { cond, body } => Stmt::While { cond: *cond, body: self.block(body) },
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: *cond, then: self.block(then), other: self.block(other) }
            }
            Stmt::Store { .. } | Stmt::Sort { .. } | Stmt::Comment(_) => stmt.clone(),
        }
    }
}

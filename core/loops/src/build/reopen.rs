//! Reopens finished functions for changes.

use super::{Builder, FIRST_LOCAL};
use crate::{Expr, ExprId, Function, Map, Stmt, VarId};

impl Builder {
    /// Reopens a function: a builder with its parameters, and its body. Variables are renumbered; `tracked`
    /// are updated to their numbers in the builder.
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
        let mut opener = Opener { first_local: params.len() };
        for expr in &function.exprs {
            builder.exprs.push(match expr {
                Expr::Var(var) => Expr::Var(opener.renumbered(*var)),
                other => other.clone(),
            });
        }
        for (at, expr) in builder.exprs.iter().enumerate() {
            builder.interned.entry(format!("{expr:?}")).or_insert(ExprId::new(at));
        }
        tracked.for_each(|var| *var = opener.renumbered(*var));
        (builder, opener.block(&function.body))
    }
}

/// Renumbers the variables of a finished function for a builder; expressions keep their numbers.
struct Opener {
    first_local: usize,
}

impl Opener {
    fn renumbered(&self, var: VarId) -> VarId {
        match var.index().checked_sub(self.first_local) {
            Some(local) => VarId(FIRST_LOCAL + local as u32),
            None => var,
        }
    }
}

impl Map for Opener {
    fn var(&mut self, var: VarId) -> VarId {
        self.renumbered(var)
    }
}

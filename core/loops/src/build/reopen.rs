//! Reopens finished functions for changes.

use super::{Builder, FIRST_LOCAL};
use crate::{ArrayId, ExprId, Function, Map, Stmt, VarId, key::ExprKey};

impl Builder {
    /// Reopens a function: a builder with its parameters, and its body. Variables are renumbered; `tracked`
    /// are updated to their numbers in the builder.
    pub fn reopen<'v>(function: &Function, tracked: impl Iterator<Item = &'v mut VarId>) -> (Builder, Vec<Stmt>) {
        let (params, locals) = function.vars.split_at(function.scalar_params.min(function.vars.len()));
        let (arrays, allocated) = function.arrays.split_at(function.array_params.min(function.arrays.len()));
        let names = function.arrays.iter().map(|array| &array.name).chain(function.vars.iter().map(|var| &var.name));
        let mut builder = Builder {
            arrays: arrays.to_vec(),
            allocated: allocated.to_vec(),
            params: params.to_vec(),
            locals: locals.to_vec(),
            names: names.cloned().collect(),
            ..Builder::new(&function.name)
        };
        let mut opener = Opener { first_local: params.len(), first_allocated: arrays.len() };
        builder.exprs.extend(function.exprs.iter().map(|expr| expr.map(&mut opener)));
        for (at, expr) in builder.exprs.iter().enumerate() {
            builder.interned.entry(ExprKey(expr.clone())).or_insert(ExprId::new(at));
        }
        tracked.for_each(|var| *var = opener.renumbered(*var));
        (builder, opener.block(&function.body))
    }
}

/// Renumbers the variables and allocated arrays of a finished function for a builder; expressions keep their numbers.
struct Opener {
    first_local: usize,
    first_allocated: usize,
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

    fn array(&mut self, array: ArrayId) -> ArrayId {
        match array.index().checked_sub(self.first_allocated) {
            Some(allocated) => ArrayId(FIRST_LOCAL + allocated as u32),
            None => array,
        }
    }
}

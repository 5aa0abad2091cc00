//! Positions and coordinates are read as far outside as what finds them is known.
//!
//! They are certain to be there: an access that needs a guard stays where it is.

use std::collections::HashMap;

use nnz_loops::{Expr, ExprId, Stmt, Type, VarId};
use nnz_tir::model::BufferId;

use super::Emission;

/// The loops around, outermost first.
#[derive(Default)]
pub(super) struct Around {
    loops: Vec<Open>,
}

/// A loop whose body is being made.
struct Open {
    variable: VarId,
    /// What its body begins with.
    first: Vec<Stmt>,
    /// The variables of that, by what they are.
    known: HashMap<ExprId, VarId>,
}

impl Around {
    pub(super) fn depth(&self) -> usize {
        self.loops.len()
    }
    pub(super) fn open(&mut self, variable: VarId) {
        self.loops.push(Open { variable, first: Vec::new(), known: HashMap::new() });
    }
    /// The body with what it begins with.
    pub(super) fn close(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let first = self.loops.pop().map(|open| open.first).unwrap_or_default();
        first.into_iter().chain(body).collect()
    }
    /// How many loops around there are where a variable has its value.
    fn depth_of(&self, variable: VarId) -> Option<usize> {
        let is_it = |open: &Open| open.variable == variable || open.known.values().any(|known| *known == variable);
        self.loops.iter().position(is_it).map(|at| at + 1)
    }
}

impl Emission<'_> {
    /// The loaded number, as a variable of an outer loop if an inner one does not change it.
    pub(super) fn hoisted(&mut self, load: ExprId, from: BufferId, relied: Option<usize>) -> ExprId {
        // It stays within the condition that it needs.
        let within = relied.unwrap_or(0);
        let is_inner = |depth: &usize| *depth > within && *depth < self.around.depth();
        let Some(depth) = self.depth_of(load).filter(is_inner) else {
            return load;
        };
        if let Some(known) = self.around.loops[depth - 1].known.get(&load) {
            let known = *known;
            return self.b.var(known);
        }
        let name = self.function.buffer(from).name.trim_end_matches("_data").to_lowercase();
        let var = self.b.local(&name, Type::Index);
        let open = &mut self.around.loops[depth - 1];
        open.first.push(Stmt::Let { var, value: load });
        open.known.insert(load, var);
        self.b.var(var)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "all others depend on what their operands do")]
    /// The number of loops around what an expression depends on; `None` if it depends on what statements define.
    fn depth_of(&self, expr: ExprId) -> Option<usize> {
        match *self.b.get(expr)? {
            Expr::Var(var) if self.b.is_param(var) => Some(0),
            Expr::Var(var) => self.around.depth_of(var),
            ref other => other
                .operands()
                .into_iter()
                .try_fold(0, |depth, operand| self.depth_of(operand).map(|own| depth.max(own))),
        }
    }
}

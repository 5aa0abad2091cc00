//! Variables: where they are declared, used and assigned.

use super::{LoopError, Verifier};
use crate::{ExprId, Type, VarId};

/// A variable in scope.
#[derive(Clone, Copy)]
pub(super) struct Local {
    var: VarId,
    assignable: Assignable,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Assignable {
    No,
    Yes,
    /// Declared outside the parallel loop that is being checked.
    OutsideParallel,
}

/// The expressions that a walk has been at: those that have its number.
#[derive(Default)]
pub(super) struct Seen {
    walk: u32,
    by: Vec<u32>,
}

impl Seen {
    /// Starts another walk over `count` expressions.
    pub(super) fn start(&mut self, count: usize) {
        self.walk += 1;
        self.by.resize(count, 0);
    }
    /// Whether the walk has not been at `id` before; of one that there is not, no.
    pub(super) fn is_new(&mut self, id: ExprId) -> bool {
        let walk = self.walk;
        self.by.get_mut(id.index()).is_some_and(|by| std::mem::replace(by, walk) != walk)
    }
}

impl Verifier<'_> {
    pub(super) fn check_declaration(&mut self, id: VarId, value: ExprId, assignable: Assignable) {
        match self.var(id) {
            Some(var) => self.check_use(value, &var.name, var.ty),
            None => self.errors.push(LoopError::NoVar(id)),
        }
        self.declare(id, assignable);
    }

    pub(super) fn declare(&mut self, var: VarId, assignable: Assignable) {
        if !self.declared.insert(var)
            && let Some(var) = self.var(var)
        {
            self.errors.push(LoopError::Redeclared(var.name.clone()));
        }
        self.scope.push(Local { var, assignable });
    }

    pub(super) fn check_assign(&mut self, id: VarId, value: ExprId) {
        let Some(var) = self.var(id) else { return self.errors.push(LoopError::NoVar(id)) };
        let local = self.scope.iter().find(|local| local.var == id).map(|local| local.assignable);
        match local {
            Some(Assignable::Yes) => {}
            Some(Assignable::OutsideParallel) => self.errors.push(LoopError::SharedAssign(var.name.clone())),
            Some(Assignable::No) | None => self.errors.push(LoopError::NotAssignable(var.name.clone())),
        }
        self.check_use(value, &var.name, var.ty);
    }

    /// What is declared so far can no longer be assigned.
    pub(super) fn share_variables(&mut self) {
        for local in &mut self.scope {
            if local.assignable == Assignable::Yes {
                local.assignable = Assignable::OutsideParallel;
            }
        }
    }

    /// Checks that `id` is an expression of type `expected` over variables in scope.
    pub(super) fn check_use(&mut self, id: ExprId, name: &str, expected: Type) {
        if id.index() >= self.function.exprs.len() {
            return self.errors.push(LoopError::NoExpr(id));
        }
        if let Some(found) = self.operand_type(id).filter(|found| *found != expected) {
            self.errors.push(LoopError::WrongType { name: name.to_string(), expected, found });
        }
        self.check_scope(id);
    }

    fn check_scope(&mut self, root: ExprId) {
        let mut pending = vec![root];
        self.seen.start(self.function.exprs.len());
        while let Some(id) = pending.pop() {
            let Some(expr) = self.function.exprs.get(id.index()).filter(|_| self.seen.is_new(id)) else { continue };
            if let Some(array) = expr.array() {
                self.check_allocated(array);
            }
            if let Some(var) = expr.var()
                && !self.scope.iter().any(|local| local.var == var)
            {
                let name = self.var(var).map_or(var.to_string(), |var| var.name.clone());
                self.errors.push(LoopError::OutOfScope(name));
            }
            pending.extend(expr.operands());
        }
    }
}

//! Statements: control flow, variables, stores.

use std::collections::HashMap;

use inkwell::{
    IntPredicate,
    basic_block::BasicBlock,
    values::{InstructionValue, IntValue},
};

use super::{
    emit::{Emitted, Emitter, Slot},
    failure, hints,
    symbols::Symbol,
    types::Parts,
};
use nnz_loops::{ArrayId, ArrayType, ExprId, Stmt, VarId};

/// `for var in lo..hi`, its bounds evaluated.
#[derive(Clone, Copy)]
pub(super) struct Range<'c> {
    pub(super) var: VarId,
    pub(super) lo: IntValue<'c>,
    pub(super) hi: IntValue<'c>,
}

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn statements(&mut self, body: &[Stmt]) -> Emitted<()> {
        body.iter().try_for_each(|stmt| self.statement(stmt))
    }

    pub(super) fn statement(&mut self, stmt: &Stmt) -> Emitted<()> {
        self.memo = vec![HashMap::new()];
        match stmt {
            Stmt::Let { var, value } => {
                let value = self.expr(*value)?;
                self.vars.insert(*var, Slot::Value(value));
                Ok(())
            }
            Stmt::Mut { var, value } => self.declare(*var, *value),
            Stmt::Assign { var, value } => self.assign(*var, *value),
            Stmt::Store { array, index, value } => self.store(*array, *index, *value),
            Stmt::Sort { array, lo, hi } => self.sort(*array, *lo, *hi),
            Stmt::For { var, lo, hi, kind, body } => {
                let range = Range { var: *var, lo: self.int_expr(*lo)?, hi: self.int_expr(*hi)? };
                self.unit.machine.for_loop(self, range, *kind, body)
            }
            Stmt::While { cond, body } => self.while_loop(*cond, body),
            Stmt::If { cond, then, other } => self.branch(*cond, then, other),
            Stmt::Comment(_) => Ok(()),
            Stmt::LoadVector { .. } | Stmt::StoreVector { .. } | Stmt::Atomic { .. } | Stmt::Alloc { .. } => {
                self.special(stmt)
            }
            Stmt::Barrier | Stmt::Shuffle { .. } | Stmt::Copy { .. } | Stmt::Launch(_) => self.special(stmt),
        }
    }

    fn special(&mut self, stmt: &Stmt) -> Emitted<()> {
        self.unit.machine.statement(self, stmt)
    }

    fn declare(&mut self, var: VarId, value: ExprId) -> Emitted<()> {
        let value = self.expr(value)?;
        let cells = match self.vars.get(&var) {
            // A declaration inside a loop gets the same cells each time round.
            Some(Slot::Cells(cells)) => cells.clone(),
            _ => self.cells(value.ty, &self.function().var(var).name)?,
        };
        self.set_cells(&cells, value)?;
        self.vars.insert(var, Slot::Cells(cells));
        Ok(())
    }

    fn assign(&mut self, var: VarId, value: ExprId) -> Emitted<()> {
        let value = self.expr(value)?;
        match self.vars.get(&var) {
            Some(Slot::Cells(cells)) => self.set_cells(cells, value),
            _ => Err(failure(format!("variable `{}` is assigned but not mutable", self.function().var(var).name))),
        }
    }

    fn store(&mut self, array: ArrayId, index: ExprId, value: ExprId) -> Emitted<()> {
        let index = self.int_expr(index)?;
        let value = self.expr(value)?;
        let address = self.entry_address(array, index)?;
        let memory = self.stored(self.function().array(array).ty, value)?;
        self.b.build_store(address, memory)?;
        Ok(())
    }

    fn sort(&mut self, array: ArrayId, lo: ExprId, hi: ExprId) -> Emitted<()> {
        let (lo, hi) = (self.int_expr(lo)?, self.int_expr(hi)?);
        let ArrayType::Indices(width) = self.function().array(array).ty else {
            return Err(failure("a sort of values"));
        };
        let callee = Symbol::Sort(width).declare(self.unit)?;
        self.b.build_call(callee, &[self.arrays[array.index()].into(), lo.into(), hi.into()], "")?;
        Ok(())
    }

    pub(super) fn int_expr(&mut self, id: ExprId) -> Emitted<IntValue<'c>> {
        match self.expr(id)?.parts {
            Parts::Int(value) => Ok(value),
            Parts::Float(_) | Parts::Complex(_) => Err(failure("an index or condition that is no integer")),
        }
    }

    pub(super) fn vector_for(&mut self, range: Range<'c>, body: &[Stmt]) -> Emitted<()> {
        let branch = self.serial_for(range, body)?;
        hints::vectorize(self.unit.cx, branch)
    }

    pub(super) fn rolled_for(&mut self, range: Range<'c>, body: &[Stmt]) -> Emitted<()> {
        hints::keep_copies(self.unit.cx, self.llvm);
        let branch = self.serial_for(range, body)?;
        hints::as_written(self.unit.cx, branch)
    }

    /// A loop with its body unchanged.
    pub(super) fn serial_for(&mut self, range: Range<'c>, body: &[Stmt]) -> Emitted<InstructionValue<'c>> {
        self.counted(range, 1, |this, counter| {
            this.vars.insert(range.var, Slot::index(counter));
            this.statements(body)
        })
    }

    /// A loop of `step` values at a time, which are known to come out even. A guard, then a loop tested at its end, by
    /// the branch that is given back: the shape that loop passes want, made at once.
    pub(super) fn counted(
        &mut self,
        range: Range<'c>,
        step: u64,
        body: impl FnOnce(&mut Self, IntValue<'c>) -> Emitted<()>,
    ) -> Emitted<InstructionValue<'c>> {
        let Range { var, lo, hi } = range;
        let name = &self.function().var(var).name;
        let (head, exit) = (self.block(name), self.block("done"));
        let before = self.here()?;
        let any = self.b.build_int_compare(IntPredicate::SLT, lo, hi, "")?;
        self.b.build_conditional_branch(any, head, exit)?;
        self.b.position_at_end(head);
        let phi = self.b.build_phi(self.types().index(), name)?;
        let counter = phi.as_basic_value().into_int_value();
        body(self, counter)?;
        // No overflow: the counter is below `hi`.
        let next = self.b.build_int_nsw_add(counter, self.types().index().const_int(step, false), "")?;
        let more = self.b.build_int_compare(IntPredicate::SLT, next, hi, "")?;
        phi.add_incoming(&[(&lo, before), (&next, self.here()?)]);
        let branch = self.b.build_conditional_branch(more, head, exit)?;
        self.b.position_at_end(exit);
        Ok(branch)
    }

    fn while_loop(&mut self, cond: ExprId, body: &[Stmt]) -> Emitted<()> {
        let (head, inside, exit) = (self.block("while"), self.block("do"), self.block("done"));
        self.b.build_unconditional_branch(head)?;
        self.b.position_at_end(head);
        let cond = self.int_expr(cond)?;
        self.b.build_conditional_branch(cond, inside, exit)?;
        self.arm(inside, body, head)?;
        self.b.position_at_end(exit);
        Ok(())
    }

    fn branch(&mut self, cond: ExprId, then: &[Stmt], other: &[Stmt]) -> Emitted<()> {
        let cond = self.int_expr(cond)?;
        let (yes, no, after) = (self.block("then"), self.block("else"), self.block("after"));
        self.b.build_conditional_branch(cond, yes, no)?;
        self.arm(yes, then, after)?;
        self.arm(no, other, after)?;
        self.b.position_at_end(after);
        Ok(())
    }

    /// Fills `block` with `body` and a branch to `next`.
    fn arm(&mut self, block: BasicBlock<'c>, body: &[Stmt], next: BasicBlock<'c>) -> Emitted<()> {
        self.b.position_at_end(block);
        self.statements(body)?;
        self.b.build_unconditional_branch(next)?;
        Ok(())
    }
}

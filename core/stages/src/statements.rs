//! Statements.

use nnz_base::{element::Scalar, source::Span};
use nnz_tir::model::{
    Access, Block, BlockVariableKind, BufferId, Expr, Loop, Origin, Statement, StatementKind, VariableId,
};

use crate::{
    fault::{Done, assertion, failed, unread},
    machine::Machine,
};

impl<'f> Machine<'f> {
    pub(crate) fn statements(&mut self, statements: &'f [Statement]) -> Done<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'f Statement) -> Done<()> {
        let place = statement.place.0;
        self.step(place)?;
        match &statement.kind {
            StatementKind::Iteration(iteration) => self.iteration(iteration, place),
            StatementKind::Block(block) => self.block(block),
            StatementKind::Loop(one) => self.count(one),
            StatementKind::While(condition, body) => self.repeat(condition, body, place),
            StatementKind::If { condition, then, otherwise } => {
                let holds = self.holds(condition)?;
                self.statements(if holds { then } else { otherwise })
            }
            StatementKind::Store(target, value) => self.store(target, value),
            StatementKind::Let(variable, value) => {
                let value = self.value(value)?;
                self.set(*variable, value);
                Ok(())
            }
            StatementKind::Evaluate(value) => self.value(value).map(|_| ()),
            StatementKind::Assert(condition, message) => self.assert(condition, message),
            StatementKind::Allocate(buffer) => self.allocate(*buffer, place),
            StatementKind::Domain(..) => Ok(()),
            StatementKind::Intrinsic(intrinsic) => {
                let told =
                    unread(place, format!("`T.{}` does not run here", intrinsic.name)).label("an intrinsic of a GPU");
                Err(Box::new(told.help("write what it computes as statements")))
            }
        }
    }

    fn set(&mut self, variable: VariableId, value: Scalar) {
        self.scalars[variable.index()] = Some(value);
    }

    fn store(&mut self, target: &'f Access, value: &'f Expr) -> Done<()> {
        let value = self.value(value)?;
        let Some(place) = self.place(target)? else { return Ok(()) };
        let memory = self.memory[target.buffer.index()].as_mut().filter(|memory| place < memory.len());
        match memory {
            Some(memory) => {
                memory.set(place, value);
                Ok(())
            }
            None => {
                let name = &self.function.buffer(target.buffer).name;
                Err(Box::new(
                    failed(target.place.0, format!("`{name}` has no such element")).label("outside, or not allocated"),
                ))
            }
        }
    }

    fn allocate(&mut self, buffer: BufferId, place: Span) -> Done<()> {
        let declared = self.function.buffer(buffer);
        if declared.origin != Origin::Allocated {
            let told =
                unread(place, format!("`{}` is a part of another buffer", declared.name)).label("does not run yet");
            return Err(Box::new(told.help("use the elements of the other buffer")));
        }
        self.memory[buffer.index()] = Some(self.zeros(declared)?);
        Ok(())
    }

    fn assert(&mut self, condition: &'f Expr, message: &str) -> Done<()> {
        if self.holds(condition)? {
            return Ok(());
        }
        Err(assertion(condition, message))
    }

    fn whole(&mut self, expr: &'f Expr) -> Done<i128> {
        match self.value(expr)? {
            Scalar::Int(value) => Ok(value),
            Scalar::Float(_) | Scalar::Complex(_) => Err(Box::new(failed(expr.place.0, "a bound is no whole number"))),
        }
    }

    fn count(&mut self, one: &'f Loop) -> Done<()> {
        let (start, end) = (self.whole(&one.start)?, self.whole(&one.end)?);
        for value in start..end {
            self.set(one.variable, Scalar::Int(value));
            self.step(one.end.place.0)?;
            self.statements(&one.body)?;
        }
        Ok(())
    }

    fn repeat(&mut self, condition: &'f Expr, body: &'f [Statement], place: Span) -> Done<()> {
        while self.holds(condition)? {
            self.step(place)?;
            self.statements(body)?;
        }
        Ok(())
    }

    /// The initialization runs where every reduction of the block is at its start.
    fn block(&mut self, block: &'f Block) -> Done<()> {
        let mut first = true;
        for one in &block.variables {
            let (start, value) = (self.whole(&one.start)?, self.whole(&one.value)?);
            self.set(one.variable, Scalar::Int(value));
            first &= one.kind != BlockVariableKind::Reduce || value == start;
        }
        if let Some(predicate) = &block.predicate
            && !self.holds(predicate)?
        {
            return Ok(());
        }
        if first {
            self.statements(&block.init)?;
        }
        self.statements(&block.body)
    }
}

//! Statements.

use nnz_loops::{Binary as Op, ExprId, Stmt, Type};
use nnz_tir::model::{
    Access, Binary, Block, BlockVariable, BlockVariableKind, Expr, ExprKind, Place, Role, Statement, StatementKind,
    VariableId,
};

use super::{
    Emission, Holds, Made,
    arrays::form_of,
    faults::Site,
    scope::{Form, Known},
    uncompiled,
};

impl<'f> Emission<'f> {
    pub(super) fn statements(&mut self, statements: &'f [Statement]) -> Made<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'f Statement) -> Made<()> {
        let place = statement.place;
        if !matches!(statement.kind, StatementKind::Block(_) | StatementKind::Loop(_) | StatementKind::Domain(..)) {
            self.interrupt();
        }
        match &statement.kind {
            StatementKind::Iteration(_) => uncompiled(place.0, "it has a sparse iteration"),
            StatementKind::Block(block) => self.block(block),
            StatementKind::Loop(one) => self.count(one),
            StatementKind::While(condition, body) => self.repeat(condition, body, place),
            StatementKind::If { condition, then, otherwise } => {
                let cond = self.truth(condition)?;
                self.settle();
                let known = self.holds.len();
                self.suppose(condition);
                let then = self.body(then)?;
                self.holds.truncate(known);
                let other = self.body(otherwise)?;
                self.b.push(Stmt::If { cond, then, other });
                Ok(())
            }
            StatementKind::Store(target, value) => self.assign(target, value),
            StatementKind::Let(variable, value) => self.define(*variable, value),
            StatementKind::Evaluate(value) => {
                let form = form_of(value.element());
                self.in_form(value, form)?;
                self.settle();
                Ok(())
            }
            StatementKind::Assert(condition, message) => {
                let holds = self.truth(condition)?;
                self.guard(Site::Assert(condition.clone(), message.clone()), holds, Vec::new());
                self.settle();
                Ok(())
            }
            StatementKind::Allocate(buffer) => self.allocate(*buffer, place),
            StatementKind::Domain(..) => Ok(()),
            StatementKind::Intrinsic(intrinsic) => uncompiled(place.0, format!("it has `T.{}`", intrinsic.name)),
        }
    }

    /// The statements of a body, which stands somewhere else.
    pub(super) fn body(&mut self, statements: &'f [Statement]) -> Made<Vec<Stmt>> {
        self.opened(|this| this.statements(statements))
    }

    /// What a condition says of fixed numbers is known where it holds.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other conditions say nothing of indices")]
    fn suppose(&mut self, condition: &Expr) {
        match condition.kind() {
            ExprKind::Binary(Binary::And, one, other) => {
                self.suppose(one);
                self.suppose(other);
            }
            ExprKind::Binary(Binary::Less, one, other) if self.is_fixed(one) && self.is_fixed(other) => {
                let (below, end, depth) = (self.resolved(one), self.resolved(other), self.around.depth());
                self.holds.push(Holds { below, end, depth });
            }
            _ => {}
        }
    }

    /// What is made within another statement.
    fn opened(&mut self, make: impl FnOnce(&mut Self) -> Made<()>) -> Made<Vec<Stmt>> {
        self.b.open();
        self.inside += 1;
        let made = make(self);
        self.inside -= 1;
        let body = self.b.close();
        made.map(|()| body)
    }

    fn assign(&mut self, target: &'f Access, value: &'f Expr) -> Made<()> {
        let element = self.function.buffer(target.buffer).element;
        if value.element() != element {
            return uncompiled(value.place.0, "a value of another type is stored");
        }
        let form = self.form_of(target)?;
        let value = self.in_form(value, form)?;
        self.store(target, value)
    }

    fn define(&mut self, variable: VariableId, value: &'f Expr) -> Made<()> {
        let form = form_of(value.element());
        let meaning = Some(self.resolved(value)).filter(|value| self.is_fixed(value));
        // Conditions around are asked for anew where the variable is used.
        let holds = std::mem::take(&mut self.holds);
        let range = self.interval(value);
        self.holds = holds;
        let made = self.in_form(value, form)?;
        self.settle();
        let is_block = self.function.variable(variable).role == Role::Block;
        let stands_for_itself = is_block && meaning.is_some();
        let value = if stands_for_itself { made } else { self.named(variable, (made, form)) };
        self.scope.bind(variable, Known { value, form, range, meaning, end: None, segment: None });
        Ok(())
    }

    /// A value under the name of a variable; short ones stand for themselves.
    fn named(&mut self, variable: VariableId, (value, form): (ExprId, Form)) -> ExprId {
        let declared = self.function.variable(variable);
        if self.b.is_simple(value) && !self.is_changing(value) {
            return value;
        }
        let ty = match form {
            Form::Bool => Type::Bool,
            Form::Index => Type::Index,
            Form::Element => Type::Element(declared.element),
        };
        self.interrupt();
        let var = self.b.define(&declared.name, ty, value);
        self.b.var(var)
    }

    /// Whether a value is a variable that is assigned.
    fn is_changing(&self, value: ExprId) -> bool {
        let Some(nnz_loops::Expr::Var(var)) = self.b.get(value) else { return false };
        self.memory.iter().flatten().any(|memory| matches!(memory, super::Memory::Cell(cell, _) if cell == var))
    }

    fn block(&mut self, block: &'f Block) -> Made<()> {
        let mut first: Option<ExprId> = None;
        for one in &block.variables {
            let starts = self.block_variable(one)?;
            if let Some(starts) = starts {
                first = Some(first.map_or(starts, |before| self.b.binary(Op::And, before, starts)));
            }
        }
        let Some(predicate) = &block.predicate else { return self.block_body(block, first) };
        let cond = self.truth(predicate)?;
        self.settle();
        let known = self.holds.len();
        self.suppose(predicate);
        let then = self.opened(|this| this.block_body(block, first))?;
        self.holds.truncate(known);
        self.interrupt();
        self.b.push(Stmt::If { cond, then, other: Vec::new() });
        Ok(())
    }

    /// The initialization runs where every reduction of the block is at its start.
    fn block_body(&mut self, block: &'f Block, first: Option<ExprId>) -> Made<()> {
        match first.filter(|_| !block.init.is_empty()) {
            None => self.statements(&block.init)?,
            Some(cond) => {
                let then = self.body(&block.init)?;
                self.interrupt();
                self.b.push(Stmt::If { cond, then, other: Vec::new() });
            }
        }
        self.statements(&block.body)
    }

    /// Binds a variable of a block. Gives whether it is at its start, if it reduces.
    fn block_variable(&mut self, one: &'f BlockVariable) -> Made<Option<ExprId>> {
        if self.function.variable(one.variable).element != one.value.element() && !self.fits_variable(one) {
            return uncompiled(one.value.place.0, "a variable of a block is narrower than what it is bound to");
        }
        self.define(one.variable, &one.value)?;
        if one.kind != BlockVariableKind::Reduce {
            return Ok(None);
        }
        let start = self.index(&one.start)?;
        self.settle();
        let value = self.scope.get(one.variable).map(|known| known.value);
        Ok(value.map(|value| self.b.binary(Op::Eq, value, start)))
    }

    fn fits_variable(&self, one: &BlockVariable) -> bool {
        let element = self.function.variable(one.variable).element;
        self.interval(&one.value).is_within(super::ranges::Interval::of(element))
    }

    /// A loop without bounds ends after so many turns, and where something has gone wrong.
    fn repeat(&mut self, condition: &'f Expr, body: &'f [Statement], place: Place) -> Made<()> {
        let left = self.b.local("turns", Type::Index);
        let most = self.b.index(i64::try_from(self.turns).unwrap_or(i64::MAX));
        self.b.push(Stmt::Mut { var: left, value: most });
        let (value, zero, one) = (self.b.var(left), self.b.index(0), self.b.index(1));
        let (less, more) = (self.b.sub(value, one), self.b.binary(Op::Lt, zero, value));
        let turn = Stmt::Assign { var: left, value: less };
        let holds = self.truth(condition)?;
        match self.guards.is_empty() {
            true => self.while_plain(holds, more, (body, turn))?,
            false => self.while_guarded(holds, more, (body, turn))?,
        }
        self.guard(Site::Endless(place.0), more, Vec::new());
        self.settle();
        Ok(())
    }

    fn while_plain(&mut self, holds: ExprId, more: ExprId, (body, turn): (&'f [Statement], Stmt)) -> Made<()> {
        let faults = self.faults.count();
        let mut body = self.body(body)?;
        body.push(turn);
        let mut cond = self.b.binary(Op::And, more, holds);
        if self.faults.count() > faults {
            let fine = self.is_fine();
            cond = self.b.binary(Op::And, fine, cond);
        }
        self.b.push(Stmt::While { cond, body });
        Ok(())
    }

    /// The condition is computed within the loop, behind its guards.
    fn while_guarded(&mut self, holds: ExprId, more: ExprId, (body, turn): (&'f [Statement], Stmt)) -> Made<()> {
        let goes_on = self.b.local("goes_on", Type::Bool);
        let (yes, no) = (self.b.bool(true), self.b.bool(false));
        self.b.push(Stmt::Mut { var: goes_on, value: yes });
        let body = self.opened(|this| {
            this.settle();
            let fine = this.is_fine();
            let cond = this.b.binary(Op::And, fine, holds);
            let mut then = this.body(body)?;
            then.push(turn);
            this.b.push(Stmt::If { cond, then, other: vec![Stmt::Assign { var: goes_on, value: no }] });
            Ok(())
        })?;
        let again = self.b.var(goes_on);
        let cond = self.b.binary(Op::And, again, more);
        self.b.push(Stmt::While { cond, body });
        Ok(())
    }
}

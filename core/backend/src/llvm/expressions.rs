//! Expressions. Each is evaluated where the statement that uses it stands. An arm of a `select` (or of `and`
//! and `or`) that reads an array is evaluated only if it is chosen.

use std::collections::HashMap;

use inkwell::{basic_block::BasicBlock, values::IntValue};

use super::{
    emit::{Emitted, Emitter},
    failure,
    types::{Class, Parts, Typed, class, entry_type},
};
use nnz_base::element::{Element, Scalar};
use nnz_loops::{ArrayId, Binary, Expr, ExprId, Type, Unary};

impl<'c> Emitter<'_, 'c, '_> {
    pub(super) fn expr(&mut self, id: ExprId) -> Emitted<Typed<'c>> {
        if let Some(value) = self.memo.iter().find_map(|known| known.get(&id)) {
            return Ok(*value);
        }
        let value = self.evaluate(id)?;
        if let Some(innermost) = self.memo.last_mut() {
            innermost.insert(id, value);
        }
        Ok(value)
    }

    fn evaluate(&mut self, id: ExprId) -> Emitted<Typed<'c>> {
        match *self.function().expr(id) {
            Expr::Index(number) => Ok(Typed::index(self.types().index().const_int(number as u64, true))),
            Expr::Bool(value) => Ok(self.bool_constant(value)),
            Expr::Value(element, scalar) => self.constant(element, scalar),
            Expr::Var(var) => self.read_var(var),
            Expr::Load { array, index } => self.load(array, index),
            Expr::Unary(op, a) => {
                let a = self.expr(a)?;
                self.unary(op, a)
            }
            Expr::Binary(op @ (Binary::And | Binary::Or), a, b) if self.unit.reads_arrays(b) => {
                self.short_circuit(op, a, b)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(op, a, b)
            }
            Expr::Select { cond, then, other } => self.choose(cond, then, other),
            Expr::Cast { to, from } => {
                let from = self.expr(from)?;
                self.cast(to, from)
            }
        }
    }

    fn unary(&mut self, op: Unary, a: Typed<'c>) -> Emitted<Typed<'c>> {
        match (a.parts, a.class()) {
            (Parts::Int(value), Class::Int(int)) => self.int_unary(op, a.ty, int, value),
            (Parts::Float(value), Class::Float(float)) => self.float_unary(op, a.ty, float, value),
            (Parts::Complex(pair), _) => self.complex_unary(op, a.ty, pair),
            _ => self.ill_typed("registers of another type"),
        }
    }

    fn binary(&mut self, op: Binary, a: Typed<'c>, b: Typed<'c>) -> Emitted<Typed<'c>> {
        match (a.parts, b.parts, a.class()) {
            (Parts::Int(x), Parts::Int(y), Class::Int(int)) => self.int_binary(op, a.ty, int, [x, y]),
            (Parts::Float(x), Parts::Float(y), Class::Float(float)) => self.float_binary(op, a.ty, float, [x, y]),
            (Parts::Complex(x), Parts::Complex(y), _) => self.complex_binary(op, a.ty, x, y),
            _ => self.ill_typed("operands of different types"),
        }
    }

    fn bool_constant(&self, value: bool) -> Typed<'c> {
        Typed::bool(self.types().int(1).const_int(u64::from(value), false))
    }

    fn constant(&self, element: Element, scalar: Scalar) -> Emitted<Typed<'c>> {
        let ty = Type::Element(element);
        let words = super::arguments::register_bits(ty, scalar);
        let parts = match class(ty) {
            Class::Int(int) => Parts::Int(self.types().int(int.bits).const_int(words[0], false)),
            Class::Float(float) => Parts::Float(self.float_from_bits(float, words[0])?),
            Class::Complex(part) => {
                Parts::Complex([self.float_from_bits(part, words[0])?, self.float_from_bits(part, words[1])?])
            }
        };
        Ok(Typed { ty, parts })
    }

    fn load(&mut self, array: ArrayId, index: ExprId) -> Emitted<Typed<'c>> {
        let index = self.int_expr(index)?;
        let address = self.entry_address(array, index)?;
        let declared = self.function().array(array);
        let memory = self.types().memory(declared.ty.repr());
        let loaded = self.b.build_load(memory, address, "")?;
        Ok(Typed { ty: entry_type(declared.ty), parts: self.loaded(declared.ty, loaded)? })
    }

    fn choose(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Emitted<Typed<'c>> {
        let cond = self.int_expr(cond)?;
        if self.unit.reads_arrays(then) || self.unit.reads_arrays(other) {
            return self.branching(cond, |e| e.expr(then), |e| e.expr(other));
        }
        let (then, other) = (self.expr(then)?, self.expr(other)?);
        let pairs = then.parts.registers().into_iter().zip(other.parts.registers());
        let registers = pairs.map(|(t, o)| self.select(cond, t, o)).collect::<Emitted<Vec<_>>>()?;
        self.typed(then.ty, &registers)
    }

    /// `and`, `or` whose right side may be evaluated only if the left side does not decide.
    fn short_circuit(&mut self, op: Binary, a: ExprId, b: ExprId) -> Emitted<Typed<'c>> {
        let cond = self.int_expr(a)?;
        if op == Binary::And {
            return self.branching(cond, |e| e.expr(b), |e| Ok(e.bool_constant(false)));
        }
        self.branching(cond, |e| Ok(e.bool_constant(true)), |e| e.expr(b))
    }

    /// Evaluates one of two values.
    fn branching(
        &mut self,
        cond: IntValue<'c>,
        then: impl FnOnce(&mut Self) -> Emitted<Typed<'c>>,
        other: impl FnOnce(&mut Self) -> Emitted<Typed<'c>>,
    ) -> Emitted<Typed<'c>> {
        let (yes, no, after) = (self.block("yes"), self.block("no"), self.block("chosen"));
        self.b.build_conditional_branch(cond, yes, no)?;
        let (then, from_then) = self.branch_value(yes, after, then)?;
        let (other, from_other) = self.branch_value(no, after, other)?;
        self.b.position_at_end(after);
        let mut merged = Vec::new();
        for (t, o) in then.parts.registers().into_iter().zip(other.parts.registers()) {
            let phi = self.b.build_phi(t.get_type(), "")?;
            phi.add_incoming(&[(&t, from_then), (&o, from_other)]);
            merged.push(phi.as_basic_value());
        }
        self.typed(then.ty, &merged)
    }

    /// One arm of [`Self::branching`]: what it evaluates is known in that arm only.
    fn branch_value(
        &mut self,
        block: BasicBlock<'c>,
        after: BasicBlock<'c>,
        value: impl FnOnce(&mut Self) -> Emitted<Typed<'c>>,
    ) -> Emitted<(Typed<'c>, BasicBlock<'c>)> {
        self.b.position_at_end(block);
        self.memo.push(HashMap::new());
        let value = value(self)?;
        self.memo.pop();
        let end = self.here()?;
        self.b.build_unconditional_branch(after)?;
        Ok((value, end))
    }

    pub(super) fn ill_typed<T>(&self, what: impl std::fmt::Display) -> Emitted<T> {
        Err(failure(format!("ill-typed: {what}")))
    }
}

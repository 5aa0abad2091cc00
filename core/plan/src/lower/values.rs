//! The values of a kernel's expressions, as expressions of loop IR. Reductions by name become loops in
//! front of the statement that uses them.

use super::{Lowerer, ScalarBinding};
use num_complex::Complex;

use crate::iterate::{
    Term, find,
    fold::{self, binary, converted, unary},
    guard,
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{Access, BinaryOp, CompareOp, Expr, Literal, UnaryOp};
use nnz_loops::{Binary, ExprId, ForKind, Stmt, Type, Unary, VarId};

impl<'k> Lowerer<'k> {
    /// The value of `expr` at the current loops, or zero of its type if it is filtered out. Reductions in it
    /// are emitted here. Every access in it is present.
    pub(super) fn value(&mut self, expr: &Expr) -> ExprId {
        match expr {
            Expr::Access(access) => self.loaded(access),
            Expr::Literal(number) => self.literal(*number),
            Expr::Index(var, element) => {
                let value = self.coordinate(*var);
                self.b.cast(Type::Element(*element), value)
            }
            Expr::Compare(..) => self.truth(expr),
            Expr::Unary(UnaryOp::Sign, a) => self.sign(a),
            Expr::Unary(UnaryOp::Square, a) => {
                let x = self.shared("x", a);
                self.b.mul(x, x)
            }
            Expr::Unary(op, a) => self.where_any_met(expr, &mut |this| {
                let a = this.value(a);
                let value = this.b.unary(unary(*op), a);
                this.where_it_is(expr, value)
            }),
            Expr::Binary(BinaryOp::Mul | BinaryOp::And, a, b) if self.asks_in_factors(a, b) => {
                self.product_of_filters(expr, a, b)
            }
            Expr::Binary(op, a, b) => self.where_any_met(expr, &mut |this| {
                let value = this.operation(*op, a, b);
                this.where_it_is(expr, value)
            }),
            Expr::Cast(Element::I1, _) => self.truth(expr),
            Expr::Cast(to, a) => {
                let a = self.value(a);
                self.b.cast(Type::Element(*to), a)
            }
            Expr::Select { cond, then, other } => self.select(cond, then, other.as_deref()),
            // Reductions in the arms are simplified by their own loops.
            Expr::Present { of, then, other } => {
                let [then, other] = [then, other].map(|arm| arm.as_deref().cloned());
                let like = then.as_ref().or(other.as_ref()).unwrap_or(of).clone();
                let chosen = match self.left_of(of) {
                    None => other,
                    Some(of) => match guard::of(self.kernel, &of) {
                        None => then,
                        Some(cond) => guard::chosen_by(cond, then, other),
                    },
                };
                match chosen {
                    Some(chosen) => self.value(&chosen),
                    None => self.zero_of(&like),
                }
            }
            Expr::Reduce { op, over, vars, body } => self.reduction((op, *over), vars, body, None),
            Expr::Onto { from, reduce } => {
                // A sum that was simplified to something else has no terms left to add.
                let Expr::Reduce { op, over, vars, body } = &**reduce else { return self.value(reduce) };
                self.reduction((op, *over), vars, body, Some(from))
            }
            Expr::Slot(slot, element) => self.combined_part(*slot, *element),
        }
    }

    pub(super) fn operation(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> ExprId {
        let values = [self.value(a), self.second(op, a, b)];
        match op {
            BinaryOp::Mod => self.modulo(values, b),
            BinaryOp::Add | BinaryOp::Sub => self.sum(op, [a, b], values),
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Min | BinaryOp::Max => {
                self.b.binary(binary(op), values[0], values[1])
            }
            BinaryOp::Pow | BinaryOp::Function(_) => self.b.binary(binary(op), values[0], values[1]),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                self.b.binary(binary(op), values[0], values[1])
            }
        }
    }

    /// The value of the second operand, `b`. What a divisor meets says nothing: the dividend decides, but for a number.
    fn second(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> ExprId {
        let is_number = fold::constant(a, &|part| self.kernel.element_of(part)).is_some();
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod);
        let mut emit = |this: &mut Self| if op == BinaryOp::Mod { this.shared("divisor", b) } else { this.value(b) };
        if divides && !is_number { self.beside(&mut emit) } else { emit(self) }
    }

    /// If one operand is filtered out, the sum is the other one, whose zero keeps its sign; without either it is zero.
    fn sum(&mut self, op: BinaryOp, parts: [&Expr; 2], [a, b]: [ExprId; 2]) -> ExprId {
        let element = self.kernel.element_of(parts[0]);
        let guards = parts.map(|part| self.guard_of_summand(part));
        let (a, b) = (
            self.or_neutral(a, (element, guards[0], false)),
            self.or_neutral(b, (element, guards[1], op == BinaryOp::Sub)),
        );
        let sum = self.b.binary(binary(op), a, b);
        let [Some(in_a), Some(in_b)] = guards else { return sum };
        let (there, zero) = (self.b.binary(Binary::Or, in_a, in_b), self.zero_of(parts[0]));
        self.b.select(there, sum, zero)
    }

    /// The condition under which a rounded summand exists, if it may be filtered out.
    pub(super) fn guard_of_summand(&mut self, expr: &Expr) -> Option<ExprId> {
        if self.kernel.element_of(expr).is_integer() || !filters(expr) {
            return None;
        }
        match self.left_of(expr) {
            None => Some(self.b.bool(false)),
            Some(left) => {
                let guard = guard::of(self.kernel, &left).filter(|guard| !self.holds(guard))?;
                Some(self.asked(&guard))
            }
        }
    }

    /// The `value` of a summand, or a neutral value if it is filtered out: -0, or 0 if it is subtracted.
    pub(super) fn or_neutral(
        &mut self,
        value: ExprId,
        (element, guard, subtracted): (Element, Option<ExprId>, bool),
    ) -> ExprId {
        let Some(guard) = guard.filter(|_| !subtracted) else { return value };
        let neutral =
            if element.is_complex() { Scalar::Complex(Complex::new(-0.0, -0.0)) } else { Scalar::Float(-0.0) };
        let neutral = self.b.value(element, neutral);
        self.b.select(guard, value, neutral)
    }

    /// The `value` of `expr`, or zero where `expr` is filtered out: computed from the zeros of filtered operands it
    /// could be NaN or -0.
    pub(super) fn where_it_is(&mut self, expr: &Expr, value: ExprId) -> ExprId {
        if self.kernel.element_of(expr).is_integer() || !filters(expr) {
            return value;
        }
        let left = self.left_of(expr);
        match left.as_ref().map(|left| guard::of_zero(self.kernel, left)) {
            None => self.zero_of(expr),
            Some(Some(guard)) if !self.holds(&guard) => {
                let (there, zero) = (self.asked(&guard), self.zero_of(expr));
                self.b.select(there, value, zero)
            }
            Some(_) => value,
        }
    }

    /// A condition whose reductions are no part of the entry: whether there is one depends on the others.
    pub(super) fn asked(&mut self, cond: &Expr) -> ExprId {
        self.beside(&mut |this| this.condition(cond))
    }

    /// What `emit` gives, whose reductions are no part of the entry.
    pub(super) fn beside(&mut self, emit: &mut dyn FnMut(&mut Self) -> ExprId) -> ExprId {
        let found = self.found.take();
        let value = emit(self);
        self.found = found;
        value
    }

    /// `expr`, an `i1`, as a condition of loop IR.
    pub(super) fn condition(&mut self, expr: &Expr) -> ExprId {
        match expr {
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.compare(*op, a, b)
            }
            Expr::Unary(UnaryOp::Not, a) => {
                let a = self.condition(a);
                self.b.unary(Unary::Not, a)
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (a, b) = (self.condition(a), self.condition(b));
                self.b.binary(if *op == BinaryOp::And { Binary::And } else { Binary::Or }, a, b)
            }
            Expr::Cast(Element::I1, a) => self.is_not_zero(a),
            Expr::Access(_) if self.holds(expr) => self.b.bool(true),
            Expr::Access(_)
            | Expr::Literal(_)
            | Expr::Index(..)
            | Expr::Slot(..)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cast(..)
            | Expr::Select { .. }
            | Expr::Present { .. }
            | Expr::Reduce { .. }
            | Expr::Onto { .. } => self.is_not_zero(expr),
        }
    }

    fn is_not_zero(&mut self, expr: &Expr) -> ExprId {
        let (value, zero) = (self.value(expr), self.zero_of(expr));
        self.b.binary(Binary::Ne, value, zero)
    }

    fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            CompareOp::Eq => self.b.binary(Binary::Eq, a, b),
            CompareOp::Ne => self.b.binary(Binary::Ne, a, b),
            CompareOp::Lt => self.b.binary(Binary::Lt, a, b),
            CompareOp::Le => self.b.binary(Binary::Le, a, b),
            CompareOp::Gt => self.b.binary(Binary::Lt, b, a),
            CompareOp::Ge => self.b.binary(Binary::Le, b, a),
        }
    }

    /// The value of `expr`, computed once for several uses.
    fn shared(&mut self, name: &str, expr: &Expr) -> ExprId {
        let value = self.value(expr);
        self.let_value(name, expr, value)
    }

    /// `value`, which has the type of `like`, under a name unless it is simple.
    fn let_value(&mut self, name: &str, like: &Expr, value: ExprId) -> ExprId {
        if self.b.is_simple(value) {
            return value;
        }
        let ty = Type::Element(self.kernel.element_of(like));
        let var = self.b.define(name, ty, value);
        self.b.var(var)
    }

    /// -1, 0 or 1; zeros keep their sign, and NaN is its own.
    fn sign(&mut self, a: &Expr) -> ExprId {
        let element = self.kernel.element_of(a);
        let (value, zero) = (self.shared("x", a), self.zero_of(a));
        let one = self.b.value(element, converted(element, Scalar::Int(1)));
        let positive = self.b.binary(Binary::Lt, zero, value);
        let sign = self.b.select(positive, one, value);
        if element.is_unsigned() {
            return sign;
        }
        let minus = self.b.unary(Unary::Neg, one);
        let negative = self.b.binary(Binary::Lt, value, zero);
        self.b.select(negative, minus, sign)
    }

    /// The remainder, moved by the divisor where their signs differ.
    fn modulo(&mut self, [value, divisor]: [ExprId; 2], like: &Expr) -> ExprId {
        let zero = self.zero_of(like);
        let rest = self.b.binary(Binary::Rem, value, divisor);
        let rest = self.let_value("rest", like, rest);
        let (below, divisor_below) = (self.b.binary(Binary::Lt, rest, zero), self.b.binary(Binary::Lt, divisor, zero));
        let differ = self.b.binary(Binary::Ne, below, divisor_below);
        let some = self.b.binary(Binary::Ne, rest, zero);
        let moves = self.b.binary(Binary::And, some, differ);
        let moved = self.b.add(rest, divisor);
        self.b.select(moves, moved, rest)
    }

    /// A condition as 1 or 0 of `i1`.
    fn truth(&mut self, expr: &Expr) -> ExprId {
        let cond = self.condition(expr);
        let [yes, no] = [1, 0].map(|bit| self.b.value(Element::I1, Scalar::Int(bit)));
        self.b.select(cond, yes, no)
    }

    /// Whether loops follow the condition `cond`, so that it holds here.
    pub(super) fn holds(&self, cond: &Expr) -> bool {
        let Expr::Access(access) = cond else { return false };
        find(&self.plan.operands, access).is_some_and(|id| self.operand(id).condition.is_some())
    }

    fn loaded(&mut self, access: &Access) -> ExprId {
        if let Some(id) = find(&self.plan.operands, access) {
            return self.entry_value(id);
        }
        if self.kernel.tensor(access.tensor).shape.is_empty() {
            return self.parameters.scalar(&mut self.b, ScalarBinding::Value(access.tensor));
        }
        let (array, at) = match access.as_vars() {
            Some(vars) => (self.operand_array(access.tensor), self.offset(access.tensor, &vars)),
            None => (self.operand_array(access.tensor), self.computed_offset(access)),
        };
        self.b.load(array, at)
    }

    pub(super) fn literal(&mut self, Literal { element, value }: Literal) -> ExprId {
        self.b.value(element, converted(element, value))
    }
    pub(super) fn zero(&mut self) -> ExprId {
        let element = self.element();
        self.b.value(element, element.zero())
    }
    pub(super) fn zero_of(&mut self, expr: &Expr) -> ExprId {
        let element = self.kernel.element_of(expr);
        self.b.value(element, element.zero())
    }

    /// `var name = value`.
    pub(super) fn accumulator(&mut self, name: &str, value: ExprId) -> VarId {
        let ty = self.value_type();
        self.accumulator_of(name, ty, value)
    }

    pub(super) fn accumulator_of(&mut self, name: &str, ty: Type, value: ExprId) -> VarId {
        let var = self.b.local(name, ty);
        self.b.push(Stmt::Mut { var, value });
        var
    }

    /// The sum of the terms that visit every coordinate, with the result's variables bound; `None` without
    /// terms.
    pub(super) fn everywhere(&mut self) -> Option<ExprId> {
        self.dense_terms().iter().fold(None, |sum, term| {
            Some(match term.summed[..] {
                [] => {
                    let (value, negated) = match sum {
                        None => self.first_term_value(&term.body, term.negated),
                        Some(_) => (self.term_value(&term.body), term.negated),
                    };
                    self.taken_in(sum, negated, value)
                }
                _ => self.summed(term, sum),
            })
        })
    }

    /// A term summed over its variables, one value after the other onto the terms before it.
    fn summed(&mut self, term: &Term, before: Option<ExprId>) -> ExprId {
        let start = before.unwrap_or_else(|| self.nothing());
        let var = self.accumulator("sum", start);
        self.dense_loops(&term.summed, ForKind::Serial, &mut |this| {
            let (so_far, value) = (this.b.var(var), this.term_value(&term.body));
            let value = this.taken_in(Some(so_far), term.negated, value);
            this.b.push(Stmt::Assign { var, value });
        });
        self.b.var(var)
    }

    /// `sum + value` or `sum - value`.
    pub(super) fn added(&mut self, sum: Option<ExprId>, negated: bool, value: ExprId) -> ExprId {
        match (sum, negated) {
            (Some(sum), false) => self.b.add(sum, value),
            (Some(sum), true) => self.b.sub(sum, value),
            (None, false) => value,
            (None, true) => self.b.unary(Unary::Neg, value),
        }
    }
}

/// Whether there is a reduction by name in an expression.
pub(super) fn reduces(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Reduce { .. }))
}

/// Whether something in an expression may be filtered out.
pub(super) fn filters(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Index(..) | Expr::Select { other: None, .. }))
}

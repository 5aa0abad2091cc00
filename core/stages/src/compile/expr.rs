//! Expressions.
//!
//! A number is asked for in one of two forms: as `index`, which is how positions and bounds are computed, or as a value of
//! its element type, where integers wrap. Conditions are `bool`.

use nnz_base::element::{Element, Scalar};
use nnz_loops::{Binary as Op, ExprId, Type, Unary as Of};
use nnz_tir::model::{Binary, Expr, ExprKind, Real, Unary};

use super::{
    Emission, Made,
    faults::Site,
    ranges::{Interval, is_whole},
    scope::Form,
    uncompiled,
};
use crate::number::{functions, held, limit};

impl<'f> Emission<'f> {
    /// The value in a form.
    pub(super) fn in_form(&mut self, expr: &'f Expr, form: Form) -> Made<ExprId> {
        match form {
            Form::Bool => self.truth(expr),
            Form::Index => self.index(expr),
            Form::Element => self.value(expr),
        }
    }

    /// A value that is in a form, in the other one.
    fn reformed(&mut self, (value, form): (ExprId, Form), wanted: Form, element: Element) -> ExprId {
        match (form, wanted) {
            (Form::Index, Form::Element) => self.b.cast(Type::Element(element), value),
            (Form::Element, Form::Index) => self.b.cast(Type::Index, value),
            (Form::Bool, _) | (_, Form::Bool) | (Form::Index, Form::Index) | (Form::Element, Form::Element) => value,
        }
    }

    /// A whole number as `index`.
    pub(super) fn index(&mut self, expr: &'f Expr) -> Made<ExprId> {
        if let Some((position, _)) = self.position(expr) {
            return Ok(position);
        }
        let exactly = self.fits(expr);
        match expr.kind() {
            ExprKind::Int(value) => Ok(self.b.index(*value)),
            ExprKind::Variable(id) => {
                let known = self.variable(*id, expr)?;
                Ok(self.reformed(known, Form::Index, expr.element()))
            }
            ExprKind::Load(access) => {
                let loaded = self.load(access)?;
                Ok(self.reformed(loaded, Form::Index, expr.element()))
            }
            ExprKind::Binary(op, left, right) if exactly => match self.of_indices(*op, (left, right))? {
                Some(made) => Ok(made),
                None => self.wrapped(expr),
            },
            ExprKind::Unary(Unary::Negate, operand) if exactly => {
                let operand = self.index(operand)?;
                Ok(self.b.unary(Of::Neg, operand))
            }
            ExprKind::Cast(operand) if exactly && is_whole(operand) => self.index(operand),
            ExprKind::Choice { lazy, parts } => self.choice(*lazy, parts, Form::Index),
            ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(_)
            | ExprKind::Math(..)
            | ExprKind::Least
            | ExprKind::Greatest
            | ExprKind::Offset(_)
            | ExprKind::Stride(..) => self.wrapped(expr),
        }
    }

    /// By way of the element type, in which it wraps.
    fn wrapped(&mut self, expr: &'f Expr) -> Made<ExprId> {
        let value = self.value(expr)?;
        Ok(self.b.cast(Type::Index, value))
    }

    /// A number as a value of its type.
    pub(super) fn value(&mut self, expr: &'f Expr) -> Made<ExprId> {
        let (element, place) = (expr.element(), expr.place.0);
        match expr.kind() {
            ExprKind::Int(value) => Ok(self.b.value(element, held(Scalar::Int((*value).into()), element))),
            ExprKind::Float(Real(value)) => {
                let rounded = nnz_loops::scalar::rounded(element, Scalar::Float(*value));
                Ok(self.b.value(element, rounded))
            }
            ExprKind::Variable(id) => {
                let known = self.variable(*id, expr)?;
                Ok(self.reformed(known, Form::Element, element))
            }
            ExprKind::Load(access) => {
                let loaded = self.load(access)?;
                Ok(self.reformed(loaded, Form::Element, element))
            }
            ExprKind::Unary(op, operand) => {
                let operand = self.value(operand)?;
                Ok(self.b.unary(if *op == Unary::Invert { Of::BitNot } else { Of::Neg }, operand))
            }
            ExprKind::Binary(op, left, right) => self.of_values(*op, (left, right)),
            ExprKind::Cast(operand) => self.cast(operand, element),
            ExprKind::Math(math, operand) => {
                let operand = self.value(operand)?;
                match functions(math, element) {
                    Some(steps) => Ok(self.applied(steps, operand, element)),
                    None => uncompiled(place, format!("it has `T.{}`", math.name)),
                }
            }
            ExprKind::Choice { lazy, parts } => self.choice(*lazy, parts, Form::Element),
            ExprKind::Least => Ok(self.b.value(element, limit(element, false))),
            ExprKind::Greatest => Ok(self.b.value(element, limit(element, true))),
            ExprKind::Bool(_) => uncompiled(place, "a condition stands for a number"),
            ExprKind::Offset(_) | ExprKind::Stride(..) => uncompiled(place, "it has an address of a buffer"),
        }
    }

    fn applied(&mut self, steps: &[crate::number::Step], operand: ExprId, element: Element) -> ExprId {
        steps.iter().fold(operand, |value, step| match step {
            crate::number::Step::Of(op) => self.b.unary(*op, value),
            crate::number::Step::With(op, number) => {
                let number = self.b.value(element, Scalar::Float(*number));
                self.b.binary(*op, number, value)
            }
        })
    }

    pub(super) fn truth(&mut self, expr: &'f Expr) -> Made<ExprId> {
        match expr.kind() {
            ExprKind::Bool(value) => Ok(self.b.bool(*value)),
            ExprKind::Variable(id) => Ok(self.variable(*id, expr)?.0),
            ExprKind::Load(access) => Ok(self.load(access)?.0),
            ExprKind::Unary(_, operand) => {
                let operand = self.truth(operand)?;
                Ok(self.b.unary(Of::Not, operand))
            }
            ExprKind::Binary(op, left, right) => self.condition(*op, (left, right), expr),
            ExprKind::Cast(operand) => {
                let operand = self.value(operand)?;
                let element = self.element_under(expr);
                let zero = self.b.value(element, element.zero());
                Ok(self.b.binary(Op::Ne, operand, zero))
            }
            ExprKind::Choice { lazy, parts } => self.choice(*lazy, parts, Form::Bool),
            ExprKind::Least => Ok(self.b.bool(false)),
            ExprKind::Greatest => Ok(self.b.bool(true)),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Math(..) | ExprKind::Offset(_) | ExprKind::Stride(..) => {
                uncompiled(expr.place.0, "a number stands for a condition")
            }
        }
    }

    fn element_under(&self, cast: &Expr) -> Element {
        if let ExprKind::Cast(operand) = cast.kind() { operand.element() } else { cast.element() }
    }

    /// A condition that two operands make.
    fn condition(&mut self, op: Binary, (left, right): (&'f Expr, &'f Expr), whole: &'f Expr) -> Made<ExprId> {
        let (made, swapped) = match op {
            Binary::Equal => (Op::Eq, false),
            Binary::NotEqual => (Op::Ne, false),
            Binary::Less => (Op::Lt, false),
            Binary::LessEqual => (Op::Le, false),
            Binary::Greater => (Op::Lt, true),
            Binary::GreaterEqual => (Op::Le, true),
            Binary::And | Binary::BitAnd => (Op::And, false),
            Binary::Or | Binary::BitOr => (Op::Or, false),
            Binary::BitXor => (Op::Ne, false),
            Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::FloorDivide
            | Binary::FloorModulo
            | Binary::TruncateDivide
            | Binary::TruncateModulo
            | Binary::Power
            | Binary::Least
            | Binary::Greatest
            | Binary::ShiftLeft
            | Binary::ShiftRight => return uncompiled(whole.place.0, "it computes with conditions"),
        };
        let (mut one, mut other) = self.compared(left, right)?;
        if left.is_condition() && matches!(made, Op::Lt | Op::Le) {
            (one, other) = (self.bit(one), self.bit(other));
        }
        let (one, other) = if swapped { (other, one) } else { (one, other) };
        Ok(self.b.binary(made, one, other))
    }

    fn compared(&mut self, left: &'f Expr, right: &'f Expr) -> Made<(ExprId, ExprId)> {
        let form = match Interval::of(left.element()).is_within(Interval::of(Element::I64)) {
            _ if left.is_condition() => Form::Bool,
            _ if left.element().is_float() => Form::Element,
            true => Form::Index,
            false => Form::Element,
        };
        Ok((self.in_form(left, form)?, self.in_form(right, form)?))
    }

    /// A condition as a number of one bit.
    pub(super) fn bit(&mut self, condition: ExprId) -> ExprId {
        let [one, zero] = [1, 0].map(|bit| self.b.value(Element::I1, Scalar::Int(bit)));
        self.b.select(condition, one, zero)
    }

    fn variable(&mut self, id: nnz_tir::model::VariableId, expr: &Expr) -> Made<(ExprId, Form)> {
        match self.scope.get(id) {
            Some(known) => Ok((known.value, known.form)),
            None => uncompiled(expr.place.0, format!("`{}` has no value here", self.function.variable(id).name)),
        }
    }

    fn cast(&mut self, operand: &'f Expr, to: Element) -> Made<ExprId> {
        if operand.is_condition() {
            let condition = self.truth(operand)?;
            let number =
                |number: i64| if to.is_float() { Scalar::Float(number as f64) } else { Scalar::Int(number.into()) };
            let (one, zero) = (self.b.value(to, number(1)), self.b.value(to, number(0)));
            return Ok(self.b.select(condition, one, zero));
        }
        let is_index = is_whole(operand) && Interval::of(operand.element()).is_within(Interval::of(Element::I64));
        let operand = self.in_form(operand, if is_index { Form::Index } else { Form::Element })?;
        Ok(self.b.cast(Type::Element(to), operand))
    }

    /// Of a lazy choice only the chosen value is computed.
    fn choice(&mut self, lazy: bool, [condition, one, other]: &'f [Expr; 3], form: Form) -> Made<ExprId> {
        let holds = self.truth(condition)?;
        let fails = self.b.unary(Of::Not, holds);
        let then = self.within(lazy.then_some(holds), one, form)?;
        let otherwise = self.within(lazy.then_some(fails), other, form)?;
        Ok(self.b.select(holds, then, otherwise))
    }

    fn within(&mut self, given: Option<ExprId>, expr: &'f Expr, form: Form) -> Made<ExprId> {
        let outside = self.under;
        if let Some(given) = given {
            self.under = Some(outside.map_or(given, |outside| self.b.binary(Op::And, outside, given)));
        }
        let made = self.in_form(expr, form);
        self.under = outside;
        made
    }

    /// The second operand of a division or a shift, which must lie in a range.
    pub(super) fn in_range(&mut self, expr: &Expr, holds: ExprId, operand: ExprId) {
        self.guard(Site::Operand(expr.clone()), holds, vec![operand]);
    }
}

//! Values of expressions.

use nnz_base::element::{Element, Scalar};
use nnz_loops::scalar;
use nnz_tir::model::{Access, Expr, ExprKind, Layout, Real};

use crate::{
    fault::{Done, failed, operand, unread},
    machine::Machine,
    number::{binary, held, limit, math, truth, unary},
};

impl<'f> Machine<'f> {
    pub(crate) fn value(&mut self, expr: &'f Expr) -> Done<Scalar> {
        let found = self.unheld(expr)?;
        Ok(held(found, expr.element()))
    }

    pub(crate) fn holds(&mut self, condition: &'f Expr) -> Done<bool> {
        Ok(!self.value(condition)?.is_zero())
    }

    fn unheld(&mut self, expr: &'f Expr) -> Done<Scalar> {
        match expr.kind() {
            ExprKind::Int(value) => Ok(Scalar::Int(i128::from(*value))),
            ExprKind::Float(Real(value)) => Ok(Scalar::Float(*value)),
            ExprKind::Bool(value) => Ok(truth(*value)),
            ExprKind::Variable(id) => self.scalars[id.index()].ok_or_else(|| {
                let name = &self.function.variable(*id).name;
                Box::new(failed(expr.place.0, format!("`{name}` has no value here")).label("no value"))
            }),
            ExprKind::Load(access) => self.load(access),
            ExprKind::Unary(op, operand) => Ok(unary(*op, self.value(operand)?, expr.element())),
            ExprKind::Binary(op, left, right) => {
                let of = left.element();
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(*op, left, right, of)
                    .ok_or_else(|| operand(expr, if let Scalar::Int(given) = right { given } else { 0 }))
            }
            ExprKind::Cast(operand) => self.cast(operand, expr.element()),
            ExprKind::Math(function, operand) => Ok(math(function, self.value(operand)?, expr.element())),
            ExprKind::Choice { lazy, parts } => self.choice(*lazy, parts),
            ExprKind::Least => Ok(limit(expr.element(), false)),
            ExprKind::Greatest => Ok(limit(expr.element(), true)),
            ExprKind::Offset(_) | ExprKind::Stride(..) => {
                let told = unread(expr.place.0, "addresses of buffers have no value here");
                Err(Box::new(told.label("an address").help("use the coordinates of elements")))
            }
        }
    }

    /// Rounded once; to a condition whether it is not zero.
    fn cast(&mut self, operand: &'f Expr, to: Element) -> Done<Scalar> {
        let value = self.value(operand)?;
        Ok(if to == Element::I1 { truth(!value.is_zero()) } else { scalar::convert(to, value) })
    }

    fn choice(&mut self, lazy: bool, parts: &'f [Expr; 3]) -> Done<Scalar> {
        let [condition, one, other] = parts;
        let holds = self.holds(condition)?;
        if lazy {
            return self.value(if holds { one } else { other });
        }
        let (one, other) = (self.value(one)?, self.value(other)?);
        Ok(if holds { one } else { other })
    }

    /// What is read: of an element that is not stored the default value.
    fn load(&mut self, access: &'f Access) -> Done<Scalar> {
        let place = self.place(access)?;
        let buffer = self.function.buffer(access.buffer);
        if let Some(place) = place {
            let memory = self.memory[access.buffer.index()].as_ref();
            return memory.and_then(|memory| memory.get(place)).ok_or_else(|| {
                Box::new(
                    failed(access.place.0, format!("`{}` has no such element", buffer.name))
                        .label("outside, or not allocated"),
                )
            });
        }
        match &buffer.layout {
            Layout::Sparse(sparse) => match &sparse.default {
                Some(default) => self.value(default),
                None => Ok(buffer.element.zero()),
            },
            Layout::Dense(_) => Ok(buffer.element.zero()),
        }
    }
}

//! Expressions over numbers that are known before a function runs: lengths and counts.

use nnz_base::element::Scalar;
use nnz_tir::model::{Expr, ExprKind, Function, Real};

use crate::{
    fault::{Done, failed, unfit},
    number::{binary, held, unary},
};

/// The numbers with names that are known.
pub(crate) type Scalars = [Option<Scalar>];

pub(crate) fn value(function: &Function, scalars: &Scalars, expr: &Expr) -> Done<Scalar> {
    let part = |part: &Expr| value(function, scalars, part);
    let found = match expr.kind() {
        ExprKind::Int(value) => Scalar::Int(i128::from(*value)),
        ExprKind::Float(Real(value)) => Scalar::Float(*value),
        ExprKind::Variable(id) => scalars[id.index()].ok_or_else(|| unknown(function, expr))?,
        ExprKind::Unary(op, operand) => unary(*op, part(operand)?, expr.element()),
        ExprKind::Cast(operand) => part(operand)?,
        ExprKind::Binary(op, left, right) => {
            let of = left.element();
            let (left, right) = (part(left)?, part(right)?);
            binary(*op, left, right, of).ok_or_else(|| failed(expr.place.0, "a division by zero"))?
        }
        ExprKind::Bool(_)
        | ExprKind::Load(_)
        | ExprKind::Math(..)
        | ExprKind::Choice { .. }
        | ExprKind::Least
        | ExprKind::Greatest
        | ExprKind::Offset(_)
        | ExprKind::Stride(..) => {
            return Err(Box::new(unfit(expr.place.0, "a size is computed from more than numbers")));
        }
    };
    Ok(held(found, expr.element()))
}

fn unknown(function: &Function, expr: &Expr) -> Box<nnz_base::diagnostic::Diagnostic> {
    let name = expr.as_variable().map_or("it", |id| &function.variable(id).name);
    Box::new(unfit(expr.place.0, format!("`{name}` has no value")))
}

/// A number of things.
pub(crate) fn count(function: &Function, scalars: &Scalars, expr: &Expr) -> Done<u64> {
    let Scalar::Int(number) = value(function, scalars, expr)? else {
        return Err(Box::new(unfit(expr.place.0, "a size is a whole number")));
    };
    u64::try_from(number).map_err(|_| Box::new(unfit(expr.place.0, format!("the size is {number}"))))
}

//! Lengths of arrays and sizes of launches, computed from constants and scalar parameters.

use super::{Expr, ExprId, Function, Type, Unary, VarId, scalar};

/// The number, if the expression is a size and `param` knows its parameters.
pub fn size(function: &Function, id: ExprId, param: &dyn Fn(VarId) -> Option<i64>) -> Option<i64> {
    let part = |part: ExprId| if part < id { size(function, part, param) } else { None };
    match *function.exprs.get(id.index())? {
        Expr::Index(number) => Some(number),
        Expr::Var(var) if is_size(function, var) => param(var),
        Expr::Unary(Unary::Neg, a) => part(a).map(i64::wrapping_neg),
        Expr::Unary(Unary::Abs, a) => part(a).map(i64::wrapping_abs),
        Expr::Binary(op, a, b) if op.comparison().is_none() => Some(scalar::index(op, part(a)?, part(b)?)),
        Expr::Var(_) | Expr::Unary(..) | Expr::Binary(..) => None,
        Expr::Bool(_) | Expr::Value(..) | Expr::Load { .. } | Expr::Select { .. } | Expr::Cast { .. } => None,
    }
}

fn is_size(function: &Function, var: VarId) -> bool {
    var.index() < function.scalar_params && function.vars.get(var.index()).is_some_and(|var| var.ty == Type::Index)
}

/// The number that follows from constants alone.
pub fn constant(function: &Function, id: ExprId) -> Option<i64> {
    size(function, id, &|_| None)
}

/// Whether the number is known once the scalar parameters are.
pub(crate) fn is_size_of_params(function: &Function, id: ExprId) -> bool {
    size(function, id, &|_| Some(1)).is_some()
}

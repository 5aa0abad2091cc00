//! What an expression is where the sparse operand is absent.

use crate::{
    ids::TensorId,
    kernel::{BinaryOp, Expr, ReduceOp, UnaryOp},
};

pub(super) fn uses(expr: &Expr, tensor: TensorId) -> bool {
    expr.accesses().iter().any(|access| access.tensor == tensor)
}

/// Whether `expr` is zero wherever the entry of `tensor` is absent, whatever the other operands are:
/// zero times and zero over anything count as zero.
pub(super) fn vanishes(expr: &Expr, tensor: TensorId) -> bool {
    match expr {
        Expr::Access(access) => access.tensor == tensor,
        Expr::Literal(scalar) => scalar.is_zero(),
        Expr::Unary(op, a) => preserves_zero(*op) && vanishes(a, tensor),
        Expr::Binary(BinaryOp::Mul, a, b) => vanishes(a, tensor) || vanishes(b, tensor),
        Expr::Binary(BinaryOp::Div, a, _) => vanishes(a, tensor),
        Expr::Binary(BinaryOp::Pow, a, b) => vanishes(a, tensor) && is_positive(b),
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max, a, b) => {
            vanishes(a, tensor) && vanishes(b, tensor)
        }
        // A reduction meets absent entries among the stored ones, so it is not looked into.
        Expr::Reduce { op: ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max, .. } => false,
    }
}

fn preserves_zero(op: UnaryOp) -> bool {
    match op {
        UnaryOp::Neg | UnaryOp::Abs | UnaryOp::Sqrt | UnaryOp::Sin | UnaryOp::Tan | UnaryOp::Tanh => true,
        UnaryOp::Exp | UnaryOp::Log | UnaryOp::Cos => false,
    }
}

fn is_positive(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(scalar) if scalar.as_f64() > 0.0)
}

/// Whether the value at a sum of entries is the sum of the values at each: the operand is a factor once.
pub(super) fn is_linear(expr: &Expr, tensor: TensorId) -> bool {
    match expr {
        Expr::Access(access) => access.tensor == tensor,
        Expr::Unary(UnaryOp::Neg, a) => is_linear(a, tensor),
        Expr::Binary(BinaryOp::Mul, a, b) => {
            (is_linear(a, tensor) && !uses(b, tensor)) || (is_linear(b, tensor) && !uses(a, tensor))
        }
        Expr::Binary(BinaryOp::Div, a, b) => is_linear(a, tensor) && !uses(b, tensor),
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => is_linear(a, tensor) && is_linear(b, tensor),
        Expr::Literal(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Reduce { .. } => false,
    }
}

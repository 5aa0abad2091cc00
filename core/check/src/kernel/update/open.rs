//! Whether the text leaves open where the right side of an update is present. Then the update is refused: only a kernel of its
//! own decides that, and its result can be named.
//!
//! It is open in a larger expression that contains a reduction over stored terms, unless that is a product of these with
//! accesses and numbers, or a function of one that keeps zeros.

use super::factors::is_number;
use nnz_kernel::{BinaryOp, Expr, Over, UnaryOp};

/// See the module.
pub(in crate::kernel) fn is_open(expr: &Expr) -> bool {
    is_open_arm(expr) && !is_scaled(expr)
}

/// Of a whole right side, and of what a choice or a region in its place gives.
fn is_open_arm(expr: &Expr) -> bool {
    let arms = |arms: [Option<&Expr>; 2]| arms.into_iter().flatten().any(is_open_arm);
    match expr {
        Expr::Select { then, other, .. } => arms([Some(&**then), other.as_deref()]),
        Expr::Present { then, other, .. } => arms([then.as_deref(), other.as_deref()]),
        Expr::Cast(..) | Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Reduce { .. } => {
            has_stored(expr) && !is_alone(expr)
        }
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Onto { .. } => false,
    }
}

/// A reduction, but for signs and casts around it: its terms are no larger expressions with others over stored terms.
fn is_alone(expr: &Expr) -> bool {
    match expr {
        Expr::Cast(_, a) | Expr::Unary(UnaryOp::Neg, a) => is_alone(a),
        Expr::Reduce { body, .. } => !has_stored(body) || is_alone(body),
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Onto { .. } => false,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Select { .. } | Expr::Present { .. } => false,
    }
}

/// Whether a part of `expr` is a reduction over stored terms.
fn has_stored(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| matches!(node, Expr::Reduce { over: Over::Stored, .. }))
}

/// A product of reductions, accesses and numbers, or a function of such that keeps zeros.
fn is_scaled(expr: &Expr) -> bool {
    match expr {
        Expr::Reduce { .. } => is_alone(expr),
        Expr::Access(_) | Expr::Literal(_) => true,
        Expr::Binary(BinaryOp::Mul, a, b) => is_scaled(a) && is_scaled(b),
        Expr::Cast(..) | Expr::Unary(..) | Expr::Binary(..) => keeps_zeros_of(expr).is_some_and(is_scaled),
        Expr::Compare(..) | Expr::Select { .. } | Expr::Present { .. } => false,
        Expr::Index(..) | Expr::Slot(..) | Expr::Onto { .. } => false,
    }
}

/// The operand of a function that gives zero for zero: `sqrt(x)`, `x / 2`, `max(x, 0)`.
pub(super) fn keeps_zeros_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Cast(_, a) => Some(a),
        Expr::Unary(op, a) => op.preserves_zero().then_some(a),
        Expr::Binary(BinaryOp::Div, a, b) => is_number(b).then_some(a),
        Expr::Binary(op, a, b) => match (number(a), number(b)) {
            (None, Some(number)) => is_zero_beside(*op, number).then_some(a),
            (Some(number), None) if matches!(op, BinaryOp::Min | BinaryOp::Max | BinaryOp::Add) => {
                is_zero_beside(*op, number).then_some(b)
            }
            _ => None,
        },
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Onto { .. } => None,
        Expr::Compare(..) | Expr::Select { .. } | Expr::Present { .. } | Expr::Reduce { .. } => None,
    }
}

fn number(expr: &Expr) -> Option<f64> {
    if let Expr::Literal(number) = expr { Some(number.value.as_f64()) } else { None }
}

/// Whether an operation with this number gives zero for zero: `max(x, 0)`, `min(x, 3)`.
fn is_zero_beside(op: BinaryOp, number: f64) -> bool {
    match op {
        BinaryOp::Min => number >= 0.0,
        BinaryOp::Max => number <= 0.0,
        BinaryOp::Pow => number > 0.0,
        BinaryOp::Add | BinaryOp::Sub => number == 0.0,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod => false,
        BinaryOp::Function(_) | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => false,
    }
}

//! Scalars of a session whose values decide what is stored: `A(i, j) + s` is absent with `A` if `s` is zero.

use super::{
    Operand, Refusal,
    hidden::{depends_on_a_value, is_number},
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, ReduceOp, UnaryOp};
use nnz_plan::iterate::{is_random_access, zero};

/// `kernel` with numbers for its scalars if an operation is absent by their values, and otherwise would be present.
pub(super) fn deciding(kernel: &Kernel, operands: &[Option<Operand<'_>>]) -> Option<Result<Kernel, Refusal>> {
    let value = |access: &Access| match operands.get(access.tensor.index()) {
        Some(Some(Operand::Scalar(value))) => Some((kernel.tensor(access.tensor).element, *value)),
        _ => None,
    };
    let decides = depends_on_a_value(kernel.expr()) && is_decided(kernel, kernel.expr(), &value);
    let decides = decides || chooses_zero(kernel, kernel.expr(), &value);
    let decides =
        decides || !is_random_access(kernel.tensor(kernel.result().tensor)) && scales(kernel.expr(), true, &value);
    decides.then(|| {
        let known = with_scalars(kernel.expr(), &value);
        kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), known).map_err(Refusal::rewrite)
    })
}

/// The element and the value of a scalar that has one.
type Known<'k> = dyn Fn(&Access) -> Option<(Element, Scalar)> + 'k;

/// Whether a part of `expr` is absent by the scalars' values where its sparse operands are.
fn is_decided(kernel: &Kernel, expr: &Expr, value: &Known<'_>) -> bool {
    if !expr.accesses().into_iter().any(|access| value(access).is_some()) {
        return false;
    }
    let absent = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    let is_there = |expr: &Expr| zero::simplify(kernel, expr, &absent).is_some();
    let by_values = |expr: &Expr| is_there(expr) && !is_there(&with_scalars(expr, value));
    let filtered = |expr: &Expr| expr.with_parts(&|part| if filters(part) { left_out(part) } else { part.clone() });
    let unfiltered = || expr.replaced(&|part| matches!(part, Expr::Select { other: None, .. }).then(|| left_out(part)));
    by_values(expr)
        || by_values(&filtered(expr))
        || by_values(&unfiltered())
        || asks_by_values(kernel, expr, value)
        || expr.operands().into_iter().any(|part| is_decided(kernel, part, value))
}

/// Whether the scalars' values decide what a choice gives where the operands of its condition are absent.
fn asks_by_values(kernel: &Kernel, expr: &Expr, value: &Known<'_>) -> bool {
    let Expr::Select { cond, other: Some(_), .. } = expr else { return false };
    let asked = cond.accesses();
    let absent = |access: &Access| asked.contains(&access) && !is_random_access(kernel.tensor(access.tensor));
    let is_there = |expr: &Expr| zero::simplify(kernel, expr, &absent).is_some();
    is_there(expr) != is_there(&with_scalars(expr, value))
}

/// Whether a choice gives a scalar that is zero: like a written 0 it is there only where the other arm is.
fn chooses_zero(kernel: &Kernel, expr: &Expr, value: &Known<'_>) -> bool {
    let is_zero = |arm: &Expr| {
        let number = || zero::simplify(kernel, &with_scalars(arm, value), &|_| false);
        has_scalars(arm) && matches!(number(), Some(Expr::Literal(number)) if number.value.is_zero())
    };
    expr.nodes().into_iter().any(|node| {
        let Expr::Select { then, other: Some(other), .. } = node else { return false };
        is_zero(then) || is_zero(other)
    })
}

/// Whether a scalar is a factor of a reduction that takes none into its terms: beside a finite number it may be absent.
/// `takes`: whether `expr` is a part of the outermost sums and products, where sums take factors.
fn scales(expr: &Expr, takes: bool, value: &Known<'_>) -> bool {
    let is_scalar = |part: &Expr| has_scalars(part) && part.accesses().into_iter().all(|part| value(part).is_some());
    let here = match expr {
        Expr::Binary(BinaryOp::Mul, a, b) => {
            is_scalar(a) && has_value_as_factor(b, takes) || is_scalar(b) && has_value_as_factor(a, takes)
        }
        Expr::Binary(BinaryOp::Div, a, b) => is_scalar(b) && has_value_as_factor(a, takes),
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Unary(..) => false,
        Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) | Expr::Select { .. } => false,
        Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => false,
    };
    let takes = takes && multiplies_out(expr);
    here || expr.operands().into_iter().any(|part| scales(part, takes, value))
}

/// Whether a reduction in `expr` takes no factor.
fn has_value_as_factor(expr: &Expr, takes: bool) -> bool {
    let takes = takes && multiplies_out(expr);
    matches!(expr, Expr::Reduce { .. } if !takes)
        || expr.operands().into_iter().any(|part| has_value_as_factor(part, takes))
}

/// Whether a factor of `expr` becomes one of its operands.
fn multiplies_out(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(UnaryOp::Neg, _) | Expr::Reduce { op: ReduceOp::Sum, .. } => true,
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, ..) => true,
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) | Expr::Unary(..) => false,
        Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) | Expr::Select { .. } => false,
        Expr::Present { .. } | Expr::Reduce { .. } | Expr::Onto { .. } => false,
    }
}

/// Whether an expression is a number that scalars decide.
fn has_scalars(expr: &Expr) -> bool {
    is_number(expr) && !expr.accesses().is_empty()
}

/// Whether something in `expr` may be left out where its operands are there.
fn filters(expr: &Expr) -> bool {
    let is_filter = |node: &Expr| match node {
        Expr::Present { .. } | Expr::Index(..) => true,
        Expr::Select { other, .. } => other.is_none(),
        Expr::Access(_) | Expr::Literal(_) | Expr::Slot(..) | Expr::Reduce { .. } | Expr::Onto { .. } => false,
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => false,
    };
    expr.nodes().into_iter().any(is_filter)
}

fn left_out(expr: &Expr) -> Expr {
    let never = Box::new(Expr::literal(Element::I1, Scalar::Int(0)));
    Expr::Select { cond: never, then: Box::new(expr.clone()), other: None }
}

/// `expr` with numbers for the scalars that have a value.
pub(super) fn with_scalars(expr: &Expr, value: &Known<'_>) -> Expr {
    expr.replaced(&|part| {
        let Expr::Access(access) = part else { return None };
        value(access).map(|(element, value)| Expr::literal(element, value))
    })
}

//! Scalars of a session whose values decide what is stored: `A(i, j) + s` is absent with `A` if `s` is zero.

use super::{Operand, Refusal, hidden::depends_on_a_value};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{Access, Expr, Kernel};
use nnz_plan::iterate::{is_random_access, zero};

/// `kernel` with numbers for its scalars if an operation is absent by their values, and otherwise would be present.
pub(super) fn deciding(kernel: &Kernel, operands: &[Option<Operand<'_>>]) -> Option<Result<Kernel, Refusal>> {
    let value = |access: &Access| match operands.get(access.tensor.index()) {
        Some(Some(Operand::Scalar(value))) => Some((kernel.tensor(access.tensor).element, *value)),
        _ => None,
    };
    let decides = depends_on_a_value(kernel.expr()) && is_decided(kernel, kernel.expr(), &value);
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
    is_there(expr) && !is_there(&with_scalars(expr, value))
        || expr.operands().into_iter().any(|part| is_decided(kernel, part, value))
}

/// `expr` with numbers for the scalars that have a value.
pub(super) fn with_scalars(expr: &Expr, value: &Known<'_>) -> Expr {
    expr.replaced(&|part| {
        let Expr::Access(access) = part else { return None };
        value(access).map(|(element, value)| Expr::literal(element, value))
    })
}

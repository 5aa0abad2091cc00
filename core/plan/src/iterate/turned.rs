//! Conditions that hold of absent operands, turned around: `all(j, A(i, j) >= 0)` is `not any(j, not (A(i, j) >= 0))`, whose
//! terms are absent where `A` is, so that loops follow the entries of `A` and visit no other coordinates.

use super::{PlanError, is_random_access, zero};
use nnz_kernel::{Access, Expr, Kernel, Over, ReduceOp, UnaryOp};

/// `kernel` with such reductions turned around; `None` if there is none.
pub(super) fn turned(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let expr = kernel.expr().replaced(&|part| turned_around(kernel, part));
    if expr == *kernel.expr() {
        return Ok(None);
    }
    kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), expr).map(Some).map_err(PlanError::rewrite)
}

fn turned_around(kernel: &Kernel, part: &Expr) -> Option<Expr> {
    let Expr::Reduce { op, over: Over::All, vars, body } = part else { return None };
    let other = match op {
        ReduceOp::And => ReduceOp::Or,
        ReduceOp::Or => ReduceOp::And,
        ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max | ReduceOp::Xor => return None,
        ReduceOp::Pick | ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => return None,
    };
    if kernel.is_empty_over(vars) {
        return None;
    }
    let plain = |node: &Expr| !matches!(node, Expr::Reduce { .. } | Expr::Present { .. } | Expr::Select { .. });
    if !body.nodes().into_iter().all(plain) {
        return None;
    }
    let absent = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    let not = |expr: Expr| Expr::Unary(UnaryOp::Not, Box::new(expr));
    let turned = not((**body).clone());
    let is_there = |expr: &Expr| zero::simplify(kernel, expr, &absent).is_some();
    if !is_there(body) || is_there(&turned) {
        return None;
    }
    let reduced = Expr::Reduce { op: other, over: Over::All, vars: vars.clone(), body: Box::new(turned) };
    Some(not(reduced))
}

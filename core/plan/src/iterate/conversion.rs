//! Conversion as a kernel: the same entries in another encoding, `B(i, j) = A(i, j)` (Chou 2020).

use super::{Plan, PlanError, is_random_access, operand::runs_end_unique};
use nnz_base::{
    element::Element,
    ids::{IndexVar, TensorId},
};
use nnz_kernel::{Access, CompareOp, Expr, Kernel, Tensor};

/// The kernel that copies the entries of `from` into `to`, of the same shape and element type. Zeros of
/// `from` that cannot be distinguished from entries are left out. `None` if `to` is dense, because a kernel
/// adds entries to zeros there and loses the sign of -0.0, and if coordinates outside a tuple may repeat,
/// because packing repeats them.
///
/// # Errors
/// [`PlanError::Rewrite`]: a bug of nnz.
pub fn conversion(from: &Tensor, to: &Tensor) -> Result<Option<Kernel>, PlanError> {
    if is_random_access(to) || !to.encoding.as_deref().is_none_or(runs_end_unique) {
        return Ok(None);
    }
    let vars: Vec<IndexVar> = (0..to.shape.len()).map(IndexVar::new).collect();
    let named = to.encoding.as_ref().or(from.encoding.as_ref());
    let name = |at: usize| named.and_then(|e| e.dims().get(at)).map_or(format!("d{at}"), |dim| dim.name.clone());
    let names = (0..vars.len()).map(name).collect();
    let entry = Expr::Access(Access::of_vars(TensorId::new(0), &vars));
    let expr = if has_fill(from) { unless_zero(entry, from.element) } else { entry };
    let result = Access::of_vars(TensorId::new(1), &vars);
    Kernel::new(vec![from.clone(), to.clone()], names, result, expr).map(Some).map_err(PlanError::rewrite)
}

/// Whether loops can carry out the plan of a conversion without an intermediate conversion.
pub fn is_direct(plan: &Plan) -> bool {
    plan.derived.is_empty() && plan.converted.is_none()
}

fn has_fill(tensor: &Tensor) -> bool {
    tensor.encoding.as_ref().is_none_or(|encoding| encoding.has_fill())
}

fn unless_zero(entry: Expr, element: Element) -> Expr {
    let cond = Expr::Compare(CompareOp::Ne, Box::new(entry.clone()), Box::new(Expr::zero(element)));
    Expr::Select { cond: Box::new(cond), then: Box::new(entry), other: None }
}

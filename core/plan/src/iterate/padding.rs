//! Padding: slots of a level that hold no entry. They must not affect a result.

use std::sync::Arc;

use super::{fold::folded, sorted_levels};
use nnz_base::{
    element::{Element, Scalar},
    ids::{Dim, TensorId},
};
use nnz_encoding::Encoding;
use nnz_kernel::{BinaryOp, Expr, Kernel, UnaryOp};

/// Whether padding that counted as an entry would affect the result: the kernel depends on what is stored, stores what
/// it finds, or multiplies with values that may not be finite. A filter that zeros do not pass, such as that of a
/// conversion, leaves padding out itself. `special` says whether an operand holds an infinity or a NaN.
pub fn minds_padding(kernel: &Kernel, special: impl Fn() -> bool) -> bool {
    let result = kernel.tensor(kernel.result().tensor).encoding.as_ref();
    let stores = result.is_some_and(|encoding| !encoding.has_fill());
    (stores && !drops_zeros(kernel.expr())) || minds_zeros(kernel, &|_| true, special)
}

/// Whether `expr` is an operand behind a filter that no zero of it passes.
fn drops_zeros(expr: &Expr) -> bool {
    let Expr::Select { cond, then, other: None } = expr else { return false };
    let Expr::Compare(_, left, right) = &**cond else { return false };
    let Expr::Literal(limit) = &**right else { return false };
    let at_zero = cond.with_parts(&|part| if part == &**left { Expr::zero(limit.element) } else { part.clone() });
    left == then
        && matches!(**then, Expr::Access(_))
        && folded(&at_zero, Element::I1).is_some_and(|holds| holds.value.is_zero())
}

/// Whether zeros in place of absent entries would affect the values: the kernel depends on what is stored, or scales an
/// operand that has such zeros according to `is_copy`. `0 * inf` and `0 / 0` are not numbers.
pub fn minds_zeros(kernel: &Kernel, is_copy: &dyn Fn(TensorId) -> bool, special: impl Fn() -> bool) -> bool {
    let reads = |node: &Expr| node.accesses().into_iter().any(|access| is_copy(access.tensor));
    let minds = |node: &Expr| node.asks_for_presence() || (reads(node) && scales(node, &special));
    kernel.expr().nodes().into_iter().any(minds)
}

/// A product with a factor that may not be finite, or a quotient whose divisor may be zero.
fn scales(node: &Expr, special: impl Fn() -> bool) -> bool {
    match node {
        Expr::Binary(BinaryOp::Mul, left, right) => makes_special(left) || makes_special(right) || special(),
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod, _, by) => {
            !matches!(&**by, Expr::Literal(number) if is_finite(number.value) && !number.value.is_zero())
        }
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => false,
    }
}

/// Whether an expression of finite numbers may be infinite, or not a number, other than by overflow.
fn makes_special(expr: &Expr) -> bool {
    expr.nodes().into_iter().any(|node| match node {
        Expr::Literal(literal) => !is_finite(literal.value),
        Expr::Unary(op, _) => !matches!(op, UnaryOp::Neg | UnaryOp::Abs),
        Expr::Binary(op, ..) => {
            !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max)
        }
        Expr::Access(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => false,
    })
}

pub fn is_finite(scalar: Scalar) -> bool {
    match scalar {
        Scalar::Float(x) => x.is_finite(),
        Scalar::Complex(z) => z.re.is_finite() && z.im.is_finite(),
        Scalar::Int(_) => true,
    }
}

/// The encoding that replaces one with padding: compressed levels, for a matrix below a dense one.
pub fn unpadded(encoding: &Encoding) -> Option<Arc<Encoding>> {
    let pads = encoding.levels().iter().any(|level| level.format.pads());
    let dims: Vec<Dim> = (0..encoding.dim_rank()).map(Dim::new).collect();
    let names = encoding.dims().iter().map(|dim| dim.name.clone()).collect();
    if pads { sorted_levels(names, &dims, dims.len() == 2) } else { None }
}

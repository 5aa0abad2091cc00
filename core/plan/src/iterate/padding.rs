//! Padding: slots of a level that hold no entry. They must not affect a result.

use std::{cell::OnceCell, sync::Arc};

use super::{fold::folded, magnitude::Magnitudes, sorted_levels};
use nnz_base::{
    element::{Element, Scalar},
    ids::{Dim, TensorId},
};
use nnz_encoding::Encoding;
use nnz_kernel::{BinaryOp, Expr, Kernel};

/// Whether padding that counted as an entry would affect the result: the kernel depends on what is stored, stores what
/// it finds, or multiplies with values that may not be finite. A filter that zeros do not pass, such as that of a
/// conversion, leaves padding out itself. `largest` gives the greatest magnitude in a tensor, infinity if there is a NaN.
pub fn minds_padding(kernel: &Kernel, largest: &dyn Fn(TensorId) -> f64) -> bool {
    let result = kernel.tensor(kernel.result().tensor).encoding.as_ref();
    let stores = result.is_some_and(|encoding| !encoding.has_fill());
    (stores && !drops_zeros(kernel.expr())) || minds_zeros(kernel, &|_| true, largest)
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

/// Whether zeros in the place of what is absent would affect the values: the kernel depends on what is stored, or scales an
/// operand that has such zeros according to `is_copy`. `0 * inf` and `0 / 0` are not numbers.
pub fn minds_zeros(kernel: &Kernel, is_copy: &dyn Fn(TensorId) -> bool, largest: &dyn Fn(TensorId) -> f64) -> bool {
    // Finding it reads all values of a tensor, so it is done once.
    let known: Vec<OnceCell<f64>> = kernel.tensors().iter().map(|_| OnceCell::new()).collect();
    let largest = &|tensor: TensorId| {
        known.get(tensor.index()).map_or(f64::INFINITY, |known| *known.get_or_init(|| largest(tensor)))
    };
    let special = || (0..known.len()).any(|at| largest(TensorId::new(at)).is_infinite());
    let reads = |node: &Expr| node.accesses().into_iter().any(|access| is_copy(access.tensor));
    let magnitudes = Magnitudes { kernel, largest };
    let minds = |node: &Expr| node.asks_for_presence() || (reads(node) && scales(node, &magnitudes, &special));
    kernel.expr().nodes().into_iter().any(minds)
}

/// A product of which a factor may be no finite number, or a quotient by what may be zero.
fn scales(node: &Expr, magnitudes: &Magnitudes<'_>, special: &dyn Fn() -> bool) -> bool {
    match node {
        Expr::Binary(BinaryOp::Mul, left, right) => {
            [left, right].into_iter().any(|factor| magnitudes.of(factor).is_infinite()) || special()
        }
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

//! The sizes of a tensor that are known before it has data.

use nnz_base::ids::{Dim, Lvl};
use nnz_encoding::{Affine, Encoding};
use nnz_kernel::Tensor;

/// The product of the sizes.
pub(super) fn entries(shape: &[u64]) -> u128 {
    shape.iter().fold(1, |product, &size| product.saturating_mul(u128::from(size)))
}

/// The entries of a randomly accessed tensor, the padding of its blocks included.
pub(super) fn entries_of(tensor: &Tensor) -> u128 {
    match &tensor.encoding {
        None => entries(&tensor.shape),
        Some(encoding) => (0..encoding.lvl_rank()).fold(1, |product, at| {
            product.saturating_mul(u128::from(plain_size(encoding, Lvl::new(at), &tensor.shape)))
        }),
    }
}

/// The size of a level that is a dimension, its blocks or the place in a block.
pub(super) fn plain_size(encoding: &Encoding, lvl: Lvl, shape: &[u64]) -> u64 {
    let expr = &encoding.levels()[lvl.index()].expr;
    let size = |e: &Affine<Dim>| e.as_var().and_then(|dim| shape.get(dim.index()).copied()).unwrap_or(0);
    let constant = |c: i64| u64::try_from(c).unwrap_or(0);
    if let Some((_, modulus)) = expr.as_mod() {
        return constant(modulus);
    }
    match expr.as_floordiv() {
        Some((e, block)) => size(e).div_ceil(constant(block).max(1)),
        None => size(expr),
    }
}

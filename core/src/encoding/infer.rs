//! The inverse of a map: how each dimension follows from the levels.

use super::{Affine, EncodingParts};
use crate::ids::{Dim, Lvl};

/// One expression per dimension, or `None` where the levels do not determine it.
pub fn infer(parts: &EncodingParts) -> Option<Vec<Affine<Lvl>>> {
    (0..parts.dims.len()).map(|at| infer_dim(parts, Dim::new(at))).collect()
}

fn infer_dim(parts: &EncodingParts, dim: Dim) -> Option<Affine<Lvl>> {
    let find = |wanted: &dyn Fn(&Affine<Dim>) -> bool| {
        parts.levels.iter().position(|level| wanted(&level.expr)).map(|at| Affine::Var(Lvl::new(at)))
    };
    if let Some(level) = find(&|e| e.as_var() == Some(dim)) {
        return Some(level);
    }
    let of_dim = |pair: Option<(&Affine<Dim>, i64)>| pair.filter(|(e, _)| e.as_var() == Some(dim)).map(|(_, c)| c);
    let size = parts.levels.iter().find_map(|level| of_dim(level.expr.as_floordiv()))?;
    let outer = find(&|e| of_dim(e.as_floordiv()) == Some(size))?;
    let inner = find(&|e| of_dim(e.as_mod()) == Some(size))?;
    let scaled = Affine::Mul(Box::new(outer), Box::new(Affine::Const(size)));
    Some(Affine::Add(Box::new(scaled), Box::new(inner)))
}

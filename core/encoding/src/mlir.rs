//! MLIR 22's view of an encoding: which maps it can invert, and how.

use super::{Affine, EncodingParts};
use nnz_base::ids::{Dim, Lvl};

/// MLIR 22's treatment of the map of an encoding that nnz accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MlirMap {
    /// The same as nnz.
    Same,
    /// It refuses the map.
    Refused,
    /// It refuses this spelling of a right inverse.
    RefusedInverse(Dim),
    /// It infers a wrong inverse, or crashes.
    WrongInverse,
    /// It verifies the map and crashes on conversions.
    Symbols,
}

/// Whether the map can only be read back with its inverse written out.
pub(super) fn needs_inverse(parts: &EncodingParts) -> bool {
    super::infer::infer(parts).is_err()
}

/// MLIR 22's treatment of a legal map.
pub fn of_map(parts: &EncodingParts, inverse: Option<&[Affine<Lvl>]>) -> MlirMap {
    if parts.levels.iter().any(|level| level.expr.has_symbol()) {
        return MlirMap::Symbols;
    }
    if !parts.symbols.is_empty() && parts.inverse.iter().all(Option::is_none) {
        return MlirMap::Same; // It infers no inverse then, and needs none.
    }
    let Some(inferred) = permutation(parts).or_else(|| blocks(parts)) else { return MlirMap::Refused };
    if inverse.is_some_and(|right| right != inferred) {
        return MlirMap::WrongInverse;
    }
    let written = parts.inverse.iter().any(Option::is_some);
    let differs = |(at, expr): (usize, &Option<Affine<Lvl>>)| (expr.as_ref() != inferred.get(at)).then(|| Dim::new(at));
    match parts.inverse.iter().enumerate().find_map(differs) {
        Some(dim) if written => MlirMap::RefusedInverse(dim),
        _ => MlirMap::Same,
    }
}

fn permutation(parts: &EncodingParts) -> Option<Vec<Affine<Lvl>>> {
    let find = |dim| parts.levels.iter().position(|level| level.expr.as_var() == Some(dim));
    let inverse = (0..parts.dims.len()).map(|at| find(Dim::new(at)).map(|lvl| Affine::Var(Lvl::new(lvl))));
    (parts.levels.len() == parts.dims.len()).then_some(())?;
    inverse.collect()
}

/// Bare levels in the order of the levels, then the blocked dimensions in theirs, as MLIR lines them up.
fn blocks(parts: &EncodingParts) -> Option<Vec<Affine<Lvl>>> {
    let mut bare = Vec::new();
    let mut blocked: Vec<(Dim, i64, Lvl, Option<Lvl>)> = Vec::new();
    for (at, level) in parts.levels.iter().enumerate() {
        let lvl = Lvl::new(at);
        if level.expr.as_var().is_some() {
            bare.push(Affine::Var(lvl));
        } else if let Some((e, c)) = level.expr.as_floordiv() {
            blocked.push((e.as_var()?, c, lvl, None));
        } else {
            let (e, c) = level.expr.as_mod()?;
            let (_, _, _, inner) = blocked.iter_mut().find(|(dim, size, ..)| e.as_var() == Some(*dim) && *size == c)?;
            *inner = Some(lvl);
        }
    }
    blocked.sort_by_key(|(dim, ..)| *dim);
    let put_together = |(_, c, outer, inner): &(Dim, i64, Lvl, Option<Lvl>)| {
        let scaled = Affine::Var(*outer).scaled(*c);
        inner.map_or(scaled.clone(), |inner| Affine::add(scaled, Affine::Var(inner)))
    };
    bare.extend(blocked.iter().map(put_together));
    blocked.iter().any(|(.., inner)| inner.is_some()).then_some(bare)
}

//! How operands are accessed: dense ones anywhere, the sparse one along its levels.

use std::sync::Arc;

use super::PlanError;
use crate::{
    encoding::{Affine, Encoding, LevelFormat},
    ids::{Dim, IndexVar, Lvl, TensorId},
    kernel::{Access, Expr, Kernel, Tensor},
};

/// The one operand whose stored entries are visited.
#[derive(Clone, Debug)]
pub struct SparseOperand {
    pub tensor: TensorId,
    pub encoding: Arc<Encoding>,
    /// The variable that each dimension is accessed with.
    pub indices: Vec<IndexVar>,
    /// How the coordinate of each dimension follows from those of the levels.
    pub inverse: Vec<Affine<Lvl>>,
    /// No two stored entries have equal coordinates.
    pub unique: bool,
}

/// Whether the place of any entry can be computed: no encoding, or only levels that are full and that
/// store a dimension, its blocks or the places in blocks. All other operands are walked as sparse ones.
pub fn is_random_access(tensor: &Tensor) -> bool {
    let computed = |encoding: &Arc<Encoding>| {
        encoding.levels().iter().all(|level| level.format.is_full() && is_plain(&level.expr))
    };
    tensor.encoding.as_ref().is_none_or(computed)
}

/// The sparse operand of `kernel`, if it has one.
pub(super) fn find(kernel: &Kernel) -> Result<Option<SparseOperand>, PlanError> {
    let accesses = kernel.expr().accesses();
    let mut sparse = accesses.into_iter().filter(|access| !is_random_access(kernel.tensor(access.tensor)));
    let Some(first) = sparse.next() else { return Ok(None) };
    for other in sparse {
        same_access(kernel, first, other)?;
    }
    of_access(kernel, first)
}

/// A dimension, its blocks of constant size, or the place in a block: never negative, and of known size.
pub(crate) fn is_plain(expr: &Affine<Dim>) -> bool {
    let of_dim = |pair: Option<(&Affine<Dim>, i64)>| pair.is_some_and(|(e, c)| e.as_var().is_some() && c > 0);
    expr.as_var().is_some() || of_dim(expr.as_floordiv()) || of_dim(expr.as_mod())
}

fn same_access(kernel: &Kernel, first: &Access, other: &Access) -> Result<(), PlanError> {
    let text = |access: &Access| kernel.expr_text(&Expr::Access(access.clone()));
    if first.tensor != other.tensor {
        let name = |access: &Access| kernel.tensor(access.tensor).name.clone();
        return Err(PlanError::TwoSparse { first: name(first), second: name(other) });
    }
    if first.indices != other.indices {
        return Err(PlanError::TwoAccesses { first: text(first), second: text(other) });
    }
    Ok(())
}

fn of_access(kernel: &Kernel, access: &Access) -> Result<Option<SparseOperand>, PlanError> {
    let tensor = kernel.tensor(access.tensor);
    let Some(encoding) = tensor.encoding.clone() else { return Ok(None) };
    let inverse = (0..tensor.shape.len()).map(|at| determined(&encoding, Dim::new(at)).ok_or(Dim::new(at)));
    let inverse: Vec<Affine<Lvl>> = inverse
        .collect::<Result<_, _>>()
        .map_err(|dim| PlanError::Undetermined { tensor: tensor.name.clone(), dim })?;
    let unique = is_unique(&encoding, &inverse);
    let indices = access.as_vars().ok_or_else(|| PlanError::AffineAccess {
        tensor: tensor.name.clone(),
        access: kernel.expr_text(&Expr::Access(access.clone())),
    })?;
    Ok(Some(SparseOperand { tensor: access.tensor, encoding, indices, inverse, unique }))
}

/// The dimension by the inverse map or, where a symbol keeps that open, the level that is the dimension.
fn determined(encoding: &Encoding, dim: Dim) -> Option<Affine<Lvl>> {
    let inverse = encoding.inverse().and_then(|inverse| inverse.get(dim.index()).cloned());
    let plain = || encoding.levels().iter().position(|level| level.expr.as_var() == Some(dim));
    inverse.or_else(|| plain().map(|at| Affine::Var(Lvl::new(at))))
}

/// Whether coordinates cannot repeat: the last level of every run of levels that stores coordinates
/// together is unique, and no level is there that the dimensions do not follow from.
fn is_unique(encoding: &Encoding, inverse: &[Affine<Lvl>]) -> bool {
    let formats: Vec<LevelFormat> = encoding.levels().iter().map(|level| level.format).collect();
    let goes_on = |at: usize| formats.get(at + 1).is_some_and(|format| format.is_branchless());
    let run_ends_unique = (0..formats.len()).all(|at| goes_on(at) || !formats[at].props().nonunique);
    let read: Vec<Lvl> = inverse.iter().flat_map(Affine::vars).collect();
    run_ends_unique && (0..formats.len()).all(|at| read.contains(&Lvl::new(at)))
}

impl SparseOperand {
    /// The levels that the dimension's coordinate follows from.
    pub fn levels_of(&self, dim: Dim) -> Vec<Lvl> {
        self.inverse.get(dim.index()).map_or(Vec::new(), Affine::vars)
    }

    /// How many levels, outermost first, must be entered before the dimension's coordinate is known.
    pub fn known_after(&self, dim: Dim) -> usize {
        self.levels_of(dim).into_iter().map(|lvl| lvl.index() + 1).max().unwrap_or(0)
    }

    /// The dimension that gives `var` its value: of those accessed with it, the one known first. The
    /// others are compared with it.
    pub fn binding_dim(&self, var: IndexVar) -> Option<Dim> {
        let dims = (0..self.indices.len()).filter(|&at| self.indices[at] == var).map(Dim::new);
        dims.min_by_key(|dim| (self.known_after(*dim), dim.index()))
    }
}

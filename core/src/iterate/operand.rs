//! How operands are accessed: dense ones anywhere, sparse ones along their levels.

use std::sync::Arc;

use super::{OperandId, PlanError};
use crate::{
    encoding::{Affine, Encoding, LevelFormat},
    ids::{Dim, IndexVar, Lvl, TensorId},
    kernel::{Access, Expr, Kernel, Tensor},
};

/// One way of accessing a sparse tensor.
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

/// The sparse accesses of `exprs`, each once, in the order of the text.
///
/// # Errors
/// An encoding whose levels do not determine the dimensions.
pub(super) fn of_exprs<'e>(
    kernel: &Kernel,
    exprs: impl Iterator<Item = &'e Expr>,
) -> Result<Vec<SparseOperand>, PlanError> {
    let mut operands: Vec<SparseOperand> = Vec::new();
    for access in exprs.flat_map(Expr::accesses) {
        if !is_random_access(kernel.tensor(access.tensor)) && find(&operands, access).is_none() {
            operands.extend(of_access(kernel, access)?);
        }
    }
    Ok(operands)
}

/// The operand that `access` is.
pub fn find(operands: &[SparseOperand], access: &Access) -> Option<OperandId> {
    operands.iter().position(|operand| operand.is(access)).map(OperandId::new)
}

/// A dimension, its blocks of constant size, or the place in a block: never negative, and of known size.
pub(crate) fn is_plain(expr: &Affine<Dim>) -> bool {
    let of_dim = |pair: Option<(&Affine<Dim>, i64)>| pair.is_some_and(|(e, c)| e.as_var().is_some() && c > 0);
    expr.as_var().is_some() || of_dim(expr.as_floordiv()) || of_dim(expr.as_mod())
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

/// Whether the last level of every run of levels that stores coordinates together is unique.
pub(super) fn runs_end_unique(encoding: &Encoding) -> bool {
    let formats: Vec<LevelFormat> = encoding.levels().iter().map(|level| level.format).collect();
    let goes_on = |at: usize| formats.get(at + 1).is_some_and(|format| format.is_branchless());
    (0..formats.len()).all(|at| goes_on(at) || !formats[at].props().nonunique)
}

/// Whether coordinates cannot repeat: the last level of every run of levels that stores coordinates
/// together is unique, and no level is there that the dimensions do not follow from, but for counts: they
/// deal distinct entries to slices.
fn is_unique(encoding: &Encoding, inverse: &[Affine<Lvl>]) -> bool {
    let read: Vec<Lvl> = inverse.iter().flat_map(Affine::vars).collect();
    let counts = |at: usize| encoding.levels()[at].counts().is_some();
    runs_end_unique(encoding) && (0..encoding.lvl_rank()).all(|at| read.contains(&Lvl::new(at)) || counts(at))
}

impl SparseOperand {
    pub fn is(&self, access: &Access) -> bool {
        self.tensor == access.tensor && access.as_vars().as_ref() == Some(&self.indices)
    }

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

    /// The variable that a level is, where every level is one.
    pub fn level_var(&self, lvl: Lvl) -> Option<IndexVar> {
        let dim = self.encoding.levels().get(lvl.index())?.expr.as_var()?;
        self.indices.get(dim.index()).copied()
    }

    /// The variables of the levels, outermost first, where each level is a variable of its own that can
    /// be merged with others: its coordinates come in order and once.
    pub fn mergeable(&self) -> Option<Vec<IndexVar>> {
        self.encoding.levels().iter().all(|level| level.format.merges()).then_some(())?;
        self.mergeable_vars()
    }

    /// The variables of the levels, where each level is one of its own.
    fn mergeable_vars(&self) -> Option<Vec<IndexVar>> {
        let vars: Option<Vec<IndexVar>> =
            (0..self.encoding.lvl_rank()).map(|at| self.level_var(Lvl::new(at))).collect();
        let distinct = |vars: &Vec<IndexVar>| (1..vars.len()).all(|at| !vars[..at].contains(&vars[at]));
        vars.filter(distinct).filter(|vars| vars.len() == self.indices.len())
    }

    /// Whether the levels, walked as they are stored, meet the values of every variable in ascending order
    /// wherever all other variables stay the same.
    pub fn ascends(&self) -> bool {
        let levels = self.encoding.levels().iter();
        let mut exprs = levels.clone().map(|level| &level.expr);
        let ordered = levels.into_iter().all(|level| !level.format.props().nonordered);
        ordered && exprs.all(|expr| expr.as_var().is_some()) && self.mergeable_vars().is_some()
    }

    /// Whether loops in `order` meet the levels in the order of storage: concordant access.
    pub fn follows(&self, order: &[IndexVar]) -> bool {
        let rank = |var: &IndexVar| order.iter().position(|other| other == var);
        self.mergeable().is_some_and(|vars| {
            let ranks: Option<Vec<usize>> = vars.iter().map(rank).collect();
            ranks.is_some_and(|ranks| ranks.is_sorted())
        })
    }
}

//! How operands are accessed: dense ones anywhere, sparse ones along their levels.

use std::{ops::Range, sync::Arc};

use super::{Condition, OperandId, PlanError, zero};
use nnz_base::ids::{Dim, IndexVar, Lvl, TensorId};
use nnz_encoding::{Affine, Encoding, LevelFormat};
use nnz_kernel::{Access, Expr, Kernel, Tensor};

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
    /// The condition that gives its entries, all 1, if it is an operand that is never stored.
    pub condition: Option<Condition>,
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
    (kernel, conditions): (&Kernel, &[Condition]),
    exprs: impl Iterator<Item = &'e Expr>,
) -> Result<Vec<SparseOperand>, PlanError> {
    let mut operands: Vec<SparseOperand> = Vec::new();
    for access in exprs.flat_map(Expr::accesses) {
        if !is_random_access(kernel.tensor(access.tensor)) && find(&operands, access).is_none() {
            let condition = conditions.iter().find(|condition| condition.tensor == access.tensor);
            operands.extend(of_access(kernel, access, condition)?);
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

fn of_access(
    kernel: &Kernel,
    access: &Access,
    condition: Option<&Condition>,
) -> Result<Option<SparseOperand>, PlanError> {
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
    Ok(Some(SparseOperand { tensor: access.tensor, encoding, indices, inverse, unique, condition: condition.cloned() }))
}

/// The dimension by the inverse map. If a symbol leaves that open, it is the level whose expression is the dimension.
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

    /// Whether `expr` is absent wherever the operand has no entry, whichever of `operands` have one.
    pub fn is_needed(&self, kernel: &Kernel, expr: &Expr, operands: &[SparseOperand]) -> bool {
        let absent = |access: &Access| self.is(access);
        let open = |access: &Access| operands.iter().any(|operand| operand.is(access)) && !absent(access);
        zero::simplify_open(kernel, expr, &absent, &open).is_none()
    }

    /// Whether every entry belongs to one value of each of `vars`: the operand has them all, and entries do not share
    /// positions.
    pub(crate) fn determines(&self, vars: &[IndexVar]) -> bool {
        let shares = self.encoding.levels().iter().any(|level| level.format.shares_positions());
        !shares && vars.iter().all(|var| self.indices.contains(var))
    }

    /// As expressions write it.
    pub fn access(&self) -> Access {
        Access::of_vars(self.tensor, &self.indices)
    }

    /// The levels that the dimension's coordinate follows from.
    pub fn levels_of(&self, dim: Dim) -> Vec<Lvl> {
        self.inverse.get(dim.index()).map_or(Vec::new(), Affine::vars)
    }

    /// How many levels, outermost first, must be entered before the dimension's coordinate is known.
    pub(crate) fn known_after(&self, dim: Dim) -> usize {
        self.levels_of(dim).into_iter().map(|lvl| lvl.index() + 1).max().unwrap_or(0)
    }

    /// The dimension that gives `var` its value: of those accessed with it, the one known first. The
    /// others are compared with it.
    pub(crate) fn binding_dim(&self, var: IndexVar) -> Option<Dim> {
        let dims = (0..self.indices.len()).filter(|&at| self.indices[at] == var).map(Dim::new);
        dims.min_by_key(|dim| (self.known_after(*dim), dim.index()))
    }

    /// The variable of a level, if every level is a variable.
    pub fn level_var(&self, lvl: Lvl) -> Option<IndexVar> {
        let dim = self.encoding.levels().get(lvl.index())?.expr.as_var()?;
        self.indices.get(dim.index()).copied()
    }

    /// The variables of the levels, outermost first, if each level is a separate variable that can be merged
    /// with others: its coordinates are ordered and unique.
    pub(crate) fn mergeable(&self) -> Option<Vec<IndexVar>> {
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
    pub(crate) fn ascends(&self) -> bool {
        let levels = self.encoding.levels().iter();
        let mut exprs = levels.clone().map(|level| &level.expr);
        let ordered = levels.into_iter().all(|level| !level.format.props().nonordered);
        ordered && exprs.all(|expr| expr.as_var().is_some()) && self.mergeable_vars().is_some()
    }

    /// Whether loops in `order` reach the entries: they meet the levels in the order of storage, concordant access,
    /// or look up those that they meet out of it.
    pub fn follows(&self, order: &[IndexVar]) -> bool {
        let rank = |var: &IndexVar| order.iter().position(|other| other == var);
        match self.mergeable() {
            Some(vars) => {
                let ranks: Option<Vec<usize>> = vars.iter().map(rank).collect();
                ranks.is_some_and(|ranks| ranks.is_sorted())
            }
            None => (0..order.len()).next_back().is_some_and(|last| {
                self.levels_entered(order, last).is_some_and(|levels| levels.end == self.encoding.lvl_rank())
            }),
        }
    }

    // Levels that are looked up.

    /// Whether loops can look the level up: it locates, and its coordinate follows from one variable's value.
    pub(crate) fn looks_up(&self, lvl: Lvl) -> bool {
        let level = self.encoding.levels().get(lvl.index());
        level.is_some_and(|level| level.format.locates() && is_plain(&level.expr))
    }

    /// Whether loops over `var` can look the operand up, so they may visit coordinates where it is absent.
    pub(crate) fn is_looked_up_along(&self, var: IndexVar) -> bool {
        self.partial_levels(var).any(|lvl| self.looks_up(lvl))
    }

    /// Whether a level that stores only some coordinates is looked up at the coordinates of other operands.
    pub(crate) fn has_looked_up_level(&self) -> bool {
        self.indices.iter().any(|var| self.is_looked_up_along(*var))
    }

    /// The levels that follow from `var`, and store only some coordinates.
    pub(crate) fn partial_levels(&self, var: IndexVar) -> impl Iterator<Item = Lvl> {
        let partial = move |lvl: &Lvl| !self.encoding.format(*lvl).is_full() && self.level_vars(*lvl).contains(&var);
        (0..self.encoding.lvl_rank()).map(Lvl::new).filter(partial)
    }

    /// Whether the loop over `var`, for loops in `order`, may find no entry.
    pub(crate) fn may_end_at(&self, var: IndexVar, order: &[IndexVar]) -> bool {
        let partial = |at: usize| !self.encoding.format(Lvl::new(at)).is_full();
        let at = order.iter().position(|other| *other == var).filter(|_| self.has_looked_up_level());
        match at.and_then(|at| self.levels_entered(order, at)) {
            Some(mut levels) => levels.any(partial),
            None => self.partial_levels(var).count() > 0,
        }
    }

    /// Whether one of the levels from the `first` on stores only some coordinates.
    pub(crate) fn has_partial_level_from(&self, first: usize) -> bool {
        (first..self.encoding.lvl_rank()).any(|at| !self.encoding.format(Lvl::new(at)).is_full())
    }

    /// Whether entries can be looked up wherever all variables are known.
    pub(crate) fn is_looked_up(&self) -> bool {
        (0..self.encoding.lvl_rank()).all(|at| self.looks_up(Lvl::new(at)))
    }

    /// Whether entries can be looked up at the coordinates of loops that visit some values of `vars` and all values
    /// of other variables. Entries of a hash table can be looked up only if its variables are among `vars`.
    pub(crate) fn is_found_with(&self, vars: &[IndexVar]) -> bool {
        let among = |lvl: &Lvl| self.level_vars(*lvl).iter().all(|var| vars.contains(var));
        let found = |lvl: Lvl| self.looks_up(lvl) && (self.encoding.format(lvl).has_every_place() || among(&lvl));
        (0..self.encoding.lvl_rank()).all(|at| found(Lvl::new(at)))
    }

    /// The variables that the level's coordinate follows from.
    pub(crate) fn level_vars(&self, lvl: Lvl) -> Vec<IndexVar> {
        let dims = self.encoding.levels().get(lvl.index()).map_or(Vec::new(), |level| level.expr.vars());
        dims.into_iter().filter_map(|dim: Dim| self.indices.get(dim.index()).copied()).collect()
    }

    /// The levels that the `at`th of loops in `order` enters: one that it walks, or as many as can be looked up then.
    /// `None` if it would have to do both at once, which needs the entries in advance.
    pub(crate) fn levels_entered(&self, order: &[IndexVar], at: usize) -> Option<Range<usize>> {
        let mut levels = 0..0;
        for last in 0..=at.min(order.len().saturating_sub(1)) {
            levels = self.entered_at(levels.end, order.get(..=last)?)?;
        }
        Some(levels)
    }

    /// The levels from the `first` on that the loop over the last of the variables `bound` enters.
    fn entered_at(&self, first: usize, bound: &[IndexVar]) -> Option<Range<usize>> {
        let format = |at: usize| self.encoding.levels().get(at).map(|level| level.format);
        let walks = format(first).is_some_and(|format| format.merges() && !format.is_full())
            && self.level_var(Lvl::new(first)) == bound.last().copied();
        let mut end = first + usize::from(walks);
        let known = |at: usize| self.level_vars(Lvl::new(at)).iter().all(|var| bound.contains(var));
        while self.looks_up(Lvl::new(end)) && known(end) {
            if walks && !format(end)?.is_full() {
                return None;
            }
            end += 1;
        }
        Some(first..end)
    }
}

//! From a kernel to its loops.
//!
//! The expression is split into additive terms, and each term gets loops of one of two kinds.
//! - A term that is zero wherever its one sparse operand is absent follows that operand, the *leader*,
//!   level by level as it is stored, whatever its encoding; then come the variables that it does not bind.
//! - Any other term has one loop per variable. Each loop visits what the [`Lattice`] of the term requires: the union of
//!   some operands, the intersection of others, or all coordinates.
//!
//! The planner chooses the order of loops with the least estimated cost (`order.rs`). Operands that it would read
//! against the order of their storage, a cycle in the [`IterationGraph`] (Kjolstad 2017, section 4), are converted
//! first: a [`Derived`] tensor takes their place.
//!
//! Each term has one loop nest that adds to a dense result. A sparse result is assembled in the order of its levels
//! ([`Assembly`]), with a dense workspace for its last variable if a reduction loop is outside it (Kjolstad 2019). If
//! the result has the same entries as an operand, it reuses that operand's level arrays.

mod assembly;
mod blocks;
mod combine;
mod conditions;
mod conversion;
mod derive;
mod describe;
mod explain;
mod factors;
pub(crate) mod fold;
mod graph;
pub(crate) mod guard;
mod hint;
mod lattice;
mod list;
mod lookup;
mod magnitude;
pub mod masks;
mod nests;
mod operand;
mod order;
mod padding;
mod placement;
mod planner;
mod presence;
mod quote;
mod rename;
mod rows;
mod sequence;
mod settle;
mod split;
mod strides;
mod terms;
mod turned;
#[cfg(test)]
mod tests;
mod wishes;
pub mod zero;

pub use assembly::{Assembly, Capacity, Method, Space};
pub use blocks::{Blocked, Blocks};
pub use conditions::Condition;
pub use conversion::{conversion, is_direct};
pub use derive::{DeriveReason, Derived, sorted as sorted_levels};
pub use describe::{AccessKind, AccessText, EdgeText, GraphText, LoopText, Role, describe};
pub use explain::{PlanRow, count as steps_text, lattices, plan_text};
pub use graph::{Edge, EdgeReason, Iterates, IterationGraph, Loop, LoopId};
pub(crate) use graph::{is_filtered, is_full, without_partial};
pub use hint::{EveryReason, Hint};
pub use lattice::{Case, Lattice, MOST_WALKERS, OperandId, Presence, Region};
pub use magnitude::magnitude;
pub(crate) use operand::is_plain;
pub use operand::{SparseOperand, find, is_random_access};
pub use order::conversion_steps;
pub use padding::{is_finite, minds_padding, minds_zeros, unpadded};
pub use placement::Placement;
pub use quote::hints_on;
pub use rows::{Fill, Row};
pub use split::Term;
pub(crate) use terms::entry_terms;
pub use terms::taken_apart;
pub use wishes::{Assembling, Wishes};

use std::{borrow::Cow, sync::Arc};

use nnz_base::ids::{Dim, IndexVar};
use nnz_encoding::Encoding;
use nnz_kernel::{Access, Kernel, KernelError, ReduceOp};
use planner::planned;

/// A kernel for which no loops can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("the levels of `{tensor}` do not determine its dimension {}", .dim.index())]
    Undetermined { tensor: String, dim: Dim },
    #[error("not supported: {found} sparse operands in one loop; {MOST_WALKERS} is the most")]
    ManyOperands { found: usize },
    #[error("not supported yet: the sparse operand at computed places, `{access}`")]
    AffineAccess { tensor: String, access: String },
    #[error("nnz rewrote the kernel to one that is not valid: {0}")]
    Rewrite(String),
}

impl PlanError {
    fn rewrite(errors: Vec<KernelError>) -> PlanError {
        PlanError::Rewrite(errors.first().map_or(String::new(), ToString::to_string))
    }
}

/// The loops that compute a kernel.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The kernel as it is computed: with derived tensors after its own, and with the encoding in which the result is
    /// computed.
    pub kernel: Kernel,
    pub derived: Vec<Derived>,
    /// Tensors after the kernel's own that are never stored: conditions.
    pub conditions: Vec<Condition>,
    /// The sparse accesses, each once.
    pub operands: Vec<SparseOperand>,
    /// How terms combine in an entry of the result.
    pub combine: ReduceOp,
    /// As the expression was split into them, before operands are converted.
    pub terms: Vec<Term>,
    pub result: ResultPlan,
    /// The encoding to which the computed result is converted at the end.
    pub converted: Option<Arc<Encoding>>,
    pub hints: Vec<Hint>,
    /// Not all orders of the loops were tried.
    pub hasty: bool,
}

/// How the result is made.
#[derive(Clone, Debug)]
pub enum ResultPlan {
    /// Any entry can be written at any time: `everywhere` starts every entry, then each nest adds to them.
    Dense { everywhere: Vec<Term>, vars: Vec<IndexVar>, nests: Vec<Nest> },
    /// The result has the entries of an operand: one value for each, in its place.
    Inherited { nest: Nest, operand: OperandId },
    /// Entries are appended in the order of the levels.
    Assembled(Assembly),
}

/// The loops of one term.
#[derive(Clone, Debug)]
pub struct Nest {
    pub term: Term,
    /// The operand whose levels are the outer loops.
    pub leader: Option<OperandId>,
    /// The variables of the target that it adds to.
    pub target: Vec<IndexVar>,
    /// Every variable, those of reductions inside the term last.
    pub order: Vec<IndexVar>,
    pub graph: IterationGraph,
    pub placement: Placement,
}

impl Nest {
    /// The variables in the order of the loops, outermost first, those of reductions inside the term last.
    pub(crate) fn loop_order(&self) -> Vec<IndexVar> {
        let inside = self.term.body.bound_vars();
        let rest = self.order.iter().copied().filter(|var| inside.contains(var));
        self.graph.variables().chain(rest).collect()
    }
}

/// Plans the loops of `kernel`.
///
/// # Errors
/// A kernel for which no loops can be made.
pub fn plan(kernel: &Kernel) -> Result<Plan, PlanError> {
    plan_wished(kernel, &Wishes::default())
}

/// As [`plan`], following `wishes` as far as possible.
///
/// # Errors
/// A kernel for which no loops can be made.
pub fn plan_wished(kernel: &Kernel, wishes: &Wishes) -> Result<Plan, PlanError> {
    let kernel = &*prepared(kernel)?;
    // Where too many operands would meet in one loop, conditions are asked at every coordinate.
    if !wishes.is_body
        && let Some((kernel, conditions)) = conditions::as_operands(kernel)?
        && let Ok(plan) = planned(&kernel, &conditions, wishes)
    {
        return Ok(plan);
    }
    planned(kernel, &[], wishes)
}

/// `kernel` with everything written out that depends on the sparsity of its operands: the values of reductions without
/// terms, and factors applied to the terms of sums. Dense copies with masks may then replace the operands.
///
/// # Errors
/// A kernel for which no loops can be made.
pub fn written_out(kernel: &Kernel, is_body: bool) -> Result<Kernel, PlanError> {
    let kernel = prepared(kernel)?;
    let is_sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    let expr = match split::unvalued(&kernel, &is_sparse, is_body) {
        (by @ ReduceOp::Sum, terms) => terms::spelled_out(&by, &terms),
        _ => None,
    };
    let Some(expr) = expr else { return Ok(kernel.into_owned()) };
    kernel.rewritten(kernel.tensors().to_vec(), kernel.declarations(), expr).map_err(PlanError::rewrite)
}

/// `kernel` as it is split into terms.
fn prepared(kernel: &Kernel) -> Result<Cow<'_, Kernel>, PlanError> {
    let mut kernel = Cow::Borrowed(kernel);
    for step in [turned::turned, settle::settled, presence::decided, rename::unshadowed] {
        if let Some(next) = step(&kernel)? {
            kernel = Cow::Owned(next);
        }
    }
    Ok(kernel)
}

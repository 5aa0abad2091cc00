//! From a kernel to the order of its loops.
//!
//! The expression is split into additive terms. A term that is zero wherever the sparse operand is
//! absent becomes a [`Nest`]: loops over the operand's levels, outer to inner as they are stored, and
//! inside them loops over the variables that the operand does not bind. Every other term visits every
//! coordinate of the result; if it uses the sparse operand, the operand is first scattered into a dense
//! workspace, and [`Plan::hints`] says so.
//!
//! The order of the loops is a topological order of an [`IterationGraph`] (Kjolstad 2017, section 4).
//! Of the loops that no edge orders, dense reduction variables come first and then the result's
//! variables in the order of its storage, so that the innermost loop runs along the result's memory.
//!
//! This version takes one sparse operand, always accessed with the same indices, and a dense result.

mod describe;
mod graph;
mod operand;
mod placement;
mod split;
#[cfg(test)]
mod tests;
pub(crate) mod zero;

pub use describe::{AccessKind, AccessText, EdgeText, GraphText, LoopText, Role, describe};
pub use graph::{Edge, EdgeReason, Iterates, IterationGraph, Loop, LoopId};
pub(crate) use operand::is_plain;
pub use operand::{SparseOperand, is_random_access};
pub use placement::Placement;
pub use split::Term;

use std::collections::BTreeSet;

use crate::{
    ids::{Dim, IndexVar, TensorId},
    kernel::{Access, Expr, IndexVarInfo, Kernel, Over, ReduceOp, Target},
};

/// A kernel that this version cannot order loops for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("not supported yet: two sparse operands, `{first}` and `{second}`; this version takes one")]
    TwoSparse { first: String, second: String },
    #[error("not supported yet: the sparse operand with different indices, `{first}` and `{second}`")]
    TwoAccesses { first: String, second: String },
    #[error("not supported yet: the sparse result `{tensor}`; this version computes dense ones")]
    SparseResult { tensor: String },
    #[error("not supported yet: the sparse operand at computed places, `{access}`")]
    AffineAccess { tensor: String, access: String },
    /// A part of the expression that the loops of this version do not compute.
    #[error("not supported yet: {what}")]
    NotYet { what: String },
    #[error("the levels of `{tensor}` do not determine its dimension {}", .dim.index())]
    Undetermined { tensor: String, dim: Dim },
}

/// The loops that compute a kernel, in order: scatter the sparse operand if `workspace` says so; visit
/// every coordinate of the result for `everywhere`; then each nest adds to the result.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The kernel's variables and, for the workspace, one per dimension of the sparse operand.
    pub vars: Vec<IndexVarInfo>,
    pub sparse: Option<SparseOperand>,
    pub workspace: Option<Nest>,
    pub everywhere: Vec<Term>,
    /// The loops of `everywhere`: the result's variables.
    pub result_vars: Vec<IndexVar>,
    pub nests: Vec<Nest>,
    pub hints: Vec<Hint>,
}

/// One sum of terms that stored entries alone contribute to.
#[derive(Clone, Debug)]
pub struct Nest {
    pub term: Term,
    pub combine: Combine,
    /// The variables of the target that it adds to.
    pub target: Vec<IndexVar>,
    pub graph: IterationGraph,
    pub placement: Placement,
}

/// How the entries that belong to one entry of the result combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    Sum,
    /// A reduction by name over all coordinates: where some are absent, it meets a zero as well.
    WithZeros(ReduceOp),
}

/// A cost that the expression does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// `term` is not zero where the operand is, or not linear in entries that may repeat.
    EveryCoordinate { term: String, tensor: String, reason: DenseReason },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenseReason {
    NotZeroPreserving,
    RepeatedEntries,
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Hint::EveryCoordinate { term, tensor, reason } = self;
        let reason = match reason {
            DenseReason::NotZeroPreserving => "is not zero where it is absent",
            DenseReason::RepeatedEntries => "is not a sum over its entries, of which several may share coordinates",
        };
        write!(f, "`{term}` visits every coordinate, over a dense copy of `{tensor}`: it {reason}")
    }
}

/// Orders the loops of `kernel`.
///
/// # Errors
/// What this version does not do.
pub fn plan(kernel: &Kernel) -> Result<Plan, PlanError> {
    let result = kernel.tensor(kernel.result().tensor);
    if !is_random_access(result) {
        return Err(PlanError::SparseResult { tensor: result.name.clone() });
    }
    let sparse = operand::find(kernel)?;
    if sparse.is_some()
        && let Some(node) = kernel.expr().nodes().into_iter().find(|node| node.asks_for_presence())
    {
        return Err(PlanError::NotYet { what: format!("what is stored decides in `{}`", kernel.expr_text(node)) });
    }
    let mut plan = Plan {
        vars: kernel.vars().to_vec(),
        sparse,
        workspace: None,
        everywhere: Vec::new(),
        result_vars: storage_order(kernel),
        nests: Vec::new(),
        hints: Vec::new(),
    };
    if let Some(nest) = plan.sparse.as_ref().and_then(|operand| counted(kernel, &plan.result_vars, operand)) {
        plan.nests.push(nest);
        return Ok(plan);
    }
    let stored = plan.sort_terms(kernel);
    if !plan.hints.is_empty() {
        plan.add_workspace(kernel);
    }
    for term in split::merged(stored) {
        plan.add_nest(term, kernel.result().indices.clone(), &plan.result_vars.clone());
    }
    Ok(plan)
}

impl Plan {
    /// Keeps the terms that visit every coordinate and gives back those that visit stored entries.
    fn sort_terms(&mut self, kernel: &Kernel) -> Vec<Term> {
        let tensor = self.sparse.as_ref().map(|operand| operand.tensor);
        let (mut stored, unique) = (Vec::new(), self.sparse.as_ref().is_some_and(|operand| operand.unique));
        for term in split::terms(kernel, tensor) {
            match tensor.map(|tensor| (tensor, classify(&term, tensor, unique))) {
                Some((_, Visit::Stored)) => stored.push(term),
                Some((tensor, Visit::Everywhere(reason))) => {
                    let (term_text, tensor) = (kernel.expr_text(&term.body), kernel.tensor(tensor).name.clone());
                    self.hints.push(Hint::EveryCoordinate { term: term_text, tensor, reason });
                    self.everywhere.push(term);
                }
                Some((_, Visit::Dense)) | None => self.everywhere.push(term),
            }
        }
        stored
    }

    /// A nest that scatters the sparse operand into a dense array, one variable per dimension.
    fn add_workspace(&mut self, kernel: &Kernel) {
        let Some(operand) = self.sparse.clone() else { return };
        let tensor = kernel.tensor(operand.tensor);
        let first = self.vars.len();
        let dims = tensor.shape.iter().enumerate();
        self.vars.extend(dims.map(|(at, &extent)| IndexVarInfo { name: format!("{}.d{at}", tensor.name), extent }));
        let indices: Vec<IndexVar> = (first..self.vars.len()).map(IndexVar::new).collect();
        let body = Expr::Access(Access::of_vars(operand.tensor, &indices));
        let operand = SparseOperand { indices: indices.clone(), ..operand };
        let term = Term { negated: false, summed: Vec::new(), body };
        self.workspace = Some(nest(term, indices.clone(), &indices, &operand));
    }

    fn add_nest(&mut self, term: Term, target: Vec<IndexVar>, storage_order: &[IndexVar]) {
        if let Some(operand) = &self.sparse {
            self.nests.push(nest(term, target, storage_order, operand));
        }
    }
}

/// The nest of a kernel that is one reduction by name, such as `max(j, A(i, j))`, where the entries that
/// belong to one entry of the result are visited together, so that a count tells if any is absent.
fn counted(kernel: &Kernel, result_vars: &[IndexVar], operand: &SparseOperand) -> Option<Nest> {
    let Expr::Reduce { op, over: Over::All, vars, body } = kernel.expr() else { return None };
    let exact = operand.unique && zero::vanishes(body, operand.tensor);
    let plain = matches!(op, ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max);
    let whole = plain && operand.indices.iter().collect::<BTreeSet<_>>().len() == operand.indices.len();
    if !exact || !whole {
        return None;
    }
    let term = Term { negated: false, summed: vars.clone(), body: (**body).clone() };
    let nest = nest(term, kernel.result().indices.clone(), result_vars, operand);
    let nest = Nest { combine: Combine::WithZeros(*op), ..nest };
    nest.placement.stores_once().then_some(nest)
}

fn nest(term: Term, target: Vec<IndexVar>, storage_order: &[IndexVar], operand: &SparseOperand) -> Nest {
    let graph = IterationGraph::of_nest(&term, storage_order, operand);
    let placement = Placement::new(&graph, &target, operand);
    Nest { term, combine: Combine::Sum, target, graph, placement }
}

/// Which coordinates a term visits.
enum Visit {
    Stored,
    Everywhere(DenseReason),
    /// The term does not use the sparse operand.
    Dense,
}

fn classify(term: &Term, tensor: TensorId, unique: bool) -> Visit {
    if !zero::uses(&term.body, tensor) {
        Visit::Dense
    } else if !zero::vanishes(&term.body, tensor) {
        Visit::Everywhere(DenseReason::NotZeroPreserving)
    } else if !unique && !zero::is_linear(&term.body, tensor) {
        Visit::Everywhere(DenseReason::RepeatedEntries)
    } else {
        Visit::Stored
    }
}

/// The result's variables in the order of its levels; each once, by its outermost level.
fn storage_order(kernel: &Kernel) -> Vec<IndexVar> {
    let Target { tensor, indices } = kernel.result();
    let Some(encoding) = &kernel.tensor(*tensor).encoding else { return indices.clone() };
    let mut order = Vec::new();
    for level in encoding.levels() {
        let dims = level.expr.vars();
        let vars = dims.into_iter().filter_map(|dim: Dim| indices.get(dim.index()));
        vars.for_each(|var| {
            if !order.contains(var) {
                order.push(*var);
            }
        });
    }
    order
}

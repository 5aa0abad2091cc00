//! From a kernel to its loops.
//!
//! The expression is split into additive terms, and each term gets loops of one of two kinds.
//! - A term that is zero wherever its one sparse operand is absent follows that operand, the *leader*,
//!   level by level as it is stored, whatever its encoding; then come the variables that it does not bind.
//! - Any other term has one loop per variable. Each loop visits what the [`Lattice`] of the term leaves
//!   to visit there: the union of some operands, the intersection of others, or all coordinates.
//!
//! The order of loops with the least estimated cost is chosen (`order.rs`). Operands that it would read
//! against the order of their storage, a cycle in the [`IterationGraph`] (Kjolstad 2017, section 4), are
//! converted first: a [`Derived`] tensor takes their place.
//!
//! Each term has one loop nest that adds to a dense result. A sparse result is assembled in the order of its
//! levels ([`Assembly`]), with a dense workspace for its last variable if a reduction is outside of it
//! (Kjolstad 2019). If the result has the same entries as an operand, it takes over that operand's level
//! arrays.

mod assembly;
mod blocks;
mod combine;
mod conditions;
mod conversion;
mod derive;
mod describe;
mod explain;
pub(crate) mod fold;
mod graph;
mod hint;
mod lattice;
mod list;
mod lookup;
pub mod masks;
mod operand;
mod order;
mod padding;
mod placement;
mod presence;
mod quote;
mod rename;
mod settle;
mod split;
mod terms;
#[cfg(test)]
mod tests;
mod wishes;
pub mod zero;

pub use assembly::{Assembly, Capacity, Fill, Method, Row, Space};
pub use blocks::{Blocked, Blocks};
pub use conditions::Condition;
pub use conversion::{conversion, is_direct};
pub use derive::{DeriveReason, Derived, sorted as sorted_levels};
pub use describe::{AccessKind, AccessText, EdgeText, GraphText, LoopText, Role, describe};
pub use explain::{PlanRow, count as steps_text, lattices, plan_text};
pub use graph::{Edge, EdgeReason, Iterates, IterationGraph, Loop, LoopId};
pub(crate) use graph::{is_filtered, is_full};
pub use hint::{EveryReason, Hint};
pub use lattice::{Case, Lattice, MOST_WALKERS, OperandId, Presence, Region};
pub(crate) use operand::is_plain;
pub use operand::{SparseOperand, find, is_random_access};
pub use order::conversion_steps;
pub use padding::{is_finite, minds_padding, minds_zeros, unpadded};
pub use placement::Placement;
pub use quote::hints_on;
pub use split::Term;
pub(crate) use terms::bound_vars;
pub use terms::taken_apart;
pub use wishes::{Assembling, Wishes};

use std::{cell::Cell, sync::Arc};

use derive::Deriver;
use hint::Visits;
use nnz_base::ids::{Dim, IndexVar, Lvl};
use nnz_encoding::{Encoding, EncodingParts, Level, Props, named};
use nnz_kernel::{Access, Expr, Kernel, KernelError, ReduceOp, ResultAccess};
use order::{Ordered, Problem};

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
    /// The kernel as it is computed: with derived tensors after its own, and with the encoding that the
    /// result is computed in.
    pub kernel: Kernel,
    pub derived: Vec<Derived>,
    /// Tensors after the kernel's own, of which nothing is stored: conditions.
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
    let settled = settle::settled(kernel)?;
    let kernel = settled.as_ref().unwrap_or(kernel);
    let decided = presence::decided(kernel)?;
    let kernel = decided.as_ref().unwrap_or(kernel);
    let renamed = rename::unshadowed(kernel)?;
    let kernel = renamed.as_ref().unwrap_or(kernel);
    // Where too many operands would meet in one loop, conditions are asked at every coordinate.
    if !wishes.is_body
        && let Some((kernel, conditions)) = conditions::as_operands(kernel)?
        && let Ok(plan) = planned(&kernel, &conditions, wishes)
    {
        return Ok(plan);
    }
    planned(kernel, &[], wishes)
}

fn planned(kernel: &Kernel, conditions: &[Condition], wishes: &Wishes) -> Result<Plan, PlanError> {
    let is_sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    let (combine, terms) = split::terms(kernel, &is_sparse, wishes.is_body);
    let planner = Planner { kernel, combine, terms, conditions, wishes, hasty: Cell::new(false) };
    if is_random_access(kernel.tensor(kernel.result().tensor)) {
        return planner.dense_result();
    }
    match planner.inherited_result()? {
        Some(plan) => Ok(plan),
        None => planner.assembled_result(),
    }
}

struct Planner<'k> {
    kernel: &'k Kernel,
    /// What combines the terms.
    combine: ReduceOp,
    terms: Vec<Term>,
    conditions: &'k [Condition],
    wishes: &'k Wishes,
    /// Of some loops not all orders were tried.
    hasty: Cell<bool>,
}

/// A term whose loops are known, before operands are derived.
enum TermPlan {
    /// No sparse operand.
    Everywhere,
    /// Along the levels of this operand.
    Led(Access),
    Ordered(Vec<IndexVar>),
}

impl Planner<'_> {
    fn dense_result(self) -> Result<Plan, PlanError> {
        let target = storage_order(self.kernel);
        let mut deriver = Deriver::new(self.kernel, self.conditions);
        let (mut everywhere, mut led, mut ordered, mut hints) = (Vec::new(), Vec::new(), Vec::new(), self.visits());
        for term in &self.terms {
            match self.term_plan(term, &target)? {
                TermPlan::Everywhere => everywhere.push(term.clone()),
                TermPlan::Led(leader) => led.push((term.clone(), leader)),
                TermPlan::Ordered(order) => {
                    let operands = self.operands([&term.body].into_iter())?;
                    let body = deriver.concordant(&term.body, &operands, &order);
                    ordered.push((Term { body, ..term.clone() }, order));
                }
            }
        }
        let Finished { kernel, derived, conditions } = finished(deriver, None)?;
        let led = if self.combine == ReduceOp::Sum { split::merged(led) } else { led };
        let terms = led.iter().map(|(term, _)| term).chain(ordered.iter().map(|(term, _)| term));
        let operands = operand::of_exprs((&kernel, &conditions), terms.map(|term| &term.body))?;
        let led = led.into_iter().map(|(term, leader)| led_nest(term, &leader, &kernel, &target, &operands));
        let ordered = ordered.into_iter().map(|(term, order)| ordered_nest(term, order, &kernel, &operands));
        let mut nests: Vec<Nest> = led.chain(ordered).collect();
        cut_along_one(&mut nests);
        hints.extend(derived_hints(&kernel, &derived));
        let result = ResultPlan::Dense { everywhere, vars: target, nests };
        let (combine, terms, hasty) = (self.combine, self.terms, self.hasty.get());
        Ok(Plan { kernel, derived, conditions, operands, combine, terms, result, converted: None, hints, hasty })
    }

    fn operands<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> Result<Vec<SparseOperand>, PlanError> {
        operand::of_exprs((self.kernel, self.conditions), exprs)
    }

    fn term_plan(&self, term: &Term, target: &[IndexVar]) -> Result<TermPlan, PlanError> {
        let operands = self.operands([&term.body].into_iter())?;
        if operands.is_empty() && self.wishes.allow(&dense_order(term, target)) {
            return Ok(TermPlan::Everywhere);
        }
        if let Some(leader) = self.leader(term, &operands)
            && self.allows_led(term, target, leader)
        {
            return Ok(TermPlan::Led(leader.access()));
        }
        let groups = vec![graph::loop_vars(term, target), terms::bound_vars(&term.body)];
        let problem = Problem {
            kernel: self.kernel,
            operands: &operands,
            terms: std::slice::from_ref(term),
            groups,
            wishes: self.wishes,
            share: self.terms.len(),
        };
        let Ordered { order, .. } = self.cheapest(&problem);
        check_walkers(term, &order, &operands)?;
        Ok(TermPlan::Ordered(order))
    }

    fn cheapest(&self, problem: &Problem<'_>) -> Ordered {
        let ordered = problem.cheapest();
        self.hasty.set(self.hasty.get() || ordered.hasty);
        ordered
    }

    /// Whether the loops along the levels of an operand are as wished.
    fn allows_led(&self, term: &Term, target: &[IndexVar], leader: &SparseOperand) -> bool {
        let graph = IterationGraph::of_levels(term, target, (OperandId::new(0), leader));
        let order: Vec<IndexVar> = graph.loops.iter().flat_map(|l| l.binds.iter().copied()).collect();
        self.wishes.allow(&order)
    }

    /// Of the terms, before operands are converted.
    fn visits(&self) -> Vec<Hint> {
        let (kernel, conditions) = (self.kernel, self.conditions);
        Visits { kernel, conditions, combine: &self.combine, is_copy: &|_| false }.hints(&self.terms)
    }

    /// Whether the term can follow the levels of its one sparse operand.
    fn leads(&self, term: &Term, operands: &[SparseOperand]) -> bool {
        let [operand] = operands else { return false };
        self.is_led_by(term, operand, operands)
    }

    /// Whether the term can follow the levels of `operand`, judged by this operand alone.
    fn is_led_by(&self, term: &Term, operand: &SparseOperand, operands: &[SparseOperand]) -> bool {
        let alone = |access: &Access| operand.is(access);
        let inside_reduction = terms::reductions(&term.body).any(|body| body.accesses().into_iter().any(alone));
        let adds_up = || self.combine == ReduceOp::Sum && zero::is_linear(&term.body, operand.tensor);
        let needed = || operand.is_needed(self.kernel, &term.body, operands);
        !inside_reduction && needed() && (operand.unique || adds_up())
    }

    /// The operand whose levels the loops of the term follow: all others can be looked up on the way.
    fn leader<'o>(&self, term: &Term, operands: &'o [SparseOperand]) -> Option<&'o SparseOperand> {
        let reaches = |leader: &SparseOperand| {
            let mut others = operands.iter().filter(|other| !std::ptr::eq(*other, leader));
            others.all(|other| other.is_found_with(&leader.indices))
        };
        let leaders = operands.iter().filter(|leader| reaches(leader) && self.is_led_by(term, leader, operands));
        leaders.min_by_key(|leader| leader.is_looked_up())
    }

    /// The plan of a kernel whose result has the entries of its one sparse operand: the same encoding,
    /// accessed with the same variables.
    fn inherited_result(&self) -> Result<Option<Plan>, PlanError> {
        let result = self.kernel.result();
        let [term] = self.terms.as_slice() else { return Ok(None) };
        let operands = self.operands([&term.body].into_iter())?;
        let ([operand], true) = (operands.as_slice(), self.leads(term, &operands)) else { return Ok(None) };
        let encoding = self.kernel.tensor(result.tensor).encoding.as_ref();
        let alike = encoding == Some(&operand.encoding) && operand.indices == result.indices;
        // A sequential level may share a position among coordinates, and a batch counts positions anew.
        let shared = operand.encoding.levels().iter().any(|level| level.format.is_sequential());
        let there = zero::simplify(self.kernel, &term.body, &|_| false);
        let filtered = there.is_none_or(|body| zero::guard(self.kernel, &body).is_some())
            || shared
            || operand.encoding.batch_rank() > 0;
        let wished = self.wishes.assembling.is_none() && self.allows_led(term, &result.indices, operand);
        let stored = operand.condition.is_none();
        if !alike || !stored || operand.encoding.explicit_val().is_some() || filtered || !wished {
            return Ok(None);
        }
        let leader = OperandId::new(0);
        let graph = IterationGraph::of_levels(term, &result.indices, (leader, operand));
        let placement = Placement::of_entries(&graph, operand.encoding.lvl_rank());
        let order = graph::loop_vars(term, &result.indices).into_iter().chain(terms::bound_vars(&term.body)).collect();
        let target = result.indices.clone();
        let nest = Nest { term: term.clone(), leader: Some(leader), target, order, graph, placement };
        let result = ResultPlan::Inherited { nest, operand: leader };
        let kernel = self.kernel.clone();
        let (combine, conditions) = (self.combine.clone(), self.conditions.to_vec());
        let (derived, hints, converted, hasty) = (Vec::new(), Vec::new(), None, false);
        let terms = self.terms.clone();
        Ok(Some(Plan { kernel, derived, conditions, operands, combine, terms, result, converted, hints, hasty }))
    }
}

/// One variable is cut into parts; other loops that could be stay whole.
fn cut_along_one(nests: &mut [Nest]) {
    let var = nests.iter().find_map(|nest| nest.placement.parts);
    nests.iter_mut().filter(|nest| nest.placement.parts != var).for_each(|nest| nest.placement.parts = None);
}

/// A kernel with all that its loops need.
struct Finished {
    kernel: Kernel,
    derived: Vec<Derived>,
    conditions: Vec<Condition>,
}

/// The kernel with derived tensors, and its result in `encoding` where that is given.
fn finished(deriver: Deriver<'_>, encoding: Option<Arc<Encoding>>) -> Result<Finished, PlanError> {
    let Deriver { kernel, mut tensors, derived, conditions } = deriver;
    if let (Some(encoding), Some(result)) = (encoding, tensors.get_mut(kernel.result().tensor.index())) {
        result.encoding = Some(encoding);
    }
    let kernel = kernel.rewritten(tensors, kernel.declarations(), kernel.expr().clone()).map_err(PlanError::rewrite)?;
    Ok(Finished { kernel, derived, conditions })
}

fn derived_hints(kernel: &Kernel, derived: &[Derived]) -> Vec<Hint> {
    let hint = |derived: &Derived| {
        let encoding = kernel.tensor(derived.tensor).encoding.as_ref().map_or(String::new(), |e| encoding_text(e));
        let tensor = kernel.tensor(derived.from).name.clone();
        Hint::Converted { tensor, encoding, reason: derived.reason }
    };
    derived.iter().map(hint).collect()
}

/// The well-known name of an encoding, or its levels.
fn encoding_text(encoding: &Encoding) -> String {
    let name = |encoding: &Encoding| named::names_of(encoding).nnz;
    name(encoding).or_else(|| Some(format!("unordered {}", name(&ordered(encoding)?)?))).unwrap_or_else(|| {
        let level = |(at, level): (usize, &Level)| format!("{} : {}", encoding.level_text(Lvl::new(at)), level.format);
        let levels: Vec<String> = encoding.levels().iter().enumerate().map(level).collect();
        format!("({})", levels.join(", "))
    })
}

/// The same levels with their coordinates in order, and no entry twice, if they are in none.
fn ordered(encoding: &Encoding) -> Option<Encoding> {
    let is_ordered = encoding.levels().iter().all(|level| !level.format.props().nonordered);
    let last = encoding.lvl_rank().checked_sub(1).filter(|_| !is_ordered)?;
    let level = |(at, level): (usize, &Level)| {
        let nonunique = at < last && level.format.props().nonunique;
        Level { format: level.format.with_props(Props { nonunique, nonordered: false }), ..level.clone() }
    };
    let levels = encoding.levels().iter().enumerate().map(level).collect();
    let (symbols, dims) = (encoding.symbols().to_vec(), encoding.dims().to_vec());
    Encoding::new(EncodingParts { symbols, dims, levels, ..EncodingParts::default() }).ok()
}

fn check_walkers(term: &Term, order: &[IndexVar], operands: &[SparseOperand]) -> Result<(), PlanError> {
    let found = |var: &IndexVar| operands.iter().filter(|operand| operand.indices.contains(var)).count();
    let most = order.iter().map(found).max().unwrap_or(0).min(term.body.accesses().len());
    if most > MOST_WALKERS { Err(PlanError::ManyOperands { found: most }) } else { Ok(()) }
}

fn led_nest(term: Term, leader: &Access, kernel: &Kernel, target: &[IndexVar], operands: &[SparseOperand]) -> Nest {
    let leader = find(operands, leader).unwrap_or(OperandId::new(0));
    let operand = &operands[leader.index()];
    let mut graph = IterationGraph::of_levels(&term, target, (leader, operand));
    graph.leave_out(operands.iter().enumerate().filter(|(at, _)| *at != leader.index()).map(|(_, other)| other));
    let indices = kernel.result().indices.clone();
    let placement = Placement::new(&graph, &indices, Some(operand));
    let order = graph::loop_vars(&term, target).into_iter().chain(terms::bound_vars(&term.body)).collect();
    Nest { term, leader: Some(leader), target: indices, order, graph, placement }
}

fn ordered_nest(term: Term, order: Vec<IndexVar>, kernel: &Kernel, operands: &[SparseOperand]) -> Nest {
    let bound = terms::bound_vars(&term.body);
    let loops: Vec<IndexVar> = order.iter().copied().filter(|var| !bound.contains(var)).collect();
    let graph = IterationGraph::of_vars(kernel, &term.body, &loops, operands);
    let target = kernel.result().indices.clone();
    let placement = Placement::new(&graph, &target, None);
    Nest { term, leader: None, target, order, graph, placement }
}

/// The order of the loops of a term without a sparse operand.
fn dense_order(term: &Term, target: &[IndexVar]) -> Vec<IndexVar> {
    target.iter().chain(&term.summed).copied().chain(terms::bound_vars(&term.body)).collect()
}

/// The result's variables in the order of its levels; each once, by its outermost level.
fn storage_order(kernel: &Kernel) -> Vec<IndexVar> {
    let ResultAccess { tensor, indices } = kernel.result();
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

//! The loops of a kernel whose terms are known, by the kind of its result.

use std::{cell::Cell, sync::Arc};

use super::{
    Condition, Hint, IterationGraph, Nest, OperandId, Placement, Plan, PlanError, ResultPlan, SparseOperand, Term,
    Wishes,
    derive::{Derived, Deriver},
    find, graph, guard,
    hint::{Visits, derived_hints},
    is_random_access,
    lattice::MOST_WALKERS,
    operand,
    order::{Ordered, Problem},
    sequence, split, terms, zero,
};
use nnz_base::ids::{Dim, IndexVar};
use nnz_encoding::Encoding;
use nnz_kernel::{Access, Expr, Kernel, ReduceOp, ResultAccess};

pub(super) fn planned(kernel: &Kernel, conditions: &[Condition], wishes: &Wishes) -> Result<Plan, PlanError> {
    let is_sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    let (combine, terms) = split::terms(kernel, &is_sparse, wishes.is_body);
    let terms = if wishes.is_body { sequence::as_looped(terms) } else { terms };
    let planner = Planner { kernel, combine, terms, conditions, wishes, hasty: Cell::new(false) };
    if is_random_access(kernel.tensor(kernel.result().tensor)) {
        return planner.dense_result();
    }
    match planner.inherited_result()? {
        Some(plan) => Ok(plan),
        None => planner.assembled_result(),
    }
}

pub(super) struct Planner<'k> {
    pub(super) kernel: &'k Kernel,
    /// What combines the terms.
    pub(super) combine: ReduceOp,
    pub(super) terms: Vec<Term>,
    pub(super) conditions: &'k [Condition],
    pub(super) wishes: &'k Wishes,
    /// Not all orders of some loops were tried.
    pub(super) hasty: Cell<bool>,
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

    pub(super) fn operands<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> Result<Vec<SparseOperand>, PlanError> {
        operand::of_exprs((self.kernel, self.conditions), exprs)
    }

    fn term_plan(&self, term: &Term, target: &[IndexVar]) -> Result<TermPlan, PlanError> {
        let operands = self.operands([&term.body].into_iter())?;
        let wishes = self.wishes_for(std::slice::from_ref(term), &operands);
        if operands.is_empty() && wishes.allow(&dense_order(term, target)) {
            return Ok(TermPlan::Everywhere);
        }
        if let Some(leader) = self.leader(term, &operands)
            && allows_led(&wishes, term, target, leader)
        {
            return Ok(TermPlan::Led(leader.access()));
        }
        let groups = vec![graph::loop_vars(term, target), term.body.bound_vars()];
        let problem = Problem {
            kernel: self.kernel,
            operands: &operands,
            terms: std::slice::from_ref(term),
            groups,
            wishes: &wishes,
            share: self.terms.len(),
        };
        let Ordered { order, .. } = self.cheapest(&problem);
        check_walkers(term, &order, &operands)?;
        Ok(TermPlan::Ordered(order))
    }

    pub(super) fn cheapest(&self, problem: &Problem<'_>) -> Ordered {
        let ordered = problem.cheapest();
        self.hasty.set(self.hasty.get() || ordered.hasty);
        ordered
    }

    /// The hints on the terms, before operands are converted.
    pub(super) fn visits(&self) -> Vec<Hint> {
        let (kernel, conditions) = (self.kernel, self.conditions);
        Visits { kernel, conditions, combine: &self.combine, is_copy: &|_| false }.hints(&self.terms)
    }

    /// Whether the term can follow the levels of its one sparse operand.
    pub(super) fn leads(&self, term: &Term, operands: &[SparseOperand]) -> bool {
        let [operand] = operands else { return false };
        self.is_led_by(term, operand, operands)
    }

    /// Whether the term can follow the levels of `operand`, judged by this operand alone.
    fn is_led_by(&self, term: &Term, operand: &SparseOperand, operands: &[SparseOperand]) -> bool {
        let alone = |access: &Access| operand.is(access);
        let inside_reduction = terms::reductions(&term.body).any(|body| body.accesses().into_iter().any(alone));
        // Entries that repeat would be added onto a zero, which takes the sign of theirs. A program says what is summed.
        let keeps_signs = self.wishes.is_body && term.summed.is_empty() && !self.kernel.element().is_integer();
        let sums = self.combine == ReduceOp::Sum && !keeps_signs;
        let adds_up = || sums && zero::is_linear(&term.body, operand.tensor);
        let needed = || operand.is_needed(self.kernel, &term.body, operands);
        let may_be_there = || zero::simplify(self.kernel, &term.body, &|_| false).is_some();
        !inside_reduction && needed() && may_be_there() && (operand.unique || adds_up())
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
        // In a sequential level several coordinates may share a position, and each batch counts its positions from 0.
        let shared = operand.encoding.levels().iter().any(|level| level.format.is_sequential());
        let there = zero::simplify(self.kernel, &term.body, &|_| false);
        let filtered = there.is_none_or(|body| guard::of(self.kernel, &body).is_some())
            || shared
            || operand.encoding.batch_rank() > 0;
        let wishes = self.wishes_for(std::slice::from_ref(term), &operands);
        let wished = wishes.assembling.is_none() && allows_led(&wishes, term, &result.indices, operand);
        let stored = operand.condition.is_none();
        let is_empty = self.kernel.is_empty_over(&term.summed);
        if !alike || !stored || is_empty || operand.encoding.explicit_val().is_some() || filtered || !wished {
            return Ok(None);
        }
        let leader = OperandId::new(0);
        let graph = IterationGraph::of_levels(term, &result.indices, (leader, operand));
        let placement = Placement::of_entries(&graph, operand.encoding.lvl_rank());
        let order = graph::loop_vars(term, &result.indices).into_iter().chain(term.body.bound_vars()).collect();
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

/// Whether the loops along the levels of an operand are as wished.
fn allows_led(wishes: &Wishes, term: &Term, target: &[IndexVar], leader: &SparseOperand) -> bool {
    let graph = IterationGraph::of_levels(term, target, (OperandId::new(0), leader));
    let order: Vec<IndexVar> = graph.loops.iter().flat_map(|l| l.binds.iter().copied()).collect();
    wishes.allow(&order)
}

/// Keeps the parts of one variable only: the other loops that could be cut stay whole.
fn cut_along_one(nests: &mut [Nest]) {
    let var = nests.iter().find_map(|nest| nest.placement.parts);
    nests.iter_mut().filter(|nest| nest.placement.parts != var).for_each(|nest| nest.placement.parts = None);
}

/// A kernel with all that its loops need.
pub(super) struct Finished {
    pub(super) kernel: Kernel,
    pub(super) derived: Vec<Derived>,
    pub(super) conditions: Vec<Condition>,
}

/// The kernel with derived tensors, and its result in `encoding` where that is given.
pub(super) fn finished(deriver: Deriver<'_>, encoding: Option<Arc<Encoding>>) -> Result<Finished, PlanError> {
    let Deriver { kernel, mut tensors, derived, conditions } = deriver;
    if let (Some(encoding), Some(result)) = (encoding, tensors.get_mut(kernel.result().tensor.index())) {
        result.encoding = Some(encoding);
    }
    let kernel = kernel.rewritten(tensors, kernel.declarations(), kernel.expr().clone()).map_err(PlanError::rewrite)?;
    Ok(Finished { kernel, derived, conditions })
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
    let order = graph::loop_vars(&term, target).into_iter().chain(term.body.bound_vars()).collect();
    Nest { term, leader: Some(leader), target: indices, order, graph, placement }
}

fn ordered_nest(term: Term, order: Vec<IndexVar>, kernel: &Kernel, operands: &[SparseOperand]) -> Nest {
    let bound = term.body.bound_vars();
    let loops: Vec<IndexVar> = order.iter().copied().filter(|var| !bound.contains(var)).collect();
    let graph = IterationGraph::of_vars(kernel, &term.body, &loops, operands);
    let target = kernel.result().indices.clone();
    let placement = Placement::new(&graph, &target, None);
    Nest { term, leader: None, target, order, graph, placement }
}

/// The order of the loops of a term without a sparse operand.
fn dense_order(term: &Term, target: &[IndexVar]) -> Vec<IndexVar> {
    target.iter().chain(&term.summed).copied().chain(term.body.bound_vars()).collect()
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

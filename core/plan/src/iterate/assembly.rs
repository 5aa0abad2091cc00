//! Sparse results: the encoding in which they are computed, and how their entries get into order.
//!
//! The loops fill the result's levels from the outermost to the innermost. A loop over a summed variable may only be
//! inside all of the result's loops, or outside the last of them. In the second case a row of the result is first added
//! up in a dense workspace and then appended (Kjolstad 2019, section 4). The planner chooses the one with the lower
//! estimated cost, and converts an operand that is stored in another order. So no entry is appended out of order or
//! twice.
//!
//! If a reduction is outside several of the result's variables, this may take far longer than visiting every product
//! once. Then the loops list all products in their own order (`list.rs`), and the list is sorted and added up.
//!
//! Results in dense blocks are assembled separately (`blocks.rs`).
//!
//! If nothing is summed and all levels but the last are dense, entries can be computed in the order of the
//! operands instead: they are counted per segment, and each is put into its place (Chou 2020, section 6). So
//! CSR becomes CSC, or a list of coordinates CSR, without a sort.

use super::{
    Assembling, Condition, Hint, IterationGraph, OperandId, Plan, PlanError, ResultPlan, SparseOperand, Term,
    blocks::{BlockedPlan, Blocks},
    derive::{Deriver, LARGEST_DENSE},
    graph,
    hint::{derived_hints, encoding_text},
    lattice, operand,
    order::{self, Ordered, Problem},
    planner::{Finished, Planner, finished},
    rows::{Fill, Row, computed_as, rows},
    terms,
};
use nnz_base::ids::{IndexVar, Lvl};
use nnz_kernel::{Expr, Kernel, ReduceOp};

/// How a sparse result is assembled.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The operation that combines the terms.
    pub combine: ReduceOp,
    /// The right side, with its sums spelled out.
    pub expr: Expr,
    /// One per level of the result.
    pub rows: Vec<Row>,
    /// Every variable; of [`Method::Append`] first those of `rows`, of [`Method::Workspace`] all but the last.
    pub order: Vec<IndexVar>,
    pub method: Method,
    pub capacity: Capacity,
    pub space: Space,
    /// The loops run in parallel over parts of the outermost variable's values.
    pub in_parts: bool,
    pub graph: IterationGraph,
}

impl Assembly {
    /// The variables in the order of the loops, outermost first.
    pub(crate) fn loop_order(&self) -> Vec<IndexVar> {
        match self.method {
            Method::Insert { leader: Some(_) } => self.graph.variables().collect(),
            Method::Append | Method::Workspace | Method::Insert { .. } | Method::List | Method::Blocks(_) => {
                self.order.clone()
            }
        }
    }
}

impl Assembly {
    /// The variable along which a workspace lies.
    pub fn workspace_var(&self) -> Option<IndexVar> {
        match self.method {
            Method::Blocks(blocks) => Some(blocks.columns.var),
            Method::Append | Method::Workspace | Method::Insert { .. } | Method::List => {
                self.rows.last().map(|row| row.var)
            }
        }
    }

    /// Whether the loops may skip positions of the level above the `at`th.
    pub(crate) fn skips_parents(&self, at: usize) -> bool {
        let above = self.rows.get(..at).unwrap_or_default().iter().rev();
        above.take_while(|row| row.fill == Fill::Dense).any(|row| !row.full)
    }
}

/// How entries get into order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The loops meet them in order.
    Append,
    /// The last row's entries are added up in a dense array before they are appended.
    Workspace,
    /// They are counted per segment, then put into their places, in the order of the leader's levels, or of
    /// the variables if there is no leader.
    Insert { leader: Option<OperandId> },
    /// They are listed as the loops meet them, with repetitions: sorting and adding them up is left to the
    /// conversion of the list.
    List,
    /// The blocks of a row of blocks are listed and cleared before their entries are put into them.
    Blocks(Blocks),
}

/// How much room the result needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Capacity {
    /// No more entries than these operands have together.
    Bound(Vec<OperandId>),
    /// The loops run twice: first they count.
    Counted,
}

/// The kind of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Space {
    /// An array with a place for every coordinate.
    Dense,
    /// A hash table: no row touches more coordinates than these operands have entries together.
    Hashed(Vec<OperandId>),
}

/// More operands than this are not merged in the last loop, where a workspace takes them one by one.
const MOST_MERGED: usize = 3;
/// Steps that one entry takes on its way through a workspace.
const WORKSPACE: f64 = 3.0;
/// Insertion runs its loops twice, and writes to memory in no order.
const TWICE: f64 = 3.0;

impl Planner<'_> {
    pub(super) fn assembled_result(self) -> Result<Plan, PlanError> {
        let result = self.kernel.tensor(self.kernel.result().tensor);
        let wanted = result.encoding.clone();
        let expr = terms::spelled_out(&self.combine, &self.terms).unwrap_or_else(|| Expr::zero(result.element));
        let operands = self.operands([&expr].into_iter())?;
        let blocked = wanted
            .as_deref()
            .and_then(|encoding| self.blocked(encoding, &operands))
            .filter(|_| self.combine == ReduceOp::Sum);
        let computed = wanted.as_ref().and_then(|wanted| {
            blocked.as_ref().map_or_else(|| computed_as(wanted, &self.combine), |_| Some(wanted.clone()))
        });
        let listed = if blocked.is_none() && self.combine == ReduceOp::Sum {
            self.listed(computed.as_deref(), &operands)
        } else {
            None
        };
        let computed = listed.as_ref().map(|listed| Some(listed.encoding.clone())).unwrap_or(computed);
        let mut hints = Vec::new();
        let converted = (wanted != computed).then(|| wanted.clone()).flatten();
        if let (Some(_), Some(computed)) = (&converted, &computed) {
            let encoding = encoding_text(computed);
            hints.push(Hint::ResultConverted { tensor: result.name.clone(), encoding });
        }
        let (rows, order, method) = match (blocked, listed) {
            (Some(BlockedPlan { blocks, rows, order }), _) => (rows, order, Method::Blocks(blocks)),
            (None, Some(listed)) => (rows(&listed.encoding, &self.kernel.result().indices), listed.order, Method::List),
            (None, None) => {
                let indices = &self.kernel.result().indices;
                let rows = computed.as_ref().map_or(Vec::new(), |encoding| rows(encoding, indices));
                let (order, method) = self.assembly_order(&rows, &operands);
                (rows, order, method)
            }
        };
        let mut deriver = Deriver::new(self.kernel, self.conditions);
        let expr = match method {
            Method::Insert { leader: Some(_) } => expr,
            Method::Append | Method::Workspace | Method::Insert { .. } | Method::List | Method::Blocks(_) => {
                deriver.concordant(&expr, &operands, &order)
            }
        };
        let Finished { kernel, derived, conditions } = finished(deriver, computed)?;
        let operands = operand::of_exprs((&kernel, &conditions), [&expr].into_iter())?;
        hints.extend(self.visits());
        hints.extend(derived_hints(&kernel, &derived));
        let assembly = assembly(&kernel, (self.combine.clone(), expr), (rows, order, method), &operands)?;
        let (combine, terms, result, hasty) =
            (self.combine, self.terms, ResultPlan::Assembled(assembly), self.hasty.get());
        Ok(Plan { kernel, derived, conditions, operands, combine, terms, result, converted, hints, hasty })
    }

    /// The cheapest way: in order, through a workspace for the last row, or by insertion.
    fn assembly_order(&self, rows: &[Row], operands: &[SparseOperand]) -> (Vec<IndexVar>, Method) {
        let (ordered, method, _) = self.appending_order(rows, operands);
        let wished = self.wishes.assembling;
        if wished.is_some_and(|wished| wished != Assembling::Insert) {
            return (ordered.order, method);
        }
        match self.insertion(rows, operands) {
            Some((inserted, leader)) if inserted.cost < ordered.cost || wished.is_some() => {
                (inserted.order, Method::Insert { leader })
            }
            _ => (ordered.order, method),
        }
    }

    /// The order in which entries can be inserted, if they can: one term without a sum, which has the
    /// variables of the result and an operand that bounds its entries.
    fn insertion(&self, rows: &[Row], operands: &[SparseOperand]) -> Option<(Ordered, Option<OperandId>)> {
        let (last, outer) = rows.split_last()?;
        let [term] = self.terms.as_slice() else { return None };
        let dense = !outer.is_empty() && outer.iter().all(|row| row.fill == Fill::Dense);
        let vars: Vec<IndexVar> = rows.iter().map(|row| row.var).collect();
        let same_vars = graph::loop_vars(term, &vars).len() == vars.len();
        let simple = term.summed.is_empty() && terms::reductions(&term.body).next().is_none();
        let bounded = capacity(self.kernel, (&ReduceOp::Sum, &term.body), &vars, operands) != Capacity::Counted;
        (dense && last.fill == Fill::Append && same_vars && simple && bounded).then_some(())?;
        if self.leads(term, operands) {
            let leader = operands.first().filter(|leader| leader.unique && leader.ascends())?;
            let entries = order::entries(&self.kernel.tensor(leader.tensor).shape);
            let order = graph::loop_vars(term, &vars);
            return Some((Ordered { order, cost: TWICE * entries, hasty: false }, Some(OperandId::new(0))));
        }
        let Ordered { order, cost, hasty } = self.ordered(&[], &vars, operands);
        Some((Ordered { order, cost: TWICE * cost, hasty }, None))
    }

    /// The cheaper of the orders with and without a workspace for the last row.
    pub(super) fn appending_order(&self, rows: &[Row], operands: &[SparseOperand]) -> (Ordered, Method, f64) {
        let fixed: Vec<IndexVar> = rows.iter().map(|row| row.var).collect();
        let direct = self.ordered(&fixed, &[], operands);
        let crowded = most_together(operands, fixed.last()) > MOST_MERGED;
        let (Some((last, outer)), true) = (fixed.split_last(), self.can_scatter(fixed.last().copied())) else {
            let cost = direct.cost;
            return (direct, Method::Append, cost);
        };
        let scattered = self.ordered(outer, &[*last], operands);
        let costs = [direct.cost, scattered.cost * WORKSPACE + self.kernel.var(*last).extent as f64];
        let worth = costs[1] <= costs[0];
        let worth = self.wishes.assembling.map_or(worth || crowded, |wished| wished == Assembling::Workspace);
        if worth { (scattered, Method::Workspace, costs[1]) } else { (direct, Method::Append, costs[0]) }
    }

    /// The best order in which `outer` come first, as they are; `more` belong to the free ones.
    pub(super) fn ordered(&self, outer: &[IndexVar], more: &[IndexVar], operands: &[SparseOperand]) -> Ordered {
        let mut groups: Vec<Vec<IndexVar>> = outer.iter().map(|var| vec![*var]).collect();
        // Several terms may bind the same variable.
        let bound = graph::distinct(self.terms.iter().flat_map(|term| term.body.bound_vars()));
        let free = self.terms.iter().flat_map(|term| graph::loop_vars(term, &[]));
        let mut inner: Vec<IndexVar> = Vec::new();
        for var in free.chain(more.iter().copied()) {
            if !outer.contains(&var) && !inner.contains(&var) && !bound.contains(&var) {
                inner.push(var);
            }
        }
        groups.extend([inner, bound]);
        let (terms, share, wishes) = (self.terms.as_slice(), 1, &self.wishes_for(&self.terms, operands));
        self.cheapest(&Problem { kernel: self.kernel, operands, terms, groups, wishes, share })
    }

    /// Whether every term is a sum whose parts can be added up one by one at the values of `last`.
    pub(super) fn can_scatter(&self, last: Option<IndexVar>) -> bool {
        let Some(last) = last else { return false };
        self.terms.iter().all(|term| !terms::reductions(&term.body).any(|body| body.free_vars().contains(&last)))
    }
}

/// How many operands have a level over `var`.
fn most_together(operands: &[SparseOperand], var: Option<&IndexVar>) -> usize {
    var.map_or(0, |var| operands.iter().filter(|operand| operand.indices.contains(var)).count())
}

fn assembly(
    kernel: &Kernel,
    (combine, expr): (ReduceOp, Expr),
    (mut rows, order, method): (Vec<Row>, Vec<IndexVar>, Method),
    operands: &[SparseOperand],
) -> Result<Assembly, PlanError> {
    let merged = match method {
        Method::Append => rows.len(),
        Method::Workspace => rows.len().saturating_sub(1),
        Method::Insert { .. } | Method::List | Method::Blocks(_) => 0,
    };
    let upto = |var| &order[..order.iter().position(|other| *other == var).map_or(order.len(), |at| at + 1)];
    for row in rows.iter_mut().take(merged) {
        let found = graph::partial_along(&expr, (row.var, &order), operands).len();
        if found > lattice::MOST_WALKERS {
            return Err(PlanError::ManyOperands { found });
        }
        row.full = graph::is_full(kernel, &expr, (upto(row.var), &order), operands);
    }
    let vars: Vec<IndexVar> = rows.iter().map(|row| row.var).collect();
    let graph = match (method, operands.first()) {
        (Method::Insert { leader: Some(id) }, Some(leader)) => {
            let term = Term { negated: false, summed: Vec::new(), body: expr.clone() };
            IterationGraph::of_levels(&term, &vars, (id, leader))
        }
        (Method::Append | Method::Workspace | Method::Insert { .. } | Method::List | Method::Blocks(_), _) => {
            IterationGraph::of_vars(kernel, &expr, &order, operands)
        }
    };
    let capacity = match method {
        // A bound of entries would be one of blocks, each with room for many; a list repeats entries.
        Method::Blocks(_) | Method::List => Capacity::Counted,
        Method::Append | Method::Workspace | Method::Insert { .. } => {
            capacity(kernel, (&combine, &expr), &vars, operands)
        }
    };
    let space = space(kernel, (&combine, &expr), (&rows, method), operands);
    let mut assembly = Assembly { combine, expr, rows, order, method, capacity, space, in_parts: false, graph };
    assembly.in_parts = in_parts(&assembly, operands);
    Ok(assembly)
}

fn space(
    kernel: &Kernel,
    expr: (&ReduceOp, &Expr),
    (rows, method): (&[Row], Method),
    operands: &[SparseOperand],
) -> Space {
    let long = |row: &&Row| kernel.var(row.var).extent > LARGEST_DENSE && method == Method::Workspace;
    let touched = rows.last().filter(long).map(|row| capacity(kernel, expr, &[row.var], operands));
    match touched {
        Some(Capacity::Bound(operands)) => Space::Hashed(operands),
        Some(Capacity::Counted) | None => Space::Dense,
    }
}

/// Whether parts of the outermost variable's values can be assembled independently: each then appends from
/// a place of its own, which counting finds; a bound would leave gaps. Below an appended level none may be
/// dense, as its segments are begun before it is known whether anything is in them.
fn in_parts(assembly: &Assembly, operands: &[SparseOperand]) -> bool {
    let Assembly { rows, order, method, .. } = assembly;
    let Some(outermost) = rows.first().map(|row| row.var) else { return false };
    let first = order.first() == Some(&outermost) && !matches!(method, Method::Insert { .. } | Method::List);
    let several = *method != Method::Workspace || rows.len() > 1;
    let appended = rows.iter().skip_while(|row| row.fill == Fill::Dense);
    let appends = appended.clone().next().is_some() && appended.clone().all(|row| row.fill != Fill::Dense);
    let counted = assembly.capacity == Capacity::Counted;
    let mut outer = operands.iter().filter(|operand| operand.level_var(Lvl::new(0)) == Some(outermost));
    let is_cut = |operand: &SparseOperand| operand.encoding.format(Lvl::new(0)).is_cut();
    first && several && appends && counted && outer.all(|operand| is_cut(operand) || operand.looks_up(Lvl::new(0)))
}

/// If each term has a factor with all variables of the result, the result has at most as many entries as those factors
/// have values together, provided that each value belongs to one entry.
fn capacity(
    kernel: &Kernel,
    (combine, expr): (&ReduceOp, &Expr),
    vars: &[IndexVar],
    operands: &[SparseOperand],
) -> Capacity {
    let bounds = |term: &Term| {
        let few = |operand: &SparseOperand| operand.condition.as_ref().is_none_or(Condition::is_equation);
        let covers = |operand: &SparseOperand| few(operand) && operand.determines(vars);
        let needed = |operand: &SparseOperand| operand.is_needed(kernel, &term.body, operands);
        let bounds = (0..operands.len()).filter(|at| covers(&operands[*at]) && needed(&operands[*at]));
        // An operand that is looked up has more values than entries.
        bounds.min_by_key(|at| operands[*at].encoding.levels().iter().any(|l| l.format.has_holes())).map(OperandId::new)
    };
    let found: Option<Vec<OperandId>> = terms::entry_terms(combine, expr).iter().map(bounds).collect();
    found.filter(|found| !found.is_empty()).map_or(Capacity::Counted, Capacity::Bound)
}

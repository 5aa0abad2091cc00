//! The order of loops with the least estimated cost.
//!
//! The planner tries orders one after another and estimates their cost from sizes and formats alone, because it does
//! not look at data. It assumes that a compressed level below another holds [`FIBER`] coordinates, and an outermost one
//! half of all. An operand whose levels do not follow an order is converted first, which costs [`CONVERSION`] steps per
//! entry.

use super::{
    SparseOperand, Term, Wishes,
    lookup::{LookUps, Reach},
    zero,
};
use nnz_base::ids::{IndexVar, Lvl};
use nnz_kernel::{Access, Expr, Kernel};

/// Coordinates below one position of a compressed level, for want of data.
pub(super) const FIBER: f64 = 8.0;
/// Steps that converting one entry costs.
const CONVERSION: f64 = 6.0;
/// The steps that a dense operand costs more if the innermost loop jumps in its memory.
const JUMP: f64 = 0.25;
/// The most orders that are tried.
const MOST_ORDERS: usize = 5040;
/// The most work that all tried orders take together: some 10 milliseconds. It is counted and not timed, so that a kernel has
/// the same plan on every machine.
const MOST_WORK: usize = 250_000;

/// The estimated cost of the loops over `order`, without conversions.
pub(super) fn steps(kernel: &Kernel, operands: &[SparseOperand], terms: &[Term], order: &[IndexVar]) -> f64 {
    let wishes = Wishes::default();
    let problem = Problem { kernel, operands, terms, groups: Vec::new(), wishes: &wishes, share: 1 };
    let reaches = problem.reaches(order);
    terms.iter().map(|term| problem.term_cost((term, &problem.needs(term)), order, &reaches)).sum()
}

/// The estimated steps of storing a tensor of this shape otherwise.
pub fn conversion_steps(shape: &[u64]) -> f64 {
    CONVERSION * entries(shape)
}

/// The entries of a sparse tensor, for want of data.
pub(super) fn entries(shape: &[u64]) -> f64 {
    let sizes = shape.iter().map(|size| *size as f64);
    sizes.enumerate().map(|(at, size)| if at == 0 { size } else { size.min(FIBER) }).product()
}

/// The terms whose loops are ordered, and which variables must come before which.
pub(super) struct Problem<'p> {
    pub kernel: &'p Kernel,
    pub operands: &'p [SparseOperand],
    pub terms: &'p [Term],
    /// Variables of an earlier group are outside those of a later one; any order is allowed within a group.
    pub groups: Vec<Vec<IndexVar>>,
    pub wishes: &'p Wishes,
    /// The number of problems of the plan, which share the work.
    pub share: usize,
}

/// Which operands a term needs: it is absent where they are.
struct Needs {
    /// For each, whether the term is absent where it is; `None` of those that are not in the term.
    operands: Vec<Option<bool>>,
    /// The term is absent where all are.
    some: bool,
}

/// An order, and its estimated cost in loop steps.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    pub order: Vec<IndexVar>,
    pub cost: f64,
    /// Not all orders were tried.
    pub hasty: bool,
}

impl Problem<'_> {
    /// The cheapest order; of equals the first in the order of the text.
    pub(super) fn cheapest(&self) -> Ordered {
        let mut best: Option<Ordered> = None;
        let most = (MOST_WORK / self.share.max(1) / self.work()).clamp(1, MOST_ORDERS);
        let hasty = self.groups.iter().map(|group| factorial(group.len())).fold(1, usize::saturating_mul) > most;
        let needs: Vec<Needs> = self.terms.iter().map(|term| self.needs(term)).collect();
        for order in self.orders(most) {
            let cost = self.cost(&order, &needs);
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Ordered { order, cost, hasty });
            }
        }
        best.unwrap_or_else(|| Ordered { order: self.groups.concat(), cost: 0.0, hasty })
    }

    /// The work of one order: every operand of every term along every variable, and for each operand that is looked up
    /// every part of every term.
    fn work(&self) -> usize {
        let vars = self.groups.iter().map(Vec::len).sum::<usize>().max(1);
        let parts: usize = self.terms.iter().map(|term| term.body.nodes().len()).sum();
        let looks_up = self.operands.iter().any(|operand| operand.mergeable().is_none());
        let operands = self.operands.len().max(1);
        vars * operands * (self.terms.len().max(1) + if looks_up { parts } else { 0 })
    }

    /// At most so many orders to try. Where there are more, the groups keep the order that they came in, which
    /// is the caller's best guess.
    fn orders(&self, most_orders: usize) -> Vec<Vec<IndexVar>> {
        let nested = nested_reductions(self.terms);
        let mut wished = self.wishes.clone();
        wished.orders.extend(nested.orders.iter().cloned());
        let mut orders = vec![Vec::new()];
        for group in &self.groups {
            let most = most_orders / orders.len().max(1);
            let as_wished = permutations(group, most, &wished);
            let permutations = if as_wished.is_empty() { permutations(group, most, &nested) } else { as_wished };
            let joined = orders.iter().flat_map(|order: &Vec<IndexVar>| {
                permutations.iter().map(move |more| order.iter().chain(more).copied().collect())
            });
            orders = joined.collect();
        }
        orders
    }

    fn cost(&self, order: &[IndexVar], needs: &[Needs]) -> f64 {
        let reaches = self.reaches(order);
        let converted = self.operands.iter().zip(&reaches).filter(|(_, reach)| **reach != Reach::AsStored);
        let stored = converted.filter(|(operand, _)| operand.condition.is_none());
        let shapes = stored.map(|(operand, _)| &self.kernel.tensor(operand.tensor).shape);
        let conversions: f64 = shapes.map(|shape| conversion_steps(shape)).sum();
        let terms = self.terms.iter().zip(needs);
        conversions + terms.map(|(term, needs)| self.term_cost((term, needs), order, &reaches)).sum::<f64>()
    }

    /// How loops in `order` reach each operand.
    fn reaches(&self, order: &[IndexVar]) -> Vec<Reach> {
        let exprs = self.terms.iter().map(|term| &term.body).collect();
        LookUps { kernel: self.kernel, exprs, operands: self.operands, order }.reaches()
    }

    fn term_cost(&self, (term, needs): (&Term, &Needs), order: &[IndexVar], reaches: &[Reach]) -> f64 {
        let (mut visits, mut cost) = (1.0, 0.0);
        let vars: Vec<IndexVar> = order.iter().copied().filter(|var| uses(term, *var)).collect();
        for var in &vars {
            visits *= self.steps(needs, *var, order, reaches);
            cost += visits;
        }
        let jumps = vars.last().map_or(0, |last| self.jumps(term, *last));
        cost + visits * JUMP * jumps as f64
    }

    /// How many coordinates a loop over `var` visits each time.
    fn steps(&self, needs: &Needs, var: IndexVar, order: &[IndexVar], reaches: &[Reach]) -> f64 {
        let extent = self.kernel.var(var).extent as f64;
        let operands = self.operands.iter().zip(reaches).zip(&needs.operands);
        let here = operands.filter(|((operand, _), need)| need.is_some() && operand.indices.contains(&var));
        let counts = here.map(|((operand, reach), need)| {
            let needed = *need == Some(true);
            // An operand that is looked up does not restrict the loop.
            let walked = match reach {
                Reach::AsStored => !operand.is_looked_up_along(var),
                Reach::Sorted => true,
                Reach::Located => false,
            };
            (needed, if walked { self.fiber(operand, var, order) } else { extent })
        });
        let counts: Vec<(bool, f64)> = counts.collect();
        let least = counts.iter().filter(|(needed, _)| *needed).map(|(_, count)| *count).fold(extent, f64::min);
        match counts.iter().any(|(needed, _)| *needed) {
            true => least,
            false if needs.some && !counts.is_empty() => counts.iter().map(|(_, count)| count).sum::<f64>().min(extent),
            false => extent,
        }
    }

    /// The needs of a term, which are the same in all orders.
    fn needs(&self, term: &Term) -> Needs {
        let needed = |operand: &SparseOperand| operand.is_needed(self.kernel, &term.body, self.operands);
        let need = |operand: &SparseOperand| in_term(operand, term).then(|| needed(operand));
        let sparse = |access: &Access| self.operands.iter().any(|operand| operand.is(access));
        let some = zero::simplify(self.kernel, &term.body, &sparse).is_none();
        Needs { operands: self.operands.iter().map(need).collect(), some }
    }

    /// How many coordinates of `var` the operand has below one position, as it will be stored.
    fn fiber(&self, operand: &SparseOperand, var: IndexVar, order: &[IndexVar]) -> f64 {
        let extent = self.kernel.var(var).extent as f64;
        let rank = |other: &IndexVar| order.iter().position(|var| var == other);
        let outermost = operand.indices.iter().all(|other| rank(other) >= rank(&var));
        let full = (0..operand.encoding.lvl_rank())
            .map(Lvl::new)
            .any(|lvl| operand.level_var(lvl) == Some(var) && operand.encoding.format(lvl).is_full());
        if let Some(condition) = &operand.condition {
            let last = operand.indices.iter().all(|other| rank(other) <= rank(&var));
            return if last { condition.fiber(extent) } else { extent };
        }
        match (full, outermost) {
            (true, true) => extent,
            (false, true) if operand.indices.len() > 1 => extent / 2.0,
            _ => extent.min(FIBER),
        }
    }

    /// Dense operands in whose memory a loop over `last` jumps.
    fn jumps(&self, term: &Term, last: IndexVar) -> usize {
        let dense = |access: &&Access| !self.operands.iter().any(|operand| operand.is(access));
        let accesses = term.body.accesses().into_iter().filter(dense);
        accesses.filter(|access| access.vars().any(|var| var == last) && !ends_with(access, last)).count()
    }
}

fn factorial(number: usize) -> usize {
    (1..=number).fold(1, usize::saturating_mul)
}

/// Whether neighbours along `var` are neighbours in a row-major array.
fn ends_with(access: &Access, var: IndexVar) -> bool {
    access.indices.last().is_some_and(|index| index.vars().any(|used| used == var))
}

fn in_term(operand: &SparseOperand, term: &Term) -> bool {
    term.body.accesses().into_iter().any(|access| operand.is(access))
}

/// Whether the term has a loop over `var`, its own or of a reduction inside it.
fn uses(term: &Term, var: IndexVar) -> bool {
    term.summed.contains(&var) || term.body.mentions(var)
}

/// The wish that the loops of a reduction nest inside those of a reduction around it.
fn nested_reductions(terms: &[Term]) -> Wishes {
    let reductions = |expr: &Expr| -> Vec<(Vec<IndexVar>, Expr)> {
        let found = expr.nodes().into_iter().filter_map(|node| {
            let Expr::Reduce { vars, body, .. } = node else { return None };
            Some((vars.clone(), (**body).clone()))
        });
        found.collect()
    };
    let mut orders = Vec::new();
    // A sum that is a term of its own is around the reductions in it, as well.
    let sums = terms.iter().map(|term| (term.summed.clone(), term.body.clone()));
    for (outer, body) in sums.chain(terms.iter().flat_map(|term| reductions(&term.body))) {
        for (inner, _) in reductions(&body) {
            let pairs = outer.iter().flat_map(|out| inner.iter().map(move |within| (*out, *within)));
            orders.extend(pairs.filter(|(out, within)| out != within).map(|(out, within)| vec![out, within]));
        }
    }
    Wishes { orders, ..Wishes::default() }
}

/// At most `most` permutations of `vars` that are as wished, the given order first.
fn permutations(vars: &[IndexVar], most: usize, wishes: &Wishes) -> Vec<Vec<IndexVar>> {
    let mut found = Vec::new();
    permute(&mut Vec::new(), vars, wishes, &mut |order| {
        found.push(order);
        found.len() < most.max(1)
    });
    found
}

/// Calls `found` with each permutation that starts with `chosen`, until it returns `false`.
fn permute(
    chosen: &mut Vec<IndexVar>,
    vars: &[IndexVar],
    wishes: &Wishes,
    found: &mut dyn FnMut(Vec<IndexVar>) -> bool,
) -> bool {
    if chosen.len() == vars.len() {
        return found(chosen.clone());
    }
    let free = |var: &&IndexVar| !chosen.contains(var) && !wishes.holds_back(**var, chosen, vars);
    for var in vars.iter().filter(free).copied().collect::<Vec<_>>() {
        chosen.push(var);
        let go_on = permute(chosen, vars, wishes, found);
        chosen.pop();
        if !go_on {
            return false;
        }
    }
    true
}

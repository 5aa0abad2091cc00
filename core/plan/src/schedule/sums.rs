//! The order in which a plan adds. Two plans that agree here give the same bits, except perhaps the sign of a
//! zero.

use crate::iterate::{Assembly, Iterates, Loop, Method, Nest, Plan, ResultPlan, Term, taken_apart};
use nnz_base::ids::{IndexVar, Lvl};
use nnz_encoding::Encoding;
use nnz_kernel::Access;

/// The terms in the order in which they are added to an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sums(Vec<TermSum>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct TermSum {
    term: String,
    /// The loops over which an entry of the result is summed, outermost first.
    over: Vec<Over>,
    start: Start,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    Var(IndexVar),
    /// A level that is more than a variable.
    Level(Lvl),
}

/// Where the addition starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// From the entry's value: each value is added to the entry.
    Entry,
    /// From zero, `inside` so many of the loops; the sum is added to the entry at the end.
    Zero { inside: usize },
}

impl Sums {
    pub(super) fn of(plan: &Plan) -> Sums {
        Sums(match &plan.result {
            ResultPlan::Dense { everywhere, nests, .. } => dense(plan, everywhere, nests),
            ResultPlan::Inherited { nest, .. } => vec![of_nest(plan, nest, true)],
            ResultPlan::Assembled(assembly) => assembled(plan, assembly),
        })
    }
}

fn dense(plan: &Plan, everywhere: &[Term], nests: &[Nest]) -> Vec<TermSum> {
    let alone = everywhere.len() == 1;
    let first = everywhere.iter().map(|term| TermSum {
        term: text(plan, term),
        over: term.summed.iter().copied().map(Over::Var).chain(inner(plan, term)).collect(),
        start: if alone { Start::Entry } else { Start::Zero { inside: 0 } },
    });
    let nests = nests.iter().enumerate().map(|(at, nest)| of_nest(plan, nest, at == 0));
    first.chain(nests).collect()
}

fn of_nest(plan: &Plan, nest: &Nest, first: bool) -> TermSum {
    let is_over = |l: &&Loop| !l.binds.iter().any(|var| nest.target.contains(var));
    let over: Vec<Over> = nest.graph.loops.iter().filter(is_over).map(over).collect();
    let register = nest.placement.accumulate_after;
    let apart = register < nest.graph.loops.len() && !(first && nest.placement.stores_once());
    let start = match apart {
        true => Start::Zero { inside: nest.graph.loops[..register].iter().filter(is_over).count() },
        false => Start::Entry,
    };
    TermSum { term: text(plan, &nest.term), over: over.into_iter().chain(inner(plan, &nest.term)).collect(), start }
}

fn over(l: &Loop) -> Over {
    match (l.iterates, l.binds.as_slice()) {
        (Iterates::Var(var), _) => Over::Var(var),
        (Iterates::Level { .. }, [var]) if l.parts_of == [*var] => Over::Var(*var),
        (Iterates::Level { lvl, .. }, _) => Over::Level(lvl),
    }
}

fn assembled(plan: &Plan, assembly: &Assembly) -> Vec<TermSum> {
    let Assembly { combine, expr, order, method, .. } = assembly;
    let terms = taken_apart(combine, expr);
    let alone = terms.len() == 1 || matches!(method, Method::Workspace | Method::List);
    let sum = |term: &Term| {
        let own = |var: &&IndexVar| term.summed.contains(var);
        let over = order.iter().filter(own).copied().map(Over::Var);
        let start = if alone { Start::Entry } else { Start::Zero { inside: 0 } };
        TermSum { term: text(plan, term), over: over.chain(inner(plan, term)).collect(), start }
    };
    terms.iter().map(sum).collect()
}

/// The variables of reductions inside the term, in the order of their loops.
fn inner(plan: &Plan, term: &Term) -> Vec<Over> {
    let order = match &plan.result {
        ResultPlan::Dense { nests, .. } => nests.iter().find(|nest| nest.term == *term).map(|nest| &nest.order),
        ResultPlan::Inherited { nest, .. } => Some(&nest.order),
        ResultPlan::Assembled(assembly) => Some(&assembly.order),
    };
    let free = term.body.free_vars();
    let bound = term.body.bound_vars().into_iter().filter(|var| !free.contains(var));
    let mut bound: Vec<IndexVar> = bound.collect();
    bound.sort_by_key(|var| order.and_then(|order| order.iter().position(|other| other == var)));
    bound.into_iter().map(Over::Var).collect()
}

/// The term in the words of the kernel. A tensor that was made from one whose entries repeat or have no order keeps its
/// own name, because its entries may be added in another order.
fn text(plan: &Plan, term: &Term) -> String {
    let sign = if term.negated { "-" } else { "+" };
    let original = |access: &Access| {
        let derived = plan.derived.iter().find(|derived| derived.tensor == access.tensor)?;
        let alike = derived.dims.len() == plan.kernel.tensor(derived.from).shape.len();
        let encoding = plan.kernel.tensor(derived.from).encoding.as_ref()?;
        (alike && is_sorted(encoding)).then(|| Access { tensor: derived.from, indices: access.indices.clone() })
    };
    format!("{sign} {}", plan.kernel.expr_text(&term.body.with_accesses(&original)))
}

/// Whether the coordinates of every level ascend.
fn is_sorted(encoding: &Encoding) -> bool {
    encoding.levels().iter().all(|level| level.format.merges())
}

//! The order of the reduction loops of a program's kernel.
//!
//! A program says in which order its loops run, and rounded numbers have another sum in another order. So the loops of a
//! reduction keep their order, unless an operand is stored in another one: then they follow the storage.

use super::{SparseOperand, Term, Wishes, graph, planner::Planner};
use nnz_base::{
    element::Element,
    ids::{IndexVar, Lvl},
};
use nnz_kernel::{Expr, Kernel, ReduceOp};

impl Planner<'_> {
    /// What is wished of the loops of `terms`: also the order of each reduction, if they are those of a program.
    pub(super) fn wishes_for(&self, terms: &[Term], operands: &[SparseOperand]) -> Wishes {
        let mut wishes = self.wishes.clone();
        if wishes.is_body {
            let reductions = terms.iter().flat_map(|term| self.reductions_in_order(term));
            wishes.orders.extend(reductions.map(|vars| as_stored(&vars, operands)));
        }
        wishes
    }

    /// The variables of each reduction of a term whose order matters, in the order of the text.
    fn reductions_in_order(&self, term: &Term) -> Vec<Vec<IndexVar>> {
        let own = matters(&self.combine, self.kernel.element()).then(|| term.summed.clone());
        let inside = term.body.nodes().into_iter().filter_map(|node| ordered(self.kernel, node));
        own.into_iter().chain(inside).filter(|vars| vars.len() > 1).collect()
    }
}

/// The terms of a program with their variables in the order of its loops.
pub(super) fn as_looped(terms: Vec<Term>) -> Vec<Term> {
    let sorted = |mut term: Term| {
        term.summed.sort_unstable();
        term
    };
    terms.into_iter().map(sorted).collect()
}

fn ordered(kernel: &Kernel, node: &Expr) -> Option<Vec<IndexVar>> {
    let Expr::Reduce { op, vars, body, .. } = node else { return None };
    matters(op, kernel.element_of(body)).then(|| vars.clone())
}

/// Whether the value of a reduction may depend on the order of its terms.
fn matters(op: &ReduceOp, element: Element) -> bool {
    match op {
        ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max => !element.is_integer(),
        ReduceOp::Or | ReduceOp::And | ReduceOp::Xor => false,
        ReduceOp::Pick | ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => true,
    }
}

/// The variables in their order, but for those that must come later because operands store them below others.
fn as_stored(vars: &[IndexVar], operands: &[SparseOperand]) -> Vec<IndexVar> {
    let stored: Vec<Vec<IndexVar>> = operands.iter().map(storage_order).collect();
    let (mut left, mut order) = (vars.to_vec(), Vec::new());
    while !left.is_empty() {
        let waits = |var: IndexVar| left.iter().any(|other| *other != var && below(*other, &stored).contains(&var));
        let next = left.iter().position(|var| !waits(*var));
        // Where operands contradict each other, the text decides.
        order.push(left.remove(next.unwrap_or(0)));
    }
    order
}

/// The variables of the operand's levels, each once, by its outermost level.
fn storage_order(operand: &SparseOperand) -> Vec<IndexVar> {
    graph::distinct((0..operand.encoding.lvl_rank()).flat_map(|at| operand.level_vars(Lvl::new(at))))
}

/// The variables that must come after `var`: those stored below it, and below those.
fn below(var: IndexVar, stored: &[Vec<IndexVar>]) -> Vec<IndexVar> {
    let mut found = vec![var];
    let mut at = 0;
    while let Some(above) = found.get(at).copied() {
        let orders =
            stored.iter().filter_map(|order| order.iter().position(|other| *other == above).map(|at| &order[at..]));
        found = graph::distinct(found.iter().copied().chain(orders.flatten().copied()));
        at += 1;
    }
    found.split_off(1)
}

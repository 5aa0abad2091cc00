//! Expressions with their sums spelled out, and sums taken apart again.

use std::collections::BTreeSet;

use super::Term;
use crate::{
    ids::IndexVar,
    kernel::{BinaryOp, Expr, Over, ReduceOp, UnaryOp},
};

/// The terms as one expression, each summed by name over its variables; `None` of no terms.
pub(super) fn spelled_out(terms: &[Term]) -> Option<Expr> {
    let summed = |term: &Term| match term.summed.is_empty() {
        true => term.body.clone(),
        false => Expr::reduce(ReduceOp::Sum, term.summed.clone(), term.body.clone()),
    };
    terms.iter().fold(None, |sum, term| {
        let next = Box::new(summed(term));
        Some(match (sum, term.negated) {
            (None, false) => *next,
            (None, true) => Expr::Unary(UnaryOp::Neg, next),
            (Some(sum), negated) => {
                Expr::Binary(if negated { BinaryOp::Sub } else { BinaryOp::Add }, Box::new(sum), next)
            }
        })
    })
}

/// The terms of an expression that `spelled_out` made, or of what is left of it in a region.
pub fn taken_apart(expr: &Expr) -> Vec<Term> {
    let mut terms = Vec::new();
    take_apart(expr, false, &mut terms);
    terms
}

fn take_apart(expr: &Expr, negated: bool, terms: &mut Vec<Term>) {
    match expr {
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            take_apart(a, negated, terms);
            take_apart(b, negated != (*op == BinaryOp::Sub), terms);
        }
        Expr::Unary(UnaryOp::Neg, a) => take_apart(a, !negated, terms),
        Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body } => {
            terms.push(Term { negated, summed: vars.clone(), body: (**body).clone() });
        }
        body => terms.push(Term { negated, summed: Vec::new(), body: body.clone() }),
    }
}

/// The variables that reductions inside `expr` bind, each once, in the order of the text.
pub(crate) fn bound_vars(expr: &Expr) -> Vec<IndexVar> {
    let nodes = expr.nodes().into_iter();
    let bound = nodes.flat_map(|node| if let Expr::Reduce { vars, .. } = node { vars.clone() } else { Vec::new() });
    let mut seen = BTreeSet::new();
    bound.filter(|var| seen.insert(*var)).collect()
}

/// The bodies of the reductions inside `expr`, outer before inner.
pub(super) fn reductions(expr: &Expr) -> impl Iterator<Item = &Expr> {
    expr.nodes().into_iter().filter_map(|node| if let Expr::Reduce { body, .. } = node { Some(&**body) } else { None })
}

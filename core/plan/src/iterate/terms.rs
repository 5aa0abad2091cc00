//! Writes out the implicit sums of expressions, and takes sums apart again.

use super::{Term, combine, zero};
use nnz_base::ids::IndexVar;
use nnz_kernel::{BinaryOp, Expr, Nothing, Over, ReduceOp, Sum, UnaryOp};

/// The terms as one expression, each reduced by name over its variables; `None` of no terms.
pub(super) fn spelled_out(by: &ReduceOp, terms: &[Term]) -> Option<Expr> {
    if *by != ReduceOp::Sum {
        return terms.iter().map(|term| combined(by, term)).reduce(|a, b| either_or_both(by, a, b));
    }
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

fn combined(by: &ReduceOp, term: &Term) -> Expr {
    match term.summed.is_empty() {
        true => term.body.clone(),
        false => Expr::Reduce {
            op: by.clone(),
            over: Over::Stored,
            vars: term.summed.clone(),
            body: Box::new(term.body.clone()),
        },
    }
}

/// `a`, `b`, or both of them combined, as they are present. A reduction of which later loops find no term changes nothing
/// in both.
fn either_or_both(by: &ReduceOp, a: Expr, b: Expr) -> Expr {
    let op = combine::joined(by).unwrap_or(BinaryOp::Add);
    let or_identity = |part: &Expr| {
        let Expr::Reduce { op, over: Over::Stored, vars, body } = part else { return part.clone() };
        let (op, over) = (op.clone(), Over::StoredOr(Nothing::Identity));
        Expr::Reduce { op, over, vars: vars.clone(), body: body.clone() }
    };
    let both = Expr::Binary(op, Box::new(or_identity(&a)), Box::new(or_identity(&b)));
    Expr::regions([a.clone(), b.clone()], Some(both), Some(a), Some(b))
}

/// The terms of an expression that `spelled_out` made, or of its simplification in a region.
pub fn taken_apart(by: &ReduceOp, expr: &Expr) -> Vec<Term> {
    let mut terms = Vec::new();
    if *by == ReduceOp::Sum {
        take_apart(expr, false, &mut terms);
    } else {
        take_combined(by, expr, &mut terms);
    }
    terms
}

/// The terms of an expression that may have entries.
pub(crate) fn entry_terms(by: &ReduceOp, expr: &Expr) -> Vec<Term> {
    that_count(by, &taken_apart(by, expr)).into_iter().cloned().collect()
}

/// Those of `terms` that may have entries. A zero beside what is absent is no entry, but a sum of zeros is one.
pub(super) fn that_count<'t>(by: &ReduceOp, terms: &'t [Term]) -> Vec<&'t Term> {
    let counts = |term: &&Term| *by != ReduceOp::Sum || !zero::is_zero(&term.body) || !term.summed.is_empty();
    let counting: Vec<&Term> = terms.iter().filter(counts).collect();
    if counting.is_empty() { terms.iter().collect() } else { counting }
}

fn take_combined(by: &ReduceOp, expr: &Expr, terms: &mut Vec<Term>) {
    let term = |summed: &[IndexVar], body: &Expr| Term { negated: false, summed: summed.to_vec(), body: body.clone() };
    match expr {
        Expr::Reduce { op, over: Over::Stored | Over::StoredOr(Nothing::Identity), vars, body } if op == by => {
            terms.push(term(vars, body));
        }
        Expr::Binary(op, a, b) if Some(*op) == combine::joined(by) => {
            take_combined(by, a, terms);
            take_combined(by, b, terms);
        }
        // One or two terms whose presence later loops decide. The old value comes first.
        Expr::Present { of, other: Some(other), .. } => {
            let reduced = matches!(**of, Expr::Reduce { .. });
            let [first, second] = if reduced { [other, of] } else { [of, other] };
            take_combined(by, first, terms);
            take_combined(by, second, terms);
        }
        Expr::Present { of, other: None, .. } => take_combined(by, of, terms),
        Expr::Access(_)
        | Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Reduce { .. }
        | Expr::Onto { .. } => terms.push(term(&[], expr)),
    }
}

fn take_apart(expr: &Expr, negated: bool, terms: &mut Vec<Term>) {
    match expr.as_sum() {
        Sum::Two { a, b, subtracted } => {
            take_apart(a, negated, terms);
            take_apart(b, negated != subtracted, terms);
        }
        Sum::Negated(a) => take_apart(a, !negated, terms),
        Sum::Term(term) => {
            let (vars, body) = term.as_named_sum().unwrap_or((&[], term));
            terms.push(Term { negated, summed: vars.to_vec(), body: body.clone() });
        }
    }
}

/// The bodies of the reductions inside `expr`, outer before inner.
pub(super) fn reductions(expr: &Expr) -> impl Iterator<Item = &Expr> {
    expr.nodes().into_iter().filter_map(|node| if let Expr::Reduce { body, .. } = node { Some(&**body) } else { None })
}

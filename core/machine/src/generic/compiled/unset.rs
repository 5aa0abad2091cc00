//! The zero that a result with an encoding starts from.
//!
//! Where such a result has no entry, its old value is absent, but a sum or difference starts from zero: `o - x` is `0 - x`
//! there, and not `-x` as for any other absent value. The same holds for what a choice, or a sum with something absent,
//! makes of the old value.

use std::collections::HashMap;

use super::expression::truth;
use crate::{
    machine::signature,
    meaning::{Rule, ScalarOp},
};
use nnz_base::element::{Element, Scalar};
use nnz_kernel::{Expr, UnaryOp};
use nnz_mlir::ir::{Op, ValueId};

/// The values of a body that may be the old value of a result where that has no entry.
#[derive(Default)]
pub(super) struct Unset {
    /// The old value.
    old: Option<Expr>,
    /// When each value is it, given that there is no entry.
    when: HashMap<ValueId, Expr>,
}

impl Unset {
    pub(super) fn of(old: ValueId, access: Expr) -> Unset {
        Unset { old: Some(access), when: HashMap::from([(old, fact(true))]) }
    }

    /// Takes in what the first result of an operation is.
    pub(super) fn learn(&mut self, op: &Op, rule: Rule, operands: &[Expr]) {
        let when = |at: usize| self.when.get(&op.operands.get(at)?.value).cloned();
        let found = match (rule, operands) {
            (Rule::Choice, [cond, _, _]) => choice(cond, [when(1), when(2)]),
            (Rule::Sum | Rule::Difference, [a, b]) => either(beside(when(0), b), beside(when(1), a)),
            (Rule::Choice | Rule::Sum | Rule::Difference | Rule::Product | Rule::ProductAndSum, _) => None,
            (Rule::Quotient | Rule::Below | Rule::Zeros, _) => None,
        };
        if let (Some(found), Some(result)) = (found, op.results.first()) {
            self.when.insert(*result, found);
        }
    }

    /// A sum or difference, given as `expr`, that starts from zero where an operand is the old value of no entry.
    pub(super) fn started(&self, op: &Op, meaning: ScalarOp, operands: &[Expr], expr: Expr) -> Option<Expr> {
        let Some(old) = &self.old else { return Some(expr) };
        let mut without = None;
        for (at, operand) in op.operands.iter().enumerate() {
            let Some(when) = self.when.get(&operand.value) else { continue };
            let mut from_zero = operands.to_vec();
            *from_zero.get_mut(at)? = Expr::zero(signature(op).from);
            let sum = (meaning.expr)(&signature(op), from_zero)?;
            let other = without.unwrap_or_else(|| expr.clone());
            without = Some(select(when, sum, other));
        }
        Some(match without {
            Some(without) => asked(old, expr, without),
            None => expr,
        })
    }
}

fn fact(holds: bool) -> Expr {
    Expr::literal(Element::I1, Scalar::Int(holds.into()))
}

fn select(cond: &Expr, then: Expr, other: Expr) -> Expr {
    match truth(cond) {
        Some(true) => then,
        Some(false) => other,
        None => Expr::Select { cond: Box::new(cond.clone()), then: Box::new(then), other: Some(Box::new(other)) },
    }
}

fn asked(of: &Expr, then: Expr, other: Expr) -> Expr {
    Expr::Present { of: Box::new(of.clone()), then: Some(Box::new(then)), other: Some(Box::new(other)) }
}

/// When a choice takes an arm that is unset.
fn choice(cond: &Expr, [then, other]: [Option<Expr>; 2]) -> Option<Expr> {
    match (then, other) {
        (None, None) => None,
        (Some(then), None) if truth(&then) == Some(true) => Some(cond.clone()),
        (None, Some(other)) if truth(&other) == Some(true) => Some(Expr::Unary(UnaryOp::Not, Box::new(cond.clone()))),
        (then, other) => {
            let [then, other] = [then, other].map(|arm| arm.unwrap_or_else(|| fact(false)));
            Some(if then == other { then } else { select(cond, then, other) })
        }
    }
}

/// When a sum of something unset and of `other` is unset: where that is absent. Loops cannot ask for the presence of a
/// filtered value.
fn beside(when: Option<Expr>, other: &Expr) -> Option<Expr> {
    let filters = |node: &Expr| matches!(node, Expr::Select { other: None, .. });
    if matches!(other, Expr::Literal(_)) || other.nodes().into_iter().any(filters) {
        return None;
    }
    Some(select(&when?, asked(other, fact(false), fact(true)), fact(false)))
}

fn either(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(select(&a, fact(true), b)),
        (a, b) => a.or(b),
    }
}

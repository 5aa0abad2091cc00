//! How the terms of a kernel come together in an entry of its result.
//!
//! By a sum, as a rule. Where the right side is one reduction over stored terms, such as a product over a semiring, its
//! operation takes the place of the sum: so it gets the loops of an arithmetic product. A mask around it says what is
//! left out of its terms where that leaves nothing else, and an old value that it is combined with is one more term.

use super::is_random_access;
use crate::{
    element::Element,
    kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp},
};

/// What terms come together by, and the right side as terms of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Combined {
    pub(super) op: ReduceOp,
    /// The old value, whose entries are terms, too.
    pub(super) old: Option<Access>,
    /// A reduction by `op`.
    pub(super) reduction: Expr,
}

/// `expr`, the right side of `kernel`, as a combination of terms by another operation than a sum.
pub(super) fn combined(kernel: &Kernel, expr: &Expr) -> Option<Combined> {
    let dense = is_random_access(kernel.tensor(kernel.result().tensor));
    let found = if dense { onto_dense(kernel, expr) } else { onto_sparse(kernel, expr) };
    found.or_else(|| {
        let (op, reduction) = reduction(kernel, expr, dense)?;
        Some(Combined { op, old: None, reduction })
    })
}

/// `min(y(i), min(j, ..))`, where `y` has a value everywhere.
fn onto_dense(kernel: &Kernel, expr: &Expr) -> Option<Combined> {
    let Expr::Binary(with, old, update) = expr else { return None };
    let old = old_value(kernel, old).filter(|old| is_random_access(kernel.tensor(old.tensor)))?;
    let Expr::Reduce { op, over: Over::StoredOr(nothing), vars, body } = &**update else { return None };
    let element = kernel.element_of(body);
    let neutral = nothing.value(op, element) == op.identity(element);
    (joined(op) == Some(*with) && neutral).then_some(())?;
    let reduction = Expr::Reduce { op: op.clone(), over: Over::Stored, vars: vars.clone(), body: body.clone() };
    Some(Combined { op: op.clone(), old: Some(old), reduction })
}

/// The same where `y` may have no entry, and then takes the new one.
fn onto_sparse(kernel: &Kernel, expr: &Expr) -> Option<Combined> {
    let Expr::Present { of, then: Some(then), other: Some(other) } = expr else { return None };
    let (Expr::Binary(with, both, _), Expr::Reduce { op, over: Over::Stored, .. }) = (&**then, &**other) else {
        return None;
    };
    let old = old_value(kernel, of)?;
    (of == both && joined(op) == Some(*with)).then_some(())?;
    Some(Combined { op: op.clone(), old: Some(old), reduction: (**other).clone() })
}

fn old_value(kernel: &Kernel, expr: &Expr) -> Option<Access> {
    let Expr::Access(access) = expr else { return None };
    (access.as_vars()? == kernel.result().indices).then(|| access.clone())
}

/// The reduction that `expr` is, with the masks around it inside.
fn reduction(kernel: &Kernel, expr: &Expr, dense: bool) -> Option<(ReduceOp, Expr)> {
    let masked = |inner: &Expr, mask: &dyn Fn(Box<Expr>) -> Expr| {
        let (op, reduction) = reduction(kernel, inner, dense)?;
        let Expr::Reduce { op: by, over, vars, body } = reduction else { return None };
        // What a mask leaves out is zero in a dense result, and what it lets through without terms the identity.
        let alike = !dense || by.identity(kernel.element_of(&body)).is_zero();
        alike.then_some(())?;
        Some((op, Expr::Reduce { op: by, over, vars, body: Box::new(mask(body)) }))
    };
    let plain = |mask: &Expr| !mask.nodes().into_iter().any(|node| matches!(node, Expr::Reduce { .. }));
    match expr {
        Expr::Reduce { op, over: Over::Stored, .. } if !op.is_place() => Some((op.clone(), expr.clone())),
        Expr::Reduce { op: op @ ReduceOp::Sum, over: Over::All, .. } => Some((op.clone(), expr.clone())),
        Expr::Cast(to, a) if !dense => cast(kernel, *to, a),
        Expr::Select { cond, then, other: None } if plain(cond) => {
            masked(then, &|then| Expr::Select { cond: cond.clone(), then, other: None })
        }
        Expr::Present { of, then: Some(then), other: None } if plain(of) => {
            masked(then, &|then| Expr::Present { of: of.clone(), then: Some(then), other: None })
        }
        Expr::Present { of, then: None, other: Some(other) } if plain(of) => {
            masked(other, &|other| Expr::Present { of: of.clone(), then: None, other: Some(other) })
        }
        _ => None,
    }
}

/// A reduction of conditions as one of numbers: what holds somewhere is the greatest of 0 and 1. A sparse result has
/// entries only where there are terms, so that the identities need not agree.
fn cast(kernel: &Kernel, to: Element, a: &Expr) -> Option<(ReduceOp, Expr)> {
    let Expr::Reduce { op, over: Over::Stored, vars, body } = a else { return None };
    let op = match op {
        ReduceOp::Or if !to.is_complex() => ReduceOp::Max,
        ReduceOp::And if !to.is_complex() => ReduceOp::Min,
        ReduceOp::Pick => ReduceOp::Pick,
        _ => return None,
    };
    // The one bit of `i1` is a sign where conditions are taken for numbers.
    let truth = kernel.element_of(body) == Element::I1 && to.int_range().is_none_or(|(_, high)| high >= 1);
    (truth || op == ReduceOp::Pick).then_some(())?;
    let body = Box::new(Expr::Cast(to, body.clone()));
    Some((op.clone(), Expr::Reduce { op, over: Over::Stored, vars: vars.clone(), body }))
}

/// The operation on two values that a reduction is made of.
pub(super) fn joined(op: &ReduceOp) -> Option<BinaryOp> {
    match op {
        ReduceOp::Min => Some(BinaryOp::Min),
        ReduceOp::Max => Some(BinaryOp::Max),
        ReduceOp::Prod => Some(BinaryOp::Mul),
        _ => None,
    }
}

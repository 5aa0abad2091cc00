//! The terms of a reduction over stored terms: those that are present and have a sparse operand that stores
//! an entry.

use super::{Access, BinaryOp, CompareOp, Expr, Over, ReduceOp};
use nnz_base::{
    element::{Element, Scalar},
    ids::IndexVar,
};

/// The term `body` of a reduction over stored terms; `sparse` says which accesses are to sparse operands. A body that
/// would be present without any of them, such as `d(i) + W(i, j)` because of `d`, is left out where all of them are
/// absent. What `unary` gives for an absent operand counts as present.
pub fn of_stored(body: Expr, sparse: &dyn Fn(&Access) -> bool) -> Expr {
    let stays = gives_for_absent(&body, sparse) || !is_there_without(&body, sparse);
    let stored = if stays { None } else { some_stored(&body, sparse) };
    match stored {
        Some(of) => Expr::Present { of: Box::new(of), then: Some(Box::new(body)), other: None },
        None => body,
    }
}

/// Whether a region for an absent operand gives a value where no sparse operand stores anything: the `absent` of a `unary`
/// does, and the `left` of a `binary` does not.
fn gives_for_absent(expr: &Expr, sparse: &dyn Fn(&Access) -> bool) -> bool {
    let gives = |part: &Expr| gives_for_absent(part, sparse);
    match expr {
        Expr::Present { of, then, .. } if is_asked_there(of, sparse) => then.as_deref().is_some_and(gives),
        Expr::Present { other, .. } => other.as_deref().is_some_and(|other| is_there_without(other, sparse)),
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
        | Expr::Onto { .. } => expr.operands().into_iter().any(gives),
    }
}

/// As [`is_there_without`], of an operand whose presence alone counts: a reduction in it is a number, but for one over
/// stored terms that is all of it.
fn is_asked_there(of: &Expr, sparse: &dyn Fn(&Access) -> bool) -> bool {
    if let Expr::Reduce { over, body, .. } = of
        && over.is_stored()
    {
        return is_there_without(body, sparse);
    }
    let yes = || Expr::literal(Element::I1, Scalar::Int(1));
    is_there_without(&of.replaced(&|part| matches!(part, Expr::Reduce { .. }).then(yes)), sparse)
}

/// An expression that is present where some sparse operand of `body` is, in a reduction anywhere along its variables.
fn some_stored(body: &Expr, sparse: &dyn Fn(&Access) -> bool) -> Option<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for part in stored_parts(body, sparse) {
        if !found.contains(&part) {
            found.push(part);
        }
    }
    // Of any type, a condition that is present where the part is; its value is not used.
    let truth = |part: Expr| {
        let other = || Box::new(part.clone());
        if is_truth(&part) { part } else { Expr::Compare(CompareOp::Ne, other(), other()) }
    };
    let or = |a, b| Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b));
    if let [_] = found.as_slice() { found.pop() } else { found.into_iter().map(truth).reduce(or) }
}

fn stored_parts(body: &Expr, sparse: &dyn Fn(&Access) -> bool) -> Vec<Expr> {
    match body {
        Expr::Access(access) => sparse(access).then(|| body.clone()).into_iter().collect(),
        Expr::Reduce { vars, body, .. } => some_stored(body, sparse).into_iter().map(|of| any(vars, of)).collect(),
        Expr::Literal(_)
        | Expr::Index(..)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Onto { .. } => body.operands().into_iter().flat_map(|part| stored_parts(part, sparse)).collect(),
    }
}

/// Whether `of` is present anywhere along `vars`.
fn any(vars: &[IndexVar], of: Expr) -> Expr {
    let yes = Box::new(Expr::literal(Element::I1, Scalar::Int(1)));
    let body = Expr::Present { of: Box::new(of), then: Some(yes), other: None };
    Expr::Reduce { op: ReduceOp::Or, over: Over::Stored, vars: vars.to_vec(), body: Box::new(body) }
}

fn is_truth(part: &Expr) -> bool {
    matches!(part, Expr::Reduce { .. })
}

/// Whether `expr` may be present where no sparse operand stores anything.
fn is_there_without(expr: &Expr, sparse: &dyn Fn(&Access) -> bool) -> bool {
    let there = |part: &Expr| is_there_without(part, sparse);
    match expr {
        Expr::Access(access) => !sparse(access),
        Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => true,
        Expr::Unary(op, a) => !op.preserves_zero() || there(a),
        Expr::Cast(_, a) | Expr::Reduce { body: a, .. } => there(a),
        Expr::Binary(BinaryOp::Mul | BinaryOp::And, a, b) => there(a) && there(b),
        Expr::Binary(_, a, b) => there(a) || there(b),
        Expr::Compare(op, a, b) => op.holds_of_equals() || there(a) || there(b),
        Expr::Onto { from, reduce } => there(from) || there(reduce),
        // A zero that is chosen where operands are absent is not there.
        Expr::Select { cond, then, other } => {
            let zero = |part: &Expr| matches!(part, Expr::Literal(number) if number.value.is_zero());
            (there(cond) && there(then)) || other.as_deref().is_some_and(|other| !zero(other) && there(other))
        }
        Expr::Present { of, then, other } => {
            let arm = if is_asked_there(of, sparse) { then } else { other };
            arm.as_deref().is_some_and(there)
        }
    }
}

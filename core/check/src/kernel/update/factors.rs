//! The factors of sums over stored terms on the right side of an update.
//!
//! As in a kernel of its own, a sum takes its factors and its divisor into its terms, and is absent without terms. Any other
//! reduction is a value as a factor or as a dividend. Variables of different reductions are different here.

use nnz_base::ids::TensorId;
use nnz_kernel::{BinaryOp, Expr, Over, ReduceOp, UnaryOp};

/// The sums that take factors.
#[derive(Clone, Copy)]
pub(super) struct Sums<'s> {
    /// Which tensors may have absent entries.
    pub(super) sparse: &'s dyn Fn(TensorId) -> bool,
    /// Those over all terms, too.
    pub(super) over_all: bool,
}

/// `old * expr`, where a sum over all terms takes the old value into its terms, too, as in a kernel of its own.
pub(super) fn scaled_by(old: &Expr, expr: &Expr, sparse: &dyn Fn(TensorId) -> bool) -> Expr {
    let sums = Sums { sparse, over_all: true };
    let scaled = |term: Expr| Expr::Binary(BinaryOp::Mul, Box::new(old.clone()), Box::new(term));
    into(&taken_in(expr, sums), &scaled, sums)
}

/// `expr` with the factors of its sums in their terms.
pub(super) fn taken_in(expr: &Expr, kinds: Sums<'_>) -> Expr {
    let part = |part: &Expr| taken_in(part, kinds);
    match expr {
        Expr::Binary(BinaryOp::Mul, a, b) if !is_number(a) && !is_number(b) => product(&part(a), &part(b), kinds),
        Expr::Binary(op @ (BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod), a, b) if !is_number(b) => {
            let quotient = |of: Expr| Expr::Binary(*op, Box::new(of), b.clone());
            if *op == BinaryOp::Div { into(&part(a), &quotient, kinds) } else { quotient(valued(&part(a))) }
        }
        Expr::Reduce { .. } | Expr::Onto { .. } => expr.clone(),
        Expr::Present { of, then, other } => {
            let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(part(arm))));
            Expr::Present { of: of.clone(), then, other }
        }
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => expr.clone(),
        Expr::Unary(UnaryOp::Neg, _) | Expr::Binary(BinaryOp::Mul | BinaryOp::Add | BinaryOp::Sub, ..) => {
            expr.with_parts(&part)
        }
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) => expr.with_parts(&in_function),
        Expr::Cast(..) | Expr::Select { .. } => expr.with_parts(&part),
    }
}

/// An operand of a function, in which products are not multiplied out: a reduction is a value as a factor.
fn in_function(expr: &Expr) -> Expr {
    match expr {
        Expr::Binary(op @ BinaryOp::Mul, a, b) if !is_number(a) && !is_number(b) => {
            Expr::Binary(*op, Box::new(valued(a)), Box::new(valued(b)))
        }
        Expr::Binary(op @ (BinaryOp::Div | BinaryOp::Rem | BinaryOp::Mod), a, b) if !is_number(b) => {
            Expr::Binary(*op, Box::new(valued(a)), b.clone())
        }
        Expr::Reduce { .. } | Expr::Onto { .. } => expr.clone(),
        Expr::Access(_) | Expr::Literal(_) | Expr::Index(..) | Expr::Slot(..) => expr.clone(),
        Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => expr.with_parts(&in_function),
        Expr::Select { .. } | Expr::Present { .. } => expr.with_parts(&in_function),
    }
}

/// The product with both multiplied out.
fn product(a: &Expr, b: &Expr, kinds: Sums<'_>) -> Expr {
    let of = |a: &Expr, b: Expr| Expr::Binary(BinaryOp::Mul, Box::new(a.clone()), Box::new(b));
    into(a, &|a| into(b, &|b| of(&a, b), kinds), kinds)
}

/// `scaled` of the terms of the sums in `expr`, and of `expr` as a value if it is no sum.
fn into(expr: &Expr, scaled: &dyn Fn(Expr) -> Expr, kinds: Sums<'_>) -> Expr {
    let part = |part: &Expr| Box::new(into(part, scaled, kinds));
    if !sums(expr, kinds) {
        return scaled(valued(expr));
    }
    if let Expr::Unary(UnaryOp::Neg, a) = expr {
        return Expr::Unary(UnaryOp::Neg, part(a));
    }
    if let Some((of, with_number)) = beside_number(expr) {
        return into(of, &|term| scaled(with_number(term)), kinds);
    }
    if let Expr::Binary(op, a, b) = expr {
        return Expr::Binary(*op, part(a), part(b));
    }
    let Expr::Reduce { op, over, vars, body } = expr else { return scaled(valued(expr)) };
    let body = Box::new(scaled((**body).clone()));
    Expr::Reduce { op: op.clone(), over: *over, vars: vars.clone(), body }
}

/// Whether `expr` is a sum of this kind whose terms have a sparse operand, or adds up such.
fn sums(expr: &Expr, kinds: Sums<'_>) -> bool {
    if let Expr::Unary(UnaryOp::Neg, a) = expr {
        return sums(a, kinds);
    }
    if let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = expr {
        return sums(a, kinds) || sums(b, kinds);
    }
    if let Some((of, _)) = beside_number(expr) {
        return sums(of, kinds);
    }
    let Expr::Reduce { op: ReduceOp::Sum, over, body, .. } = expr else { return false };
    let takes = *over == Over::Stored || *over == Over::All && kinds.over_all;
    takes && body.accesses().into_iter().any(|access| (kinds.sparse)(access.tensor))
}

/// Makes of a term what a product or a quotient with a number makes of it.
type WithNumber<'e> = Box<dyn Fn(Expr) -> Expr + 'e>;

/// What stands beside the number in `2 * x`, `x * 2` and `x / 2`; integers are divided as a whole.
fn beside_number(expr: &Expr) -> Option<(&Expr, WithNumber<'_>)> {
    let Expr::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), a, b) = expr else { return None };
    let divides = matches!(&**b, Expr::Literal(number) if !number.element.is_integer());
    match (is_number(a), is_number(b)) {
        (false, true) if *op == BinaryOp::Mul || divides => {
            Some((a, Box::new(|term| Expr::Binary(*op, Box::new(term), b.clone()))))
        }
        (true, false) if *op == BinaryOp::Mul => {
            Some((b, Box::new(|term| Expr::Binary(*op, a.clone(), Box::new(term)))))
        }
        _ => None,
    }
}

/// `expr` with the reductions over stored terms in it as values; the condition of a choice is none of its values.
fn valued(expr: &Expr) -> Expr {
    if let Expr::Reduce { op, over, vars, body } = expr {
        let over = if *over == Over::Stored { over.as_value() } else { *over };
        return Expr::Reduce { op: op.clone(), over, vars: vars.clone(), body: body.clone() };
    }
    if let Expr::Select { cond, then, other } = expr {
        let other = other.as_deref().map(|other| Box::new(valued(other)));
        return Expr::Select { cond: cond.clone(), then: Box::new(valued(then)), other };
    }
    if let Expr::Present { of, then, other } = expr {
        let [then, other] = [then, other].map(|arm| arm.as_deref().map(|arm| Box::new(valued(arm))));
        return Expr::Present { of: of.clone(), then, other };
    }
    expr.with_parts(&valued)
}

/// Whether `expr` consists of numbers, and scalars of the session: a number beside a reduction changes no zero.
pub(super) fn is_number(expr: &Expr) -> bool {
    let varies = |node: &Expr| match node {
        Expr::Access(access) => !access.indices.is_empty(),
        Expr::Index(..) | Expr::Reduce { .. } | Expr::Slot(..) | Expr::Onto { .. } => true,
        Expr::Literal(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Compare(..) | Expr::Cast(..) => false,
        Expr::Select { .. } | Expr::Present { .. } => false,
    };
    !expr.nodes().into_iter().any(varies)
}

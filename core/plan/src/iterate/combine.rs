//! How the terms of a kernel are combined into an entry of its result.
//!
//! Usually by a sum. If the right side is one reduction over stored terms, such as a product over a semiring, its
//! operation replaces the sum, so it gets the loops of an arithmetic product. A mask around it leaves terms out. If it
//! is combined with an old value, that is one more term. For a dense result, so is the value of entries whose terms are
//! all masked out.

use super::{is_random_access, zero};
use nnz_base::element::Element;
use nnz_kernel::{Access, BinaryOp, Expr, Kernel, Over, ReduceOp, ResultAccess};

/// The operation that combines terms, and the right side as its terms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Combined {
    pub(super) op: ReduceOp,
    /// Terms before those of the reduction: the old value, or the value of entries for which masks leave all
    /// its terms out.
    pub(super) first: Vec<Expr>,
    /// A reduction by `op`.
    pub(super) reduction: Expr,
}

/// `expr`, the right side of `kernel`, as a combination of terms by another operation than a sum.
pub(super) fn combined(kernel: &Kernel, expr: &Expr) -> Option<Combined> {
    let dense = is_random_access(kernel.tensor(kernel.result().tensor));
    let found = if dense { onto_dense(kernel, expr) } else { onto_sparse(kernel, expr) };
    found.or_else(|| {
        let (op, reduction) = reduction(kernel, expr)?;
        let first = if dense { left_by_masks(kernel, expr, (&op, &reduction))? } else { Vec::new() };
        Some(Combined { op, first, reduction })
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
    Some(Combined { op: op.clone(), first: vec![Expr::Access(old)], reduction })
}

/// The same where `y` may have no entry, and then takes the new one.
fn onto_sparse(kernel: &Kernel, expr: &Expr) -> Option<Combined> {
    let Expr::Present { of, then: Some(then), other: Some(other) } = expr else { return None };
    let (Expr::Binary(with, both, update), Expr::Reduce { op, over: Over::Stored, vars, body }) = (&**then, &**other)
    else {
        return None;
    };
    let old = old_value(kernel, of)?;
    // The same terms, onto the old value.
    let Expr::Reduce { op: by, vars: over, body: terms, .. } = &**update else { return None };
    let same = (by, over, terms) == (op, vars, body);
    (same && of == both && joined(op) == Some(*with)).then_some(())?;
    // Where no filter lets a term through there is none, and the loops see only that one was met.
    let may_filter = |node: &Expr| matches!(node, Expr::Select { .. });
    let filtered = body.nodes().into_iter().any(may_filter);
    (!filtered).then(|| Combined { op: op.clone(), first: vec![Expr::Access(old)], reduction: (**other).clone() })
}

fn old_value(kernel: &Kernel, expr: &Expr) -> Option<Access> {
    let Expr::Access(access) = expr else { return None };
    (access.as_vars()? == kernel.result().indices).then(|| access.clone())
}

/// The reduction that `expr` is, with the masks around it inside.
fn reduction(kernel: &Kernel, expr: &Expr) -> Option<(ReduceOp, Expr)> {
    let dense = is_random_access(kernel.tensor(kernel.result().tensor));
    if let Expr::Reduce { op, over, body, .. } = expr {
        let sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
        // An absent term changes nothing of these, and without terms they are absent, too.
        let is_sparse = || zero::simplify(kernel, body, &sparse).is_none();
        let leaves_absent_out = match op {
            ReduceOp::Sum => true,
            ReduceOp::Or | ReduceOp::Xor => is_sparse(),
            ReduceOp::Prod | ReduceOp::Min | ReduceOp::Max | ReduceOp::And | ReduceOp::Pick => false,
            ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => false,
        };
        let taken = (*over == Over::Stored && !op.is_place()) || (*over == Over::All && leaves_absent_out);
        return taken.then(|| (op.clone(), expr.clone()));
    }
    if let Expr::Cast(to, a) = expr {
        return if dense { None } else { cast(kernel, *to, a) };
    }
    let (mask, inner) = Mask::of(expr)?;
    let (op, reduction) = reduction(kernel, inner)?;
    let Expr::Reduce { op: by, over, vars, body } = reduction else { return None };
    Some((op, Expr::Reduce { op: by, over, vars, body: Box::new(mask.over(*body, None)) }))
}

/// What says where an expression is left out, without a reduction.
enum Mask<'e> {
    Filter(&'e Expr),
    Present(&'e Expr),
    Absent(&'e Expr),
}

impl Mask<'_> {
    /// The mask of `expr`, and the expression under it.
    fn of(expr: &Expr) -> Option<(Mask<'_>, &Expr)> {
        let (mask, inner) = if let Expr::Select { cond, then, other: None } = expr {
            (Mask::Filter(cond), then)
        } else {
            let Expr::Present { of, then, other } = expr else { return None };
            match (then, other) {
                (Some(then), None) => (Mask::Present(of), then),
                (None, Some(other)) => (Mask::Absent(of), other),
                (Some(_), Some(_)) | (None, None) => return None,
            }
        };
        let reduces = mask.expr().nodes().into_iter().any(|node| matches!(node, Expr::Reduce { .. }));
        (!reduces).then_some((mask, inner))
    }

    fn expr(&self) -> &Expr {
        match self {
            Mask::Filter(expr) | Mask::Present(expr) | Mask::Absent(expr) => expr,
        }
    }

    /// `inner` under the mask, and `left` where the mask leaves it out.
    fn over(&self, inner: Expr, left: Option<Expr>) -> Expr {
        let (inner, left) = (Box::new(inner), left.map(Box::new));
        match self {
            Mask::Filter(cond) => Expr::Select { cond: Box::new((*cond).clone()), then: inner, other: left },
            Mask::Present(of) => Expr::Present { of: Box::new((*of).clone()), then: Some(inner), other: left },
            Mask::Absent(of) => Expr::Present { of: Box::new((*of).clone()), then: left, other: Some(inner) },
        }
    }
}

/// What the masks of `expr` leave in a dense result, a term for each: zero where it leaves the terms of `reduction` out, else what
/// changes nothing. `None` where no term says that, and where a mask is sparse: the product's loops would meet its entries again in
/// every row.
fn left_by_masks(kernel: &Kernel, expr: &Expr, (op, reduction): (&ReduceOp, &Expr)) -> Option<Vec<Expr>> {
    let element = kernel.element_of(reduction);
    let neutral = Expr::literal(element, op.identity(element));
    let (mut left, mut rest) = (Vec::new(), expr);
    while let Some((mask, inner)) = Mask::of(rest).filter(|_| !zero::is_zero(&neutral)) {
        left.push(left_by_mask(kernel, &mask, &neutral)?);
        rest = inner;
    }
    (left.is_empty() || joined(op).is_some() || *op == ReduceOp::And).then_some(left)
}

fn left_by_mask(kernel: &Kernel, mask: &Mask<'_>, neutral: &Expr) -> Option<Expr> {
    let ResultAccess { indices, .. } = kernel.result();
    let decided = matches!(zero::simplify(kernel, mask.expr(), &|_| false), None | Some(Expr::Literal(_)));
    let outside = mask.expr().free_vars().iter().any(|var| !indices.contains(var));
    let sparse = |access: &Access| !is_random_access(kernel.tensor(access.tensor));
    (!decided && !outside && !mask.expr().accesses().into_iter().any(sparse)).then_some(())?;
    // It is there even where the mask itself is absent.
    let zero = Expr::there(Expr::zero(kernel.element_of(neutral)));
    Some(mask.over(neutral.clone(), Some(zero)))
}

/// A reduction of conditions as one of numbers: what holds somewhere is the greatest of 0 and 1. A sparse result has
/// entries only where there are terms, so that the identities need not agree.
fn cast(kernel: &Kernel, to: Element, a: &Expr) -> Option<(ReduceOp, Expr)> {
    let Expr::Reduce { op, over: Over::Stored, vars, body } = a else { return None };
    let op = match op {
        ReduceOp::Or if !to.is_complex() => ReduceOp::Max,
        ReduceOp::And if !to.is_complex() => ReduceOp::Min,
        ReduceOp::Pick => ReduceOp::Pick,
        ReduceOp::Or | ReduceOp::And | ReduceOp::Xor | ReduceOp::Sum | ReduceOp::Prod => return None,
        ReduceOp::Min | ReduceOp::Max | ReduceOp::ArgMin | ReduceOp::ArgMax | ReduceOp::Custom(_) => return None,
    };
    // The one bit of `i1` is a sign where conditions are taken for numbers.
    let truth = kernel.element_of(body) == Element::I1 && to.int_range().is_none_or(|(_, high)| high >= 1);
    (truth || op == ReduceOp::Pick).then_some(())?;
    let body = Box::new(Expr::Cast(to, body.clone()));
    Some((op.clone(), Expr::Reduce { op, over: Over::Stored, vars: vars.clone(), body }))
}

/// The operation on two numbers that a reduction is made of, but for a sum.
pub(super) fn joined(op: &ReduceOp) -> Option<BinaryOp> {
    op.of_two().filter(|op| matches!(op, BinaryOp::Min | BinaryOp::Max | BinaryOp::Mul))
}

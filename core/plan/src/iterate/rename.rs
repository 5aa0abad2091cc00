//! Gives bound variables distinct names.

use std::{cell::RefCell, collections::BTreeSet};

use super::PlanError;
use nnz_base::ids::IndexVar;
use nnz_kernel::{BinaryOp, Expr, Kernel};

/// Renames variables of `kernel`, for three reasons. No variable may be both bound by a reduction and used outside of
/// one, as `j` is in `x(j) * max(j, A(i, j))`, because loops are identified by variables. A product with a sum must be
/// free to be multiplied out: the `j` of `sum(j, x(j)) * max(j, A(i, j))` is then used outside the sum. And one order
/// of loops must have each reduction inside those around it. `None` if nothing has to be renamed.
pub(super) fn unshadowed(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let free = kernel.expr().free_vars().into_iter().chain(kernel.result().indices.iter().copied());
    let free: Vec<IndexVar> = free.collect();
    let bound = kernel.expr().bound_vars();
    let mut vars = kernel.declarations();
    let mut expr = kernel.expr().clone();
    let mut fresh = |var: IndexVar| {
        vars.push(vars[var.index()].clone());
        IndexVar::new(vars.len() - 1)
    };
    for var in free.into_iter().filter(|var| bound.contains(var)) {
        expr = expr.bound_renamed(var, fresh(var));
    }
    while let Some((product, var)) = shared(&expr) {
        let (product, to) = (product.clone(), fresh(var));
        expr = expr.replaced(&|part| if *part == product { right_renamed(part, var, to) } else { None });
    }
    if nests_in_circles(&expr) {
        expr = set_apart(&expr, &RefCell::new(&mut fresh));
    }
    if expr == *kernel.expr() {
        return Ok(None);
    }
    kernel.rewritten(kernel.tensors().to_vec(), vars, expr).map(Some).map_err(PlanError::rewrite)
}

/// A product or quotient with a variable that reductions on both of its sides bind, one of which is a sum.
fn shared(expr: &Expr) -> Option<(&Expr, IndexVar)> {
    expr.nodes().into_iter().find_map(|node| {
        let Expr::Binary(BinaryOp::Mul | BinaryOp::Div, a, b) = node else { return None };
        let [left, right] = [a, b].map(|side| side.bound_vars());
        let sums = || &summed(a) | &summed(b);
        let both = left.into_iter().filter(|var| right.contains(var)).collect::<Vec<_>>();
        both.into_iter().find(|var| sums().contains(var)).map(|var| (node, var))
    })
}

/// The variables of the sums inside `expr`.
fn summed(expr: &Expr) -> BTreeSet<IndexVar> {
    let vars = |node: &Expr| node.as_named_sum().map_or(Vec::new(), |(vars, _)| vars.to_vec());
    expr.nodes().into_iter().flat_map(vars).collect()
}

/// The product with another variable in the reductions on its right.
fn right_renamed(product: &Expr, from: IndexVar, to: IndexVar) -> Option<Expr> {
    let Expr::Binary(op, a, b) = product else { return None };
    Some(Expr::Binary(*op, a.clone(), Box::new(b.bound_renamed(from, to))))
}

/// Whether no order of variables has each reduction inside those around it: `sum(i, max(j, ..)) + max(j, sum(i, ..))`.
fn nests_in_circles(expr: &Expr) -> bool {
    let reductions = expr.nodes().into_iter().filter_map(reduction);
    let nested =
        reductions.map(|(vars, body)| (vars.iter().copied().collect(), body.bound_vars().into_iter().collect()));
    let mut around: Vec<Nested> = nested.chain(expr.nodes().into_iter().flat_map(around_factors)).collect();
    around.retain(|(_, within)| !within.is_empty());
    // Takes away what has nothing around it, as long as there is any.
    while !around.is_empty() {
        let inner: BTreeSet<IndexVar> = around.iter().flat_map(|(_, within)| within).copied().collect();
        let before = around.len();
        around.retain(|(vars, _)| !vars.is_disjoint(&inner));
        if around.len() == before {
            return true;
        }
    }
    false
}

/// Variables, and those of the reductions inside.
type Nested = (BTreeSet<IndexVar>, BTreeSet<IndexVar>);

/// In a product that is multiplied out, the sums of one side are around the other reductions of the other side.
fn around_factors(node: &Expr) -> Vec<Nested> {
    let Expr::Binary(BinaryOp::Mul | BinaryOp::Div, a, b) = node else { return Vec::new() };
    let values = |factor: &Expr| {
        let values = factor.nodes().into_iter().filter(|node| node.as_named_sum().is_none());
        values.filter(|node| reduction(node).is_some()).flat_map(Expr::bound_vars).collect()
    };
    let pair = |sum: &Expr, factor: &Expr| (summed(sum), values(factor));
    [pair(a, b), pair(b, a)].into_iter().filter(|(vars, _)| !vars.is_empty()).collect()
}

fn reduction(node: &Expr) -> Option<(&[IndexVar], &Expr)> {
    if let Expr::Reduce { vars, body, .. } = node { Some((vars, body)) } else { None }
}

/// `expr` with variables of its own for each reduction.
fn set_apart(expr: &Expr, fresh: &RefCell<&mut dyn FnMut(IndexVar) -> IndexVar>) -> Expr {
    let apart = expr.with_parts(&|part| set_apart(part, fresh));
    let own = |expr: Expr, var: &IndexVar| {
        let to = (*fresh.borrow_mut())(*var);
        expr.renamed(*var, to)
    };
    match reduction(expr) {
        Some((vars, _)) => vars.iter().fold(apart, own),
        None => apart,
    }
}

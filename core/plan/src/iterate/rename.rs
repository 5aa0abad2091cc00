//! Gives bound variables distinct names.

use std::collections::BTreeSet;

use super::PlanError;
use nnz_base::ids::IndexVar;
use nnz_kernel::{Access, BinaryOp, Expr, IndexExpr, Kernel};

/// `kernel` renamed so that no variable is both bound by a reduction and used outside of one, as `j` is in
/// `x(j) * max(j, A(i, j))`, because loops are identified by variables. In `sum(j, x(j)) * max(j, A(i, j))` it will be
/// used outside once the sum is multiplied out. `None` if it is so already.
pub(super) fn unshadowed(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let free = kernel.expr().free_vars().into_iter().chain(kernel.result().indices.iter().copied());
    let free: Vec<IndexVar> = free.collect();
    let bound = kernel.expr().bound_vars();
    let outside = multiplied(kernel.expr());
    if !bound.iter().any(|var| free.contains(var) || outside.contains(var)) {
        return Ok(None);
    }
    let mut vars = kernel.declarations();
    let mut expr = kernel.expr().clone();
    for var in free.into_iter().filter(|var| bound.contains(var)) {
        let fresh = IndexVar::new(vars.len());
        vars.push(vars[var.index()].clone());
        expr = inside_reductions(&expr, var, fresh, &|_| true);
    }
    for var in multiplied(&expr) {
        let fresh = IndexVar::new(vars.len());
        vars.push(vars[var.index()].clone());
        expr = inside_reductions(&expr, var, fresh, &|part| part.as_named_sum().is_none());
    }
    kernel.rewritten(kernel.tensors().to_vec(), vars, expr).map(Some).map_err(PlanError::rewrite)
}

/// The variables of sums in a product or quotient with another reduction that binds the same variable.
fn multiplied(expr: &Expr) -> BTreeSet<IndexVar> {
    let shared = |a: &Expr, b: &Expr| -> BTreeSet<IndexVar> {
        let sums = bound_by(a, &|part| part.as_named_sum().is_some());
        let others = bound_by(b, &|part| part.as_named_sum().is_none());
        sums.intersection(&others).copied().collect()
    };
    let product = |node: &Expr| {
        let Expr::Binary(BinaryOp::Mul | BinaryOp::Div, a, b) = node else { return BTreeSet::new() };
        &shared(a, b) | &shared(b, a)
    };
    expr.nodes().into_iter().flat_map(product).collect()
}

/// The variables of the reductions that `chosen` takes.
fn bound_by(expr: &Expr, chosen: &dyn Fn(&Expr) -> bool) -> BTreeSet<IndexVar> {
    let vars = |node: &Expr| {
        let Expr::Reduce { vars, .. } = node else { return Vec::new() };
        if chosen(node) { vars.clone() } else { Vec::new() }
    };
    expr.nodes().into_iter().flat_map(vars).collect()
}

/// `expr` with `to` for `from` in the reductions that bind it, of those that `chosen` takes.
fn inside_reductions(expr: &Expr, from: IndexVar, to: IndexVar, chosen: &dyn Fn(&Expr) -> bool) -> Expr {
    expr.replaced(&|part| {
        let Expr::Reduce { vars, .. } = part else { return None };
        (vars.contains(&from) && chosen(part)).then(|| renamed(part, from, to))
    })
}

/// `expr` with `to` for `from` throughout.
fn renamed(expr: &Expr, from: IndexVar, to: IndexVar) -> Expr {
    let other = |var: IndexVar| if var == from { to } else { var };
    match expr {
        Expr::Access(access) => {
            let indices = access.indices.iter().map(|index| renamed_index(index, &other)).collect();
            Expr::Access(Access { tensor: access.tensor, indices })
        }
        Expr::Index(var, element) => Expr::Index(other(*var), *element),
        Expr::Reduce { op, over, vars, body } => {
            let vars = vars.iter().map(|var| other(*var)).collect();
            Expr::Reduce { op: op.clone(), over: *over, vars, body: Box::new(renamed(body, from, to)) }
        }
        Expr::Literal(_)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Select { .. }
        | Expr::Present { .. }
        | Expr::Onto { .. } => expr.with_parts(&|part| renamed(part, from, to)),
    }
}

fn renamed_index(index: &IndexExpr, other: &impl Fn(IndexVar) -> IndexVar) -> IndexExpr {
    let start = IndexExpr::constant(index.offset());
    let terms = index
        .terms()
        .iter()
        .try_fold(start, |sum, (factor, var)| sum.plus(&IndexExpr::var(other(*var)).times(*factor)?));
    // The sum has the same factors as before, so it does not overflow.
    terms.unwrap_or_else(|| index.clone())
}

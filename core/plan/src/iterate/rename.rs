//! Gives bound variables distinct names.

use super::PlanError;
use nnz_base::ids::IndexVar;
use nnz_kernel::{Access, Expr, IndexExpr, Kernel};

/// `kernel` renamed so that no variable is both bound by a reduction and used outside of one, as `j` is in
/// `x(j) * max(j, A(i, j))`, because loops are identified by variables. `None` if it is so already.
pub(super) fn unshadowed(kernel: &Kernel) -> Result<Option<Kernel>, PlanError> {
    let free = kernel.expr().free_vars().into_iter().chain(kernel.result().indices.iter().copied());
    let free: Vec<IndexVar> = free.collect();
    let bound = kernel.expr().bound_vars();
    if !bound.iter().any(|var| free.contains(var)) {
        return Ok(None);
    }
    let mut vars = kernel.declarations();
    let mut expr = kernel.expr().clone();
    for var in free.into_iter().filter(|var| bound.contains(var)) {
        let fresh = IndexVar::new(vars.len());
        vars.push(vars[var.index()].clone());
        expr = inside_reductions(&expr, var, fresh);
    }
    kernel.rewritten(kernel.tensors().to_vec(), vars, expr).map(Some).map_err(PlanError::rewrite)
}

/// `expr` with `to` for `from` in the reductions that bind it.
fn inside_reductions(expr: &Expr, from: IndexVar, to: IndexVar) -> Expr {
    expr.replaced(&|part| {
        let Expr::Reduce { vars, .. } = part else { return None };
        vars.contains(&from).then(|| renamed(part, from, to))
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

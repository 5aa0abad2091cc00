//! Writes out the implicit sums that planning could lose: sums over variables that occur only in regions and arms,
//! which planning may drop because they are never chosen. `y(k) = binary(e(k), c(k), left = M(k, j), right = c(k))`
//! adds `c(k)` once for each `j`, even if `c` is dense and the region `left` is dropped.

use super::{Expr, ReduceOp, Sum};
use nnz_base::ids::IndexVar;

/// `expr` with such sums around its additive terms; `left` are the variables of the left side.
pub(super) fn closed(expr: &Expr, left: &[IndexVar]) -> Expr {
    let Sum::Term(term) = expr.as_sum() else { return expr.with_parts(&|part| closed(part, left)) };
    let kept = kept(term);
    let vars: Vec<IndexVar> =
        term.free_vars().into_iter().filter(|var| !left.contains(var) && !kept.contains(var)).collect();
    if vars.is_empty() { term.clone() } else { Expr::reduce(ReduceOp::Sum, vars, term.clone()) }
}

/// The variables of what is computed in any case.
fn kept(expr: &Expr) -> Vec<IndexVar> {
    match expr {
        Expr::Present { .. } | Expr::Select { .. } => Vec::new(),
        Expr::Access(_) | Expr::Index(..) => expr.free_vars(),
        Expr::Reduce { vars, body, .. } => kept(body).into_iter().filter(|var| !vars.contains(var)).collect(),
        Expr::Literal(_)
        | Expr::Slot(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Compare(..)
        | Expr::Cast(..)
        | Expr::Onto { .. } => expr.operands().into_iter().flat_map(kept).collect(),
    }
}

//! Writes out the implicit sums that planning could lose: sums over variables that occur only in regions and arms,
//! which planning may drop because they are never chosen. `y(k) = binary(e(k), c(k), left = M(k, j), right = c(k))`
//! adds `c(k)` once for each `j`, even if `c` is dense and the region `left` is dropped.

use super::{BinaryOp, Expr, Over, ReduceOp, UnaryOp};
use nnz_base::ids::IndexVar;

/// `expr` with such sums around its additive terms; `left` are the variables of the left side.
pub(super) fn closed(expr: Expr, left: &[IndexVar]) -> Expr {
    match expr {
        Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            Expr::Binary(op, Box::new(closed(*a, left)), Box::new(closed(*b, left)))
        }
        Expr::Unary(UnaryOp::Neg, a) => Expr::Unary(UnaryOp::Neg, Box::new(closed(*a, left))),
        term => {
            let kept = kept(&term);
            let vars: Vec<IndexVar> =
                term.free_vars().into_iter().filter(|var| !left.contains(var) && !kept.contains(var)).collect();
            if vars.is_empty() {
                return term;
            }
            Expr::Reduce { op: ReduceOp::Sum, over: Over::All, vars, body: Box::new(term) }
        }
    }
}

/// The variables of what is computed in any case.
fn kept(expr: &Expr) -> Vec<IndexVar> {
    match expr {
        Expr::Present { .. } | Expr::Select { .. } => Vec::new(),
        Expr::Access(_) | Expr::Index(..) => expr.free_vars(),
        Expr::Reduce { vars, body, .. } => kept(body).into_iter().filter(|var| !vars.contains(var)).collect(),
        _ => expr.operands().into_iter().flat_map(kept).collect(),
    }
}

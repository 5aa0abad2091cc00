//! Writes out the implicit sums that planning could lose: sums over variables that occur only in regions and arms,
//! which planning may drop because they are never chosen. `y(k) = binary(e(k), c(k), left = M(k, j), right = c(k))`
//! adds `c(k)` once for each `j`, even if `c` is dense and the region `left` is dropped.

use std::cell::RefCell;

use super::{Expr, ReduceOp, Sum};
use nnz_base::ids::IndexVar;

/// `expr` with such sums around its additive terms; `left` are the variables of the left side. A reduction in a term that
/// binds a variable of the sum around it gets another, which `fresh` makes.
pub(super) fn closed(expr: &Expr, left: &[IndexVar], fresh: &mut dyn FnMut(IndexVar) -> IndexVar) -> Expr {
    let fresh = RefCell::new(fresh);
    summed_but(expr, left, &kept).replaced(&|part| {
        let (vars, body) = part.as_named_sum()?;
        let shadowed: Vec<IndexVar> = body.bound_vars().into_iter().filter(|var| vars.contains(var)).collect();
        let rename = |body: Expr, var: &IndexVar| body.bound_renamed(*var, (fresh.borrow_mut())(*var));
        (!shadowed.is_empty())
            .then(|| Expr::reduce(ReduceOp::Sum, vars.to_vec(), shadowed.iter().fold(body.clone(), rename)))
    })
}

/// `expr` with all implicit sums written out.
pub(super) fn written_out(expr: &Expr, left: &[IndexVar]) -> Expr {
    summed_but(expr, left, &|_| Vec::new())
}

/// `expr` with sums around its additive terms over the variables that are neither in `left` nor `implied`.
fn summed_but(expr: &Expr, left: &[IndexVar], implied: &dyn Fn(&Expr) -> Vec<IndexVar>) -> Expr {
    let Sum::Term(term) = expr.as_sum() else { return expr.with_parts(&|part| summed_but(part, left, implied)) };
    let implied = implied(term);
    let vars: Vec<IndexVar> =
        term.free_vars().into_iter().filter(|var| !left.contains(var) && !implied.contains(var)).collect();
    if vars.is_empty() { term.clone() } else { Expr::reduce(ReduceOp::Sum, vars, term.clone()) }
}

/// The variables of the parts that are always computed.
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

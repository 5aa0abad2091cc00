//! Which positions a loop runs between.

use super::{AccessMode, ArrayId, ArrayType, Binary, Expr, ExprId, Function, Stmt, VarId};

/// The positions between which every iteration of a loop over `var` runs: the array of
/// `for p in positions[var]..positions[var + 1]`, where `body` has such a loop, or asks whether one would run or how long.
pub(crate) fn positions_of(function: &Function, var: VarId, body: &[Stmt]) -> Option<ArrayId> {
    body.iter().find_map(|stmt| segments(function, var, bounds(function, stmt)?))
}

fn bounds(function: &Function, stmt: &Stmt) -> Option<[ExprId; 2]> {
    if let Stmt::For { lo, hi, .. } = stmt {
        return Some([*lo, *hi]);
    }
    if let Stmt::If { cond, .. } = stmt { compared(function, *cond) } else { None }
}

/// The bounds of `lo < hi` and of `n <= hi - lo`.
fn compared(function: &Function, cond: ExprId) -> Option<[ExprId; 2]> {
    let Expr::Binary(op, left, right) = *function.expr(cond) else { return None };
    if op == Binary::Lt {
        return Some([left, right]);
    }
    let Expr::Binary(Binary::Sub, hi, lo) = *function.expr(right) else { return None };
    (op == Binary::Le).then_some([lo, hi])
}

fn segments(function: &Function, var: VarId, [lo, hi]: [ExprId; 2]) -> Option<ArrayId> {
    let is_var = |id: ExprId| matches!(function.expr(id), Expr::Var(found) if *found == var);
    let is_one = |id: ExprId| matches!(function.expr(id), Expr::Index(1));
    let (Expr::Load { array, index: at }, Expr::Load { array: other, index: next }) =
        (function.expr(lo), function.expr(hi))
    else {
        return None;
    };
    let follows = matches!(function.expr(*next), Expr::Binary(Binary::Add, at, one) if is_var(*at) && is_one(*one));
    let declared = function.array(*array);
    let is_positions = matches!(declared.ty, ArrayType::Indices(_)) && declared.mode == AccessMode::Read;
    (array == other && is_var(*at) && follows && is_positions).then_some(*array)
}

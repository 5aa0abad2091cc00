//! `fuse`: two loops as one.
//!
//! Over coordinates,
//! ```text
//! for i in 0..n { for j in 0..m { body } }
//! ```
//! becomes
//! ```text
//! for f in 0..n * m {
//!   let i = f / m
//!   let j = f % m
//!   body
//! }
//! ```
//! If the inner loop runs over the positions of a segment, the segments follow one another:
//! ```text
//! for i in 0..n { for p in pos[i]..pos[i + 1] { body } }
//! ```
//! becomes
//! ```text
//! var segment = 0
//! for f in pos[0]..pos[n] {
//!   while pos[segment + 1] <= f { segment = segment + 1 }
//!   let i = segment
//!   let p = f
//!   body
//! }
//! ```
//! The iterations and their order are the same, so this is legal if the outer loop does nothing else.

use super::{
    Refusal,
    draft::{Draft, Range},
    independent::Context,
    interchange::{Pair, alone_inside, check_bounds},
};
use crate::{iterate::Plan, lower::LoopOver};
use nnz_kernel::LoopName;
use nnz_loops::{ArrayId, Binary, Expr, ExprId, ForKind, Stmt, Type, VarId};

pub(super) fn fuse(
    plan: &Plan,
    draft: &mut Draft,
    [outer, inner]: [&LoopName; 2],
    into: &LoopName,
) -> Result<(), Refusal> {
    let inner_vars = draft.counted(plan, inner)?;
    for outer_var in draft.counted(plan, outer)? {
        let Some(range) = draft.range(outer_var) else { continue };
        let Some(inner_var) = inner_vars.iter().copied().find(|var| draft.around(*var).contains(&outer_var)) else {
            if inner_vars.iter().any(|var| draft.around(outer_var).contains(var)) {
                return Err(Refusal::Swapped { outer: outer.clone(), inner: inner.clone() });
            }
            let (outer, inner) = (outer.clone(), inner.clone());
            return Err(Refusal::NotAlone { outer, inner, between: Vec::new(), first: Vec::new() });
        };
        let pair = alone_inside(draft, range, inner_var)?;
        let (fused, made) = match segments(draft, &pair) {
            Some((array, one)) => of_segments(draft, &pair, into, array, one),
            None => {
                check_bounds(draft, &pair)
                    .map_err(|_| Refusal::NoCommonRange { outer: outer.clone(), inner: inner.clone() })?;
                of_coordinates(draft, &pair, into)
            }
        };
        draft.replace(outer_var, |_, _| Ok::<_, Refusal>(made))?;
        let entries = draft.loops.iter().find_map(|named| match named.over {
            LoopOver::Entries { var, tensor } if var == inner_var => Some(tensor),
            LoopOver::Range { .. } | LoopOver::Entries { .. } | LoopOver::Merged { .. } => None,
        });
        draft.rename(inner_var, &[]);
        draft.rename(outer_var, &[(into, fused)]);
        if let (Some(tensor), Some(named)) = (entries, draft.loops.iter_mut().find(|named| named.name == *into)) {
            named.over = LoopOver::Entries { var: fused, tensor };
        }
        if pair.outer.kind == ForKind::Parallel {
            deal(plan, draft, fused);
        }
    }
    Ok(())
}

/// Makes the fused loop parallel, as the outer one was, if its iterations are independent.
fn deal(plan: &Plan, draft: &mut Draft, fused: VarId) {
    let Some(range) = draft.range(fused) else { return };
    if Context::new(draft, plan, &draft.body).check(fused, &range.body).is_ok() {
        draft.set_kind(fused, ForKind::Parallel);
    }
}

fn of_coordinates(draft: &mut Draft, Pair { outer, inner }: &Pair, into: &LoopName) -> (VarId, Vec<Stmt>) {
    let mut made = Vec::new();
    let mut bounds = |draft: &mut Draft, range: &Range| {
        let name = draft.b.var_name(range.var).to_string();
        let first = draft.fixed(&format!("{name}.first"), range.lo, &mut made);
        let length = draft.b.sub(range.hi, first);
        (first, draft.fixed(&format!("{name}.length"), length, &mut made))
    };
    let (outer_first, outer_length) = bounds(draft, outer);
    let (inner_first, inner_length) = bounds(draft, inner);
    let fused = draft.b.local(into.as_str(), Type::Index);
    let b = &mut draft.b;
    let (zero, at) = (b.index(0), b.var(fused));
    let all = b.mul(outer_length, inner_length);
    let (row, column) = (b.binary(Binary::Div, at, inner_length), b.binary(Binary::Rem, at, inner_length));
    let (row, column) = (b.add(outer_first, row), b.add(inner_first, column));
    let lets = [Stmt::Let { var: outer.var, value: row }, Stmt::Let { var: inner.var, value: column }];
    let body = lets.into_iter().chain(inner.body.clone()).collect();
    made.push(Stmt::For { var: fused, lo: zero, hi: all, kind: ForKind::Serial, body });
    (fused, made)
}

/// The array, if the inner loop runs over `array[i]..array[i + 1]` for the `i` of the outer one; and the expression of
/// the 1.
fn segments(draft: &Draft, Pair { outer, inner }: &Pair) -> Option<(ArrayId, ExprId)> {
    let b = &draft.b;
    let (Expr::Load { array, index }, Expr::Load { array: other, index: next }) = (b.get(inner.lo)?, b.get(inner.hi)?)
    else {
        return None;
    };
    let Expr::Binary(Binary::Add, before, one) = b.get(*next)? else { return None };
    let is_var = |id: &ExprId| matches!(b.get(*id), Some(Expr::Var(var)) if *var == outer.var);
    let follows = array == other && is_var(index) && is_var(before) && b.index_literal(*one) == Some(1);
    let from_first = b.index_literal(outer.lo) == Some(0);
    (follows && from_first).then_some((*array, *one))
}

fn of_segments(
    draft: &mut Draft,
    Pair { outer, inner }: &Pair,
    into: &LoopName,
    array: ArrayId,
    one: ExprId,
) -> (VarId, Vec<Stmt>) {
    let mut made = Vec::new();
    let name = draft.b.var_name(outer.var).to_string();
    let first = outer.lo;
    let end = draft.fixed(&format!("{name}.end"), outer.hi, &mut made);
    let b = &mut draft.b;
    let (segment, fused) = (b.local(&format!("{name}.segment"), Type::Index), b.local(into.as_str(), Type::Index));
    let (here, at) = (b.var(segment), b.var(fused));
    let next = b.add(here, one);
    let segment_end = b.load(array, next);
    let cond = b.binary(Binary::Le, segment_end, at);
    let step = vec![Stmt::Assign { var: segment, value: next }];
    let (lo, hi) = (b.load(array, first), b.load(array, end));
    let mut body = vec![
        Stmt::While { cond, body: step },
        Stmt::Let { var: outer.var, value: here },
        Stmt::Let { var: inner.var, value: at },
    ];
    body.extend(inner.body.iter().cloned());
    made.push(Stmt::Mut { var: segment, value: first });
    made.push(Stmt::For { var: fused, lo, hi, kind: ForKind::Serial, body });
    (fused, made)
}

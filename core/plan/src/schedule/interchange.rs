//! `reorder` of loops that steps have made, by repeatedly swapping neighbours in a nest.
//!
//! Two loops may be swapped if that keeps the order of all accesses to the same entry. That is so if every entry is
//! touched in only one iteration of the outer loop, or of the inner.

use super::{
    Refusal,
    draft::{Draft, Range},
    independent::Context,
};
use crate::iterate::Plan;
use nnz_kernel::LoopName;
use nnz_loops::{ExprId, ForKind, Stmt, VarId};

/// Nests the loops called `names` in this order. Names of loops in another nest do not matter.
pub(super) fn reorder(plan: &Plan, draft: &mut Draft, names: &[LoopName]) -> Result<(), Refusal> {
    for (at, name) in names.iter().enumerate() {
        for var in draft.counted(plan, name)? {
            while let Some(parent) = parent_to_leave(draft, var, &names[at + 1..]) {
                exchange(plan, draft, parent, var).map_err(|refusal| with_way(plan, refusal))?;
            }
        }
    }
    Ok(())
}

/// A sum that is kept between two loops is not, if its loop is around those of the result: that is legal at least where all
/// operands are dense.
fn with_way(plan: &Plan, refusal: Refusal) -> Refusal {
    let Refusal::NotAlone { outer, inner, between, .. } = &refusal else { return refusal };
    let names: Vec<LoopName> = plan.kernel.vars().iter().map(|var| LoopName::new(var.name.as_str())).collect();
    let result: Vec<LoopName> =
        plan.kernel.result().indices.iter().filter_map(|var| names.get(var.index())).cloned().collect();
    let summed: Vec<&LoopName> = names.iter().filter(|name| !result.contains(name)).collect();
    if !between.is_empty() || !plan.operands.is_empty() || summed != [inner] {
        return refusal;
    }
    let first = summed.into_iter().chain(&result).cloned().collect();
    Refusal::NotAlone { outer: outer.clone(), inner: inner.clone(), between: Vec::new(), first }
}

/// The loop directly around the one over `var`, if one of those called `later` is around it.
fn parent_to_leave(draft: &Draft, var: VarId, later: &[LoopName]) -> Option<VarId> {
    let around = draft.around(var);
    let wrong = around.iter().any(|outer| later.contains(&draft.name_of(*outer)));
    around.last().copied().filter(|_| wrong)
}

/// Moves the loop over `inner` outside the loop over `outer`, which is directly around it.
fn exchange(plan: &Plan, draft: &mut Draft, outer: VarId, inner: VarId) -> Result<(), Refusal> {
    let exchanged = draft.range(outer).map(|range| {
        let nest = alone_inside(draft, range, inner)?;
        check(plan, draft, &nest)
    });
    match exchanged {
        None => Ok(()),
        Some(exchanged) => {
            let exchanged = exchanged?;
            draft.replace(outer, |_, _| Ok(vec![exchanged]))
        }
    }
}

/// Two loops with nothing but definitions between.
pub(super) struct Pair {
    pub(super) outer: Range,
    /// Its body starts with the definitions.
    pub(super) inner: Range,
}

/// The loop over `inner`, if there are only definitions beside it inside `outer`, and its bounds do not use them.
pub(super) fn alone_inside(draft: &Draft, outer: Range, inner: VarId) -> Result<Pair, Refusal> {
    let names = || (draft.name_of(outer.var), draft.name_of(inner));
    let nested = outer.body.split_last().and_then(|(last, before)| {
        let Stmt::For { var, lo, hi, kind, body } = last else { return None };
        (*var == inner).then_some((before, [*lo, *hi], *kind, body))
    });
    let plain = |before: &[Stmt]| before.iter().all(|stmt| matches!(stmt, Stmt::Let { .. } | Stmt::Comment(_)));
    let Some((before, [lo, hi], kind, body)) = nested.filter(|(before, ..)| plain(before)) else {
        let (outer_name, inner_name) = names();
        let around = draft.around(inner);
        let between = around.iter().skip_while(|var| **var != outer.var).skip(1).map(|var| draft.name_of(*var));
        let between = between.collect();
        return Err(Refusal::NotAlone { outer: outer_name, inner: inner_name, between, first: Vec::new() });
    };
    let body = before.iter().chain(body).cloned().collect();
    Ok(Pair { inner: Range { var: inner, lo, hi, kind, body }, outer })
}

/// Checks that the bounds of the inner loop are the same in all iterations of the outer one.
pub(super) fn check_bounds(draft: &Draft, Pair { outer, inner }: &Pair) -> Result<(), Refusal> {
    let defines = |stmt: &&Stmt| matches!(stmt, Stmt::Let { .. } | Stmt::Comment(_));
    let defined = inner.body.iter().take_while(defines).flat_map(Stmt::declared).copied();
    let changing: Vec<VarId> = defined.chain([outer.var]).collect();
    let depends = |bound: ExprId| changing.iter().any(|var| draft.b.reads(bound, *var));
    if !depends(inner.lo) && !depends(inner.hi) {
        return Ok(());
    }
    Err(Refusal::BoundsDepend { outer: draft.name_of(outer.var), inner: draft.name_of(inner.var) })
}

/// The two loops the other way round.
fn check(plan: &Plan, draft: &Draft, pair: &Pair) -> Result<Stmt, Refusal> {
    check_bounds(draft, pair)?;
    let Pair { outer, inner } = pair;
    let context = Context::new(draft, plan, &draft.body);
    let of_inner = context.check_all(inner.var, &inner.body, Some(outer.var));
    if let (Err(conflict), Err(_)) = (context.check_all(outer.var, &inner.body, Some(inner.var)), &of_inner) {
        return Err(Refusal::of_order(draft.name_of(outer.var), draft.name_of(inner.var), conflict));
    }
    let kind = if of_inner.is_ok() { outer.kind } else { ForKind::Serial };
    let body = inner.body.clone();
    let within = Stmt::For { var: outer.var, lo: outer.lo, hi: outer.hi, kind: ForKind::Serial, body };
    Ok(Stmt::For { var: inner.var, lo: inner.lo, hi: inner.hi, kind, body: vec![within] })
}

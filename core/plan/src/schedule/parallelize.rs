//! `parallelize`: divides the iterations of a loop among threads.

use super::{Refusal, draft::Draft, independent::Context, refusal::Way};
use crate::iterate::Plan;
use nnz_kernel::{LoopName, schedule::Unit};
use nnz_loops::{ForKind, Stmt, VarId};

pub(super) fn parallelize(plan: &Plan, draft: &mut Draft, of: &LoopName, on: Unit) -> Result<(), Refusal> {
    for var in draft.counted(plan, of)? {
        let dealt = outermost(draft, var);
        match on {
            Unit::NotParallel => draft.set_kind(dealt.unwrap_or(var), ForKind::Serial),
            Unit::CpuThreads => {
                let dealt = dealt.ok_or_else(|| inside(plan, draft, of, var))?;
                check(plan, draft, of, dealt)?;
                draft.set_kind(dealt, ForKind::Parallel);
            }
        }
    }
    Ok(())
}

fn inside(plan: &Plan, draft: &Draft, of: &LoopName, target: VarId) -> Refusal {
    let around = named_around(draft, target);
    let first = around.first().and_then(|(var, name)| Some((outermost(draft, *var)?, name)));
    let neither = first.and_then(|(var, name)| check(plan, draft, name, var).err()).map(Box::new);
    Refusal::Inside { name: of.clone(), outside: around.into_iter().map(|(_, name)| name).collect(), neither }
}

/// The loops around one that have names, outermost first.
fn named_around(draft: &Draft, target: VarId) -> Vec<(VarId, LoopName)> {
    let around = draft.around(target).into_iter().map(|var| (var, draft.name_of(var)));
    around.filter(|(_, name)| draft.names().contains(name)).collect()
}

/// The loop at the top of the function: the one over `target`, or the nameless loop over parts of its values.
fn outermost(draft: &Draft, target: VarId) -> Option<VarId> {
    let around = draft.around(target);
    let unnamed = around.iter().all(|var| !draft.loops.iter().any(|named| named.over.var() == Some(*var)));
    let top = around.first().copied().unwrap_or(target);
    let is_top = draft.body.iter().any(|stmt| matches!(stmt, Stmt::For { var, .. } if *var == top));
    (unnamed && is_top).then_some(top)
}

/// Checks that the loop is parallel already, or that its iterations are independent.
fn check(plan: &Plan, draft: &Draft, of: &LoopName, target: VarId) -> Result<(), Refusal> {
    let Some(range) = draft.range(target).filter(|range| range.kind != ForKind::Parallel) else { return Ok(()) };
    let conflict = Context::new(draft, plan, &draft.body).check(target, &range.body);
    let outside = named_around(draft, target).into_iter().map(|(_, name)| name).next();
    conflict.map_err(|conflict| Refusal::of_conflict(of.clone(), conflict, Way::Around(outside)))
}

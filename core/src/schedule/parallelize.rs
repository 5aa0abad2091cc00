//! `parallelize`: the iterations of a loop dealt to threads.

use super::{Refusal, draft::Draft, independent::Context};
use crate::{
    iterate::Plan,
    kernel::{LoopName, schedule::Unit},
    loops::{ForKind, Stmt, VarId},
};

pub(super) fn parallelize(plan: &Plan, draft: &mut Draft, of: &LoopName, on: Unit) -> Result<(), Refusal> {
    for var in draft.counted(plan, of)? {
        let kind = match on {
            Unit::NotParallel => ForKind::Serial,
            Unit::CpuThreads => {
                check(plan, draft, of, var)?;
                ForKind::Parallel
            }
        };
        draft.set_kind(var, kind);
    }
    Ok(())
}

/// That the loop is an outermost one, and parallel already or its iterations independent.
fn check(plan: &Plan, draft: &Draft, of: &LoopName, target: VarId) -> Result<(), Refusal> {
    let found = draft.body.iter().find_map(|stmt| match stmt {
        Stmt::For { var, kind, body, .. } if *var == target => Some((*kind, body)),
        _ => None,
    });
    let Some((kind, body)) = found else {
        let outside = draft.around(target).into_iter().map(|var| draft.name_of(var)).collect();
        return Err(Refusal::Inside { name: of.clone(), outside });
    };
    if kind == ForKind::Parallel {
        return Ok(());
    }
    let conflict = Context::new(draft, plan, &draft.body).check(target, body);
    conflict.map_err(|conflict| Refusal::of_conflict(of.clone(), conflict))
}

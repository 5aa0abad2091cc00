//! `vectorize`: runs several iterations of an innermost loop at once.

use super::{
    Refusal,
    draft::Draft,
    independent::{Conflict, Context},
    lanes::Sum,
    refusal::Way,
};
use crate::iterate::Plan;
use nnz_kernel::LoopName;
use nnz_loops::{ForKind, Stmt, VarId, visit};

/// Sums are added up in lanes only if their order is `free`.
pub(super) fn vectorize(plan: &Plan, draft: &mut Draft, of: &LoopName, free: bool) -> Result<(), Refusal> {
    for var in draft.counted(plan, of)? {
        let Some(range) = draft.range(var) else { continue };
        if visit::any(&range.body, &Stmt::is_loop) {
            let inside = innermost(&range.body).into_iter().find_map(|var| takes_lanes(plan, draft, var));
            return Err(Refusal::NotInnermost { name: of.clone(), inside });
        }
        let conflict = Context::new(draft, plan, &draft.body).check(var, &range.body);
        if let (Err(Conflict::Carried(_)), Some(sum)) = (&conflict, Sum::of(draft, &range).filter(|_| free)) {
            draft.replace(var, |draft, range| Ok::<_, Refusal>(sum.in_lanes(draft, range)))?;
            continue;
        }
        let way = if !free && Sum::of(draft, &range).is_some() { Way::Reassociate } else { Way::NoLanes };
        conflict.map_err(|conflict| Refusal::of_conflict(of.clone(), conflict, way))?;
        if range.kind == ForKind::Serial {
            draft.set_kind(var, ForKind::Vector);
        }
    }
    Ok(())
}

/// The step that gives the loop over `var` lanes, if one can.
fn takes_lanes(plan: &Plan, draft: &Draft, var: VarId) -> Option<String> {
    let (name, range) = (draft.name_of(var), draft.range(var)?);
    if !draft.names().contains(&name) {
        return None;
    }
    match Context::new(draft, plan, &draft.body).check(var, &range.body) {
        Ok(()) => Some(format!("vectorize({name})")),
        Err(Conflict::Carried(_)) => Sum::of(draft, &range).map(|_| format!("reassociate(), vectorize({name})")),
        Err(_) => None,
    }
}

/// The counted loops that have none inside.
fn innermost(block: &[Stmt]) -> Vec<VarId> {
    let mut found = Vec::new();
    visit::each(block, &mut |stmt| {
        if let Stmt::For { var, body, .. } = stmt
            && !visit::any(body, &Stmt::is_loop)
        {
            found.push(*var);
        }
    });
    found
}

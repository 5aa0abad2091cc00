//! `vectorize`: several iterations of an innermost loop at once.

use super::{
    Refusal,
    draft::Draft,
    independent::{Conflict, Context},
    lanes::Sum,
};
use crate::{
    iterate::Plan,
    kernel::LoopName,
    loops::{ForKind, Stmt},
};

/// Sums may be added up in lanes where the schedule says that their order is free.
pub(super) fn vectorize(plan: &Plan, draft: &mut Draft, of: &LoopName, free: bool) -> Result<(), Refusal> {
    for var in draft.counted(plan, of)? {
        let Some(range) = draft.range(var) else { continue };
        if has_loops(&range.body) {
            return Err(Refusal::NotInnermost { name: of.clone() });
        }
        let conflict = Context::new(draft, plan, &draft.body).check(var, &range.body);
        if let (Err(Conflict::Carried(_)), Some(sum)) = (&conflict, Sum::of(draft, &range).filter(|_| free)) {
            draft.replace(var, |draft, range| Ok::<_, Refusal>(sum.in_lanes(draft, range)))?;
            continue;
        }
        conflict.map_err(|conflict| Refusal::of_conflict(of.clone(), conflict))?;
        if range.kind == ForKind::Serial {
            draft.set_kind(var, ForKind::Vector);
        }
    }
    Ok(())
}

fn has_loops(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::For { .. } | Stmt::While { .. } => true,
        Stmt::If { then, other, .. } => has_loops(then) || has_loops(other),
        _ => false,
    })
}

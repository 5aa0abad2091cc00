//! `bound`: makes a size a constant.
//!
//! The sizes of a kernel are parameters of its loops, so one function serves every shape. A size that the
//! schedule gives is a literal instead: strips that divide it need no shorter last strip, and a loop unrolled
//! as often as it runs disappears.

use super::{Refusal, draft::Draft, pos::rename};
use crate::{iterate::Plan, lower::ScalarBinding};
use nnz_kernel::LoopName;
use nnz_loops::{Copies, VarId};

pub(super) fn bound(plan: &Plan, draft: &mut Draft, of: &LoopName, into: &LoopName, given: u64) -> Result<(), Refusal> {
    let vars = plan.kernel.vars().iter();
    let Some((at, var)) = vars.enumerate().find(|(_, var)| var.name == of.as_str()) else {
        return Err(unbound(plan, draft, of));
    };
    if var.extent != given {
        return Err(Refusal::OtherExtent { name: of.clone(), extent: var.extent, given });
    }
    let is_extent = |binding: &ScalarBinding| matches!(binding, ScalarBinding::Extent(var) if var.index() == at);
    if let (Some(param), Ok(given)) = (draft.scalars.iter().position(is_extent), i64::try_from(given)) {
        let literal = draft.b.index(given);
        let body = std::mem::take(&mut draft.body);
        draft.body = draft.b.copied(&body, &mut Copies::in_place(VarId::new(param), literal));
    }
    rename(draft, of, into);
    Ok(())
}

/// No index of the kernel has that name.
fn unbound(plan: &Plan, draft: &Draft, of: &LoopName) -> Refusal {
    if !draft.loops.iter().any(|named| named.name == *of) {
        return Refusal::no_loop(of, draft.names());
    }
    let whole =
        plan.kernel.vars().iter().filter(|var| !draft.loops.iter().any(|named| named.name.as_str() == var.name));
    let of_kernel = whole.map(|var| (LoopName::new(&var.name), var.extent)).collect();
    Refusal::MadeByStep { name: of.clone(), of: of_kernel }
}

//! `pos`: names the positions of the loop over what a tensor stores.
//!
//! Such a loop already counts positions. The step names its positions, and allows it to be cut: every strip of
//! positions has the same number of entries, whatever their coordinates.

use super::{Refusal, draft::Draft};
use crate::{
    iterate::Plan,
    lower::{LoopOver, NamedLoop},
};
use nnz_kernel::LoopName;

pub(super) fn pos(plan: &Plan, draft: &mut Draft, of: &LoopName, into: &LoopName, tensor: &str) -> Result<(), Refusal> {
    let name = |id| plan.kernel.tensor(id).name.as_str();
    for var in draft.counted(plan, of)? {
        let named = draft.loops.iter().find(|named| named.over.var() == Some(var));
        match named.map(|named| &named.over) {
            Some(LoopOver::Entries { tensor: id, .. }) if name(*id) == tensor => {}
            Some(LoopOver::Entries { tensor: id, .. }) => {
                return Err(Refusal::OtherEntries { name: of.clone(), tensor: name(*id).to_string() });
            }
            _ => return Err(Refusal::NoEntries { name: of.clone(), tensor: tensor.to_string() }),
        }
        draft.rename(var, &[(into, var)]);
    }
    Ok(())
}

/// The loop under another name.
pub(super) fn rename(draft: &mut Draft, from: &LoopName, to: &LoopName) {
    draft.loops.iter_mut().filter(|named| named.name == *from).for_each(|NamedLoop { name, .. }| *name = to.clone());
}

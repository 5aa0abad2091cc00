//! A name that stands for loops of several kinds, for example if the terms of a sum are stored in different orders.
//!
//! A step takes all loops of its name. What would help one of them may be illegal for another, so the refusal is about
//! the name, and says how to get a single loop.

use super::{
    Refusal,
    draft::Draft,
    planned,
    refusal::{Ran, Together},
};
use crate::{iterate::Plan, lower::LoopOver};
use nnz_kernel::{Kernel, LoopName, Schedule, Step};

/// The refusal of `step`: about its loops, if one name stands for several kinds of them.
pub(super) fn told(kernel: &Kernel, runs: &[(LoopName, Vec<Ran>)], step: &Step, refusal: Refusal) -> Refusal {
    let several = |name: &LoopName| runs.iter().any(|(known, over)| known == name && over.len() > 1);
    let Some(name) =
        step.loops().into_iter().find(|name| several(name)).filter(|_| leads_to_another(&refusal, several))
    else {
        return refusal;
    };
    let over = runs.iter().filter(|(known, _)| known == name).flat_map(|(_, over)| over.clone()).collect();
    Refusal::Several { name: name.clone(), over, together: together(kernel, name) }
}

/// Whether the way out is that of one loop alone.
fn leads_to_another(refusal: &Refusal, several: impl Fn(&LoopName) -> bool) -> bool {
    if let Refusal::Inside { outside, neither: None, .. } = refusal {
        return outside.first().is_some_and(several);
    }
    matches!(
        refusal,
        Refusal::Entries { .. }
            | Refusal::NoEntries { .. }
            | Refusal::OtherEntries { .. }
            | Refusal::Swapped { .. }
            | Refusal::NotInnermost { .. }
    )
}

/// What the loops of each name run over, every kind once.
pub(super) fn runs(plan: &Plan, draft: &Draft) -> Vec<(LoopName, Vec<Ran>)> {
    let mut found: Vec<(LoopName, Vec<Ran>)> = Vec::new();
    for named in &draft.loops {
        let ran = ran(plan, &named.over);
        match found.iter_mut().find(|(name, _)| *name == named.name) {
            Some((_, known)) if known.contains(&ran) => {}
            Some((_, known)) => known.push(ran),
            None => found.push((named.name.clone(), vec![ran])),
        }
    }
    found
}

fn ran(plan: &Plan, over: &LoopOver) -> Ran {
    let name = |id| plan.kernel.tensor(id).name.clone();
    match over {
        LoopOver::Range { .. } => Ran::All,
        LoopOver::Entries { tensor, .. } => Ran::Stored(vec![name(*tensor)]),
        LoopOver::Merged { tensors } => Ran::Stored(tensors.iter().map(|id| name(*id)).collect()),
    }
}

/// The conversion after which all loops of the kernel are one nest, with `outer` outside.
fn together(kernel: &Kernel, outer: &LoopName) -> Option<Together> {
    let names = kernel.vars().iter().map(|var| LoopName::new(var.name.clone()));
    let (mut loops, others): (Vec<LoopName>, Vec<LoopName>) = names.partition(|name| name == outer);
    loops.extend(others);
    match planned::planned(kernel, &Schedule { steps: vec![Step::Reorder { loops }] }) {
        Err(super::ScheduleError::Step { refusal: Refusal::NeedsConversion { tensor, spelled, .. }, .. }) => {
            Some(Together { tensor, spelled })
        }
        Ok(_) | Err(_) => None,
    }
}

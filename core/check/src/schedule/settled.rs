//! What a step settles, a later one may not settle again: it would repeat or contradict the first.

use super::Reader;
use crate::checked::Scheduled;
use nnz_kernel::{LoopName, Step};

#[derive(PartialEq)]
enum Settled<'s> {
    /// Whether sums may be added up in another order.
    Sums,
    /// What runs the iterations of a loop.
    Unit(&'s LoopName),
    Lanes(&'s LoopName),
    /// How these loops nest.
    Order(&'s [LoopName]),
    /// How a result is assembled.
    Result(&'s str),
    Workspace,
}

impl Settled<'_> {
    fn settles(&self, other: &Settled<'_>) -> bool {
        match (self, other) {
            (Settled::Order(these), Settled::Order(those)) => these == those || !agree(these, those),
            _ => self == other,
        }
    }

    fn what(&self) -> String {
        match self {
            Settled::Sums => "the order of sums is free already".to_string(),
            Settled::Unit(of) => format!("what runs `{of}` is settled already"),
            Settled::Lanes(of) => format!("`{of}` is vectorized already"),
            Settled::Order(_) => "how two of these loops nest is settled already".to_string(),
            Settled::Result(tensor) => format!("how `{tensor}` is assembled is settled already"),
            Settled::Workspace => "there is a workspace already".to_string(),
        }
    }
}

/// Whether two orders nest the loops that both have in one way.
fn agree(these: &[LoopName], those: &[LoopName]) -> bool {
    let common = these.iter().filter(|of| those.contains(of));
    common.eq(those.iter().filter(|of| these.contains(of)))
}

fn settled(step: &Step) -> Option<Settled<'_>> {
    match step {
        Step::Reassociate => Some(Settled::Sums),
        Step::Parallelize { of, .. } => Some(Settled::Unit(of)),
        Step::Vectorize { of } => Some(Settled::Lanes(of)),
        Step::Reorder { loops } => Some(Settled::Order(loops)),
        Step::Assemble { tensor, .. } => Some(Settled::Result(tensor)),
        Step::Precompute { .. } => Some(Settled::Workspace),
        // These replace their loop, so no later step can name it.
        Step::Split { .. }
        | Step::Divide { .. }
        | Step::Fuse { .. }
        | Step::Pos { .. }
        | Step::Bound { .. }
        | Step::Unroll { .. } => None,
    }
}

impl Reader<'_, '_, '_> {
    /// Whether each step settles something of its own; reports the first that does not.
    pub(super) fn settled_once(&mut self, scheduled: &Scheduled) -> bool {
        let settle: Vec<_> = scheduled.schedule.steps.iter().map(settled).collect();
        let earlier = |twice: &Settled<'_>, at: usize| {
            settle[..at].iter().position(|other| other.as_ref().is_some_and(|other| other.settles(twice)))
        };
        let known = settle.iter().enumerate().find_map(|(at, twice)| {
            let twice = twice.as_ref()?;
            Some((twice, at, earlier(twice, at)?))
        });
        let Some((twice, at, first)) = known else { return true };
        let (again, before) = (scheduled.places[at].whole, scheduled.places[first].whole);
        let error = self.error(again, twice.what()).label("again").secondary(before, "by this step");
        self.report(error.help("leave one of them out"));
        false
    }
}

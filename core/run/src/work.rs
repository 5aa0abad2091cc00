//! Counts what the loops of a run do, by running them once more with counters (`nnz_loops::counting`).

use super::{
    Bound, BoundArray, BoundPhase, RunError,
    cost::{Size, operand_bytes, written_bytes},
    measure::Work,
    result::Room,
};
use nnz_backend::{Backend, Executable};
use nnz_base::arrays::IndexArray;
use nnz_loops::counting::{Counting, Done};
use nnz_plan::lower::{ArrayBinding, Phase};

impl Bound<'_> {
    /// The work of one run, counted by a run on one thread; the estimate, if loops cannot count.
    ///
    /// # Errors
    /// As [`Bound::run`].
    pub fn work(&mut self, backend: &dyn Backend) -> Result<Work, RunError> {
        let lowered = self.lowered;
        let mut tally = Tally::default();
        if let (Some(phase), Some(bound)) = (&lowered.count, &mut self.count) {
            let Some(done) = counted(phase, bound, backend)? else { return Ok(self.estimate()) };
            tally.add(phase, &done);
            let counts = bound.ends(Some(phase));
            let levels = counts.len() / self.parts.count().max(1);
            self.make_room(Some(Room::counted(&counts, levels)))?;
        }
        let Some(bound) = &mut self.fill else { return Ok(self.estimate()) };
        let Some(done) = counted(&lowered.fill, bound, backend)? else { return Ok(self.estimate()) };
        tally.add(&lowered.fill, &done);
        let size = |binding| operand_bytes(&lowered.plan.kernel, &self.operands, binding);
        Ok(Work {
            bytes: tally.bytes(&size) + written_bytes(&lowered.plan),
            flops: tally.operations,
            is_estimate: false,
        })
    }

    fn estimate(&self) -> Work {
        Work { flops: self.cost.flops, bytes: self.cost.bytes, is_estimate: true }
    }
}

/// What all functions of a run did.
#[derive(Default)]
struct Tally {
    operations: u64,
    /// How many entries of each array were loaded.
    loads: Vec<(ArrayBinding, u64)>,
}

impl Tally {
    fn add(&mut self, phase: &Phase, done: &Done) {
        self.operations = self.operations.saturating_add(done.operations);
        for (binding, loads) in phase.arrays.iter().zip(&done.loads) {
            match self.loads.iter_mut().find(|(known, _)| known == binding) {
                Some((_, sum)) => *sum = sum.saturating_add(*loads),
                None => self.loads.push((*binding, *loads)),
            }
        }
    }

    /// The bytes that were read: for each array the loaded entries, but at most the size of the array.
    fn bytes(&self, size: &dyn Fn(ArrayBinding) -> Option<Size>) -> u64 {
        let read = |(binding, loads): &(ArrayBinding, u64)| {
            let Size { entries, bytes } = size(*binding)?;
            let share = u128::from(bytes) * u128::from((*loads).min(entries));
            Some(share.div_ceil(u128::from(entries.max(1))) as u64)
        };
        self.loads.iter().filter_map(read).fold(0, u64::saturating_add)
    }
}

/// Runs one function with counters.
fn counted(phase: &Phase, bound: &mut BoundPhase<'_>, backend: &dyn Backend) -> Result<Option<Done>, RunError> {
    let Some(counting) = Counting::of(&phase.function) else { return Ok(None) };
    let code = backend.compile(&counting.function)?;
    bound.arrays.push(BoundArray::OwnIndices(IndexArray::U64(vec![0; counting.counters()])));
    let ended = one_run(bound, &*code);
    let counters = bound.arrays.pop();
    ended?;
    Ok(match counters {
        Some(BoundArray::OwnIndices(counters)) => Some(counting.total(counters.iter())),
        Some(BoundArray::OwnValues(_) | BoundArray::Values(_) | BoundArray::Indices(_)) | None => None,
    })
}

fn one_run(bound: &mut BoundPhase<'_>, code: &dyn Executable) -> Result<(), RunError> {
    // SAFETY: the function is lowering's, bound as it asks, with counters that it stores in an array of their number.
    unsafe { bound.run(code, 1) }
}

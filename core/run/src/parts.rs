//! Cuts loops into parts: loops of a sparse result, and loops over sorted coordinates that repeat.

use super::{Operand, stored};
use nnz_base::{
    arrays::IndexArray,
    ids::{IndexVar, Lvl, TensorId},
};
use nnz_encoding::{LevelFormat, format::Below};
use nnz_plan::{
    iterate::{Method, Plan, ResultPlan, Space},
    lower::Lowered,
};
use nnz_storage::Storage;

/// Parts each thread gets, so that one with more work than was estimated does not keep the others waiting.
const PARTS_PER_THREAD: usize = 4;
/// All workspaces together have at most so many entries: 2^23 of 16 bytes are 128 MiB.
const MOST_WORKSPACE: u64 = 1 << 23;

/// Between which values of the outermost variable each part lies, and between which positions of the
/// operands whose first level it is.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// Ascending; one more than the number of parts.
    pub(super) values: Vec<u64>,
    operands: Vec<(TensorId, Vec<u64>)>,
}

impl Parts {
    /// Parts with about equally many entries, for this number of threads; one part if the loops have none.
    pub(super) fn new(lowered: &Lowered, operands: &[Option<Operand<'_>>], threads: usize) -> Parts {
        let plan = &lowered.plan;
        let Some(var) = outermost(plan) else { return Parts { values: vec![0, 0], operands: Vec::new() } };
        let most = MOST_WORKSPACE / workspace(plan, operands).max(1);
        let extent = plan.kernel.var(var).extent;
        let tensors = cut_operands(plan, operands, var);
        let wanted = if threads <= 1 { 1 } else { (threads * PARTS_PER_THREAD) as u64 };
        let parts = wanted.min(most).min(extent).max(1);
        let before = |value: u64| tensors.iter().fold(value, |sum, (_, storage)| sum + entries_before(storage, value));
        let values = cuts(extent, parts, &before);
        let positions = |storage: &Storage| values.iter().map(|value| first_position(storage, *value)).collect();
        let operands = tensors.iter().map(|(tensor, storage)| (*tensor, positions(storage))).collect();
        Parts { values, operands }
    }

    pub(super) fn count(&self) -> usize {
        self.values.len().saturating_sub(1)
    }

    /// The cuts of an operand.
    pub(super) fn positions(&self, tensor: TensorId) -> Vec<u64> {
        self.operands.iter().find(|(other, _)| *other == tensor).map_or_else(Vec::new, |(_, cuts)| cuts.clone())
    }
}

/// The variable that is cut.
fn outermost(plan: &Plan) -> Option<IndexVar> {
    match &plan.result {
        ResultPlan::Dense { nests, .. } => nests.iter().find_map(|nest| nest.placement.parts),
        ResultPlan::Inherited { .. } => None,
        ResultPlan::Assembled(assembly) => assembly.rows.first().filter(|_| assembly.in_parts).map(|row| row.var),
    }
}

/// How many entries a workspace has: one for every coordinate, or about twice as many slots as coordinates
/// can be touched. That is an odd number, so that regular distances do not all fall into the same slots.
pub(super) fn workspace(plan: &Plan, operands: &[Option<Operand<'_>>]) -> u64 {
    let ResultPlan::Assembled(assembly) = &plan.result else { return 0 };
    match &assembly.space {
        _ if matches!(assembly.method, Method::Append | Method::List) => 0,
        Space::Dense => assembly.workspace_var().map_or(0, |var| plan.kernel.var(var).extent),
        Space::Hashed(bounds) => {
            let bounds = bounds.iter().filter_map(|id| plan.operands.get(id.index()));
            let entries = bounds.map(|operand| super::entries(&plan.kernel, operands, operand));
            entries.fold(1u64, |slots, entries| slots.saturating_add(entries.saturating_mul(2)))
        }
    }
}

/// The operands whose first level is `var`.
fn cut_operands<'a>(plan: &Plan, operands: &[Option<Operand<'a>>], var: IndexVar) -> Vec<(TensorId, &'a Storage)> {
    let sorted = |format: LevelFormat| !format.props().nonordered;
    let first = plan
        .operands
        .iter()
        .filter(|operand| operand.level_var(Lvl::new(0)) == Some(var) && sorted(operand.encoding.format(Lvl::new(0))));
    first.filter_map(|operand| Some((operand.tensor, stored(operands, operand.tensor)?))).collect()
}

/// Cuts `0..extent` so that each part has about as much `before` its end, less that before its start.
fn cuts(extent: u64, parts: u64, before: &dyn Fn(u64) -> u64) -> Vec<u64> {
    let total = before(extent);
    let cut = |part: u64| {
        let wanted = (u128::from(total) * u128::from(part) / u128::from(parts)) as u64;
        first(0, extent, &|value| before(value) >= wanted)
    };
    let inner = (1..parts).map(cut);
    [0].into_iter().chain(inner).chain([extent]).collect()
}

/// The first number from `low` on, before `high`, for which `found` holds, as it does for all after; else `high`.
fn first(mut low: u64, mut high: u64, found: &dyn Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if found(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// The first position of the outermost level whose coordinate is not below `value`.
fn first_position(storage: &Storage, value: u64) -> u64 {
    let lvl = Lvl::new(0);
    let Some(coordinates) = storage.coordinates(lvl).filter(|_| !storage.encoding().format(lvl).has_every_place())
    else {
        return value;
    };
    let bound = |at: usize| storage.positions(lvl).map_or(0, |positions| entry(positions, at as u64));
    first(bound(0), bound(1), &|at| entry(coordinates, at) >= value)
}

/// How many entries lie before `value` of the outermost level's variable, as far down as segments follow
/// each other.
fn entries_before(storage: &Storage, value: u64) -> u64 {
    let sizes = storage.lvl_sizes();
    let mut position = first_position(storage, value);
    for (at, level) in storage.encoding().levels().iter().enumerate().skip(1) {
        position = match (level.format.below(), storage.positions(Lvl::new(at))) {
            (Below::Size, _) => position.saturating_mul(sizes[at]),
            (Below::One, _) => position,
            (Below::Exactly(count), _) => position.saturating_mul(count),
            (Below::Segment, Some(positions)) => entry(positions, position),
            (Below::Segment, None) | (Below::Pair | Below::Batch, _) => return position,
        };
    }
    position
}

fn entry(array: &IndexArray, at: u64) -> u64 {
    if (at as usize) < array.len() { array.at(at as usize) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_about_equally_much() {
        // Value 2 has nearly everything.
        let before = |value: u64| [0, 1, 2, 1002, 1003, 1003, 1003][value as usize];
        assert_eq!(cuts(6, 4, &before), [0, 3, 3, 3, 6]);
        assert_eq!(cuts(8, 4, &|value| value), [0, 2, 4, 6, 8]);
        assert_eq!(cuts(0, 1, &|value| value), [0, 0]);
    }
}

//! Finds the last use of a value. A tensor is changed in place by an insertion that is its last use, so a loop of
//! insertions does not copy it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Op, Region, ValueId};

type Values = FxHashSet<ValueId>;

/// The body of a function, its last uses and what its kernels compute in vain marked.
pub(super) fn marked(mut body: Region) -> Region {
    super::idle::mark(&mut body);
    mark_region(&mut body, &Values::default());
    body
}

/// `after` is used after the region, or when it runs again.
fn mark_region(region: &mut Region, after: &Values) {
    let mut after = after.clone();
    if !region.others.is_empty() {
        after.extend(shared(region));
    }
    let others = region.others.iter_mut().map(|block| &mut block.operations);
    for operations in std::iter::once(&mut region.operations).chain(others) {
        mark_block(operations, after.clone());
    }
}

/// Values that are used in another block than the one that computes them.
fn shared(region: &Region) -> Values {
    let mut users: FxHashMap<ValueId, usize> = FxHashMap::default();
    let mut shared = Values::default();
    let arguments = region.others.iter().enumerate();
    let arguments = arguments.flat_map(|(at, block)| block.arguments.iter().map(move |value| (value.value, at + 1)));
    users.extend(region.arguments.iter().map(|value| (value.value, 0)).chain(arguments));
    for (at, operations) in region.blocks().enumerate() {
        users.extend(operations.iter().flat_map(|op| &op.results).map(|value| (*value, at)));
    }
    for (at, operations) in region.blocks().enumerate() {
        let mut used = Values::default();
        operations.iter().for_each(|op| uses_of(op, &mut used));
        shared.extend(used.into_iter().filter(|value| users.get(value) != Some(&at)));
    }
    shared
}

fn mark_block(operations: &mut [Op], mut after: Values) {
    for op in operations.iter_mut().rev() {
        let mut within = Values::default();
        op.regions.iter().flatten().flat_map(Region::blocks).flatten().for_each(|inner| uses_of(inner, &mut within));
        let once = matches!(op.def.name, "scf.if" | "scf.execute_region");
        let mut again = after.clone();
        if !once {
            again.extend(&within);
            op.regions.iter().flatten().for_each(|region| forget_own(region, &mut again));
        }
        op.regions.iter_mut().flatten().for_each(|region| mark_region(region, &again));
        after.extend(within);
        for at in (0..op.operands.len()).rev() {
            let value = op.operands[at].value;
            op.operands[at].last = after.insert(value);
        }
    }
}

/// What a region computes is computed anew each time that it runs.
fn forget_own(region: &Region, values: &mut Values) {
    let arguments = region.arguments.iter().chain(region.others.iter().flat_map(|block| &block.arguments));
    for argument in arguments {
        values.remove(&argument.value);
    }
    for op in region.blocks().flatten() {
        op.results.iter().for_each(|value| {
            values.remove(value);
        });
        op.regions.iter().flatten().for_each(|inner| forget_own(inner, values));
    }
}

fn uses_of(op: &Op, uses: &mut Values) {
    uses.extend(op.operands.iter().map(|operand| operand.value));
    op.regions.iter().flatten().flat_map(Region::blocks).flatten().for_each(|inner| uses_of(inner, uses));
}

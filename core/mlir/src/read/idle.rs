//! Finds what the body of a kernel computes in vain. A kernel yields a value at every point, and what that value does not
//! depend on has no part in its meaning: neither does it read an operand, nor is it run.

use std::collections::HashSet;

use crate::ir::{Op, Region, ValueId};

/// Marks the idle operations of all kernels of a region.
pub(super) fn mark(region: &mut Region) {
    let others = region.others.iter_mut().flat_map(|block| &mut block.operations);
    for op in region.operations.iter_mut().chain(others) {
        let is_kernel = op.def.name.starts_with("linalg.");
        op.regions.iter_mut().flatten().for_each(|inner| if is_kernel { mark_body(inner) } else { mark(inner) });
    }
}

fn mark_body(body: &mut Region) {
    let mut needed = HashSet::new();
    // Blocks may hand values back to earlier ones, so one pass may be too few.
    loop {
        let before = needed.len();
        collect(body, &mut needed);
        if needed.len() == before {
            break;
        }
    }
    mark_unneeded(body, &needed);
}

/// Adds what the operations in use need, whose results are `needed` or that act on something.
fn collect(region: &Region, needed: &mut HashSet<ValueId>) {
    let others = region.others.iter().rev().map(|block| &block.operations);
    for op in others.chain([&region.operations]).flat_map(|operations| operations.iter().rev()) {
        if is_in_use(op, needed) {
            needed.extend(op.operands.iter().map(|operand| operand.value));
            op.regions.iter().flatten().for_each(|inner| collect(inner, needed));
        }
    }
}

fn mark_unneeded(region: &mut Region, needed: &HashSet<ValueId>) {
    let others = region.others.iter_mut().flat_map(|block| &mut block.operations);
    for op in region.operations.iter_mut().chain(others) {
        op.idle = !is_in_use(op, needed);
        op.regions.iter_mut().flatten().for_each(|inner| mark_unneeded(inner, needed));
    }
}

fn is_in_use(op: &Op, needed: &HashSet<ValueId>) -> bool {
    op.def.is_terminator() || op.results.iter().any(|result| needed.contains(result)) || acts(op)
}

/// Whether an operation may do more than compute its results.
fn acts(op: &Op) -> bool {
    let inner = || op.regions.iter().flatten().flat_map(Region::blocks).flatten();
    let changes = matches!(op.def.name, "func.call" | "sparse_tensor.push_back" | "sparse_tensor.compress");
    changes || op.results.is_empty() || inner().any(|op| !op.def.is_terminator() && acts(op))
}

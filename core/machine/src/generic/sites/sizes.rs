//! The sizes of a kernel without data: those of its types, and assumed ones.

use std::sync::Arc;

use nnz_encoding::AffineMap;
use nnz_kernel::ASSUMED_SIZE;
use nnz_mlir::ir::{Op, Operand};

/// The points of a kernel whose types give its sizes.
pub(super) fn known_points(op: &Op, maps: &[Arc<AffineMap>]) -> Option<u64> {
    known_extents(op, maps).into_iter().try_fold(1u64, |points, extent| Some(points.saturating_mul(extent?)))
}

/// How far each loop runs, by the sizes that types give, or else by assumed sizes.
pub(super) fn extents(op: &Op, maps: &[Arc<AffineMap>]) -> Vec<u64> {
    known_extents(op, maps).into_iter().map(|extent| extent.unwrap_or(ASSUMED_SIZE)).collect()
}

/// How far each loop runs, by the sizes that types give.
fn known_extents(op: &Op, maps: &[Arc<AffineMap>]) -> Vec<Option<u64>> {
    let mut extents = vec![None; maps.first().map_or(0, |map| map.dims)];
    for (operand, map) in op.operands.iter().zip(maps) {
        for (result, size) in map.results.iter().zip(operand.ty.shape().unwrap_or_default()) {
            let extent = result.as_var().and_then(|dim| extents.get_mut(dim.index()));
            if let (Some(extent), Some(size)) = (extent, size) {
                extent.get_or_insert(size);
            }
        }
    }
    extents
}

/// The sizes of an operand: those of its type, and for open ones what the loops reach.
pub(super) fn reached(operand: &Operand, map: &AffineMap, extents: &[u64], notes: &mut Vec<String>) -> Vec<u64> {
    let last: Vec<u64> = extents.iter().map(|extent| extent.saturating_sub(1)).collect();
    let ends = map.image(&last).map(|end| u64::try_from(end).unwrap_or(0).saturating_add(1));
    let known = operand.ty.shape().unwrap_or_default();
    let open = known.contains(&None);
    let shape = known.into_iter().zip(ends).map(|(size, end)| size.unwrap_or(end)).collect();
    if open {
        note_open(notes);
    }
    shape
}

pub(super) fn sizes(operand: &Operand, notes: &mut Vec<String>) -> Vec<u64> {
    let shape = operand.ty.shape().unwrap_or_default();
    if shape.contains(&None) {
        note_open(notes);
    }
    shape.into_iter().map(|size| size.unwrap_or(ASSUMED_SIZE)).collect()
}

fn note_open(notes: &mut Vec<String>) {
    let note = format!("as if sizes that only a run tells were {ASSUMED_SIZE}");
    if !notes.contains(&note) {
        notes.push(note);
    }
}

//! Evaluates a body point by point, in the order of the loops. This is the reference: it defines the meaning
//! of every kernel, and runs those that cannot be compiled.

mod body;
mod cell;
mod entries;

use super::{
    Generic,
    uses::{in_use, reads},
};
use crate::{
    machine::{Fault, Frame, Machine},
    value::{Value, advance},
};
use body::Body;
use cell::{Cell, Source};
use entries::Entries;
use nnz_encoding::AffineMap;
use nnz_mlir::ir::Region;

/// Runs the body at every point.
///
/// # Errors
/// Whatever stops it.
pub(super) fn run(
    machine: &mut Machine<'_>,
    frame: &mut Frame<'_>,
    generic: &Generic<'_>,
) -> Result<Vec<Value>, Fault> {
    let region = generic.op.region(0).ok_or_else(|| Fault::new("a kernel without a body"))?;
    let live = !leaves_out(region);
    let entries = generic.values.iter().map(|value| Entries::new(&machine.budget, value, live));
    let mut operands = entries.collect::<Result<Vec<_>, _>>()?;
    let old = Old::take(generic, region, &mut operands);
    let mut body = Body::new(frame, generic.outs());
    let points = generic.extents.iter().try_fold(1u64, |count, extent| count.checked_mul(*extent));
    let points = points.ok_or_else(|| Fault::limit("the kernel has more than 2^64 points"))?;
    let mut point = vec![0; generic.extents.len()];
    // One array for each, as there may be millions of points.
    let mut places = vec![Vec::new(); generic.maps.len()];
    let mut arguments = Vec::with_capacity(operands.len());
    for _ in 0..points {
        machine.step(1)?;
        body.point.clone_from(&point);
        generic.maps.iter().zip(&mut places).for_each(|(map, at)| go_to(map, &point, at));
        read(generic, &operands, &old, &places, &mut arguments)?;
        let yielded = body.region(machine, frame, region, &arguments)?;
        for (out, cell) in yielded.into_iter().enumerate() {
            let at = generic.inputs + out;
            operands[at].keep(&places[at], cell, old.filters_zeros)?;
        }
        advance(&mut point, &generic.extents);
    }
    operands
        .into_iter()
        .zip(&generic.values)
        .skip(generic.inputs)
        .map(|(entries, value)| entries.finish(&machine.budget, value))
        .collect()
}

/// Whether a body may have no result at a point. An entry that is not read is zero then.
fn leaves_out(region: &Region) -> bool {
    in_use(region).any(|op| {
        matches!(op.def.name, "sparse_tensor.unary" | "sparse_tensor.binary" | "sparse_tensor.select")
            || op.regions.iter().flatten().any(leaves_out)
    })
}

/// Where a map leads at a point.
fn go_to(map: &AffineMap, point: &[u64], at: &mut Vec<u64>) {
    at.clear();
    at.extend(map.image(point).map(|at| u64::try_from(at).unwrap_or(u64::MAX)));
}

/// What the results were before.
struct Old {
    /// A result with an encoding keeps only nonzeros, because the body uses dense operands alone.
    filters_zeros: bool,
    /// Some loops are not dimensions of the result.
    reduces: bool,
}

impl Old {
    fn take(generic: &Generic<'_>, region: &Region, operands: &mut [Entries]) -> Old {
        let reduces = generic.maps.get(generic.inputs).is_some_and(|map| map.results.len() < map.dims);
        let used = |at: usize| region.arguments.get(at).is_some_and(|argument| reads(region, argument.value));
        let sparse = |(at, entries): (usize, &Entries)| matches!(entries, Entries::Sparse { .. }) && used(at);
        let sparse_inputs = operands.iter().take(generic.inputs).enumerate().any(sparse);
        for (at, operand) in operands.iter_mut().enumerate().skip(generic.inputs) {
            if !used(at) {
                operand.clear();
            }
        }
        let any_used = (generic.inputs..operands.len()).any(used);
        Old { filters_zeros: !sparse_inputs && !any_used, reduces }
    }
}

/// What the body is given at a point.
fn read(
    generic: &Generic<'_>,
    operands: &[Entries],
    old: &Old,
    places: &[Vec<u64>],
    cells: &mut Vec<Cell>,
) -> Result<(), Fault> {
    cells.clear();
    for (at, (operand, place)) in operands.iter().zip(places).enumerate() {
        let mut cell = operand.at(place)?;
        match operand {
            Entries::Dense(_) | Entries::Live(_) if at >= generic.inputs && old.reduces => cell.source = Source::Old,
            Entries::Sparse { element, .. } if at >= generic.inputs && cell.is_missing() => {
                cell = Cell::unset(*element)
            }
            Entries::Scalar(_) | Entries::Dense(_) | Entries::Live(_) | Entries::Sparse { .. } => {}
        }
        cells.push(cell);
    }
    Ok(())
}

//! Checks the sizes of a kernel's operands, if their types give them: every loop has the same extent in all operands,
//! and no access leaves its operand.

use super::linalg::maps_of;
use crate::{attribute::Attribute, draft::Draft, ir::Operand, mistake::Mistake};
use nnz_encoding::AffineMap;

/// How far a loop runs, and the operand that says so.
struct Extent<'d> {
    size: u64,
    operand: &'d Operand,
    dim: usize,
}

/// # Errors
/// Two operands that make one loop run to different ends; an operand that the loops leave.
pub(super) fn fitting(draft: &Draft) -> Result<(), Mistake> {
    let maps: Vec<&AffineMap> = maps_of(draft)?.iter().filter_map(Attribute::as_map).map(AsRef::as_ref).collect();
    let mut extents: Vec<Option<Extent<'_>>> = Vec::new();
    extents.resize_with(maps.first().map_or(0, |map| map.dims), || None);
    for (map, operand) in maps.iter().zip(&draft.operands) {
        for (dim, size) in sizes(operand) {
            let var = map.results.get(dim).and_then(|result| result.as_var());
            let Some(extent) = var.and_then(|var| extents.get_mut(var.index())) else { continue };
            match extent {
                Some(known) if known.size != size => return Err(unequal(draft, known, &Extent { size, operand, dim })),
                Some(_) => {}
                None => *extent = Some(Extent { size, operand, dim }),
            }
        }
    }
    let extents: Option<Vec<u64>> = extents.into_iter().map(|extent| extent.map(|extent| extent.size)).collect();
    extents.map_or(Ok(()), |extents| inside(draft, &maps, &extents))
}

/// The dimensions whose size the type gives.
fn sizes(operand: &Operand) -> impl Iterator<Item = (usize, u64)> {
    let shape = operand.ty.shape().unwrap_or_default();
    shape.into_iter().enumerate().filter_map(|(dim, size)| Some((dim, size?)))
}

fn unequal(draft: &Draft, known: &Extent<'_>, other: &Extent<'_>) -> Mistake {
    let (name, first) = (draft.name_of(other.operand), draft.name_of(known.operand));
    let message = format!(
        "`{name}` has size {} in dimension {}, where dimension {} of `{first}` asks for {}",
        other.size, other.dim, known.dim, known.size
    );
    Mistake::types(other.operand.span, message)
        .label(format!("size {} in dimension {}", other.size, other.dim))
        .secondary(known.operand.span, format!("size {} in dimension {}", known.size, known.dim))
}

/// Every access stays within its operand.
fn inside(draft: &Draft, maps: &[&AffineMap], extents: &[u64]) -> Result<(), Mistake> {
    let Some(last) = extents.iter().map(|extent| extent.checked_sub(1)).collect::<Option<Vec<u64>>>() else {
        return Ok(());
    };
    let first = vec![0; last.len()];
    for (map, operand) in maps.iter().zip(&draft.operands) {
        // As MLIR has it: every result is taken to grow or to shrink all the way.
        let ends: [Vec<i128>; 2] = [map.image(&last).collect(), map.image(&first).collect()];
        for (dim, size) in sizes(operand) {
            let mut reached = ends.iter().filter_map(|end| end.get(dim));
            if let Some(at) = reached.find(|at| !(0..i128::from(size)).contains(*at)) {
                let name = draft.name_of(operand);
                let message =
                    format!("the loops reach coordinate {at} in dimension {dim} of `{name}`, which has size {size}");
                return Err(Mistake::types(operand.span, message).label(format!("size {size} in dimension {dim}")));
            }
        }
    }
    Ok(())
}

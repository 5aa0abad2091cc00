//! `tensor` at run time: changes of shape.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Value, advance, by, by_signed},
};
use nnz_base::{arrays::Values, element::Scalar};
use nnz_check::TensorType;
use nnz_mlir::{
    attribute::Attribute,
    dialects::tensor_shapes::{OPEN, of_usize},
    ir::Op,
    types::Type,
};
use nnz_storage::Triplets;

pub(super) static MEANINGS: &[Row] = &[
    host("tensor.collapse_shape", reshaped),
    host("tensor.expand_shape", reshaped),
    host("tensor.reshape", reshape),
    host("tensor.pad", pad),
    host("tensor.concat", concat),
];

/// A tensor whose entries are those of another one, at other coordinates.
pub(super) fn rebuilt(
    source: &Value,
    (shape, to): (Vec<u64>, &TensorType),
    mut moved: impl FnMut(&[u64]) -> Option<Vec<u64>>,
) -> Result<Value, Fault> {
    let triplets = super::sparse_tensor::triplets(source)?;
    let mut coords = vec![Vec::new(); shape.len()];
    let mut values = Values::with_capacity(to.element, triplets.len());
    for entry in 0..triplets.len() {
        let Some((at, value)) = triplets.entry(entry) else { continue };
        let Some(place) = moved(&at) else { continue };
        coords.iter_mut().zip(place).for_each(|(column, at)| column.push(at));
        values.push(value);
    }
    let triplets = Triplets::new(shape, to.element, coords, values).map_err(nnz_storage::StorageError::from)?;
    super::sparse_tensor::stored_as(triplets, to)
}

/// The type of the one result.
pub(super) fn result(op: &Op) -> Result<&TensorType, Fault> {
    op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))
}

/// The numbers of an attribute that mixes known and open ones; the open ones are taken from `open` in turn. What is
/// negative is so as an `i64`.
pub(super) fn numbers(op: &Op, name: &str, open: Vec<u64>) -> Vec<u64> {
    let mut open = open.into_iter();
    let known = op.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    known.into_iter().map(|n| if n == OPEN { open.next().unwrap_or(0) } else { n as u64 }).collect()
}

/// The sizes in an attribute that the text gives.
pub(super) fn known_sizes(op: &Op, name: &str) -> Vec<Option<u64>> {
    let known = op.attribute(name).and_then(Attribute::as_ints).unwrap_or_default();
    known.into_iter().map(|n| u64::try_from(n).ok().filter(|_| n != OPEN)).collect()
}

/// A collapse or an expansion: the same entries in row-major order.
fn reshaped(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let to = result(op)?;
    let groups: Vec<Vec<usize>> = match op.attribute("reassociation") {
        Some(Attribute::Array(groups)) => groups.iter().filter_map(Attribute::as_ints).map(of_usize).collect(),
        _ => Vec::new(),
    };
    let sizes = source.sizes();
    let shape = if op.def.name == "tensor.collapse_shape" {
        collapsed(&sizes, &groups)
    } else {
        expanded(&sizes, &groups, to, &numbers(op, "static_output_shape", frame.numbers(op.group(1))?))?
    };
    Ok(vec![row_major(&source, shape, to)?])
}

fn collapsed(sizes: &[u64], groups: &[Vec<usize>]) -> Vec<u64> {
    let size = |dim: &usize| sizes.get(*dim).copied().unwrap_or(1);
    groups.iter().map(|group| group.iter().map(size).fold(1, u64::saturating_mul)).collect()
}

/// The sizes of the expanded dimensions; one of each group may follow from the others.
fn expanded(sizes: &[u64], groups: &[Vec<usize>], to: &TensorType, written: &[u64]) -> Result<Vec<u64>, Fault> {
    if written.len() == to.shape.len() {
        return Ok(written.to_vec());
    }
    let mut shape: Vec<u64> = to.shape.iter().map(|size| size.unwrap_or(0)).collect();
    for (group, whole) in groups.iter().zip(sizes) {
        let known: u64 = group.iter().filter_map(|dim| to.shape.get(*dim).copied().flatten()).product();
        for dim in group.iter().filter(|dim| to.shape.get(**dim).is_some_and(Option::is_none)) {
            shape[*dim] = whole.checked_div(known).unwrap_or(0);
        }
    }
    Ok(shape)
}

/// The same entries in row-major order, under another shape.
fn row_major(source: &Value, shape: Vec<u64>, to: &TensorType) -> Result<Value, Fault> {
    let sizes = source.sizes();
    let count = |shape: &[u64]| shape.iter().try_fold(1u128, |count, size| count.checked_mul((*size).into()));
    if count(&sizes) != count(&shape) || shape.len() != to.shape.len() {
        return Err(Fault::new(format!("a tensor of {} cannot become one of {}", by(&sizes), by_signed(&shape))));
    }
    if to.encoding.is_none()
        && let Value::Array(array) = source
    {
        return Ok(Value::Array(Array { element: array.element, shape, values: array.values.clone() }));
    }
    let target = shape.clone();
    rebuilt(source, (shape, to), |at| {
        let mut offset =
            at.iter().zip(&sizes).fold(0u128, |offset, (at, size)| offset * u128::from(*size) + u128::from(*at));
        let mut place = vec![0; target.len()];
        for (at, size) in place.iter_mut().zip(&target).rev() {
            *at = (offset % u128::from(*size).max(1)) as u64;
            offset /= u128::from(*size).max(1);
        }
        Some(place)
    })
}

fn reshape(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let shape = frame.operand(op, 1)?.array()?;
    let shape = shape.values.iter().map(|size| Value::Scalar(size).number()).collect::<Result<Vec<_>, _>>()?;
    Ok(vec![row_major(&source, shape, result(op)?)?])
}

fn pad(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    let low = numbers(op, "static_low", frame.numbers(op.group(1))?);
    let high = numbers(op, "static_high", frame.numbers(op.group(2))?);
    if let Some(negative) = low.iter().chain(&high).map(|pad| pad.cast_signed()).find(|pad| *pad < 0) {
        return Err(Fault::new(format!("what pads a tensor is 0 or more, not {negative}")));
    }
    let (sizes, to) = (source.sizes(), result(op)?);
    let dims = sizes.iter().zip(low.iter().zip(&high));
    let shape: Vec<u64> = dims.map(|(size, (low, high))| size.saturating_add(*low).saturating_add(*high)).collect();
    let region = op.region(0).ok_or_else(|| Fault::new("`tensor.pad` without a region"))?;
    let moved = |at: &[u64]| at.iter().zip(&low).map(|(at, low)| at + low).collect::<Vec<u64>>();
    if to.encoding.is_some() && pads_with_zero(frame, region) {
        return Ok(vec![rebuilt(&source, (shape, to), |at| Some(moved(at)))?]);
    }
    let source = super::sparse_tensor::densified(source)?;
    let mut values = super::tensor::over_all(machine, frame, region, &shape, source.element)?;
    let mut at = vec![0; source.shape.len()];
    for entry in 0..source.values.len() {
        let offset = crate::value::offset(&shape, &moved(&at))?;
        values.set(offset, source.values.get(entry).unwrap_or(source.element.zero()));
        advance(&mut at, &source.shape);
    }
    super::tensor::made(to, shape, values)
}

/// Whether a region yields a zero from outside it.
fn pads_with_zero(frame: &Frame<'_>, region: &nnz_mlir::ir::Region) -> bool {
    let yielded = region.yielded().and_then(|op| op.operands.first()).map(|operand| operand.value);
    let value = yielded.and_then(|id| frame.get(id).ok()).and_then(|value| value.scalar().ok());
    region.operations.len() == 1 && value.is_some_and(Scalar::is_zero)
}

fn concat(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    super::sparse_tensor_concatenate::concatenate(machine, frame, op)
}

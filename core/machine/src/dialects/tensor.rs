//! `tensor` at run time: tensors as values. Operations that change a shape are in a separate file.

use std::sync::Arc;

use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Sparse, Value, advance, by},
};
use nnz_base::{arrays::Values, element::Element};
use nnz_mlir::{ir::Op, types::Type};
use nnz_storage as storage;

pub(super) static MEANINGS: &[Row] = &[
    host("tensor.empty", |machine, frame, op| empty_of(&machine.budget, frame, op)),
    host("tensor.dim", dim),
    host("tensor.rank", |_, frame, op| Ok(vec![Value::index(frame.operand(op, 0)?.sizes().len() as u64)])),
    host("tensor.cast", cast),
    host("tensor.extract", extract),
    host("tensor.insert", insert),
    host("tensor.from_elements", from_elements),
    host("tensor.generate", generate),
    host("tensor.splat", splat),
];

/// The sizes of the result's type, the open ones taken from `open` in turn.
pub(super) fn sizes_of(shape: &[Option<u64>], open: Vec<u64>) -> Vec<u64> {
    let mut open = open.into_iter();
    shape.iter().map(|size| size.or_else(|| open.next()).unwrap_or(0)).collect()
}

/// A tensor without entries, or of zeros.
///
/// # Errors
/// A shape that is too large.
pub(super) fn empty_of(budget: &Budget, frame: &Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let open = frame.numbers(op.group(0))?;
    let tensor = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let shape = sizes_of(&tensor.shape, open);
    let empty = match &tensor.encoding {
        Some(encoding) => Value::Sparse(Sparse::empty(encoding, tensor.element, shape)?),
        None => Value::Array(Array::zeros(budget, tensor.element, shape)?),
    };
    budget.only_room();
    Ok(vec![empty])
}

pub(super) fn dim(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (sizes, at) = (frame.operand(op, 0)?.sizes(), frame.operand(op, 1)?.number()?);
    let size = usize::try_from(at).ok().and_then(|at| sizes.get(at));
    match size {
        Some(size) => Ok(vec![Value::index(*size)]),
        None => Err(Fault::new(format!("there is no dimension {at} of {}", sizes.len()))),
    }
}

/// A cast changes what is known of the sizes; one to or from an encoding is a conversion.
fn cast(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (value, to) = (frame.operand(op, 0)?.clone(), op.result_types.first());
    let sizes = value.sizes();
    let wanted = to.and_then(Type::shape).unwrap_or_else(|| sizes.iter().copied().map(Some).collect());
    if wanted.iter().zip(&sizes).any(|(wanted, size)| wanted.is_some_and(|wanted| wanted != *size)) {
        return Err(Fault::new(format!("the tensor is {}, which the cast contradicts", by(&sizes))));
    }
    let encoding = to.and_then(Type::encoding);
    let stored = if let Value::Sparse(tensor) = &value { Some(&**tensor.encoding()) } else { None };
    if stored == encoding { Ok(vec![value]) } else { super::sparse_tensor::convert(machine, frame, op) }
}

fn extract(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let at = frame.numbers(op.operands.get(1..).unwrap_or_default())?;
    let tensor = frame.operand(op, 0)?;
    let value = if let Value::Sparse(tensor) = tensor { tensor.get(&at)? } else { tensor.array()?.get(&at)? };
    Ok(vec![Value::Scalar(value)])
}

fn insert(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = frame.operand(op, 0)?.scalar()?;
    let at = frame.numbers(op.operands.get(2..).unwrap_or_default())?;
    let target = op.operands.get(1).ok_or_else(|| Fault::new("no tensor to insert into"))?;
    let mut tensor = frame.take_one(target)?;
    if let Value::Sparse(sparse) = &mut tensor {
        sparse.insert(at, value)?;
        return Ok(vec![tensor]);
    }
    let mut array = tensor.into_array()?;
    let offset = array.offset(&at)?;
    std::sync::Arc::make_mut(&mut array.values).set(offset, value);
    Ok(vec![Value::Array(array)])
}

fn from_elements(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let tensor = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let mut values = Values::with_capacity(tensor.element, op.operands.len());
    for operand in &op.operands {
        values.push(frame.get(operand.value)?.scalar()?);
    }
    let shape: Vec<u64> = tensor.shape.iter().map(|size| size.unwrap_or(0)).collect();
    made(tensor, shape, values)
}

/// A tensor of all its entries, stored if its type has an encoding.
pub(super) fn made(tensor: &nnz_check::TensorType, shape: Vec<u64>, values: Values) -> Result<Vec<Value>, Fault> {
    Ok(vec![match &tensor.encoding {
        Some(encoding) => {
            Value::Sparse(Sparse::packed(storage::from_dense(&shape, tensor.element, &values)?, encoding)?)
        }
        None => Value::Array(Array { element: tensor.element, shape, values: values.into() }),
    }])
}

fn generate(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let open = frame.numbers(op.group(0))?;
    let tensor = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let shape = sizes_of(&tensor.shape, open);
    let region = op.region(0).ok_or_else(|| Fault::new("`tensor.generate` without a region"))?;
    let values = over_all(machine, frame, region, &shape, tensor.element)?;
    made(tensor, shape, values)
}

/// The values that a region yields at all coordinates of a shape.
pub(super) fn over_all(
    machine: &mut Machine<'_>,
    frame: &mut Frame<'_>,
    region: &nnz_mlir::ir::Region,
    shape: &[u64],
    element: Element,
) -> Result<Values, Fault> {
    let count = machine.budget.room(shape, element)?;
    let mut values = Values::with_capacity(element, count);
    let mut at = vec![0; shape.len()];
    for _ in 0..count {
        machine.step(1)?;
        let yielded = machine.region(frame, region, at.iter().copied().map(Value::index).collect())?;
        let value = yielded.first().ok_or_else(|| Fault::new("the region yields nothing"))?;
        values.push(value.scalar()?);
        advance(&mut at, shape);
    }
    Ok(values)
}

fn splat(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let open = frame.numbers(op.group(1))?;
    let tensor = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let value = op.group(0).first().ok_or_else(|| Fault::new("no value to fill with"))?;
    let value = frame.get(value.value)?.scalar()?;
    let array = Array::filled(&machine.budget, (tensor.element, value), sizes_of(&tensor.shape, open))?;
    made(tensor, array.shape, Arc::unwrap_or_clone(array.values))
}

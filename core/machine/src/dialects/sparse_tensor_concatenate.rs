//! `sparse_tensor.concatenate` at run time.

use super::sparse_tensor::{stored_as, triplets};
use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Value},
};
use nnz_base::arrays::Values;
use nnz_check::TensorType;
use nnz_mlir::{dialects::sparse_tensor::dimension, ir::Op, types::Type};
use nnz_storage::{self as storage, Triplets};

pub(super) static MEANINGS: &[Row] = &[host("sparse_tensor.concatenate", concatenate)];

/// Arrays of one element type as one array, without coordinates on the way.
fn dense(budget: &Budget, parts: &[Value], to: &TensorType, dim: usize) -> Result<Option<Value>, Fault> {
    let mut arrays: Vec<&Array> = Vec::new();
    for part in parts {
        if let Value::Array(array) = part
            && to.encoding.is_none()
            && array.element == to.element
        {
            arrays.push(array)
        } else {
            return Ok(None);
        }
    }
    let mut shape = arrays.first().map(|array| array.shape.clone()).unwrap_or_default();
    let others = |array: &&Array| array.shape.iter().zip(&shape).enumerate().any(|(at, (a, b))| at != dim && a != b);
    if arrays.iter().any(others) || dim >= shape.len() {
        return Ok(None);
    }
    let along = |array: &Array| array.shape.get(dim).copied().unwrap_or(0);
    shape[dim] = arrays.iter().map(|array| along(array)).fold(0, u64::saturating_add);
    let mut values = Values::with_capacity(to.element, budget.room(&shape, to.element)?);
    let outer: usize = shape.iter().take(dim).product::<u64>() as usize;
    for at in 0..outer {
        for array in &arrays {
            let length = array.values.len() / outer;
            (at * length..(at + 1) * length).filter_map(|at| array.values.get(at)).for_each(|value| values.push(value));
        }
    }
    Ok(Some(Value::Array(Array { element: to.element, shape, values: values.into() })))
}

pub(super) fn concatenate(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    // `tensor.concat` has it under a shorter name.
    let dim = dimension(op.attribute("dimension").or(op.attribute("dim"))).unwrap_or(0);
    let to = op.result_types.first().and_then(Type::tensor).ok_or_else(|| Fault::new("no tensor to make"))?;
    let parts = frame.all(&op.operands)?;
    if let Some(whole) = dense(&machine.budget, &parts, to, dim)? {
        return Ok(vec![whole]);
    }
    let mut shape = parts.first().map(Value::sizes).unwrap_or_default();
    let mut coords = vec![Vec::new(); shape.len()];
    let mut values = Values::with_capacity(to.element, 0);
    let mut reached = 0u64;
    for part in &parts {
        // As in MLIR, zeros that a part stores do not get into the whole; several entries at one place may be one, too.
        let triplets = storage::summed(triplets(part)?)?.without_zeros();
        // Three copies: the entries, the growing list that they are added to, and the storage.
        let bytes = 3 * 8 * (triplets.rank() as u64 + 2);
        machine
            .budget
            .room_for((values.len() + triplets.len()) as u64 * bytes, || "the concatenated entries".to_string())?;
        let others = |(at, (size, whole)): (usize, (&u64, &u64))| at != dim && size != whole;
        if triplets.shape().iter().zip(&shape).enumerate().any(others) {
            return Err(Fault::new("the tensors differ in a dimension other than that of concatenation"));
        }
        for (at, column) in triplets.coords().iter().enumerate() {
            coords[at].extend(column.iter().map(|c| if at == dim { c + reached } else { *c }));
        }
        triplets.values().iter().for_each(|value| values.push(value));
        reached = reached.saturating_add(triplets.shape().get(dim).copied().unwrap_or(0));
    }
    if let Some(size) = shape.get_mut(dim) {
        *size = reached;
    }
    let whole = Triplets::new(shape, to.element, coords, values).map_err(storage::StorageError::from)?;
    Ok(vec![stored_as(whole, to)?])
}

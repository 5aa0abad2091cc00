//! `sparse_tensor` at run time: the arrays of tensors with encodings.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Memory, Value},
    views::Part,
};
use nnz_base::{
    arrays::{IndexArray, Values},
    element::{Element, Scalar},
    ids::Lvl,
};
use nnz_mlir::{
    dialects::sparse_tensor_arrays::{Field, fields, level},
    ir::Op,
    types::Type,
};
use nnz_storage::Storage;

pub(super) static MEANINGS: &[Row] = &[
    host("sparse_tensor.positions", positions),
    host("sparse_tensor.coordinates", coordinates),
    host("sparse_tensor.coordinates_buffer", coordinates_buffer),
    host("sparse_tensor.values", values),
];

/// The numbers of a field.
pub(super) fn numbers(storage: &Storage, field: Field) -> Vec<u64> {
    let all = |array: Option<&IndexArray>| array.map(|array| array.iter().collect()).unwrap_or_default();
    match field {
        Field::Positions(lvl) => all(storage.positions(lvl)),
        Field::Coordinates(lvl) => all(storage.coordinates(lvl)),
        Field::Tuples { head, len } => {
            let columns: Vec<Vec<u64>> =
                (head.index()..head.index() + len).map(|at| all(storage.coordinates(Lvl::new(at)))).collect();
            let entries = columns.iter().map(Vec::len).min().unwrap_or(0);
            (0..entries).flat_map(|entry| columns.iter().map(move |column| column[entry])).collect()
        }
    }
}

/// The shape of an array: one row for each batch.
fn shape_of(storage: &Storage, len: usize) -> Vec<u64> {
    let mut shape = storage.lvl_sizes();
    shape.truncate(storage.encoding().batch_rank());
    let rows: u64 = shape.iter().product();
    shape.push((len as u64).checked_div(rows).unwrap_or(0));
    shape
}

/// The numbers of a field as a buffer, which is the tensor's.
fn buffer(machine: &mut Machine<'_>, (tensor, op): (&Value, &Op), field: Field) -> Result<Memory, Fault> {
    let sparse = tensor.sparse()?;
    let storage = sparse.storage()?;
    let element = op.result_types.first().and_then(Type::element).unwrap_or(Element::Index);
    let scalars = || numbers(&storage, field).into_iter().map(|number| Scalar::Int(number.into()));
    let values = sparse.array(field, || Values::from_scalars(element, scalars()));
    let memory = Memory::of_array(Array { element, shape: shape_of(&storage, values.len()), values });
    Ok(machine.views.share(tensor, Part::Numbers(field), memory))
}

fn positions(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let lvl = level(op.attribute("level")).unwrap_or(Lvl(0));
    Ok(vec![Value::Memory(buffer(machine, (frame.operand(op, 0)?, op), Field::Positions(lvl))?)])
}

fn coordinates(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let lvl = level(op.attribute("level")).unwrap_or(Lvl(0));
    let tensor = frame.operand(op, 0)?;
    let within = |head: Lvl, len: usize| lvl.index().checked_sub(head.index()).filter(|at| *at < len);
    for field in fields(tensor.sparse()?.encoding()) {
        let Field::Tuples { head, len } = field else { continue };
        if let Some(at) = within(head, len) {
            return Ok(vec![Value::Memory(column(buffer(machine, (tensor, op), field)?, at, len))]);
        }
    }
    Ok(vec![Value::Memory(buffer(machine, (tensor, op), Field::Coordinates(lvl))?)])
}

/// One coordinate of each tuple of `len`.
fn column(mut tuples: Memory, at: usize, len: usize) -> Memory {
    let step = tuples.strides.last().copied().unwrap_or(1);
    tuples.offset += step * at as i64;
    tuples.strides.last_mut().into_iter().for_each(|stride| *stride *= len as i64);
    tuples.shape.last_mut().into_iter().for_each(|size| *size /= len as u64);
    tuples
}

fn coordinates_buffer(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let tensor = frame.operand(op, 0)?;
    let fields = fields(tensor.sparse()?.encoding());
    let tuples = fields.into_iter().find(|field| matches!(field, Field::Tuples { .. }));
    let tuples = tuples.ok_or_else(|| Fault::new("the encoding stores no tuples of coordinates"))?;
    Ok(vec![Value::Memory(buffer(machine, (tensor, op), tuples)?)])
}

fn values(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let tensor = frame.operand(op, 0)?;
    let storage = tensor.sparse()?.storage()?;
    let shape = shape_of(&storage, storage.nse());
    let memory = Memory::of_tensor(shape, storage);
    Ok(vec![Value::Memory(machine.views.share(tensor, Part::Values, memory))])
}

//! `sparse_tensor` at run time: the arrays of tensors with encodings.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Memory, Value},
};
use nnz_base::{
    arrays::{IndexArray, Values},
    element::{Element, Scalar},
    ids::Lvl,
};
use nnz_encoding::format::Below;
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
        Field::Positions(lvl) => {
            let mut positions: Vec<u64> = all(storage.positions(lvl));
            if storage.encoding().format(lvl).below() == Below::Pair {
                // These are pairs. Nothing reads an odd slot at the end.
                positions.truncate(positions.len() / 2 * 2);
            }
            positions
        }
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

fn buffer(op: &Op, storage: &Storage, numbers: Vec<u64>) -> Vec<Value> {
    let element = op.result_types.first().and_then(Type::element).unwrap_or(Element::Index);
    let shape = shape_of(storage, numbers.len());
    let values = Values::from_scalars(element, numbers.into_iter().map(|number| Scalar::Int(number.into())));
    vec![Value::Memory(Memory::new(element, shape, values))]
}

fn positions(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let lvl = level(op.attribute("level")).unwrap_or(Lvl(0));
    Ok(buffer(op, &storage, numbers(&storage, Field::Positions(lvl))))
}

fn coordinates(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let lvl = level(op.attribute("level")).unwrap_or(Lvl(0));
    Ok(buffer(op, &storage, numbers(&storage, Field::Coordinates(lvl))))
}

fn coordinates_buffer(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let tuples = fields(storage.encoding()).into_iter().find(|field| matches!(field, Field::Tuples { .. }));
    let tuples = tuples.ok_or_else(|| Fault::new("the encoding stores no tuples of coordinates"))?;
    Ok(buffer(op, &storage, numbers(&storage, tuples)))
}

fn values(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let shape = shape_of(&storage, storage.nse());
    Ok(vec![Value::Memory(Memory::new(storage.element(), shape, storage.values().clone()))])
}

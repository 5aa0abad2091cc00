//! `sparse_tensor` at run time: assembling tensors from given arrays, and disassembling them.

use std::sync::Arc;

use super::{arith::to_unsigned, sparse_tensor_arrays::numbers, sparse_tensor_used::Used};
use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Sparse, Value},
    views::Part,
};
use nnz_base::{
    arrays::{IndexArray, Values, Width},
    element::{Element, Scalar},
    ids::Lvl,
};
use nnz_encoding::Encoding;
use nnz_mlir::{
    dialects::sparse_tensor_arrays::{Field, fields},
    ir::Op,
    types::Type,
};
use nnz_storage::{ArrayKind, LevelStorage, Storage, StorageError};

pub(super) static MEANINGS: &[Row] =
    &[host("sparse_tensor.assemble", assemble), host("sparse_tensor.disassemble", disassemble)];

fn assemble(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let to = op.result_types.first().and_then(Type::sparse).ok_or_else(|| Fault::new("no tensor to make"))?;
    let encoding = to.encoding.as_ref().ok_or_else(|| Fault::new("no encoding to assemble"))?;
    let shape: Option<Vec<u64>> = to.shape.iter().copied().collect();
    let shape = shape.ok_or_else(|| Fault::new("the sizes of an assembled tensor are written in its type"))?;
    let mut arrays = Given::default();
    for (field, operand) in fields(encoding).into_iter().zip(op.group(0)) {
        let array = frame.get(operand.value)?.array()?.into_owned();
        // Positions and coordinates of 8, 16 and 32 bits have no sign.
        let number = |value| u64::try_from(to_unsigned(array.element, value));
        let numbers: Result<_, _> = array.values.iter().map(number).collect();
        arrays.add(field, numbers.map_err(|_| Fault::bug("an array of numbers beyond 64 bits"))?);
    }
    let values = match op.group(1).first() {
        Some(operand) => frame.get(operand.value)?.array()?.values.as_ref().clone(),
        None => return Err(Fault::new("no values to assemble")),
    };
    let storage = arrays.storage(encoding, to.element, shape, values)?;
    let tensor = Value::Sparse(Sparse::new(storage));
    let parts = fields(encoding).into_iter().map(Part::Numbers).zip(op.group(0));
    for (part, operand) in parts.chain(op.group(1).iter().map(|operand| (Part::Values, operand))) {
        machine.views.assembled(&tensor, part, frame.get(operand.value)?);
    }
    Ok(vec![tensor])
}

/// Arrays by level.
#[derive(Default)]
struct Given {
    positions: Vec<(Lvl, Vec<u64>)>,
    coordinates: Vec<(Lvl, Vec<u64>)>,
}

impl Given {
    fn add(&mut self, field: Field, numbers: Vec<u64>) {
        match field {
            Field::Positions(lvl) => self.positions.push((lvl, numbers)),
            Field::Coordinates(lvl) => self.coordinates.push((lvl, numbers)),
            Field::Tuples { head, len } => {
                for at in 0..len {
                    let column = numbers.iter().skip(at).step_by(len).copied().collect();
                    self.coordinates.push((Lvl::new(head.index() + at), column));
                }
            }
        }
    }

    fn take(list: &mut Vec<(Lvl, Vec<u64>)>, lvl: Lvl) -> Option<Vec<u64>> {
        let at = list.iter().position(|(known, _)| *known == lvl)?;
        Some(list.swap_remove(at).1)
    }

    /// The tensor of these arrays, each cut to the part that its level uses.
    fn storage(
        mut self,
        encoding: &Arc<Encoding>,
        element: Element,
        shape: Vec<u64>,
        mut values: Values,
    ) -> Result<Storage, Fault> {
        let sizes = Sparse::empty(encoding, element, shape.clone())?.storage()?.lvl_sizes();
        let mut used = Used::start(encoding);
        let mut levels = Vec::new();
        for (at, size) in sizes.into_iter().enumerate() {
            let (lvl, format) = (Lvl::new(at), encoding.format(Lvl::new(at)));
            let given = [&mut self.positions, &mut self.coordinates].map(|arrays| Given::take(arrays, lvl));
            let [positions, coordinates] = used.level((format, size), given);
            not_negative(positions.as_deref(), |number, at| {
                format!("level {lvl}: position {number} at entry {at}", lvl = lvl.index())
            })?;
            not_negative(coordinates.as_deref(), |number, at| {
                format!("level {lvl}: coordinate {number} at position {at}", lvl = lvl.index())
            })?;
            let positions = narrowed(positions, encoding.pos_width(), lvl, ArrayKind::Positions)?;
            let coordinates = narrowed(coordinates, encoding.coordinates_width(lvl), lvl, ArrayKind::Coordinates)?;
            let level = LevelStorage::new(format, positions, coordinates);
            levels.push(level.ok_or_else(|| Fault::new(format!("level {at} is `{format}`, and has other arrays")))?);
        }
        values.truncate(used.count);
        Ok(Storage::new(encoding.clone(), element, shape, levels, values)?)
    }
}

/// A number that is negative is no position and no coordinate; `what` says where it stands.
fn not_negative(numbers: Option<&[u64]>, what: impl Fn(i64, usize) -> String) -> Result<(), Fault> {
    let signed = numbers.unwrap_or_default().iter().map(|number| number.cast_signed());
    let negative = signed.enumerate().find(|(_, number)| *number < 0);
    negative.map_or(Ok(()), |(at, number)| Err(Fault::new(format!("{} is negative", what(number, at)))))
}

fn narrowed(
    numbers: Option<Vec<u64>>,
    width: Width,
    lvl: Lvl,
    array: ArrayKind,
) -> Result<Option<IndexArray>, StorageError> {
    let Some(numbers) = numbers else { return Ok(None) };
    let largest = numbers.iter().copied().max().unwrap_or(0);
    IndexArray::new(numbers, width).map(Some).map_err(|overflow| StorageError::overflow(lvl, array, overflow, largest))
}

/// The arrays are written to the front of the ones given.
fn disassemble(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let mut arrays = Vec::new();
    let mut lengths = Vec::new();
    for (field, operand) in fields(storage.encoding()).into_iter().zip(op.group(1)) {
        let numbers = numbers(&storage, field);
        lengths.push(numbers.len());
        let scalars = numbers.into_iter().map(|number| Scalar::Int(number.into()));
        arrays.push(written(frame.get(operand.value)?, scalars)?);
    }
    if let Some(operand) = op.group(2).first() {
        lengths.push(storage.nse());
        arrays.push(written(frame.get(operand.value)?, storage.values().iter())?);
    }
    let types = op.result_types.iter().skip(arrays.len());
    let lengths: Vec<Value> = lengths.into_iter().zip(types).map(|(length, ty)| length_of(length, ty)).collect();
    arrays.extend(lengths);
    Ok(arrays)
}

/// A length, as a scalar or as a tensor without dimensions.
fn length_of(length: usize, ty: &Type) -> Value {
    let scalar = Scalar::Int(length as i128);
    match (ty.tensor(), ty.element()) {
        (Some(_), Some(element)) => {
            let values = Values::from_scalars(element, [scalar]).into();
            Value::Array(Array { element, shape: Vec::new(), values })
        }
        _ => Value::Scalar(scalar),
    }
}

fn written(target: &Value, scalars: impl Iterator<Item = Scalar>) -> Result<Value, Fault> {
    let mut array: Array = target.array()?.into_owned();
    let room = array.values.len();
    let values = Arc::make_mut(&mut array.values);
    for (at, scalar) in scalars.enumerate() {
        if at >= room {
            return Err(Fault::new(format!("an array of {room} entries is too short for what it is to take")));
        }
        values.set(at, scalar);
    }
    Ok(Value::Array(array))
}

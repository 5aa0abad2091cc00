//! `vector` at run time: transfers between vectors and parts of tensors and buffers. Reads beyond the edge give padding;
//! writes beyond it are dropped.

use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Value, advance, entries, outside},
};
use nnz_base::{arrays::Values, element::Scalar};
use nnz_mlir::{
    dialects::vector_transfer::Walk,
    ir::{Op, Operand},
    types::Type,
};

pub(super) static MEANINGS: &[Row] = &[
    host("vector.transfer_read", transfer_read),
    host("vector.transfer_write", transfer_write),
    host("vector.load", transfer_read),
    host("vector.store", transfer_write),
];

/// How the vector of a transfer lies in the memory.
fn walk_of(op: &Op, memory: &Operand, vector: &Type) -> Result<Walk, Fault> {
    let (rank, vector) = (memory.ty.rank().unwrap_or(0), vector.rank().unwrap_or(0));
    Walk::new(op.attribute("permutation_map"), rank, vector).ok_or_else(|| Fault::new("no map of a transfer"))
}

/// Visits the entries of a vector in order: where each stands, or `None` for one that the mask leaves out.
fn transferred(
    budget: &Budget,
    (walk, mask): (&Walk, Option<&Array>),
    shape: &[u64],
    (from, sizes): (&[u64], &[u64]),
    mut visit: impl FnMut(Option<Vec<u64>>) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let order = walk.mask_order();
    let mut at = vec![0; shape.len()];
    for _ in 0..entries(budget, shape)? {
        let masked = match mask {
            Some(mask) => mask.get(&order.iter().map(|dim| at[*dim]).collect::<Vec<_>>())?.is_zero(),
            None => false,
        };
        if !masked {
            not_negative(from, sizes)?;
        }
        visit((!masked).then(|| walk.place(from, &at)))?;
        advance(&mut at, shape);
    }
    Ok(())
}

/// A transfer may end behind the last entry of a dimension, and does not begin in front of the first.
fn not_negative(from: &[u64], sizes: &[u64]) -> Result<(), Fault> {
    let mut places = from.iter().zip(sizes).enumerate();
    let negative = places.find(|(_, (at, _))| at.cast_signed() < 0);
    negative.map_or(Ok(()), |(dim, (at, size))| Err(outside(*at, dim, *size)))
}

fn mask_of(frame: &Frame<'_>, op: &Op) -> Result<Option<Array>, Fault> {
    op.group(3).first().map(|mask| Ok(frame.get(mask.value)?.array()?.into_owned())).transpose()
}

fn transfer_read(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = op.operands.first().ok_or_else(|| Fault::new("nothing to read"))?;
    let whole = frame.get(source.value)?;
    let array = if let Value::Memory(_) = whole { None } else { Some(whole.array()?) };
    let read = |place: &[u64]| array.as_ref().map_or_else(|| whole.memory()?.load(place), |array| array.get(place));
    let padding = op.group(2).first().map(|padding| frame.get(padding.value)?.scalar()).transpose()?;
    let from = frame.numbers(op.group(1))?;
    let Some(ty @ Type::Vector(vector)) = op.result_types.first() else { return Err(Fault::new("no vector to read")) };
    let (walk, mask) = (walk_of(op, source, ty)?, mask_of(frame, op)?);
    machine.step(entries(&machine.budget, &vector.shape)? as u64)?;
    let mut values = Values::with_capacity(vector.element, entries(&machine.budget, &vector.shape)?);
    transferred(&machine.budget, (&walk, mask.as_ref()), &vector.shape, (&from, &whole.sizes()), |place| {
        let found = place.map(|place| read(&place));
        let value: Scalar = match (found, padding) {
            (Some(Ok(value)), _) => value,
            (_, Some(padding)) => padding,
            (Some(Err(fault)), None) => return Err(fault),
            (None, None) => vector.element.zero(),
        };
        values.push(value);
        Ok(())
    })?;
    Ok(vec![Value::Array(Array { element: vector.element, shape: vector.shape.clone(), values: values.into() })])
}

/// What takes a value at a place.
type Store<'a> = &'a mut dyn FnMut(&[u64], Scalar) -> Result<(), Fault>;

fn transfer_write(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (Some(vector), Some(target)) = (op.operands.first(), op.operands.get(1)) else {
        return Err(Fault::new("nothing to write"));
    };
    let array = frame.get(vector.value)?.array()?.into_owned();
    let from = frame.numbers(op.group(2))?;
    let (walk, mask) = (walk_of(op, target, &vector.ty)?, mask_of(frame, op)?);
    machine.step(array.values.len() as u64)?;
    let mut entries = array.values.iter();
    let mut write = |sizes: &[u64], store: Store<'_>| {
        transferred(&machine.budget, (&walk, mask.as_ref()), &array.shape, (&from, sizes), |place| {
            let (value, place) =
                (entries.next(), place.filter(|place| place.iter().zip(sizes).all(|(at, size)| at < size)));
            value.zip(place).map_or(Ok(()), |(value, place)| store(&place, value))
        })
    };
    let target = frame.take_one(target)?;
    if let Value::Memory(memory) = target {
        write(&memory.shape, &mut |place, value| memory.store(place, value))?;
        return Ok(Vec::new());
    }
    let mut whole = target.into_array()?;
    let shape = whole.shape.clone();
    let values = std::sync::Arc::make_mut(&mut whole.values);
    write(&shape, &mut |place, value| {
        values.set(crate::value::offset(&shape, place)?, value);
        Ok(())
    })?;
    Ok(vec![Value::Array(whole)])
}

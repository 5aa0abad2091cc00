//! `vector` at run time: vectors made from other vectors: parts, repetitions, sums.

use super::arith_casts::{bits, of_bits};
use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Meaning, Row, Signature, host},
    value::{Array, Value, advance},
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_mlir::{
    dialects::{
        lookup,
        vector_shapes::{combining, places, vector_of},
    },
    ir::Op,
    types::{Type, VectorType, width},
};

pub(super) static MEANINGS: &[Row] = &[
    host("vector.broadcast", broadcast),
    host("vector.extract", extract),
    host("vector.insert", insert),
    host("vector.shape_cast", shape_cast),
    host("vector.bitcast", bitcast),
    host("vector.transpose", transpose),
    host("vector.reduction", reduction),
    host("vector.from_elements", from_elements),
];

pub(super) fn result_vector(op: &Op) -> Result<&VectorType, Fault> {
    op.result_types.first().and_then(vector_of).ok_or_else(|| Fault::new("no vector to make"))
}

/// A vector whose entries follow from their coordinates.
pub(super) fn made(
    budget: &Budget,
    vector: &VectorType,
    value: impl Fn(&[u64]) -> Result<Scalar, Fault>,
) -> Result<Vec<Value>, Fault> {
    let count = budget.room(&vector.shape, vector.element)?;
    let mut values = Values::with_capacity(vector.element, count);
    let mut at = vec![0; vector.shape.len()];
    for _ in 0..count {
        values.push(value(&at)?);
        advance(&mut at, &vector.shape);
    }
    Ok(vec![Value::Array(Array { element: vector.element, shape: vector.shape.clone(), values: values.into() })])
}

/// A scalar as an array without dimensions.
fn array_of(budget: &Budget, frame: &Frame<'_>, (op, at): (&Op, usize)) -> Result<Array, Fault> {
    let value = frame.operand(op, at)?;
    let Value::Scalar(scalar) = value else { return Ok(value.array()?.into_owned()) };
    let element = op.operands.get(at).and_then(|operand| operand.ty.element()).unwrap_or(Element::F64);
    Array::filled(budget, (element, *scalar), Vec::new())
}

fn broadcast(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (array, vector) = (array_of(&machine.budget, frame, (op, 0))?, result_vector(op)?);
    let skipped = vector.shape.len().saturating_sub(array.shape.len());
    made(&machine.budget, vector, |at| {
        let place = at.iter().skip(skipped).zip(&array.shape).map(|(at, size)| if *size == 1 { 0 } else { *at });
        array.get(&place.collect::<Vec<_>>())
    })
}

fn extract(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (array, places) = (array_of(&machine.budget, frame, (op, 0))?, places(op.attribute("static_position")));
    if let Some(Type::Vector(vector)) = op.result_types.first() {
        return made(&machine.budget, vector, |at| array.get(&[&places[..], at].concat()));
    }
    Ok(vec![Value::Scalar(array.get(&places)?)])
}

fn insert(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (part, whole) = (array_of(&machine.budget, frame, (op, 0))?, array_of(&machine.budget, frame, (op, 1))?);
    let places = places(op.attribute("static_position"));
    made(&machine.budget, result_vector(op)?, |at| match at.strip_prefix(&places[..]) {
        Some(within) => part.get(within),
        None => whole.get(at),
    })
}

fn shape_cast(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let array = array_of(&machine.budget, frame, (op, 0))?;
    Ok(vec![Value::Array(Array { shape: result_vector(op)?.shape.clone(), ..array })])
}

/// The bits of every row, read again from the lowest on.
fn bitcast(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (array, vector) = (array_of(&machine.budget, frame, (op, 0))?, result_vector(op)?);
    let (from, to) = (width(array.element), width(vector.element));
    let (mut values, mut held, mut count) =
        (Values::with_capacity(vector.element, machine.budget.room(&vector.shape, vector.element)?), 0u128, 0);
    for value in array.values.iter() {
        held |= u128::from(bits(array.element, value)) << count;
        count += from;
        while count >= to {
            values.push(of_bits(vector.element, held as u64 & (u64::MAX >> (64 - to))));
            held >>= to;
            count -= to;
        }
    }
    Ok(vec![Value::Array(Array { element: vector.element, shape: vector.shape.clone(), values: values.into() })])
}

fn transpose(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let (array, order) = (array_of(&machine.budget, frame, (op, 0))?, places(op.attribute("permutation")));
    made(&machine.budget, result_vector(op)?, |at| {
        let mut place = vec![0; at.len()];
        for (dim, at) in order.iter().zip(at) {
            if let Some(slot) = usize::try_from(*dim).ok().and_then(|dim| place.get_mut(dim)) {
                *slot = *at;
            }
        }
        array.get(&place)
    })
}

/// From the first entry on, after the initial value if there is one.
fn reduction(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let array = array_of(&machine.budget, frame, (op, 0))?;
    machine.step(array.values.len() as u64)?;
    let def = combining(op.attribute("kind"), array.element).and_then(lookup);
    let Some(Meaning::Scalar(meaning)) = def.map(|def| machine.meanings.of(def)) else {
        return Err(Fault::new("no such reduction"));
    };
    let signature = Signature { op, from: array.element, to: array.element };
    let init = if op.operands.len() > 1 { Some(frame.operand(op, 1)?.scalar()?) } else { None };
    let mut values = init.into_iter().chain(array.values.iter());
    let first = values.next().ok_or_else(|| Fault::new("a vector without entries has no sum"))?;
    let sum = values.try_fold(first, |sum, value| (meaning.apply)(&signature, &[sum, value])).map_err(Fault::new)?;
    Ok(vec![Value::Scalar(sum)])
}

fn from_elements(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let vector = result_vector(op)?;
    let scalars = op.operands.iter().map(|operand| frame.get(operand.value)?.scalar());
    let scalars = scalars.collect::<Result<Vec<_>, _>>()?;
    let values = Values::from_scalars(vector.element, scalars);
    Ok(vec![Value::Array(Array { element: vector.element, shape: vector.shape.clone(), values: values.into() })])
}

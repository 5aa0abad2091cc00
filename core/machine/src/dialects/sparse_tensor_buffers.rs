//! `sparse_tensor` at run time: operations on plain buffers.

use crate::{
    budget::Budget,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Memory, Value},
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_mlir::{attribute::Attribute, dialects::sparse_tensor_buffers::carried, ir::Op};

pub(super) static MEANINGS: &[Row] = &[host("sparse_tensor.push_back", push_back), host("sparse_tensor.sort", sort)];

/// A buffer that is full is doubled until all fits.
fn push_back(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let size = frame.operand(op, 0)?.number()?;
    let mut buffer = frame.operand(op, 1)?.memory()?.clone();
    let value = frame.operand(op, 2)?.scalar()?;
    let count = if op.operands.len() > 3 { frame.operand(op, 3)?.number()? } else { 1 };
    if count.cast_signed() < 1 {
        return Err(Fault::new(format!("the value is pushed once at least, not {} times", count.cast_signed())));
    }
    let wanted = size.checked_add(count).filter(|&wanted| wanted <= 1 << 31);
    let wanted = wanted.ok_or_else(|| Fault::limit("a buffer of more than 2^31 entries"))?;
    let mut room = buffer.shape.first().copied().unwrap_or(0);
    if room < wanted {
        while room < wanted {
            room = (room * 2).max(1);
        }
        buffer = grown(&machine.budget, &buffer, room)?;
    }
    for at in size..wanted {
        buffer.store(&[at], value)?;
    }
    Ok(vec![Value::Memory(buffer), Value::index(wanted)])
}

fn grown(budget: &Budget, buffer: &Memory, room: u64) -> Result<Memory, Fault> {
    let mut values = Values::with_capacity(buffer.element, budget.room(&[room], buffer.element)?);
    let old = buffer.shape.first().copied().unwrap_or(0);
    (0..old).try_for_each(|at| buffer.load(&[at]).map(|value| values.push(value)))?;
    (old..room).for_each(|_| values.push(buffer.element.zero()));
    Ok(Memory::new(buffer.element, vec![room], values))
}

/// Tuples of keys and `ny` other values stand in the first buffer; the others go along.
fn sort(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let size = frame.operand(op, 0)?.number()? as usize;
    let keys = frame.operand(op, 1)?.memory()?.clone();
    let map = op.attribute("perm_map").and_then(Attribute::as_map).cloned();
    let map = map.ok_or_else(|| Fault::new("the order of the keys is missing"))?;
    let width = map.dims.saturating_add(carried(op.attribute("ny")));
    let tuples = tuples(&keys, size, width)?;
    let key = |tuple: &Vec<Scalar>| {
        let at = |number: usize| tuple.get(number).map_or(0, |value| as_int(*value));
        map.results.iter().map(|result| result.as_var().map_or(0, |dim| at(dim.index()))).collect::<Vec<_>>()
    };
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by_key(|at| key(&tuples[*at]));
    rearrange(&keys, &tuples, &order, width)?;
    for operand in op.operands.get(2..).unwrap_or_default() {
        let buffer = frame.get(operand.value)?.memory()?;
        let old = self::tuples(buffer, size, 1)?;
        rearrange(buffer, &old, &order, 1)?;
    }
    Ok(Vec::new())
}

fn as_int(value: Scalar) -> i128 {
    super::arith::to_unsigned(Element::Index, value)
}

fn tuples(buffer: &Memory, count: usize, width: usize) -> Result<Vec<Vec<Scalar>>, Fault> {
    let load = |entry: usize, at: usize| buffer.load(&[(entry * width + at) as u64]);
    if count > buffer.len() {
        return Err(Fault::new(format!("there are not {} tuples in the buffer", count as i64)));
    }
    (0..count).map(|entry| (0..width).map(|at| load(entry, at)).collect()).collect()
}

fn rearrange(buffer: &Memory, tuples: &[Vec<Scalar>], order: &[usize], width: usize) -> Result<(), Fault> {
    for (entry, from) in order.iter().enumerate() {
        for (at, value) in tuples[*from].iter().enumerate() {
            buffer.store(&[(entry * width + at) as u64], *value)?;
        }
    }
    Ok(())
}

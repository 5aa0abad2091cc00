//! `memref` at run time: buffers.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Memory, Value, by, fill_from},
};
use nnz_mlir::{dialects::memref::viewed_dims, ir::Op, types::Type};

pub(super) static MEANINGS: &[Row] = &[
    host("memref.alloc", alloc),
    host("memref.alloca", alloc),
    host("memref.dealloc", dealloc),
    host("memref.load", load),
    host("memref.store", store),
    host("memref.cast", |_, frame, op| Ok(vec![frame.operand(op, 0)?.clone()])),
    host("memref.dim", super::tensor::dim),
    host("memref.subview", subview),
    host("memref.copy", copy),
];

fn alloc(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let open = frame.numbers(&op.operands)?;
    let Some(Type::Memory(memory)) = op.result_types.first() else { return Err(Fault::new("no memref to make")) };
    let array = Array::zeros(&machine.budget, memory.element, super::tensor::sizes_of(&memory.shape, open))?;
    machine.budget.only_room();
    Ok(vec![Value::Memory(Memory::of_array(array))])
}

fn dealloc(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    if let Value::Memory(memory) = frame.operand(op, 0)? {
        machine.freed.free(memory);
    }
    Ok(Vec::new())
}

fn load(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let at = frame.numbers(op.operands.get(1..).unwrap_or_default())?;
    Ok(vec![Value::Scalar(frame.operand(op, 0)?.memory()?.load(&at)?)])
}

fn store(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let at = frame.numbers(op.operands.get(2..).unwrap_or_default())?;
    frame.operand(op, 1)?.memory()?.store(&at, frame.operand(op, 0)?.scalar()?)?;
    Ok(Vec::new())
}

/// A view of the same buffer.
fn subview(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let memory = frame.operand(op, 0)?.memory()?.clone();
    let part = super::tensor_parts::Part::of(frame, op, 1)?;
    part.check(&memory.shape)?;
    let kept = viewed_dims(op).ok_or_else(|| Fault::new(format!("a part of {} is no such view", by(&part.sizes))))?;
    let steps = part.offsets.iter().zip(&memory.strides);
    let offset = steps.fold(memory.offset, |sum, (at, stride)| sum.wrapping_add((*at as i64).wrapping_mul(*stride)));
    let strides = kept.iter().map(|dim| part.strides[*dim].wrapping_mul(memory.strides[*dim])).collect();
    let shape = kept.iter().map(|dim| part.sizes[*dim]).collect();
    Ok(vec![Value::Memory(Memory { offset, strides, shape, ..memory })])
}

fn copy(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let array = frame.operand(op, 0)?.memory()?.to_array(&machine.budget)?;
    fill_from(&machine.budget, frame.operand(op, 1)?.memory()?, &array)?;
    Ok(Vec::new())
}

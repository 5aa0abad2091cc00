//! `bufferization` at run time: conversion between tensors and buffers.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Memory, Value},
    views::Part,
};
use nnz_mlir::ir::Op;

pub(super) static MEANINGS: &[Row] = &[
    host("bufferization.dealloc_tensor", |_, _, _| Ok(Vec::new())),
    host("bufferization.alloc_tensor", alloc),
    host("bufferization.to_buffer", to_buffer),
    host("bufferization.to_tensor", to_tensor),
    host("bufferization.materialize_in_destination", materialize),
];

fn alloc(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    match op.group(1).first() {
        Some(copied) => Ok(vec![frame.get(copied.value)?.clone()]),
        None => super::tensor::empty_of(&machine.budget, frame, op),
    }
}

/// The buffer that the tensor was made of, else a copy as soon as it is written to.
fn to_buffer(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let tensor = frame.operand(op, 0)?;
    let memory = match machine.views.source(tensor) {
        Some(memory) => memory,
        None => Memory::of_array(tensor.array()?.into_owned()),
    };
    Ok(vec![Value::Memory(memory)])
}

/// Its values are the buffer's until that is written to.
fn to_tensor(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let memory = frame.operand(op, 0)?.memory()?;
    let array = match machine.views.whole(memory) {
        Some(values) => Array { element: memory.element, shape: memory.shape.clone(), values },
        None => memory.to_array(&machine.budget)?,
    };
    let tensor = Value::Array(array);
    machine.views.share(&tensor, Part::Whole, memory.clone());
    Ok(vec![tensor])
}

fn materialize(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let source = frame.operand(op, 0)?.clone();
    if let Value::Memory(memory) = frame.operand(op, 1)? {
        crate::value::fill_from(&machine.budget, memory, &*source.array()?)?;
        return Ok(Vec::new());
    }
    Ok(vec![source])
}

//! `bufferization` at run time: conversion between tensors and buffers.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Memory, Value},
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

/// A copy as soon as it is written to, as the tensor stays as it is.
fn to_buffer(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let array = frame.operand(op, 0)?.array()?.into_owned();
    Ok(vec![Value::Memory(Memory::of_array(array))])
}

fn to_tensor(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let array: Array = frame.operand(op, 0)?.memory()?.to_array(&machine.budget)?;
    let tensor = Value::Array(array);
    machine.views.share(&tensor, frame.operand(op, 0)?.memory()?);
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

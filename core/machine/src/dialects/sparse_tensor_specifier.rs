//! `sparse_tensor.storage_specifier`: the sizes that MLIR stores with the arrays of a tensor.

use std::sync::Arc;

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Specifier, Value},
};
use nnz_mlir::{dialects::sparse_tensor_specifier::kind, ir::Op};

pub(super) static MEANINGS: &[Row] = &[
    host("sparse_tensor.storage_specifier.init", init),
    host("sparse_tensor.storage_specifier.get", get),
    host("sparse_tensor.storage_specifier.set", set),
];

fn init(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    match op.operands.first() {
        Some(source) => Ok(vec![frame.get(source.value)?.clone()]),
        None => Ok(vec![Value::Specifier(Arc::default())]),
    }
}

fn key(op: &Op) -> (&'static str, usize) {
    let level = nnz_mlir::dialects::sparse_tensor::dimension(op.attribute("level")).unwrap_or(0);
    (kind(op.attribute("specifierKind")).unwrap_or("val_mem_sz"), level)
}

fn specifier(value: &Value) -> Result<&Arc<Specifier>, Fault> {
    if let Value::Specifier(numbers) = value {
        Ok(numbers)
    } else {
        Err(Fault::new("a storage specifier is wanted here"))
    }
}

/// A number that was never set is 0.
fn get(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let number = specifier(frame.operand(op, 0)?)?.get(&key(op)).copied();
    Ok(vec![Value::index(number.unwrap_or(0))])
}

fn set(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let mut numbers = specifier(frame.operand(op, 0)?)?.clone();
    let value = frame.operand(op, 1)?.number()?;
    Arc::make_mut(&mut numbers).insert(key(op), value);
    Ok(vec![Value::Specifier(numbers)])
}

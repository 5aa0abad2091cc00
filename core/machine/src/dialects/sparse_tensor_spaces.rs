//! `sparse_tensor` at run time: iteration spaces, explicit loops over the levels of a tensor. MLIR 22 parses these
//! operations and crashes in lowering; nnz follows MLIR's documentation.

use std::sync::Arc;

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Value, Walk},
};
use nnz_mlir::ir::Op;

pub(super) static MEANINGS: &[Row] =
    &[host("sparse_tensor.extract_iteration_space", space), host("sparse_tensor.extract_value", value)];

fn space(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let positions = match op.operands.get(1) {
        Some(parent) => frame.get(parent.value)?.walk()?.positions.clone(),
        None => Arc::new(vec![0]),
    };
    Ok(vec![Value::Walk(Walk { storage, positions })])
}

/// `extract_value`: the sum of the entries at one place.
fn value(_: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let storage = frame.operand(op, 0)?.sparse()?.storage()?;
    let walk = frame.operand(op, 1)?.walk()?;
    let element = storage.element();
    let found = walk.positions.iter().map(|&at| usize::try_from(at).ok().and_then(|at| storage.values().get(at)));
    let mut found = found.map(|value| value.ok_or_else(|| Fault::new("the iterator is of another tensor")));
    let first = found.next().unwrap_or(Ok(element.zero()))?;
    let add = |sum, value: Result<_, Fault>| {
        Ok::<_, Fault>(nnz_loops::scalar::binary(nnz_loops::Binary::Add, element, sum, value?))
    };
    found.try_fold(first, add).map(|sum| vec![Value::Scalar(sum)])
}

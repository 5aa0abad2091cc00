//! `linalg` at run time: `fill`. Kernels run in `generic`.

use std::sync::Arc;

use crate::{
    generic,
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::{Array, Value},
};
use nnz_mlir::{ir::Op, types::Type};

pub(super) static MEANINGS: &[Row] = &[host("linalg.generic", generic::run), host("linalg.fill", fill)];

fn fill(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let value = frame.operand(op, 0)?.scalar()?;
    let target = frame.operand(op, 1)?;
    if let Value::Memory(memory) = target {
        memory.fill(&machine.budget, value)?;
        return Ok(Vec::new());
    }
    let sizes = target.sizes();
    let Some(tensor) = op.result_types.first().and_then(Type::tensor) else { return Ok(Vec::new()) };
    let array = Array::filled(&machine.budget, (tensor.element, value), sizes.clone())?;
    super::tensor::made(tensor, sizes, Arc::unwrap_or_clone(array.values))
}

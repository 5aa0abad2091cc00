//! `func` at run time: calls and returns.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::Value,
};
use nnz_mlir::ir::Op;

pub(super) static MEANINGS: &[Row] = &[host("func.call", call)];

fn call(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let name = op.callee();
    let id = machine
        .module
        .called(frame.function, name)
        .ok_or_else(|| Fault::new(format!("there is no function `@{name}`")))?;
    let arguments = frame.take(&op.operands)?;
    machine.call(id, arguments)
}

//! `func` at run time: calls and returns.

use crate::{
    machine::{Fault, Frame, Machine},
    meaning::{Row, host},
    value::Value,
};
use nnz_mlir::{attribute::Attribute, ir::Op};

pub(super) static MEANINGS: &[Row] = &[host("func.call", call)];

/// The name of the function that a call names.
pub(crate) fn callee(op: &Op) -> &str {
    op.attribute("callee").and_then(Attribute::as_text).unwrap_or("")
}

fn call(machine: &mut Machine<'_>, frame: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let name = callee(op);
    let id = machine
        .module
        .called(frame.function, name)
        .ok_or_else(|| Fault::new(format!("there is no function `@{name}`")))?;
    let arguments = frame.take(&op.operands)?;
    machine.call(id, arguments)
}

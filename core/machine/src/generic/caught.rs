//! The end of a run at a kernel that somebody wants to look at: the kernel as the compiler has it, with its operands.

use super::{Declined, Generic, compiled, names};
use crate::{
    Caught, Given,
    machine::{Fault, Frame, Machine},
    value::Value,
};
use nnz_kernel::Tensor;
use nnz_mlir::{ir::Op, types::Type};
use nnz_plan::iterate;
use nnz_run::Refusal;

/// The fault that ends the run at a kernel.
pub(super) fn kernel(machine: &mut Machine<'_>, frame: &Frame<'_>, generic: &Generic<'_>) -> Fault {
    if generic.points() == 0 {
        return Fault::new("this kernel has no points here");
    }
    match compiled::caught(&machine.budget, (machine.run.source, frame, machine.meanings), generic) {
        Ok(Ok(caught)) => machine.catch.keep(caught),
        Ok(Err(declined)) => without_loops(&declined),
        Err(fault) => fault,
    }
}

/// The fault that ends the run at a conversion.
pub(crate) fn conversion(machine: &mut Machine<'_>, frame: &Frame<'_>, op: &Op) -> Fault {
    match converting(machine, frame, op) {
        Ok(Ok(caught)) => machine.catch.keep(caught),
        Ok(Err(declined)) => without_loops(&declined),
        Err(fault) => fault,
    }
}

fn without_loops(declined: &Declined) -> Fault {
    match declined.bug() {
        Some(bug) => Fault::bug(bug.to_string()).helped(bug.help()),
        None => Fault::new(format!("this kernel runs without loops: {declined}")),
    }
}

/// A conversion as loops, which make the arrays that a run packs.
fn converting(machine: &Machine<'_>, frame: &Frame<'_>, op: &Op) -> Result<Result<Caught, Declined>, Fault> {
    let Some((operand, to)) = op.operands.first().zip(op.result_types.first().and_then(Type::tensor)) else {
        return Ok(Err(Declined::Operand));
    };
    let value = frame.get(operand.value)?;
    let (encoding, given) = match value {
        Value::Sparse(tensor) => (Some(tensor.encoding().clone()), Given::Stored(tensor.storage()?)),
        Value::Array(_) | Value::Entries(_) => (None, Given::Dense(value.array()?.into_owned().values)),
        Value::Scalar(_) | Value::Memory(_) | Value::Name(_) | Value::Specifier(_) | Value::Walk(_) => {
            return Ok(Err(Declined::Operand));
        }
    };
    if operand.ty.element() != Some(to.element) {
        return Ok(Err(Declined::OneByOne));
    }
    let source = machine.run.source;
    let (element, shape) = (to.element, value.sizes());
    let from = Tensor { name: names::of(source, operand), element, shape: shape.clone(), encoding };
    let name = names::distinct(std::slice::from_ref(&from), names::of_result(source, op));
    let result = Tensor { name, element, shape, encoding: to.encoding.clone() };
    Ok(match iterate::conversion(&from, &result) {
        Ok(Some(kernel)) => Ok(Caught { kernel, operands: vec![given] }),
        Ok(None) => Err(Declined::Packed),
        Err(error) => Err(Refusal::from(error).into()),
    })
}

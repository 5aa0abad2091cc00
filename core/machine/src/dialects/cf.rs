//! `cf` at run time: branches between the blocks of a region.

use crate::{
    machine::{Fault, Frame},
    meaning::{Row, branch, host},
};
use nnz_base::element::Element;
use nnz_mlir::{attribute::Attribute, ir::Op};

pub(super) static MEANINGS: &[Row] = &[
    branch("cf.br", |_, _| Ok(0)),
    branch("cf.cond_br", |frame, op| Ok(usize::from(frame.operand(op, 0)?.scalar()?.is_zero()))),
    branch("cf.switch", switch),
    host("cf.assert", |_, frame, op| {
        let message = op.attribute("msg").and_then(Attribute::as_text).unwrap_or("an assertion does not hold");
        if frame.operand(op, 0)?.scalar()?.is_zero() { Err(Fault::new(message)) } else { Ok(Vec::new()) }
    }),
];

/// The first case of the value, or else the default.
fn switch(frame: &Frame<'_>, op: &Op) -> Result<usize, Fault> {
    let element = op.operands.first().and_then(|operand| operand.ty.element()).unwrap_or(Element::I32);
    let value = super::arith::to_signed(element, frame.operand(op, 0)?.scalar()?);
    let cases = op.attribute("case_values").and_then(Attribute::as_ints).unwrap_or_default();
    // MLIR prints the cases without signs.
    let same = |case: i128| super::arith::to_signed(element, super::arith::wrapped(element, case)) == value;
    Ok(cases.iter().position(|case| same(*case)).map_or(0, |case| case + 1))
}

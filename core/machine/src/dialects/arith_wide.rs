//! `arith` at run time: extended sums and products of integers, which lose no bits: a result in two parts.

use super::arith::{count, to_signed, to_unsigned, two, wrapped};
use crate::{
    machine::{Fault, Frame},
    meaning::{Row, product_in_parts, sum_in_parts},
    value::Value,
};
use nnz_base::element::{Element, Scalar};
use nnz_mlir::{ir::Op, types::Type};

pub(super) static MEANINGS: &[Row] = &[
    sum_in_parts("arith.addui_extended", |_, frame, op| parts(frame, op, to_unsigned, |a, b| a.checked_add(b))),
    product_in_parts("arith.mulsi_extended", |_, frame, op| parts(frame, op, to_signed, |a, b| a.checked_mul(b))),
    product_in_parts("arith.mului_extended", |_, frame, op| {
        parts(frame, op, to_unsigned, |a, b| Some((a as u128).wrapping_mul(b as u128) as i128))
    }),
];

/// The low and the high part of an operation's result.
fn parts(
    frame: &Frame<'_>,
    op: &Op,
    read: fn(Element, Scalar) -> i128,
    come_to: fn(i128, i128) -> Option<i128>,
) -> Result<Vec<Value>, Fault> {
    let element = op.operands.first().and_then(|operand| operand.ty.scalar()).unwrap_or(Element::I64);
    let values = [frame.operand(op, 0)?.scalar()?, frame.operand(op, 1)?.scalar()?];
    let [a, b] = two(&values).map_err(Fault::new)?.map(|value| read(element, value));
    let whole = come_to(a, b).ok_or_else(|| Fault::new("the number has more than 128 bits"))?;
    let bits = count(element).trailing_zeros();
    let upper = op.result_types.get(1).and_then(Type::scalar).unwrap_or(element);
    Ok(vec![Value::Scalar(wrapped(element, whole)), Value::Scalar(wrapped(upper, whole >> bits))])
}

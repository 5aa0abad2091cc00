//! `arith` at run time: extended sums and products of integers, which lose no bits: a result in two parts.

use super::arith::{count, to_signed, to_unsigned, two, wrapped};
use crate::meaning::{Row, Signature, product_in_parts, sum_in_parts};
use nnz_base::element::{Element, Scalar};
use nnz_mlir::types::Type;

pub(super) static MEANINGS: &[Row] = &[
    sum_in_parts("arith.addui_extended", |s, a| parts(s, a, to_unsigned, |a, b| a.checked_add(b))),
    product_in_parts("arith.mulsi_extended", |s, a| parts(s, a, to_signed, |a, b| a.checked_mul(b))),
    product_in_parts("arith.mului_extended", |s, a| {
        parts(s, a, to_unsigned, |a, b| Some((a as u128).wrapping_mul(b as u128) as i128))
    }),
];

/// The low and the high part of an operation's result.
fn parts(
    signature: &Signature<'_>,
    operands: &[Scalar],
    read: fn(Element, Scalar) -> i128,
    come_to: fn(i128, i128) -> Option<i128>,
) -> Result<[Scalar; 2], String> {
    let element = signature.from;
    let [a, b] = two(operands)?.map(|value| read(element, value));
    let whole = come_to(a, b).ok_or("the number has more than 128 bits")?;
    let bits = count(element).trailing_zeros();
    let upper = signature.op.result_types.get(1).and_then(Type::element).unwrap_or(element);
    Ok([wrapped(element, whole), wrapped(upper, whole >> bits)])
}

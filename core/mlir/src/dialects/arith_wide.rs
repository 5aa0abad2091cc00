//! `arith`: extended sums and products of integers, which lose no bits: a result in two parts.

use super::arith::{count, to_signed, to_unsigned, two, wrapped};
use crate::{
    constraints::{ELEMENTWISE, takes},
    ir::Op,
    machine::{Fault, Frame},
    operation::{Domain, OpDef, operands},
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
    value::Value,
};
use nnz_base::element::{Element, Scalar};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[OpDef] = &[
    OpDef::host(
        "arith.addui_extended",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]),
        sum_syntax,
        |_, frame, op| parts(frame, op, to_unsigned, |a, b| a.checked_add(b)),
    )
    .verified(sum_types),
    OpDef::host(
        "arith.mulsi_extended",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]),
        product_syntax,
        |_, frame, op| parts(frame, op, to_signed, |a, b| a.checked_mul(b)),
    )
    .verified(product_types),
    OpDef::host(
        "arith.mului_extended",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]),
        product_syntax,
        |_, frame, op| parts(frame, op, to_unsigned, |a, b| Some((a as u128).wrapping_mul(b as u128) as i128)),
    )
    .verified(product_types),
];

/// `%a, %b : i32, i1`
fn sum_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::same(r, draft)?;
    r.expect(TokenKind::Comma)?;
    draft.results.push(r.ty()?);
    Ok(())
}

/// `%a, %b : i32`
fn product_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::same(r, draft)?;
    draft.results.extend(draft.results.first().cloned());
    Ok(())
}

fn sum_types(draft: &Draft) -> Result<(), Mistake> {
    numbers(draft, Some(&Type::I1))
}
fn product_types(draft: &Draft) -> Result<(), Mistake> {
    numbers(draft, None)
}

/// Two integers of one type, and the results: of that type too, but for a second one that has its own.
fn numbers(draft: &Draft, second: Option<&Type>) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Integer)?;
    let [a, b] = [draft.operand(0)?, draft.operand(1)?];
    if a.ty.is_broken() || b.ty.is_broken() {
        return Ok(());
    }
    if a.ty.scalar().is_none() {
        return Err(Mistake::unsupported(a.span, format!("nnz runs `{}` of numbers, not of `{}`", draft.name(), a.ty)));
    }
    if a.ty != b.ty {
        return Err(Mistake::types(b.span, format!("this is `{}`, the first operand `{}`", b.ty, a.ty)));
    }
    let wanted = [&a.ty, second.unwrap_or(&a.ty)];
    match draft.results.as_slice() {
        [low, high] if [low, high] == wanted || low.is_broken() || high.is_broken() => Ok(()),
        _ => Err(draft.wrong_result(format!("the results are `{}` and `{}`", wanted[0], wanted[1]))),
    }
}

/// The low and the high part of what two numbers come to.
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

//! `arith`: extended sums and products of integers, which lose no bits: a result in two parts.

use crate::{
    checks::{Domain, operands},
    constraints::{ELEMENTWISE, takes},
    draft::Draft,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::element::Element;
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::host(
        "arith.addui_extended",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]),
        sum_syntax,
    )
    .verified(sum_types),
    Entry::host(
        "arith.mulsi_extended",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]),
        product_syntax,
    )
    .verified(product_types),
    Entry::host(
        "arith.mului_extended",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]),
        product_syntax,
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
    let carry = draft.operand(0)?.ty.with_element(Element::I1);
    numbers(draft, Some(&carry))
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
    if a.ty != b.ty {
        return Err(Mistake::types(b.span, format!("this is `{}`, the first operand `{}`", b.ty, a.ty)));
    }
    let wanted = [&a.ty, second.unwrap_or(&a.ty)];
    match draft.results.as_slice() {
        [low, high] if [low, high] == wanted || low.is_broken() || high.is_broken() => Ok(()),
        _ => Err(draft.wrong_result(format!("the results are `{}` and `{}`", wanted[0], wanted[1]))),
    }
}

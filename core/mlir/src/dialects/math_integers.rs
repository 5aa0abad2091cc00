//! `math`: functions of integers, and questions about floats.

use super::math::evaluated;
use crate::{
    checks::{Domain, all_alike, in_domain, operands},
    constraints::{ELEMENTWISE, takes},
    draft::Draft,
    inherent::FAST_MATH,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::element::Element;

pub(super) static OPS: &[Entry] = &[
    evaluated("math.ctlz", one_integer),
    evaluated("math.cttz", one_integer),
    evaluated("math.ctpop", one_integer),
    evaluated("math.ipowi", two_integers),
    Entry::scalar("math.fpowi", takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), power_syntax)
        .having(&[FAST_MATH])
        .verified(float_and_integer),
    question("math.isfinite"),
    question("math.isinf"),
    question("math.isnan"),
    question("math.isnormal"),
];

const fn question(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), question_syntax).verified(asks_a_float)
}

fn one_integer(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Integer)?;
    all_alike(draft)
}

fn two_integers(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Integer)?;
    all_alike(draft)
}

/// `%x, %n : f64, i32`
pub(super) fn power_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.two_uses()?;
    Form::flags(r, draft)?;
    let types = r.colon_types()?;
    draft.operands = r.resolve_all(&uses, &types)?;
    draft.results = types.into_iter().take(1).collect();
    Ok(())
}

fn float_and_integer(draft: &Draft) -> Result<(), Mistake> {
    let (base, exponent) = (draft.operand(0)?, draft.operand(1)?);
    in_domain(draft, base, Domain::Float)?;
    in_domain(draft, exponent, Domain::Integer)?;
    if base.ty.shape() != exponent.ty.shape() || *draft.result()? != base.ty {
        return Err(Mistake::types(exponent.span, format!("`{}` is no exponent for `{}`", exponent.ty, base.ty)));
    }
    Ok(())
}

/// `%x : f64`, with an `i1`.
fn question_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let name = r.value_use()?;
    Form::flags(r, draft)?;
    let ty = r.colon_type()?;
    draft.operands = vec![r.resolve(name, &ty)?];
    draft.results = vec![ty.with_element(Element::I1)];
    Ok(())
}

fn asks_a_float(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Float)?;
    let wanted = draft.operand(0)?.ty.with_element(Element::I1);
    match draft.result()? {
        result if *result == wanted || wanted == Type::Broken => Ok(()),
        result => Err(draft.wrong_result(format!("the result is `{wanted}`, not `{result}`"))),
    }
}

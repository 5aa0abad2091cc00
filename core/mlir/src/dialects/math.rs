//! `math`: elementary functions.

use crate::{
    checks::{Domain, all_alike, operands},
    constraints::{ELEMENTWISE, FUNCTION, takes},
    draft::Draft,
    inherent::FAST_MATH,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
};
use nnz_syntax::TokenKind;

pub(super) static OPS: &[Entry] = &[
    Entry::scalar("math.absf", takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same)
        .having(&[FAST_MATH])
        .verified(one_float),
    evaluated("math.roundeven", one_float).having(&[FAST_MATH]),
    evaluated("math.rsqrt", one_float).having(&[FAST_MATH]),
    evaluated("math.copysign", two_floats).having(&[FAST_MATH]),
    evaluated("math.erfc", one_float).having(&[FAST_MATH]),
    Entry::scalar("math.fma", takes(&[ELEMENTWISE, ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same)
        .having(&[FAST_MATH])
        .verified(three_floats),
    Entry::scalar("math.clampf", takes(&[ELEMENTWISE, ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), clamp_syntax)
        .having(&[FAST_MATH])
        .verified(three_floats),
    Entry::scalar("math.absi", takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same).verified(one_integer),
    Entry::scalar("math.powf", takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same)
        .having(&[FAST_MATH])
        .verified(two_floats),
    Entry::host("math.sincos", takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE, ELEMENTWISE]), two_of_one_syntax)
        .having(&[FAST_MATH])
        .verified(two_of_one),
];

/// The functions of [`nnz_base::functions`], each an operation by its name.
macro_rules! of_one {
    ($($op:ident $name:literal $summary:literal $precision:ident |$x:ident| $value:expr, $form:ident $($of:ident)?;)*) => {
        &[$(Entry::scalar(
            concat!("math.", $name),
            takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]),
            Form::same,
        )
        .having(&[FAST_MATH])
        .verified(one_float)),*]
    };
}
macro_rules! of_two {
    ($($op:ident $name:literal $arguments:literal $summary:literal |$x:ident, $y:ident| $value:expr;)*) => {
        &[$(Entry::scalar(
            concat!("math.", $name),
            takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
            Form::same,
        )
        .having(&[FAST_MATH])
        .verified(two_floats)),*]
    };
}
pub(super) static OF_ONE: &[Entry] = nnz_base::unary_functions!(of_one);
pub(super) static OF_TWO: &[Entry] = nnz_base::binary_functions!(of_two);

/// A function that kernels do not have.
pub(super) const fn evaluated(name: &'static str, verify: fn(&Draft) -> Result<(), Mistake>) -> Entry {
    Entry::scalar(name, FUNCTION, Form::same).verified(verify)
}

fn one_float(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Float)?;
    all_alike(draft)
}

/// `%x : f64`, with two results of that type.
fn two_of_one_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::same(r, draft)?;
    draft.results.extend(draft.results.first().cloned());
    Ok(())
}

fn two_of_one(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Float)?;
    let operand = draft.operand(0)?;
    if operand.ty.is_broken() {
        return Ok(());
    }
    match draft.results.as_slice() {
        [a, b] if [a, b].into_iter().all(|result| *result == operand.ty || result.is_broken()) => Ok(()),
        _ => Err(draft.wrong_result(format!("both results are `{}`", operand.ty))),
    }
}

fn one_integer(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Integer)?;
    all_alike(draft)
}

fn two_floats(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Float)?;
    all_alike(draft)
}

pub(super) fn three_floats(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 3, Domain::Float)?;
    all_alike(draft)
}

/// `%value to [%least, %greatest] : f64`
fn clamp_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let mut uses = vec![r.value_use()?];
    r.expect_word("to")?;
    uses.extend(r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::value_use)?);
    Form::flags(r, draft)?;
    let ty = r.colon_type()?;
    draft.operands = r.resolve_all(&uses, &vec![ty.clone(); uses.len()])?;
    draft.results = vec![ty];
    Ok(())
}

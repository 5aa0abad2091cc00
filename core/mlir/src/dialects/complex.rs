//! `complex`: complex numbers.

use super::math_integers::power_syntax;
use crate::{
    attribute::Attribute,
    checks::{Domain, all_alike, in_domain, operands},
    constraints::{SCALAR, takes},
    draft::Draft,
    inherent::{FAST_MATH, Kind, needs},
    ir::Op,
    mistake::{Mistake, Read},
    read::{Entry, Form, Reader},
    types::Type,
};
use nnz_base::element::{Element, Scalar};
use nnz_loops::scalar as arithmetic;
use nnz_syntax::TokenKind;
use num_complex::Complex;

pub(super) static OPS: &[Entry] = &[
    Entry::host("complex.constant", takes(&[]).gives(&[SCALAR]), constant_syntax)
        .having(&[needs("value", Kind::Any)])
        .verified(constant_type),
    Entry::scalar("complex.create", takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), create_syntax),
    of_two("complex.add"),
    of_two("complex.sub"),
    of_two("complex.mul"),
    of_two("complex.div"),
    of_two("complex.pow"),
    Entry::scalar("complex.powi", takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), power_syntax)
        .having(&[FAST_MATH])
        .verified(complex_and_integer),
    of_two("complex.atan2"),
    Entry::scalar("complex.neg", takes(&[SCALAR]).gives(&[SCALAR]), Form::same)
        .having(&[FAST_MATH])
        .verified(one_complex),
    function("complex.conj"),
    function("complex.exp"),
    function("complex.expm1"),
    function("complex.log"),
    function("complex.log1p"),
    function("complex.sqrt"),
    function("complex.rsqrt"),
    function("complex.sin"),
    function("complex.cos"),
    function("complex.tan"),
    function("complex.tanh"),
    function("complex.sign"),
    part("complex.abs"),
    part("complex.angle"),
    part("complex.re"),
    part("complex.im"),
    compared("complex.eq"),
    compared("complex.neq"),
];

const fn of_two(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), Form::same)
        .having(&[FAST_MATH])
        .verified(two_complex)
}

const fn function(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[SCALAR]).gives(&[SCALAR]), Form::same).having(&[FAST_MATH]).verified(one_complex)
}

const fn part(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[SCALAR]).gives(&[SCALAR]), part_syntax).having(&[FAST_MATH])
}

const fn compared(name: &'static str) -> Entry {
    Entry::scalar(name, takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), compare_syntax)
}

fn two_complex(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Complex)?;
    all_alike(draft)
}

fn one_complex(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Complex)?;
    all_alike(draft)
}

/// The base, and an exponent of its own type.
fn complex_and_integer(draft: &Draft) -> Result<(), Mistake> {
    let (base, exponent) = (draft.operand(0)?, draft.operand(1)?);
    in_domain(draft, base, Domain::Complex)?;
    in_domain(draft, exponent, Domain::Integer)?;
    match draft.result()? {
        result if *result == base.ty || base.ty.is_broken() || result.is_broken() => Ok(()),
        result => Err(draft.wrong_result(format!("the result is `{}`, not `{result}`", base.ty))),
    }
}

/// The type of the parts of a complex number.
fn part_of(element: Element) -> Element {
    if element == Element::C32 { Element::F32 } else { Element::F64 }
}

/// `%z : complex<f64>`, whose result is real.
fn part_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::same(r, draft)?;
    operands(draft, 1, Domain::Complex)?;
    draft.results.iter_mut().for_each(|ty| *ty = ty.with_element(part_of(ty.element().unwrap_or(Element::C64))));
    Ok(())
}

fn compare_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    Form::same(r, draft)?;
    operands(draft, 2, Domain::Complex)?;
    draft.results.iter_mut().for_each(|ty| *ty = ty.with_element(Element::I1));
    Ok(())
}

/// `complex.create %re, %im : complex<f64>`
fn create_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let uses = r.two_uses()?;
    let ty = r.colon_type()?;
    let Some(element) = ty.element().filter(|element| element.is_complex()) else {
        return Err(draft.mistake(format!("`{ty}` is not a complex type")));
    };
    let part = Type::Scalar(part_of(element));
    draft.operands = uses.iter().map(|name| r.resolve(*name, &part)).collect::<Read<_>>()?;
    draft.results = vec![ty];
    Ok(())
}

/// `complex.constant [1.0, 2.0] : complex<f64>`
fn constant_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let parts = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::attribute)?;
    draft.results = vec![r.colon_type()?];
    draft.attributes.set("value", Attribute::Array(parts.into()));
    Ok(())
}

fn constant_type(draft: &Draft) -> Result<(), Mistake> {
    let element = draft.result()?.scalar().filter(|element| element.is_complex());
    match (element, draft.attribute("value")) {
        (Some(element), Some(Attribute::Array(parts))) if parts.len() == 2 => {
            parts.iter().try_for_each(|part| part_type(draft, part, element))
        }
        _ => Err(draft.mistake("a complex constant is two numbers, of a complex type")),
    }
}

/// A part is a float of the type that the complex numbers are made of.
fn part_type(draft: &Draft, part: &Attribute, element: Element) -> Result<(), Mistake> {
    let wanted = part_of(element);
    let Attribute::Number(Scalar::Float(_), given) = part else {
        return Err(draft.mistake(format!("the parts of a `{element}` are floats: `1.0 : {wanted}`")));
    };
    let given = given.as_ref().map_or(Some(Element::F64), Type::scalar);
    if given == Some(wanted) {
        return Ok(());
    }
    let given = given.unwrap_or(Element::F64);
    let message = format!("the parts of a `{element}` are `{wanted}`, and this is `{given}`");
    Err(draft.mistake(message).help(format!("`[1.0 : {wanted}, 0.0 : {wanted}]` says the type of each part")))
}

/// The constant.
pub fn number(op: &Op) -> Option<Scalar> {
    let Some(Attribute::Array(parts)) = op.attribute("value") else { return None };
    let part = |at: usize| match parts.get(at) {
        Some(Attribute::Number(number, _)) => Some(number.as_f64()),
        _ => None,
    };
    let element = op.result_types.first().and_then(Type::element)?;
    Some(arithmetic::rounded(element, Scalar::Complex(Complex::new(part(0)?, part(1)?))))
}

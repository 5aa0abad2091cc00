//! `complex`: complex numbers.

use num_complex::Complex;

use super::arith::{binary, no_expr, pair, two};
use crate::{
    attribute::Attribute,
    constraints::{SCALAR, takes},
    dialects::math::unary_expr,
    inherent::{Kind, needs},
    ir::Op,
    machine::{Fault, Frame, Machine},
    operation::{Domain, OpDef, ScalarOp, Signature, all_alike, operands},
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
    value::Value,
};
use nnz_base::{
    element::{Element, Scalar},
    functions::UnaryFunction,
};
use nnz_kernel::{BinaryOp, CompareOp, Expr, UnaryOp};
use nnz_loops::{Binary, Unary, quotient::quotient, scalar as arithmetic};
use nnz_syntax::TokenKind;

/// A function that kernels and the evaluator have by one name.
macro_rules! both {
    ($name:literal, $op:ident $(($function:expr))?) => {
        function(
            $name,
            ScalarOp {
                apply: |s, a| Ok(arithmetic::unary(Unary::$op $(($function))?, s.to, Scalar::Complex(first(a)))),
                expr: |_, a| unary_expr(a, UnaryOp::$op $(($function))?),
            },
        )
    };
}

pub(super) static OPS: &[OpDef] = &[
    OpDef::host("complex.constant", takes(&[]).gives(&[SCALAR]), constant_syntax, constant)
        .having(&[needs("value", Kind::Any)])
        .verified(constant_type),
    OpDef::scalar(
        "complex.create",
        takes(&[SCALAR, SCALAR]).gives(&[SCALAR]),
        create_syntax,
        ScalarOp { apply: create, expr: no_expr },
    ),
    of_two("complex.add", ScalarOp { apply: |s, a| binary(s, a, Binary::Add), expr: |_, a| pair(a, BinaryOp::Add) }),
    of_two("complex.sub", ScalarOp { apply: |s, a| binary(s, a, Binary::Sub), expr: |_, a| pair(a, BinaryOp::Sub) }),
    of_two("complex.mul", ScalarOp { apply: |s, a| binary(s, a, Binary::Mul), expr: |_, a| pair(a, BinaryOp::Mul) }),
    of_two("complex.div", ScalarOp { apply: |s, a| binary(s, a, Binary::Div), expr: |_, a| pair(a, BinaryOp::Div) }),
    of_two("complex.pow", ScalarOp { apply: |s, a| binary(s, a, Binary::Pow), expr: |_, a| pair(a, BinaryOp::Pow) }),
    of_two("complex.atan2", ScalarOp { apply: angle_of_two, expr: no_expr }),
    OpDef::scalar(
        "complex.neg",
        takes(&[SCALAR]).gives(&[SCALAR]),
        Form::same,
        ScalarOp {
            apply: |s, a| Ok(arithmetic::unary(Unary::Neg, s.to, a.first().copied().unwrap_or(s.to.zero()))),
            expr: |_: &Signature<'_>, a: Vec<Expr>| unary_expr(a, UnaryOp::Neg),
        },
    )
    .verified(one_complex),
    both!("complex.conj", Conj),
    both!("complex.exp", Function(UnaryFunction::Exp)),
    both!("complex.expm1", Function(UnaryFunction::Expm1)),
    both!("complex.log", Function(UnaryFunction::Log)),
    both!("complex.log1p", Function(UnaryFunction::Log1p)),
    both!("complex.sqrt", Function(UnaryFunction::Sqrt)),
    function("complex.rsqrt", ScalarOp { apply: inverse_root, expr: no_expr }),
    both!("complex.sin", Function(UnaryFunction::Sin)),
    both!("complex.cos", Function(UnaryFunction::Cos)),
    both!("complex.tan", Function(UnaryFunction::Tan)),
    both!("complex.tanh", Function(UnaryFunction::Tanh)),
    function("complex.sign", ScalarOp { apply: |s, a| of(s, a, sign), expr: no_expr }),
    part("complex.abs", ScalarOp { apply: |s, a| real(s, a, |z| z.re.hypot(z.im)), expr: no_expr }),
    part("complex.angle", ScalarOp { apply: |s, a| real(s, a, |z| z.arg()), expr: no_expr }),
    part("complex.re", ScalarOp { apply: |s, a| real(s, a, |z| z.re), expr: no_expr }),
    part("complex.im", ScalarOp { apply: |s, a| real(s, a, |z| z.im), expr: no_expr }),
    compared(
        "complex.eq",
        ScalarOp {
            apply: |_, a| equal(a).map(|same| Scalar::Int(same.into())),
            expr: |_, a| comparison(a, CompareOp::Eq),
        },
    ),
    compared(
        "complex.neq",
        ScalarOp {
            apply: |_, a| equal(a).map(|same| Scalar::Int((!same).into())),
            expr: |_, a| comparison(a, CompareOp::Ne),
        },
    ),
];

const fn of_two(name: &'static str, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), Form::same, meaning).verified(two_complex)
}
const fn function(name: &'static str, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[SCALAR]).gives(&[SCALAR]), Form::same, meaning).verified(one_complex)
}
const fn part(name: &'static str, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[SCALAR]).gives(&[SCALAR]), part_syntax, meaning)
}
const fn compared(name: &'static str, meaning: ScalarOp) -> OpDef {
    OpDef::scalar(name, takes(&[SCALAR, SCALAR]).gives(&[SCALAR]), compare_syntax, meaning)
}

fn two_complex(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 2, Domain::Complex)?;
    all_alike(draft)
}
fn one_complex(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Complex)?;
    all_alike(draft)
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

fn complex(value: Scalar) -> Complex<f64> {
    match value {
        Scalar::Complex(z) => z,
        other => Complex::new(other.as_f64(), 0.0),
    }
}

fn first(operands: &[Scalar]) -> Complex<f64> {
    complex(operands.first().copied().unwrap_or(Scalar::Int(0)))
}

fn of(s: &Signature<'_>, operands: &[Scalar], f: fn(Complex<f64>) -> Complex<f64>) -> Result<Scalar, String> {
    Ok(arithmetic::rounded(s.to, Scalar::Complex(f(first(operands)))))
}
fn real(s: &Signature<'_>, operands: &[Scalar], f: fn(Complex<f64>) -> f64) -> Result<Scalar, String> {
    Ok(arithmetic::rounded(s.to, Scalar::Float(f(first(operands)))))
}

fn comparison(operands: Vec<Expr>, op: CompareOp) -> Option<Expr> {
    let [a, b]: [Expr; 2] = operands.try_into().ok()?;
    Some(Expr::Compare(op, Box::new(a), Box::new(b)))
}

fn equal(operands: &[Scalar]) -> Result<bool, String> {
    let [a, b] = two(operands)?.map(complex);
    Ok(a == b)
}

/// `1 / sqrt(z)`, which is zero for what is infinite.
fn inverse_root(s: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let Scalar::Complex(root) =
        arithmetic::unary(Unary::Function(UnaryFunction::Sqrt), Element::C64, Scalar::Complex(first(operands)))
    else {
        return Err("a complex number is wanted".to_string());
    };
    Ok(arithmetic::rounded(s.to, Scalar::Complex(quotient(Complex::new(1.0, 0.0), root))))
}

/// The complex angle of `y` over `x`: `-i log((x + i y) / sqrt(x x + y y))`.
fn angle_of_two(s: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [y, x] = two(operands)?.map(complex);
    let of = |op, z| complex(arithmetic::unary(op, Element::C64, Scalar::Complex(z)));
    let root = of(Unary::Function(UnaryFunction::Sqrt), x * x + y * y);
    let log = of(Unary::Function(UnaryFunction::Log), quotient(x + Complex::new(0.0, 1.0) * y, root));
    Ok(arithmetic::rounded(s.to, Scalar::Complex(Complex::new(log.im, -log.re))))
}

fn sign(z: Complex<f64>) -> Complex<f64> {
    let modulus = z.re.hypot(z.im);
    if modulus == 0.0 { z } else { z / modulus }
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

fn create(_: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [re, im] = two(operands)?.map(Scalar::as_f64);
    Ok(Scalar::Complex(Complex::new(re, im)))
}

/// `complex.constant [1.0, 2.0] : complex<f64>`
fn constant_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
    let parts = r.bracketed(TokenKind::LBracket, TokenKind::RBracket, Reader::attribute)?;
    draft.results = vec![r.colon_type()?];
    draft.attributes.set("value", Attribute::Array(parts));
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
    match part {
        Attribute::Number(Scalar::Float(_), Some(given)) if given.scalar() == Some(wanted) => Ok(()),
        Attribute::Number(Scalar::Float(_), None) if wanted == Element::F64 => Ok(()),
        Attribute::Number(Scalar::Float(_), given) => {
            let given = given.as_ref().and_then(Type::scalar).unwrap_or(Element::F64);
            let message = format!("the parts of a `{element}` are `{wanted}`, and this is `{given}`");
            Err(draft.mistake(message).help(format!("`[1.0 : {wanted}, 0.0 : {wanted}]` says the type of each part")))
        }
        _ => Err(draft.mistake(format!("the parts of a `{element}` are floats: `1.0 : {wanted}`"))),
    }
}

/// The constant.
pub(super) fn number(op: &Op) -> Option<Scalar> {
    let Some(Attribute::Array(parts)) = op.attribute("value") else { return None };
    let part = |at: usize| match parts.get(at) {
        Some(Attribute::Number(number, _)) => Some(number.as_f64()),
        _ => None,
    };
    let element = op.result_types.first().and_then(Type::element)?;
    Some(arithmetic::rounded(element, Scalar::Complex(Complex::new(part(0)?, part(1)?))))
}

fn constant(_: &mut Machine<'_>, _: &mut Frame<'_>, op: &Op) -> Result<Vec<Value>, Fault> {
    let number = number(op).ok_or_else(|| Fault::new("a complex constant is two numbers"))?;
    Ok(vec![Value::Scalar(number)])
}

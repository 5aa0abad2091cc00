//! `math` at run time: elementary functions.

use super::arith::{binary, no_expr, to_signed, two, wrapped};
use crate::meaning::{Apply, Function, Row, Rule, Signature, scalar, sum_in_parts};
use nnz_base::{
    element::{Element, Scalar},
    functions::{BinaryFunction, UnaryFunction},
};
use nnz_kernel::{BinaryOp, Expr, UnaryOp};
use nnz_loops::{Binary, Unary, scalar as number};

pub(super) static MEANINGS: &[Row] = &[
    scalar(
        "math.absf",
        Rule::Zeros,
        Function { apply: |s, a| unary(s, a, Unary::Abs), expr: |_, a| unary_expr(a, UnaryOp::Abs) },
    ),
    evaluated("math.roundeven", Rule::Zeros, |_, a| Ok(Scalar::Float(first(a).round_ties_even()))),
    evaluated("math.rsqrt", Rule::Zeros, |s, a| Ok(rounded(s, 1.0 / first(a).sqrt()))),
    evaluated("math.copysign", Rule::Quotient, copied_sign),
    evaluated("math.erfc", Rule::Zeros, |s, a| Ok(rounded(s, libm::erfc(first(a))))),
    scalar("math.fma", Rule::ProductAndSum, FMA),
    scalar("math.clampf", Rule::Zeros, Function { apply: clamped, expr: clamped_expr }),
    scalar(
        "math.absi",
        Rule::Zeros,
        Function {
            apply: |s, a| Ok(wrapped(s.to, to_signed(s.to, a.first().copied().unwrap_or(s.to.zero())).abs())),
            expr: signed_abs,
        },
    ),
    scalar(
        "math.powf",
        Rule::Zeros,
        Function { apply: |s, a| binary(s, a, Binary::Pow), expr: |_, a| super::arith::pair(a, BinaryOp::Pow) },
    ),
    sum_in_parts("math.sincos", sine_and_cosine),
];

/// The functions of [`nnz_base::functions`], each an operation by its name.
macro_rules! of_one {
    ($($op:ident $name:literal $summary:literal $precision:ident |$x:ident| $value:expr, $form:ident $($of:ident)?;)*) => {
        &[$(scalar(
            concat!("math.", $name),
            Rule::Zeros,
            Function {
                apply: |s, a| unary(s, a, Unary::Function(UnaryFunction::$op)),
                expr: |_, a| unary_expr(a, UnaryOp::Function(UnaryFunction::$op)),
            },
        )),*]
    };
}
macro_rules! of_two {
    ($($op:ident $name:literal $arguments:literal $summary:literal |$x:ident, $y:ident| $value:expr;)*) => {
        &[$(scalar(
            concat!("math.", $name),
            Rule::Zeros,
            Function {
                apply: |s, a| binary(s, a, Binary::Function(BinaryFunction::$op)),
                expr: |_, a| super::arith::pair(a, BinaryOp::Function(BinaryFunction::$op)),
            },
        )),*]
    };
}
pub(super) static OF_ONE: &[Row] = nnz_base::unary_functions!(of_one);
pub(super) static OF_TWO: &[Row] = nnz_base::binary_functions!(of_two);

/// A function that kernels do not have.
pub(super) const fn evaluated(name: &'static str, rule: Rule, apply: Apply) -> Row {
    scalar(name, rule, Function { apply, expr: no_expr })
}

fn sine_and_cosine(s: &Signature<'_>, operands: &[Scalar]) -> Result<[Scalar; 2], String> {
    let value = operands.first().copied().unwrap_or(s.from.zero());
    Ok([UnaryFunction::Sin, UnaryFunction::Cos].map(|of| number::unary(Unary::Function(of), s.from, value)))
}

fn unary(s: &Signature<'_>, operands: &[Scalar], op: Unary) -> Result<Scalar, String> {
    Ok(number::unary(op, s.to, operands.first().copied().unwrap_or(s.to.zero())))
}

/// `a * b + c`
pub(super) const FMA: Function = Function { apply: fused, expr: no_expr };

fn rounded(signature: &Signature<'_>, value: f64) -> Scalar {
    number::rounded(signature.to, Scalar::Float(value))
}

fn first(operands: &[Scalar]) -> f64 {
    operands.first().map_or(0.0, |value| value.as_f64())
}

fn copied_sign(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [a, b] = two(operands)?.map(Scalar::as_f64);
    Ok(rounded(signature, a.copysign(b)))
}

pub(crate) fn unary_expr(operands: Vec<Expr>, op: UnaryOp) -> Option<Expr> {
    let [operand]: [Expr; 1] = operands.try_into().ok()?;
    Some(Expr::Unary(op, Box::new(operand)))
}

/// An `index` has no sign in an expression, but one in this operation.
fn signed_abs(signature: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    if signature.from != Element::Index {
        return unary_expr(operands, UnaryOp::Abs);
    }
    let signed = operands.into_iter().map(|operand| Expr::Cast(Element::I64, Box::new(operand))).collect();
    Some(Expr::Cast(Element::Index, Box::new(unary_expr(signed, UnaryOp::Abs)?)))
}

/// The greatest wins where it is below the least.
fn clamped(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [value, least, greatest]: [Scalar; 3] =
        operands.try_into().map_err(|_| "three operands are wanted".to_string())?;
    let raised = number::binary(Binary::Max, signature.to, value, least);
    Ok(number::binary(Binary::Min, signature.to, raised, greatest))
}

fn clamped_expr(_: &Signature<'_>, operands: Vec<Expr>) -> Option<Expr> {
    let [value, least, greatest]: [Expr; 3] = operands.try_into().ok()?;
    let raised = Expr::Binary(BinaryOp::Max, Box::new(value), Box::new(least));
    Some(Expr::Binary(BinaryOp::Min, Box::new(raised), Box::new(greatest)))
}

/// `a * b + c`, rounded once.
fn fused(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [a, b, c]: [Scalar; 3] = operands.try_into().map_err(|_| "three operands are wanted".to_string())?;
    let [a, b, c] = [a, b, c].map(Scalar::as_f64);
    let fused =
        if signature.to == Element::F64 { a.mul_add(b, c) } else { f64::from((a as f32).mul_add(b as f32, c as f32)) };
    Ok(number::rounded(signature.to, Scalar::Float(fused)))
}

//! `math`: elementary functions.

use super::arith::{binary, no_expr, to_signed, two, wrapped};
use crate::{
    constraints::{ELEMENTWISE, FUNCTION, takes},
    operation::{Domain, OpDef, ScalarOp, Signature, all_alike, operands},
    read::{Draft, Form, Mistake, Read, Reader},
};
use nnz_base::{
    element::{Element, Scalar},
    functions::{BinaryFunction, UnaryFunction},
};
use nnz_kernel::{BinaryOp, Expr, UnaryOp};
use nnz_loops::{Binary, Unary, scalar as number};
use nnz_syntax::TokenKind;

/// The functions of [`nnz_base::functions`], each an operation by its name.
macro_rules! of_one {
    ($($op:ident $name:literal $summary:literal $precision:ident |$x:ident| $value:expr, $form:ident $($of:ident)?;)*) => {
        &[$(OpDef::scalar(
            concat!("math.", $name),
            takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]),
            Form::same,
            ScalarOp {
                apply: |s, a| unary(s, a, Unary::Function(UnaryFunction::$op)),
                expr: |_, a| unary_expr(a, UnaryOp::Function(UnaryFunction::$op)),
            },
        )
        .verified(one_float)),*]
    };
}
macro_rules! of_two {
    ($($op:ident $name:literal $arguments:literal $summary:literal |$x:ident, $y:ident| $value:expr;)*) => {
        &[$(OpDef::scalar(
            concat!("math.", $name),
            takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
            Form::same,
            ScalarOp {
                apply: |s, a| binary(s, a, Binary::Function(BinaryFunction::$op)),
                expr: |_, a| super::arith::pair(a, BinaryOp::Function(BinaryFunction::$op)),
            },
        )
        .verified(two_floats)),*]
    };
}
pub(super) static OF_ONE: &[OpDef] = nnz_base::unary_functions!(of_one);
pub(super) static OF_TWO: &[OpDef] = nnz_base::binary_functions!(of_two);

fn unary(s: &Signature<'_>, operands: &[Scalar], op: Unary) -> Result<Scalar, String> {
    Ok(number::unary(op, s.to, operands.first().copied().unwrap_or(s.to.zero())))
}

pub(super) static OPS: &[OpDef] = &[
    OpDef::scalar(
        "math.absf",
        takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]),
        Form::same,
        ScalarOp { apply: |s, a| unary(s, a, Unary::Abs), expr: |_, a| unary_expr(a, UnaryOp::Abs) },
    )
    .verified(one_float),
    evaluated("math.roundeven", |_, a| Ok(Scalar::Float(first(a).round_ties_even())), one_float),
    evaluated("math.rsqrt", |s, a| Ok(rounded(s, 1.0 / first(a).sqrt())), one_float),
    evaluated("math.copysign", copied_sign, two_floats),
    evaluated("math.erfc", |s, a| Ok(rounded(s, libm::erfc(first(a)))), one_float),
    OpDef::scalar("math.fma", takes(&[ELEMENTWISE, ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]), Form::same, FMA)
        .verified(three_floats),
    OpDef::scalar(
        "math.clampf",
        takes(&[ELEMENTWISE, ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
        clamp_syntax,
        ScalarOp { apply: clamped, expr: clamped_expr },
    )
    .verified(three_floats),
    OpDef::scalar(
        "math.absi",
        takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]),
        Form::same,
        ScalarOp {
            apply: |s, a| Ok(wrapped(s.to, to_signed(s.to, a.first().copied().unwrap_or(s.to.zero())).abs())),
            expr: |_, a| unary_expr(a, UnaryOp::Abs),
        },
    )
    .verified(one_integer),
    OpDef::scalar(
        "math.powf",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
        Form::same,
        ScalarOp { apply: |s, a| binary(s, a, Binary::Pow), expr: |_, a| super::arith::pair(a, BinaryOp::Pow) },
    )
    .verified(two_floats),
];

/// `a * b + c`
pub(super) const FMA: ScalarOp = ScalarOp { apply: fused, expr: no_expr };

/// A function that kernels do not have.
const fn evaluated(
    name: &'static str,
    apply: fn(&Signature<'_>, &[Scalar]) -> Result<Scalar, String>,
    verify: fn(&Draft) -> Result<(), Mistake>,
) -> OpDef {
    OpDef::scalar(name, FUNCTION, Form::same, ScalarOp { apply, expr: no_expr }).verified(verify)
}

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

fn one_float(draft: &Draft) -> Result<(), Mistake> {
    operands(draft, 1, Domain::Float)?;
    all_alike(draft)
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

pub(crate) fn unary_expr(operands: Vec<Expr>, op: UnaryOp) -> Option<Expr> {
    let [operand]: [Expr; 1] = operands.try_into().ok()?;
    Some(Expr::Unary(op, Box::new(operand)))
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
    let fused = match signature.to {
        Element::F64 => a.mul_add(b, c),
        _ => f64::from((a as f32).mul_add(b as f32, c as f32)),
    };
    Ok(number::rounded(signature.to, Scalar::Float(fused)))
}

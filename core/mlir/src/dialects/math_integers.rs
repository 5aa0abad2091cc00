//! `math`: functions of integers, and questions about floats.

use super::arith::{no_expr, to_signed, to_unsigned, two, wrapped};
use crate::{
    constraints::{ELEMENTWISE, FUNCTION, takes},
    operation::{Domain, OpDef, ScalarOp, Signature, all_alike, in_domain, operands},
    read::{Draft, Form, Mistake, Read, Reader},
    types::Type,
};
use nnz_base::element::{Element, Scalar};

type Apply = fn(&Signature<'_>, &[Scalar]) -> Result<Scalar, String>;

const fn evaluated(name: &'static str, apply: Apply, verify: fn(&Draft) -> Result<(), Mistake>) -> OpDef {
    OpDef::scalar(name, FUNCTION, Form::same, ScalarOp { apply, expr: no_expr }).verified(verify)
}

const fn question(name: &'static str, apply: Apply) -> OpDef {
    OpDef::scalar(name, takes(&[ELEMENTWISE]).gives(&[ELEMENTWISE]), question_syntax, ScalarOp { apply, expr: no_expr })
        .verified(asks_a_float)
}

pub(super) static OPS: &[OpDef] = &[
    evaluated("math.ctlz", |s, a| Ok(count(s, a, |bits, value| value.leading_zeros() + bits - 128)), one_integer),
    evaluated("math.cttz", |s, a| Ok(count(s, a, |bits, value| value.trailing_zeros().min(bits))), one_integer),
    evaluated("math.ctpop", |s, a| Ok(count(s, a, |_, value| value.count_ones())), one_integer),
    evaluated("math.ipowi", integer_power, two_integers),
    OpDef::scalar(
        "math.fpowi",
        takes(&[ELEMENTWISE, ELEMENTWISE]).gives(&[ELEMENTWISE]),
        power_syntax,
        ScalarOp { apply: float_power, expr: no_expr },
    )
    .verified(float_and_integer),
    question("math.isfinite", |_, a| Ok(Scalar::Int(first(a).is_finite().into()))),
    question("math.isinf", |_, a| Ok(Scalar::Int(first(a).is_infinite().into()))),
    question("math.isnan", |_, a| Ok(Scalar::Int(first(a).is_nan().into()))),
];

fn first(operands: &[Scalar]) -> f64 {
    operands.first().map_or(0.0, |value| value.as_f64())
}

/// A number of bits, of a value without its sign and of as many bits as its type has.
fn count(signature: &Signature<'_>, operands: &[Scalar], of: fn(u32, u128) -> u32) -> Scalar {
    let bits = match signature.to {
        Element::I1 => 1,
        Element::Index => 64,
        other => other.bytes() as u32 * 8,
    };
    let value = operands.first().map_or(0, |value| to_unsigned(signature.to, *value));
    wrapped(signature.to, of(bits, value as u128).into())
}

/// Wraps as products do. Of a negative exponent only 1 and -1 have a power that is no fraction.
fn integer_power(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [base, exponent] = two(operands)?.map(|value| to_signed(signature.to, value));
    if exponent < 0 {
        return Ok(wrapped(
            signature.to,
            match base {
                0 => return Err("0 has no negative power".to_string()),
                1 => 1,
                -1 if exponent % 2 == 0 => 1,
                -1 => -1,
                _ => 0,
            },
        ));
    }
    let (mut power, mut square, mut left) = (1i128, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            power = to_signed(signature.to, wrapped(signature.to, power.wrapping_mul(square)));
        }
        square = to_signed(signature.to, wrapped(signature.to, square.wrapping_mul(square)));
        left >>= 1;
    }
    Ok(wrapped(signature.to, power))
}

/// By squares, as the compiler's run-time library does.
fn float_power(signature: &Signature<'_>, operands: &[Scalar]) -> Result<Scalar, String> {
    let [base, exponent] = two(operands)?;
    let Scalar::Int(exponent) = exponent else { return Err("the exponent is an integer".to_string()) };
    let (mut power, mut square, mut left) = (1.0f64, base.as_f64(), exponent.unsigned_abs());
    let rounded = |value| nnz_loops::scalar::rounded(signature.to, Scalar::Float(value)).as_f64();
    while left > 0 {
        if left & 1 == 1 {
            power = rounded(power * square);
        }
        square = rounded(square * square);
        left >>= 1;
    }
    Ok(Scalar::Float(if exponent < 0 { rounded(1.0 / power) } else { power }))
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
fn power_syntax(r: &mut Reader<'_>, draft: &mut Draft) -> Read<()> {
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

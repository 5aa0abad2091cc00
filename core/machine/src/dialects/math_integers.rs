//! `math` at run time: functions of integers, and questions about floats.

use super::{
    arith::{no_expr, to_signed, to_unsigned, two, wrapped},
    math::evaluated,
};
use crate::meaning::{Function, Row, Rule, Signature, scalar};
use nnz_base::element::{Element, Repr, Scalar};

pub(super) static MEANINGS: &[Row] = &[
    evaluated("math.ctlz", Rule::Zeros, |s, a| Ok(count(s, a, |bits, value| value.leading_zeros() + bits - 128))),
    evaluated("math.cttz", Rule::Zeros, |s, a| Ok(count(s, a, |bits, value| value.trailing_zeros().min(bits)))),
    evaluated("math.ctpop", Rule::Zeros, |s, a| Ok(count(s, a, |_, value| value.count_ones()))),
    evaluated("math.ipowi", Rule::Zeros, integer_power),
    scalar("math.fpowi", Rule::Zeros, Function { apply: float_power, expr: no_expr }),
    evaluated("math.isfinite", Rule::Zeros, |_, a| Ok(Scalar::Int(first(a).is_finite().into()))),
    evaluated("math.isinf", Rule::Zeros, |_, a| Ok(Scalar::Int(first(a).is_infinite().into()))),
    evaluated("math.isnan", Rule::Zeros, |_, a| Ok(Scalar::Int(first(a).is_nan().into()))),
    evaluated("math.isnormal", Rule::Zeros, |s, a| Ok(Scalar::Int(is_normal(s.from, first(a)).into()))),
];

fn first(operands: &[Scalar]) -> f64 {
    operands.first().map_or(0.0, |value| value.as_f64())
}

/// Whether a float is neither zero, subnormal in its type, infinite nor NaN.
fn is_normal(element: Element, value: f64) -> bool {
    let least = match element.repr() {
        Repr::F16 => 2f64.powi(-14),
        Repr::F32 | Repr::BF16 => f32::MIN_POSITIVE.into(),
        Repr::F64 | Repr::C32 | Repr::C64 => f64::MIN_POSITIVE,
        Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 => f64::MIN_POSITIVE,
        Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 => f64::MIN_POSITIVE,
    };
    value.is_finite() && value.abs() >= least
}

/// A number of bits, of a value without its sign and of as many bits as its type has.
fn count(signature: &Signature<'_>, operands: &[Scalar], of: fn(u32, u128) -> u32) -> Scalar {
    let bits = signature.to.int_range().map_or(0, |(low, high)| (high - low + 1).ilog2());
    let value = operands.first().map_or(0, |value| to_unsigned(signature.to, *value));
    wrapped(signature.to, of(bits, value as u128).into())
}

/// Wraps as products do. With a negative exponent only the powers of 1 and -1 are whole numbers.
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

/// The power by repeated squaring, as in the compiler's run-time library.
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

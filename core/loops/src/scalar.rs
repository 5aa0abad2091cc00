//! Arithmetic on single values, each operation rounded or wrapped to its element type (defined at
//! `loops::Binary`).

use std::cmp::Ordering;

use num_complex::Complex;
use num_traits::Float;

use crate::{Binary, Unary, complex, operators::Comparison, quotient::quotient};
use nnz_base::{
    element::{Element, Repr, Scalar, to_bf16, to_f16},
    functions::{BinaryFunction, UnaryFunction},
};

/// The result of a comparison; `None` for other operations. The order `None` means NaN.
pub fn compare(op: Comparison, order: Option<Ordering>) -> bool {
    match op {
        Comparison::Eq => order == Some(Ordering::Equal),
        Comparison::Ne => order != Some(Ordering::Equal),
        Comparison::Lt => order == Some(Ordering::Less),
        Comparison::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
    }
}

/// Complex numbers are equal or not, never less.
pub fn order(a: Scalar, b: Scalar) -> Option<Ordering> {
    match (a, b) {
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(&b),
        (Scalar::Int(a), Scalar::Int(b)) => Some(a.cmp(&b)),
        (Scalar::Complex(a), Scalar::Complex(b)) => (a == b).then_some(Ordering::Equal),
        (Scalar::Int(_) | Scalar::Float(_) | Scalar::Complex(_), _) => None,
    }
}

pub fn index(op: Binary, a: i64, b: i64) -> i64 {
    match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => {
            if b == 0 {
                0
            } else {
                a.wrapping_div(b)
            }
        }
        Binary::Rem => {
            if b == 0 {
                0
            } else {
                a.wrapping_rem(b)
            }
        }
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        // The verifier lets no other pass.
        Binary::Pow | Binary::Function(_) | Binary::And | Binary::Or => a,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => a,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => a,
    }
}

pub fn unary(op: Unary, element: Element, value: Scalar) -> Scalar {
    match value {
        Scalar::Int(a) => wrap(element, int_unary(op, a)),
        Scalar::Complex(a) if op == Unary::Neg => Scalar::Complex(-a),
        Scalar::Complex(a) if op.gives_part() => rounded(element.part(), Scalar::Float(complex::unary(op, a).re)),
        Scalar::Complex(a) => rounded(element, Scalar::Complex(complex::unary(op, a))),
        Scalar::Float(a) if element.repr() == Repr::F64 => Scalar::Float(float_unary(op, a, UnaryFunction::of_double)),
        Scalar::Float(a) => {
            rounded(element, Scalar::Float(f64::from(float_unary(op, a as f32, UnaryFunction::of_single))))
        }
    }
}

fn int_unary(op: Unary, a: i128) -> i128 {
    match op {
        Unary::Neg => a.wrapping_neg(),
        Unary::Abs => a.wrapping_abs(),
        Unary::BitNot => !a,
        // The verifier lets no other pass.
        Unary::Not | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle | Unary::Function(_) => a,
    }
}

/// `function` computes functions in the precision of `F`.
fn float_unary<F: Float>(op: Unary, a: F, function: fn(UnaryFunction, F) -> F) -> F {
    match op {
        Unary::Neg => -a,
        Unary::Abs => a.abs(),
        Unary::Function(of) => function(of, a),
        // The verifier lets no other pass.
        Unary::Not | Unary::BitNot | Unary::Conj | Unary::Re | Unary::Im | Unary::Angle => a,
    }
}

/// Anything but a comparison.
pub fn binary(op: Binary, element: Element, a: Scalar, b: Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => wrap(element, int_binary(op, element, a, b)),
        (Scalar::Float(a), Scalar::Float(b)) if element.repr() == Repr::F64 => {
            Scalar::Float(float_binary(op, a, b, BinaryFunction::of_double))
        }
        (Scalar::Float(a), Scalar::Float(b)) => {
            let value = float_binary(op, a as f32, b as f32, BinaryFunction::of_single);
            rounded(element, Scalar::Float(f64::from(value)))
        }
        (Scalar::Complex(a), Scalar::Complex(b)) if op == Binary::Pow => {
            rounded(element, Scalar::Complex(complex::power(a, b)))
        }
        (Scalar::Complex(a), Scalar::Complex(b)) if element == Element::C64 => {
            Scalar::Complex(complex_arithmetic(op, a, b))
        }
        (Scalar::Complex(a), Scalar::Complex(b)) => {
            Scalar::Complex(widen(complex_arithmetic(op, narrow(a), narrow(b))))
        }
        // The verifier lets no two kinds meet.
        (Scalar::Int(_) | Scalar::Float(_) | Scalar::Complex(_), _) => a,
    }
}

/// `function` computes functions in the precision of `F`.
fn float_binary<F: Float>(op: Binary, a: F, b: F, function: fn(BinaryFunction, F, F) -> F) -> F {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::Pow => a.powf(b),
        Binary::Function(of) => function(of, a, b),
        Binary::Min => smaller(a, b),
        Binary::Max => -smaller(-a, -b),
        // The verifier lets no other pass.
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr | Binary::And | Binary::Or => a,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => a,
    }
}

/// NaN if either is, and -0 below +0.
fn smaller<F: Float>(a: F, b: F) -> F {
    let a_first = a.is_nan() || a < b || (a == b && a.is_sign_negative());
    if a_first { a } else { b }
}

fn complex_arithmetic<F: Float>(op: Binary, a: Complex<F>, b: Complex<F>) -> Complex<F> {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => quotient(a, b),
        // The verifier lets no other pass; powers and comparisons go other ways.
        Binary::Rem | Binary::Min | Binary::Max | Binary::Pow | Binary::Function(_) | Binary::And | Binary::Or => a,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::Shl | Binary::Shr => a,
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => a,
    }
}

fn narrow(a: Complex<f64>) -> Complex<f32> {
    Complex::new(a.re as f32, a.im as f32)
}
fn widen(a: Complex<f32>) -> Complex<f64> {
    Complex::new(f64::from(a.re), f64::from(a.im))
}

/// 128 bits hold every sum and product of 64-bit numbers.
fn int_binary(op: Binary, element: Element, a: i128, b: i128) -> i128 {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => a.checked_div(b).unwrap_or(0),
        Binary::Rem => a.checked_rem(b).unwrap_or(0),
        Binary::Pow => int_pow(element, a, b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Shl => shift(element, b).map_or(0, |by| a << by),
        Binary::Shr => shift(element, b).map_or(if a < 0 { -1 } else { 0 }, |by| a >> by),
        // The verifier lets no other pass.
        Binary::Function(_) | Binary::And | Binary::Or | Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => a,
    }
}

/// How far bits move; `None` beyond the type's width.
fn shift(element: Element, amount: i128) -> Option<u32> {
    let values = element.int_range().map_or(1, |(low, high)| high - low + 1);
    u32::try_from(amount).ok().filter(|by| *by < values.ilog2())
}

fn int_pow(element: Element, base: i128, exponent: i128) -> i128 {
    let power = |exponent: u128| {
        let (mut result, mut square, mut rest) = (1i128, base, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = wrapped(element, result.wrapping_mul(square));
            }
            square = wrapped(element, square.wrapping_mul(square));
            rest >>= 1;
        }
        wrapped(element, result)
    };
    let result = power(exponent.unsigned_abs());
    if exponent < 0 { 1i128.checked_div(result).unwrap_or(0) } else { result }
}

fn wrap(element: Element, number: i128) -> Scalar {
    Scalar::Int(wrapped(element, number))
}

/// `number` modulo the size of the type's range, into the range.
pub fn wrapped(element: Element, number: i128) -> i128 {
    element.int_range().map_or(number, |(low, high)| number.wrapping_sub(low).rem_euclid(high - low + 1) + low)
}

/// A value as arrays of its type hold it.
pub fn rounded(element: Element, scalar: Scalar) -> Scalar {
    match (element.repr(), scalar) {
        (Repr::F32, Scalar::Float(a)) => Scalar::Float(f64::from(a as f32)),
        (Repr::F16, Scalar::Float(a)) => Scalar::Float(to_f16(a).to_f64()),
        (Repr::BF16, Scalar::Float(a)) => Scalar::Float(to_bf16(a).to_f64()),
        (Repr::C32, Scalar::Complex(a)) => Scalar::Complex(widen(narrow(a))),
        (Repr::F32 | Repr::F16 | Repr::BF16 | Repr::C32, _) | (Repr::F64 | Repr::C64, _) => scalar,
        (Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 | Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64, _) => scalar,
    }
}

pub fn to_index(scalar: Scalar) -> i64 {
    match scalar {
        Scalar::Int(number) => number as i64,
        Scalar::Float(_) | Scalar::Complex(_) => scalar.as_f64() as i64,
    }
}

/// As Rust's `as`: integers wrap, floats saturate at the range of an integer type.
pub fn convert(element: Element, scalar: Scalar) -> Scalar {
    match (element.int_range(), scalar) {
        (Some(_), Scalar::Int(number)) => wrap(element, number),
        (Some((low, high)), other) => Scalar::Int((other.as_f64() as i128).clamp(low, high)),
        (None, Scalar::Complex(_)) => rounded(element, scalar),
        (None, real) if element.is_complex() => Scalar::Complex(Complex::new(to_float(element, real), 0.0)),
        (None, real) => Scalar::Float(to_float(element, real)),
    }
}

/// Rounded once: an integer goes to `f32` directly, for by way of `f64` it could round twice.
fn to_float(element: Element, real: Scalar) -> f64 {
    match (element.repr(), real) {
        (Repr::F32 | Repr::C32, Scalar::Int(number)) => f64::from(number as f32),
        (Repr::C32, Scalar::Float(number)) => f64::from(number as f32),
        _ => match rounded(element, Scalar::Float(real.as_f64())) {
            Scalar::Float(number) => number,
            other @ (Scalar::Int(_) | Scalar::Complex(_)) => other.as_f64(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: Binary, element: Element, [a, b]: [Scalar; 2], expected: Scalar) {
        let found = binary(op, element, a, b);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{op:?} of {a:?} and {b:?} as {element}");
    }

    #[test]
    fn integers_wrap_at_their_own_width() {
        let int = |a, b| [Scalar::Int(a), Scalar::Int(b)];
        check(Binary::Add, Element::I8, int(127, 1), Scalar::Int(-128));
        check(Binary::Add, Element::I1, int(1, 1), Scalar::Int(0));
        check(Binary::Mul, Element::I4, int(7, 2), Scalar::Int(-2));
        check(Binary::Mul, Element::U64, int(u64::MAX.into(), u64::MAX.into()), Scalar::Int(1));
        check(Binary::Div, Element::I32, int(5, 0), Scalar::Int(0));
        check(Binary::Div, Element::I64, int(i64::MIN.into(), -1), Scalar::Int(i64::MIN.into()));
        check(Binary::Rem, Element::I32, int(-7, 2), Scalar::Int(-1));
        check(Binary::Pow, Element::I32, int(-2, 3), Scalar::Int(-8));
        check(Binary::Pow, Element::I32, int(-1, -3), Scalar::Int(-1));
        check(Binary::Pow, Element::I32, int(2, -1), Scalar::Int(0));
    }

    #[test]
    fn floats_round_after_each_operation() {
        let float = |a, b| [Scalar::Float(a), Scalar::Float(b)];
        check(Binary::Add, Element::F32, float(16_777_216.0, 1.0), Scalar::Float(16_777_216.0));
        check(Binary::Add, Element::F16, float(2048.0, 1.0), Scalar::Float(2048.0));
        check(Binary::Mul, Element::BF16, float(1.0078125, 1.0078125), Scalar::Float(1.015625));
        check(Binary::Min, Element::F64, float(0.0, -0.0), Scalar::Float(-0.0));
        check(Binary::Max, Element::F64, float(-0.0, 0.0), Scalar::Float(0.0));
        check(Binary::Max, Element::F64, float(1.0, f64::NAN), Scalar::Float(f64::NAN));
        check(Binary::Min, Element::F64, float(f64::NAN, 1.0), Scalar::Float(f64::NAN));
    }

    #[test]
    fn integers_round_to_a_float_once() {
        let number = (1 << 60) + (1 << 36) + 1; // halfway between two floats, and a little more
        assert_eq!(convert(Element::F32, Scalar::Int(number)), Scalar::Float(f64::from(number as f32)));
        assert_ne!(convert(Element::F32, Scalar::Int(number)), Scalar::Float(f64::from(number as f64 as f32)));
    }

    #[test]
    fn nan_is_unequal_to_itself() {
        assert!(compare(Comparison::Ne, order(Scalar::Float(f64::NAN), Scalar::Float(f64::NAN))));
        assert!(!compare(Comparison::Le, order(Scalar::Float(f64::NAN), Scalar::Float(1.0))));
    }
}

//! Literals.

use super::types::{complex_type, float_type};
use nnz_base::element::{Scalar, to_bf16, to_f16};
use nnz_loops::machine::{Float, Int};

/// An integer of type `int`.
pub(super) fn int(int: Int, number: i128) -> String {
    match (int.is_signed(), int.bits) {
        (true, 64) if number == i64::MIN.into() => "INT64_MIN".to_string(),
        (true, 32) if number == i32::MIN.into() => "INT32_MIN".to_string(),
        (true, 64) => format!("INT64_C({number})"),
        (false, 64) => format!("UINT64_C({number})"),
        (false, 32) => format!("{number}u"),
        _ => number.to_string(),
    }
}

/// A float as its type holds it.
pub(super) fn float(float: Float, number: f64) -> String {
    let rounded = match float {
        Float::F64 => number,
        Float::F32 => f64::from(number as f32),
        Float::F16 => to_f16(number).to_f64(),
        Float::BF16 => to_bf16(number).to_f64(),
    };
    match rounded {
        x if x.is_nan() => "NAN".to_string(),
        x if x.is_infinite() => if x > 0.0 { "INFINITY" } else { "-INFINITY" }.to_string(),
        x if float == Float::F64 => format!("{x:?}"),
        x => format!("{:?}f", x as f32),
    }
}

pub(super) fn complex(part: Float, scalar: Scalar) -> String {
    let Scalar::Complex(z) = scalar else { return format!("({}){{0, 0}}", complex_type(part)) };
    let cast = |number: f64| match number.is_finite() {
        true => float(part, number),
        false => format!("({}){}", float_type(part), float(part, number)),
    };
    format!("({}){{{}, {}}}", complex_type(part), cast(z.re), cast(z.im))
}

//! Constants.

use super::types::{IntType, float_register};
use nnz_base::element::{to_bf16, to_f16};
use nnz_loops::machine::Float;

/// `arith.constant` of an integer.
pub(super) fn int(int: IntType, number: i128) -> String {
    let (ty, width) = (int.register(), int.int().width);
    if width == 1 {
        return format!("arith.constant {}", number & 1 == 1);
    }
    // Without a sign of its own the type prints numbers as signed ones.
    let half = 1i128 << (width - 1);
    let signed = if number >= half { number - 2 * half } else { number };
    format!("arith.constant {signed} : {ty}")
}

/// `arith.constant` of a float in its register, rounded to what its type holds.
pub(super) fn float(float: Float, number: f64) -> String {
    let rounded = match float {
        Float::F64 => number,
        Float::F32 => f64::from(number as f32),
        Float::F16 => to_f16(number).to_f64(),
        Float::BF16 => to_bf16(number).to_f64(),
    };
    let (digits, bits) = match float {
        Float::F64 => (format!("{rounded:?}"), format!("{:#018x}", rounded.to_bits())),
        Float::F32 | Float::F16 | Float::BF16 => {
            (format!("{:?}", rounded as f32), format!("{:#010x}", (rounded as f32).to_bits()))
        }
    };
    // The syntax wants a point, and has no word for what is not finite.
    let text = if digits.contains('.') && rounded.is_finite() { digits } else { bits };
    format!("arith.constant {text} : {}", float_register(float))
}

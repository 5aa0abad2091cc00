//! Arithmetic on single values, each of a type.

use nnz_base::{
    element::{Element, Scalar, to_bf16, to_f16},
    functions::UnaryFunction,
};
use nnz_loops::{Binary as Op, Unary as Of, operators::Comparison, scalar};
use nnz_tir::model::{Binary, Math, Unary};

/// A value as its type holds it: integers wrap, floating-point numbers are rounded.
pub(crate) fn held(value: Scalar, element: Element) -> Scalar {
    match (value, element.int_range()) {
        (_, _) if element == Element::I1 => truth(!value.is_zero()),
        (Scalar::Int(value), Some((least, greatest))) => Scalar::Int(wrapped(value, least, greatest)),
        (Scalar::Float(_), Some(_)) => scalar::convert(element, value),
        (Scalar::Int(value), None) => Scalar::Float(rounded(value as f64, element)),
        (Scalar::Float(value), None) => Scalar::Float(rounded(value, element)),
        (Scalar::Complex(value), _) => Scalar::Complex(value),
    }
}

fn wrapped(value: i128, least: i128, greatest: i128) -> i128 {
    let count = greatest - least + 1;
    (value.rem_euclid(count) - least).rem_euclid(count) + least
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the other types hold what a double does, or no such number")]
fn rounded(value: f64, element: Element) -> f64 {
    match element {
        Element::F32 => f64::from(value as f32),
        Element::F16 => f64::from(to_f16(value)),
        Element::BF16 => f64::from(to_bf16(value)),
        _ => value,
    }
}

pub(crate) fn truth(value: bool) -> Scalar {
    Scalar::Int(i128::from(value))
}

pub(crate) fn unary(op: Unary, value: Scalar, element: Element) -> Scalar {
    let result = match (op, value) {
        (Unary::Not, value) => truth(value.is_zero()),
        (Unary::Invert, value) if element == Element::I1 => truth(value.is_zero()),
        (Unary::Invert, Scalar::Int(value)) => Scalar::Int(!value),
        (Unary::Negate, Scalar::Int(value)) => Scalar::Int(-value),
        (Unary::Negate | Unary::Invert, other) => Scalar::Float(-other.as_f64()),
    };
    held(result, element)
}

/// Two values of one type; `None` for a division of integers by zero and a shift by no width. Floating-point numbers are
/// computed as the loops compute them.
pub(crate) fn binary(op: Binary, left: Scalar, right: Scalar, element: Element) -> Option<Scalar> {
    match (left, right) {
        (Scalar::Int(left), Scalar::Int(right)) => of_integers(op, left, right),
        (left, right) => Some(of_floats(op, (left, right), element)),
    }
}

fn of_integers(op: Binary, left: i128, right: i128) -> Option<Scalar> {
    let is_zero = right == 0;
    let floor = || left.div_euclid(right) - i128::from(right < 0 && left.rem_euclid(right) != 0);
    let result = match op {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left.wrapping_mul(right),
        Binary::FloorDivide | Binary::Divide => (!is_zero).then(floor)?,
        Binary::FloorModulo => (!is_zero).then(|| left - floor() * right)?,
        Binary::TruncateDivide => (!is_zero).then(|| left / right)?,
        Binary::TruncateModulo => (!is_zero).then(|| left % right)?,
        // The types of operands rule it out.
        Binary::Power => left,
        Binary::Least => left.min(right),
        Binary::Greatest => left.max(right),
        Binary::BitAnd => left & right,
        Binary::BitOr => left | right,
        Binary::BitXor => left ^ right,
        Binary::ShiftLeft => left.wrapping_shl(width(right)?),
        Binary::ShiftRight => left.wrapping_shr(width(right)?),
        Binary::And => return Some(truth(left != 0 && right != 0)),
        Binary::Or => return Some(truth(left != 0 || right != 0)),
        Binary::Equal => return Some(truth(left == right)),
        Binary::NotEqual => return Some(truth(left != right)),
        Binary::Less => return Some(truth(left < right)),
        Binary::LessEqual => return Some(truth(left <= right)),
        Binary::Greater => return Some(truth(left > right)),
        Binary::GreaterEqual => return Some(truth(left >= right)),
    };
    Some(Scalar::Int(result))
}

/// The width of a shift.
fn width(by: i128) -> Option<u32> {
    u32::try_from(by).ok().filter(|by| *by < 64)
}

fn of_floats(op: Binary, (left, right): (Scalar, Scalar), element: Element) -> Scalar {
    let order = scalar::order(left, right);
    let compared = |comparison| truth(scalar::compare(comparison, order));
    let of = match op {
        Binary::Add => Op::Add,
        Binary::Subtract => Op::Sub,
        Binary::Multiply => Op::Mul,
        Binary::Divide => Op::Div,
        Binary::Power => Op::Pow,
        Binary::Least => Op::Min,
        Binary::Greatest => Op::Max,
        Binary::Equal => return compared(Comparison::Eq),
        Binary::NotEqual => return compared(Comparison::Ne),
        Binary::Less => return compared(Comparison::Lt),
        Binary::LessEqual => return compared(Comparison::Le),
        Binary::Greater => return truth(left.as_f64() > right.as_f64()),
        Binary::GreaterEqual => return truth(left.as_f64() >= right.as_f64()),
        // The types of operands rule these out.
        Binary::FloorDivide | Binary::FloorModulo | Binary::TruncateDivide | Binary::TruncateModulo => Op::Div,
        Binary::And | Binary::Or | Binary::BitAnd | Binary::BitOr | Binary::BitXor => Op::Add,
        Binary::ShiftLeft | Binary::ShiftRight => Op::Add,
    };
    scalar::binary(of, element, left, right)
}

/// A part of how a function is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Of(Of),
    /// A number and what is there so far.
    With(Op, f64),
}

/// How a function of one number is computed from those that the loops have: the interpreters and machine code give the same.
pub(crate) fn functions(math: &Math, element: Element) -> Option<&'static [Step]> {
    use UnaryFunction as F;
    if element.int_range().is_some() {
        return (math.name == "abs").then_some(&[Step::Of(Of::Abs)]);
    }
    Some(match math.name {
        "abs" => &[Step::Of(Of::Abs)],
        "exp" => &[Step::Of(Of::Function(F::Exp))],
        "exp2" => &[Step::Of(Of::Function(F::Exp2))],
        "log" => &[Step::Of(Of::Function(F::Log))],
        "log2" => &[Step::Of(Of::Function(F::Log2))],
        "log10" => &[Step::Of(Of::Function(F::Log10))],
        "sqrt" => &[Step::Of(Of::Function(F::Sqrt))],
        "rsqrt" => &[Step::Of(Of::Function(F::Sqrt)), Step::With(Op::Div, 1.0)],
        "tanh" => &[Step::Of(Of::Function(F::Tanh))],
        "sigmoid" => {
            &[Step::Of(Of::Neg), Step::Of(Of::Function(F::Exp)), Step::With(Op::Add, 1.0), Step::With(Op::Div, 1.0)]
        }
        "sin" => &[Step::Of(Of::Function(F::Sin))],
        "cos" => &[Step::Of(Of::Function(F::Cos))],
        "tan" => &[Step::Of(Of::Function(F::Tan))],
        "erf" => &[Step::Of(Of::Function(F::Erf))],
        "floor" => &[Step::Of(Of::Function(F::Floor))],
        "ceil" => &[Step::Of(Of::Function(F::Ceil))],
        // Rounding to the even number is none of the loops' functions.
        _ => return None,
    })
}

pub(crate) fn math(math: &Math, value: Scalar, element: Element) -> Scalar {
    let Some(steps) = functions(math, element) else { return Scalar::Float(value.as_f64().round_ties_even()) };
    steps.iter().fold(value, |value, step| match step {
        Step::Of(of) => scalar::unary(*of, element, value),
        Step::With(op, number) => scalar::binary(*op, element, Scalar::Float(*number), value),
    })
}

/// The least or the greatest value of a type.
pub(crate) fn limit(element: Element, greatest: bool) -> Scalar {
    let of_floats = |most: f64| Scalar::Float(if greatest { most } else { -most });
    match element.int_range() {
        Some((least, most)) => Scalar::Int(if greatest { most } else { least }),
        None if element == Element::F32 => of_floats(f64::from(f32::MAX)),
        None if element == Element::F16 => of_floats(65504.0),
        None if element == Element::BF16 => of_floats(f64::from(f32::from_bits(0x7f7f_0000))),
        None => of_floats(f64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::{Binary, Element, Scalar, binary, held};

    #[test]
    fn division_rounds_down() {
        let of = |op, left, right| binary(op, Scalar::Int(left), Scalar::Int(right), Element::I32);
        for (left, right, quotient, rest) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, -2, -3, 0)]
        {
            assert_eq!(of(Binary::FloorDivide, left, right), Some(Scalar::Int(quotient)), "{left} // {right}");
            assert_eq!(of(Binary::FloorModulo, left, right), Some(Scalar::Int(rest)), "{left} % {right}");
        }
        assert_eq!(of(Binary::FloorDivide, 1, 0), None);
    }

    #[test]
    fn types_hold_what_they_can() {
        assert_eq!(held(Scalar::Int(i128::from(i32::MAX) + 1), Element::I32), Scalar::Int(i128::from(i32::MIN)));
        assert_eq!(held(Scalar::Float(0.1), Element::F32), Scalar::Float(f64::from(0.1_f32)));
        assert_eq!(held(Scalar::Float(2.9), Element::I32), Scalar::Int(2));
        assert_eq!(held(Scalar::Int(300), Element::U8), Scalar::Int(44));
        assert!(matches!(held(Scalar::Float(f64::INFINITY), Element::I64), Scalar::Int(_)));
    }
}

//! Numbers in the text.

use crate::mistake::{Mistake, Read};
use nnz_base::{
    arrays::Values,
    diagnostic::Code,
    element::{Element, Scalar},
    source::Span,
};

/// The value of a number's text. A float type wants a fraction, or hexadecimal digits, which are then its bits.
///
/// # Errors
/// A number that the element type cannot hold; a fraction of an integer type, a whole number of a float type.
pub(super) fn number(text: &str, negative: bool, element: Option<Element>, span: Span) -> Read<Scalar> {
    let sign = if negative { -1 } else { 1 };
    if negative && element.is_some_and(Element::is_integer) && is_zero(text) {
        let mistake = Mistake::new(Code::LiteralRange, span, "zero has no sign among whole numbers");
        return Err(mistake.label("a sign in front of 0").fix("write `0`", span, "0"));
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return hexadecimal(digits, element, sign, span);
    }
    match element.filter(|element| element.is_float()) {
        Some(element) if !text.contains('.') => return Err(without_fraction(text, negative, element, span)),
        None if element.is_some() || !text.contains(['.', 'e', 'E']) => {}
        element => {
            let value: f64 = text.parse().map_err(|_| Mistake::syntax(span, format!("`{text}` is not a number")))?;
            return Ok(rounded(element, Scalar::Float(value * f64::from(sign))));
        }
    }
    let value: i128 = text.parse().map_err(|_| not_whole(text, negative, element, span))?;
    in_range(value * i128::from(sign), element, span)
}

/// `0`, `00`, `0x0`
fn is_zero(text: &str) -> bool {
    text.strip_prefix("0x").unwrap_or(text).bytes().all(|digit| digit == b'0')
}

/// `1.5` of an integer type.
fn not_whole(text: &str, negative: bool, element: Option<Element>, span: Span) -> Mistake {
    let mistake = Mistake::new(Code::LiteralType, span, format!("`{text}` is not a whole number"));
    let Some(element) = element else { return mistake };
    let mistake = mistake.label(format!("`{element}` takes whole numbers, `f64` fractions"));
    match text.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0')) {
        Some((whole, _)) => {
            let meant = format!("{}{whole}", if negative { "-" } else { "" });
            mistake.fix(format!("write `{meant}`"), span, meant)
        }
        None => mistake,
    }
}

/// `1` or `1e5` of a float type.
fn without_fraction(text: &str, negative: bool, element: Element, span: Span) -> Mistake {
    let (digits, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    let meant = format!("{}{digits}.0{exponent}", if negative { "-" } else { "" });
    let message = format!("`{text}` is no floating-point number of MLIR, and the type is `{element}`");
    Mistake::new(Code::LiteralType, span, message).label("a decimal point is missing").fix(
        format!("write `{meant}`"),
        span,
        meant,
    )
}

fn hexadecimal(digits: &str, element: Option<Element>, sign: i32, span: Span) -> Read<Scalar> {
    let bits = u64::from_str_radix(digits, 16)
        .map_err(|_| Mistake::new(Code::LiteralRange, span, "a hexadecimal number of more than 64 bits"))?;
    let Some(element) = element.filter(|element| element.is_float()) else {
        return in_range(i128::from(bits) * i128::from(sign), element, span);
    };
    if sign < 0 {
        return Err(Mistake::new(
            Code::LiteralType,
            span,
            "hexadecimal digits are the bits of the number, sign and all",
        )
        .label("a sign in front of bits"));
    }
    let narrow = || {
        Mistake::new(Code::LiteralRange, span, format!("`0x{digits}` has more bits than `{element}`"))
            .label("too many digits")
    };
    element.float_of_bits(bits).map(Scalar::Float).ok_or_else(narrow)
}

/// A signless type takes both readings of its bits: `255 : i8` is `-1 : i8`. An `index` is signed, as a constant.
fn in_range(value: i128, element: Option<Element>, span: Span) -> Read<Scalar> {
    let Some((element, (low, high))) = element.and_then(|element| Some((element, element.int_range()?))) else {
        return Ok(Scalar::Int(value));
    };
    let size = high - low + 1;
    let lowest = if element == Element::Index || element == Element::I1 { -(size / 2) } else { low };
    let unsigned = if low < 0 { high + size / 2 } else { high };
    let highest = if element == Element::Index { high / 2 } else { unsigned };
    if value < lowest || value > highest {
        let message = format!("`{value}` does not fit `{element}`");
        let label = format!("`{element}` holds {lowest} to {highest}");
        return Err(Mistake::new(Code::LiteralRange, span, message).label(label));
    }
    Ok(Scalar::Int((value - low).rem_euclid(size) + low))
}

fn rounded(element: Option<Element>, scalar: Scalar) -> Scalar {
    let Some(element) = element else { return scalar };
    Values::from_scalars(element, [scalar]).get(0).unwrap_or(scalar)
}

/// A number as it lies in memory.
pub(super) fn of_bytes(element: Element, bytes: &[u8]) -> Scalar {
    let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    let integer = || Scalar::Int(nnz_loops::scalar::wrapped(element, bits.into()));
    element.float_of_bits(bits).map_or_else(integer, Scalar::Float)
}

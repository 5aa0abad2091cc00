//! Numbers in text files, scanned from the start of a byte slice and rounded to nearest.

mod decimal;

use decimal::{Binary, whole_digits};
use half::{bf16, f16};
use num_complex::Complex;

use nnz_base::element::{Element, Value};

/// How a file writes its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Real,
    Integer,
    Unsigned,
    /// Two real numbers, the real part first.
    Complex,
    /// Not at all.
    Pattern,
}

/// Why bytes are not the number wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberFault {
    /// A number is missing.
    Missing,
    NotANumber,
    /// A number with a fraction or an exponent in place of a whole one.
    NotWhole,
    /// Outside the range of the element type.
    Range,
}

/// A value and the bytes it took, or a fault and the bytes before it.
pub(super) type Scanned<T> = Result<(T, usize), (NumberFault, usize)>;

/// A machine type that files are read into.
pub(super) trait Number: Value {
    /// One real number, as decimal text.
    fn real(text: &[u8], element: Element) -> Scanned<Self>;
    /// `None` outside the range of `element`.
    fn whole(number: i128, element: Element) -> Option<Self>;
    /// Two real numbers.
    fn complex(text: &[u8], element: Element) -> Scanned<Self>;
    /// `None` where the type has no such number.
    fn negated(self) -> Option<Self>;
    fn conjugated(self) -> Self {
        self
    }
    fn is_real(self) -> bool {
        true
    }

    #[inline(always)]
    fn scan(text: &[u8], field: Field, element: Element) -> Scanned<Self> {
        match field {
            Field::Real => Self::real(text, element),
            Field::Integer | Field::Unsigned => {
                let (number, used) = whole_number(text)?;
                Self::whole(number, element).map(|value| (value, used)).ok_or((NumberFault::Range, 0))
            }
            Field::Complex => Self::complex(text, element),
            Field::Pattern => Self::whole(1, element).map(|value| (value, 0)).ok_or((NumberFault::Range, 0)),
        }
    }
}

macro_rules! float_number {
    ($($ty:ty, $wide:ty, $from:expr);*) => { $(
        impl Number for $ty {
            #[inline(always)]
            fn real(text: &[u8], _: Element) -> Scanned<Self> {
                let (value, used) = decimal_number::<$wide>(text)?;
                let rounded: $ty = $from(value);
                // No finite number becomes an infinity by being read.
                if rounded.is_infinite() && value.is_finite() {
                    return Err((NumberFault::Range, 0));
                }
                Ok((rounded, used))
            }
            fn whole(number: i128, _: Element) -> Option<Self> {
                Some($from(number as $wide)).filter(|rounded: &$ty| rounded.is_finite())
            }
            fn complex(_: &[u8], _: Element) -> Scanned<Self> {
                Err((NumberFault::Range, 0))
            }
            fn negated(self) -> Option<Self> {
                Some(-self)
            }
        }
    )* };
}
float_number!(
    f64, f64, |x| x;
    f32, f32, |x| x;
    f16, f64, f16::from_f64;
    bf16, f64, bf16::from_f64
);

macro_rules! int_number {
    ($($ty:ty),*) => { $(
        impl Number for $ty {
            fn real(text: &[u8], element: Element) -> Scanned<Self> {
                let (number, used) = whole_number(text).or_else(|_| exact(text))?;
                Self::whole(number, element).map(|value| (value, used)).ok_or((NumberFault::Range, 0))
            }
            #[inline]
            fn whole(number: i128, element: Element) -> Option<Self> {
                let narrow = || element.int_range().is_none_or(|(low, high)| (low..=high).contains(&number));
                <$ty>::try_from(number).ok().filter(|_| narrow())
            }
            fn complex(_: &[u8], _: Element) -> Scanned<Self> {
                Err((NumberFault::Range, 0))
            }
            fn negated(self) -> Option<Self> {
                self.checked_neg()
            }
        }
    )* };
}
int_number!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! complex_number {
    ($($part:ty),*) => { $(
        impl Number for Complex<$part> {
            fn real(text: &[u8], _: Element) -> Scanned<Self> {
                decimal_number::<$part>(text).map(|(re, used)| (Complex::new(re, 0.0), used))
            }
            fn whole(number: i128, _: Element) -> Option<Self> {
                Some(Complex::new(number as $part, 0.0))
            }
            fn complex(text: &[u8], _: Element) -> Scanned<Self> {
                let (re, first) = decimal_number::<$part>(text)?;
                let rest = text.get(first..).unwrap_or_default();
                let gap = rest.iter().take_while(|&&byte| is_blank(byte)).count();
                let shift = |(fault, at)| (fault, at + first + gap);
                if gap == 0 {
                    let fault = if at_end(rest) { NumberFault::Missing } else { NumberFault::NotANumber };
                    return Err((fault, if at_end(rest) { first } else { 0 }));
                }
                let (im, second) = decimal_number::<$part>(rest.get(gap..).unwrap_or_default()).map_err(shift)?;
                Ok((Complex::new(re, im), first + gap + second))
            }
            fn negated(self) -> Option<Self> {
                Some(-self)
            }
            fn conjugated(self) -> Self {
                self.conj()
            }
            fn is_real(self) -> bool {
                self.im == 0.0
            }
        }
    )* };
}
complex_number!(f32, f64);

/// A whole number written with a point or an exponent.
fn exact(text: &[u8]) -> Scanned<i128> {
    const LARGEST: f64 = 1e37; // well inside i128, and past every element type
    let (value, used) = decimal_number::<f64>(text)?;
    match value.fract() == 0.0 && value.abs() < LARGEST {
        true => Ok((value as i128, used)),
        false => Err((NumberFault::NotWhole, 0)),
    }
}

/// A separator within a line.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Whether no number can start here because the line or the text ends.
#[inline]
pub(super) fn at_end(text: &[u8]) -> bool {
    matches!(text.first(), None | Some(b'\n'))
}

/// A decimal number, `inf` or `nan`; the exponent may be written with `d`, as Fortran does.
#[inline(always)]
fn decimal_number<F: Binary>(text: &[u8]) -> Scanned<F> {
    match decimal::usual(text) {
        Some(usual) => Ok(usual),
        None => long_decimal(text),
    }
}

#[inline(never)]
fn long_decimal<F: Binary>(text: &[u8]) -> Scanned<F> {
    match fast_float2::parse_partial::<F, _>(text) {
        Ok((value, used)) => match text.get(used) {
            Some(b'd' | b'D') => fortran(text),
            _ if value.is_infinite() && is_spelt_in_digits(text) => Err((NumberFault::Range, 0)),
            _ => Ok((value, used)),
        },
        Err(_) if at_end(text) => Err((NumberFault::Missing, 0)),
        Err(_) => Err((NumberFault::NotANumber, 0)),
    }
}

#[cold]
fn fortran<F: Binary>(text: &[u8]) -> Scanned<F> {
    let word: Vec<u8> = text.iter().take_while(|byte| !byte.is_ascii_whitespace()).copied().collect();
    let spelt: Vec<u8> = word.iter().map(|&byte| if matches!(byte, b'd' | b'D') { b'e' } else { byte }).collect();
    let value: F = fast_float2::parse(&spelt).map_err(|_| (NumberFault::NotANumber, 0))?;
    if value.is_infinite() { Err((NumberFault::Range, 0)) } else { Ok((value, word.len())) }
}

/// Whether a number is written out, and is no word such as `inf`.
fn is_spelt_in_digits(text: &[u8]) -> bool {
    text.iter().find(|byte| !matches!(byte, b'-' | b'+')).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// The most decimal digits that surely fit a `u64`.
const SAFE_DIGITS: usize = 19;

/// The number that the leading digits of `text` spell, and how many they are; meaningless past
/// [`SAFE_DIGITS`] of them.
#[inline]
fn digits(text: &[u8]) -> (u64, usize) {
    let mut number = 0u64;
    let mut used = 0;
    while let Some(digit) = text.get(used).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        used += 1;
    }
    (number, used)
}

/// An unsigned number, saturated to 64 bits. `None` if `text` does not start with a digit.
#[inline(always)]
pub(super) fn natural(text: &[u8]) -> Option<(u64, usize)> {
    match whole_digits(text, 0) {
        (number, used @ 1..10) => Some((number, used)),
        _ => long_natural(text),
    }
}

#[inline(never)]
fn long_natural(text: &[u8]) -> Option<(u64, usize)> {
    match digits(text) {
        (_, 0) => None,
        (number, used) if used <= SAFE_DIGITS => Some((number, used)),
        (_, used) => Some((long_digits(text, used).and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX), used)),
    }
}

/// `None` past 128 bits.
#[cold]
fn long_digits(text: &[u8], used: usize) -> Option<i128> {
    text.get(..used)?.iter().try_fold(0i128, |n, byte| n.checked_mul(10)?.checked_add(i128::from(byte - b'0')))
}

/// A whole number with an optional sign.
#[inline]
fn whole_number(text: &[u8]) -> Scanned<i128> {
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let rest = text.get(sign..).unwrap_or_default();
    let (number, used) = digits(rest);
    if used == 0 {
        return Err((not_digits(text), 0));
    }
    if matches!(rest.get(used), Some(b'.' | b'e' | b'E' | b'd' | b'D')) {
        return Err((NumberFault::NotWhole, 0));
    }
    let number = match used <= SAFE_DIGITS {
        true => i128::from(number),
        false => long_digits(rest, used).ok_or((NumberFault::Range, 0))?,
    };
    Ok((if text.first() == Some(&b'-') { -number } else { number }, sign + used))
}

#[cold]
fn not_digits(text: &[u8]) -> NumberFault {
    match decimal_number::<f64>(text) {
        Ok(_) => NumberFault::NotWhole,
        Err((fault, _)) => fault,
    }
}

/// Whether values written as `field` can be read as `element`.
pub(super) fn can_hold(element: Element, field: Field) -> bool {
    field != Field::Complex || element.is_complex()
}

/// The element type that `field` is read as unless another is wanted.
pub(super) fn natural_element(field: Field) -> Element {
    match field {
        Field::Real | Field::Pattern => Element::F64,
        Field::Integer => Element::I64,
        Field::Unsigned => Element::U64,
        Field::Complex => Element::C64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_of_every_spelling() {
        let real = |text: &str| f64::real(text.as_bytes(), Element::F64);
        assert_eq!(real("1e5 "), Ok((1e5, 3)));
        assert_eq!(real("+1.5D+02"), Ok((150.0, 8)));
        assert_eq!(real("-.5d0 7"), Ok((-0.5, 5)));
        assert_eq!(real("-Infinity"), Ok((f64::NEG_INFINITY, 9)));
        assert!(real("NaN").unwrap().0.is_nan());
        assert_eq!(real("x"), Err((NumberFault::NotANumber, 0)));
        assert_eq!(real("\n"), Err((NumberFault::Missing, 0)));
        assert_eq!(real("1d"), Err((NumberFault::NotANumber, 0)));
        assert_eq!(f32::real(b"0.1", Element::F32), Ok((0.1f32, 3)));
    }

    #[test]
    fn whole_numbers_keep_to_their_range() {
        let scan = |text: &str, element| i64::scan(text.as_bytes(), Field::Integer, element);
        assert_eq!(scan("-9223372036854775808", Element::I64), Ok((i64::MIN, 20)));
        assert_eq!(scan("9223372036854775808", Element::I64), Err((NumberFault::Range, 0)));
        assert_eq!(scan("00000000000000000000000000000007", Element::I64), Ok((7, 32)));
        assert_eq!(scan("99999999999999999999999999999999999999999", Element::I64), Err((NumberFault::Range, 0)));
        assert_eq!(scan("3.5", Element::I64), Err((NumberFault::NotWhole, 0)));
        assert_eq!(scan(".5", Element::I64), Err((NumberFault::NotWhole, 0)));
        assert_eq!(i8::scan(b"2", Field::Integer, Element::I1), Err((NumberFault::Range, 0)));
        assert_eq!(i8::real(b"2.5", Element::I8), Err((NumberFault::NotWhole, 0)));
        assert_eq!(i8::real(b"-2e1", Element::I8), Ok((-20, 4)));
        assert_eq!(i64::real(b"9007199254740993", Element::I64), Ok((9007199254740993, 16)));
    }

    #[test]
    fn complex_numbers_are_two_words() {
        let scan = |text: &str| Complex::<f64>::scan(text.as_bytes(), Field::Complex, Element::C64);
        assert_eq!(scan("1 \t-2e0\n"), Ok((Complex::new(1.0, -2.0), 7)));
        assert_eq!(scan("1\n"), Err((NumberFault::Missing, 1)));
        assert_eq!(scan("1  \n"), Err((NumberFault::Missing, 3)));
        assert_eq!(scan("1x 2"), Err((NumberFault::NotANumber, 0)));
        assert_eq!(scan("1 y"), Err((NumberFault::NotANumber, 2)));
    }

    #[test]
    fn words_of_every_length_and_end() {
        for number in (0..8).map(|n| 12345678u64 / 10u64.pow(n)).chain([0, 9, 10, 99, 9999999, 90909090]) {
            for end in ["", " ", "\n", "\t1", ":", "/", "\u{b0}", " 123456789", "        "] {
                let text = format!("{number}{end}");
                assert_eq!(natural(text.as_bytes()), Some((number, number.to_string().len())), "{text:?}");
                let real = f64::real(text.as_bytes(), Element::F64).unwrap();
                assert_eq!(real, (number as f64, number.to_string().len()), "{text:?}");
            }
        }
        assert!(f64::real(b"-0         ", Element::F64).unwrap().0.is_sign_negative());
        assert_eq!(f64::real(b"-12        ", Element::F64), Ok((-12.0, 3)));
    }

    #[test]
    fn natural_numbers_saturate() {
        assert_eq!(natural(b"18446744073709551616"), Some((u64::MAX, 20)));
        assert_eq!(natural(b"18446744073709551615"), Some((u64::MAX, 20)));
        assert_eq!(natural(b"000000000000000000000012 "), Some((12, 24)));
        assert_eq!(natural(b"-1"), None);
    }
}

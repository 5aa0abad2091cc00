//! Numbers as text.

use half::{bf16, f16};

use nnz_base::element::{Element, Scalar};

/// The shortest text that reads back as the same value of `element`.
pub fn exact(value: Scalar, element: Element) -> String {
    match value {
        Scalar::Int(x) => x.to_string(),
        Scalar::Float(x) => float(x, element),
        Scalar::Complex(z) => complex(float(z.re, element), float(z.im, element)),
    }
}

/// Before a number that is shown without its last digits: what is shown with no such sign is the value itself.
const ABOUT: &str = "~";

/// Up to here every whole number is an `f64`, and is shown with all its digits.
const WHOLE: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;

/// About `digits` significant digits, with `~` before them if some are left out. A whole number keeps all
/// digits, and so does a number that would not get shorter.
pub fn brief(value: Scalar, element: Element, digits: usize) -> String {
    let whole = exact(value, element);
    let parts = match value {
        Scalar::Int(_) => return whole,
        Scalar::Float(x) => rounded(x, element, digits),
        Scalar::Complex(z) => complex(rounded(z.re, element, digits), rounded(z.im, element, digits)),
    };
    if parts.len() + ABOUT.len() < whole.len() { format!("{ABOUT}{parts}") } else { whole }
}

/// `12.5 %`; a part is shown as 0 % or 100 % only if it is exactly that.
pub fn percent(part: f64, whole: f64) -> String {
    if whole <= 0.0 {
        return "0 %".into();
    }
    let percent = 100.0 * part / whole;
    let short = Some(float(percent, Element::F64)).filter(|text| text.len() <= 5);
    let percent = short.unwrap_or_else(|| float(significant(percent, 3), Element::F64));
    if percent == "100" && part < whole { "> 99.9 %".into() } else { format!("{percent} %") }
}

/// Digits in groups of three: `1,234,567`.
pub fn grouped(x: u64) -> String {
    let digits = x.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn complex(re: String, im: String) -> String {
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("{re}{sign}{im}i")
}

fn is_whole(x: f64) -> bool {
    x.trunc() == x && x.abs() <= WHOLE
}

#[expect(clippy::wildcard_enum_match_arm, reason = "element types are many")]
fn float(x: f64, element: Element) -> String {
    let held = match element {
        Element::F32 | Element::C32 => f64::from(x as f32),
        Element::F16 => f16::from_f64(x).to_f64(),
        Element::BF16 => bf16::from_f64(x).to_f64(),
        _ => x,
    };
    if is_whole(held) {
        return format!("{held:.0}");
    }
    let text = if matches!(element, Element::F32 | Element::C32 | Element::F16 | Element::BF16) {
        format!("{:?}", held as f32)
    } else {
        format!("{held:?}")
    };
    text.strip_suffix(".0").map_or_else(|| text.to_lowercase(), str::to_owned)
}

/// `x` with `digits` significant digits, in exponent form where these do not reach its point.
fn rounded(x: f64, element: Element, digits: usize) -> String {
    let exact = float(x, element);
    if !x.is_finite() || is_whole(x) || exact.len() <= digits {
        return exact;
    }
    let nearest = significant(x, digits);
    if nearest == x {
        return exact;
    }
    let short = match i32::try_from(digits).is_ok_and(|digits| nearest.abs() < 10f64.powi(digits)) {
        true => float(nearest, Element::F64),
        false => format!("{nearest:e}"),
    };
    if short.len() < exact.len() { short } else { exact }
}

/// The number of so many significant digits that is nearest to `x`; `x` itself next to the largest number.
fn significant(x: f64, digits: usize) -> f64 {
    let nearest = format!("{x:.*e}", digits.saturating_sub(1)).parse().ok();
    nearest.filter(|nearest: &f64| nearest.is_finite()).unwrap_or(x)
}

/// Bytes in the unit that suits them.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 10_000 {
        return format!("{} bytes", grouped(bytes));
    }
    let mut size = bytes as f64 / 1024.0;
    let mut units = UNITS.iter();
    while size >= 1024.0 && units.len() > 1 {
        size /= 1024.0;
        units.next();
    }
    format!("{size:.1} {}", units.next().unwrap_or(&"PiB"))
}

/// Nanoseconds in the unit that suits them.
pub fn duration(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex;

    #[test]
    fn bytes_have_the_unit_that_suits_them() {
        assert_eq!([9_999, 10_240, 7_900_808].map(bytes), ["9,999 bytes", "10.0 KiB", "7.5 MiB"]);
        assert_eq!(bytes(u64::MAX), "16384.0 PiB");
    }

    #[test]
    fn floats_are_as_short_as_their_type_allows() {
        assert_eq!(exact(Scalar::Float(f64::from(0.1f32)), Element::F32), "0.1");
        assert_eq!(exact(Scalar::Float(0.1), Element::F64), "0.1");
        assert_eq!(exact(Scalar::Float(-0.0), Element::F64), "-0");
        assert_eq!(exact(Scalar::Float(1e300), Element::F64), "1e300");
        assert_eq!(exact(Scalar::Float(123_456_789.0), Element::F32), "123456792");
        assert_eq!(exact(Scalar::Float(f64::NAN), Element::F64), "nan");
        assert_eq!(exact(Scalar::Complex(Complex::new(1.0, -2.5)), Element::C64), "1-2.5i");
    }

    #[test]
    fn brief_numbers_lose_digits_not_size() {
        let brief = |x| brief(Scalar::Float(x), Element::F64, 6);
        assert_eq!(brief(0.1 + 0.2), "~0.3");
        assert_eq!(brief(std::f64::consts::PI), "~3.14159");
        assert_eq!(brief(12345678.0), "12345678");
        assert_eq!(brief(123_456_789.123), "~1.23457e8");
        assert_eq!(brief(1234567.5), "1234567.5");
        assert_eq!(brief(9_007_199_254_740_991.0), "9007199254740991");
        assert_eq!(brief(-999_999.999_9), "~-1e6");
        assert_eq!(brief(1.23456789e-30), "~1.23457e-30");
        assert_eq!(brief(f64::INFINITY), "inf");
        let z = Scalar::Complex(Complex::new(1.0, -std::f64::consts::E));
        assert_eq!(super::brief(z, Element::C64, 6), "~1-2.71828i");
    }

    #[test]
    fn a_number_without_a_sign_is_the_value() {
        for digits in 1..=17 {
            for exponent in -320..=308 {
                for mantissa in [1.0, -1.5, 9.999_999_999_999_999, 1.000_000_1, 3.333_333_333_333_333_5, 123_456.789] {
                    let x: f64 = format!("{mantissa}e{exponent}").parse().unwrap();
                    let shown = brief(Scalar::Float(x), Element::F64, digits);
                    match shown.strip_prefix(ABOUT) {
                        Some(about) => assert_close(about.parse().unwrap(), x, digits),
                        None => assert_eq!(shown.parse(), Ok(x), "{shown}"),
                    }
                }
            }
        }
    }

    fn assert_close(shown: f64, x: f64, digits: usize) {
        assert_ne!(shown, x, "{shown} is the value itself");
        let least = f64::from_bits(1);
        let apart = (shown - x).abs() / x.abs().max(least);
        assert!(apart <= 0.5001 * 10f64.powi(1 - digits as i32) + least / x.abs(), "{shown} for {x}");
    }

    #[test]
    fn parts_and_sizes() {
        assert_eq!(percent(3.0, 12.0), "25 %");
        assert_eq!(percent(9_999_999.0, 10_000_000.0), "> 99.9 %");
        assert_eq!(percent(0.0, 0.0), "0 %");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
    }
}

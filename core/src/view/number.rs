//! Numbers as text.

use half::{bf16, f16};

use crate::element::{Element, Scalar};

/// The shortest text that reads back as the same value of `element`.
pub fn exact(value: Scalar, element: Element) -> String {
    match value {
        Scalar::Int(x) => x.to_string(),
        Scalar::Float(x) => float(x, element),
        Scalar::Complex(z) => complex(float(z.re, element), float(z.im, element)),
    }
}

/// At most `digits` significant digits, unless the value is a whole number that is not much longer.
pub fn brief(value: Scalar, element: Element, digits: usize) -> String {
    match value {
        Scalar::Int(x) => x.to_string(),
        Scalar::Float(x) => rounded(x, element, digits),
        Scalar::Complex(z) => complex(rounded(z.re, element, digits), rounded(z.im, element, digits)),
    }
}

/// `x` with its unit, 1024 bytes to the kibibyte.
pub fn bytes(x: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if x < 10_000 {
        return format!("{x} bytes");
    }
    let mut scaled = x as f64 / 1024.0;
    let mut unit = 0;
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    format!("{scaled:.1} {}", UNITS[unit])
}

/// `12.5 %`; a part that is neither none nor all is never shown as if it were.
pub fn percent(part: f64, whole: f64) -> String {
    if whole <= 0.0 {
        return "0 %".into();
    }
    let percent = rounded(100.0 * part / whole, Element::F64, 3);
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

fn float(x: f64, element: Element) -> String {
    let text = match element {
        Element::F32 | Element::C32 => format!("{:?}", x as f32),
        Element::F16 => format!("{:?}", f16::from_f64(x).to_f32()),
        Element::BF16 => format!("{:?}", bf16::from_f64(x).to_f32()),
        _ => format!("{x:?}"),
    };
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text.to_lowercase(),
    }
}

fn rounded(x: f64, element: Element, digits: usize) -> String {
    let exact = float(x, element);
    if exact.len() <= digits + 2 || !x.is_finite() {
        return exact;
    }
    let rounded = format!("{x:.*e}", digits.saturating_sub(1)).parse().unwrap_or(x);
    float(rounded, Element::F64)
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
    fn floats_are_as_short_as_their_type_allows() {
        assert_eq!(exact(Scalar::Float(f64::from(0.1f32)), Element::F32), "0.1");
        assert_eq!(exact(Scalar::Float(0.1), Element::F64), "0.1");
        assert_eq!(exact(Scalar::Float(-0.0), Element::F64), "-0");
        assert_eq!(exact(Scalar::Float(1e300), Element::F64), "1e300");
        assert_eq!(exact(Scalar::Float(f64::NAN), Element::F64), "nan");
        assert_eq!(exact(Scalar::Complex(Complex::new(1.0, -2.5)), Element::C64), "1-2.5i");
    }

    #[test]
    fn brief_numbers_lose_digits_not_size() {
        let brief = |x| brief(Scalar::Float(x), Element::F64, 6);
        assert_eq!(brief(0.1 + 0.2), "0.3");
        assert_eq!(brief(std::f64::consts::PI), "3.14159");
        assert_eq!(brief(12345678.0), "12345678");
        assert_eq!(brief(1.23456789e-30), "1.23457e-30");
        assert_eq!(brief(f64::INFINITY), "inf");
    }

    #[test]
    fn parts_and_sizes() {
        assert_eq!(percent(3.0, 12.0), "25 %");
        assert_eq!(percent(9_999_999.0, 10_000_000.0), "> 99.9 %");
        assert_eq!(percent(0.0, 0.0), "0 %");
        assert_eq!(bytes(9_999), "9999 bytes");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(123), "123");
    }
}

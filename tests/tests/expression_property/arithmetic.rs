//! Arithmetic of single values, written from the definition of each operation.

use half::{bf16, f16};
use nnz_core::element::{Element, Scalar};
use num_complex::Complex;

/// A function in double and in single precision; the narrow types compute in the latter.
type Pair = (fn(f64) -> f64, fn(f32) -> f32);

macro_rules! functions {
    ($($name:literal $call:ident),* $(,)?) => {
        /// Functions of one floating-point number, by name.
        pub(crate) const FUNCTIONS: &[(&str, Pair)] = &[
            $(($name, (f64::$call, f32::$call))),*,
            ("erf", (libm::erf, |x| libm::erf(f64::from(x)) as f32)),
        ];
    };
}
functions! {
    "floor" floor, "ceil" ceil, "round" round, "trunc" trunc, "sqrt" sqrt, "cbrt" cbrt, "exp" exp, "exp2" exp2,
    "expm1" exp_m1, "log" ln, "log2" log2, "log10" log10, "log1p" ln_1p, "sin" sin, "cos" cos, "tan" tan,
    "asin" asin, "acos" acos, "atan" atan, "sinh" sinh, "cosh" cosh, "tanh" tanh, "asinh" asinh, "acosh" acosh,
    "atanh" atanh,
}

/// Functions that give 0 at 0: they are absent where their operand is.
pub(crate) const VANISHING: &[&str] = &[
    "floor", "ceil", "round", "trunc", "sqrt", "cbrt", "expm1", "log1p", "sin", "tan", "asin", "atan", "sinh", "tanh",
    "asinh", "atanh", "erf", "-", "abs", "sign", "square",
];

/// Computes in the precision of `element` and rounds to it.
fn float(element: Element, double: impl Fn(f64, f64) -> f64, single: impl Fn(f32, f32) -> f32, a: f64, b: f64) -> f64 {
    let single = |a: f64, b: f64| single(a as f32, b as f32);
    match element {
        Element::F64 => double(a, b),
        Element::F32 => single(a, b).into(),
        Element::F16 => f16::from_f32(single(a, b)).into(),
        _ => bf16::from_f32(single(a, b)).into(),
    }
}

/// The number modulo the size of the type's range, within the range.
pub(crate) fn wrap(element: Element, number: i128) -> i128 {
    let (low, high) = element.int_range().unwrap();
    (number.wrapping_sub(low)).rem_euclid(high - low + 1) + low
}

pub(crate) fn unary(name: &str, element: Element, value: Scalar) -> Scalar {
    match value {
        Scalar::Int(x) => Scalar::Int(wrap(
            element,
            match name {
                "-" => -x,
                "abs" => x.abs(),
                "sign" => x.signum(),
                "square" => x.wrapping_mul(x),
                _ => !x,
            },
        )),
        Scalar::Complex(z) if name == "square" => complex("*", element, z, z),
        Scalar::Complex(z) => Scalar::Complex(-z),
        Scalar::Float(x) => Scalar::Float(match name {
            "-" => -x,
            "abs" => x.abs(),
            "sign" if x > 0.0 => 1.0,
            "sign" if x < 0.0 => -1.0,
            "sign" => x,
            "square" => float(element, |a, b| a * b, |a, b| a * b, x, x),
            _ => {
                let (double, single) = FUNCTIONS.iter().find(|(known, _)| *known == name).unwrap().1;
                float(element, |a, _| double(a), |a, _| single(a), x, 0.0)
            }
        }),
    }
}

pub(crate) fn binary(name: &str, element: Element, a: Scalar, b: Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(wrap(element, integer(name, element, a, b))),
        (Scalar::Complex(a), Scalar::Complex(b)) => complex(name, element, a, b),
        (a, b) => Scalar::Float(real(name, element, a.as_f64(), b.as_f64())),
    }
}

fn integer(name: &str, element: Element, a: i128, b: i128) -> i128 {
    match name {
        "+" => a + b,
        "-" => a - b,
        "*" => a.wrapping_mul(b),
        "/" if b == 0 => 0,
        "/" => a / b,
        "rem" | "mod" if b == 0 => 0,
        "rem" => a % b,
        "mod" => ((a % b) + b) % b,
        "min" => a.min(b),
        "max" => a.max(b),
        "bitand" => a & b,
        "bitor" => a | b,
        "xor" => a ^ b,
        _ => {
            // At most a few dozen factors: the data are small.
            let power = (0..b.unsigned_abs()).fold(1, |power, _| wrap(element, power * a));
            if b >= 0 { power } else { 1i128.checked_div(power).unwrap_or(0) }
        }
    }
}

fn real(name: &str, element: Element, a: f64, b: f64) -> f64 {
    match name {
        "+" => float(element, |a, b| a + b, |a, b| a + b, a, b),
        "-" => float(element, |a, b| a - b, |a, b| a - b, a, b),
        "*" => float(element, |a, b| a * b, |a, b| a * b, a, b),
        "/" => float(element, |a, b| a / b, |a, b| a / b, a, b),
        "pow" => float(element, f64::powf, f32::powf, a, b),
        "atan2" => float(element, f64::atan2, f32::atan2, a, b),
        "rem" => float(element, |a, b| a % b, |a, b| a % b, a, b),
        "mod" => {
            let rest = float(element, |a, b| a % b, |a, b| a % b, a, b);
            if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
                float(element, |a, b| a + b, |a, b| a + b, rest, b)
            } else {
                rest
            }
        }
        _ if a.is_nan() || b.is_nan() => f64::NAN,
        "min" if a == b => {
            if a.is_sign_negative() {
                a
            } else {
                b
            }
        }
        "max" if a == b => {
            if a.is_sign_negative() {
                b
            } else {
                a
            }
        }
        "min" => a.min(b),
        _ => a.max(b),
    }
}

fn complex(name: &str, element: Element, a: Complex<f64>, b: Complex<f64>) -> Scalar {
    fn apply<F: num_traits::Float>(name: &str, a: Complex<F>, b: Complex<F>) -> Complex<F> {
        match name {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            _ => divided(a, b),
        }
    }
    if element == Element::C64 {
        return Scalar::Complex(apply(name, a, b));
    }
    let narrow = |z: Complex<f64>| Complex::new(z.re as f32, z.im as f32);
    let z = apply(name, narrow(a), narrow(b));
    Scalar::Complex(Complex::new(z.re.into(), z.im.into()))
}

/// Smith's method: the divisor is turned so that its real part is the larger one, and its imaginary part is divided by that.
/// Where that gives no number at all, what C11's annex G says of zeros and infinities.
fn divided<F: num_traits::Float>(a: Complex<F>, b: Complex<F>) -> Complex<F> {
    let turned = |z: Complex<F>| if b.re.abs() < b.im.abs() { Complex::new(z.im, -z.re) } else { z };
    let (above, below) = (turned(a), turned(b));
    let ratio = below.im / below.re;
    let length = below.re + below.im * ratio;
    let found = Complex::new((above.re + above.im * ratio) / length, (above.im - above.re * ratio) / length);
    if !(found.re.is_nan() && found.im.is_nan()) {
        return found;
    }
    let is_finite = |z: Complex<F>| z.re.is_finite() && z.im.is_finite();
    let is_infinite = |z: Complex<F>| z.re.is_infinite() || z.im.is_infinite();
    let unit = |x: F| (if x.is_infinite() { F::one() } else { F::zero() }).copysign(x);
    let units = |z: Complex<F>| Complex::new(unit(z.re), unit(z.im));
    let (by, a, b) = match () {
        () if b.re == F::zero() && b.im == F::zero() && !(a.re.is_nan() && a.im.is_nan()) => {
            let infinity = F::infinity().copysign(b.re);
            return Complex::new(infinity * a.re, infinity * a.im);
        }
        () if is_infinite(a) && is_finite(b) => (F::infinity(), units(a), b),
        () if is_finite(a) && is_infinite(b) => (F::zero(), a, units(b)),
        () => return found,
    };
    Complex::new(by * (a.re * b.re + a.im * b.im), by * (a.im * b.re - a.re * b.im))
}

pub(crate) fn compare(name: &str, a: Scalar, b: Scalar) -> bool {
    let order = match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => Some(a.cmp(&b)),
        (Scalar::Complex(a), Scalar::Complex(b)) => return (a == b) == (name == "=="),
        (a, b) => a.as_f64().partial_cmp(&b.as_f64()),
    };
    match (name, order) {
        ("!=", None) => true,
        (_, None) => false,
        ("==", Some(order)) => order.is_eq(),
        ("!=", Some(order)) => order.is_ne(),
        ("<", Some(order)) => order.is_lt(),
        ("<=", Some(order)) => order.is_le(),
        (">", Some(order)) => order.is_gt(),
        (_, Some(order)) => order.is_ge(),
    }
}

/// As Rust's `as`; to `i1`, whether it is not zero.
pub(crate) fn convert(to: Element, value: Scalar) -> Scalar {
    let round = |x: f64| float(to, |a, _| a, |a, _| a, x, 0.0);
    match (to, value) {
        (Element::I1, value) => Scalar::Int((!value.is_zero()).into()),
        (to, Scalar::Int(x)) if to.is_integer() => Scalar::Int(wrap(to, x)),
        (to, value) if to.is_integer() => {
            let (low, high) = to.int_range().unwrap();
            Scalar::Int((value.as_f64() as i128).clamp(low, high))
        }
        (Element::C32, Scalar::Complex(z)) => Scalar::Complex(Complex::new((z.re as f32).into(), (z.im as f32).into())),
        (Element::C64, Scalar::Complex(_)) => value,
        (Element::C32, value) => Scalar::Complex(Complex::new(f64::from(value.as_f64() as f32), 0.0)),
        (Element::C64, value) => Scalar::Complex(Complex::new(value.as_f64(), 0.0)),
        (Element::BF16, value) => Scalar::Float(bf16::from_f64(value.as_f64()).into()),
        (Element::F16, value) => Scalar::Float(f16::from_f64(value.as_f64()).into()),
        (_, value) => Scalar::Float(round(value.as_f64())),
    }
}

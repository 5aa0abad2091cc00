//! Elementary functions of complex numbers: those of the C library, with the branch cuts and special values of C11,
//! annex G, in double precision for both types. C and MLIR text calls the same functions.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use num_complex::Complex64;

use crate::Unary;

/// `Complex64` is two doubles in a row, which on every machine that nnz is built for is passed as C's own type is.
mod c {
    use num_complex::Complex64;

    unsafe extern "C" {
        pub(super) safe fn cexp(z: Complex64) -> Complex64;
        pub(super) safe fn clog(z: Complex64) -> Complex64;
        pub(super) safe fn csqrt(z: Complex64) -> Complex64;
        pub(super) safe fn cpow(z: Complex64, exponent: Complex64) -> Complex64;
        pub(super) safe fn csin(z: Complex64) -> Complex64;
        pub(super) safe fn ccos(z: Complex64) -> Complex64;
        pub(super) safe fn ctan(z: Complex64) -> Complex64;
        pub(super) safe fn casin(z: Complex64) -> Complex64;
        pub(super) safe fn cacos(z: Complex64) -> Complex64;
        pub(super) safe fn catan(z: Complex64) -> Complex64;
        pub(super) safe fn csinh(z: Complex64) -> Complex64;
        pub(super) safe fn ccosh(z: Complex64) -> Complex64;
        pub(super) safe fn ctanh(z: Complex64) -> Complex64;
        pub(super) safe fn casinh(z: Complex64) -> Complex64;
        pub(super) safe fn cacosh(z: Complex64) -> Complex64;
        pub(super) safe fn catanh(z: Complex64) -> Complex64;
    }
}

/// The value; of a function that gives a real number, with 0 as imaginary part.
pub fn unary(op: Unary, z: Complex64) -> Complex64 {
    let real = |x: f64| Complex64::new(x, 0.0);
    match op {
        Unary::Conj => z.conj(),
        Unary::Re => real(z.re),
        Unary::Im => real(z.im),
        Unary::Abs => real(z.re.hypot(z.im)),
        Unary::Angle => real(z.im.atan2(z.re)),
        Unary::Sqrt => c::csqrt(z),
        Unary::Exp => c::cexp(z),
        Unary::Exp2 => c::cexp(z.scale(LN_2)),
        Unary::Expm1 => expm1(z),
        Unary::Log => c::clog(z),
        Unary::Log2 => c::clog(z).scale(LOG2_E),
        Unary::Log10 => c::clog(z).scale(LOG10_E),
        Unary::Log1p => log1p(z),
        Unary::Sin => c::csin(z),
        Unary::Cos => c::ccos(z),
        Unary::Tan => c::ctan(z),
        Unary::Asin => c::casin(z),
        Unary::Acos => c::cacos(z),
        Unary::Atan => c::catan(z),
        Unary::Sinh => c::csinh(z),
        Unary::Cosh => c::ccosh(z),
        Unary::Tanh => c::ctanh(z),
        Unary::Asinh => c::casinh(z),
        Unary::Acosh => c::cacosh(z),
        Unary::Atanh => c::catanh(z),
        // The verifier lets no other pass.
        Unary::Neg | Unary::Not | Unary::BitNot | Unary::Floor | Unary::Ceil | Unary::Round => -z,
        Unary::Trunc | Unary::Cbrt | Unary::Erf => -z,
    }
}

/// `exp(x) * cos(y) - 1` without cancellation: `expm1(x) * cos(y) - 2 * sin(y / 2)^2`.
fn expm1(z: Complex64) -> Complex64 {
    let half = (z.im / 2.0).sin();
    Complex64::new(z.re.exp_m1() * z.im.cos() - 2.0 * half * half, z.re.exp() * z.im.sin())
}

/// Near 0, `log |1 + z|` is half of `log1p(x * (x + 2) + y * y)`.
fn log1p(z: Complex64) -> Complex64 {
    let Complex64 { re, im } = z;
    if re.abs() < 0.5 && im.abs() < 0.5 {
        return Complex64::new(0.5 * (re * (re + 2.0) + im * im).ln_1p(), im.atan2(re + 1.0));
    }
    c::clog(Complex64::new(re + 1.0, im))
}

/// `a` to the power `b`: 1 for a zero exponent, and 0 for zero to a positive one, for which C gives NaN.
pub fn power(a: Complex64, b: Complex64) -> Complex64 {
    let zero = Complex64::new(0.0, 0.0);
    match (a == zero, b == zero) {
        (_, true) => Complex64::new(1.0, 0.0),
        (true, false) if b.re > 0.0 && b.im == 0.0 => zero,
        _ => c::cpow(a, b),
    }
}

//! Operations on complex numbers that the C library has, with the branch cuts and special values of C11, annex G, in
//! double precision for both types.

use num_complex::Complex64;

use crate::Unary;

// `Complex64` is two doubles in a row, which on every machine that nnz is built for is passed as C's own type is.
unsafe extern "C" {
    safe fn cpow(z: Complex64, exponent: Complex64) -> Complex64;
}

/// The value; of an operation that gives a real number, with 0 as imaginary part.
pub fn unary(op: Unary, z: Complex64) -> Complex64 {
    let real = |x: f64| Complex64::new(x, 0.0);
    match op {
        Unary::Neg => -z,
        Unary::Conj => z.conj(),
        Unary::Re => real(z.re),
        Unary::Im => real(z.im),
        Unary::Abs => real(modulus(z)),
        Unary::Angle => real(angle(z)),
        Unary::Function(function) => function.of_complex(z).unwrap_or(z),
        // The verifier lets neither pass.
        Unary::Not | Unary::BitNot => z,
    }
}

pub fn modulus(z: Complex64) -> f64 {
    z.re.hypot(z.im)
}
pub fn angle(z: Complex64) -> f64 {
    z.im.atan2(z.re)
}

/// `a` to the power `b`: 1 for a zero exponent, and 0 for zero to a positive one, for which C gives NaN.
pub fn power(a: Complex64, b: Complex64) -> Complex64 {
    let zero = Complex64::new(0.0, 0.0);
    match (a == zero, b == zero) {
        (_, true) => Complex64::new(1.0, 0.0),
        (true, false) if b.re > 0.0 && b.im == 0.0 => zero,
        _ => cpow(a, b),
    }
}

//! Elementary functions of complex numbers: those of the C library, with the branch cuts and special values of C11,
//! annex G, in double precision for both types. C and MLIR text calls the same functions.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use num_complex::Complex64;

// `Complex64` is two doubles in a row, which on every machine that nnz is built for is passed as C's own type is.
unsafe extern "C" {
    pub(super) safe fn cexp(z: Complex64) -> Complex64;
    pub(super) safe fn clog(z: Complex64) -> Complex64;
    pub(super) safe fn csqrt(z: Complex64) -> Complex64;
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

/// The functions that C's library lacks; C and MLIR text has a formula for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Exp2,
    Expm1,
    Log2,
    Log10,
    Log1p,
}

impl Written {
    pub fn of(self, z: Complex64) -> Complex64 {
        match self {
            Written::Exp2 => cexp(z.scale(LN_2)),
            Written::Expm1 => expm1(z),
            Written::Log2 => clog(z).scale(LOG2_E),
            Written::Log10 => clog(z).scale(LOG10_E),
            Written::Log1p => log1p(z),
        }
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
    clog(Complex64::new(re + 1.0, im))
}

//! The inverse hyperbolic functions of the C library. Those of Rust are formulas that overflow for half the largest number.

/// A floating-point type that the C library has them for.
pub(super) trait InverseHyperbolic {
    fn inverse_sinh(self) -> Self;
    fn inverse_cosh(self) -> Self;
    fn inverse_tanh(self) -> Self;
}

unsafe extern "C" {
    safe fn asinh(x: f64) -> f64;
    safe fn asinhf(x: f32) -> f32;
    safe fn acosh(x: f64) -> f64;
    safe fn acoshf(x: f32) -> f32;
    safe fn atanh(x: f64) -> f64;
    safe fn atanhf(x: f32) -> f32;
}

impl InverseHyperbolic for f64 {
    fn inverse_sinh(self) -> f64 {
        asinh(self)
    }
    fn inverse_cosh(self) -> f64 {
        acosh(self)
    }
    fn inverse_tanh(self) -> f64 {
        atanh(self)
    }
}

impl InverseHyperbolic for f32 {
    fn inverse_sinh(self) -> f32 {
        asinhf(self)
    }
    fn inverse_cosh(self) -> f32 {
        acoshf(self)
    }
    fn inverse_tanh(self) -> f32 {
        atanhf(self)
    }
}

//! Division of complex numbers, computed as MLIR's `complex.div` does: no part is squared, which could overflow,
//! and quotients by zero and by infinities are not just NaN.

use num_complex::Complex;
use num_traits::Float;

/// Smith's method (CACM 5(8), 1962, algorithm 116). If both parts come out as NaN, C11's annex G gives the
/// result.
pub fn quotient<F: Float>(a: Complex<F>, b: Complex<F>) -> Complex<F> {
    let usual = if b.re.abs() < b.im.abs() {
        let ratio = b.re / b.im;
        let divisor = b.im + ratio * b.re;
        Complex::new((a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor)
    } else {
        let ratio = b.im / b.re;
        let divisor = b.re + ratio * b.im;
        Complex::new((a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor)
    };
    if usual.re.is_nan() && usual.im.is_nan() { special(a, b).unwrap_or(usual) } else { usual }
}

/// By zero; of an infinite number by a finite one; of a finite number by an infinite one.
fn special<F: Float>(a: Complex<F>, b: Complex<F>) -> Option<Complex<F>> {
    let infinite = |z: Complex<F>| z.re.is_infinite() || z.im.is_infinite();
    let finite = |z: Complex<F>| z.re.is_finite() && z.im.is_finite();
    if b.re == F::zero() && b.im == F::zero() && !(a.re.is_nan() && a.im.is_nan()) {
        let infinity = F::infinity().copysign(b.re);
        Some(Complex::new(infinity * a.re, infinity * a.im))
    } else if infinite(a) && finite(b) {
        Some(scaled(F::infinity(), boxed(a), b))
    } else if finite(a) && infinite(b) {
        Some(scaled(F::zero(), a, boxed(b)))
    } else {
        None
    }
}

/// Infinite parts become 1, others 0, each with its sign.
fn boxed<F: Float>(z: Complex<F>) -> Complex<F> {
    let part = |x: F| if x.is_infinite() { F::one() } else { F::zero() }.copysign(x);
    Complex::new(part(z.re), part(z.im))
}

/// `by` times the product of `a` and the conjugate of `b`.
fn scaled<F: Float>(by: F, a: Complex<F>, b: Complex<F>) -> Complex<F> {
    Complex::new(by * (a.re * b.re + a.im * b.im), by * (a.im * b.re - a.re * b.im))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits of the parts, of NaN only that it is one.
    fn divided(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        let z = quotient(Complex::new(a.0, a.1), Complex::new(b.0, b.1));
        (z.re, z.im)
    }

    #[test]
    fn large_and_small_parts_do_not_leave_the_range() {
        assert_eq!(divided((1e200, 1e200), (1e200, 1e200)), (1.0, 0.0));
        assert_eq!(divided((1e-200, 1e-200), (1e-200, 1e-200)), (1.0, 0.0));
        let single = quotient(Complex::new(1e20_f32, 0.0), Complex::new(1e20, 0.0));
        assert_eq!(single, Complex::new(1.0, 0.0));
    }

    #[test]
    fn by_zero_and_by_infinities() {
        let (re, im) = divided((1.0, 0.0), (0.0, 0.0));
        assert!(re == f64::INFINITY && im.is_nan());
        assert_eq!(divided((1.0, 1.0), (f64::INFINITY, 0.0)), (0.0, 0.0));
        assert_eq!(divided((f64::INFINITY, 0.0), (2.0, 0.0)).0, f64::INFINITY);
        assert_eq!(divided((1.0, 2.0), (3.0, f64::NEG_INFINITY)), (-0.0, 0.0));
    }
}

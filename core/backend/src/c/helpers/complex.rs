//! Complex numbers.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::function;
use crate::c::types::{complex_type, float_type};
use nnz_base::functions::{ComplexForm, Written};
use nnz_loops::{Unary, machine::Float, operators::Arithmetic};

pub(super) fn complex_function(name: &str, part: Float, params: &str, parts: &str) -> String {
    let ty = complex_type(part);
    function(name, ty, params, &format!("({ty}){{{parts}}}"))
}

pub(super) fn complex_arithmetic(name: &str, op: Arithmetic, part: Float) -> String {
    let parts = match op {
        Arithmetic::Add => "a.re + b.re, a.im + b.im",
        Arithmetic::Sub => "a.re - b.re, a.im - b.im",
        Arithmetic::Mul => "a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re",
        Arithmetic::Div => return complex_quotient(name, complex_type(part), float_type(part)),
    };
    complex_function(name, part, "a, b", parts)
}

/// As `loops::quotient` computes it.
fn complex_quotient(name: &str, ty: &str, float: &str) -> String {
    let boxed = |z: &str| {
        let part = |x: &str| format!("copysign(isinf({z}.{x}) ? 1 : 0, {z}.{x})");
        format!("{z} = ({ty}){{{}, {}}}", part("re"), part("im"))
    };
    let (boxed_a, boxed_b) = (boxed("a"), boxed("b"));
    format!(
        "// Smith's method; where both parts are NaN, what annex G of C11 says.\n\
         static inline {ty} {name}({ty} a, {ty} b) {{\n\
         \x20   {ty} q;\n\
         \x20   if (fabs(b.re) < fabs(b.im)) {{\n\
         \x20       {float} ratio = b.re / b.im, divisor = b.im + ratio * b.re;\n\
         \x20       q = ({ty}){{(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor}};\n\
         \x20   }} else {{\n\
         \x20       {float} ratio = b.im / b.re, divisor = b.re + ratio * b.im;\n\
         \x20       q = ({ty}){{(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor}};\n\
         \x20   }}\n\
         \x20   if (!isnan(q.re) || !isnan(q.im)) return q;\n\
         \x20   {float} by = 0;\n\
         \x20   if (b.re == 0 && b.im == 0 && !(isnan(a.re) && isnan(a.im))) {{\n\
         \x20       by = copysign(INFINITY, b.re);\n\
         \x20       return ({ty}){{by * a.re, by * a.im}};\n\
         \x20   }}\n\
         \x20   if ((isinf(a.re) || isinf(a.im)) && isfinite(b.re) && isfinite(b.im)) {{\n\
         \x20       by = INFINITY;\n\
         \x20       {boxed_a};\n\
         \x20   }} else if (isfinite(a.re) && isfinite(a.im) && (isinf(b.re) || isinf(b.im))) {{\n\
         \x20       {boxed_b};\n\
         \x20   }} else {{\n\
         \x20       return q;\n\
         \x20   }}\n\
         \x20   return ({ty}){{by * (a.re * b.re + a.im * b.im), by * (a.im * b.re - a.re * b.im)}};\n\
         }}\n"
    )
}

/// The statements of a function of the complex number `a`, which end with `r` as a `double complex`, or the value of one
/// that is real.
enum CFunction {
    Complex(String),
    Real(&'static str),
}

fn c_function(op: Unary) -> CFunction {
    match op {
        Unary::Conj => CFunction::Complex("CMPLX(a.re, -a.im)".into()),
        Unary::Re => CFunction::Real("a.re"),
        Unary::Im => CFunction::Real("a.im"),
        Unary::Abs => CFunction::Real("hypot(a.re, a.im)"),
        Unary::Angle => CFunction::Real("atan2(a.im, a.re)"),
        Unary::Function(function) => match function.complex() {
            Some(ComplexForm::Written(written)) => c_formula(written),
            Some(ComplexForm::Library(_)) | None => CFunction::Complex(format!("c{}(z)", function.name())),
        },
        // Operations of their own, or not complex numbers'.
        Unary::Neg | Unary::Not | Unary::BitNot => CFunction::Complex("CMPLX(-a.re, -a.im)".into()),
    }
}

fn c_formula(written: Written) -> CFunction {
    let scaled =
        |call: &str, by: &str| CFunction::Complex(format!("CMPLX({by} * creal({call}), {by} * cimag({call}))"));
    match written {
        Written::Exp2 => CFunction::Complex(format!("cexp(CMPLX({LN_2:?} * a.re, {LN_2:?} * a.im))")),
        Written::Log2 => scaled("clog(z)", &format!("{LOG2_E:?}")),
        Written::Log10 => scaled("clog(z)", &format!("{LOG10_E:?}")),
        Written::Expm1 => CFunction::Complex(
            "CMPLX(expm1(a.re) * cos(a.im) - 2 * sin((double)a.im / 2) * sin((double)a.im / 2), exp(a.re) * sin(a.im))".into(),
        ),
        Written::Log1p => CFunction::Complex(
            "fabs(creal(z)) < 0.5 && fabs(cimag(z)) < 0.5\n        \
             ? CMPLX(0.5 * log1p(creal(z) * (creal(z) + 2) + cimag(z) * cimag(z)), atan2(cimag(z), creal(z) + 1))\n        \
             : clog(CMPLX(creal(z) + 1, cimag(z)))"
                .into(),
        ),
    }
}

pub(super) fn complex_call(name: &str, op: Unary, part: Float) -> String {
    let (ty, float) = (complex_type(part), float_type(part));
    match c_function(op) {
        CFunction::Real(value) => format!("static inline {float} {name}({ty} a) {{ return ({float}){value}; }}\n"),
        CFunction::Complex(value) => {
            let z = if value.contains("(z)") { "    double complex z = CMPLX(a.re, a.im);\n" } else { "" };
            format!(
                "static inline {ty} {name}({ty} a) {{\n\
                 {z}\
                 \x20   double complex r = {value};\n\
                 \x20   return ({ty}){{({float})creal(r), ({float})cimag(r)}};\n\
                 }}\n"
            )
        }
    }
}

pub(super) fn complex_power(name: &str, part: Float) -> String {
    let (ty, float) = (complex_type(part), float_type(part));
    format!(
        "static inline {ty} {name}({ty} a, {ty} b) {{\n\
         \x20   if (b.re == 0 && b.im == 0) return ({ty}){{1, 0}};\n\
         \x20   if (a.re == 0 && a.im == 0 && b.re > 0 && b.im == 0) return ({ty}){{0, 0}};\n\
         \x20   double complex r = cpow(CMPLX(a.re, a.im), CMPLX(b.re, b.im));\n\
         \x20   return ({ty}){{({float})creal(r), ({float})cimag(r)}};\n\
         }}\n"
    )
}

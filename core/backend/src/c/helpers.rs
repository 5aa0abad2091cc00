//! The functions that emitted code calls, for operations that C leaves undefined or lacks. Only the functions
//! used are written out.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::types::{complex_type, float_suffix, float_type, int_suffix, int_type, wrapping_type};
use nnz_base::functions::{ComplexForm, Written};
use nnz_loops::{
    Binary, Unary,
    machine::{Float, Int, Width},
};

/// In the order of their definitions: each uses only those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// The struct of a complex type's two parts.
    Complex(Float),
    /// Back into an integer's width: `i1`, `i2`, `i4`.
    Wrap(Int),
    Abs(Int),
    Div(Int),
    Rem(Int),
    Pow(Int),
    ShiftLeft(Int),
    ShiftRight(Int),
    Min(Int),
    Max(Int),
    /// A comparison that a C compiler would take for a mistake if it saw both sides.
    Compare(Comparison, Int),
    /// From `double`, saturating.
    Saturate(Int),
    FloatMin(Float),
    FloatMax(Float),
    /// From a 16-bit pattern to `float`.
    Widen(Float),
    /// From `double` to a 16-bit pattern.
    Narrow(Float),
    /// Of a `double` to the `float` that a 16-bit pattern can hold.
    Round(Float),
    ComplexArithmetic(Arithmetic, Float),
    ComplexNeg(Float),
    /// A function of <complex.h>, in `double`.
    ComplexFunction(Unary, Float),
    ComplexPow(Float),
    ComplexEq(Float),
    /// From a real part.
    ComplexOf(Float),
    /// From the other complex type.
    ComplexCast(Float),
    /// Of an index array's entries.
    Sort(Width),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
}

impl Comparison {
    pub(super) fn of(op: Binary) -> Option<Comparison> {
        match op {
            Binary::Eq => Some(Comparison::Eq),
            Binary::Ne => Some(Comparison::Ne),
            Binary::Lt => Some(Comparison::Lt),
            Binary::Le => Some(Comparison::Le),
            _ => None,
        }
    }
    fn name(self) -> &'static str {
        match self {
            Comparison::Eq => "eq",
            Comparison::Ne => "ne",
            Comparison::Lt => "lt",
            Comparison::Le => "le",
        }
    }
    pub(super) fn sign(self) -> &'static str {
        match self {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
        }
    }
}

impl Arithmetic {
    pub(super) fn of(op: Binary) -> Option<Arithmetic> {
        match op {
            Binary::Add => Some(Arithmetic::Add),
            Binary::Sub => Some(Arithmetic::Sub),
            Binary::Mul => Some(Arithmetic::Mul),
            Binary::Div => Some(Arithmetic::Div),
            _ => None,
        }
    }
    fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "add",
            Arithmetic::Sub => "sub",
            Arithmetic::Mul => "mul",
            Arithmetic::Div => "div",
        }
    }
}

impl Helper {
    pub(super) fn name(self) -> String {
        match self {
            Helper::Complex(part) => complex_type(part).to_string(),
            Helper::Wrap(int) => format!("nnz_wrap_{}", int_suffix(int)),
            Helper::Abs(int) => format!("nnz_abs_{}", int_suffix(int)),
            Helper::Div(int) => format!("nnz_div_{}", int_suffix(int)),
            Helper::Rem(int) => format!("nnz_rem_{}", int_suffix(int)),
            Helper::Pow(int) => format!("nnz_pow_{}", int_suffix(int)),
            Helper::ShiftLeft(int) => format!("nnz_shl_{}", int_suffix(int)),
            Helper::ShiftRight(int) => format!("nnz_shr_{}", int_suffix(int)),
            Helper::Min(int) => format!("nnz_min_{}", int_suffix(int)),
            Helper::Max(int) => format!("nnz_max_{}", int_suffix(int)),
            Helper::Compare(op, int) => format!("nnz_{}_{}", op.name(), int_suffix(int)),
            Helper::Saturate(int) => format!("nnz_saturate_{}", int_suffix(int)),
            Helper::FloatMin(float) => format!("nnz_min_{}", float_suffix(float)),
            Helper::FloatMax(float) => format!("nnz_max_{}", float_suffix(float)),
            Helper::Widen(float) => format!("nnz_from_{}", float_suffix(float)),
            Helper::Narrow(float) => format!("nnz_to_{}", float_suffix(float)),
            Helper::Round(float) => format!("nnz_round_{}", float_suffix(float)),
            Helper::ComplexArithmetic(op, part) => format!("{}_{}", complex_type(part), op.name()),
            Helper::ComplexNeg(part) => format!("{}_neg", complex_type(part)),
            Helper::ComplexFunction(op, part) => format!("{}_{}", complex_type(part), op.name()),
            Helper::ComplexPow(part) => format!("{}_pow", complex_type(part)),
            Helper::ComplexEq(part) => format!("{}_eq", complex_type(part)),
            Helper::ComplexOf(part) => format!("{}_of", complex_type(part)),
            Helper::ComplexCast(part) => format!("{}_cast", complex_type(part)),
            Helper::Sort(width) => format!("nnz_sort_u{}", 8 << width as u32),
        }
    }

    /// The helpers that it uses itself.
    pub(super) fn needs(self) -> Vec<Helper> {
        match self {
            Helper::Abs(int) | Helper::Div(int) | Helper::ShiftLeft(int) if int.width < int.bits && int.is_signed() => {
                vec![Helper::Wrap(int)]
            }
            Helper::ShiftLeft(int) if int.width < int.bits => vec![Helper::Wrap(int)],
            Helper::Pow(int) => {
                let wrap = (int.width < int.bits).then_some(Helper::Wrap(int));
                let divide = int.is_signed().then_some(Helper::Div(int));
                wrap.into_iter().chain(divide).collect()
            }
            Helper::FloatMax(float) => vec![Helper::FloatMin(float)],
            Helper::Round(float) => vec![Helper::Widen(float), Helper::Narrow(float)],
            Helper::ComplexArithmetic(_, part)
            | Helper::ComplexFunction(_, part)
            | Helper::ComplexPow(part)
            | Helper::ComplexNeg(part)
            | Helper::ComplexEq(part)
            | Helper::ComplexOf(part) => {
                vec![Helper::Complex(part)]
            }
            Helper::ComplexCast(_) => vec![Helper::Complex(Float::F32), Helper::Complex(Float::F64)],
            _ => Vec::new(),
        }
    }

    /// Whether it needs <math.h>, <string.h>.
    pub(super) fn headers(self) -> &'static [&'static str] {
        match self {
            Helper::FloatMin(_) | Helper::ComplexArithmetic(Arithmetic::Div, _) => &["math.h"],
            Helper::ComplexFunction(..) | Helper::ComplexPow(_) => &["complex.h", "math.h"],
            Helper::Widen(_) | Helper::Narrow(_) => &["string.h"],
            Helper::ComplexEq(_) | Helper::Compare(..) => &["stdbool.h"],
            _ => &[],
        }
    }

    /// Its definition; [`Helper::Sort`] is made of loops, elsewhere.
    pub(super) fn definition(self) -> String {
        let name = self.name();
        match self {
            Helper::Complex(part) => format!("typedef struct {{ {} re, im; }} {name};\n", float_type(part)),
            Helper::Wrap(int) => wrap(&name, int),
            Helper::Abs(int) => int_function(&name, int, "a", &wrapped(int, "a < 0 ? 0 - (W)a : (W)a")),
            Helper::Div(int) => divide(&name, int),
            Helper::Rem(int) => remainder(&name, int),
            Helper::Pow(int) => power(&name, int),
            Helper::ShiftLeft(int) => shift_left(&name, int),
            Helper::ShiftRight(int) => shift_right(&name, int),
            Helper::Min(int) => int_function(&name, int, "a, b", "a < b ? a : b"),
            Helper::Max(int) => int_function(&name, int, "a, b", "a > b ? a : b"),
            Helper::Compare(op, int) => {
                let text = int_function(&name, int, "a, b", &format!("a {} b", op.sign()));
                text.replacen(&int_type(int), "bool", 1)
            }
            Helper::Saturate(int) => saturate(&name, int),
            Helper::FloatMin(float) => {
                let body = "isnan(a) || a < b || (a == b && signbit(a)) ? a : b";
                format!(
                    "// The lesser; NaN if either is, and -0 below +0.\n{}",
                    function(&name, float_type(float), "a, b", body)
                )
            }
            Helper::FloatMax(float) => {
                function(&name, float_type(float), "a, b", &format!("-{}(-a, -b)", Helper::FloatMin(float).name()))
            }
            Helper::Widen(float) => widen(&name, float),
            Helper::Narrow(float) => narrow(&name, float),
            Helper::Round(float) => {
                let (widen, narrow) = (Helper::Widen(float).name(), Helper::Narrow(float).name());
                format!("static inline float {name}(double a) {{ return {widen}({narrow}(a)); }}\n")
            }
            Helper::ComplexArithmetic(op, part) => complex_arithmetic(&name, op, part),
            Helper::ComplexNeg(part) => complex_function(&name, part, "a", "-a.re, -a.im"),
            Helper::ComplexFunction(op, part) => complex_call(&name, op, part),
            Helper::ComplexPow(part) => complex_power(&name, part),
            Helper::ComplexEq(part) => {
                let ty = complex_type(part);
                format!("static inline bool {name}({ty} a, {ty} b) {{ return a.re == b.re && a.im == b.im; }}\n")
            }
            Helper::ComplexOf(part) => {
                let (ty, float) = (complex_type(part), float_type(part));
                format!("static inline {ty} {name}({float} re) {{ return ({ty}){{re, 0}}; }}\n")
            }
            Helper::ComplexCast(to) => {
                let from = complex_type(if to == Float::F64 { Float::F32 } else { Float::F64 });
                let (ty, float) = (complex_type(to), float_type(to));
                format!("static inline {ty} {name}({from} a) {{ return ({ty}){{({float})a.re, ({float})a.im}}; }}\n")
            }
            Helper::Sort(_) => String::new(),
        }
    }
}

/// A function of one expression over `params` of its own type.
fn function(name: &str, ty: &str, params: &str, body: &str) -> String {
    let params: Vec<String> = params.split(", ").map(|param| format!("{ty} {param}")).collect();
    format!("static inline {ty} {name}({}) {{ return {body}; }}\n", params.join(", "))
}

/// As [`function`]; in `body`, `T` casts to the type and `W` to the one that wraps.
fn int_function(name: &str, int: Int, params: &str, body: &str) -> String {
    let body =
        body.replace("(W)", &format!("({})", wrapping_type(int))).replace("(T)", &format!("({})", int_type(int)));
    function(name, &int_type(int), params, &body)
}

/// The text of a cast of `body`, of the wrapping type, to the type and its width.
fn wrapped(int: Int, body: &str) -> String {
    match int.width < int.bits {
        true => format!("{}({body})", Helper::Wrap(int).name()),
        false => format!("(T)({body})"),
    }
}

/// Keeps the lowest bits, the highest of which is the sign.
fn wrap(name: &str, int: Int) -> String {
    let mask = (1u32 << int.width) - 1;
    let sign = 1u32 << (int.width - 1);
    let ty = int_type(int);
    let body = if int.is_signed() {
        format!("({ty})((int)((a & {mask}) ^ {sign}) - {sign})")
    } else {
        format!("({ty})(a & {mask})")
    };
    format!("static inline {ty} {name}({} a) {{ return {body}; }}\n", wrapping_type(int))
}

fn divide(name: &str, int: Int) -> String {
    let body = match int.is_signed() {
        true => format!("b == 0 ? 0 : b == -1 ? {} : (T)(a / b)", wrapped(int, "0 - (W)a")),
        false => "b == 0 ? 0 : (T)(a / b)".to_string(),
    };
    format!("// Towards zero; 0 for a zero divisor.\n{}", int_function(name, int, "a, b", &body))
}

fn remainder(name: &str, int: Int) -> String {
    let body = if int.is_signed() { "b == 0 || b == -1 ? 0 : (T)(a % b)" } else { "b == 0 ? 0 : (T)(a % b)" };
    int_function(name, int, "a, b", body)
}

/// All bits move out where the amount is negative, or the width and more.
fn shift_left(name: &str, int: Int) -> String {
    let moved = wrapped(int, "(W)a << b");
    int_function(name, int, "a, b", &format!("(W)b < {} ? {moved} : 0", int.width))
}

fn shift_right(name: &str, int: Int) -> String {
    let rest = if int.is_signed() { "a < 0 ? -1 : 0" } else { "0" };
    int_function(name, int, "a, b", &format!("(W)b < {} ? (T)(a >> b) : {rest}", int.width))
}

/// By squaring; a negative exponent gives 1 over the power.
fn power(name: &str, int: Int) -> String {
    let (ty, wide) = (int_type(int), wrapping_type(int));
    let negated = if int.is_signed() { format!("n < 0 ? 0 - ({wide})n : ({wide})n") } else { "n".to_string() };
    let result = wrapped(int, "power").replace("(T)", &format!("({ty})"));
    let result = match int.is_signed() {
        true => format!("n < 0 ? {}(1, {result}) : {result}", Helper::Div(int).name()),
        false => result,
    };
    format!(
        "static inline {ty} {name}({ty} a, {ty} n) {{\n\
         \x20   {wide} power = 1, square = ({wide})a;\n\
         \x20   for ({wide} rest = {negated}; rest > 0; rest >>= 1) {{\n\
         \x20       if (rest & 1) power *= square;\n\
         \x20       square *= square;\n\
         \x20   }}\n\
         \x20   return {result};\n\
         }}\n"
    )
}

/// NaN gives 0.
fn saturate(name: &str, int: Int) -> String {
    let ty = int_type(int);
    let (least, most, above) = match int.is_signed() {
        true => (-(1i128 << (int.width - 1)), (1i128 << (int.width - 1)) - 1, int.width - 1),
        false => (0, (1i128 << int.width) - 1, int.width),
    };
    let (least_text, most_text) = (super::literals::int(int, least), super::literals::int(int, most));
    let least_double = if least == 0 { "0.0".to_string() } else { format!("-0x1p{above}") };
    format!(
        "static inline {ty} {name}(double a) {{\n\
         \x20   return a != a ? 0 : a <= {least_double} ? {least_text} : a >= 0x1p{above} ? {most_text} : ({ty})a;\n\
         }}\n"
    )
}

fn widen(name: &str, float: Float) -> String {
    if float == Float::BF16 {
        return format!(
            "static inline float {name}(uint16_t pattern) {{\n\
             \x20   uint32_t bits = (uint32_t)pattern << 16;\n\
             \x20   float a;\n\
             \x20   memcpy(&a, &bits, sizeof a);\n\
             \x20   return a;\n\
             }}\n"
        );
    }
    format!(
        "static inline float {name}(uint16_t pattern) {{\n\
         \x20   uint32_t sign = (uint32_t)(pattern & 0x8000) << 16, rest = (uint32_t)(pattern & 0x7fff) << 13;\n\
         \x20   float a;\n\
         \x20   if (rest >= 0x0f800000) rest |= 0x7f800000; // infinities and NaN\n\
         \x20   memcpy(&a, &rest, sizeof a);\n\
         \x20   if (rest < 0x7f800000) a *= 0x1p112f; // from one exponent's bias to the other\n\
         \x20   memcpy(&rest, &a, sizeof a);\n\
         \x20   rest |= sign;\n\
         \x20   memcpy(&a, &rest, sizeof a);\n\
         \x20   return a;\n\
         }}\n"
    )
}

/// Of a 16-bit float, as bits of the `double` that is rounded to it.
struct Format {
    /// Bits of the mantissa that are lost.
    lost: u32,
    /// From here on everything rounds to infinity.
    infinite: u64,
    /// Below, numbers have fewer bits.
    normal: u64,
    /// Adding this rounds such a number to a multiple of the least one.
    magic: i32,
    quiet_nan: u16,
    infinity: u16,
}

const F16: Format = Format {
    lost: 42,
    infinite: 0x40ef_fe00_0000_0000,
    normal: 0x3f10_0000_0000_0000,
    magic: 28,
    quiet_nan: 0x7e00,
    infinity: 0x7c00,
};
const BF16: Format = Format {
    lost: 45,
    infinite: 0x47ef_f000_0000_0000,
    normal: 0x3810_0000_0000_0000,
    magic: -81,
    quiet_nan: 0x7fc0,
    infinity: 0x7f80,
};

/// Rounds once, to nearest, ties to even.
fn narrow(name: &str, float: Float) -> String {
    let Format { lost, infinite, normal, magic, quiet_nan, infinity } = if float == Float::BF16 { BF16 } else { F16 };
    let half = (1u64 << (lost - 1)) - 1;
    let bias = (normal >> lost) - (1 << (52 - lost));
    let magic_bits = (1023i64 + i64::from(magic)) << 52;
    format!(
        "static inline uint16_t {name}(double a) {{\n\
         \x20   uint64_t bits;\n\
         \x20   memcpy(&bits, &a, sizeof a);\n\
         \x20   uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);\n\
         \x20   bits &= UINT64_C(0x7fffffffffffffff);\n\
         \x20   if (bits > UINT64_C(0x7ff0000000000000)) return sign | {quiet_nan:#x}; // NaN\n\
         \x20   if (bits >= UINT64_C({infinite:#x})) return sign | {infinity:#x};\n\
         \x20   if (bits < UINT64_C({normal:#x})) {{\n\
         \x20       a = (a < 0 ? -a : a) + 0x1p{magic};\n\
         \x20       memcpy(&bits, &a, sizeof a);\n\
         \x20       return (uint16_t)(sign | (bits - UINT64_C({magic_bits:#x})));\n\
         \x20   }}\n\
         \x20   bits += UINT64_C({half:#x}) + (bits >> {lost} & 1);\n\
         \x20   return (uint16_t)(sign | ((bits >> {lost}) - {bias:#x}));\n\
         }}\n"
    )
}

fn complex_function(name: &str, part: Float, params: &str, parts: &str) -> String {
    let ty = complex_type(part);
    function(name, ty, params, &format!("({ty}){{{parts}}}"))
}

fn complex_arithmetic(name: &str, op: Arithmetic, part: Float) -> String {
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

fn complex_call(name: &str, op: Unary, part: Float) -> String {
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

fn complex_power(name: &str, part: Float) -> String {
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

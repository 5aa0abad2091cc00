//! The functions that emitted code calls, for operations that C leaves undefined or lacks. Only the functions
//! used are written out.

mod complex;
mod floats;
mod integers;

use super::types::{complex_type, float_suffix, float_type, int_suffix, int_type};
use complex::{complex_arithmetic, complex_call, complex_function, complex_power};
use floats::{narrow, widen};
use integers::{divide, int_function, power, remainder, saturate, shift_left, shift_right, wrap, wrapped};
use nnz_loops::{
    Unary,
    machine::{Float, Int, Width},
    operators::{Arithmetic, Comparison},
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
            Helper::Abs(_) | Helper::Div(_) | Helper::Rem(_) | Helper::ShiftLeft(_) | Helper::ShiftRight(_) => vec![],
            Helper::Min(_) | Helper::Max(_) | Helper::Compare(..) | Helper::Saturate(_) | Helper::Wrap(_) => vec![],
            Helper::FloatMin(_) | Helper::Widen(_) | Helper::Narrow(_) | Helper::Complex(_) | Helper::Sort(_) => vec![],
        }
    }

    /// Whether it needs <math.h>, <string.h>.
    pub(super) fn headers(self) -> &'static [&'static str] {
        match self {
            Helper::FloatMin(_) | Helper::ComplexArithmetic(Arithmetic::Div, _) => &["math.h"],
            Helper::ComplexFunction(..) | Helper::ComplexPow(_) => &["complex.h", "math.h"],
            Helper::Widen(_) | Helper::Narrow(_) => &["string.h"],
            Helper::ComplexEq(_) | Helper::Compare(..) => &["stdbool.h"],
            Helper::Wrap(_) | Helper::Abs(_) | Helper::Div(_) | Helper::Rem(_) | Helper::Pow(_) | Helper::Min(_) => &[],
            Helper::Max(_) | Helper::ShiftLeft(_) | Helper::ShiftRight(_) | Helper::Saturate(_) | Helper::Sort(_) => {
                &[]
            }
            Helper::FloatMax(_) | Helper::Round(_) | Helper::Complex(_) | Helper::ComplexNeg(_) => &[],
            Helper::ComplexArithmetic(..) | Helper::ComplexOf(_) | Helper::ComplexCast(_) => &[],
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

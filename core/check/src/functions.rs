//! The functions, reductions and conversions of the notation, by name.

use std::sync::LazyLock;

use nnz_base::{
    element::{Element, Scalar},
    functions::{BinaryFunction, UnaryFunction},
};
use nnz_kernel::{BinaryOp, Expr, ReduceOp, UnaryOp};

use crate::semiring::Semiring;

/// A word that can be called, as completion and help show it.
#[derive(Clone, Copy, Debug)]
pub struct FunctionInfo {
    pub name: &'static str,
    /// `x`, `y, x`.
    pub arguments: &'static str,
    pub summary: &'static str,
    pub(crate) means: Means,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Means {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Composed(Composed),
    Select,
    /// MLIR's `sparse_tensor.unary`.
    Unregions,
    /// MLIR's `sparse_tensor.binary`.
    Biregions,
}

/// A function of one number that is made of others.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Composed {
    /// `max(x, 0)`
    Relu,
    /// `1 / sqrt(x)`
    Rsqrt,
    /// `1 / (1 + exp(-x))`
    Sigmoid,
}

impl Composed {
    /// An operation that takes the same types.
    pub(crate) fn like(self) -> UnaryOp {
        match self {
            Composed::Relu => UnaryOp::Abs,
            Composed::Rsqrt => UnaryOp::Function(UnaryFunction::Sqrt),
            Composed::Sigmoid => UnaryOp::Function(UnaryFunction::Exp),
        }
    }

    /// In half precision it is computed in `f32` and rounded once, as any function is.
    pub(crate) fn of(self, element: Element, x: Expr) -> Expr {
        if matches!(element, Element::F16 | Element::BF16) {
            let wide = self.of(Element::F32, Expr::Cast(Element::F32, Box::new(x)));
            return Expr::Cast(element, Box::new(wide));
        }
        let one = || Box::new(Expr::literal(element, Scalar::Int(1)));
        let inverse = |x: Expr| Expr::Binary(BinaryOp::Div, one(), Box::new(x));
        let apply = |op: UnaryOp, x: Expr| Expr::Unary(op, Box::new(x));
        match self {
            Composed::Relu => Expr::Binary(BinaryOp::Max, Box::new(x), Box::new(Expr::zero(element))),
            Composed::Rsqrt => inverse(apply(UnaryOp::Function(UnaryFunction::Sqrt), x)),
            Composed::Sigmoid => {
                let exp = apply(UnaryOp::Function(UnaryFunction::Exp), apply(UnaryOp::Neg, x));
                inverse(Expr::Binary(BinaryOp::Add, one(), Box::new(exp)))
            }
        }
    }
}

const fn function(name: &'static str, arguments: &'static str, means: Means, summary: &'static str) -> FunctionInfo {
    FunctionInfo { name, arguments, summary, means }
}

/// Functions of values: operations that are called by a name, the functions of numbers, and functions composed of
/// these. `min` and `max` are also reductions, if index variables come first.
pub static FUNCTIONS: LazyLock<Vec<FunctionInfo>> = LazyLock::new(|| {
    let of_one = UnaryFunction::ALL
        .iter()
        .map(|of| function(of.name(), "x", Means::Unary(UnaryOp::Function(*of)), of.summary()));
    let of_two = BinaryFunction::ALL
        .iter()
        .map(|of| function(of.name(), of.arguments(), Means::Binary(BinaryOp::Function(*of)), of.summary()));
    OPERATIONS.iter().copied().chain(of_one).chain(of_two).chain(FURTHER.iter().copied()).collect()
});

/// Operations on one number.
const OPERATIONS: &[FunctionInfo] = &[
    function("abs", "x", Means::Unary(UnaryOp::Abs), "the absolute value; of a complex number real"),
    function("conj", "x", Means::Unary(UnaryOp::Conj), "the complex conjugate"),
    function("real", "x", Means::Unary(UnaryOp::Real), "the real part"),
    function("imag", "x", Means::Unary(UnaryOp::Imag), "the imaginary part"),
    function("angle", "x", Means::Unary(UnaryOp::Angle), "the angle of a complex number, from -pi to pi"),
    function("sign", "x", Means::Unary(UnaryOp::Sign), "-1, 0 or 1; NaN of NaN"),
    function("square", "x", Means::Unary(UnaryOp::Square), "x * x"),
];

/// Operations whose operands are more than one, and what is made of others.
const FURTHER: &[FunctionInfo] = &[
    function("rsqrt", "x", Means::Composed(Composed::Rsqrt), "1 / sqrt(x)"),
    function("relu", "x", Means::Composed(Composed::Relu), "max(x, 0)"),
    function("sigmoid", "x", Means::Composed(Composed::Sigmoid), "1 / (1 + exp(-x))"),
    function("pow", "x, y", Means::Binary(BinaryOp::Pow), "x to the power y"),
    function("min", "x, y", Means::Binary(BinaryOp::Min), "the lesser; NaN if either is"),
    function("max", "x, y", Means::Binary(BinaryOp::Max), "the greater; NaN if either is"),
    function("rem", "x, y", Means::Binary(BinaryOp::Rem), "the remainder of division that truncates"),
    function("mod", "x, y", Means::Binary(BinaryOp::Mod), "the remainder of division that rounds down"),
    function("bitand", "x, y", Means::Binary(BinaryOp::And), "the bits that both integers have"),
    function("bitor", "x, y", Means::Binary(BinaryOp::Or), "the bits that either integer has"),
    function(
        "xor",
        "x, y",
        Means::Binary(BinaryOp::Xor),
        "the bits that exactly one integer has, or whether exactly one condition holds",
    ),
    function("bitnot", "x", Means::Unary(UnaryOp::Not), "every bit of an integer flipped"),
    function("select", "condition, x, y", Means::Select, "x where the condition holds, else y; without y, absent"),
    function("unary", "x, present = ..., absent = ...", Means::Unregions, "one value where x is stored, one elsewhere"),
    function(
        "binary",
        "x, y, overlap = ..., left = ..., right = ...",
        Means::Biregions,
        "one value where both are stored, one where only x is, one where only y is",
    ),
];

pub(crate) fn find(name: &str) -> Option<&'static FunctionInfo> {
    FUNCTIONS.iter().find(|info| info.name == name)
}

/// Reductions over the index variables that are named before the last argument, each with a summary.
pub const REDUCTIONS: &[(&str, Reducing, &str)] = &[
    ("sum", Reducing::Known(ReduceOp::Sum), "the sum"),
    ("prod", Reducing::Known(ReduceOp::Prod), "the product"),
    ("min", Reducing::Known(ReduceOp::Min), "the least value"),
    ("max", Reducing::Known(ReduceOp::Max), "the greatest value"),
    ("any", Reducing::Known(ReduceOp::Or), "whether the condition holds anywhere"),
    ("all", Reducing::Known(ReduceOp::And), "whether the condition holds everywhere"),
    ("argmin", Reducing::Known(ReduceOp::ArgMin), "the first place of the least value"),
    ("argmax", Reducing::Known(ReduceOp::ArgMax), "the first place of the greatest value"),
    ("reduce", Reducing::Written, "`combine`, of `left` and `right`, from `identity` on"),
];

/// How a reduction combines terms, by its name.
#[derive(Clone, Debug, PartialEq)]
pub enum Reducing {
    Known(ReduceOp),
    /// Named arguments say how.
    Written,
}

pub(crate) fn reduction(name: &str) -> Option<&'static Reducing> {
    REDUCTIONS.iter().find(|(known, ..)| *known == name).map(|(_, op, _)| op)
}

/// The element type that a conversion such as `f32(x)` converts to; `u8` is written as well as `ui8`.
pub fn conversion(name: &str) -> Option<Element> {
    let unsigned = || name.strip_prefix('u').filter(|bits| bits.parse::<u8>().is_ok());
    Element::parse(name).or_else(|| Element::parse(&format!("ui{}", unsigned()?)))
}

/// The numbers that have names.
pub const CONSTANTS: &[(&str, &str)] = &[
    ("pi", "3.14159..."),
    ("e", "2.71828..."),
    ("inf", "infinity"),
    ("nan", "not a number"),
    ("true", "1"),
    ("false", "0"),
];

/// The value of a constant that no literal holds.
pub(crate) fn named_constant(name: &str) -> Option<f64> {
    match name {
        "pi" => Some(std::f64::consts::PI),
        "e" => Some(std::f64::consts::E),
        _ => None,
    }
}

/// The call and the one-line meaning of a function's name: `sqrt(x)` and `the square root`.
pub fn describe(name: &str) -> Option<(String, String)> {
    let function = find(name).map(|info| (format!("{name}({})", info.arguments), info.summary.to_string()));
    let reductions = REDUCTIONS.iter().find(|(known, ..)| *known == name);
    let reduction = reductions.map(|(name, _, summary)| {
        (
            format!("{name}(i, ..., x)"),
            format!("{summary} over the index variables; with `over = stored`, of stored terms alone"),
        )
    });
    let semiring = || {
        let (add, multiply) = name.split_once('_').filter(|_| Semiring::parse(name).is_some())?;
        let text = format!("`{multiply}` of the two wherever both are stored, combined by `{add}`");
        Some((format!("{name}(i, ..., x, y)"), text))
    };
    let conversion = || conversion(name).map(|to| (format!("{name}(x)"), format!("x converted to `{to}`")));
    match (function, reduction) {
        (Some((usage, summary)), Some((reduced, over))) => {
            Some((format!("{usage}, {reduced}"), format!("{summary}; or {over}")))
        }
        (function, reduction) => function.or(reduction).or_else(semiring).or_else(conversion),
    }
}

/// The semirings that algorithms on graphs use most, for completion; every addition goes with every multiplication.
pub const SEMIRINGS: &[&str] = &[
    "plus_times",
    "min_plus",
    "max_plus",
    "plus_pair",
    "plus_first",
    "plus_second",
    "min_first",
    "min_second",
    "min_max",
    "max_min",
    "min_times",
    "max_times",
    "any_pair",
    "any_first",
    "any_second",
    "lor_land",
    "lxor_land",
];

/// Every function, reduction and constant, for completion and corrections.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    let reductions = REDUCTIONS.iter().map(|(name, ..)| *name).filter(|name| find(name).is_none());
    FUNCTIONS.iter().map(|info| info.name).chain(reductions)
}

/// Whether the notation calls something `name`.
pub fn is_function(name: &str) -> bool {
    let known = find(name).is_some() || reduction(name).is_some();
    known || Semiring::parse(name).is_some() || conversion(name).is_some()
}

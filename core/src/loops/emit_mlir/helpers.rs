//! The functions that emitted code calls, each written out only where it is used.

use super::types::IntType;
use crate::loops::{
    Unary,
    machine::{Int, Sign, Width},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Div(IntType),
    Rem(IntType),
    Pow(IntType),
    ShiftLeft(IntType),
    ShiftRight(IntType),
    /// A function of C's library on `complex<f64>`.
    Complex(Unary),
    ComplexPow,
    /// C's, on `f64`.
    Hypot,
    /// From `f64`.
    Saturate(IntType),
    /// Of an index array's entries.
    Sort(Width),
}

fn suffix(int: IntType) -> String {
    match int {
        IntType::Index => "index".to_string(),
        IntType::Fixed(Int { width, sign: Sign::Signed, .. }) => format!("i{width}"),
        IntType::Fixed(Int { width, sign: Sign::Unsigned, .. }) => format!("u{width}"),
    }
}

impl Helper {
    pub(super) fn name(self) -> String {
        match self {
            Helper::Div(int) => format!("nnz_div_{}", suffix(int)),
            Helper::Rem(int) => format!("nnz_rem_{}", suffix(int)),
            Helper::Pow(int) => format!("nnz_pow_{}", suffix(int)),
            Helper::ShiftLeft(int) => format!("nnz_shl_{}", suffix(int)),
            Helper::ShiftRight(int) => format!("nnz_shr_{}", suffix(int)),
            Helper::Complex(op) => format!("c{}", op.name()),
            Helper::ComplexPow => "cpow".to_string(),
            Helper::Hypot => "hypot".to_string(),
            Helper::Saturate(int) => format!("nnz_saturate_{}", suffix(int)),
            Helper::Sort(width) => format!("nnz_sort_u{}", width.bits()),
        }
    }

    pub(super) fn signature(self) -> String {
        match self {
            Helper::Div(int)
            | Helper::Rem(int)
            | Helper::Pow(int)
            | Helper::ShiftLeft(int)
            | Helper::ShiftRight(int) => format!("({0}, {0}) -> {0}", int.register()),
            Helper::Complex(_) => "(complex<f64>) -> complex<f64>".to_string(),
            Helper::ComplexPow => "(complex<f64>, complex<f64>) -> complex<f64>".to_string(),
            Helper::Hypot => "(f64, f64) -> f64".to_string(),
            Helper::Saturate(int) => format!("(f64) -> {}", int.register()),
            Helper::Sort(width) => format!("(index, index, memref<?xi{}>) -> ()", width.bits()),
        }
    }

    pub(super) fn needs(self) -> Vec<Helper> {
        match self {
            Helper::Pow(int) if int.is_signed() => vec![Helper::Div(int)],
            _ => Vec::new(),
        }
    }

    /// Its definition; [`Helper::Sort`] is made of loops, elsewhere.
    pub(super) fn definition(self) -> String {
        let (name, body) = match self {
            Helper::Div(int) if int.is_signed() => (self.name(), SIGNED_DIV.replace("TYPE", &int.register())),
            Helper::Rem(int) if int.is_signed() => (self.name(), SIGNED_REM.replace("TYPE", &int.register())),
            Helper::Div(int) => (self.name(), UNSIGNED.replace("OP", "divui").replace("TYPE", &int.register())),
            Helper::Rem(int) => (self.name(), UNSIGNED.replace("OP", "remui").replace("TYPE", &int.register())),
            Helper::Pow(int) => (self.name(), power(int)),
            Helper::ShiftLeft(int) => (self.name(), shift(int, "shli")),
            Helper::ShiftRight(int) if int.is_signed() => {
                (self.name(), SIGNED_SHIFT.replace("WIDTH", &most(int)).replace("TYPE", &int.register()))
            }
            Helper::ShiftRight(int) => (self.name(), shift(int, "shrui")),
            Helper::Complex(_) | Helper::ComplexPow | Helper::Hypot => (self.name(), self.signature()),
            Helper::Saturate(int) => (self.name(), saturate(int)),
            Helper::Sort(_) => return String::new(),
        };
        let text = format!("func.func private @{name}{body}");
        text.lines().map(|line| format!("  {line}\n")).collect()
    }
}

/// Towards zero; 0 for a zero divisor; the least number over -1 wraps.
const SIGNED_DIV: &str = "(%a: TYPE, %b: TYPE) -> TYPE {
  %zero = arith.constant 0 : TYPE
  %one = arith.constant 1 : TYPE
  %minus = arith.constant -1 : TYPE
  %by_zero = arith.cmpi eq, %b, %zero : TYPE
  %by_minus = arith.cmpi eq, %b, %minus : TYPE
  %special = arith.ori %by_zero, %by_minus : i1
  %divisor = arith.select %special, %one, %b : TYPE
  %quotient = arith.divsi %a, %divisor : TYPE
  %negated = arith.subi %zero, %a : TYPE
  %not_zero = arith.select %by_minus, %negated, %quotient : TYPE
  %result = arith.select %by_zero, %zero, %not_zero : TYPE
  return %result : TYPE
}";

const SIGNED_REM: &str = "(%a: TYPE, %b: TYPE) -> TYPE {
  %zero = arith.constant 0 : TYPE
  %one = arith.constant 1 : TYPE
  %minus = arith.constant -1 : TYPE
  %by_zero = arith.cmpi eq, %b, %zero : TYPE
  %by_minus = arith.cmpi eq, %b, %minus : TYPE
  %special = arith.ori %by_zero, %by_minus : i1
  %divisor = arith.select %special, %one, %b : TYPE
  %rest = arith.remsi %a, %divisor : TYPE
  %result = arith.select %special, %zero, %rest : TYPE
  return %result : TYPE
}";

const UNSIGNED: &str = "(%a: TYPE, %b: TYPE) -> TYPE {
  %zero = arith.constant 0 : TYPE
  %one = arith.constant 1 : TYPE
  %by_zero = arith.cmpi eq, %b, %zero : TYPE
  %divisor = arith.select %by_zero, %one, %b : TYPE
  %usual = arith.OP %a, %divisor : TYPE
  %result = arith.select %by_zero, %zero, %usual : TYPE
  return %result : TYPE
}";

/// All bits move out where the amount is negative, or the width and more.
const SHIFT: &str = "(%a: TYPE, %b: TYPE) -> TYPE {
  %zero = arith.constant 0 : TYPE
  %most = arith.constant WIDTH : TYPE
  %inside = arith.cmpi ule, %b, %most : TYPE
  %amount = arith.select %inside, %b, %zero : TYPE
  %moved = arith.OP %a, %amount : TYPE
  %result = arith.select %inside, %moved, %zero : TYPE
  return %result : TYPE
}";

const SIGNED_SHIFT: &str = "(%a: TYPE, %b: TYPE) -> TYPE {
  %most = arith.constant WIDTH : TYPE
  %amount = arith.minui %b, %most : TYPE
  %result = arith.shrsi %a, %amount : TYPE
  return %result : TYPE
}";

fn shift(int: IntType, op: &str) -> String {
    SHIFT.replace("OP", op).replace("WIDTH", &most(int)).replace("TYPE", &int.register())
}

/// By how much bits move at most.
fn most(int: IntType) -> String {
    int.int().width.saturating_sub(1).to_string()
}

/// By squaring; a negative exponent gives 1 over the power.
const POWER: &str = "(%a: TYPE, %n: TYPE) -> TYPE {
  %zero = arith.constant 0 : TYPE
  %one = arith.constant 1 : TYPE
  %negative = arith.cmpi BELOW, %n, %zero : TYPE
  %opposite = arith.subi %zero, %n : TYPE
  %count = arith.select %negative, %opposite, %n : TYPE
  %done:3 = scf.while (%power = %one, %square = %a, %rest = %count) : (TYPE, TYPE, TYPE) -> (TYPE, TYPE, TYPE) {
    %more = arith.cmpi ne, %rest, %zero : TYPE
    scf.condition(%more) %power, %square, %rest : TYPE, TYPE, TYPE
  } do {
  ^bb0(%power: TYPE, %square: TYPE, %rest: TYPE):
    %low = arith.andi %rest, %one : TYPE
    %odd = arith.cmpi ne, %low, %zero : TYPE
    %product = arith.muli %power, %square : TYPE
    %next = arith.select %odd, %product, %power : TYPE
    %squared = arith.muli %square, %square : TYPE
    %half = arith.shrui %rest, %one : TYPE
    scf.yield %next, %squared, %half : TYPE, TYPE, TYPE
  }
";

fn power(int: IntType) -> String {
    if int.int().width == 1 {
        // Only 0 to the power of 1 is 0.
        return "(%a: i1, %n: i1) -> i1 {\n  %one = arith.constant true\n  %none = arith.xori %n, %one : i1\n  \
                %result = arith.ori %a, %none : i1\n  return %result : i1\n}"
            .to_string();
    }
    let end = match int.is_signed() {
        true => format!(
            "  %inverse = func.call @{}(%one, %done#0) : (TYPE, TYPE) -> TYPE\n  \
             %result = arith.select %negative, %inverse, %done#0 : TYPE\n  return %result : TYPE\n}}",
            Helper::Div(int).name()
        ),
        false => "  return %done#0 : TYPE\n}".to_string(),
    };
    let below = if int.is_signed() { "slt" } else { "ult" };
    (POWER.replace("BELOW", below) + &end).replace("TYPE", &int.register())
}

/// Truncates, saturates at the type's range, and gives 0 for NaN.
const SATURATE: &str = "(%a: f64) -> TYPE {
  %zero = arith.constant 0.0 : f64
  %lower = arith.constant LOWER : f64
  %upper = arith.constant UPPER : f64
  %least = LEAST
  %most = MOST
  %nothing = NOTHING
  %nan = arith.cmpf uno, %a, %a : f64
  %low = arith.cmpf ole, %a, %lower : f64
  %high = arith.cmpf oge, %a, %upper : f64
  %outside = arith.ori %low, %high : i1
  %special = arith.ori %outside, %nan : i1
  %inside = arith.select %special, %zero, %a : f64
  %usual = arith.CONVERT %inside : f64 to RAW
  %number = EXTEND
  %not_low = arith.select %low, %least, %number : TYPE
  %not_high = arith.select %high, %most, %not_low : TYPE
  %result = arith.select %nan, %nothing, %not_high : TYPE
  return %result : TYPE
}";

fn saturate(int: IntType) -> String {
    let width = int.int().width;
    let (least, most, above) = match int.is_signed() {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1, 1i128 << (width - 1)),
        false => (0, (1i128 << width) - 1, 1i128 << width),
    };
    let bits = |number: i128| format!("{:#018x}", (number as f64).to_bits());
    let constant = |number| super::literals::int(int, number);
    let (raw, extend) = match int {
        IntType::Index => ("i64".to_string(), "arith.index_cast %usual : i64 to index"),
        IntType::Fixed(_) => (int.register(), "arith.select %special, %nothing, %usual : TYPE"),
    };
    SATURATE
        .replace("LOWER", &bits(least))
        .replace("UPPER", &bits(above))
        .replace("LEAST", &constant(least))
        .replace("MOST", &constant(most))
        .replace("NOTHING", &constant(0))
        .replace("CONVERT", if int.is_signed() { "fptosi" } else { "fptoui" })
        .replace("RAW", &raw)
        .replace("EXTEND", extend)
        .replace("TYPE", &int.register())
}

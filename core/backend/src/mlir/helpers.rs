//! The functions that emitted code calls. Only the functions used are written out.

use super::types::IntType;
use nnz_base::functions::UnaryFunction;
use nnz_loops::machine::{Int, Sign, Width};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Div(IntType),
    Rem(IntType),
    Pow(IntType),
    ShiftLeft(IntType),
    ShiftRight(IntType),
    /// A function of C's library on `complex<f64>`.
    Complex(UnaryFunction),
    ComplexPow,
    /// C's, on `f64`.
    Hypot,
    /// From `f64`.
    Saturate(IntType),
    /// Rounds `f64` once. Compilers may take an instruction that drops numbers with fewer bits (AVX512-BF16) for
    /// `arith.truncf`.
    BF16,
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
            Helper::Complex(function) => format!("c{}", function.name()),
            Helper::ComplexPow => "cpow".to_string(),
            Helper::Hypot => "hypot".to_string(),
            Helper::Saturate(int) => format!("nnz_saturate_{}", suffix(int)),
            Helper::BF16 => "nnz_bf16".to_string(),
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
            Helper::BF16 => "(f64) -> bf16".to_string(),
            Helper::Sort(width) => format!("(index, index, memref<?xi{}>) -> ()", width.bits()),
        }
    }

    pub(super) fn needs(self) -> Vec<Helper> {
        if let Helper::Pow(int) = self
            && int.is_signed()
        {
            return vec![Helper::Div(int)];
        }
        Vec::new()
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
            Helper::BF16 => (self.name(), BF16.to_string()),
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

/// To nearest, ties to even. Numbers with fewer bits are rounded by the sum with a number whose last bit is their last.
const BF16: &str = "(%a: f64) -> bf16 {
  %one = arith.constant 1 : i64
  %lost = arith.constant 45 : i64
  %word = arith.bitcast %a : f64 to i64
  %without_sign = arith.constant 0x7fffffffffffffff : i64
  %magnitude = arith.andi %word, %without_sign : i64
  %above_sign = arith.constant 48 : i64
  %upper = arith.shrui %word, %above_sign : i64
  %sign_bit = arith.constant 0x8000 : i64
  %sign = arith.andi %upper, %sign_bit : i64
  %shifted = arith.shrui %magnitude, %lost : i64
  %odd = arith.andi %shifted, %one : i64
  %half = arith.constant 0xfffffffffff : i64
  %up = arith.addi %odd, %half : i64
  %carried = arith.addi %magnitude, %up : i64
  %kept = arith.shrui %carried, %lost : i64
  %bias = arith.constant 0x1c000 : i64
  %usual = arith.subi %kept, %bias : i64
  %number = arith.bitcast %magnitude : i64 to f64
  %last_bit_bits = arith.constant 0x3ae0000000000000 : i64
  %last_bit = arith.bitcast %last_bit_bits : i64 to f64
  %aligned = arith.addf %number, %last_bit : f64
  %aligned_bits = arith.bitcast %aligned : f64 to i64
  %fewer_bits = arith.subi %aligned_bits, %last_bit_bits : i64
  %least = arith.constant 0x3810000000000000 : i64
  %is_less = arith.cmpi ult, %magnitude, %least : i64
  %finite = arith.select %is_less, %fewer_bits, %usual : i64
  %beyond = arith.constant 0x47eff00000000000 : i64
  %is_beyond = arith.cmpi uge, %magnitude, %beyond : i64
  %infinity = arith.constant 0x7f80 : i64
  %not_nan = arith.select %is_beyond, %infinity, %finite : i64
  %most = arith.constant 0x7ff0000000000000 : i64
  %is_nan = arith.cmpi ugt, %magnitude, %most : i64
  %nan = arith.constant 0x7fc0 : i64
  %chosen = arith.select %is_nan, %nan, %not_nan : i64
  %pattern = arith.ori %sign, %chosen : i64
  %bits = arith.trunci %pattern : i64 to i16
  %result = arith.bitcast %bits : i16 to bf16
  return %result : bf16
}";

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

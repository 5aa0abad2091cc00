//! Element types of tensors, and one scalar of any of them.

use half::{bf16, f16};
use num_complex::Complex;

/// The type of a tensor's values. Integers are signless unless `U*`, as in MLIR: printed signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    F64,
    F32,
    F16,
    BF16,
    I1,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    Index,
    C32,
    C64,
}

/// The machine type that holds one element: `i1`, `i2` and `i4` take a byte each, `index` 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repr {
    F64,
    F32,
    F16,
    BF16,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    C32,
    C64,
}

impl Repr {
    /// Bytes of one value in memory.
    pub fn bytes(self) -> usize {
        match self {
            Repr::I8 | Repr::U8 => 1,
            Repr::F16 | Repr::BF16 | Repr::I16 | Repr::U16 => 2,
            Repr::F32 | Repr::I32 | Repr::U32 => 4,
            Repr::F64 | Repr::I64 | Repr::U64 | Repr::C32 => 8,
            Repr::C64 => 16,
        }
    }
}

impl Element {
    pub const ALL: &'static [Element] = &[
        Element::F64,
        Element::F32,
        Element::F16,
        Element::BF16,
        Element::I1,
        Element::I2,
        Element::I4,
        Element::I8,
        Element::I16,
        Element::I32,
        Element::I64,
        Element::U8,
        Element::U16,
        Element::U32,
        Element::U64,
        Element::Index,
        Element::C32,
        Element::C64,
    ];

    /// As MLIR writes it.
    pub fn name(self) -> &'static str {
        match self {
            Element::F64 => "f64",
            Element::F32 => "f32",
            Element::F16 => "f16",
            Element::BF16 => "bf16",
            Element::I1 => "i1",
            Element::I2 => "i2",
            Element::I4 => "i4",
            Element::I8 => "i8",
            Element::I16 => "i16",
            Element::I32 => "i32",
            Element::I64 => "i64",
            Element::U8 => "ui8",
            Element::U16 => "ui16",
            Element::U32 => "ui32",
            Element::U64 => "ui64",
            Element::Index => "index",
            Element::C32 => "complex<f32>",
            Element::C64 => "complex<f64>",
        }
    }

    pub fn parse(name: &str) -> Option<Element> {
        Element::ALL.iter().copied().find(|element| element.name() == name)
    }

    pub fn repr(self) -> Repr {
        match self {
            Element::F64 => Repr::F64,
            Element::F32 => Repr::F32,
            Element::F16 => Repr::F16,
            Element::BF16 => Repr::BF16,
            Element::I1 | Element::I2 | Element::I4 | Element::I8 => Repr::I8,
            Element::I16 => Repr::I16,
            Element::I32 => Repr::I32,
            Element::I64 => Repr::I64,
            Element::U8 => Repr::U8,
            Element::U16 => Repr::U16,
            Element::U32 => Repr::U32,
            Element::U64 | Element::Index => Repr::U64,
            Element::C32 => Repr::C32,
            Element::C64 => Repr::C64,
        }
    }

    /// Bytes of one value in memory.
    pub fn bytes(self) -> usize {
        self.repr().bytes()
    }

    pub fn is_float(self) -> bool {
        matches!(self, Element::F64 | Element::F32 | Element::F16 | Element::BF16)
    }
    /// The float of this type with these bits; `None` for other types and for too many bits.
    pub fn float_of_bits(self, bits: u64) -> Option<f64> {
        let (word, half) = (u32::try_from(bits).ok(), u16::try_from(bits).ok());
        match self {
            Element::F64 => Some(f64::from_bits(bits)),
            Element::F32 => word.map(|bits| f32::from_bits(bits).into()),
            Element::F16 => half.map(|bits| f16::from_bits(bits).into()),
            Element::BF16 => half.map(|bits| bf16::from_bits(bits).into()),
            Element::I1 | Element::I2 | Element::I4 | Element::I8 | Element::I16 | Element::I32 | Element::I64 => None,
            Element::U8 | Element::U16 | Element::U32 | Element::U64 | Element::Index => None,
            Element::C32 | Element::C64 => None,
        }
    }
    pub fn is_complex(self) -> bool {
        matches!(self, Element::C32 | Element::C64)
    }
    /// The type of a complex type's two parts; any other type itself.
    #[expect(clippy::wildcard_enum_match_arm, reason = "element types are many")]
    pub fn part(self) -> Element {
        match self {
            Element::C32 => Element::F32,
            Element::C64 => Element::F64,
            other => other,
        }
    }
    pub fn is_integer(self) -> bool {
        !self.is_float() && !self.is_complex()
    }

    pub fn zero(self) -> Scalar {
        if self.is_complex() {
            Scalar::Complex(Complex::new(0.0, 0.0))
        } else if self.is_float() {
            Scalar::Float(0.0)
        } else {
            Scalar::Int(0)
        }
    }

    /// Whether it is an integer type without negative values: `index` and conditions are, too.
    pub fn is_unsigned(self) -> bool {
        self.int_range().is_some_and(|(low, _)| low == 0)
    }

    /// The smallest and largest integer of an integer type; `None` for other types.
    pub fn int_range(self) -> Option<(i128, i128)> {
        let signed = |bits: u32| Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1));
        let unsigned = |bits: u32| Some((0, (1i128 << bits) - 1));
        match self {
            Element::I1 => unsigned(1),
            Element::I2 => signed(2),
            Element::I4 => signed(4),
            Element::I8 => signed(8),
            Element::I16 => signed(16),
            Element::I32 => signed(32),
            Element::I64 => signed(64),
            Element::U8 => unsigned(8),
            Element::U16 => unsigned(16),
            Element::U32 => unsigned(32),
            Element::U64 | Element::Index => unsigned(64),
            Element::F64 | Element::F32 | Element::F16 | Element::BF16 | Element::C32 | Element::C64 => None,
        }
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// One value of any element type, without loss: every float type widens to f64 exactly and every
/// integer type to i128. Any NaN equals another, so that an expression equals its copy; loops compare as IEEE 754 has it.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Float(f64),
    Int(i128),
    Complex(Complex<f64>),
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Scalar) -> bool {
        let same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
        match (*self, *other) {
            (Scalar::Float(a), Scalar::Float(b)) => same(a, b),
            (Scalar::Int(a), Scalar::Int(b)) => a == b,
            (Scalar::Complex(a), Scalar::Complex(b)) => same(a.re, b.re) && same(a.im, b.im),
            (Scalar::Float(_) | Scalar::Int(_) | Scalar::Complex(_), _) => false,
        }
    }
}

impl Scalar {
    /// Zero, -0.0 included; NaN is not.
    pub fn is_zero(self) -> bool {
        match self {
            Scalar::Float(x) => x == 0.0,
            Scalar::Int(x) => x == 0,
            Scalar::Complex(x) => x.re == 0.0 && x.im == 0.0,
        }
    }
    /// The real part, rounded to the nearest f64.
    pub fn as_f64(self) -> f64 {
        match self {
            Scalar::Float(x) => x,
            Scalar::Int(x) => x as f64,
            Scalar::Complex(x) => x.re,
        }
    }
}

/// The nearest `f16`, ties to even. It is rounded once, which `half` does not guarantee: rounding to `f32`
/// first would turn a number just above a tie into a tie.
pub fn to_f16(x: f64) -> f16 {
    f16::from_f32(rounded_to_odd(x))
}

/// The nearest `bf16`, ties to even.
pub fn to_bf16(x: f64) -> bf16 {
    bf16::from_f32(rounded_to_odd(x))
}

/// The `f32` next to `x` towards zero, its last bit set where it is not `x` itself: rounding this to a
/// narrower type gives what rounding `x` does (Boldo and Melquiond 2008).
fn rounded_to_odd(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) == x || near.is_nan() {
        return near;
    }
    let below = if f64::from(near).abs() > x.abs() { near.to_bits() - 1 } else { near.to_bits() };
    f32::from_bits(below | 1)
}

/// A machine type that values are stored in.
pub trait Value:
    Copy + Default + PartialEq + std::fmt::Debug + std::ops::Add<Output = Self> + Send + Sync + 'static
{
    const REPR: Repr;
    fn to_scalar(self) -> Scalar;
    /// Rounds to nearest for floats, truncates for integers; callers check ranges first.
    fn from_scalar(scalar: Scalar) -> Self;
    fn is_zero(self) -> bool {
        self.to_scalar().is_zero()
    }
    /// The sum of duplicate entries; integers wrap, as the compiled kernels do.
    fn sum(self, other: Self) -> Self;
    /// What a sum starts from that keeps the signs of zeros: -0 in each part.
    fn neutral() -> Self;
}

macro_rules! int_value {
    ($($ty:ty => $repr:ident),*) => { $(
        impl Value for $ty {
            const REPR: Repr = Repr::$repr;
            fn to_scalar(self) -> Scalar { Scalar::Int(self as i128) }
            fn from_scalar(scalar: Scalar) -> Self {
                match scalar { Scalar::Int(x) => x as $ty, other => other.as_f64() as $ty }
            }
            fn is_zero(self) -> bool { self == 0 }
            fn sum(self, other: Self) -> Self { self.wrapping_add(other) }
            fn neutral() -> Self { 0 }
        }
    )* };
}
int_value!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64);

macro_rules! float_value {
    ($($ty:ty => $repr:ident, $from:expr, $to:expr);*) => { $(
        impl Value for $ty {
            const REPR: Repr = Repr::$repr;
            fn to_scalar(self) -> Scalar { Scalar::Float($to(self)) }
            fn from_scalar(scalar: Scalar) -> Self { $from(scalar.as_f64()) }
            fn sum(self, other: Self) -> Self { self + other }
            fn neutral() -> Self { $from(-0.0) }
        }
    )* };
}
float_value!(
    f64 => F64, |x: f64| x, |x: f64| x;
    f32 => F32, |x: f64| x as f32, |x: f32| x as f64;
    f16 => F16, to_f16, f16::to_f64;
    bf16 => BF16, to_bf16, bf16::to_f64
);

macro_rules! complex_value {
    ($($part:ty => $repr:ident),*) => { $(
        impl Value for Complex<$part> {
            const REPR: Repr = Repr::$repr;
            fn to_scalar(self) -> Scalar { Scalar::Complex(Complex::new(self.re as f64, self.im as f64)) }
            fn from_scalar(scalar: Scalar) -> Self {
                match scalar {
                    Scalar::Complex(x) => Complex::new(x.re as $part, x.im as $part),
                    other => Complex::new(other.as_f64() as $part, 0.0),
                }
            }
            fn sum(self, other: Self) -> Self { self + other }
            fn neutral() -> Self { Complex::new(-0.0, -0.0) }
        }
    )* };
}
complex_value!(f32 => C32, f64 => C64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_floats_are_rounded_once() {
        let (tie, least) = (2f64.powi(-11), 2f64.powi(-40));
        // Halfway between 1 and the next, a little more, a little less.
        assert_eq!(
            [1.0 + tie, 1.0 + tie + least, 1.0 + tie - least].map(|x| to_f16(x).to_bits()),
            [0x3c00, 0x3c01, 0x3c00]
        );
        assert_eq!(
            [-1.0 - tie - least, 65_519.999_999, 65_520.0].map(|x| to_f16(x).to_bits()),
            [0xbc01, 0x7bff, 0x7c00]
        );
        let tie = 2f64.powi(-8);
        assert_eq!([1.0 + tie, 1.0 + tie + least].map(|x| to_bf16(x).to_bits()), [0x3f80, 0x3f81]);
        assert_eq!([1e300, f64::NEG_INFINITY, 1e-300].map(|x| to_f16(x).to_bits()), [0x7c00, 0xfc00, 0]);
        assert!(to_f16(f64::NAN).is_nan() && to_bf16(f64::NAN).is_nan());
        for bits in 0..=u16::MAX {
            let exact = f16::from_bits(bits);
            assert!(exact.is_nan() || to_f16(exact.to_f64()).to_bits() == bits);
        }
    }
}

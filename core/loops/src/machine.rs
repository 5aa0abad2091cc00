//! The machine representation of the loop IR's types, which every emitter follows.
//!
//! `i1`, `i2` and `i4` live in bytes and wrap at their width after each operation. `f16` and `bf16` are
//! computed in `f32` and rounded after each. A complex number is a pair.

use super::Type;
pub use super::width::Width;
use nnz_base::element::Element;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Int {
    /// Bits of the machine type: 1, 8, 16, 32 or 64.
    pub bits: u32,
    /// Bits of the type itself, at most `bits`.
    pub width: u32,
    pub sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Float {
    F16,
    BF16,
    F32,
    F64,
}

/// The kind of registers of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Int(Int),
    Float(Float),
    /// Two of the part's registers.
    Complex(Float),
}

impl Int {
    pub const BOOL: Int = Int { bits: 1, width: 1, sign: Sign::Unsigned };
    pub const INDEX: Int = Int { bits: 64, width: 64, sign: Sign::Signed };

    pub fn is_signed(self) -> bool {
        self.sign == Sign::Signed
    }
}

pub fn class(ty: Type) -> Class {
    match ty {
        Type::Bool => Class::Int(Int::BOOL),
        Type::Index => Class::Int(Int::INDEX),
        Type::Element(element) => element_class(element),
    }
}

fn element_class(element: Element) -> Class {
    let signed = |bits, width| Class::Int(Int { bits, width, sign: Sign::Signed });
    let unsigned = |bits, width| Class::Int(Int { bits, width, sign: Sign::Unsigned });
    match element {
        Element::F64 => Class::Float(Float::F64),
        Element::F32 => Class::Float(Float::F32),
        Element::F16 => Class::Float(Float::F16),
        Element::BF16 => Class::Float(Float::BF16),
        Element::I1 => unsigned(8, 1),
        Element::I2 => signed(8, 2),
        Element::I4 => signed(8, 4),
        Element::I8 => signed(8, 8),
        Element::I16 => signed(16, 16),
        Element::I32 => signed(32, 32),
        Element::I64 => signed(64, 64),
        Element::U8 => unsigned(8, 8),
        Element::U16 => unsigned(16, 16),
        Element::U32 => unsigned(32, 32),
        Element::U64 | Element::Index => unsigned(64, 64),
        Element::C32 => Class::Complex(Float::F32),
        Element::C64 => Class::Complex(Float::F64),
    }
}

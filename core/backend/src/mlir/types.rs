//! The MLIR types of the loop IR's types.

use nnz_loops::{
    ArrayType, Type,
    machine::{Class, Float, Int, class},
};

/// An integer type; MLIR keeps `index` apart from `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IntType {
    Index,
    Fixed(Int),
}

/// As `machine::Class`, with `index` distinguished from `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int(IntType),
    Float(Float),
    Complex(Float),
}

pub(super) fn kind(ty: Type) -> Kind {
    match class(ty) {
        Class::Int(_) if ty == Type::Index => Kind::Int(IntType::Index),
        Class::Int(int) => Kind::Int(IntType::Fixed(int)),
        Class::Float(float) => Kind::Float(float),
        Class::Complex(part) => Kind::Complex(part),
    }
}

impl IntType {
    pub(super) fn int(self) -> Int {
        match self {
            IntType::Index => Int::INDEX,
            IntType::Fixed(int) => int,
        }
    }
    pub(super) fn is_signed(self) -> bool {
        self.int().is_signed()
    }
    pub(super) fn register(self) -> String {
        match self {
            IntType::Index => "index".to_string(),
            IntType::Fixed(int) => format!("i{}", int.width),
        }
    }
}

/// Of a value, or of each part of a complex one.
pub(super) fn register(ty: Type) -> String {
    match kind(ty) {
        Kind::Int(int) => int.register(),
        Kind::Float(float) | Kind::Complex(float) => float_register(float).to_string(),
    }
}

/// What a float is computed in.
pub(super) fn float_register(float: Float) -> &'static str {
    if float == Float::F64 { "f64" } else { "f32" }
}

pub(super) fn float_memory(float: Float) -> &'static str {
    match float {
        Float::F64 => "f64",
        Float::F32 => "f32",
        Float::F16 => "f16",
        Float::BF16 => "bf16",
    }
}

/// Of a scalar parameter.
pub(super) fn scalar(ty: Type) -> String {
    match kind(ty) {
        Kind::Int(int) => int.register(),
        Kind::Float(float) => float_memory(float).to_string(),
        Kind::Complex(part) => format!("complex<{}>", float_memory(part)),
    }
}

/// Of an array's entry.
pub(super) fn memory(ty: ArrayType) -> String {
    match ty {
        ArrayType::Indices(width) => format!("i{}", width.bits()),
        ArrayType::Values(element) => match class(Type::Element(element)) {
            Class::Int(int) => format!("i{}", int.bits),
            Class::Float(_) | Class::Complex(_) => scalar(Type::Element(element)),
        },
    }
}

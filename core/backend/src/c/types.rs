//! The C types of the loop IR's types.

use nnz_loops::{
    ArrayType, Type,
    machine::{Class, Float, Int, Width, class},
};

/// The type of a variable or an expression.
pub(super) fn c_type(ty: Type) -> String {
    match class(ty) {
        Class::Int(int) => int_type(int),
        Class::Float(float) => float_type(float).to_string(),
        Class::Complex(part) => complex_type(part).to_string(),
    }
}

/// The type of an array's entries; the narrow floats are bit patterns there.
pub(super) fn entry_type(ty: ArrayType) -> String {
    match ty {
        ArrayType::Indices(width) => index_type(width).to_string(),
        ArrayType::Values(element) => match class(Type::Element(element)) {
            Class::Float(Float::F16 | Float::BF16) => "uint16_t".to_string(),
            Class::Int(_) | Class::Float(_) | Class::Complex(_) => c_type(Type::Element(element)),
        },
    }
}

pub(super) fn index_type(width: Width) -> &'static str {
    match width {
        Width::W8 => "uint8_t",
        Width::W16 => "uint16_t",
        Width::W32 => "uint32_t",
        Width::W64 => "uint64_t",
    }
}

pub(super) fn int_type(int: Int) -> String {
    match int {
        Int::BOOL => "bool".to_string(),
        Int { bits, .. } => format!("{}int{bits}_t", if int.is_signed() { "" } else { "u" }),
    }
}

/// The type in which arithmetic on `int` wraps without undefined behaviour.
pub(super) fn wrapping_type(int: Int) -> &'static str {
    if int.bits == 64 { "uint64_t" } else { "uint32_t" }
}

/// The suffix of the helpers of one integer type: `i4`, `u64`.
pub(super) fn int_suffix(int: Int) -> String {
    match int {
        Int::BOOL => "bool".to_string(),
        Int { width, .. } => format!("{}{width}", if int.is_signed() { "i" } else { "u" }),
    }
}

/// The type in which a float is computed.
pub(super) fn float_type(float: Float) -> &'static str {
    match float {
        Float::F64 => "double",
        Float::F32 | Float::F16 | Float::BF16 => "float",
    }
}

pub(super) fn float_suffix(float: Float) -> &'static str {
    match float {
        Float::F64 => "f64",
        Float::F32 => "f32",
        Float::F16 => "f16",
        Float::BF16 => "bf16",
    }
}

pub(super) fn complex_type(part: Float) -> &'static str {
    if part == Float::F64 { "nnz_c64" } else { "nnz_c32" }
}

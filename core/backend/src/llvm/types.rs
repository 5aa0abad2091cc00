//! How the loop IR's types sit in registers and in memory.
//!
//! `i1`, `i2` and `i4` live in bytes, wrapped to their width after each operation. `f16` and `bf16`
//! live in registers as `f32` values that the narrow type can hold: each operation is done in `f32`
//! and rounded. A complex number is two registers.

use inkwell::{
    AddressSpace,
    context::Context,
    types::{BasicTypeEnum, FloatType, IntType, PointerType},
    values::{BasicValueEnum, FloatValue, IntValue},
};

use nnz_base::element::Repr;
pub(super) use nnz_loops::machine::{Class, Float, Int, Sign, class};
use nnz_loops::{ArrayType, Type};

/// What a load gives and a store takes.
pub(super) fn entry_type(ty: ArrayType) -> Type {
    match ty {
        ArrayType::Values(element) => Type::Element(element),
        ArrayType::Indices(_) => Type::Index,
    }
}

/// The registers of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parts<'c> {
    Int(IntValue<'c>),
    Float(FloatValue<'c>),
    /// Real, imaginary.
    Complex([FloatValue<'c>; 2]),
}

/// A value with its loop type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed<'c> {
    pub(super) ty: Type,
    pub(super) parts: Parts<'c>,
}

impl<'c> Typed<'c> {
    pub(super) fn bool(value: IntValue<'c>) -> Self {
        Typed { ty: Type::Bool, parts: Parts::Int(value) }
    }
    pub(super) fn index(value: IntValue<'c>) -> Self {
        Typed { ty: Type::Index, parts: Parts::Int(value) }
    }
    pub(super) fn class(self) -> Class {
        class(self.ty)
    }
}

impl<'c> Parts<'c> {
    /// One machine value per register.
    pub(super) fn registers(self) -> Vec<BasicValueEnum<'c>> {
        match self {
            Parts::Int(value) => vec![value.into()],
            Parts::Float(value) => vec![value.into()],
            Parts::Complex([re, im]) => vec![re.into(), im.into()],
        }
    }
    /// The inverse of [`Parts::registers`]; `None` where the registers are not those of any value.
    pub(super) fn from_registers(registers: &[BasicValueEnum<'c>]) -> Option<Self> {
        match *registers {
            [BasicValueEnum::IntValue(value)] => Some(Parts::Int(value)),
            [BasicValueEnum::FloatValue(value)] => Some(Parts::Float(value)),
            [BasicValueEnum::FloatValue(re), BasicValueEnum::FloatValue(im)] => Some(Parts::Complex([re, im])),
            _ => None,
        }
    }
}

/// LLVM's types in one context.
#[derive(Clone, Copy)]
pub(super) struct Types<'c>(pub(super) &'c Context);

impl<'c> Types<'c> {
    pub(super) fn int(self, bits: u32) -> IntType<'c> {
        match bits {
            1 => self.0.bool_type(),
            8 => self.0.i8_type(),
            16 => self.0.i16_type(),
            32 => self.0.i32_type(),
            _ => self.0.i64_type(),
        }
    }
    pub(super) fn index(self) -> IntType<'c> {
        self.0.i64_type()
    }
    pub(super) fn pointer(self) -> PointerType<'c> {
        self.0.ptr_type(AddressSpace::default())
    }
    /// The register of a float: narrow ones are held as `f32`.
    pub(super) fn float(self, float: Float) -> FloatType<'c> {
        match float {
            Float::F64 => self.0.f64_type(),
            Float::F32 | Float::F16 | Float::BF16 => self.0.f32_type(),
        }
    }
    /// The type of each register of a value.
    pub(super) fn registers(self, class: Class) -> Vec<BasicTypeEnum<'c>> {
        match class {
            Class::Int(int) => vec![self.int(int.bits).into()],
            Class::Float(float) => vec![self.float(float).into()],
            Class::Complex(part) => vec![self.float(part).into(); 2],
        }
    }
    /// One array entry in memory; the narrow floats are 16-bit patterns.
    pub(super) fn memory(self, repr: Repr) -> BasicTypeEnum<'c> {
        match repr {
            Repr::F64 => self.0.f64_type().into(),
            Repr::F32 => self.0.f32_type().into(),
            Repr::I8 | Repr::U8 => self.0.i8_type().into(),
            Repr::F16 | Repr::BF16 | Repr::I16 | Repr::U16 => self.0.i16_type().into(),
            Repr::I32 | Repr::U32 => self.0.i32_type().into(),
            Repr::I64 | Repr::U64 => self.0.i64_type().into(),
            Repr::C32 => self.0.f32_type().array_type(2).into(),
            Repr::C64 => self.0.f64_type().array_type(2).into(),
        }
    }
}

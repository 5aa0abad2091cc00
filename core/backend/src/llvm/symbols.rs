//! Declarations of the functions of nnz that compiled code calls by name. `run_time` implements them.

use inkwell::{
    attributes::AttributeLoc,
    types::{BasicMetadataTypeEnum, FunctionType},
    values::FunctionValue,
};

use super::{
    emit::{Emitted, Unit},
    types::Float,
};
use nnz_base::functions::{BinaryFunction, UnaryFunction};
use nnz_loops::machine::Width;

/// How every name begins; LLVM knows no such name, and so replaces none.
pub(super) const PREFIX: &str = "nnz_";

/// A function that compiled code may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// Modulo 2^64: `(base, exponent) -> power`.
    IntPower,
    Function(UnaryFunction, Register),
    FunctionOfTwo(BinaryFunction, Register),
    /// `(base, exponent) -> power`.
    Power(Register),
    /// The remainder of division that truncates: `(a, b) -> rest`.
    Rest(Register),
    /// Of a complex number: `(re, im) -> modulus`.
    Modulus,
    /// `(re, im) -> angle`.
    Angle,
    /// A part of a function of a complex number: `(re, im) -> part`.
    Complex(UnaryFunction, Part),
    /// A part of a complex power: `(re, im, re, im) -> part`.
    ComplexPower(Part),
    /// A part of a complex quotient: `(re, im, re, im) -> part`.
    ComplexQuotient(Register, Part),
    F16FromF32,
    F32FromF16,
    F16FromF64,
    BF16FromF64,
    /// `(array, lo, hi)`, of an index array's machine type.
    Sort(Width),
    /// `(team, lo, hi, body, frame, positions, bytes)`; see `run_time`.
    ParallelFor,
}

/// The parts of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Re,
    Im,
}

/// The kinds of float registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Single,
    Double,
}

impl Register {
    pub(super) fn of(float: Float) -> Register {
        if float == Float::F64 { Register::Double } else { Register::Single }
    }
    fn float(self) -> Float {
        match self {
            Register::Single => Float::F32,
            Register::Double => Float::F64,
        }
    }
}

impl Symbol {
    pub(super) fn name(self) -> String {
        match self {
            Symbol::IntPower => "nnz_power_int".into(),
            Symbol::Function(function, register) => format!("nnz_{function:?}_{register:?}"),
            Symbol::Power(register) => format!("nnz_power_{register:?}"),
            Symbol::FunctionOfTwo(function, register) => format!("nnz_{function:?}_{register:?}"),
            Symbol::Rest(register) => format!("nnz_rest_{register:?}"),
            Symbol::Modulus => "nnz_complex_modulus".into(),
            Symbol::Angle => "nnz_complex_angle".into(),
            Symbol::Complex(function, part) => format!("nnz_complex_{function:?}_{part:?}"),
            Symbol::ComplexPower(part) => format!("nnz_complex_power_{part:?}"),
            Symbol::ComplexQuotient(register, part) => format!("nnz_complex_quotient_{register:?}_{part:?}"),
            Symbol::F16FromF32 => "nnz_f16_from_f32".into(),
            Symbol::F32FromF16 => "nnz_f32_from_f16".into(),
            Symbol::F16FromF64 => "nnz_f16_from_f64".into(),
            Symbol::BF16FromF64 => "nnz_bf16_from_f64".into(),
            Symbol::Sort(width) => format!("nnz_sort_{}", width.name()),
            Symbol::ParallelFor => "nnz_parallel_for".into(),
        }
    }

    /// Its name in the error of a machine that lacks it.
    pub(super) fn construct(self) -> String {
        match self {
            Symbol::IntPower | Symbol::Power(_) | Symbol::ComplexPower(_) => "a power".into(),
            Symbol::Function(function, _) | Symbol::Complex(function, _) => {
                format!("the function `{}`", function.name())
            }
            Symbol::FunctionOfTwo(function, _) => format!("the function `{}`", function.name()),
            Symbol::Rest(_) => "a remainder of floats".into(),
            Symbol::Modulus => "the modulus of a complex number".into(),
            Symbol::Angle => "the angle of a complex number".into(),
            Symbol::ComplexQuotient(..) => "a quotient of complex numbers".into(),
            Symbol::F16FromF32 | Symbol::F32FromF16 | Symbol::F16FromF64 | Symbol::BF16FromF64 => {
                "a conversion to or from a float of 16 bits".into()
            }
            Symbol::Sort(_) => "a sort".into(),
            Symbol::ParallelFor => "a parallel loop".into(),
        }
    }

    /// The function's declaration in `unit`, made at the first use.
    ///
    /// # Errors
    /// The machine does not have it.
    pub(super) fn declare<'c>(self, unit: &Unit<'c, '_>) -> Emitted<FunctionValue<'c>> {
        if !unit.machine.offers(self) {
            return Err(crate::refused(unit.machine.name(), &self.construct()));
        }
        let name = self.name();
        if let Some(known) = unit.module.get_function(&name) {
            return Ok(known);
        }
        let declared = unit.module.add_function(&name, self.signature(unit), None);
        self.promise(unit, declared);
        Ok(declared)
    }

    /// What LLVM may assume of a call.
    fn promise<'c>(self, unit: &Unit<'c, '_>, declared: FunctionValue<'c>) {
        let add = |attribute| declared.add_attribute(AttributeLoc::Function, attribute);
        add(unit.enum_attribute("nounwind"));
        if let Symbol::Sort(_) = self {
            add(unit.enum_attribute("willreturn"));
            add(unit.attribute("memory", 3)); // reads and writes what its argument points to, only
            declared.add_attribute(AttributeLoc::Param(0), unit.attribute("captures", 0)); // nothing
        }
        if self.is_of_numbers() {
            add(unit.enum_attribute("willreturn"));
            add(unit.attribute("memory", 0)); // neither reads nor writes any
        }
    }

    /// Whether it computes a number from numbers.
    fn is_of_numbers(self) -> bool {
        match self {
            Symbol::IntPower | Symbol::Power(_) | Symbol::Function(..) | Symbol::FunctionOfTwo(..) => true,
            Symbol::Rest(_) | Symbol::Modulus | Symbol::Angle | Symbol::Complex(..) => true,
            Symbol::ComplexPower(_) | Symbol::ComplexQuotient(..) => true,
            Symbol::F16FromF32 | Symbol::F32FromF16 | Symbol::F16FromF64 | Symbol::BF16FromF64 => true,
            Symbol::Sort(_) | Symbol::ParallelFor => false,
        }
    }

    fn signature<'c>(self, unit: &Unit<'c, '_>) -> FunctionType<'c> {
        let types = unit.types();
        let (index, pointer, half) = (types.index(), types.pointer(), types.int(16));
        let (single, double) = (types.float(Float::F32), types.float(Float::F64));
        match self {
            Symbol::IntPower => index.fn_type(&[index.into(), index.into()], false),
            Symbol::Function(_, register) => {
                let float = types.float(register.float());
                float.fn_type(&[float.into()], false)
            }
            Symbol::Power(register) | Symbol::FunctionOfTwo(_, register) | Symbol::Rest(register) => {
                let float = types.float(register.float());
                float.fn_type(&[float.into(), float.into()], false)
            }
            Symbol::Modulus | Symbol::Angle | Symbol::Complex(..) => {
                double.fn_type(&[double.into(), double.into()], false)
            }
            Symbol::ComplexPower(_) => double.fn_type(&[double.into(); 4], false),
            Symbol::ComplexQuotient(register, _) => {
                let float = types.float(register.float());
                float.fn_type(&[float.into(); 4], false)
            }
            Symbol::F16FromF32 => half.fn_type(&[single.into()], false),
            Symbol::F32FromF16 => single.fn_type(&[half.into()], false),
            Symbol::F16FromF64 | Symbol::BF16FromF64 => half.fn_type(&[double.into()], false),
            Symbol::Sort(_) => unit.cx.void_type().fn_type(&[pointer.into(), index.into(), index.into()], false),
            Symbol::ParallelFor => {
                let (pointer, index) = (BasicMetadataTypeEnum::from(pointer), BasicMetadataTypeEnum::from(index));
                let params = [pointer, index, index, pointer, pointer, pointer, index];
                unit.cx.void_type().fn_type(&params, false)
            }
        }
    }
}

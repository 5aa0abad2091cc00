//! Functions of nnz that compiled code calls, bound by address. So results agree with the interpreter's on
//! every machine, however LLVM implements its intrinsics there.

use half::f16;
use inkwell::{
    attributes::AttributeLoc,
    types::{BasicMetadataTypeEnum, FunctionType},
    values::FunctionValue,
};
use num_complex::Complex64;

use super::{emit::Unit, types::Float};
use nnz_base::{
    element::{Repr, to_bf16, to_f16},
    functions::{BinaryFunction, UnaryFunction},
};
use nnz_loops::complex;

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
    Sort(Repr),
    /// `(team, lo, hi, body, frame, positions, bytes)`; see `parallel`.
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
    /// No name here is one that LLVM knows and would replace.
    fn name(self) -> String {
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
            Symbol::Sort(repr) => format!("nnz_sort_{repr:?}"),
            Symbol::ParallelFor => "nnz_parallel_for".into(),
        }
    }

    /// The function's declaration in `unit`, made at the first use.
    pub(super) fn declare<'c>(self, unit: &Unit<'c, '_>) -> FunctionValue<'c> {
        let name = self.name();
        if let Some(known) = unit.module.get_function(&name) {
            return known;
        }
        let declared = unit.module.add_function(&name, self.signature(unit), None);
        self.promise(unit, declared);
        unit.symbols.borrow_mut().push((name, self.address()));
        declared
    }

    /// What LLVM may assume of a call.
    fn promise<'c>(self, unit: &Unit<'c, '_>, declared: FunctionValue<'c>) {
        let add = |attribute| declared.add_attribute(AttributeLoc::Function, attribute);
        add(unit.enum_attribute("nounwind"));
        match self {
            Symbol::ParallelFor => {}
            Symbol::Sort(_) => {
                add(unit.enum_attribute("willreturn"));
                add(unit.attribute("memory", 3)); // reads and writes what its argument points to, only
                declared.add_attribute(AttributeLoc::Param(0), unit.attribute("captures", 0)); // nothing
            }
            _ => {
                add(unit.enum_attribute("willreturn"));
                add(unit.attribute("memory", 0)); // neither reads nor writes any
            }
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

    fn address(self) -> usize {
        match self {
            Symbol::IntPower => int_power as *const () as usize,
            Symbol::Function(function, Register::Single) => function.single() as *const () as usize,
            Symbol::Function(function, Register::Double) => function.double() as *const () as usize,
            Symbol::FunctionOfTwo(function, Register::Single) => function.single() as *const () as usize,
            Symbol::FunctionOfTwo(function, Register::Double) => function.double() as *const () as usize,
            Symbol::Power(Register::Single) => single::power as *const () as usize,
            Symbol::Power(Register::Double) => double::power as *const () as usize,
            Symbol::Rest(Register::Single) => single::rest as *const () as usize,
            Symbol::Rest(Register::Double) => double::rest as *const () as usize,
            Symbol::Modulus => modulus as *const () as usize,
            Symbol::Angle => angle as *const () as usize,
            Symbol::Complex(function, Part::Re) => function.complex_parts()[0] as *const () as usize,
            Symbol::Complex(function, Part::Im) => function.complex_parts()[1] as *const () as usize,
            Symbol::ComplexPower(Part::Re) => power_re as *const () as usize,
            Symbol::ComplexPower(Part::Im) => power_im as *const () as usize,
            Symbol::ComplexQuotient(Register::Single, Part::Re) => single::quotient_re as *const () as usize,
            Symbol::ComplexQuotient(Register::Single, Part::Im) => single::quotient_im as *const () as usize,
            Symbol::ComplexQuotient(Register::Double, Part::Re) => double::quotient_re as *const () as usize,
            Symbol::ComplexQuotient(Register::Double, Part::Im) => double::quotient_im as *const () as usize,
            Symbol::F16FromF32 => f16_from_f32 as *const () as usize,
            Symbol::F32FromF16 => f32_from_f16 as *const () as usize,
            Symbol::F16FromF64 => f16_from_f64 as *const () as usize,
            Symbol::BF16FromF64 => bf16_from_f64 as *const () as usize,
            Symbol::Sort(Repr::U8) => sort::<u8> as *const () as usize,
            Symbol::Sort(Repr::U16) => sort::<u16> as *const () as usize,
            Symbol::Sort(Repr::U32) => sort::<u32> as *const () as usize,
            Symbol::Sort(_) => sort::<i64> as *const () as usize,
            Symbol::ParallelFor => super::parallel::parallel_for as *const () as usize,
        }
    }
}

/// Operations of one float type, each as the interpreter computes it.
macro_rules! operations {
    ($module:ident, $float:ty) => {
        mod $module {
            use num_complex::Complex;

            use nnz_loops::quotient::quotient;

            pub(super) extern "C" fn power(x: $float, y: $float) -> $float {
                x.powf(y)
            }
            pub(super) extern "C" fn rest(a: $float, b: $float) -> $float {
                a % b
            }
            pub(super) extern "C" fn quotient_re(ar: $float, ai: $float, br: $float, bi: $float) -> $float {
                quotient(Complex::new(ar, ai), Complex::new(br, bi)).re
            }
            pub(super) extern "C" fn quotient_im(ar: $float, ai: $float, br: $float, bi: $float) -> $float {
                quotient(Complex::new(ar, ai), Complex::new(br, bi)).im
            }
        }
    };
}
operations!(single, f32);
operations!(double, f64);

extern "C" fn modulus(re: f64, im: f64) -> f64 {
    complex::modulus(Complex64::new(re, im))
}
extern "C" fn angle(re: f64, im: f64) -> f64 {
    complex::angle(Complex64::new(re, im))
}
extern "C" fn power_re(re: f64, im: f64, exponent_re: f64, exponent_im: f64) -> f64 {
    complex::power(Complex64::new(re, im), Complex64::new(exponent_re, exponent_im)).re
}
extern "C" fn power_im(re: f64, im: f64, exponent_re: f64, exponent_im: f64) -> f64 {
    complex::power(Complex64::new(re, im), Complex64::new(exponent_re, exponent_im)).im
}

/// By squaring, modulo 2^64; the low bits are those of any narrower type.
extern "C" fn int_power(mut base: u64, mut exponent: u64) -> u64 {
    let mut power: u64 = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent /= 2;
    }
    power
}

/// Sorts entries `lo..hi` (those of 64 bits as signed numbers, which `Index` is); few entries by insertion, as the standard library's sort does.
///
/// # Safety
/// The entries are inside the array that starts at `array`, and nothing else reaches them meanwhile.
unsafe extern "C" fn sort<T: Ord>(array: *mut T, lo: i64, hi: i64) {
    let (Ok(start), Ok(count)) = (usize::try_from(lo), usize::try_from(hi.saturating_sub(lo))) else { return };
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts_mut(array.add(start), count) }.sort_unstable();
}

extern "C" fn f16_from_f32(x: f32) -> u16 {
    f16::from_f32(x).to_bits()
}
extern "C" fn f32_from_f16(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32()
}
extern "C" fn f16_from_f64(x: f64) -> u16 {
    to_f16(x).to_bits()
}
extern "C" fn bf16_from_f64(x: f64) -> u16 {
    to_bf16(x).to_bits()
}

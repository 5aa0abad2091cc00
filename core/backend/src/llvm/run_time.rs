//! The functions that compiled code calls. Because of them results agree with the interpreter's on every machine,
//! however LLVM implements its intrinsics there. The engine binds them by name.

mod balance;
pub(super) mod parallel;

use std::{collections::HashMap, sync::LazyLock};

use half::f16;
use num_complex::Complex64;

use super::symbols::{
    Part, Register,
    Symbol::{self, *},
};
use nnz_base::{
    element::{to_bf16, to_f16},
    functions::{BinaryFunction, UnaryFunction},
};
use nnz_loops::{complex, machine::Width};
use parallel::parallel_for;

/// Where a function is, if there is one of this name.
pub(super) fn address(name: &str) -> Option<usize> {
    static TABLE: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
        let rows = rows().into_iter();
        rows.map(|(symbol, function)| (symbol.name(), function as usize)).collect()
    });
    TABLE.get(name).copied()
}

type Row = (Symbol, *const ());

fn rows() -> Vec<Row> {
    let of_one = UnaryFunction::ALL.iter().flat_map(|function| {
        let [re, im] = function.complex_parts();
        [
            (Function(*function, Register::Single), function.single() as *const ()),
            (Function(*function, Register::Double), function.double() as *const ()),
            (Complex(*function, Part::Re), re as *const ()),
            (Complex(*function, Part::Im), im as *const ()),
        ]
    });
    let of_two = BinaryFunction::ALL.iter().flat_map(|function| {
        [
            (FunctionOfTwo(*function, Register::Single), function.single() as *const ()),
            (FunctionOfTwo(*function, Register::Double), function.double() as *const ()),
        ]
    });
    of_one.chain(of_two).chain(arithmetic()).chain(conversions()).chain(loops()).collect()
}

fn arithmetic() -> [Row; 13] {
    [
        (IntPower, int_power as *const ()),
        (Power(Register::Single), single::power as *const ()),
        (Power(Register::Double), double::power as *const ()),
        (Rest(Register::Single), single::rest as *const ()),
        (Rest(Register::Double), double::rest as *const ()),
        (Modulus, modulus as *const ()),
        (Angle, angle as *const ()),
        (ComplexPower(Part::Re), power_re as *const ()),
        (ComplexPower(Part::Im), power_im as *const ()),
        (ComplexQuotient(Register::Single, Part::Re), single::quotient_re as *const ()),
        (ComplexQuotient(Register::Single, Part::Im), single::quotient_im as *const ()),
        (ComplexQuotient(Register::Double, Part::Re), double::quotient_re as *const ()),
        (ComplexQuotient(Register::Double, Part::Im), double::quotient_im as *const ()),
    ]
}

fn conversions() -> [Row; 4] {
    [
        (F16FromF32, f16_from_f32 as *const ()),
        (F32FromF16, f32_from_f16 as *const ()),
        (F16FromF64, f16_from_f64 as *const ()),
        (BF16FromF64, bf16_from_f64 as *const ()),
    ]
}

fn loops() -> [Row; 5] {
    [
        (Sort(Width::W8), sort::<u8> as *const ()),
        (Sort(Width::W16), sort::<u16> as *const ()),
        (Sort(Width::W32), sort::<u32> as *const ()),
        (Sort(Width::W64), sort::<i64> as *const ()),
        (ParallelFor, parallel_for as *const ()),
    ]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "a function has several addresses there")]
    fn every_name_is_that_of_one_function() {
        let rows = rows();
        for (symbol, function) in &rows {
            assert!(symbol.name().starts_with(crate::llvm::symbols::PREFIX), "{symbol:?}");
            assert_eq!(address(&symbol.name()), Some(*function as usize), "{symbol:?}");
        }
        assert_eq!(address("nnz_nothing"), None);
    }

    /// `array` with the entries `lo..hi` sorted.
    fn sorted<T: Ord>(mut array: Vec<T>, lo: i64, hi: i64) -> Vec<T> {
        // SAFETY: the tests give ranges inside the array, or empty ones.
        unsafe { sort(array.as_mut_ptr(), lo, hi) };
        array
    }

    #[test]
    fn a_range_is_sorted_and_nothing_else() {
        assert_eq!(sorted::<u8>(vec![9, 3, 2, 1, 0], 1, 4), [9, 1, 2, 3, 0]);
        assert_eq!(sorted::<u16>(vec![2, 1], 0, 2), [1, 2]);
        assert_eq!(sorted::<u32>((0..40).rev().collect(), 0, 40), (0..40).collect::<Vec<u32>>());
        assert_eq!(sorted::<i64>(vec![0, -1, i64::MIN], 0, 3), [i64::MIN, -1, 0]);
        for (lo, hi) in [(2, 2), (2, 1), (-1, 2), (0, -1)] {
            assert_eq!(sorted::<u8>(vec![2, 1], lo, hi), [2, 1], "{lo}..{hi}");
        }
    }
}

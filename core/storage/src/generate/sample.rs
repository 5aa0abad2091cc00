//! Random numbers and sets of them, the same on every machine.

use super::{GenerateError, Work};
use num_complex::Complex;
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};
use rayon::slice::ParallelSliceMut;

use nnz_base::{
    element::{Element, Repr, Scalar},
    memory,
};

pub(super) struct Sampler(ChaCha8Rng);

impl Sampler {
    pub(super) fn new(seed: u64) -> Sampler {
        Sampler(ChaCha8Rng::seed_from_u64(seed))
    }

    /// `bits` random bits, at most 128.
    fn bits(&mut self, bits: u32) -> u128 {
        let low = u128::from(self.0.next_u64());
        let high = if bits > 64 { u128::from(self.0.next_u64()) } else { 0 };
        (low | high << 64) & (u128::MAX.checked_shr(128 - bits).unwrap_or(0))
    }

    /// Uniform in `0..size`, by rejection; 0 where `size` is 0.
    pub(super) fn below(&mut self, size: u128) -> u128 {
        let bits = 128 - size.saturating_sub(1).leading_zeros();
        loop {
            let number = self.bits(bits);
            if number < size.max(1) {
                return number;
            }
        }
    }

    /// Uniform in `(0, 1]`, a multiple of 2^-`bits`.
    fn unit(&mut self, bits: u32) -> f64 {
        (self.bits(bits) + 1) as f64 / (1u64 << bits) as f64
    }

    /// A value that is never zero: floats uniform in (0, 1] on a grid that the type holds exactly,
    /// both parts of complex numbers so; integers uniform in 1..=100, or up to the type's largest.
    pub(super) fn value(&mut self, element: Element) -> Scalar {
        match element.repr() {
            Repr::F64 => Scalar::Float(self.unit(53)),
            Repr::F32 => Scalar::Float(self.unit(24)),
            Repr::F16 => Scalar::Float(self.unit(11)),
            Repr::BF16 => Scalar::Float(self.unit(8)),
            Repr::C32 => Scalar::Complex(Complex::new(self.unit(24), self.unit(24))),
            Repr::C64 => Scalar::Complex(Complex::new(self.unit(53), self.unit(53))),
            Repr::I8 | Repr::I16 | Repr::I32 | Repr::I64 | Repr::U8 | Repr::U16 | Repr::U32 | Repr::U64 => {
                Scalar::Int(self.integer(element))
            }
        }
    }

    fn integer(&mut self, element: Element) -> i128 {
        let largest = element.int_range().map_or(100, |(_, high)| high.min(100));
        1 + self.below(largest.unsigned_abs()) as i128
    }

    /// Whether a chance of `probability` comes true.
    pub(super) fn chance(&mut self) -> f64 {
        self.bits(53) as f64 / (1u64 << 53) as f64
    }

    /// `count` distinct numbers of `0..size`, every set as likely, in order. `count <= size`.
    ///
    /// Numbers are drawn until enough are distinct; of more than half, those left out are drawn.
    pub(super) fn distinct(&mut self, size: u128, count: usize, work: Work<'_>) -> Result<Vec<u128>, GenerateError> {
        let absent = size.saturating_sub(count as u128);
        if count as u128 <= size / 2 {
            return self.sparse_set(size, count, work);
        }
        let absent = self.sparse_set(size, usize::try_from(absent).unwrap_or(usize::MAX), work)?;
        let mut absent = absent.into_iter().peekable();
        let mut present = (0..size).filter(|number| absent.next_if_eq(number).is_none());
        let mut numbers = memory::array(count)?;
        work.each(&mut numbers, count, || present.next().unwrap_or_default())?;
        Ok(numbers)
    }

    fn sparse_set(&mut self, size: u128, count: usize, work: Work<'_>) -> Result<Vec<u128>, GenerateError> {
        let mut numbers = memory::array(count)?;
        while numbers.len() < count {
            let missing = count - numbers.len();
            work.each(&mut numbers, missing, || self.below(size))?;
            nnz_base::threads::within(|| numbers.par_sort_unstable());
            numbers.dedup();
        }
        Ok(numbers)
    }
}

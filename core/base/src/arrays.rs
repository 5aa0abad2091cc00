//! The flat arrays that tensors and kernels are made of: values of any element type, and
//! positions or coordinates of any width.

use std::{borrow::Cow, ops::Range};

use half::{bf16, f16};
use num_complex::Complex;

use crate::{
    element::{Element, Repr, Scalar, Value},
    memory::{self, NoRoom},
};

/// Runs `$body` with `$v` bound to the typed vector inside a [`Values`].
#[macro_export]
macro_rules! with_values {
    ($values:expr, $v:ident => $body:expr) => {
        match $values {
            $crate::arrays::Values::F64($v) => $body,
            $crate::arrays::Values::F32($v) => $body,
            $crate::arrays::Values::F16($v) => $body,
            $crate::arrays::Values::BF16($v) => $body,
            $crate::arrays::Values::I8($v) => $body,
            $crate::arrays::Values::I16($v) => $body,
            $crate::arrays::Values::I32($v) => $body,
            $crate::arrays::Values::I64($v) => $body,
            $crate::arrays::Values::U8($v) => $body,
            $crate::arrays::Values::U16($v) => $body,
            $crate::arrays::Values::U32($v) => $body,
            $crate::arrays::Values::U64($v) => $body,
            $crate::arrays::Values::C32($v) => $body,
            $crate::arrays::Values::C64($v) => $body,
        }
    };
}

/// A vector of values in their machine type.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    F64(Vec<f64>),
    F32(Vec<f32>),
    F16(Vec<f16>),
    BF16(Vec<bf16>),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    C32(Vec<Complex<f32>>),
    C64(Vec<Complex<f64>>),
}

impl Values {
    pub fn zeros(element: Element, len: usize) -> Values {
        let mut values = Values::with_capacity(element, 0);
        with_values!(&mut values, v => *v = vec![Default::default(); len]);
        values
    }

    pub fn with_capacity(element: Element, capacity: usize) -> Values {
        match element.repr() {
            Repr::F64 => Values::F64(Vec::with_capacity(capacity)),
            Repr::F32 => Values::F32(Vec::with_capacity(capacity)),
            Repr::F16 => Values::F16(Vec::with_capacity(capacity)),
            Repr::BF16 => Values::BF16(Vec::with_capacity(capacity)),
            Repr::I8 => Values::I8(Vec::with_capacity(capacity)),
            Repr::I16 => Values::I16(Vec::with_capacity(capacity)),
            Repr::I32 => Values::I32(Vec::with_capacity(capacity)),
            Repr::I64 => Values::I64(Vec::with_capacity(capacity)),
            Repr::U8 => Values::U8(Vec::with_capacity(capacity)),
            Repr::U16 => Values::U16(Vec::with_capacity(capacity)),
            Repr::U32 => Values::U32(Vec::with_capacity(capacity)),
            Repr::U64 => Values::U64(Vec::with_capacity(capacity)),
            Repr::C32 => Values::C32(Vec::with_capacity(capacity)),
            Repr::C64 => Values::C64(Vec::with_capacity(capacity)),
        }
    }

    /// No values yet, with room for `count`.
    ///
    /// # Errors
    /// There is none.
    pub fn with_room(element: Element, count: usize) -> Result<Values, NoRoom> {
        let mut values = Values::with_capacity(element, 0);
        with_values!(&mut values, v => *v = memory::array(count)?);
        Ok(values)
    }

    pub fn from_scalars(element: Element, scalars: impl IntoIterator<Item = Scalar>) -> Values {
        let scalars = scalars.into_iter();
        let mut values = Values::with_capacity(element, scalars.size_hint().0);
        scalars.for_each(|scalar| values.push(scalar));
        values
    }

    pub fn repr(&self) -> Repr {
        fn of<T: Value>(_: &[T]) -> Repr {
            T::REPR
        }
        with_values!(self, v => of(v))
    }
    pub fn len(&self) -> usize {
        with_values!(self, v => v.len())
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub fn get(&self, at: usize) -> Option<Scalar> {
        with_values!(self, v => v.get(at).map(|x| x.to_scalar()))
    }
    pub fn push(&mut self, scalar: Scalar) {
        with_values!(self, v => v.push(Value::from_scalar(scalar)))
    }
    /// Overwrites entry `at`, which must exist.
    pub fn set(&mut self, at: usize, scalar: Scalar) {
        with_values!(self, v => v[at] = Value::from_scalar(scalar))
    }
    pub fn iter(&self) -> impl Iterator<Item = Scalar> + '_ {
        (0..self.len()).filter_map(|at| self.get(at))
    }
    /// Drops all but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        with_values!(self, v => v.truncate(len));
    }
    /// The values at the given places, each of which must exist.
    pub fn picked(&self, places: &[usize]) -> Values {
        with_values!(self, v => Values::from(places.iter().map(|at| v[*at]).collect::<Vec<_>>()))
    }
    pub fn bytes(&self) -> usize {
        fn of<T>(v: &[T]) -> usize {
            std::mem::size_of_val(v)
        }
        with_values!(self, v => of(v))
    }
}

macro_rules! values_from {
    ($($variant:ident $ty:ty),*) => { $(
        impl From<Vec<$ty>> for Values {
            fn from(values: Vec<$ty>) -> Values {
                Values::$variant(values)
            }
        }
    )* };
}
values_from!(F64 f64, F32 f32, F16 f16, BF16 bf16, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64);
values_from!(C32 Complex<f32>, C64 Complex<f64>);

/// The width of the entries of position or coordinate arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Width {
    /// `index`, 64 bits; also the meaning of an absent or zero width.
    #[default]
    Index,
    /// Two bits packed four to a byte: coordinates of a structured level only; MLIR wants 8 here.
    W2,
    W8,
    W16,
    W32,
    W64,
}

impl Width {
    pub fn bits(self) -> u32 {
        match self {
            Width::W2 => 2,
            Width::W8 => 8,
            Width::W16 => 16,
            Width::W32 => 32,
            Width::Index | Width::W64 => 64,
        }
    }
    /// The largest number that fits.
    pub fn max(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
    /// The narrowest byte-wide width that holds `number`.
    pub fn for_number(number: u64) -> Width {
        [Width::W8, Width::W16, Width::W32].into_iter().find(|width| number <= width.max()).unwrap_or(Width::W64)
    }
    /// The element type of the array, as MLIR names it: `index`, `i8`, ...
    pub fn type_name(self) -> &'static str {
        match self {
            Width::Index => "index",
            Width::W2 => "i2",
            Width::W8 => "i8",
            Width::W16 => "i16",
            Width::W32 => "i32",
            Width::W64 => "i64",
        }
    }
}

/// An array of positions or coordinates, each below or at `width.max()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexArray {
    /// Two bits an entry; `bytes` holds `len.div_ceil(4)` bytes, the first entry lowest.
    U2 {
        len: usize,
        bytes: Vec<u8>,
    },
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

/// A number that its array's width cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WidthOverflow {
    pub at: usize,
    pub number: u64,
    pub width: Width,
}

impl IndexArray {
    /// Narrows `numbers` to `width`.
    ///
    /// # Errors
    /// The first number that does not fit.
    pub fn new(numbers: Vec<u64>, width: Width) -> Result<IndexArray, WidthOverflow> {
        if let Some(at) = numbers.iter().position(|&number| number > width.max()) {
            return Err(WidthOverflow { at, number: numbers[at], width });
        }
        Ok(match width {
            Width::Index | Width::W64 => IndexArray::U64(numbers),
            Width::W32 => IndexArray::U32(numbers.into_iter().map(|n| n as u32).collect()),
            Width::W16 => IndexArray::U16(numbers.into_iter().map(|n| n as u16).collect()),
            Width::W8 => IndexArray::U8(numbers.into_iter().map(|n| n as u8).collect()),
            Width::W2 => pack_pairs(&numbers),
        })
    }
    /// `len` zeros.
    pub fn zeros(width: Width, len: usize) -> IndexArray {
        match width {
            Width::Index | Width::W64 => IndexArray::U64(vec![0; len]),
            Width::W32 => IndexArray::U32(vec![0; len]),
            Width::W16 => IndexArray::U16(vec![0; len]),
            Width::W8 => IndexArray::U8(vec![0; len]),
            Width::W2 => IndexArray::U2 { len, bytes: vec![0; len.div_ceil(4)] },
        }
    }
    /// Keeps the first `to` entries; all, if there are fewer.
    pub fn truncate(&mut self, to: usize) {
        match self {
            IndexArray::U2 { len, bytes } => {
                *len = to.min(*len);
                bytes.truncate(len.div_ceil(4));
            }
            IndexArray::U8(v) => v.truncate(to),
            IndexArray::U16(v) => v.truncate(to),
            IndexArray::U32(v) => v.truncate(to),
            IndexArray::U64(v) => v.truncate(to),
        }
    }
    pub fn len(&self) -> usize {
        match self {
            IndexArray::U2 { len, .. } => *len,
            IndexArray::U8(v) => v.len(),
            IndexArray::U16(v) => v.len(),
            IndexArray::U32(v) => v.len(),
            IndexArray::U64(v) => v.len(),
        }
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Entry `at`.
    ///
    /// # Panics
    /// Where `at >= len()`, as slices do.
    pub fn at(&self, at: usize) -> u64 {
        match self {
            IndexArray::U2 { bytes, .. } => u64::from(bytes[at / 4] >> (2 * (at % 4)) & 3),
            IndexArray::U8(v) => u64::from(v[at]),
            IndexArray::U16(v) => u64::from(v[at]),
            IndexArray::U32(v) => u64::from(v[at]),
            IndexArray::U64(v) => v[at],
        }
    }
    /// Overwrites entry `at` with the low bits of `number`.
    ///
    /// # Panics
    /// Where `at >= len()`, as slices do.
    pub fn set(&mut self, at: usize, number: u64) {
        match self {
            IndexArray::U2 { len, bytes } => {
                assert!(at < *len, "entry {at} of {len}");
                let shift = 2 * (at % 4);
                bytes[at / 4] = bytes[at / 4] & !(3 << shift) | ((number & 3) as u8) << shift;
            }
            IndexArray::U8(v) => v[at] = number as u8,
            IndexArray::U16(v) => v[at] = number as u16,
            IndexArray::U32(v) => v[at] = number as u32,
            IndexArray::U64(v) => v[at] = number,
        }
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        (0..self.len()).map(|at| self.at(at))
    }
    /// The largest entry.
    pub fn largest(&self) -> Option<u64> {
        match self {
            IndexArray::U2 { .. } => self.iter().max(),
            IndexArray::U8(v) => v.iter().max().map(|&n| n.into()),
            IndexArray::U16(v) => v.iter().max().map(|&n| n.into()),
            IndexArray::U32(v) => v.iter().max().map(|&n| n.into()),
            IndexArray::U64(v) => v.iter().max().copied(),
        }
    }
    /// The first entry of `range` that is below the one before it, or, if `strictly`, not above it.
    ///
    /// # Panics
    /// Where the range goes beyond `len()`, as slices do.
    pub fn fall(&self, range: Range<usize>, strictly: bool) -> Option<usize> {
        let start = range.start;
        let fall = match self {
            IndexArray::U2 { .. } => fall(&range.map(|at| self.at(at)).collect::<Vec<_>>(), strictly),
            IndexArray::U8(v) => fall(&v[range], strictly),
            IndexArray::U16(v) => fall(&v[range], strictly),
            IndexArray::U32(v) => fall(&v[range], strictly),
            IndexArray::U64(v) => fall(&v[range], strictly),
        };
        fall.map(|at| start + at + 1)
    }
    /// The whole array as 64-bit numbers, borrowed where it is stored so.
    pub fn widened(&self) -> Cow<'_, [u64]> {
        match self {
            IndexArray::U2 { .. } => self.iter().collect(),
            IndexArray::U8(v) => v.iter().map(|&n| u64::from(n)).collect(),
            IndexArray::U16(v) => v.iter().map(|&n| u64::from(n)).collect(),
            IndexArray::U32(v) => v.iter().map(|&n| u64::from(n)).collect(),
            IndexArray::U64(v) => Cow::Borrowed(v),
        }
    }
    /// Bits of one entry.
    pub fn bits(&self) -> u32 {
        match self {
            IndexArray::U2 { .. } => 2,
            IndexArray::U8(_) => 8,
            IndexArray::U16(_) => 16,
            IndexArray::U32(_) => 32,
            IndexArray::U64(_) => 64,
        }
    }
    pub fn bytes(&self) -> usize {
        match self {
            IndexArray::U2 { bytes, .. } => bytes.len(),
            IndexArray::U8(v) => v.len(),
            IndexArray::U16(v) => v.len() * 2,
            IndexArray::U32(v) => v.len() * 4,
            IndexArray::U64(v) => v.len() * 8,
        }
    }
}

/// The first pair of neighbours that does not rise.
fn fall<T: PartialOrd>(numbers: &[T], strictly: bool) -> Option<usize> {
    let mut pairs = numbers.windows(2);
    match strictly {
        true => pairs.position(|pair| pair[0] >= pair[1]),
        false => pairs.position(|pair| pair[0] > pair[1]),
    }
}

fn pack_pairs(numbers: &[u64]) -> IndexArray {
    let pack = |four: &[u64]| four.iter().enumerate().fold(0, |byte, (at, &n)| byte | (n as u8) << (2 * at));
    IndexArray::U2 { len: numbers.len(), bytes: numbers.chunks(4).map(pack).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falls_are_found_in_every_width() {
        for width in [Width::W2, Width::W8, Width::W16, Width::W32, Width::W64] {
            let numbers = IndexArray::new(vec![3, 0, 1, 1, 2, 0], width).unwrap();
            assert_eq!(numbers.largest(), Some(3));
            assert_eq!(numbers.fall(0..6, true), Some(1));
            assert_eq!(numbers.fall(1..6, true), Some(3));
            assert_eq!(numbers.fall(1..6, false), Some(5));
            assert_eq!((numbers.fall(1..5, false), numbers.fall(4..4, true)), (None, None));
        }
    }

    #[test]
    fn widths_are_checked_and_kept() {
        for width in [Width::W2, Width::W8, Width::W16, Width::W32, Width::W64, Width::Index] {
            let numbers = vec![0, 1, 3, 2, width.max()];
            let array = IndexArray::new(numbers.clone(), width).unwrap();
            assert_eq!(array.iter().collect::<Vec<_>>(), numbers);
        }
        for width in [Width::W2, Width::W8, Width::W16, Width::W32, Width::W64] {
            let mut array = IndexArray::new(vec![1; 6], width).unwrap();
            array.set(4, u64::MAX - 1);
            assert_eq!(array.iter().collect::<Vec<_>>(), [1, 1, 1, 1, width.max() - 1, 1]);
        }
        let overflow = IndexArray::new(vec![7, 256], Width::W8).unwrap_err();
        assert_eq!(overflow, WidthOverflow { at: 1, number: 256, width: Width::W8 });
    }
}

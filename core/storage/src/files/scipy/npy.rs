//! One array in NumPy's `.npy` format, versions 1 to 3 (`numpy.lib.format`): a magic string, a
//! header that is a Python dictionary, then the items.

use half::f16;
use num_complex::Complex;

use super::super::{Cause, FileError};
use nnz_base::{
    arrays::Values,
    element::Element,
    memory::{self, NoRoom},
};

const MAGIC: &[u8] = b"\x93NUMPY";

/// An error in an array.
#[derive(Debug, PartialEq)]
pub(super) struct NpyError {
    cause: Cause,
    message: String,
}

impl NpyError {
    fn malformed(message: impl Into<String>) -> NpyError {
        NpyError { cause: Cause::Malformed, message: message.into() }
    }
    fn no_room(refused: NoRoom) -> NpyError {
        NpyError { cause: Cause::NoRoom, message: refused.to_string() }
    }
    fn unsupported(message: impl Into<String>) -> NpyError {
        NpyError { cause: Cause::Unsupported, message: message.into() }
    }
    /// In the array called `name`.
    pub(super) fn of(self, name: &str) -> FileError {
        FileError { cause: self.cause, ..super::in_array(name, self.message) }
    }
}

/// The type of the items: NumPy's letter and the bytes of one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Items {
    kind: u8,
    bytes: usize,
    big_endian: bool,
}

/// No array of numbers has a longer one.
pub(super) const LONGEST_HEAD: u64 = 1 << 17;

/// The part before the items.
#[derive(Debug, PartialEq)]
pub(super) struct Head {
    items: Items,
    shape: Vec<u64>,
    fortran: bool,
    start: usize,
    /// Where the items end, in bytes.
    pub(super) end: u64,
}

impl Head {
    /// Reads it off an array's first bytes.
    ///
    /// # Errors
    /// Bytes not in the format; sizes that no file has; Python objects and records.
    pub(super) fn parse(bytes: &[u8]) -> Result<Head, NpyError> {
        let (header, start) = header(bytes).ok_or_else(|| NpyError::malformed("this is not a NumPy array"))?;
        ["descr", "fortran_order", "shape"].iter().try_for_each(|key| said_once(&header, key))?;
        let items = Items::parse(&header)?;
        let shape = shape(&header)?;
        let fortran = is_fortran(&header)?;
        let count = shape.iter().try_fold(1u64, |count, &size| count.checked_mul(size));
        let end = count.and_then(|count| count.checked_mul(items.bytes as u64)?.checked_add(start as u64));
        let end = end.ok_or_else(|| {
            let message = format!("its header says shape {shape:?} of {}-byte items: no file has so many", items.bytes);
            NpyError::malformed(message)
        })?;
        Ok(Head { items, shape, fortran, start, end })
    }
}

#[derive(Debug, PartialEq)]
pub(super) struct Array {
    items: Items,
    pub(super) shape: Vec<u64>,
    /// Whether the first subscript varies fastest.
    pub(super) fortran: bool,
    data: Vec<u8>,
}

impl Array {
    /// The array whose bytes begin with `head`.
    ///
    /// # Errors
    /// Data shorter or longer than the head says.
    pub(super) fn new(head: Head, mut bytes: Vec<u8>) -> Result<Array, NpyError> {
        let Head { items, shape, fortran, start, end } = head;
        let length = bytes.len() as u64;
        bytes.drain(..start.min(bytes.len()));
        if length == end {
            return Ok(Array { items, shape, fortran, data: bytes });
        }
        let follow = match length > end {
            true => format!("more than {}", end - start as u64),
            false => bytes.len().to_string(),
        };
        let message =
            format!("its header says shape {shape:?} of {}-byte items, but {follow} bytes follow", items.bytes);
        Err(NpyError::malformed(message))
    }

    /// Characters, as the name of a format is kept.
    pub(super) fn text(&self) -> Result<String, NpyError> {
        let letters: Vec<u8> = match self.items.kind {
            b'S' => self.data.clone(),
            b'U' => self.data.chunks(4).map(|letter| letter.iter().copied().max().unwrap_or(0)).collect(),
            _ => return Err(NpyError::malformed("this is not text")),
        };
        Ok(String::from_utf8_lossy(&letters).trim_end_matches('\0').to_string())
    }

    /// Whole numbers.
    pub(super) fn indices(&self) -> Result<Vec<i64>, NpyError> {
        let values = match self.items.kind {
            b'i' | b'u' => self.values()?.1,
            _ => return Err(NpyError::malformed("its items are not whole numbers")),
        };
        let scalar = |scalar| match scalar {
            nnz_base::element::Scalar::Int(number) => i64::try_from(number).ok(),
            nnz_base::element::Scalar::Float(_) | nnz_base::element::Scalar::Complex(_) => None,
        };
        let mut numbers = memory::array(values.len()).map_err(NpyError::no_room)?;
        for value in values.iter() {
            numbers.push(scalar(value).ok_or_else(|| NpyError::malformed("a number does not fit 63 bits"))?);
        }
        Ok(numbers)
    }

    /// The items in the order of memory, and the element type that they are.
    pub(super) fn values(&self) -> Result<(Element, Values), NpyError> {
        Ok(match (self.items.kind, self.items.bytes) {
            (b'b', 1) => (Element::I1, Values::I8(self.parts(|[byte]| i8::from(byte != 0))?)),
            (b'i', 1) => (Element::I8, Values::I8(self.parts(i8::from_le_bytes)?)),
            (b'i', 2) => (Element::I16, Values::I16(self.parts(i16::from_le_bytes)?)),
            (b'i', 4) => (Element::I32, Values::I32(self.parts(i32::from_le_bytes)?)),
            (b'i', 8) => (Element::I64, Values::I64(self.parts(i64::from_le_bytes)?)),
            (b'u', 1) => (Element::U8, Values::U8(self.parts(u8::from_le_bytes)?)),
            (b'u', 2) => (Element::U16, Values::U16(self.parts(u16::from_le_bytes)?)),
            (b'u', 4) => (Element::U32, Values::U32(self.parts(u32::from_le_bytes)?)),
            (b'u', 8) => (Element::U64, Values::U64(self.parts(u64::from_le_bytes)?)),
            (b'f', 2) => (Element::F16, Values::F16(self.parts(f16::from_le_bytes)?)),
            (b'f', 4) => (Element::F32, Values::F32(self.parts(f32::from_le_bytes)?)),
            (b'f', 8) => (Element::F64, Values::F64(self.parts(f64::from_le_bytes)?)),
            (b'c', 8) => (Element::C32, Values::C32(pairs(self.parts(f32::from_le_bytes)?)?)),
            (b'c', 16) => (Element::C64, Values::C64(pairs(self.parts(f64::from_le_bytes)?)?)),
            (b'f', bytes @ (12 | 16)) => {
                let message =
                    format!("its items are of NumPy's `longdouble`, {bytes} bytes each, which nnz does not have");
                return Err(NpyError::unsupported(message));
            }
            (kind, bytes) => {
                let message = format!("items of NumPy's type `{}{bytes}` have no element type here", char::from(kind));
                return Err(NpyError::unsupported(message));
            }
        })
    }

    /// The data in parts of `N` bytes, each turned to the little end first.
    fn parts<const N: usize, T>(&self, part: impl Fn([u8; N]) -> T) -> Result<Vec<T>, NpyError> {
        let (parts, _) = self.data.as_chunks::<N>();
        let turned = |mut bytes: [u8; N]| {
            if self.items.big_endian {
                bytes.reverse();
            }
            part(bytes)
        };
        array_of(parts.iter().copied().map(turned))
    }
}

fn pairs<T: Copy>(parts: Vec<T>) -> Result<Vec<Complex<T>>, NpyError> {
    let (pairs, _) = parts.as_chunks::<2>();
    array_of(pairs.iter().map(|&[re, im]| Complex::new(re, im)))
}

fn array_of<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, NpyError> {
    let mut array = memory::array(items.len()).map_err(NpyError::no_room)?;
    array.extend(items);
    Ok(array)
}

impl Items {
    fn parse(header: &str) -> Result<Items, NpyError> {
        let descr = value_of(header, "descr").ok_or_else(|| NpyError::malformed("its header has no descr"))?;
        if descr.starts_with('[') {
            return Err(NpyError::unsupported("its items are records"));
        }
        let quote = descr.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        let spelt = quote.and_then(|quote| descr.get(1..)?.split(quote).next()).unwrap_or_default();
        let malformed = || NpyError::malformed(format!("its items are of the unknown type `{spelt}`"));
        let [order, kind, ref size @ ..] = *spelt.as_bytes() else { return Err(malformed()) };
        let size: usize = std::str::from_utf8(size).ok().and_then(|size| size.parse().ok()).ok_or_else(malformed)?;
        // Unicode is counted in letters of four bytes.
        let bytes = size.checked_mul(if kind == b'U' { 4 } else { 1 }).ok_or_else(malformed)?;
        match order {
            b'<' | b'|' | b'=' | b'>' => Ok(Items { kind, bytes, big_endian: order == b'>' }),
            _ => Err(malformed()),
        }
    }
}

/// The header's text, and where the items start.
fn header(bytes: &[u8]) -> Option<(String, usize)> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, start) = match *rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), MAGIC.len() + 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, MAGIC.len() + 6),
        _ => return None,
    };
    let end = start.checked_add(length)?;
    Some((String::from_utf8_lossy(bytes.get(start..end)?).into_owned(), end))
}

/// The text after a key of the header's dictionary.
fn value_of<'a>(header: &'a str, key: &str) -> Option<&'a str> {
    let at = header.find(&format!("'{key}'")).or_else(|| header.find(&format!("\"{key}\"")))?;
    let (_, value) = header.get(at..)?.split_once(':')?;
    Some(value.trim_start())
}

fn said_once(header: &str, key: &str) -> Result<(), NpyError> {
    let said = |quote: char| header.matches(&format!("{quote}{key}{quote}")).count();
    match said('\'') + said('"') {
        0 => Err(NpyError::malformed(format!("its header has no {key}"))),
        1 => Ok(()),
        _ => Err(NpyError::malformed(format!("its header has {key} twice"))),
    }
}

fn is_fortran(header: &str) -> Result<bool, NpyError> {
    let value = value_of(header, "fortran_order").unwrap_or_default();
    let wrong = || NpyError::malformed("its header has fortran_order, neither True nor False");
    if value.starts_with("True") { Ok(true) } else { value.starts_with("False").then_some(false).ok_or_else(wrong) }
}

/// A tuple of whole numbers; older Python wrote `3L`.
fn shape(header: &str) -> Result<Vec<u64>, NpyError> {
    let tuple = |value: &str| value.strip_prefix('(')?.split_once(')').map(|(sizes, _)| sizes.to_string());
    let sizes = value_of(header, "shape").and_then(tuple);
    let sizes = sizes.ok_or_else(|| NpyError::malformed("its header has no shape"))?;
    sizes.split(',').map(str::trim).filter(|size| !size.is_empty()).map(size).collect()
}

fn size(size: &str) -> Result<u64, NpyError> {
    size.trim_end_matches('L').parse().map_err(|_| {
        NpyError::malformed(format!(
            "its header's shape has the size `{size}`, which is no number from 0 to {}",
            u64::MAX
        ))
    })
}

//! Arrays of NumPy by themselves: `.npy` files, and `.npz` archives of several arrays under names.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{FileError, scipy};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};

/// An array in row-major order; without dimensions it is a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub element: Element,
    pub shape: Vec<u64>,
    pub values: Values,
}

/// Reads the arrays of a `.npz` file, which unfold to at most `room` bytes.
///
/// # Errors
/// Bytes that are not such an archive; an array that is malformed, or of items that have no element type.
pub fn read_archive(bytes: &[u8], room: u64) -> Result<Vec<(String, Array)>, FileError> {
    scipy::all_arrays(bytes, room)
}

/// Reads a `.npy` file.
///
/// # Errors
/// As [`read_archive`].
pub fn read_array(bytes: &[u8]) -> Result<Array, FileError> {
    scipy::one_array(bytes)
}

/// Writes a `.npz` file, as `np.savez` does.
///
/// # Errors
/// An array of a type that NumPy lacks; no memory.
pub fn write_archive<'a>(arrays: impl IntoIterator<Item = (&'a str, &'a Array)>) -> Result<Vec<u8>, String> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    for (name, array) in arrays {
        zip.start_file(format!("{name}.npy"), options).map_err(|error| error.to_string())?;
        zip.write_all(&write_array(array)?).map_err(|error| error.to_string())?;
    }
    zip.finish().map(Cursor::into_inner).map_err(|error| error.to_string())
}

/// Writes a `.npy` file, version 1.
///
/// # Errors
/// A type that NumPy lacks.
pub fn write_array(array: &Array) -> Result<Vec<u8>, String> {
    let sizes: Vec<String> = array.shape.iter().map(u64::to_string).collect();
    let comma = if sizes.len() == 1 { "," } else { "" };
    let (descr, shape) = (descr(array.element)?, sizes.join(", "));
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}{comma}), }}");
    // The items begin at a multiple of 64 bytes.
    let rest = (10 + header.len() + 1).next_multiple_of(64) - (10 + header.len() + 1);
    header += &" ".repeat(rest);
    header.push('\n');
    let length = u16::try_from(header.len()).map_err(|_| "the array has too many dimensions".to_string())?;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.bytes());
    push_items(&array.values, &mut bytes);
    Ok(bytes)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "NumPy has no name for the others")]
fn descr(element: Element) -> Result<&'static str, String> {
    match element {
        Element::F64 => Ok("<f8"),
        Element::F32 => Ok("<f4"),
        Element::F16 => Ok("<f2"),
        Element::I1 => Ok("|b1"),
        Element::I8 => Ok("|i1"),
        Element::I16 => Ok("<i2"),
        Element::I32 => Ok("<i4"),
        Element::I64 => Ok("<i8"),
        Element::U8 => Ok("|u1"),
        Element::U16 => Ok("<u2"),
        Element::U32 => Ok("<u4"),
        Element::U64 => Ok("<u8"),
        Element::C32 => Ok("<c8"),
        Element::C64 => Ok("<c16"),
        other => Err(format!("NumPy has no type `{other}`")),
    }
}

fn push_items(values: &Values, bytes: &mut Vec<u8>) {
    match values {
        Values::F64(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::F32(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::F16(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::BF16(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::I8(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::I16(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::I32(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::I64(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::U8(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::U16(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::U32(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::U64(items) => items.iter().for_each(|item| bytes.extend(item.to_le_bytes())),
        Values::C32(items) => items.iter().for_each(|item| {
            bytes.extend(item.re.to_le_bytes());
            bytes.extend(item.im.to_le_bytes());
        }),
        Values::C64(items) => items.iter().for_each(|item| {
            bytes.extend(item.re.to_le_bytes());
            bytes.extend(item.im.to_le_bytes());
        }),
    }
}

/// Items whose first subscript varies fastest, in row-major order.
pub(super) fn by_rows(shape: &[u64], values: &Values) -> Values {
    let sizes: Vec<usize> = shape.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX)).collect();
    let place = |mut at: usize| {
        let mut steps = vec![1; sizes.len()];
        (1..sizes.len()).for_each(|dim| steps[dim] = steps[dim - 1] * sizes[dim - 1]);
        sizes.iter().zip(&steps).rev().fold(0, |place, (size, step)| {
            let subscript = at % size;
            at /= size;
            place + subscript * step
        })
    };
    values.picked(&(0..values.len()).map(place).collect::<Vec<usize>>())
}

impl Array {
    /// A few of its items in the order of memory, as people write them.
    pub fn listed(&self, most: usize) -> String {
        let item = |item| match item {
            Scalar::Float(value) => format!("{value}"),
            Scalar::Int(value) => value.to_string(),
            Scalar::Complex(value) => value.to_string(),
        };
        let items: Vec<String> = self.values.iter().take(most).map(item).collect();
        let more = if self.values.len() > most { ", …" } else { "" };
        format!("[{}{more}]", items.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{Array, Element, Values, by_rows, read_archive, read_array, write_archive, write_array};

    fn array(shape: &[u64], values: Values, element: Element) -> Array {
        Array { element, shape: shape.to_vec(), values }
    }

    #[test]
    fn what_is_written_is_read() {
        let arrays = [
            ("a", array(&[2, 3], Values::F32(vec![1.0, 2.5, -3.0, 0.0, f32::INFINITY, 6.0]), Element::F32)),
            ("n", array(&[], Values::I32(vec![7]), Element::I32)),
            ("indptr", array(&[3], Values::I64(vec![0, 1, 3]), Element::I64)),
            ("none", array(&[0], Values::F64(Vec::new()), Element::F64)),
            ("flags", array(&[2], Values::I8(vec![0, 1]), Element::I1)),
        ];
        let bytes = write_archive(arrays.iter().map(|(name, array)| (*name, array))).unwrap();
        let read = read_archive(&bytes, 1 << 20).unwrap();
        assert_eq!(read, arrays.clone().map(|(name, array)| (name.to_string(), array)));
        for (_, array) in &arrays {
            let bytes = write_array(array).unwrap();
            assert_eq!(read_array(&bytes).as_ref(), Ok(array));
        }
        assert_eq!(
            write_array(&array(&[1], Values::BF16(vec![half::bf16::ONE]), Element::BF16)),
            Err("NumPy has no type `bf16`".to_string())
        );
    }

    #[test]
    fn columns_become_rows() {
        let values = Values::I32(vec![0, 3, 1, 4, 2, 5]);
        assert_eq!(by_rows(&[2, 3], &values), Values::I32(vec![0, 1, 2, 3, 4, 5]));
    }

    #[test]
    fn other_bytes_are_told() {
        assert!(read_archive(b"text", 1 << 20).is_err());
        assert_eq!(read_array(b"text").unwrap_err().message, "this is not a NumPy array");
        let bytes = write_array(&array(&[4], Values::I32(vec![1; 4]), Element::I32)).unwrap();
        assert!(read_array(&bytes[..bytes.len() - 1]).is_err());
    }
}

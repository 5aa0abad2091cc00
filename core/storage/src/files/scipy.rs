//! Matrices of `scipy.sparse.save_npz`: an archive of NumPy arrays, in the formats csr, csc, coo, bsr and dia, with any
//! numeric data and indices of any width. Arrays of one dimension are read, too, and in coo arrays of any rank.
//!
//! The zeros along the diagonals of dia are padding and are left out, as in SciPy. Zeros of the other formats are kept,
//! also in the blocks of bsr.

mod npy;
mod place;

use std::io::{self, Cursor, Read as _};

use npy::{Array, Head, LONGEST_HEAD};
use place::Places;
use zip::{CompressionMethod, SUPPORTED_COMPRESSION_METHODS, ZipArchive};

use super::{
    FileError, FilePlace, Progress, Read, ReadOptions, Watch, numpy, shape_mismatch, sums, triplets, wider_for_sums,
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    memory::{self, NoRoom},
};

/// Reads the bytes of a `.npz` file.
///
/// # Errors
/// Bytes that are not such an archive; an array that is missing, malformed or contradicts another.
pub(super) fn read(bytes: &[u8], options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    let mut archive = Archive::open(bytes, options.limit)?;
    let format = archive.array("format")?.text().map_err(|error| error.of("format"))?;
    let shape = archive.indices("shape")?;
    let size = |&size: &i64| u64::try_from(size).map_err(|_| in_array("shape", format!("the size {size} is negative")));
    let sizes = shape.iter().map(size).collect::<Result<Vec<u64>, _>>()?;
    if let Some(message) = shape_mismatch(&options.shape, &sizes) {
        return Err(in_array("shape", message));
    }
    let places = Places::read(&mut archive, &format, &sizes)?;
    let data = archive.array("data")?;
    if watch(Progress { done: bytes.len() as u64, total: bytes.len() as u64 }).is_break() {
        return Err(FileError::stopped());
    }
    let notes = places.note().into_iter().collect();
    let (coords, (stored, values)) = places.entries(data)?;
    let element = options.element.unwrap_or(stored);
    let values = as_element(values, stored, element)?;
    if let Some(entry) = sums::misfit(&coords, &values, element) {
        return Err(sum_error(entry, &coords, element));
    }
    Ok(Read { triplets: triplets(sizes, element, coords, values)?, notes })
}

/// Every array of an archive, in its order.
pub(super) fn all_arrays(bytes: &[u8], room: u64) -> Result<Vec<(String, numpy::Array)>, FileError> {
    let mut archive = Archive::open(bytes, room)?;
    let names: Vec<String> = archive.zip.file_names().flatten().map(|name| name.to_string()).collect();
    let arrays = names.iter().filter_map(|name| name.strip_suffix(".npy")).map(|name| {
        let array = archive.array(name)?;
        Ok((name.to_string(), numbers(&array).map_err(|error| error.of(name))?))
    });
    arrays.collect()
}

/// The array of a `.npy` file.
pub(super) fn one_array(bytes: &[u8]) -> Result<numpy::Array, FileError> {
    let whole = |error: npy::NpyError| FileError { place: FilePlace::Whole, ..error.of("") };
    let head = Head::parse(bytes).map_err(whole)?;
    let array = Array::new(head, bytes.to_vec()).map_err(whole)?;
    numbers(&array).map_err(whole)
}

/// An array in row-major order.
fn numbers(array: &Array) -> Result<numpy::Array, npy::NpyError> {
    let (element, values) = array.values()?;
    let values = if array.fortran && array.shape.len() > 1 { numpy::by_rows(&array.shape, &values) } else { values };
    Ok(numpy::Array { element, shape: array.shape.clone(), values })
}

fn sum_error(entry: usize, coords: &[Vec<u64>], element: Element) -> FileError {
    let place: Vec<String> = coords.iter().filter_map(|column| column.get(entry)).map(u64::to_string).collect();
    let message = format!("the sum of the entries at ({}) does not fit `{element}`", place.join(", "));
    in_array("data", message).help(wider_for_sums(element))
}

fn in_array(name: &str, message: impl Into<String>) -> FileError {
    FileError { place: FilePlace::Array(name.to_string()), ..FileError::whole(message) }
}

/// The archive's arrays by name.
struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Bytes that may yet be unfolded.
    room: u64,
}

impl<'a> Archive<'a> {
    fn open(bytes: &'a [u8], room: u64) -> Result<Archive<'a>, FileError> {
        let no_archive = |_| {
            FileError::whole("this is not an archive of `save_npz`: it is no zip file, or it is cut off".to_string())
        };
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(no_archive)?;
        Ok(Archive { zip, room })
    }

    fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(&format!("{name}.npy")).is_some()
    }

    fn array(&mut self, name: &str) -> Result<Array, FileError> {
        if !self.has(name) {
            return Err(self.lacks(name));
        }
        let member = self.zip.by_name(&format!("{name}.npy"));
        let mut member =
            member.map_err(|error| in_array(name, format!("the archive does not give this array ({error})")))?;
        if !SUPPORTED_COMPRESSION_METHODS.contains(&member.compression()) {
            return Err(not_unfolded(name, member.compression()));
        }
        let mut bytes = Vec::new();
        unfold(&mut member, &mut bytes, self.room.min(LONGEST_HEAD)).map_err(|error| error.of(name))?;
        let head = Head::parse(&bytes).map_err(|error| error.of(name))?;
        unfold(&mut member, &mut bytes, self.room.min(head.end)).map_err(|error| error.of(name))?;
        self.room = self.room.checked_sub(bytes.len() as u64).ok_or_else(|| {
            in_array(name, "the archive unfolds to more than the limit").help("raise the limit of bytes")
        })?;
        Array::new(head, bytes).map_err(|error| error.of(name))
    }

    /// An archive of other arrays: of `np.savez`, mostly.
    fn lacks(&self, name: &str) -> FileError {
        let names: Vec<String> = self
            .zip
            .file_names()
            .flatten()
            .map(|file| format!("`{}`", file.trim_end_matches(".npy")))
            .take(8)
            .collect();
        let message = format!("the archive has no array `{name}`, only {}", names.join(", "));
        let message = if names.is_empty() { "the archive is empty".to_string() } else { message };
        FileError::whole(message).help("save a sparse matrix with `scipy.sparse.save_npz`")
    }

    /// An array of whole numbers.
    fn indices(&mut self, name: &str) -> Result<Vec<i64>, FileError> {
        self.array(name)?.indices().map_err(|error| error.of(name))
    }
}

/// Why a member was not unfolded.
enum Unfolding {
    NoRoom(NoRoom),
    Damaged(io::Error),
}

impl Unfolding {
    fn of(self, name: &str) -> FileError {
        match self {
            Unfolding::NoRoom(refused) => FileError { place: FilePlace::Array(name.to_string()), ..refused.into() },
            Unfolding::Damaged(error) => in_array(name, format!("the archive is damaged here ({error})")),
        }
    }
}

/// Adds the next bytes of a member, until all are there or one more than `most`.
fn unfold(member: &mut impl io::Read, bytes: &mut Vec<u8>, most: u64) -> Result<(), Unfolding> {
    const STEP: u64 = 1 << 22;
    while bytes.len() as u64 <= most {
        let step = STEP.min((most - bytes.len() as u64).saturating_add(1));
        memory::reserve(bytes, step as usize).map_err(Unfolding::NoRoom)?;
        if member.take(step).read_to_end(bytes).map_err(Unfolding::Damaged)? == 0 {
            break;
        }
    }
    Ok(())
}

/// The message for a member that is packed in a way that SciPy does not use.
fn not_unfolded(name: &str, method: CompressionMethod) -> FileError {
    let message = format!("the archive packs this array by {method}, which is not read; stored, deflate and bzip2 are");
    in_array(name, message).unsupported().help("load it in Python, and write it again with `scipy.sparse.save_npz`")
}

/// `values` of element type `from`, as `element`.
fn as_element(values: Values, from: Element, element: Element) -> Result<Values, FileError> {
    if from == element {
        return Ok(values);
    }
    let misfit = |value| {
        let message = format!("the file's {from} value {} does not fit `{element}`", plain(value));
        Err(in_array("data", message).help(format!("read it as `{from}`")))
    };
    if let Some(value) = values.iter().find(|value| !holds(element, *value)) {
        return misfit(value);
    }
    let converted = Values::from_scalars(element, values.iter());
    // A finite number that became an infinity.
    let lost = values.iter().zip(converted.iter()).find(|(before, after)| is_finite(*before) && !is_finite(*after));
    lost.map_or(Ok(converted), |(value, _)| misfit(value))
}

fn is_finite(value: Scalar) -> bool {
    match value {
        Scalar::Int(_) => true,
        Scalar::Float(number) => number.is_finite(),
        Scalar::Complex(number) => number.re.is_finite() && number.im.is_finite(),
    }
}

fn plain(value: Scalar) -> String {
    match value {
        Scalar::Float(number) => format!("{number:?}"),
        Scalar::Int(number) => number.to_string(),
        Scalar::Complex(number) => number.to_string(),
    }
}

fn holds(element: Element, value: Scalar) -> bool {
    let whole = match value {
        Scalar::Complex(_) => return element.is_complex(),
        Scalar::Int(number) => Some(number),
        Scalar::Float(number) if number.fract() == 0.0 && number.abs() < 1e37 => Some(number as i128),
        Scalar::Float(_) => None,
    };
    element.int_range().is_none_or(|(low, high)| whole.is_some_and(|number| (low..=high).contains(&number)))
}

#[cfg(test)]
mod tests;

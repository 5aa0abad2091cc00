//! FROSTT tensors (`.tns`): one entry per line, its coordinates counted from 1, then its value; `#` starts a comment.
//! The sizes come from the file's head, else from the largest coordinates, unless the caller gives a shape. A comment
//! `# elements are complex<f32>` gives the element type; without it values are real numbers.

mod head;

pub(super) use head::{COMMENT, told};

use head::Head;

use super::{
    FileError, Note, Read, ReadOptions, Watch, element_said, is_utf16,
    number::Field,
    records::{self, Form, Region, entry_lines},
    shape_mismatch,
    source::Text,
    sum_error, sums, triplets,
};
use nnz_base::{diagnostic::counted, element::Element};

/// Reads the text of a `.tns` file; values are real, or two numbers each of a complex element type.
///
/// # Errors
/// The first place that contradicts the format, the file itself or `options`.
pub(super) fn read(text: &[u8], options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if is_utf16(text) {
        return Err(FileError::at(text, 0, "the file is in UTF-16, not in UTF-8").help("save the file as UTF-8"));
    }
    let comments = entry_lines(text, COMMENT).next().map_or(text.len(), |line| line.start);
    let said = element_said(text.get(..comments).unwrap_or_default()).map_err(|unknown| unknown.told(text, 0))?;
    let element = options.element.or(said).unwrap_or(Element::F64);
    let field = if element.is_complex() { Field::Complex } else { Field::Real };
    let head = Head::parse(text, field)?;
    let bounds = bounds(text, &head, options)?;
    let form = Form { sizes: &bounds, field, element, region: Region::Anywhere, comment: COMMENT };
    let entries = records::read(Text::Memory(text), head.body, &form, head.expected(), watch)?;
    if let Some(entry) = sums::misfit(&entries.coords, &entries.values, element) {
        return Err(sum_error(text, records::place_of(text, head.body, COMMENT, entry), element));
    }
    let sizes = head.sizes.unwrap_or_else(|| sizes(&entries.coords, options));
    let notes = head.note.into_iter().chain(Note::of_end(text)).collect();
    Ok(Read { triplets: triplets(sizes, element, entries.coords, entries.values)?, notes })
}

/// What the coordinates must not pass: the sizes said or wanted, without limit where neither.
fn bounds(text: &[u8], head: &Head, options: &ReadOptions) -> Result<Vec<u64>, FileError> {
    const LARGEST: u64 = i64::MAX as u64;
    if let Some(sizes) = &head.sizes {
        return match shape_mismatch(&options.shape, sizes) {
            Some(message) => Err(FileError::at(text, head.sizes_at, message)),
            None => Ok(sizes.clone()),
        };
    }
    match &options.shape {
        Some(shape) if head.rank == 0 && shape.iter().all(Option::is_some) => Ok(vec![LARGEST; shape.len()]),
        Some(shape) if head.rank > 0 && shape.len() != head.rank => {
            let message = format!(
                "the entries have {}, but the tensor {}",
                counted(head.rank, "coordinate"),
                counted(shape.len(), "dimension")
            );
            Err(FileError::at(text, head.sizes_at, message))
        }
        Some(_) | None if head.rank == 0 => {
            Err(FileError::at(text, text.len(), "the file has no entries to tell its sizes by")
                .help("give the tensor's type all sizes, or use the extended form, which says them"))
        }
        Some(shape) => Ok(shape.iter().map(|size| size.unwrap_or(LARGEST)).collect()),
        None => Ok(vec![LARGEST; head.rank]),
    }
}

/// The sizes wanted, and the largest coordinates for the others.
fn sizes(coords: &[Vec<u64>], options: &ReadOptions) -> Vec<u64> {
    let wanted = |dim: usize| options.shape.as_ref().and_then(|shape| shape.get(dim).copied().flatten());
    let largest = |column: &Vec<u64>| column.iter().max().map_or(0, |largest| largest + 1);
    coords.iter().enumerate().map(|(dim, column)| wanted(dim).unwrap_or_else(|| largest(column))).collect()
}

#[cfg(test)]
mod tests;

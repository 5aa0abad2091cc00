//! Matrix Market (Boisvert, Pozo and Remington, NISTIR 5935), with the `unsigned-integer` field
//! that SciPy adds: coordinate and array formats, every field, every symmetry.
//!
//! Repeated entries are kept, and summed when packed. Only the nonzeros of an array file, which is dense,
//! become entries. Explicit zeros of a coordinate file are kept.

mod array;
mod header;
mod mirror;

pub use header::Symmetry;
use header::{Header, Layout};

use super::{
    FileError, Note, Read, ReadOptions, Triangles, Watch,
    limit::Told,
    number::{Field, can_hold, natural_element},
    records::{self, Expected, Form, Records, Region},
    shape_mismatch,
    source::{Text, fill},
    sum_error, sums, triplets, wider,
};
use nnz_base::{element::Element, host::ByteSource, memory};

pub(super) const COMMENT: u8 = b'%';

/// Reads the text of a Matrix Market file.
///
/// # Errors
/// The first place that contradicts the format, the file itself or `options`.
pub(super) fn read(text: &[u8], options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    let header = Header::parse(text)?;
    read_body(Text::Memory(text), &header, options, watch)
}

/// What the head tells of the text's length, where `start` has it.
///
/// # Errors
/// A head that is wrong, not just truncated.
pub(super) fn told(start: &[u8]) -> Result<Told, FileError> {
    let header = match Header::parse(start) {
        Ok(header) if header.body < start.len() => header,
        Err(error) if !header::begins_right(start) => return Err(error),
        Ok(_) | Err(_) => return Ok(Told::Nothing),
    };
    let entries = match header.layout {
        Layout::Coordinate { entries } => Some(entries),
        Layout::Array => header.array_entries(),
    };
    Ok(Told::promised(header.body, entries))
}

/// Reads a file without holding its text. `None` if that does not work, because of an error in the file or a
/// head that is too long; then [`read`] reports the error.
pub(super) fn read_pieces(source: &dyn ByteSource, options: &ReadOptions, watch: Watch<'_>) -> Option<Read> {
    const HEAD: u64 = 1 << 16;
    let mut head = Vec::new();
    fill(source, 0, HEAD, &mut head).ok()?;
    let header = Header::parse(&head).ok().filter(|header| header.body < head.len())?;
    read_body(Text::Pieces(source), &header, options, watch).ok()
}

fn read_body(text: Text<'_>, header: &Header, options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    let element = element(text.memory(), header, options)?;
    if let Some(message) = shape_mismatch(&options.shape, &[header.rows, header.columns]) {
        return Err(FileError::at(text.memory(), header.size_at, message));
    }
    let stored = match header.layout {
        Layout::Coordinate { entries } => {
            // What is not mirrored may stand anywhere.
            let mirrored = options.triangles == Triangles::Both;
            let region = if mirrored { region(header.symmetry) } else { Region::Anywhere };
            coordinate(text, header, entries, (element, region), watch)?
        }
        Layout::Array => array(text, header, element, watch)?,
    };
    let mut read = finish(text.memory(), stored, header, element, options.triangles)?;
    read.notes.extend(Note::of_end(&text.last_byte()));
    Ok(read)
}

fn element(text: &[u8], header: &Header, options: &ReadOptions) -> Result<Element, FileError> {
    let element = options.element.or(header.element).unwrap_or(natural_element(header.field));
    if !can_hold(element, header.field) {
        let message = format!("the file holds complex numbers, which `{element}` cannot");
        return Err(FileError::at(text, header.field_at, message).help("read it as `complex<f64>`"));
    }
    Ok(element)
}

fn region(symmetry: Symmetry) -> Region {
    match symmetry {
        Symmetry::General => Region::Anywhere,
        Symmetry::Symmetric => Region::Lower,
        Symmetry::SkewSymmetric => Region::LowerZeroDiagonal,
        Symmetry::Hermitian => Region::LowerRealDiagonal,
    }
}

fn coordinate(
    text: Text<'_>,
    header: &Header,
    entries: u64,
    (element, region): (Element, Region),
    watch: Watch<'_>,
) -> Result<Records, FileError> {
    let sizes = [header.rows, header.columns];
    let form = Form { sizes: &sizes, field: header.field, element, region, comment: COMMENT };
    records::read(text, header.body, &form, Expected::Exactly { entries, by: "the size line promises" }, watch)
}

/// The entries of an array file other than zero.
fn array(text: Text<'_>, header: &Header, element: Element, watch: Watch<'_>) -> Result<Records, FileError> {
    let Some(entries) = header.array_entries() else {
        return Err(FileError::at(text.memory(), header.size_at, "an array of this size does not fit any file"));
    };
    let form = Form { sizes: &[], field: header.field, element, region: Region::Anywhere, comment: COMMENT };
    let expected = Expected::Exactly { entries, by: "the sizes promise" };
    let values = records::read(text, header.body, &form, expected, watch)?.values;
    array::entries(values, header).map_err(|entry| {
        FileError::at(
            text.memory(),
            records::place_of(text.memory(), header.body, COMMENT, entry),
            "a Hermitian matrix has real numbers on its diagonal",
        )
        .help("write 0 for the imaginary part, or say `general` in the banner")
    })
}

fn finish(
    text: &[u8],
    stored: Records,
    header: &Header,
    element: Element,
    triangles: Triangles,
) -> Result<Read, FileError> {
    let symmetry = header.symmetry;
    let count = stored.values.len();
    if let Some(entry) = sums::misfit(&stored.coords, &stored.values, element) {
        return Err(sum_error(text, records::place_of(text, header.body, COMMENT, entry), element));
    }
    let mut notes = Vec::new();
    // What is mirrored is another as large, and the arrays move as they grow.
    let room = if symmetry == Symmetry::General || triangles == Triangles::Stored { 0 } else { count as u128 * 2 };
    memory::room_for(room, (16 + element.bytes()) as u64)?;
    let loaded = match (symmetry, triangles) {
        (Symmetry::General, _) => stored,
        (_, Triangles::Stored) => {
            notes.push(Note::TriangleOnly { symmetry });
            stored
        }
        (_, Triangles::Both) => {
            let both = mirror::both_triangles(stored, symmetry).map_err(|entry| {
                let at = records::place_of(text, header.body, COMMENT, entry);
                FileError::at(text, at, format!("the negative of this entry's value does not fit `{element}`"))
                    .help(wider(element))
            })?;
            notes.push(Note::Mirrored { symmetry, stored: count, loaded: both.values.len() });
            both
        }
    };
    if header.field == Field::Pattern {
        notes.push(Note::PatternAsOnes);
    }
    let triplets = triplets(vec![header.rows, header.columns], element, loaded.coords, loaded.values)?;
    Ok(Read { triplets, notes })
}

#[cfg(test)]
mod tests;

//! FROSTT tensors (`.tns`): one entry a line, its coordinates counted from 1, then its value;
//! `#` starts a comment. The sizes are the largest coordinates, unless a shape is wanted.
//!
//! The extended form, which MLIR reads and writes, says them first: a line `rank entries`, then a
//! line of sizes. It is told by its comment `# extended FROSTT format`, or by lines that only fit it.

use super::{
    FileError, Read, ReadOptions, Watch,
    number::{Field, natural},
    records::{self, Expected, Form, Region, entry_lines},
    shape_mismatch,
    source::Text,
    triplets,
};
use crate::element::Element;

const COMMENT: u8 = b'#';
const EXTENDED: &[u8] = b"extended FROSTT format";
/// The most dimensions.
const MOST_DIMENSIONS: usize = 64;

/// Reads the text of a `.tns` file; values are real, or two numbers each where a complex element
/// type is wanted.
///
/// # Errors
/// The first place that contradicts the format, the file itself or `options`.
pub(super) fn read(text: &[u8], options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    let element = options.element.unwrap_or(Element::F64);
    let field = if element.is_complex() { Field::Complex } else { Field::Real };
    let head = Head::parse(text, field)?;
    let bounds = bounds(text, &head, options)?;
    let form = Form { sizes: &bounds, field, element, region: Region::Anywhere, comment: COMMENT };
    let entries = records::read(Text::Memory(text), head.body, &form, head.expected(), watch)?;
    let sizes = head.sizes.unwrap_or_else(|| sizes(&entries.coords, options));
    Ok(Read { triplets: triplets(sizes, element, entries.coords, entries.values)?, notes: Vec::new() })
}

/// What stands before the entries, said or implied.
struct Head {
    rank: usize,
    /// Of the extended form: the sizes and the number of entries.
    sizes: Option<Vec<u64>>,
    entries: u64,
    sizes_at: usize,
    body: usize,
}

impl Head {
    fn parse(text: &[u8], field: Field) -> Result<Head, FileError> {
        let mut lines = entry_lines(text, COMMENT);
        let first = lines.next();
        if let Some(head) = first.clone().and_then(|first| Head::extended(text, first, lines.next(), lines.next())) {
            return head;
        }
        let values = if field == Field::Complex { 2 } else { 1 };
        let (at, words) = first.map_or((text.len(), 0), |line| (line.start, words(text, line).count()));
        match words.saturating_sub(values) {
            0 if words == 0 => Ok(Head { rank: 0, sizes: None, entries: 0, sizes_at: at, body: at }),
            0 => Err(FileError::at(text, at, "the line holds no coordinates")
                .help(format!("each line holds coordinates, counted from 1, and then {values} for the value"))),
            rank if rank > MOST_DIMENSIONS => Err(FileError::at(
                text,
                at,
                format!("the line holds {rank} coordinates; {MOST_DIMENSIONS} are the most"),
            )
            .unsupported()),
            rank => Ok(Head { rank, sizes: None, entries: 0, sizes_at: at, body: at }),
        }
    }

    /// The head of the extended form, `None` where these lines are entries.
    fn extended(
        text: &[u8],
        first: Line,
        second: Option<Line>,
        third: Option<Line>,
    ) -> Option<Result<Head, FileError>> {
        let said = memchr::memmem::find(text.get(..first.start)?, EXTENDED).is_some();
        let numbers = |line: &Line| words(text, line.clone()).map(whole).collect::<Option<Vec<_>>>();
        let [rank, entries] = numbers(&first).unwrap_or_default()[..] else {
            return said.then(|| Err(bad_head(text, first.start, "rank entries")));
        };
        let sizes_line = second.clone().unwrap_or(text.len()..text.len());
        let sizes = numbers(&sizes_line).unwrap_or_default();
        let fits = sizes.len() as u64 == rank && rank > 0 && rank <= MOST_DIMENSIONS as u64;
        // Entries that follow are longer than the line of sizes: a plain file has lines of one length.
        let longer = third.is_some_and(|line| words(text, line).count() > sizes.len().max(2) || rank == 1);
        match (fits, said || longer) {
            (_, false) => None,
            (false, true) if !said => None,
            (false, true) => Some(Err(bad_head(text, sizes_line.start, "the sizes of as many dimensions as the rank"))),
            (true, true) => Some(Ok(Head {
                rank: sizes.len(),
                sizes: Some(sizes),
                entries,
                sizes_at: sizes_line.start,
                body: sizes_line.end,
            })),
        }
    }

    fn expected(&self) -> Expected {
        match self.sizes {
            Some(_) => Expected::Exactly { entries: self.entries, by: "the file's head promises" },
            None => Expected::Any,
        }
    }
}

fn bad_head(text: &[u8], at: usize, wanted: &str) -> FileError {
    FileError::at(text, at, format!("this line of an extended FROSTT file holds {wanted}"))
        .help("the head is a line `rank entries`, then a line with the size of each dimension")
}

type Line = std::ops::Range<usize>;

/// The words of a line.
fn words(text: &[u8], line: Line) -> impl Iterator<Item = &[u8]> {
    text.get(line).unwrap_or_default().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn whole(word: &[u8]) -> Option<u64> {
    natural(word)
        .filter(|&(number, used)| used == word.len() && i64::try_from(number).is_ok())
        .map(|(number, _)| number)
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
        Some(shape) if head.rank == 0 => Ok(vec![LARGEST; shape.len()]),
        Some(shape) if shape.len() != head.rank => {
            let message =
                format!("the entries have {} coordinates, but {} dimensions are wanted", head.rank, shape.len());
            Err(FileError::at(text, head.sizes_at, message))
        }
        Some(shape) => Ok(shape.iter().map(|size| size.unwrap_or(LARGEST)).collect()),
        None if head.rank == 0 => Err(FileError::at(text, text.len(), "the file has no entries to tell its shape by")
            .help("give the tensor type a shape, or use the extended form, which says the sizes")),
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

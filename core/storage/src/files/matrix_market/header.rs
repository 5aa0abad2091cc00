//! The head of a Matrix Market file: the banner, comments, the size line.
//!
//! ```text
//! %%MatrixMarket matrix (coordinate|array) (real|double|integer|unsigned-integer|complex|pattern)
//!                (general|symmetric|skew-symmetric|hermitian)
//! % comments and blank lines
//! rows columns entries        of a coordinate file; `rows columns` of an array
//! ```

use super::super::{
    FileError, element_said,
    error::quote,
    number::{Field, can_hold, is_blank, natural},
};
use nnz_base::{
    diagnostic::{counted, did_you_mean},
    element::Element,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    General,
    Symmetric,
    SkewSymmetric,
    Hermitian,
}

impl std::fmt::Display for Symmetry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(name_of(SYMMETRIES, *self))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Coordinate { entries: u64 },
    Array,
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Coordinate,
    Array,
}

/// The words of the banner and what they mean.
type Words<T> = &'static [(&'static str, T)];

const FORMATS: Words<Format> = &[("coordinate", Format::Coordinate), ("array", Format::Array)];
const FIELDS: Words<Field> = &[
    ("real", Field::Real),
    ("double", Field::Real),
    ("integer", Field::Integer),
    ("unsigned-integer", Field::Unsigned),
    ("complex", Field::Complex),
    ("pattern", Field::Pattern),
];
const SYMMETRIES: Words<Symmetry> = &[
    ("general", Symmetry::General),
    ("symmetric", Symmetry::Symmetric),
    ("skew-symmetric", Symmetry::SkewSymmetric),
    ("hermitian", Symmetry::Hermitian),
];
const OBJECTS: Words<()> = &[("matrix", ())];

const BANNER: &str = "%%MatrixMarket";
const BANNER_HELP: &str = "the first line reads, for example: %%MatrixMarket matrix coordinate real general";

fn name_of<T: PartialEq>(words: Words<T>, wanted: T) -> &'static str {
    words.iter().find(|(_, meaning)| *meaning == wanted).map_or("", |(name, _)| name)
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    pub(super) layout: Layout,
    pub(super) field: Field,
    pub(super) symmetry: Symmetry,
    pub(super) rows: u64,
    pub(super) columns: u64,
    /// From a comment.
    pub(super) element: Option<Element>,
    /// Bytes of the text where the field's word, the size line and the entries start.
    pub(super) field_at: usize,
    pub(super) size_at: usize,
    pub(super) body: usize,
}

impl Header {
    /// # Errors
    /// The first word that does not belong, at its place.
    pub(super) fn parse(text: &[u8]) -> Result<Header, FileError> {
        let banner = Banner::parse(text)?;
        let line = size_line(text, banner.end)?;
        let wanted = if banner.format == Format::Coordinate { COORDINATE_SIZES } else { ARRAY_SIZES };
        let sizes = sizes(text, line.clone(), wanted)?;
        let (rows, columns, layout) = match sizes[..] {
            [rows, columns, entries] => (rows, columns, Layout::Coordinate { entries }),
            [rows, columns] => (rows, columns, Layout::Array),
            _ => return Err(FileError::at(text, line.start, "the size line has too few numbers")),
        };
        if banner.symmetry != Symmetry::General && rows != columns {
            let message = format!("a {} matrix is square, but the size line says {rows}x{columns}", banner.symmetry);
            let help = "say `general` in the banner, or correct the sizes";
            return Err(FileError::at(text, line.start, message).help(help));
        }
        let Banner { field, symmetry, field_at, end, .. } = banner;
        let said = element_said(slice(text, end..line.start)).map_err(|unknown| unknown.told(text, end))?;
        let element = said.filter(|element| can_hold(*element, field));
        Ok(Header { layout, field, symmetry, rows, columns, element, field_at, size_at: line.start, body: line.end })
    }

    /// The values that an array file stores: all of a general matrix, else a triangle, of a
    /// skew-symmetric one without its diagonal. `None` past 64 bits.
    pub(super) fn array_entries(&self) -> Option<u64> {
        let n = self.rows;
        match self.symmetry {
            Symmetry::General => n.checked_mul(self.columns),
            Symmetry::SkewSymmetric => Some(n.checked_mul(n.saturating_sub(1))? / 2),
            Symmetry::Symmetric | Symmetry::Hermitian => Some(n.checked_mul(n.checked_add(1)?)? / 2),
        }
    }
}

/// Whether a file begins with the first word of the banner.
pub(super) fn begins_right(start: &[u8]) -> bool {
    start.get(..BANNER.len()).is_some_and(|word| word.eq_ignore_ascii_case(BANNER.as_bytes()))
}

struct Banner {
    format: Format,
    field: Field,
    field_at: usize,
    symmetry: Symmetry,
    /// Where the next line starts.
    end: usize,
}

impl Banner {
    fn parse(text: &[u8]) -> Result<Banner, FileError> {
        let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let line = line_at(text, start);
        let mut words = words(text, line.clone());
        let first = words.next().unwrap_or(start..start);
        if !slice(text, first.clone()).eq_ignore_ascii_case(BANNER.as_bytes()) {
            return Err(no_banner(text, first.start));
        }
        let mut word = || words.next().unwrap_or(content_end(text, &line)..line.end);
        one_of(text, word(), "object", OBJECTS).map_err(FileError::unsupported)?;
        let format = one_of(text, word(), "format", FORMATS)?;
        let field_at = word();
        let field = one_of(text, field_at.clone(), "field", FIELDS)?;
        let symmetry_at = word();
        let symmetry = one_of(text, symmetry_at.clone(), "symmetry", SYMMETRIES)?;
        if let Some(more) = words.next() {
            let message = format!("the banner goes on after its symmetry: {}", quote(text, more.start));
            return Err(FileError::at(text, more.start, message).help(BANNER_HELP));
        }
        let banner = Banner { format, field, field_at: field_at.start, symmetry, end: line.end };
        banner.contradiction().map_or(Ok(banner), |message| Err(FileError::at(text, symmetry_at.start, message)))
    }

    /// Words that each are right, but not together.
    fn contradiction(&self) -> Option<String> {
        let symmetry = self.symmetry;
        match (self.field, symmetry, self.format) {
            (Field::Pattern, _, Format::Array) => {
                Some("an array has values, so its field is not `pattern`".to_string())
            }
            (Field::Unsigned, Symmetry::SkewSymmetric, _) => {
                Some(format!("a `{symmetry}` matrix has values of both signs, which this field does not"))
            }
            _ => None,
        }
    }
}

fn no_banner(text: &[u8], at: usize) -> FileError {
    let message = match text {
        [] => "the file is empty".to_string(),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file is in UTF-16, not in UTF-8".to_string(),
        _ => format!("a Matrix Market file starts with `{BANNER}`, not with {}", quote(text, at)),
    };
    FileError::at(text, at, message).help(BANNER_HELP)
}

/// The meaning of the banner's word at `word`, in any case.
fn one_of<T: Copy>(text: &[u8], word: std::ops::Range<usize>, what: &str, known: Words<T>) -> Result<T, FileError> {
    let spelt = String::from_utf8_lossy(slice(text, word.clone())).to_ascii_lowercase();
    if let Some((_, meaning)) = known.iter().find(|(name, _)| *name == spelt) {
        return Ok(*meaning);
    }
    let names = || known.iter().map(|(name, _)| *name);
    let message = match spelt.trim().is_empty() {
        true => format!("the banner ends before its {what}"),
        false => format!("unknown {what} {}", quote(text, word.start)),
    };
    let help = match did_you_mean(&spelt, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the {what} is one of: {}", names().collect::<Vec<_>>().join(", ")),
    };
    Err(FileError::at(text, word.start, message).help(help))
}

/// The first line after the banner that is neither blank nor a comment.
fn size_line(text: &[u8], mut start: usize) -> Result<std::ops::Range<usize>, FileError> {
    while start < text.len() {
        let line = line_at(text, start);
        start = line.end;
        match words(text, line.clone()).next().and_then(|word| text.get(word.start)) {
            Some(&super::COMMENT) | None => {}
            Some(_) => return Ok(line),
        }
    }
    Err(FileError::at(text, text.len(), "the file ends before its size line").help(COORDINATE_SIZES.help))
}

/// What the size line holds.
#[derive(Clone, Copy)]
struct Sizes {
    names: &'static [&'static str],
    help: &'static str,
}

const COORDINATE_SIZES: Sizes = Sizes {
    names: &["rows", "columns", "entries"],
    help: "the size line of a coordinate file holds: rows columns entries",
};
const ARRAY_SIZES: Sizes =
    Sizes { names: &["rows", "columns"], help: "the size line of an array file holds: rows columns" };

/// The numbers of the size line, as many as `wanted` names.
fn sizes(text: &[u8], line: std::ops::Range<usize>, wanted: Sizes) -> Result<Vec<u64>, FileError> {
    let mut words = words(text, line.clone());
    let mut numbers = Vec::new();
    for name in wanted.names {
        let Some(word) = words.next() else {
            let message = format!("the size line ends before the number of {name}");
            return Err(FileError::at(text, content_end(text, &line), message).help(wanted.help));
        };
        let with_commas = slice(text, line.clone()).contains(&b',');
        let help = if word_begins(text, &word, b'#') {
            "a comment begins with `%`".to_string()
        } else if with_commas {
            format!("{}, separated by spaces", wanted.help)
        } else {
            wanted.help.to_string()
        };
        numbers.push(size(text, word, name).map_err(|error| error.help(help))?);
    }
    match words.next() {
        Some(more) => {
            let message = format!(
                "the size line goes on after {}: {}",
                counted(numbers.len(), "number"),
                quote(text, more.start)
            );
            Err(FileError::at(text, more.start, message).help(wanted.help))
        }
        None => Ok(numbers),
    }
}

fn word_begins(text: &[u8], word: &std::ops::Range<usize>, sign: u8) -> bool {
    text.get(word.start) == Some(&sign)
}

fn size(text: &[u8], word: std::ops::Range<usize>, name: &str) -> Result<u64, FileError> {
    let spelt = slice(text, word.clone());
    match natural(spelt) {
        Some((number, used)) if used == spelt.len() && i64::try_from(number).is_ok() => Ok(number),
        Some((_, used)) if used == spelt.len() => {
            let message = format!("{} {name} do not fit 63 bits", quote(text, word.start));
            Err(FileError::at(text, word.start, message))
        }
        _ => {
            let message = format!("{} is not a number of {name}", quote(text, word.start));
            Err(FileError::at(text, word.start, message))
        }
    }
}

/// The line that starts at byte `start`, with its newline.
fn line_at(text: &[u8], start: usize) -> std::ops::Range<usize> {
    let rest = slice(text, start..text.len());
    start..memchr::memchr(b'\n', rest).map_or(text.len(), |newline| start + newline + 1)
}

/// The end of the last word of a line.
fn content_end(text: &[u8], line: &std::ops::Range<usize>) -> usize {
    words(text, line.clone()).last().map_or(line.start, |word| word.end)
}

fn slice(text: &[u8], range: std::ops::Range<usize>) -> &[u8] {
    text.get(range).unwrap_or_default()
}

fn words(text: &[u8], line: std::ops::Range<usize>) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let separates = |byte: u8| is_blank(byte) || byte == b'\n';
    let mut at = line.start;
    std::iter::from_fn(move || {
        let rest = slice(text, at..line.end);
        let start = at + rest.iter().position(|&byte| !separates(byte))?;
        let word = slice(text, start..line.end);
        at = start + word.iter().position(|&byte| separates(byte)).unwrap_or(word.len());
        Some(start..at)
    })
}

//! Files of tensors: Matrix Market (`.mtx`), FROSTT (`.tns`), DLMC (`.smtx`) and SciPy's
//! `save_npz` (`.npz`), the text formats also gzipped.
//!
//! A reader takes the bytes of a whole file and gives [`Triplets`], or one [`FileError`] that names the line
//! and column at fault. Memory stays within a small multiple of the text, because the sizes in a header are
//! trusted only after the text has been counted.

mod dlmc;
pub mod error;
mod frostt;
mod gzip;
mod limit;
pub mod matrix_market;
mod number;
pub mod numpy;
mod records;
mod scipy;
mod source;
mod start;
mod sums;
mod write;

use std::sync::atomic::{AtomicBool, Ordering};

pub use error::{Cause, FileError, FilePlace};
pub use limit::Limit;
pub use start::{START, is_packed};
pub use write::{Packing, WriteError, check_writable, check_written, write};

pub use crate::watch::{Progress, Watch, unwatched};

use crate::Triplets;
use nnz_base::{diagnostic::counted, element::Element, host::ByteSource, ids::Dim};

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    MatrixMarket,
    Frostt,
    Dlmc,
    Scipy,
}

impl FileKind {
    /// The extensions of files of this kind; text formats also take `.gz` after them.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            FileKind::MatrixMarket => &["mtx", "mm"],
            FileKind::Frostt => &["tns"],
            FileKind::Dlmc => &["smtx"],
            FileKind::Scipy => &["npz"],
        }
    }

    /// What starts a comment, at a line's first word.
    fn comment(self) -> Option<u8> {
        match self {
            FileKind::MatrixMarket => Some(matrix_market::COMMENT),
            FileKind::Frostt => Some(frostt::COMMENT),
            FileKind::Dlmc | FileKind::Scipy => None,
        }
    }

    /// The pattern for the names of files of all kinds, in the notation of editors: `**/*.{mtx,mtx.gz,npz}` and so on.
    pub fn glob() -> String {
        let all = FileKind::ALL.iter().flat_map(|kind| kind.extensions());
        let endings: Vec<String> = all.flat_map(|ending| [ending.to_string(), format!("{ending}.gz")]).collect();
        format!("**/*.{{{}}}", endings.join(","))
    }

    pub const ALL: &'static [FileKind] = &[FileKind::MatrixMarket, FileKind::Frostt, FileKind::Dlmc, FileKind::Scipy];

    /// The kind given by the file's name, ignoring a final `.gz`.
    pub fn of_path(path: &str) -> Option<FileKind> {
        let lower = path.to_ascii_lowercase();
        let (_, extension) = lower.strip_suffix(".gz").unwrap_or(&lower).rsplit_once('.')?;
        FileKind::ALL.iter().copied().find(|kind| kind.extensions().contains(&extension))
    }
}

/// Which entries of a symmetric, skew-symmetric or Hermitian file are loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Triangles {
    /// The matrix that the file describes.
    #[default]
    Both,
    /// Only what the file stores, as MLIR's `sparse_tensor.new` does.
    Stored,
}

/// How to read a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The element type wanted; `None` takes the file's own (real `f64`, integer `i64`, unsigned
    /// `ui64`, complex `complex<f64>`, pattern ones of `f64`). A value that it cannot hold is an error.
    pub element: Option<Element>,
    /// The shape wanted, `None` for a size that the file decides.
    pub shape: Option<Vec<Option<u64>>>,
    pub triangles: Triangles,
    /// The most bytes that a compressed file may unfold to.
    pub limit: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { element: None, shape: None, triangles: Triangles::Both, limit: 16 << 30 }
    }
}

/// A reader's decision that the user may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Entries were added for the triangle that the file leaves out.
    Mirrored { symmetry: matrix_market::Symmetry, stored: usize, loaded: usize },
    /// The file describes more entries than the stored triangle that was loaded.
    TriangleOnly { symmetry: matrix_market::Symmetry },
    /// The file has no values; every entry is one.
    PatternAsOnes,
    /// The first line, which could be an entry, is the head.
    SizesAndCount { line: String },
    /// The first line, which could be the head of a file that was cut off, is an entry.
    PerhapsSizes { line: String, entries: u64, follow: u64 },
    /// The only lines, which could be the head of a matrix without entries, are entries.
    PerhapsEmpty { rows: u64, columns: u64 },
    /// The last line has no end.
    NoLineEnd,
    /// Coordinates behind the last position, which are room to grow or a sign of damage.
    RoomBehind { entries: usize },
}

impl Note {
    /// Whether the file may have been misread.
    pub fn is_doubt(&self) -> bool {
        matches!(
            self,
            Note::SizesAndCount { .. }
                | Note::PerhapsSizes { .. }
                | Note::PerhapsEmpty { .. }
                | Note::NoLineEnd
                | Note::RoomBehind { .. }
        )
    }

    /// What is doubtful or left out, for a label where the text names the file.
    pub fn label(&self) -> &'static str {
        match self {
            Note::Mirrored { .. } => "one triangle of it is stored",
            Note::TriangleOnly { .. } => "the other triangle is left out",
            Note::PatternAsOnes => "without values",
            Note::SizesAndCount { .. } => "its first line could be an entry",
            Note::PerhapsSizes { .. } => "its first line could be the sizes",
            Note::PerhapsEmpty { .. } => "its lines could be a head",
            Note::NoLineEnd => "its last line may be cut off",
            Note::RoomBehind { .. } => "a part of its arrays is left out",
        }
    }

    /// What the end of a text shows.
    fn of_end(text: &[u8]) -> Option<Note> {
        text.last().is_some_and(|last| *last != b'\n').then_some(Note::NoLineEnd)
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::Mirrored { symmetry, stored, loaded } => {
                let loaded = counted(*loaded, "entry");
                write!(f, "the file is {symmetry}: {loaded} loaded from {stored} stored")
            }
            Note::TriangleOnly { symmetry } => write!(f, "the file is {symmetry}: only the stored triangle is loaded"),
            Note::PatternAsOnes => f.write_str("the file holds a pattern without values: every line counts 1"),
            Note::SizesAndCount { line } => {
                write!(
                    f,
                    "the first line, `{line}`, is taken for the sizes and the number of entries, not for an entry"
                )
            }
            Note::PerhapsSizes { line, entries, follow } => write!(
                f,
                "the first line, `{line}`, is taken for an entry; as sizes and a number of entries it would promise \
                 {entries}, where {follow} follow"
            ),
            Note::PerhapsEmpty { rows, columns } => write!(
                f,
                "its two lines are taken for entries; as a head they would be a {rows}x{columns} matrix without entries, \
                 which a first line `# extended FROSTT format` says"
            ),
            Note::RoomBehind { entries } => write!(
                f,
                "`indices` goes on behind the last position of `indptr`: {} left out, as SciPy does",
                if *entries == 1 { "1 coordinate is".to_string() } else { format!("{entries} coordinates are") }
            ),
            Note::NoLineEnd => f.write_str("the last line has no line end: the file may have been cut off within it"),
        }
    }
}

/// The contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    pub triplets: Triplets,
    pub notes: Vec<Note>,
}

/// Reads `bytes`, the contents of a file of `kind`, plain or gzipped (recognized by its first bytes).
///
/// # Errors
/// Whatever contradicts the format or `options`, at its place; [`Cause::Stopped`] when `watch` breaks.
pub fn read(kind: FileKind, bytes: &[u8], options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    Limit::new(kind).check(bytes, true)?;
    let text = gzip::plain(kind, bytes, options.limit, watch)?;
    let read = match kind {
        FileKind::MatrixMarket => matrix_market::read(&text, options, watch),
        FileKind::Frostt => frostt::read(&text, options, watch),
        FileKind::Dlmc => dlmc::read(&text, options, watch),
        FileKind::Scipy => scipy::read(&text, options, watch),
    };
    read.map(|read| read.shaped_as_asked(options))
}

impl Read {
    /// A matrix of one row or one column as a vector, if one is asked for.
    fn shaped_as_asked(self, options: &ReadOptions) -> Read {
        match (&options.shape, self.triplets.shape()) {
            (Some(wanted), [rows, columns]) if wanted.len() == 1 && (*rows == 1 || *columns == 1) => {
                let only = Dim::new(usize::from(*rows != 1));
                Read { triplets: self.triplets.without(only), ..self }
            }
            _ => self,
        }
    }
}

/// The packing other than gzip that a file's name indicates.
pub fn packed_by_name(path: &str) -> Option<&'static str> {
    const ENDINGS: [(&str, &str); 4] = [("bz2", "bzip2"), ("xz", "xz"), ("zst", "Zstandard"), ("zstd", "Zstandard")];
    let (_, ending) = path.rsplit_once('.')?;
    ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known)).map(|(_, name)| *name)
}

/// As [`read`], from a source: a large Matrix Market file is then never in memory as a whole.
///
/// # Errors
/// As [`read`], and errors of the system.
pub fn read_from(
    kind: FileKind,
    source: &dyn ByteSource,
    options: &ReadOptions,
    watch: Watch<'_>,
) -> Result<Read, FileError> {
    const LARGE: u64 = 1 << 20;
    if source.in_memory().is_none() {
        let (mut start, mut limit) = (Vec::new(), Limit::new(kind));
        source::fill(source, 0, START as u64, &mut start).map_err(|error| FileError::whole(error.to_string()))?;
        limit.check(&start, source.len() <= START as u64)?;
        limit.check_length(source.len())?;
    }
    let stopped = AtomicBool::new(false);
    let watched = |progress: Progress| {
        let answer = watch(progress);
        stopped.fetch_or(answer.is_break(), Ordering::Relaxed);
        answer
    };
    if kind == FileKind::MatrixMarket && source.in_memory().is_none() && source.len() >= LARGE {
        let read = matrix_market::read_pieces(source, options, &watched);
        match read {
            Some(read) => return Ok(read.shaped_as_asked(options)),
            None if stopped.load(Ordering::Relaxed) => return Err(FileError::stopped()),
            None => {}
        }
    }
    let bytes = source::whole(source, Limit::new(kind))?;
    read(kind, &bytes, options, watch)
}

/// How a comment of nnz's own files says what the values are, where the format would not.
const ELEMENTS: &str = "elements are ";

/// The element type that a file's comments say, in a line with nothing else in it.
///
/// # Errors
/// One that there is not, in the words of the comment.
fn element_said(comments: &[u8]) -> Result<Option<Element>, UnknownElement> {
    let mut at = 0;
    for line in comments.split_inclusive(|byte| *byte == b'\n') {
        let mark = line.iter().take_while(|byte| matches!(byte, b'#' | b'%')).count();
        let said = line.get(mark..).unwrap_or_default().trim_ascii_start();
        if let (1.., Some(word)) = (mark, said.strip_prefix(ELEMENTS.as_bytes())) {
            let at = at + line.len() - word.len();
            let word = String::from_utf8_lossy(word.trim_ascii()).to_string();
            match Element::parse(&word) {
                Some(element) => return Ok(Some(element)),
                None if looks_like_type(&word) => return Err(UnknownElement { at, word }),
                // A sentence of someone else's that begins with these words.
                None => {}
            }
        }
        at += line.len();
    }
    Ok(None)
}

/// Whether a word is a kind of numbers and a width, as `f128` is.
fn looks_like_type(word: &str) -> bool {
    let kinds = ["bf", "f", "i", "u", "complex<"];
    kinds
        .iter()
        .filter_map(|kind| word.strip_prefix(kind))
        .any(|width| width.starts_with(|c: char| c.is_ascii_digit() || "fb".contains(c)) && !width.contains(' '))
}

/// A comment about elements that names no type.
struct UnknownElement {
    at: usize,
    word: String,
}

impl UnknownElement {
    fn told(self, text: &[u8], start: usize) -> FileError {
        FileError::at(
            text,
            start + self.at,
            format!("the comment names the element type `{}`, which there is not", self.word),
        )
        .help("nnz writes this comment where another type would be read; remove it to read the usual one")
    }
}

/// What helps where `element` cannot hold a number of a file.
fn wider(element: Element) -> &'static str {
    if element.part() == Element::F64 {
        return "no element type holds it: correct the number in the file";
    }
    let is_widest = element.is_integer() && element.bytes() == 8;
    if is_widest {
        "read the file with a floating-point element type"
    } else {
        "read the file with a wider element type"
    }
}

/// The same for a sum of entries.
fn wider_for_sums(element: Element) -> String {
    format!("repeated entries sum; {}", wider(element).replace("the number", "the entries"))
}

/// The message for a sum of repeated entries that the element type cannot hold.
fn sum_error(text: &[u8], at: usize, element: Element) -> FileError {
    let message = format!("the sum of the entries at these coordinates, up to this one, does not fit `{element}`");
    FileError::at(text, at, message).help(wider_for_sums(element))
}

/// What every text in UTF-16 begins with.
fn is_utf16(text: &[u8]) -> bool {
    matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
}

/// Ends a reader: the triplets of checked coordinates and values.
fn triplets(
    shape: Vec<u64>,
    element: Element,
    coords: Vec<Vec<u64>>,
    values: nnz_base::arrays::Values,
) -> Result<Triplets, FileError> {
    Triplets::new(shape, element, coords, values).map_err(|error| FileError::whole(error.to_string()))
}

/// Checks a file's sizes against the shape wanted; returns the mistake, or `None`. A matrix of one row or one column
/// can be a vector.
fn shape_mismatch(wanted: &Option<Vec<Option<u64>>>, sizes: &[u64]) -> Option<String> {
    let wanted = wanted.as_deref()?;
    let fits = match (wanted, sizes) {
        ([length], [1, size] | [size, 1]) => length.is_none_or(|length| length == *size),
        _ => wanted.len() == sizes.len() && wanted.iter().zip(sizes).all(|(w, s)| w.is_none_or(|w| w == *s)),
    };
    let sized = |size: &Option<u64>| size.map_or("?".to_string(), |size| size.to_string());
    // A format of one dimension asks for any vector.
    let wanted = || {
        if wanted == [None] { "a vector".to_string() } else { wanted.iter().map(sized).collect::<Vec<_>>().join("x") }
    };
    (!fits).then(|| format!("the file is {}, but {} is wanted", by(sizes), wanted()))
}

/// Sizes as a shape is written: `3x4`.
fn by(sizes: &[u64]) -> String {
    sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

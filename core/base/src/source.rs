//! Texts and places in them. Every offset in the core is a byte offset into UTF-8; this file alone
//! knows about lines, and about the UTF-16 columns that some editors speak.

use std::{
    io::{self, ErrorKind, Read},
    sync::Arc,
};

use crate::ids::FileId;

/// The most bytes that a text of statements, encodings or a program may have; a longer one is a mistake, or endless.
pub const MOST_TEXT: u64 = 1 << 28;

/// The bytes of a text, at most `most` of them: [`MOST_TEXT`], or fewer if many texts are read.
///
/// # Errors
/// An error of the reader; more bytes.
pub fn read_text(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if reader.take(most + 1).read_to_end(&mut bytes)? as u64 <= most {
        return Ok(bytes);
    }
    let most = most >> 20;
    let message = format!("it is too large, or has no end: {most} MiB are the most of a text of statements");
    Err(io::Error::new(ErrorKind::FileTooLarge, message))
}

/// Whether a character has no picture but changes the direction or the line of what stands beside it, or hides: a name with
/// it would not read as it is. Control characters are others.
pub fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A half-open range of bytes, `start <= end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start: start as u32, end: end as u32 }
    }
    pub fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
    pub fn contains(self, offset: usize) -> bool {
        self.range().contains(&offset)
    }
    /// Whether it touches `offset`, including its end: a cursor after the last letter is still on the word.
    pub fn touches(self, offset: usize) -> bool {
        self.start as usize <= offset && offset <= self.end as usize
    }
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
    /// The same place in a text that starts at `offset` of this one.
    #[must_use]
    pub fn relative_to(self, offset: u32) -> Span {
        Span { start: self.start.saturating_sub(offset), end: self.end.saturating_sub(offset) }
    }
    /// The place in the whole of a place in a text that starts at `offset` of it.
    #[must_use]
    pub fn moved_by(self, offset: u32) -> Span {
        Span { start: self.start.saturating_add(offset), end: self.end.saturating_add(offset) }
    }
    /// The same place, clamped to `text` and widened to whole characters.
    pub fn sanitized(self, text: &str) -> Span {
        let start = floor_boundary(text, self.start as usize);
        Span::new(start, ceil_boundary(text, self.end as usize).max(start))
    }
}

/// The difference of two texts with a common beginning and end, as a place in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub before: Span,
    pub now: Span,
}

impl Change {
    /// The places are of bytes, not of whole characters.
    pub fn between(before: &str, now: &str) -> Change {
        let (before, now) = (before.as_bytes(), now.as_bytes());
        let start = common(before.chunks(BLOCK), now.chunks(BLOCK), |(one, other)| same(one.iter(), other.iter()));
        let (before_rest, now_rest) = (&before[start..], &now[start..]);
        let behind = common(before_rest.rchunks(BLOCK), now_rest.rchunks(BLOCK), |(one, other)| {
            same(one.iter().rev(), other.iter().rev())
        });
        let place = |text: &[u8]| Span::new(start, text.len() - behind);
        Change { before: place(before), now: place(now) }
    }
}

/// Blocks of so many bytes are compared at once.
const BLOCK: usize = 256;

/// How many bytes are the same, up to the first that differ.
fn common<'t>(
    one: impl Iterator<Item = &'t [u8]>,
    other: impl Iterator<Item = &'t [u8]>,
    same: impl Fn((&[u8], &[u8])) -> usize,
) -> usize {
    let mut all = 0;
    for (one, other) in one.zip(other) {
        if one != other {
            return all + same((one, other));
        }
        all += one.len();
    }
    all
}

fn same<'t>(one: impl Iterator<Item = &'t u8>, other: impl Iterator<Item = &'t u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// The length of the byte order mark that some editors put before a text; it is not part of the text.
pub fn byte_order_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Whether the byte at `at` ends a line: a newline, or a carriage return without a newline after it.
pub fn is_line_end(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

/// The bytes that end lines.
pub fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).filter(|at| is_line_end(text, *at))
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil_boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (offset..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// One text in any language, with its name and line table. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Source {
    pub id: FileId,
    pub name: Arc<str>,
    pub text: Arc<str>,
    pub lines: Arc<LineIndex>,
}

impl Source {
    pub fn new(id: FileId, name: &str, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let lines = Arc::new(LineIndex::new(&text));
        Self { id, name: name.into(), text, lines }
    }
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.sanitized(&self.text).range()]
    }
    /// Line and column as people count: from 1, columns in characters.
    pub fn line_and_character(&self, offset: usize) -> (usize, usize) {
        let LineCol { line, column } = self.line_col(offset);
        let start = self.lines.line_span(&self.text, line as usize).start as usize;
        let before = &self.text[start..start + column as usize];
        let mark = usize::from(start == 0 && byte_order_mark(before) > 0);
        (line as usize + 1, before.chars().count() - mark + 1)
    }
    pub fn line_col(&self, offset: usize) -> LineCol {
        self.lines.line_col(&self.text, offset, ColumnUnit::Utf8)
    }
}

/// Zero-based line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineCol {
    pub line: u32,
    pub column: u32,
}

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnUnit {
    Utf8,
    Utf16,
}

/// Where each line starts.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let after_newlines = line_ends(text).map(|at| at as u32 + 1);
        Self { starts: std::iter::once(0).chain(after_newlines).collect() }
    }

    /// The number of lines; a text that ends in a newline has an empty last one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of `line`, its newline included.
    pub fn line_span(&self, text: &str, line: usize) -> Span {
        let start = self.starts.get(line).map_or(text.len(), |&at| at as usize);
        let end = self.starts.get(line + 1).map_or(text.len(), |&at| at as usize);
        Span::new(start, end.max(start))
    }

    pub fn line_col(&self, text: &str, offset: usize, unit: ColumnUnit) -> LineCol {
        let offset = floor_boundary(text, offset);
        let line = self.starts.partition_point(|&start| start as usize <= offset) - 1;
        let before = &text[self.starts[line] as usize..offset];
        let column = match unit {
            ColumnUnit::Utf8 => before.len(),
            ColumnUnit::Utf16 if before.is_ascii() => before.len(),
            ColumnUnit::Utf16 => before.chars().map(char::len_utf16).sum(),
        };
        LineCol { line: line as u32, column: column as u32 }
    }

    /// The line of `offset`, which most often is `near` or the next.
    #[inline]
    pub fn line_near(&self, offset: u32, near: u32) -> u32 {
        let starts = |line: u32| self.starts.get(line as usize).copied().unwrap_or(u32::MAX);
        if starts(near) <= offset && offset < starts(near + 1) {
            near
        } else if starts(near + 1) <= offset && offset < starts(near + 2) {
            near + 1
        } else {
            self.starts.partition_point(|&start| start <= offset) as u32 - 1
        }
    }

    /// The byte offset of a place; a column past the line's end is its end (LSP 3.17, "Position").
    pub fn offset(&self, text: &str, at: LineCol, unit: ColumnUnit) -> usize {
        let span = self.line_span(text, at.line as usize);
        let line = text[span.range()].trim_end_matches(['\n', '\r']);
        let column = match unit {
            ColumnUnit::Utf8 => floor_boundary(line, at.column as usize),
            ColumnUnit::Utf16 => utf16_column(line, at.column as usize),
        };
        span.start as usize + column
    }
}

fn utf16_column(line: &str, column: usize) -> usize {
    let mut units = 0;
    for (at, c) in line.char_indices() {
        if units >= column {
            return at;
        }
        units += c.len_utf16();
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_between_texts() {
        let long = "a".repeat(3 * BLOCK);
        for before in ["", "abc", "abcabc", &long, &format!("{long}b{long}")] {
            for now in ["", "abc", "axc", "abcabcabc", &long[1..], &format!("{long}xy{long}")] {
                let change = Change::between(before, now);
                let (Change { before: old, now: new }, cut) =
                    (change, |text: &str, end: Span| text[end.end as usize..].to_string());
                assert_eq!(
                    (&before[..old.start as usize], cut(before, old)),
                    (&now[..new.start as usize], cut(now, new))
                );
                let ends = [before[old.range()].as_bytes(), now[new.range()].as_bytes()];
                assert!(
                    ends[0].is_empty()
                        || ends[1].is_empty()
                        || ends[0][0] != ends[1][0] && ends[0].last() != ends[1].last()
                );
            }
        }
    }

    #[test]
    fn columns_in_both_units() {
        let text = "a\n😀b\r\nc";
        let lines = LineIndex::new(text);
        let b = text.find('b').unwrap();
        assert_eq!(lines.line_col(text, b, ColumnUnit::Utf8), LineCol { line: 1, column: 4 });
        assert_eq!(lines.line_col(text, b, ColumnUnit::Utf16), LineCol { line: 1, column: 2 });
        assert_eq!(lines.offset(text, LineCol { line: 1, column: 2 }, ColumnUnit::Utf16), b);
        assert_eq!(lines.offset(text, LineCol { line: 1, column: 99 }, ColumnUnit::Utf16), b + 1);
        assert_eq!(lines.offset(text, LineCol { line: 9, column: 0 }, ColumnUnit::Utf8), text.len());
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let text = "a\rb\r\nc\r\rd";
        let lines = LineIndex::new(text);
        let at = |c: char| lines.line_col(text, text.find(c).unwrap(), ColumnUnit::Utf16);
        assert_eq!(['a', 'b', 'c', 'd'].map(|c| (at(c).line, at(c).column)), [(0, 0), (1, 0), (2, 0), (4, 0)]);
        assert_eq!(lines.offset(text, LineCol { line: 0, column: 9 }, ColumnUnit::Utf8), 1);
    }

    #[test]
    fn people_do_not_count_a_byte_order_mark() {
        let source = Source::new(FileId(0), "t", "\u{feff}ab\nc");
        assert_eq!([0, 3, 4, 6].map(|at| source.line_and_character(at)), [(1, 1), (1, 1), (1, 2), (2, 1)]);
    }

    #[test]
    fn any_span_can_be_sanitized() {
        let text = "é😀";
        assert_eq!(Span::new(1, 3).sanitized(text), Span::new(0, 6));
        assert_eq!(Span::new(90, 99).sanitized(text), Span::new(6, 6));
    }
}

//! Lines of numbers, one entry a line: coordinates, then a value. Blank lines and comments stand
//! anywhere. The text is cut at line ends and the pieces are read in parallel, each into its own
//! part of the result, which is allocated once the lines have been counted.

mod fault;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fault::{CoordinateFault, Fault, explain};
use rayon::prelude::*;

use super::{
    FileError, Progress, Watch,
    number::{Field, Number, NumberFault, Scanned, at_end, is_blank, natural},
    source::{Piece, Text},
};
use crate::{arrays::Values, element::Element, with_values};

/// Bytes of text that one task reads: small beside the cache, large beside the cost of a task.
const PIECE: usize = 1 << 18;

/// Which coordinates a file may store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Anywhere,
    /// On or below the diagonal.
    Lower,
    /// As `Lower`, with zeros on the diagonal.
    LowerZeroDiagonal,
    /// As `Lower`, with real values on the diagonal.
    LowerRealDiagonal,
}

/// What each line holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'a> {
    /// What the coordinates, counted from 1 in the text, must not pass: none for values alone.
    pub(super) sizes: &'a [u64],
    pub(super) field: Field,
    pub(super) element: Element,
    pub(super) region: Region,
    /// What starts a comment, at a line's first word.
    pub(super) comment: u8,
}

impl Form<'_> {
    /// Whether `bytes` of text can hold as many entries: each number takes two at least. Where
    /// they cannot, a line is too short, and reading without keeping finds it.
    fn fits(&self, entries: usize, bytes: usize) -> bool {
        entries.saturating_mul(2 * self.sizes.len()) <= bytes + 1
    }
}

/// How many entries there must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// As many as there are.
    Any,
    /// `by` says who promised them, as in "the size line promises".
    Exactly { entries: u64, by: &'static str },
}

/// Entries in the order of the text, coordinates counted from 0.
#[derive(Debug)]
pub(super) struct Records {
    pub(super) coords: Vec<Vec<u64>>,
    pub(super) values: Values,
}

/// Reads the lines of `text` from byte `start` on.
///
/// # Errors
/// The first line in the text that is not as `form` says; more or fewer entries than `expected`.
pub(super) fn read(
    text: Text<'_>,
    start: usize,
    form: &Form<'_>,
    expected: Expected,
    watch: Watch<'_>,
) -> Result<Records, FileError> {
    let pieces = cut(text, start);
    let counts = count(text, &pieces, form, expected)?;
    let entries = counts.iter().sum();
    let room = if form.fits(entries, text.len().saturating_sub(start)) { entries } else { 0 };
    let mut coords: Vec<Vec<u64>> = form.sizes.iter().map(|_| vec![0; room]).collect();
    let mut values = Values::zeros(form.element, entries);
    let (done, stopped) = (AtomicU64::new(start as u64), AtomicBool::new(false));
    let reader = Reader { text, form, expected, done, stopped, watch };
    with_values!(&mut values, values => reader.fill(&pieces, &counts, &mut coords, values))?;
    if room < entries {
        return Err(FileError::at(text.memory(), text.len(), "the text is too short for its entries"));
    }
    Ok(Records { coords, values })
}

/// The byte where entry `entry` starts, counted from 0 from byte `start` on.
pub(super) fn place_of(text: &[u8], start: usize, comment: u8, entry: usize) -> usize {
    let all = Piece { start, end: text.len() };
    Cursor::new(text, all, comment).nth(entry).unwrap_or(text.len())
}

/// The lines with entries, from their first word on, newlines included.
pub(super) fn entry_lines(text: &[u8], comment: u8) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let mut cursor = Cursor::new(text, Piece { start: 0, end: text.len() }, comment);
    std::iter::from_fn(move || cursor.next().map(|start| start..cursor.at))
}

/// The text from `start` on in pieces of whole lines.
fn cut(text: Text<'_>, start: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = start;
    while start < text.len() {
        let end = text.line_end(start.saturating_add(PIECE - 1).min(text.len()));
        pieces.push(Piece { start, end });
        start = end;
    }
    pieces
}

/// The entries of each piece, checked against `expected` where that is sure: a piece of as many
/// lines as are promised may still hold blank ones.
fn count(text: Text<'_>, pieces: &[Piece], form: &Form<'_>, expected: Expected) -> Result<Vec<usize>, FileError> {
    let Expected::Exactly { entries, .. } = expected else { return Ok(count_entries(text, pieces, form)) };
    let lines = each_piece(text, pieces, |text, piece| lines(text.get(piece.start..piece.end).unwrap_or_default()));
    if lines.iter().sum::<usize>() as u64 == entries {
        return Ok(lines);
    }
    let counts = count_entries(text, pieces, form);
    match counts.iter().sum::<usize>() as u64 == entries {
        true => Ok(counts),
        false => Err(miscounted(text.memory(), pieces, &counts, form, expected)),
    }
}

fn count_entries(text: Text<'_>, pieces: &[Piece], form: &Form<'_>) -> Vec<usize> {
    each_piece(text, pieces, |text, piece| Cursor::new(text, piece, form.comment).count())
}

fn each_piece(text: Text<'_>, pieces: &[Piece], count: impl Fn(&[u8], Piece) -> usize + Sync) -> Vec<usize> {
    let count = |buffer: &mut Vec<u8>, piece: &Piece| {
        let (text, piece) = text.piece(*piece, buffer);
        count(text, piece)
    };
    pieces.par_iter().map_init(Vec::new, count).collect()
}

fn lines(piece: &[u8]) -> usize {
    let unended = piece.last().is_some_and(|&last| last != b'\n');
    memchr::memchr_iter(b'\n', piece).count() + usize::from(unended)
}

fn miscounted(text: &[u8], pieces: &[Piece], counts: &[usize], form: &Form<'_>, expected: Expected) -> FileError {
    let found = counts.iter().sum::<usize>() as u64;
    let (promised, by) = match expected {
        Expected::Exactly { entries, by } => (entries, by),
        Expected::Any => (found, "there are"),
    };
    let noun = if promised == 1 { "entry" } else { "entries" };
    if found < promised {
        return FileError::at(text, text.len(), format!("{by} {promised} {noun}, but the file ends after {found}"))
            .help("the file may be truncated; if it is whole, correct the number of entries");
    }
    let mut before = 0;
    let surplus = pieces.iter().zip(counts).find_map(|(piece, &entries)| {
        let skip = usize::try_from(promised - before).unwrap_or(usize::MAX);
        before = (before + entries as u64).min(promised);
        Cursor::new(text, *piece, form.comment).nth(skip)
    });
    FileError::at(text, surplus.unwrap_or(text.len()), format!("{by} {promised} {noun}, but the file has {found}"))
        .help("correct the number of entries, or remove the lines from here on")
}

/// A fault and its byte in the text.
type Checked<T> = Result<T, (Fault, usize)>;

struct Reader<'a> {
    text: Text<'a>,
    form: &'a Form<'a>,
    expected: Expected,
    done: AtomicU64,
    stopped: AtomicBool,
    watch: Watch<'a>,
}

/// A piece of text and the parts of the result that it fills.
struct Task<'a, T> {
    piece: Piece,
    columns: Vec<&'a mut [u64]>,
    values: &'a mut [T],
}

impl Reader<'_> {
    fn fill<T: Number>(
        &self,
        pieces: &[Piece],
        counts: &[usize],
        coords: &mut [Vec<u64>],
        values: &mut [T],
    ) -> Result<(), FileError> {
        let tasks = tasks(pieces, counts, coords, values);
        let outcomes: Vec<Checked<()>> =
            tasks.into_par_iter().map_init(Vec::new, |buffer, task| self.task(task, buffer)).collect();
        let fault = outcomes.into_iter().find_map(Result::err);
        if let Some((Fault::Short, _)) = fault {
            let counts = count_entries(self.text, pieces, self.form);
            return Err(miscounted(self.text.memory(), pieces, &counts, self.form, self.expected));
        }
        let stopped = fault.is_none() && self.stopped.load(Ordering::Relaxed);
        let fault = if stopped { Some((Fault::Stopped, 0)) } else { fault };
        fault.map_or(Ok(()), |(fault, at)| Err(explain(self.text.memory(), self.form, fault, at)))
    }

    fn task<T: Number>(&self, mut task: Task<'_, T>, buffer: &mut Vec<u8>) -> Checked<()> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err((Fault::Stopped, task.piece.start));
        }
        let (text, piece) = self.text.piece(task.piece, buffer);
        let mut cursor = Cursor::new(text, piece, self.form.comment);
        match task.columns.as_mut_slice() {
            // The same loop, made for matrices and for values alone.
            [rows, columns] => self.entries(&mut [rows, columns], task.values, &mut cursor)?,
            [] => self.entries(&mut [], task.values, &mut cursor)?,
            columns => self.entries(columns, task.values, &mut cursor)?,
        }
        let length = (task.piece.end - task.piece.start) as u64;
        let done = self.done.fetch_add(length, Ordering::Relaxed) + length;
        if (self.watch)(Progress { done, total: self.text.len() as u64 }).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    #[inline(always)]
    fn entries<T: Number>(&self, columns: &mut [&mut [u64]], values: &mut [T], cursor: &mut Cursor<'_>) -> Checked<()> {
        for (entry, value) in values.iter_mut().enumerate() {
            let start = cursor.next_entry().ok_or((Fault::Short, cursor.at))?;
            for (dim, (column, &size)) in columns.iter_mut().zip(self.form.sizes).enumerate() {
                let coordinate = cursor.coordinate(dim, size)?;
                if let Some(slot) = column.get_mut(entry) {
                    *slot = coordinate;
                }
            }
            *value = cursor.value(self.form.field, self.form.element)?;
            cursor.end_line()?;
            if self.form.region != Region::Anywhere {
                self.check_region(columns, entry, *value, start)?;
            }
        }
        Ok(())
    }

    fn check_region<T: Number>(&self, columns: &[&mut [u64]], entry: usize, value: T, start: usize) -> Checked<()> {
        let [rows, columns] = columns else { return Ok(()) };
        let (row, column) = (rows.get(entry), columns.get(entry));
        let stored = match self.form.region {
            Region::Anywhere => true,
            _ if row != column => row > column,
            Region::Lower => true,
            Region::LowerZeroDiagonal => value.is_zero(),
            Region::LowerRealDiagonal => value.is_real(),
        };
        let diagonal = row == column;
        stored.then_some(()).ok_or((if diagonal { Fault::Diagonal } else { Fault::UpperTriangle }, start))
    }
}

/// Gives every piece its part of the result.
fn tasks<'a, T>(
    pieces: &[Piece],
    counts: &[usize],
    coords: &'a mut [Vec<u64>],
    mut values: &'a mut [T],
) -> Vec<Task<'a, T>> {
    let mut rest: Vec<&'a mut [u64]> = coords.iter_mut().map(Vec::as_mut_slice).collect();
    let mut take = |(&piece, &entries): (&Piece, &usize)| {
        let columns = rest.iter_mut().map(|column| head(column, entries)).collect();
        Task { piece, columns, values: head(&mut values, entries) }
    };
    pieces.iter().zip(counts).map(&mut take).collect()
}

/// Takes the first `count` entries off `slice`.
fn head<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (head, rest) = std::mem::take(slice).split_at_mut_checked(count).unwrap_or_default();
    *slice = rest;
    head
}

/// Walks over a piece of the text; its places are bytes of the whole text.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    comment: u8,
}

/// The starts of the entries, each skipped over.
impl Iterator for Cursor<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let start = self.next_entry()?;
        self.skip_line();
        Some(start)
    }
}

impl<'a> Cursor<'a> {
    fn new(text: &'a [u8], piece: Piece, comment: u8) -> Cursor<'a> {
        Cursor { text: text.get(..piece.end).unwrap_or(text), at: piece.start, comment }
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    #[inline(always)]
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_blank(byte)) {
            self.at += 1;
        }
    }

    fn skip_line(&mut self) {
        self.at += memchr::memchr(b'\n', self.rest()).map_or(self.rest().len(), |newline| newline + 1);
    }

    /// Goes to the next entry, past blank lines and comments.
    #[inline(always)]
    fn next_entry(&mut self) -> Option<usize> {
        loop {
            self.skip_blanks();
            match self.text.get(self.at)? {
                b'\n' => self.at += 1,
                &byte if byte == self.comment => self.skip_line(),
                _ => return Some(self.at),
            }
        }
    }

    /// A coordinate counted from 1 in the text, from 0 in the result.
    #[inline(always)]
    fn coordinate(&mut self, dim: usize, size: u64) -> Checked<u64> {
        self.skip_blanks();
        if let Some((number, used)) = natural(self.rest()) {
            let coordinate = number.wrapping_sub(1);
            if coordinate < size && self.ends_word(used) {
                self.at += used;
                return Ok(coordinate);
            }
        }
        Err(self.coordinate_fault(dim, size))
    }

    #[inline(always)]
    fn ends_word(&self, used: usize) -> bool {
        self.text.get(self.at + used).is_none_or(|&byte| is_blank(byte) || byte == b'\n')
    }

    #[cold]
    fn coordinate_fault(&self, dim: usize, size: u64) -> (Fault, usize) {
        (Fault::Coordinate(dim, self.why_no_coordinate(size)), self.at)
    }

    fn why_no_coordinate(&self, size: u64) -> CoordinateFault {
        let rest = self.rest();
        let sign = usize::from(matches!(rest.first(), Some(b'-' | b'+')));
        match natural(rest.get(sign..).unwrap_or_default()) {
            _ if at_end(rest) => CoordinateFault::Missing,
            Some((_, used)) if !self.ends_word(sign + used) => CoordinateFault::NotANumber,
            Some((0, _)) => CoordinateFault::Zero,
            Some(_) if rest.first() == Some(&b'-') => CoordinateFault::Negative,
            Some((number, _)) if sign == 0 && number > size => CoordinateFault::Past,
            _ => CoordinateFault::NotANumber,
        }
    }

    #[inline(always)]
    fn value<T: Number>(&mut self, field: Field, element: Element) -> Checked<T> {
        if field != Field::Pattern {
            self.skip_blanks();
        }
        let scanned: Scanned<T> = T::scan(self.rest(), field, element);
        let (value, used) = scanned.map_err(|(fault, used)| (Fault::Value(fault), self.at + used))?;
        if !self.ends_word(used) {
            return Err((Fault::Value(NumberFault::NotANumber), self.at));
        }
        self.at += used;
        Ok(value)
    }

    #[inline(always)]
    fn end_line(&mut self) -> Checked<()> {
        self.skip_blanks();
        match self.text.get(self.at) {
            Some(b'\n') => self.at += 1,
            None => {}
            Some(_) => return Err((Fault::Trailing, self.at)),
        }
        Ok(())
    }
}

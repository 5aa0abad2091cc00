//! Lines of numbers, one entry per line: coordinates, then a value. Blank lines and comments may occur anywhere. The
//! text is cut at line ends and the pieces are read in parallel, each into its own part of the result, which is
//! allocated once the lines have been counted.

mod counts;
mod cursor;
mod fault;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cursor::Cursor;
use fault::{Fault, explain};
use rayon::prelude::*;

use super::{
    FileError, Progress, Watch,
    error::Others,
    number::{Field, Number},
    source::{Piece, Text},
};
use nnz_base::{
    arrays::Values,
    element::Element,
    memory::{self, NoRoom},
    threads, with_values,
};

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

/// The contents of each line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'a> {
    /// The largest coordinates, counted from 1 in the text; none if lines hold only values.
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

    /// # Errors
    /// There is no room for the coordinates and values of so many entries.
    fn check_room(&self, entries: usize) -> Result<(), NoRoom> {
        memory::room_for(entries as u128, (8 * self.sizes.len() + self.element.bytes()) as u64)
    }
}

/// The required number of entries.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// Any number.
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
/// The lines that do not match `form`; more or fewer entries than `expected`.
pub(super) fn read(
    text: Text<'_>,
    start: usize,
    form: &Form<'_>,
    expected: Expected,
    watch: Watch<'_>,
) -> Result<Records, FileError> {
    let pieces = cut(text, start);
    if let Some(records) = in_one_pass(text, &pieces, form, expected, watch) {
        return Ok(records);
    }
    let reader = Reader::new(text, start, form, expected, watch);
    let counts = reader.count(&pieces)?;
    let entries = counts.iter().sum();
    form.check_room(entries)?;
    let room = if form.fits(entries, text.len().saturating_sub(start)) { entries } else { 0 };
    let mut coords: Vec<Vec<u64>> = form.sizes.iter().map(|_| vec![0; room]).collect();
    let mut values = Values::zeros(form.element, entries);
    with_values!(&mut values, values => reader.fill(&pieces, &counts, &mut coords, values))?;
    if room < entries {
        return Err(FileError::at(text.memory(), text.len(), "the text is too short for its entries"));
    }
    Ok(Records { coords, values })
}

/// On one thread there is no need to count first where a matrix has lines: a second look at the text costs
/// more than it is worth. `None` where that does not apply or does not work: then counting finds why.
fn in_one_pass(
    text: Text<'_>,
    pieces: &[Piece],
    form: &Form<'_>,
    expected: Expected,
    watch: Watch<'_>,
) -> Option<Records> {
    let (Expected::Exactly { entries, .. }, [_, _], 1) = (expected, form.sizes, threads::count()) else {
        return None;
    };
    let start = pieces.first()?.start;
    let entries = usize::try_from(entries).ok().filter(|&entries| form.fits(entries, text.len() - start))?;
    form.check_room(entries).ok()?;
    let mut coords = vec![vec![0; entries]; 2];
    let mut values = Values::zeros(form.element, entries);
    let reader = Reader::new(text, start, form, expected, watch);
    with_values!(&mut values, values => reader.fill_in_order(pieces, &mut coords, values)).ok()?;
    Some(Records { coords, values })
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

fn count_entries(text: Text<'_>, pieces: &[Piece], form: &Form<'_>) -> Vec<usize> {
    each_piece(text, pieces, |text, piece| Cursor::new(text, piece, form.comment).count())
}

fn each_piece(text: Text<'_>, pieces: &[Piece], count: impl Fn(&[u8], Piece) -> usize + Sync) -> Vec<usize> {
    let count = |buffer: &mut Vec<u8>, piece: &Piece| {
        let (text, piece) = text.piece(*piece, buffer);
        count(text, piece)
    };
    threads::within(|| pieces.par_iter().map_init(Vec::new, count).collect())
}

fn lines(piece: &[u8]) -> usize {
    let unended = piece.last().is_some_and(|&last| last != b'\n');
    memchr::memchr_iter(b'\n', piece).count() + usize::from(unended)
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

impl<'a> Reader<'a> {
    fn new(text: Text<'a>, start: usize, form: &'a Form<'a>, expected: Expected, watch: Watch<'a>) -> Reader<'a> {
        let (done, stopped) = (AtomicU64::new(start as u64), AtomicBool::new(false));
        Reader { text, form, expected, done, stopped, watch }
    }

    /// The entries of each piece, checked against what is expected where that is sure: a piece of as many lines as are
    /// promised may still hold blank ones.
    fn count(&self, pieces: &[Piece]) -> Result<Vec<usize>, FileError> {
        let (text, form) = (self.text, self.form);
        let Expected::Exactly { entries, .. } = self.expected else { return Ok(count_entries(text, pieces, form)) };
        let lines = each_piece(text, pieces, |text, piece| lines(text.get(piece.start..piece.end).unwrap_or_default()));
        if lines.iter().sum::<usize>() as u64 == entries {
            return Ok(lines);
        }
        let counts = count_entries(text, pieces, form);
        match counts.iter().sum::<usize>() as u64 == entries {
            true => Ok(counts),
            false => Err(self.miscounted(pieces, &counts)),
        }
    }

    fn fill<T: Number>(
        &self,
        pieces: &[Piece],
        counts: &[usize],
        coords: &mut [Vec<u64>],
        values: &mut [T],
    ) -> Result<(), FileError> {
        let tasks = tasks(pieces, counts, coords, values);
        let all_of = |buffer: &mut Vec<u8>, task: Task<'_, T>| {
            let (entries, end) = (task.values.len(), task.piece.end);
            self.task(task, buffer)?.eq(&entries).then_some(()).ok_or((Fault::Short, end))
        };
        let outcomes: Vec<Checked<()>> = threads::within(|| tasks.into_par_iter().map_init(Vec::new, all_of).collect());
        let fault = outcomes.into_iter().find_map(Result::err);
        if let Some((Fault::Short, _)) = fault {
            let counts = count_entries(self.text, pieces, self.form);
            return Err(self.miscounted(pieces, &counts));
        }
        let stopped = fault.is_none() && self.stopped.load(Ordering::Relaxed);
        let fault = if stopped { Some((Fault::Stopped, 0)) } else { fault };
        let Some((fault, at)) = fault else { return Ok(()) };
        let error = explain(self.text.memory(), self.form, fault, at);
        Err(if stopped { error } else { error.others(self.faults_behind::<T>(fault, at)) })
    }

    /// The faults behind that at byte `at`, unless the reading is stopped on the way.
    fn faults_behind<T: Number>(&self, fault: Fault, at: usize) -> Others {
        let text = self.text.memory();
        let mut cursor = Cursor::new(text, Piece { start: at, end: text.len() }, self.form.comment);
        let mut others = Others::default();
        self.add_faults_of_line::<T>(&mut cursor, fault, &mut others);
        cursor.skip_line();
        self.faults_from::<T>(cursor, others)
    }

    /// Adds the faults of a line behind that of a coordinate, which `cursor` is at.
    fn add_faults_of_line<T: Number>(&self, cursor: &mut Cursor<'_>, fault: Fault, others: &mut Others) {
        let Fault::Coordinate(first, _) = fault else { return };
        cursor.skip_word();
        for (dim, &size) in self.form.sizes.iter().enumerate().skip(first + 1) {
            match cursor.coordinate(dim, size) {
                _ if cursor.is_at_line_end() => return,
                Ok(_) => {}
                Err((fault, at)) => {
                    others.add(|| explain(self.text.memory(), self.form, fault, at));
                    cursor.skip_word();
                }
            }
        }
        if let Err((fault, at)) = cursor.value::<T>(self.form.field, self.form.element)
            && !cursor.is_at_line_end()
        {
            others.add(|| explain(self.text.memory(), self.form, fault, at));
        }
    }

    /// `others`, and the faults of the lines from `cursor` on, unless the reading is stopped on the way.
    fn faults_from<T: Number>(&self, mut cursor: Cursor<'_>, mut others: Others) -> Others {
        /// So many lines are read between two looks at whether to stop.
        const LINES: usize = 1 << 16;
        let text = self.text.memory();
        for line in 1.. {
            match self.line::<T>(&mut cursor) {
                Ok(true) => {}
                Ok(false) => break,
                Err((fault, at)) => {
                    others.add(|| explain(text, self.form, fault, at));
                    cursor.at = at;
                    self.add_faults_of_line::<T>(&mut cursor, fault, &mut others);
                    cursor.skip_line();
                }
            }
            let progress = Progress { done: cursor.at as u64, total: text.len() as u64 };
            if line % LINES == 0 && (self.watch)(progress).is_break() {
                break;
            }
        }
        others
    }

    /// Reads one entry and forgets it: whether there was one.
    fn line<T: Number>(&self, cursor: &mut Cursor<'_>) -> Checked<bool> {
        let (mut coordinates, mut value) = (vec![0; self.form.sizes.len()], [T::default()]);
        let read = match (coordinates.as_mut_slice(), self.form.sizes) {
            ([row, column], &[height, width]) => {
                self.matrix_entries(std::iter::once((row, column)), [height, width], &mut value, cursor)?
            }
            (coordinates, _) => {
                let mut columns: Vec<&mut [u64]> = coordinates.iter_mut().map(std::slice::from_mut).collect();
                self.entries(&mut columns, &mut value, cursor)?
            }
        };
        Ok(read > 0)
    }

    /// Fills the result piece by piece; an error where it does not come out even.
    fn fill_in_order<T: Number>(&self, pieces: &[Piece], coords: &mut [Vec<u64>], mut values: &mut [T]) -> Checked<()> {
        let mut rest: Vec<&mut [u64]> = coords.iter_mut().map(Vec::as_mut_slice).collect();
        let mut buffer = Vec::new();
        for &piece in pieces {
            let columns = rest.iter_mut().map(|column| &mut **column).collect();
            let read = self.task(Task { piece, columns, values: &mut *values }, &mut buffer)?;
            for column in &mut rest {
                head(column, read);
            }
            head(&mut values, read);
        }
        let whole = values.is_empty() && !self.stopped.load(Ordering::Relaxed);
        whole.then_some(()).ok_or((Fault::Short, self.text.len()))
    }

    /// Reads the entries of a piece, at most as many as `task` has room for, and returns their number.
    fn task<T: Number>(&self, mut task: Task<'_, T>, buffer: &mut Vec<u8>) -> Checked<usize> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err((Fault::Stopped, task.piece.start));
        }
        let (text, piece) = self.text.piece(task.piece, buffer);
        let mut cursor = Cursor::new(text, piece, self.form.comment);
        let read = match (task.columns.as_mut_slice(), self.form.sizes) {
            ([rows, columns], &[height, width]) if rows.len() == task.values.len() => {
                let places = rows.iter_mut().zip(columns.iter_mut());
                self.matrix_entries(places, [height, width], task.values, &mut cursor)?
            }
            (columns, _) => self.entries(columns, task.values, &mut cursor)?,
        };
        if let Some(surplus) = cursor.next_entry() {
            return Err((Fault::Short, surplus));
        }
        let length = (task.piece.end - task.piece.start) as u64;
        let done = self.done.fetch_add(length, Ordering::Relaxed) + length;
        if (self.watch)(Progress { done, total: self.text.len() as u64 }).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        Ok(read)
    }

    /// [`Reader::entries`] of a matrix, the most frequent kind by far.
    #[inline(always)]
    fn matrix_entries<'c, T: Number>(
        &self,
        places: impl Iterator<Item = (&'c mut u64, &'c mut u64)>,
        [height, width]: [u64; 2],
        values: &mut [T],
        cursor: &mut Cursor<'_>,
    ) -> Checked<usize> {
        let mut read = 0;
        for ((row, column), value) in places.zip(values) {
            let Some(start) = cursor.next_entry() else { return Ok(read) };
            *row = cursor.coordinate(0, height)?;
            *column = cursor.coordinate(1, width)?;
            *value = cursor.value(self.form.field, self.form.element)?;
            cursor.end_line()?;
            self.check_region(*row, *column, *value, start)?;
            read += 1;
        }
        Ok(read)
    }

    fn entries<T: Number>(
        &self,
        columns: &mut [&mut [u64]],
        values: &mut [T],
        cursor: &mut Cursor<'_>,
    ) -> Checked<usize> {
        for (entry, value) in values.iter_mut().enumerate() {
            if cursor.next_entry().is_none() {
                return Ok(entry);
            }
            for (dim, (column, &size)) in columns.iter_mut().zip(self.form.sizes).enumerate() {
                let coordinate = cursor.coordinate(dim, size)?;
                if let Some(slot) = column.get_mut(entry) {
                    *slot = coordinate;
                }
            }
            *value = cursor.value(self.form.field, self.form.element)?;
            cursor.end_line()?;
        }
        Ok(values.len())
    }

    #[inline(always)]
    fn check_region<T: Number>(&self, row: u64, column: u64, value: T, start: usize) -> Checked<()> {
        let stored = match self.form.region {
            Region::Anywhere => true,
            _ if row != column => row > column,
            Region::Lower => true,
            Region::LowerZeroDiagonal => value.is_zero(),
            Region::LowerRealDiagonal => value.is_real(),
        };
        let fault = if row == column { Fault::Diagonal } else { Fault::UpperTriangle };
        stored.then_some(()).ok_or((fault, start))
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

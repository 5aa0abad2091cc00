//! The head of a `.tns` file. Three forms are in use, besides none at all:
//!
//! ```text
//! rank entries            the extended form, which MLIR and nnz write
//! size1 size2 ...
//!
//! rank                    PASTA's and ParTI's
//! size1 size2 ...
//!
//! size1 size2 ... entries     COMET's and others'
//! ```
//!
//! The first two are recognized by lines whose lengths fit no entry. The third looks like an entry. It is taken as
//! a head, with a warning, if the stated number of entries follows and none lies outside its sizes.

use super::super::{
    FileError, Note,
    limit::Told,
    number::{Field, natural},
    records::{Expected, entry_lines},
};

pub(in super::super) const COMMENT: u8 = b'#';
const EXTENDED: &[u8] = b"extended FROSTT format";
/// The most dimensions.
const MOST_DIMENSIONS: usize = 64;

/// The contents of the head, stated or implied.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) rank: usize,
    /// Where the file says them.
    pub(super) sizes: Option<Vec<u64>>,
    /// As many as the file promises.
    entries: Option<u64>,
    pub(super) sizes_at: usize,
    pub(super) body: usize,
    pub(super) note: Option<Note>,
}

type Line = std::ops::Range<usize>;

/// The first lines that are neither blank nor comments, and how many words a value takes.
struct Lines<'a> {
    text: &'a [u8],
    first: Line,
    second: Option<Line>,
    third: Option<Line>,
    values: usize,
}

/// What a head of the extended form tells of the text's length, where `start` has it and the line behind it.
pub(in super::super) fn told(start: &[u8]) -> Told {
    let mut lines = entry_lines(start, COMMENT);
    let [Some(first), second @ Some(_), Some(third)] = [lines.next(), lines.next(), lines.next()] else {
        return Told::Nothing;
    };
    if third.end == start.len() {
        return Told::Nothing;
    }
    let body = third.start;
    match (Lines { text: start, first, second, third: Some(third), values: 1 }).extended() {
        // A value is one number or two.
        Some(Ok(head)) => {
            let numbers = head.entries.and_then(|entries| entries.checked_mul(head.rank as u64 + 2));
            Told::promised(body, numbers)
        }
        Some(Err(_)) | None => Told::NoHead,
    }
}

impl Head {
    pub(super) fn parse(text: &[u8], field: Field) -> Result<Head, FileError> {
        let values = if field == Field::Complex { 2 } else { 1 };
        let mut lines = entry_lines(text, COMMENT);
        let Some(first) = lines.next() else {
            return Ok(Head {
                rank: 0,
                sizes: None,
                entries: None,
                sizes_at: text.len(),
                body: text.len(),
                note: None,
            });
        };
        let word = text.get(first.clone()).unwrap_or_default();
        if word.starts_with(b"%") || word.starts_with(b"//") {
            return Err(
                FileError::at(text, first.start, "comments begin with `#`").help("write `#` in front of the line")
            );
        }
        let lines = Lines { text, first, second: lines.next(), third: lines.next(), values };
        lines
            .extended()
            .or_else(|| lines.ordered().map(Ok))
            .or_else(|| lines.sized().map(Ok))
            .unwrap_or_else(|| lines.plain())
    }

    pub(super) fn expected(&self) -> Expected {
        match self.entries {
            Some(entries) => Expected::Exactly { entries, by: "the file's head promises" },
            None => Expected::Any,
        }
    }
}

impl Lines<'_> {
    /// The head of the extended form, `None` where these lines are entries.
    fn extended(&self) -> Option<Result<Head, FileError>> {
        let said = memchr::memmem::find(self.text.get(..self.first.start)?, EXTENDED).is_some();
        let [rank, entries] = self.numbers(&self.first).unwrap_or_default()[..] else {
            return said.then(|| Err(bad_head(self.text, self.first.start, "rank entries")));
        };
        let end = self.text.len();
        let sizes_line = self.second.clone().unwrap_or(end..end);
        let sizes = self.numbers(&sizes_line).unwrap_or_default();
        let fits = sizes.len() as u64 == rank && is_rank(rank);
        // Entries that follow are longer than the line of sizes: a plain file has lines of one length.
        let longer = self
            .third
            .as_ref()
            .map_or(sizes.len() != 2, |line| self.words(line).count() > sizes.len().max(2) || rank == 1);
        if rank > MOST_DIMENSIONS as u64 && sizes.len() as u64 == rank {
            return Some(Err(too_many(self.text, self.first.start, rank)));
        }
        match (fits, said || longer) {
            (_, false) => None,
            (false, true) if !said => None,
            (false, true) => {
                let wanted = "the sizes of as many dimensions as the rank";
                Some(Err(bad_head(self.text, sizes_line.start, wanted)))
            }
            (true, true) => Some(Ok(Head {
                rank: sizes.len(),
                sizes: Some(sizes),
                entries: Some(entries),
                sizes_at: sizes_line.start,
                body: sizes_line.end,
                note: None,
            })),
        }
    }

    /// A line `rank`, then the sizes: no entry is as short as the first.
    fn ordered(&self) -> Option<Head> {
        let [rank] = self.numbers(&self.first)?[..] else { return None };
        let line = self.second.clone()?;
        let sizes = self.numbers(&line).filter(|sizes| is_rank(rank) && sizes.len() as u64 == rank)?;
        let goes_on = |line: &Line| self.words(line).count() == sizes.len() + self.values;
        self.third.as_ref().is_none_or(goes_on).then_some(Head {
            rank: sizes.len(),
            sizes: Some(sizes),
            entries: None,
            sizes_at: line.start,
            body: line.end,
            note: None,
        })
    }

    /// A line of sizes and the number of entries.
    fn sized(&self) -> Option<Head> {
        let mut sizes = self.numbers(&self.first)?;
        let entries = sizes.pop()?;
        if !is_rank(sizes.len() as u64) || sizes.contains(&0) {
            return None;
        }
        let line = || String::from_utf8_lossy(self.text.get(self.first.clone()).unwrap_or_default()).trim().to_string();
        let head = |sizes: Vec<u64>, entries| Head {
            rank: sizes.len(),
            sizes: Some(sizes),
            entries: Some(entries),
            sizes_at: self.first.start,
            body: self.first.end,
            note: Some(Note::SizesAndCount { line: line() }),
        };
        let goes_on = |line: &Line| self.words(line).count() == sizes.len() + self.values;
        if !self.second.as_ref().is_none_or(goes_on) {
            return None;
        }
        // A line of sizes and a count is shorter than an entry with a complex value.
        if self.values > 1 && self.second.is_some() {
            return Some(head(sizes, entries));
        }
        let follow = self.entries_within(&sizes)?;
        if follow == entries && follow > 0 {
            return Some(head(sizes, entries));
        }
        let doubt = follow < entries || entries == 0;
        let note = doubt.then(|| Note::PerhapsSizes { line: line(), entries, follow });
        Some(Head { note, ..self.entries(sizes.len() + 1 - self.values) }).filter(|head| head.rank > 0)
    }

    /// How many lines follow the first, if all hold coordinates within `sizes`.
    fn entries_within(&self, sizes: &[u64]) -> Option<u64> {
        let mut follow = 0;
        for line in entry_lines(self.text, COMMENT).skip(1) {
            let mut words = self.words(&line);
            let within = sizes.iter().all(|size| words.next().and_then(whole).is_some_and(|it| it <= *size));
            if !within {
                return None;
            }
            follow += 1;
        }
        Some(follow)
    }

    /// No head: the first line is an entry.
    fn plain(&self) -> Result<Head, FileError> {
        let at = self.first.start;
        let commas = self.text.get(self.first.clone()).is_some_and(|line| line.contains(&b','));
        match self.words(&self.first).count().saturating_sub(self.values) {
            0 if commas => Err(FileError::at(self.text, at, "the line holds no coordinates")
                .help("the numbers of a line are separated by blanks, not by `,`")),
            0 => Err(FileError::at(self.text, at, "the line holds no coordinates")
                .help(format!("each line holds coordinates, counted from 1, and then {} for the value", self.values))),
            rank if rank > MOST_DIMENSIONS => Err(too_many(self.text, at, rank as u64)),
            rank => Ok(Head { note: self.perhaps_empty(), ..self.entries(rank) }),
        }
    }

    /// Two lines that are as well the head of a matrix without entries.
    fn perhaps_empty(&self) -> Option<Note> {
        let sizes = self.numbers(self.second.as_ref()?)?;
        let empty = self.third.is_none() && self.numbers(&self.first)? == [2, 0] && sizes.len() == 2;
        empty.then(|| Note::PerhapsEmpty { rows: sizes[0], columns: sizes[1] })
    }

    fn entries(&self, rank: usize) -> Head {
        let at = self.first.start;
        Head { rank, sizes: None, entries: None, sizes_at: at, body: at, note: None }
    }

    fn words(&self, line: &Line) -> impl Iterator<Item = &[u8]> {
        let line = self.text.get(line.clone()).unwrap_or_default();
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }

    /// The words of a line, if all are whole numbers.
    fn numbers(&self, line: &Line) -> Option<Vec<u64>> {
        self.words(line).map(whole).collect()
    }
}

fn is_rank(rank: u64) -> bool {
    (1..=MOST_DIMENSIONS as u64).contains(&rank)
}

fn too_many(text: &[u8], at: usize, rank: u64) -> FileError {
    FileError::at(text, at, format!("the tensor has {rank} dimensions; {MOST_DIMENSIONS} are the most")).unsupported()
}

fn bad_head(text: &[u8], at: usize, wanted: &str) -> FileError {
    FileError::at(text, at, format!("this line of an extended FROSTT file holds {wanted}"))
        .help("the head is a line `rank entries`, then a line with the size of each dimension")
}

fn whole(word: &[u8]) -> Option<u64> {
    natural(word)
        .filter(|&(number, used)| used == word.len() && i64::try_from(number).is_ok())
        .map(|(number, _)| number)
}

//! More or fewer entries than a file promises.

use super::{Cursor, Expected, FileError, Form, Number, Others, Piece, Reader};
use nnz_base::{arrays::Values, with_values};

impl Reader<'_> {
    /// What is wrong with a file that has not as many entries as it promises. A wrong count hides no other faults.
    pub(super) fn miscounted(&self, pieces: &[Piece], counts: &[usize]) -> FileError {
        let (text, form) = (self.text.memory(), self.form);
        let count = Count::new(counts, form, self.expected);
        if count.found < count.promised {
            return count.too_few(text).others(self.all_faults(pieces));
        }
        if let Some(error) = foreign_comment(text, pieces, form) {
            return error;
        }
        let surplus = count.surplus(text, pieces, counts, form);
        match surplus.filter(|at| text.get(*at) == Some(&0)) {
            Some(at) => FileError::at(text, at, format!("{}, and bytes of value 0 follow them", count.promise()))
                .help("the file may be damaged, or padded to a length; `tr -d '\\000'` removes such bytes"),
            None => count.too_many(text, surplus.unwrap_or(text.len())).others(self.all_faults(pieces)),
        }
    }

    fn all_faults(&self, pieces: &[Piece]) -> Others {
        let text = self.text.memory();
        let start = pieces.first().map_or(text.len(), |piece| piece.start);
        let cursor = Cursor::new(text, Piece { start, end: text.len() }, self.form.comment);
        let mut none = Values::zeros(self.form.element, 0);
        with_values!(&mut none, values => self.faults_of(values, cursor))
    }

    /// The faults of all lines whose values have the type of `values`.
    fn faults_of<T: Number>(&self, _values: &mut [T], cursor: Cursor<'_>) -> Others {
        self.faults_from::<T>(cursor, Others::default())
    }
}

/// A line that begins with the sign of comments of other files.
fn foreign_comment(text: &[u8], pieces: &[Piece], form: &Form<'_>) -> Option<FileError> {
    let mut places = pieces.iter().flat_map(|piece| Cursor::new(text, *piece, form.comment));
    let at = places.find(|at| text.get(*at).is_some_and(|byte| b"#%!;/".contains(byte)))?;
    let sign = char::from(form.comment);
    let error = FileError::at(text, at, format!("a comment begins with `{sign}`"));
    Some(error.help(format!("write `{sign}` in front of the line, or remove it")))
}

/// The entries that a file promises, and those that it has.
struct Count {
    promised: u64,
    found: u64,
    /// Who promised them.
    by: &'static str,
    is_array: bool,
}

impl Count {
    fn new(counts: &[usize], form: &Form<'_>, expected: Expected) -> Count {
        let found = counts.iter().sum::<usize>() as u64;
        let (promised, by) = match expected {
            Expected::Exactly { entries, by } => (entries, by),
            Expected::Any => (found, "there are"),
        };
        Count { promised, found, by, is_array: form.sizes.is_empty() }
    }

    /// "the size line promises 3 entries"
    fn promise(&self) -> String {
        let noun = match (self.is_array, self.promised == 1) {
            (true, true) => "value",
            (true, false) => "values",
            (false, true) => "entry",
            (false, false) => "entries",
        };
        format!("{} {} {noun}", self.by, self.promised)
    }

    fn too_few(&self, text: &[u8]) -> FileError {
        let help = match self.is_array {
            true => {
                "an array file has a line for each value, zeros too, column by column: add those that are missing, or correct the sizes"
            }
            false => "the file may be truncated; if it is whole, correct the number of entries",
        };
        let message = format!("{}, but the file ends after {}", self.promise(), self.found);
        FileError::at(text, text.len(), message).help(help)
    }

    fn too_many(&self, text: &[u8], at: usize) -> FileError {
        let error = FileError::at(text, at, format!("{}, but the file has {}", self.promise(), self.found));
        error.help(match self.is_array {
            true => "correct the sizes, or remove the lines from here on",
            false => "correct the number of entries, or remove the lines from here on",
        })
    }

    /// The first entry that is not promised.
    fn surplus(&self, text: &[u8], pieces: &[Piece], counts: &[usize], form: &Form<'_>) -> Option<usize> {
        let mut before = 0;
        pieces.iter().zip(counts).find_map(|(piece, &entries)| {
            let skip = usize::try_from(self.promised - before).unwrap_or(usize::MAX);
            before = (before + entries as u64).min(self.promised);
            Cursor::new(text, *piece, form.comment).nth(skip)
        })
    }
}

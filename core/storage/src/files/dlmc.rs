//! The pruned weights of the Deep Learning Matrix Collection (`.smtx`): compressed rows without values. The first line
//! holds `rows, columns, entries`, the second the `rows + 1` offsets of the rows, the third the column of each entry;
//! all count from 0. Every value is 1, of type `f64` unless another element type is wanted, as in a Matrix Market
//! pattern.

use super::{
    FileError, Note, Read, ReadOptions, Watch,
    error::{Others, quote},
    limit::Told,
    number::{Field, natural, natural_element},
    shape_mismatch, sum_error, sums, triplets,
};
use nnz_base::{
    arrays::Values,
    diagnostic::counted,
    element::{Element, Scalar},
    memory,
};

const HELP: &str = "the file holds: rows, columns, entries; then rows + 1 offsets; then a column for each entry";

/// Reads the text of a `.smtx` file.
///
/// # Errors
/// The first place that contradicts the format, the file itself or `options`.
pub(super) fn read(text: &[u8], options: &ReadOptions, watch: Watch<'_>) -> Result<Read, FileError> {
    let mut numbers = Numbers { text, at: 0, last: 0 };
    let [rows, columns, entries] = numbers.sizes()?;
    if let Some(message) = shape_mismatch(&options.shape, &[rows, columns]) {
        return Err(FileError::at(text, 0, message));
    }
    if watch(super::Progress { done: 0, total: text.len() as u64 }).is_break() {
        return Err(FileError::stopped());
    }
    let element = options.element.unwrap_or(natural_element(Field::Pattern));
    numbers.room_for(entries, element)?;
    let miscounted = |error| miscounted(text, rows).unwrap_or(error);
    let row_coords = numbers.rows(rows, entries).map_err(miscounted)?;
    let list = numbers.at;
    let column_coords = numbers.columns(columns, entries).map_err(miscounted)?;
    numbers.end().map_err(miscounted)?;
    // Behind a blank the last number is whole, and how many there are is known.
    let end = Note::of_end(text).filter(|_| text.last().is_some_and(u8::is_ascii_digit));
    let values = ones(element, row_coords.len());
    let coords = [row_coords, column_coords];
    if let Some(entry) = sums::misfit(&coords, &values, element) {
        numbers.at = list;
        numbers.columns(columns, entry as u64 + 1)?;
        return Err(sum_error(text, numbers.last, element));
    }
    let triplets = triplets(vec![rows, columns], element, coords.into(), values)?;
    Ok(Read { triplets, notes: [Note::PatternAsOnes].into_iter().chain(end).collect() })
}

/// What is wrong with a file of three lines whose second one holds more or fewer offsets than the rows need: told at the
/// end of that line, as every number behind it is taken for another one.
fn miscounted(text: &[u8], rows: u64) -> Option<FileError> {
    let mut start = 0;
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(|line| {
        start += line.len();
        (start - line.len(), line.trim_ascii_end())
    });
    let lines: Vec<(usize, &[u8])> = lines.filter(|(_, line)| !line.is_empty()).take(4).collect();
    let &[_, (start, offsets), _] = lines.as_slice() else { return None };
    let numbers = offsets.split(|byte| byte.is_ascii_whitespace() || *byte == b',').filter(|word| !word.is_empty());
    let found = numbers.count() as u64;
    let verb = if rows == 1 { "needs" } else { "need" };
    let message = format!(
        "the second line holds {}, and {} {verb} {}",
        counted(found as usize, "row offset"),
        counted(rows as usize, "row"),
        rows.checked_add(1)?
    );
    let error = FileError::at(text, start + offsets.len(), message).help(HELP);
    (found != rows.checked_add(1)?).then_some(error)
}

/// What the first line tells of the text's length, where `start` has it.
pub(super) fn told(start: &[u8]) -> Told {
    let mut numbers = Numbers { text: start, at: 0, last: 0 };
    let sizes = numbers.sizes();
    match sizes {
        _ if numbers.rest().is_empty() => Told::Nothing,
        Ok([rows, _, entries]) => Told::promised(numbers.at, rows.checked_add(entries).map(|numbers| numbers + 1)),
        Err(_) => Told::NoHead,
    }
}

fn ones(element: Element, count: usize) -> Values {
    let one = if element.is_integer() { Scalar::Int(1) } else { Scalar::Float(1.0) };
    Values::from_scalars(element, std::iter::repeat_n(one, count))
}

/// Whole numbers from 0 on, with blanks or a comma between them.
struct Numbers<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the last number started.
    last: usize,
}

impl Numbers<'_> {
    /// Goes to the next number of the line, or to the next line: one comma may stand between two numbers.
    fn skip_separators(&mut self) {
        self.skip_blanks();
        let behind = self.rest().strip_prefix(b",").unwrap_or_default();
        let next = behind.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        if self.at > 0 && next.is_some_and(|byte| !matches!(byte, b',' | b'\r' | b'\n')) {
            self.at += 1;
            self.skip_blanks();
        }
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The rows, columns and entries that the first line says.
    fn sizes(&mut self) -> Result<[u64; 3], FileError> {
        let mut size = |name| self.next_up_to(i64::MAX as u64, name);
        Ok([size("number of rows")?, size("number of columns")?, size("number of entries")?])
    }

    /// The next number, which is called `name` and does not pass `largest`.
    fn next_up_to(&mut self, largest: u64, name: &str) -> Result<u64, FileError> {
        self.skip_separators();
        let error = |message: String| Err(FileError::at(self.text, self.at, message).help(HELP));
        let word = || quote(self.text, self.at);
        match natural(self.rest()) {
            Some((_, used)) if !self.ends(used) => error(format!("{} is not a {name}", word())),
            Some((number, _)) if number > largest => error(format!("the {name} {number} is larger than {largest}")),
            Some((number, used)) => {
                self.last = self.at;
                self.at += used;
                Ok(number)
            }
            None if self.rest().is_empty() => error(format!("the file ends before a {name}")),
            None => error(format!("{} is not a {name}", word())),
        }
    }

    fn ends(&self, used: usize) -> bool {
        self.rest().get(used).is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b',')
    }

    /// The row of each entry, from the offsets of the rows.
    fn rows(&mut self, rows: u64, entries: u64) -> Result<Vec<u64>, FileError> {
        let mut coords = Vec::new();
        let mut before = self.next_up_to(0, "first row offset")?;
        for row in 0..rows {
            let offset = self.next_up_to(entries, "row offset")?;
            let Some(count) = offset.checked_sub(before) else {
                let message = format!("the row offset {offset} is smaller than {before} before it");
                return Err(FileError::at(self.text, self.last, message).help(HELP));
            };
            coords.extend(std::iter::repeat_n(row, usize::try_from(count).unwrap_or(usize::MAX)));
            before = offset;
        }
        match before == entries {
            true => Ok(coords),
            false => {
                let message = format!(
                    "the last row offset is {before}, but the first line promises {}",
                    counted(entries as usize, "entry")
                );
                Err(FileError::at(self.text, self.last, message).help(HELP))
            }
        }
    }

    /// Checks that the rest of the text can hold as many numbers as are promised, and memory as many entries. Their
    /// coordinates move as they grow.
    fn room_for(&self, entries: u64, element: Element) -> Result<(), FileError> {
        let most = self.rest().len() as u64 / 2 + 1;
        match entries > most {
            true => {
                let message = format!("the first line promises {entries} entries, more than the file can hold");
                Err(FileError::at(self.text, self.at, message).help("the file may be truncated"))
            }
            false => Ok(memory::room_for(entries.into(), (8 * 4 + element.bytes()) as u64)?),
        }
    }

    fn columns(&mut self, columns: u64, entries: u64) -> Result<Vec<u64>, FileError> {
        let mut coords = Vec::new();
        for read in 1..=entries {
            self.skip_separators();
            let Some((column, used)) = self.column_here(columns) else {
                return Err(self.wrong_column(columns).others(self.wrong_columns(columns, entries - read)));
            };
            coords.push(column);
            (self.last, self.at) = (self.at, self.at + used);
        }
        Ok(coords)
    }

    /// The column here, with its length.
    fn column_here(&self, columns: u64) -> Option<(u64, usize)> {
        natural(self.rest()).filter(|&(column, used)| column < columns && self.ends(used))
    }

    /// Why there is no column here.
    fn wrong_column(&self, columns: u64) -> FileError {
        let error = |message: String| FileError::at(self.text, self.at, message);
        match natural(self.rest()) {
            Some((column, used)) if self.ends(used) => {
                error(format!("column {column} lies outside the {columns} columns, which count from 0"))
            }
            _ if self.rest().is_empty() => error("the file ends before a column".to_string()).help(HELP),
            _ => error(format!("{} is not a column", quote(self.text, self.at))).help(HELP),
        }
    }

    /// The mistakes among the columns after the wrong one here.
    fn wrong_columns(&mut self, columns: u64, entries: u64) -> Others {
        let mut others = Others::default();
        for _ in 0..entries {
            self.skip_word();
            self.skip_separators();
            if self.rest().is_empty() {
                break;
            }
            if self.column_here(columns).is_none() {
                others.add(|| self.wrong_column(columns));
            }
        }
        others
    }

    /// Goes to the end of the word here.
    fn skip_word(&mut self) {
        let comma = usize::from(self.rest().starts_with(b","));
        self.at += comma + (comma..self.rest().len()).take_while(|&used| !self.ends(used)).count();
    }

    fn end(&mut self) -> Result<(), FileError> {
        self.skip_separators();
        match self.rest().is_empty() {
            true => Ok(()),
            false => {
                let message = format!("the file goes on after its last column: {}", quote(self.text, self.at));
                Err(FileError::at(self.text, self.at, message).help(HELP))
            }
        }
    }
}

#[cfg(test)]
mod tests;

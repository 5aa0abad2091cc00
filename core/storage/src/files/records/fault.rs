//! The reasons why a line is not an entry, and their messages.

use super::{
    super::{
        FileError, by,
        error::quote,
        number::{Field, NumberFault},
        wider,
    },
    Form, Region,
};
use nnz_base::diagnostic::counted;

/// Why a line is not an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Coordinate(usize, CoordinateFault),
    Value(NumberFault),
    Trailing,
    UpperTriangle,
    /// A value that the symmetry forbids on the diagonal.
    Diagonal,
    /// Fewer entries than lines.
    Short,
    Stopped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoordinateFault {
    Missing,
    NotANumber,
    Negative,
    Zero,
    Past,
}

/// The file's words for a fault.
pub(super) fn explain(text: &[u8], form: &Form<'_>, fault: Fault, at: usize) -> FileError {
    let error = |message: String| FileError::at(text, at, message);
    let word = quote(text, at);
    match fault {
        Fault::Coordinate(dim, fault) => explain_coordinate(text, form, dim, fault, at),
        Fault::Value(fault) => explain_value(text, form, fault, at),
        Fault::Trailing if form.field == Field::Pattern => {
            error(format!("a pattern has no values, but here is {word}"))
                .help("the banner's field says `pattern`; `real` has one value an entry")
        }
        Fault::Trailing if begins_comment(text, at) => {
            error(format!("the line goes on after its entry: {word}")).help("a comment has a line of its own")
        }
        Fault::Trailing => error(format!("the line goes on after its entry: {word}")).help(form.line(text, at)),
        Fault::UpperTriangle => error(
            "a symmetric file stores no entries above the diagonal, and here the column is larger than the row"
                .to_string(),
        )
        .help("swap the two; if the file stores both triangles, say `general` in the banner"),
        Fault::Diagonal if form.region == Region::LowerZeroDiagonal => {
            error("a skew-symmetric matrix has zeros on its diagonal".to_string())
                .help("remove the entry, or say `general` in the banner")
        }
        Fault::Diagonal => error("a Hermitian matrix has real numbers on its diagonal".to_string())
            .help("write 0 for the imaginary part, or say `general` in the banner"),
        Fault::Short | Fault::Stopped => FileError::stopped(),
    }
}

fn explain_coordinate(text: &[u8], form: &Form<'_>, dim: usize, fault: CoordinateFault, at: usize) -> FileError {
    let name = form.coordinate_name(dim);
    let the = if name.starts_with("coordinate") { "" } else { "the " };
    let word = quote(text, at);
    let error = |message: String| FileError::at(text, at, message);
    match fault {
        CoordinateFault::Missing => error(format!("the line ends before its {name}")).help(form.line(text, at)),
        CoordinateFault::NotANumber if begins_comment(text, at) => {
            error(format!("{word} is not a {name}")).help(format!("comments begin with `{}`", char::from(form.comment)))
        }
        CoordinateFault::NotANumber if text.get(at) == Some(&0) => {
            error("here is a byte of value 0, which is no text".to_string())
                .help("the file may be damaged, or padded to a length; `tr -d '\\000'` removes such bytes")
        }
        CoordinateFault::NotANumber if is_list(&word) => {
            error(format!("{word} is not a {name}")).help("numbers are separated by spaces")
        }
        CoordinateFault::NotANumber if form.lacks_words(text, at) => {
            error(format!("a coordinate is missing: {word} stands in the place of {name}")).help(form.line(text, at))
        }
        CoordinateFault::NotANumber if the.is_empty() => {
            error(format!("{word} is not a whole number, as {name} is")).help(form.line(text, at))
        }
        CoordinateFault::NotANumber => error(format!("{word} is not a {name}")).help(form.line(text, at)),
        CoordinateFault::Zero => {
            error(format!("{the}{name} is 0, which does not exist")).help("coordinates in this file count from 1")
        }
        CoordinateFault::Negative => {
            error(format!("{the}{name} is {word}, which is negative")).help("coordinates in this file count from 1")
        }
        CoordinateFault::Past => error(format!("{the}{name} is {word}, outside the size {}", by(form.sizes)))
            .help("coordinates count from 1; correct this entry or the sizes in the file's head"),
    }
}

fn explain_value(text: &[u8], form: &Form<'_>, fault: NumberFault, at: usize) -> FileError {
    let word = quote(text, at);
    let error = |message: String| FileError::at(text, at, message);
    let element = form.element;
    match fault {
        NumberFault::Missing => error("the line ends before its value".to_string()).help(form.line(text, at)),
        NumberFault::NotANumber if !word.is_ascii() => error(format!("{word} is not text of numbers in UTF-8"))
            .help("the file may be binary, or in another encoding: save it as UTF-8"),
        NumberFault::NotANumber if is_decimal_comma(&word) => error(format!("{word} is not a number"))
            .help(format!("a number has a decimal point: {}", word.replace(',', "."))),
        NumberFault::NotANumber => error(format!("{word} is not a number")).help(form.line(text, at)),
        NumberFault::NotWhole if matches!(form.field, Field::Integer | Field::Unsigned) => {
            error(format!("{word} is not a whole number, which the banner promises"))
                .help("say `real` in the banner, or write whole numbers")
        }
        NumberFault::NotWhole => error(format!("{word} is not a whole number, as `{element}` needs"))
            .help("read the file with a floating-point element type"),
        NumberFault::Range => error(format!("{word} does not fit `{element}`")).help(wider(element)),
    }
}

/// `3,3,2`
pub(in crate::files) fn is_list(word: &str) -> bool {
    let mut parts = word.trim_matches('`').split([',', ';']);
    let number = |part: &str| part.parse::<f64>().is_ok();
    parts.clone().count() > 1 && parts.all(|part| part.is_empty() || number(part))
}

/// `3,5`
fn is_decimal_comma(word: &str) -> bool {
    let number = word.trim_matches('`').trim_start_matches(['-', '+']);
    let digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    number.split_once(',').is_some_and(|(whole, rest)| digits(whole) && digits(rest))
}

/// At what begins a comment in some format.
fn begins_comment(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    [&b"#"[..], b"%", b"//"].iter().any(|sign| rest.starts_with(sign))
}

impl Form<'_> {
    /// What a line of the file holds; how many numbers the one at `at` has, where these are more or fewer.
    fn line(&self, text: &[u8], at: usize) -> String {
        let coordinates = (0..self.sizes.len()).map(|dim| self.coordinate_name(dim));
        let value = match self.field {
            Field::Pattern => None,
            Field::Complex => Some("real part, imaginary part".to_string()),
            Field::Real | Field::Integer | Field::Unsigned => Some("value".to_string()),
        };
        let values = match self.field {
            Field::Pattern => 0,
            Field::Complex => 2,
            Field::Real | Field::Integer | Field::Unsigned => 1,
        };
        let (wanted, found) = (self.sizes.len() + values, words_of_line(text, at));
        let line = coordinates.chain(value).collect::<Vec<_>>().join(", ");
        match found == wanted {
            true => format!("each line holds: {line}"),
            false => format!("this line has {}, each holds {wanted}: {line}", counted(found, "number")),
        }
    }
    /// Whether a line of real numbers has a number where its value would be, and ends before its last coordinate: one
    /// coordinate is missing.
    fn lacks_words(&self, text: &[u8], at: usize) -> bool {
        let rest = text.get(at..).unwrap_or_default();
        let rest = rest.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        let last = !rest.iter().any(u8::is_ascii_whitespace);
        matches!(self.field, Field::Real) && last && words_of_line(text, at) == self.sizes.len()
    }
    fn coordinate_name(&self, dim: usize) -> String {
        match (self.sizes.len(), dim) {
            (2, 0) => "row".to_string(),
            (2, _) => "column".to_string(),
            _ => format!("coordinate {}", dim + 1),
        }
    }
}

fn words_of_line(text: &[u8], at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let line = text.get(start..).unwrap_or_default().split(|byte| *byte == b'\n').next().unwrap_or_default();
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count()
}

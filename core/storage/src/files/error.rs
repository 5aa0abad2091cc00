//! Errors in files, with their places.

use std::fmt;

use nnz_base::{
    diagnostic::{DataPlace, counted},
    memory::NoRoom,
};

/// Why a file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The file contradicts its format, itself, or the request.
    Malformed,
    /// The format allows it; nnz does not.
    Unsupported,
    /// The caller stopped the reading.
    Stopped,
    /// There is not enough memory for the file's contents.
    NoRoom,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// Both count from 1, columns in characters; of a gzipped file, in the text unfolded.
    Text { line: u64, column: u64 },
    /// An array of an archive, by name.
    Array(String),
    /// The file as a whole.
    Whole,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}{message}")]
pub struct FileError {
    pub cause: Cause,
    pub place: FilePlace,
    pub message: String,
    pub help: Option<String>,
    /// The line of a text with the place, if it is short enough to show.
    pub line_text: Option<String>,
    /// What else is wrong in the file.
    pub others: Box<Others>,
}

/// The faults behind the first one: a few of them, and how many more there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Others {
    pub told: Vec<(FilePlace, String)>,
    pub more: u64,
}

impl Others {
    /// This many faults, including the first, are reported one by one.
    const MOST_TOLD: usize = 5;

    /// Notes a fault after the first; its message is made only if it is reported.
    pub(super) fn add(&mut self, fault: impl FnOnce() -> FileError) {
        if self.told.len() + 1 < Others::MOST_TOLD {
            let fault = fault();
            self.told.push((fault.place, fault.message));
        } else {
            self.more += 1;
        }
    }
}

impl FileError {
    /// The fault at byte `offset` of `text`.
    pub(super) fn at(text: &[u8], offset: usize, message: impl Into<String>) -> FileError {
        FileError { place: place(text, offset), line_text: line_text(text, offset), ..FileError::whole(message) }
    }
    pub(super) fn whole(message: impl Into<String>) -> FileError {
        FileError {
            cause: Cause::Malformed,
            place: FilePlace::Whole,
            message: message.into(),
            help: None,
            line_text: None,
            others: Box::default(),
        }
    }
    pub(super) fn stopped() -> FileError {
        FileError { cause: Cause::Stopped, ..FileError::whole("stopped before the end of the file") }
    }
    pub(super) fn help(self, help: impl Into<String>) -> FileError {
        FileError { help: Some(help.into()), ..self }
    }
    pub(super) fn others(self, others: Others) -> FileError {
        FileError { others: Box::new(others), ..self }
    }
    pub(super) fn unsupported(self) -> FileError {
        FileError { cause: Cause::Unsupported, ..self }
    }

    /// A line for each other fault that is reported, and one for the rest.
    pub fn notes(&self) -> Vec<String> {
        let told = self.others.told.iter().map(|(place, message)| format!("{place}{message}"));
        let more = (self.others.more > 0)
            .then(|| format!("and {} like these", counted(self.others.more as usize, "more mistake")));
        told.chain(more).collect()
    }

    /// The place in a file of the name `file`, with its line.
    pub fn data_place(&self, file: &str) -> Option<DataPlace> {
        let (line, column) = (self.line()?, self.column()?);
        let (text, message) = (self.line_text.clone()?, self.message.clone());
        Some(DataPlace { file: file.to_string(), line, column, text, message })
    }
    /// Counted from 1; `None` outside a text.
    pub fn line(&self) -> Option<u64> {
        match self.place {
            FilePlace::Text { line, .. } => Some(line),
            FilePlace::Array(_) | FilePlace::Whole => None,
        }
    }
    /// Counted from 1, in characters, if the place is in a text.
    pub fn column(&self) -> Option<u64> {
        match self.place {
            FilePlace::Text { column, .. } => Some(column),
            FilePlace::Array(_) | FilePlace::Whole => None,
        }
    }
}

impl From<NoRoom> for FileError {
    fn from(refused: NoRoom) -> FileError {
        FileError { cause: Cause::NoRoom, ..FileError::whole(refused.to_string()) }
    }
}

impl fmt::Display for FilePlace {
    /// A prefix for a message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilePlace::Text { line, column } => write!(f, "line {line}, column {column}: "),
            FilePlace::Array(name) => write!(f, "array `{name}`: "),
            FilePlace::Whole => Ok(()),
        }
    }
}

fn place(text: &[u8], offset: usize) -> FilePlace {
    let before = text.get(..offset).unwrap_or(text);
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
    let column = 1 + String::from_utf8_lossy(before.get(start..).unwrap_or_default()).chars().count() as u64;
    FilePlace::Text { line, column }
}

fn line_text(text: &[u8], offset: usize) -> Option<String> {
    const LONGEST: usize = 1 << 12;
    let (before, behind) = text.split_at_checked(offset)?;
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let end = offset + memchr::memchr(b'\n', behind).unwrap_or(behind.len());
    let line = text.get(start..end).filter(|line| line.len() <= LONGEST)?;
    Some(String::from_utf8_lossy(line).trim_end_matches('\r').to_string())
}

/// The word of `text` that starts at `offset`, shortened, as a message quotes it.
pub(super) fn quote(text: &[u8], offset: usize) -> String {
    const LONGEST: usize = 40;
    let rest = text.get(offset..).unwrap_or_default();
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let word = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
    match word.chars().count() > LONGEST {
        true => format!("`{}...`", word.chars().take(LONGEST).collect::<String>()),
        false => format!("`{word}`"),
    }
}

//! How long a text of entries may be. Its head promises some bytes for each number and leaves [`APART`] for comments and
//! blanks; where no head has been read, no more than that may stand in a row without a number. So an endless text is
//! refused wherever it comes from, as it grows.

use super::{FileError, FileKind, START, start};

/// What comments and blanks may take.
pub(super) const APART: u64 = 1 << 24;
/// More than any number takes, with what stands around it.
pub(super) const NUMBER: u64 = 1 << 10;

/// What the start of a text tells of its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// The head goes on behind it.
    Nothing,
    /// No head says anything.
    NoHead,
    /// The text is no longer than that.
    Most(u64),
    /// It is no text: packed, or an archive.
    NoText,
}

impl Told {
    /// For a head of so many bytes that promises so many numbers; no head, where they are more than any text holds.
    pub(super) fn promised(head: usize, numbers: Option<u64>) -> Told {
        let most = numbers.and_then(|numbers| numbers.checked_mul(NUMBER)?.checked_add(APART + head as u64));
        most.map_or(Told::NoHead, Told::Most)
    }
}

/// Watches over the length of a text as it grows.
#[derive(Clone, Debug)]
pub struct Limit {
    kind: FileKind,
    told: Told,
    /// How long the text was when its head was last looked for.
    looked: usize,
    idle: Idle,
}

impl Limit {
    pub fn new(kind: FileKind) -> Limit {
        Limit { kind, told: Told::Nothing, looked: 0, idle: Idle::new(kind) }
    }

    /// Looks at the text so far, which has grown since the last time; `is_whole` at its end.
    ///
    /// # Errors
    /// Text of another kind; a complete but wrong head; a text that is too long.
    pub fn check(&mut self, text: &[u8], is_whole: bool) -> Result<(), FileError> {
        // Twice as much each time, so that all looks together take no longer than the last.
        while self.told == Told::Nothing && self.may_tell(text, is_whole) {
            self.looked = text.len().min(START.max(2 * self.looked));
            self.told = start::told(self.kind, text.get(..self.looked).unwrap_or(text))?;
            self.idle.pass(text.get(..self.looked).unwrap_or(text))?;
        }
        match self.told {
            Told::Most(_) | Told::NoText => self.check_length(text.len() as u64),
            Told::Nothing | Told::NoHead => self.idle.pass(text),
        }
    }

    fn may_tell(&self, text: &[u8], is_whole: bool) -> bool {
        let enough = text.len() >= START.max(2 * self.looked);
        (enough || is_whole) && text.len() > self.looked
    }

    /// That a text of so many bytes is no longer than its head can ask for, as far as that is known.
    pub(super) fn check_length(&self, bytes: u64) -> Result<(), FileError> {
        match self.told {
            Told::Most(most) if bytes > most => Err(too_long(most)),
            Told::Most(_) | Told::Nothing | Told::NoHead | Told::NoText => Ok(()),
        }
    }
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Nothing but blanks so far.
    Blank,
    Comment,
    /// Something else.
    Words,
}

/// Counts the bytes of comments and blanks behind the last number.
#[derive(Clone, Debug)]
struct Idle {
    comment: Option<u8>,
    line: Line,
    /// How much of the text has been passed.
    seen: usize,
    bytes: u64,
}

/// What is passed at once. Of a block with numbers only what follows its last line counts, so that a text of entries
/// costs next to nothing.
const BLOCK: usize = 1 << 20;

impl Idle {
    fn new(kind: FileKind) -> Idle {
        Idle { comment: kind.comment(), line: Line::Blank, seen: 0, bytes: 0 }
    }

    /// Passes what has been added to the text.
    fn pass(&mut self, text: &[u8]) -> Result<(), FileError> {
        for block in text.get(self.seen..).unwrap_or_default().chunks(BLOCK) {
            self.block(block);
            if self.bytes > APART {
                return Err(too_idle());
            }
        }
        self.seen = self.seen.max(text.len());
        Ok(())
    }

    fn block(&mut self, block: &[u8]) {
        let mut rest = block;
        while let Some(first) = rest.first() {
            let passed = match self.line {
                Line::Blank if Some(*first) == self.comment => {
                    self.line = Line::Comment;
                    continue;
                }
                Line::Blank => self.blanks(rest),
                Line::Comment => self.comment(rest),
                Line::Words => self.words(rest),
            };
            rest = rest.get(passed..).unwrap_or_default();
        }
    }

    /// Passes blanks and line ends.
    fn blanks(&mut self, rest: &[u8]) -> usize {
        let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        self.bytes += blanks as u64;
        if rest.get(blanks).is_some_and(|byte| Some(*byte) != self.comment) {
            self.line = Line::Words;
        }
        blanks
    }

    /// Passes the rest of a comment.
    fn comment(&mut self, rest: &[u8]) -> usize {
        let end = memchr::memchr(b'\n', rest);
        let passed = end.map_or(rest.len(), |newline| newline + 1);
        self.bytes += passed as u64;
        self.line = if end.is_some() { Line::Blank } else { Line::Comment };
        passed
    }

    /// Passes all lines that end here; of one that does not, all.
    fn words(&mut self, rest: &[u8]) -> usize {
        if let Some(newline) = memchr::memrchr(b'\n', rest) {
            (self.bytes, self.line) = (0, Line::Blank);
            return newline + 1;
        }
        let blanks = rest.iter().rev().take_while(|byte| is_blank(**byte)).count();
        let before = if blanks == rest.len() { self.bytes } else { 0 };
        self.bytes = before + blanks as u64;
        rest.len()
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | 0x0b)
}

fn too_long(most: u64) -> FileError {
    FileError::whole(format!("the file goes on after {most} bytes, more than its head can ask for"))
        .help("correct the number of entries in the head, or remove what does not belong to the file")
}

fn too_idle() -> FileError {
    FileError::whole(format!(
        "comments and blanks alone take more than {} MiB: this is no text of entries",
        APART >> 20
    ))
    .help("remove them; what is read has a number sooner")
}

#[cfg(test)]
mod tests;

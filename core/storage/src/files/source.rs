//! The source of a reader's bytes: memory, or a file that is read in pieces.
//!
//! A large text file is not held in memory whole, because filling fresh memory takes a third of the time of
//! parsing. Each thread reads pieces into a buffer that it reuses. If a piece has an error, the file is read
//! again as a whole, to report the error's place.

use std::{borrow::Cow, io};

use super::{FileError, Limit};
use nnz_base::{host::ByteSource, memory};

/// Fills `buffer` with the bytes `start..end`, or those of them that exist.
///
/// # Errors
/// What the system says.
pub(super) fn fill(source: &dyn ByteSource, start: u64, end: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    let length = usize::try_from(end.min(source.len()).saturating_sub(start)).map_err(io::Error::other)?;
    buffer.resize(length, 0);
    fill_from(source, start, buffer, 0)
}

/// Adds the bytes up to `end`, or those of them that exist, to `buffer`, which holds all before them.
fn append(source: &dyn ByteSource, end: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    let held = buffer.len();
    let length = usize::try_from(end.min(source.len())).map_err(io::Error::other)?;
    buffer.resize(length.max(held), 0);
    fill_from(source, 0, buffer, held)
}

/// Fills `buffer`, which begins at byte `start` of the source, from its byte `filled` on, and cuts it off where the source
/// ends.
fn fill_from(source: &dyn ByteSource, start: u64, buffer: &mut Vec<u8>, mut filled: usize) -> io::Result<()> {
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match source.read_at(start + filled as u64, rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(filled);
    Ok(())
}

/// A text as readers of records see it.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    Memory(&'a [u8]),
    /// Faults in it have no place yet.
    Pieces(&'a dyn ByteSource),
}

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a> Text<'a> {
    pub(super) fn len(self) -> usize {
        match self {
            Text::Memory(text) => text.len(),
            Text::Pieces(source) => usize::try_from(source.len()).unwrap_or(usize::MAX),
        }
    }

    /// The last byte, if there is one.
    pub(super) fn last_byte(self) -> Vec<u8> {
        let (mut buffer, end) = (Vec::new(), self.len());
        let (text, piece) = self.piece(Piece { start: end.saturating_sub(1), end }, &mut buffer);
        text.get(piece.start..piece.end).unwrap_or_default().to_vec()
    }

    /// The text in which errors are placed: empty for a text in pieces.
    pub(super) fn memory(self) -> &'a [u8] {
        match self {
            Text::Memory(text) => text,
            Text::Pieces(_) => &[],
        }
    }

    /// A text that has `piece`, and where: itself, or the part of the source, read into `buffer`.
    /// Of a source that cannot be read the piece is empty.
    pub(super) fn piece<'b>(self, piece: Piece, buffer: &'b mut Vec<u8>) -> (&'b [u8], Piece)
    where
        'a: 'b,
    {
        match self {
            Text::Memory(text) => (text, piece),
            Text::Pieces(source) => {
                if fill(source, piece.start as u64, piece.end as u64, buffer).is_err() {
                    buffer.clear();
                }
                (buffer, Piece { start: 0, end: buffer.len() })
            }
        }
    }

    /// The byte after the first newline from `start` on, or the end.
    pub(super) fn line_end(self, start: usize) -> usize {
        const STEP: usize = 1 << 10;
        let mut buffer = Vec::new();
        let mut at = start;
        while at < self.len() {
            let end = at.saturating_add(STEP).min(self.len());
            let (text, piece) = self.piece(Piece { start: at, end }, &mut buffer);
            let part = text.get(piece.start..piece.end).unwrap_or_default();
            match memchr::memchr(b'\n', part) {
                Some(newline) => return at + newline + 1,
                None => at = end,
            }
        }
        self.len()
    }
}

/// The whole of a source.
///
/// # Errors
/// What the system says; there is no room for it; it passes the limit.
pub(super) fn whole(source: &dyn ByteSource, mut limit: Limit) -> Result<Cow<'_, [u8]>, FileError> {
    const STEP: u64 = 1 << 24;
    if let Some(bytes) = source.in_memory() {
        return Ok(Cow::Borrowed(bytes));
    }
    let told = |error: io::Error| FileError::whole(error.to_string());
    let length = usize::try_from(source.len()).map_err(|error| told(io::Error::other(error)))?;
    let mut bytes = memory::array(length)?;
    loop {
        let before = bytes.len();
        append(source, before as u64 + STEP, &mut bytes).map_err(told)?;
        limit.check(&bytes, bytes.len() == before)?;
        if bytes.len() == before {
            return Ok(Cow::Owned(bytes));
        }
    }
}

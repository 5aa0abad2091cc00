//! Decompression of gzip (RFC 1952).

use std::{
    borrow::Cow,
    io::{self, Read},
};

use flate2::bufread::GzDecoder;

use super::{FileError, FileKind, Limit, Progress, Watch};
use nnz_base::memory;

const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Bytes unfolded between two looks at the watch.
const STEP: u64 = 1 << 22;
/// No line of a text is longer, not even that of a pattern's columns.
const MOST_LINE: u64 = 1 << 28;

pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The text of `bytes`, a file of `kind`, decompressed if gzipped.
///
/// # Errors
/// Placed at the end of the decompressed text: a truncated or damaged file, one past `limit` bytes, or one longer
/// than its head allows.
pub(super) fn plain<'a>(
    kind: FileKind,
    bytes: &'a [u8],
    limit: u64,
    watch: Watch<'_>,
) -> Result<Cow<'a, [u8]>, FileError> {
    match is_gzip(bytes) {
        true => Ok(Cow::Owned(unfold(kind, bytes, limit, watch)?)),
        false => Ok(Cow::Borrowed(bytes)),
    }
}

fn unfold(kind: FileKind, bytes: &[u8], limit: u64, watch: Watch<'_>) -> Result<Vec<u8>, FileError> {
    let total = bytes.len() as u64;
    let mut decoder = Members::new(bytes);
    let mut text = Vec::new();
    let promised = promised(bytes);
    let mut length = Limit::new(kind);
    loop {
        let more = if text.is_empty() { promised } else { text.len() }.max(STEP as usize);
        if text.capacity() - text.len() < STEP as usize {
            memory::reserve(&mut text, more).or_else(|_| memory::reserve(&mut text, STEP as usize)).map_err(beyond)?;
        }
        let step = decoder.by_ref().take(STEP).read_to_end(&mut text).map_err(|error| damaged(&text, &error))?;
        let done = total - decoder.rest().len() as u64;
        if watch(Progress { done, total }).is_break() {
            return Err(FileError::stopped());
        }
        length.check(&text, step == 0)?;
        if text.len() as u64 > limit {
            return Err(too_large(&text, limit));
        }
        if text.len() as u64 > MOST_LINE
            && memchr::memchr(b'\n', text.get(..MOST_LINE as usize).unwrap_or_default()).is_none()
        {
            let message =
                format!("the gzip file unfolds to a line of more than {MOST_LINE} bytes: it is no text of entries");
            return Err(FileError::at(&[], 0, message));
        }
        if step == 0 {
            return Ok(text);
        }
    }
}

/// The texts of a gzip file's members, one after the other. Zeros behind each of them are a tape's padding.
struct Members<'a> {
    member: GzDecoder<&'a [u8]>,
    ended: bool,
}

impl<'a> Members<'a> {
    fn new(bytes: &'a [u8]) -> Members<'a> {
        Members { member: GzDecoder::new(bytes), ended: false }
    }
    /// The part that has not been decompressed.
    fn rest(&self) -> &'a [u8] {
        self.member.get_ref()
    }
}

impl Read for Members<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while !self.ended && !to.is_empty() {
            let read = self.member.read(to)?;
            if read > 0 {
                return Ok(read);
            }
            let rest = self.rest();
            let padding = rest.iter().take_while(|byte| **byte == 0).count();
            let rest = rest.get(padding..).unwrap_or_default();
            self.ended = rest.is_empty();
            if !self.ended && !rest.starts_with(&MAGIC) {
                return Err(io::Error::other(Junk(rest.len())));
            }
            if !self.ended {
                self.member = GzDecoder::new(rest);
            }
        }
        Ok(0)
    }
}

/// The number of bytes after the last member.
#[derive(Debug, thiserror::Error)]
#[error("{0} bytes that are no gzip follow its end")]
struct Junk(usize);

fn beyond(refused: memory::NoRoom) -> FileError {
    let error = FileError::from(refused);
    FileError { message: format!("the gzip file unfolds to more than fits in memory: {}", error.message), ..error }
        .help("unfold it with gunzip and read the plain file")
}

/// The length that the file's last four bytes promise (RFC 1952, ISIZE), believed up to a usual ratio.
fn promised(bytes: &[u8]) -> usize {
    const USUAL_RATIO: usize = 16;
    let size = bytes.last_chunk().map_or(0, |size| u32::from_le_bytes(*size) as usize);
    size.min(bytes.len().saturating_mul(USUAL_RATIO))
}

fn damaged(text: &[u8], error: &std::io::Error) -> FileError {
    if let Some(junk) = error.get_ref().and_then(|inner| inner.downcast_ref::<Junk>()) {
        return FileError::at(text, text.len(), format!("the gzip file has ended here, and {junk}"))
            .help("two files may have been joined; cut the file behind its end");
    }
    let message = if error.kind() == std::io::ErrorKind::UnexpectedEof {
        "the gzip file ends here, before its own end".to_string()
    } else {
        format!("the gzip file is damaged after this point ({error})")
    };
    FileError::at(text, text.len(), message).help("fetch or compress the file again; `gzip -t FILE` checks it")
}

fn too_large(text: &[u8], limit: u64) -> FileError {
    FileError::at(text, text.len(), format!("the gzip file unfolds to more than the limit of {limit} bytes"))
        .help("unfold it with gunzip and read the plain file")
}

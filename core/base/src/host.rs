//! What a session or a program needs from outside: files by name, environment variables, memory, and whether to go on.
//! The core itself opens no file.

use std::io::{self, Write};

/// The edge's services for whatever runs.
pub trait Host: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// The reason, in words for the user.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
    /// As [`Host::read`], for a file of statements, encodings or a program: at most `source::MOST_TEXT` bytes.
    ///
    /// # Errors
    /// The reason, in words for the user.
    fn read_text(&self, path: &str) -> Result<Vec<u8>, String> {
        self.read(path)
    }
    /// Where a file lies that a text names: as the name says, or beside the text.
    fn find(&self, path: &str, _text: &str) -> String {
        path.to_string()
    }
    /// As [`Host::read`], for a file that may be too large to hold: its bytes at any place.
    ///
    /// # Errors
    /// The reason, in words for the user.
    fn open(&self, path: &str) -> Result<Box<dyn ByteSource>, String> {
        Ok(Box::new(self.read(path)?))
    }
    /// Writes a whole file: all of it or, on an error, nothing, and the file that was there stays as it was.
    ///
    /// # Errors
    /// The reason, in words for the user.
    fn write(&self, _path: &str, _content: Content<'_>) -> Result<Written, String> {
        Err("no files are written here".to_string())
    }
    /// An environment variable.
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    /// Reports long work: `done` of `total` steps of `what`. It has ended when all steps are done.
    fn progress(&self, _what: &str, _done: u64, _total: u64) {}
    /// How many bytes of memory are free, where that is known.
    fn memory_free(&self) -> Option<u64> {
        None
    }
    /// How many bytes of memory are in use, where that is known.
    fn memory_used(&self) -> Option<u64> {
        None
    }
    /// The user wants what runs stopped.
    fn cancelled(&self) -> bool {
        false
    }
}

/// As [`Host::write`], unless the user wants what runs stopped: then nothing is written.
///
/// # Errors
/// As [`Host::write`].
pub fn write_while(host: &dyn Host, path: &str, content: Content<'_>) -> Result<Written, String> {
    host.write(path, &mut |out| {
        let mut watched = Watched { out, host };
        content(&mut watched)?;
        watched.goes_on()
    })
}

/// A file whose writing stops if the user cancels.
struct Watched<'a> {
    out: &'a mut dyn Write,
    host: &'a dyn Host,
}

impl Watched<'_> {
    fn goes_on(&self) -> io::Result<()> {
        if self.host.cancelled() { Err(io::Error::other("stopped")) } else { Ok(()) }
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.goes_on()?;
        self.out.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Bytes that can be read at any place, from several threads.
pub trait ByteSource: Sync {
    fn len(&self) -> u64;
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Fills the start of `buffer` from byte `offset` on and says how much; 0 at the end.
    ///
    /// # Errors
    /// What the system says.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
    /// All bytes, where they are in memory anyway.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }
}

impl ByteSource for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        Ok(length)
    }
    fn in_memory(&self) -> Option<&[u8]> {
        Some(self)
    }
}

/// Writes the contents of a file.
pub type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// A file as it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub bytes: u64,
    /// Whether a file of that name was replaced.
    pub replaced: bool,
}

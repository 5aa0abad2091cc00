//! Replaces files atomically: the new file is written beside the old, synced to disk, and renamed. A program
//! that is killed, or a full disk, leaves the old file as it was.
//!
//! Anything other than a regular file (a pipe, a terminal) is written directly, and so are the names of open
//! files under `/dev` and `/proc`.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, ErrorKind, Read as _, Write},
    path::{Path, PathBuf},
};

use nnz_core::{
    host::{Content, Written},
    source,
    storage::files::{FileError, FileKind, Limit, START},
};
use tempfile::{Builder, NamedTempFile};

use crate::{interrupt, unfinished::Unfinished};

/// Whether a file may take the place of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Existing {
    #[default]
    Replaced,
    Kept,
}

/// Writes `content` as the file of this name, completely or not at all.
///
/// # Errors
/// An error of the system or the content; a file that `existing` protects.
pub(crate) fn write(path: &str, existing: Existing, content: Content<'_>) -> io::Result<Written> {
    let path = Path::new(path);
    match fs::metadata(path) {
        Ok(_) if existing == Existing::Kept => Err(io::Error::new(ErrorKind::AlreadyExists, KEPT)),
        Ok(old) if old.is_file() && !is_of_the_system(path) => {
            let target = path.canonicalize()?;
            // A file that may not be written is not replaced either.
            OpenOptions::new().write(true).open(&target)?;
            beside(&target, Some(&old), existing, content)
        }
        Ok(old) if old.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder")),
        Ok(_) => through(OpenOptions::new().write(true).truncate(true).open(path)?, content),
        Err(error) if error.kind() == ErrorKind::NotFound => beside(&at_end_of_links(path), None, existing, content),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Err(no_folder(path)),
        Err(error) => Err(error),
    }
}

fn no_folder(path: &Path) -> io::Error {
    let folder = path.parent().unwrap_or(Path::new("")).display();
    io::Error::new(ErrorKind::NotADirectory, format!("there is no folder `{folder}`"))
}

const KEPT: &str = "there is a file of this name, which `--no-clobber` keeps";

fn is_of_the_system(path: &Path) -> bool {
    path.starts_with("/dev") || path.starts_with("/proc")
}

/// The bytes of a file, a pipe or a device, which may be endless.
///
/// # Errors
/// An error of the system; more than fits in memory.
pub(crate) fn read(path: &str) -> io::Result<Vec<u8>> {
    read_all(File::open(path)?, path)
}

/// The bytes of a file that is open. A named pipe is opened once: its writer ends with its first reader.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_all(mut file: File, path: &str) -> io::Result<Vec<u8>> {
    const STEP: usize = 1 << 24;
    let mut bytes = Vec::new();
    let told = |error: FileError| io::Error::new(ErrorKind::InvalidData, error.to_string());
    // An endless pipe is recognized by its start.
    if io::Read::by_ref(&mut file).take(START as u64).read_to_end(&mut bytes)? < START {
        return Ok(bytes);
    }
    let mut limit = FileKind::of_path(path).map(Limit::new);
    loop {
        limit.as_mut().map_or(Ok(()), |limit| limit.check(&bytes, false)).map_err(told)?;
        if bytes.capacity() - bytes.len() < STEP {
            // A vector that grows is in memory twice for a while.
            let wanted = 3 * bytes.len().max(STEP);
            nnz_core::memory::room(wanted as u64).map_err(|error| too_large(&error.to_string()))?;
            bytes.try_reserve(bytes.len().max(STEP)).map_err(|error| too_large(&error.to_string()))?;
        }
        if io::Read::by_ref(&mut file).take(STEP as u64).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
}

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// As [`read`]; more than anyone writes.
pub(crate) fn read_text(path: &Path) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => source::read_text(io::stdin().lock(), source::MOST_TEXT),
        false => source::read_text(File::open(path)?, source::MOST_TEXT),
    }
}

fn too_large(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::OutOfMemory, format!("it is too large, or has no end: {reason}"))
}

/// The path at the end of a chain of links whose last target does not exist yet.
fn at_end_of_links(path: &Path) -> PathBuf {
    const MOST: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(next) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    path
}

/// Writes directly into a file that cannot be replaced, such as a pipe.
fn through(mut file: File, content: Content<'_>) -> io::Result<Written> {
    let mut out = Counted { out: &mut file, bytes: 0 };
    content(&mut out)?;
    Ok(Written { bytes: out.bytes, replaced: false })
}

fn beside(path: &Path, old: Option<&Metadata>, existing: Existing, content: Content<'_>) -> io::Result<Written> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    interrupt::watch();
    let mut file = unfinished(path, folder)?;
    let mut out = Counted { out: &mut file.as_file_mut().file, bytes: 0 };
    content(&mut out)?;
    let bytes = out.bytes;
    if let Some(old) = old {
        as_before(&file.as_file().file, old)?;
    }
    file.as_file().file.sync_all()?;
    match existing {
        Existing::Replaced => file.persist(path),
        Existing::Kept => file.persist_noclobber(path),
    }
    .map_err(|error| match error.error.kind() {
        ErrorKind::AlreadyExists => io::Error::new(ErrorKind::AlreadyExists, KEPT),
        _ => error.error,
    })?;
    // The name is on disk with its folder; not every file system can sync one.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(Written { bytes, replaced: old.is_some() })
}

/// A file beside `path` whose name says what it is; it is removed unless it takes its name.
fn unfinished(path: &Path, folder: &Path) -> io::Result<NamedTempFile<Unfinished>> {
    const LONGEST: usize = 200;
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| name.len() < LONGEST).unwrap_or("file");
    let prefix = format!(".{name}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".nnz-unfinished");
    builder.make_in(folder, Unfinished::new).map_err(|error| {
        // The crate's own words name a random file.
        let (kind, shown) = (error.kind(), folder.display());
        io::Error::new(
            kind,
            match kind {
                // Some folders of the system take none, and say the same.
                ErrorKind::NotFound if folder.is_dir() => {
                    format!("no file can be made in `{shown}`: choose another folder")
                }
                ErrorKind::NotFound => format!("there is no folder `{shown}`"),
                _ => format!("no file can be made in `{shown}`: {kind}"),
            },
        )
    })
}

/// Gives a file the owner and the mode of the one that it replaces.
fn as_before(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Only the superuser may give files away.
        let _ = std::os::unix::fs::fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut File,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Makes a file that grows past the process's limit an error of the write, instead of the end of the process.
pub(crate) fn outlive_size_limits() {
    #[cfg(unix)]
    // SAFETY: no handler is installed; the signal is ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop there")]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn put(path: &Path, text: &str, existing: Existing) -> io::Result<Written> {
        write(path.to_str().unwrap(), existing, &mut |out| out.write_all(text.as_bytes()))
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_with_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tns");
        assert_eq!(put(&path, "one", Existing::Replaced).unwrap(), Written { bytes: 3, replaced: false });
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(put(&path, "two!", Existing::Replaced).unwrap(), Written { bytes: 4, replaced: true });
        assert_eq!(fs::read_to_string(&path).unwrap(), "two!");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["a.tns"]);
    }

    #[test]
    fn what_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tns");
        put(&path, "old", Existing::Replaced).unwrap();
        let failed = write(path.to_str().unwrap(), Existing::Replaced, &mut |out| {
            out.write_all(b"half of")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["a.tns"]);
        let kept = put(&path, "new", Existing::Kept).unwrap_err();
        assert_eq!((kept.kind(), fs::read_to_string(&path).unwrap()), (ErrorKind::AlreadyExists, "old".to_string()));
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        symlink("target", &link).unwrap();
        put(&link, "first", Existing::Replaced).unwrap();
        put(&link, "second", Existing::Replaced).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "second");
        assert_eq!(names(folder.path()), ["link", "target"]);
    }

    #[test]
    fn devices_are_written_as_they_are() {
        let written = write("/dev/null", Existing::Replaced, &mut |out| out.write_all(b"gone"));
        assert_eq!(written.unwrap(), Written { bytes: 4, replaced: false });
    }
}

//! The files that texts name in `use`, from disk: regular files of a bounded size, and only those that a text names.

use std::{
    collections::HashMap,
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use nnz_core::{
    check::used::{Files, Found, UsedFile},
    ids::FileId,
    languages::{LANGUAGES, NOTHING_TO_USE},
    source::{self, Source},
};

/// The most bytes of a file that an editor reads of its own accord; a larger one is hardly one of encodings.
const LARGEST: u64 = 16 << 20;

/// The most bytes of a file of data that a check looks into, in a terminal and at each edit.
const LARGEST_DATA: u64 = 4 << 20;
pub(crate) const LARGEST_DATA_IN_EDITOR: u64 = 64 << 10;

/// The files that a text in this folder names: relative to the current directory, as when it runs, or to the
/// folder.
pub struct FromDisk {
    folders: Vec<PathBuf>,
}

impl FromDisk {
    /// For the text of the file `path`, if there is one.
    pub fn beside(path: Option<&Path>) -> FromDisk {
        let folder = path.and_then(Path::parent).map(Path::to_path_buf);
        FromDisk { folders: std::iter::once(PathBuf::new()).chain(folder).collect() }
    }

    /// The path of a file that the text names.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        first_there(&self.folders, path)
    }
}

impl Files for FromDisk {
    fn used(&self, path: &str) -> Found {
        let Some(file) = first_there(&self.folders, path) else { return missing(path) };
        check_alone(&file, path).map_or_else(|found| found, Found::File)
    }
    fn unreadable(&self, path: &str) -> Option<String> {
        first_there(&self.folders, path).is_none().then(|| why_missing(path))
    }
    fn data(&self, path: &str) -> Option<Vec<u8>> {
        small_data(&first_there(&self.folders, path)?, LARGEST_DATA)
    }
    fn unwritable(&self, path: &str) -> Option<String> {
        no_place(&[PathBuf::new()], path)
    }
}

/// The bytes of a regular file, if they are at most `most`.
pub(crate) fn small_data(file: &Path, most: u64) -> Option<Vec<u8>> {
    let is_small = |data: &Metadata| data.is_file() && data.len() <= most;
    fs::metadata(file).ok().filter(is_small).and_then(|_| fs::read(file).ok())
}

/// Why no file of this name can be made in any of the folders: its own folder is not there, or it is one.
pub(crate) fn no_place(folders: &[PathBuf], path: &str) -> Option<String> {
    let places = || folders.iter().map(|folder| folder.join(path));
    let folder = |place: &Path| place.parent().is_none_or(|parent| parent.as_os_str().is_empty() || parent.is_dir());
    if !places().any(|place| folder(&place)) {
        let parent = Path::new(path).parent().unwrap_or(Path::new("")).display().to_string();
        return Some(format!("there is no folder `{parent}`"));
    }
    places().all(|place| place.is_dir()).then(|| "it is a folder".to_string())
}

/// The first of the folders' files of this name.
pub(crate) fn first_there(folders: &[PathBuf], path: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(path)).find(|file| file.exists())
}

/// The system's message about a missing file.
pub(crate) fn missing(path: &str) -> Found {
    Found::Missing(why_missing(path))
}

pub(crate) fn why_missing(path: &str) -> String {
    let reason = fs::metadata(path).err().unwrap_or_else(|| io::ErrorKind::NotFound.into());
    reason.to_string()
}

/// A file in use, checked under this name without what it uses itself, or why it is not.
fn check_alone(file: &Path, name: &str) -> Result<UsedFile, Found> {
    let language = LANGUAGES.of_path(name).ok_or_else(|| Found::Missing(LANGUAGES.unknown()))?;
    let checked = language.check_alone(&Source::new(FileId(0), name, read(file)?));
    checked.used().ok_or_else(|| Found::Missing(NOTHING_TO_USE.to_string()))
}

/// The text of a regular file, or why there is none.
fn read(file: &Path) -> Result<String, Found> {
    let missing = |error: io::Error| Found::Missing(error.to_string());
    let metadata = fs::metadata(file).map_err(missing)?;
    // A pipe would be waited for and emptied.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(Found::Unread("it is no regular file".to_string()));
    }
    let bytes = source::read_text(File::open(file).map_err(missing)?, LARGEST).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => Found::Unread(error.to_string()),
        _ => missing(error),
    })?;
    String::from_utf8(bytes).map_err(|_| Found::Missing("it is not UTF-8 text".to_string()))
}

/// Files that were read and checked, as long as they stay as they are.
#[derive(Default)]
pub(crate) struct Kept(Mutex<HashMap<PathBuf, (Stamp, UsedFile)>>);

/// Shows whether a file was written again.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Stamp {
        Stamp { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Kept {
    /// The file, checked under this name.
    pub(crate) fn checked(&self, file: &Path, name: &str) -> Found {
        const MOST: usize = 64;
        let stamp = fs::metadata(file).map(|metadata| Stamp::of(&metadata)).ok();
        let known = self.lock().get(file).filter(|known| Some(&known.0) == stamp.as_ref()).map(|known| known.1.clone());
        if let Some(checked) = known {
            return Found::File(checked);
        }
        let checked = match check_alone(file, name) {
            Ok(checked) => checked,
            Err(found) => return found,
        };
        let mut kept = self.lock();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.extend(stamp.map(|stamp| (file.to_path_buf(), (stamp, checked.clone()))));
        Found::File(checked)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, (Stamp, UsedFile)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

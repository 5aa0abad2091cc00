//! The texts of the workspace: the open documents, and the files in its folders in one of nnz's languages. Files are
//! read when a request needs them, up to a limit, and again only after they have changed.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use nnz_core::{languages::LANGUAGES, memory};
use tower_lsp::lsp_types::Url;

use super::{Document, Shared, Snapshot, source};
use crate::used::Stamp;

/// The most files that are read.
const MOST_FILES: usize = 2000;
/// The most entries of folders that are looked at.
const MOST_ENTRIES: usize = 50_000;
/// The most bytes of one file, and of all.
const LARGEST: u64 = 1 << 20;
const MOST_BYTES: u64 = 64 << 20;
/// How long a list of the files is used.
const FRESH: Duration = Duration::from_secs(2);

/// A text, and where it is.
pub(crate) type Text = (Url, Arc<Document>);

/// The files of some folders at some time.
struct Listed {
    at: Instant,
    folders: Vec<PathBuf>,
    files: Arc<[PathBuf]>,
}

/// The files that were found and read.
#[derive(Default)]
pub(crate) struct Texts {
    listed: Mutex<Option<Listed>>,
    kept: Mutex<HashMap<PathBuf, (Stamp, Arc<Document>)>>,
}

impl Texts {
    fn files(&self, folders: &[PathBuf]) -> Arc<[PathBuf]> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_fresh = |listed: &&Listed| listed.at.elapsed() < FRESH && listed.folders == folders;
        if let Some(listed) = listed.as_ref().filter(is_fresh) {
            return listed.files.clone();
        }
        let files: Arc<[PathBuf]> = found(folders).into();
        *listed = Some(Listed { at: Instant::now(), folders: folders.to_vec(), files: files.clone() });
        files
    }

    fn known(&self, file: &Path, stamp: &Stamp) -> Option<Arc<Document>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(file).filter(|(known, _)| known == stamp).map(|(_, document)| document.clone())
    }

    fn keep(&self, file: &Path, stamp: Stamp, document: &Arc<Document>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_FILES {
            kept.clear();
        }
        kept.insert(file.to_path_buf(), (stamp, document.clone()));
    }
}

/// The files of texts below the folders, the nearest first.
fn found(folders: &[PathBuf]) -> Vec<PathBuf> {
    let (mut files, mut entries) = (Vec::new(), 0);
    let mut folders: std::collections::VecDeque<PathBuf> = folders.iter().cloned().collect();
    while let Some(folder) = folders.pop_front() {
        let Ok(inside) = fs::read_dir(folder) else { continue };
        for entry in inside.flatten() {
            entries += 1;
            if entries > MOST_ENTRIES || files.len() >= MOST_FILES {
                return files;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_passed_over(&entry.path()) => folders.push_back(entry.path()),
                Ok(kind) if kind.is_file() && is_text(&entry.path()) => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files
}

/// Hidden folders, and those of other programs' output.
fn is_passed_over(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or(".");
    name.starts_with('.') || matches!(name, "target" | "node_modules")
}

fn is_text(file: &Path) -> bool {
    file.extension().is_some() && file.to_str().is_some_and(|path| LANGUAGES.of_path(path).is_some())
}

impl Shared {
    /// All texts, the open ones first; fewer once `cancelled` says so.
    pub(crate) fn texts(&self, snapshot: &Snapshot, cancelled: &dyn Fn() -> bool) -> Vec<Text> {
        let mut texts: Vec<Text> =
            snapshot.documents().map(|(url, document)| (url.clone(), document.clone())).collect();
        texts.sort_by(|(one, _), (other, _)| one.cmp(other));
        let library = self.library();
        let mut left = MOST_BYTES;
        for file in library.texts.files(&library.workspace.folders()).iter().take_while(|_| !cancelled()) {
            let Ok(url) = Url::from_file_path(file) else { continue };
            if snapshot.document(&url).is_none()
                && let Some(document) = self.on_disk(&url, file)
                && let Some(rest) = left.checked_sub(document.source.text.len() as u64)
            {
                left = rest;
                texts.push((url, document));
            }
        }
        texts
    }

    /// The text at an address, open or on disk.
    pub(crate) fn text_at(&self, snapshot: &Snapshot, url: &Url) -> Option<Text> {
        let document = snapshot.document(url).or_else(|| self.on_disk(url, &url.to_file_path().ok()?))?;
        Some((url.clone(), document))
    }

    fn on_disk(&self, url: &Url, file: &Path) -> Option<Arc<Document>> {
        let metadata = fs::metadata(file).ok().filter(|found| found.is_file() && found.len() <= LARGEST)?;
        let (texts, stamp) = (&self.library().texts, Stamp::of(&metadata));
        if let Some(known) = texts.known(file, &stamp) {
            // What it uses may have changed.
            let renew = || self.document(url, known.language, 0, known.source.clone());
            return Some(if known.uses() { renew() } else { known });
        }
        memory::room_for(u128::from(metadata.len()), 1).ok()?;
        let language = LANGUAGES.of_path(file.to_str()?)?;
        let document = self.document(url, language, 0, source(url, fs::read_to_string(file).ok()?));
        texts.keep(file, stamp, &document);
        Some(document)
    }

    /// The texts that may contain a name of the text at `home`: itself, and those that use it.
    pub(crate) fn sharing(
        &self,
        snapshot: &Snapshot,
        (home, name): (&Url, &str),
        cancelled: &dyn Fn() -> bool,
    ) -> Vec<Text> {
        let uses_it = |(url, document): &Text| {
            url != home
                && document.uses()
                && document.source.text.contains(name)
                && document.room().is_ok()
                && document.checked().uses().contains(&home.as_str())
        };
        let users = self.texts(snapshot, cancelled).into_iter().take_while(|_| !cancelled()).filter(uses_it);
        self.text_at(snapshot, home).into_iter().chain(users).collect()
    }
}

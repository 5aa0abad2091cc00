//! The names of files that completion offers: those in the folders of the workspace and in the text's own folder.
//! Folders are listed, but no file is opened, so nothing waits for a pipe.

use std::{
    fs::{self, DirEntry},
    path::{Path, PathBuf},
};

use nnz_core::{
    ide::complete::{Entry, Folders},
    languages::LANGUAGES,
};

use crate::store::Shelf;

/// The most entries of a folder that are looked at.
const MOST_ENTRIES: usize = 5000;

impl Folders for Shelf {
    fn entries(&self, folder: &str) -> Vec<Entry> {
        self.inside(folder).iter().flat_map(|folder| listed(folder)).collect()
    }
}

fn listed(folder: &Path) -> Vec<Entry> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.take(MOST_ENTRIES).flatten().filter_map(|found| entry(&found)).collect()
}

/// Regular files and folders that are not hidden.
fn entry(found: &DirEntry) -> Option<Entry> {
    let name =
        found.file_name().into_string().ok().filter(|name| !name.starts_with('.') && !name.contains(['"', '\\']))?;
    let metadata = fs::metadata(found.path()).ok()?;
    let is_text = PathBuf::from(&name).extension().is_some() && LANGUAGES.of_path(&name).is_some();
    (metadata.is_dir() || metadata.is_file()).then(|| Entry { is_folder: metadata.is_dir(), is_text, name })
}

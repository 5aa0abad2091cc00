//! The files that an open document names in `use`: other open documents first, then the disk, within the workspace.

use std::{
    path::{Component, Path, PathBuf},
    sync::{Arc, Weak},
};

use nnz_core::{
    check::used::{Files, Found},
    languages::NOTHING_TO_USE,
};
use tower_lsp::lsp_types::Url;

use super::{Store, texts::Texts};
use crate::{
    judged::Judged,
    used::{Kept, LARGEST_DATA_IN_EDITOR, first_there, missing, no_place, small_data, why_missing},
    workspace::Workspace,
};

/// The places where files may be read, and the files that were read.
#[derive(Default)]
pub(crate) struct Library {
    pub(crate) workspace: Workspace,
    kept: Kept,
    pub(crate) texts: Texts,
    pub(crate) judged: Judged,
}

impl Library {
    pub(crate) fn of(workspace: Workspace) -> Library {
        Library { workspace, kept: Kept::default(), texts: Texts::default(), judged: Judged::default() }
    }
}

/// The files that a document can use.
pub(crate) struct Shelf {
    store: Weak<Store>,
    url: Url,
    path: Option<PathBuf>,
}

impl Shelf {
    pub(crate) fn new(store: &Arc<Store>, url: &Url) -> Shelf {
        Shelf { store: Arc::downgrade(store), url: url.clone(), path: url.to_file_path().ok() }
    }

    /// The folders where files are looked for: the current directory and the folders of the workspace, where texts are
    /// run, then the document's own.
    fn folders(&self, workspace: &Workspace) -> Vec<PathBuf> {
        let here = std::env::current_dir().ok();
        let own = self.own().map(Path::to_path_buf);
        here.into_iter().chain(workspace.folders()).chain(own).collect()
    }

    /// The file that the document names so, if it is there.
    pub(crate) fn find(&self, path: &str) -> Option<Url> {
        let store = self.store.upgrade()?;
        let file = first_there(&self.folders(&store.library().workspace), path)?;
        Url::from_file_path(without_dots(&file)).ok()
    }

    /// The folders that a text names so and that lie in the workspace.
    pub(crate) fn inside(&self, folder: &str) -> Vec<PathBuf> {
        let Some(store) = self.store.upgrade() else { return Vec::new() };
        let workspace = &store.library().workspace;
        let folders = workspace.folders();
        let roots = folders.iter().map(PathBuf::as_path).chain(self.own());
        let mut found: Vec<PathBuf> = roots.map(|root| without_dots(&root.join(folder))).collect();
        found.retain(|folder| workspace.holds(folder, self.own()));
        found.sort();
        found.dedup();
        found
    }

    fn own(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }
}

impl Files for Shelf {
    fn used(&self, path: &str) -> Found {
        let Some(store) = self.store.upgrade() else { return Found::Unread("the server ends".to_string()) };
        let library = store.library();
        let folders = self.folders(&library.workspace);
        let urls = folders.iter().filter_map(|folder| Url::from_file_path(without_dots(&folder.join(path))).ok());
        let open = store.snapshot();
        if let Some(document) = { urls }.filter(|url| *url != self.url).find_map(|url| open.document(&url)) {
            return document.used().map_or_else(|| Found::Missing(NOTHING_TO_USE.to_string()), Found::File);
        }
        let Some(file) = first_there(&folders, path) else { return missing(path) };
        if !library.workspace.holds(&file, self.own()) {
            return Found::Unread("it lies outside of the workspace".to_string());
        }
        let name = Url::from_file_path(without_dots(&file)).map_or_else(|()| path.to_string(), String::from);
        library.kept.checked(&file, &name)
    }

    fn unreadable(&self, path: &str) -> Option<String> {
        let store = self.store.upgrade()?;
        first_there(&self.folders(&store.library().workspace), path).is_none().then(|| why_missing(path))
    }

    fn data(&self, path: &str) -> Option<Vec<u8>> {
        let store = self.store.upgrade()?;
        let workspace = &store.library().workspace;
        let file = first_there(&self.folders(workspace), path)?;
        workspace.holds(&file, self.own()).then(|| small_data(&file, LARGEST_DATA_IN_EDITOR))?
    }

    fn unwritable(&self, path: &str) -> Option<String> {
        let store = self.store.upgrade()?;
        no_place(&self.folders(&store.library().workspace), path)
    }
}

/// The path without `.` and `..`, as editors write paths.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

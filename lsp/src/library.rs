//! The files that an open document names in `use`: other open documents first, then the disk, within the workspace.

use std::{
    path::{Component, Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
};

use nnz_core::{
    check::used::{Files, Found},
    ide::inlay::HintKind,
    languages::NOTHING_TO_USE,
};
use serde_json::Value;
use tower_lsp::lsp_types::{InitializeParams, Url, WorkspaceFolder, WorkspaceFoldersChangeEvent};

use crate::{
    judged::Judged,
    requests::inlay_hint::bit,
    store::Store,
    texts::Texts,
    trust::Trust,
    used::{Kept, first_there, missing, why_missing},
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

#[derive(Default)]
pub(crate) struct Workspace {
    folders: Mutex<Vec<PathBuf>>,
    /// The user's setting `nnz.use.outside`: files anywhere may be read.
    outside: AtomicBool,
    /// The user's setting `nnz.use.roots`: files in these folders may be read, too.
    roots: Mutex<Vec<PathBuf>>,
    /// The user's setting `nnz.format.enable` is off.
    unformatted: AtomicBool,
    /// The kinds of inlay hints that the settings `nnz.inlayHints` switch off, as bits.
    without_hints: AtomicU8,
    /// Whether texts may run.
    pub(crate) trust: Trust,
}

impl Workspace {
    pub(crate) fn of(params: &InitializeParams) -> Workspace {
        let several = params.workspace_folders.iter().flatten().map(|folder| &folder.uri);
        let urls = several.chain(&params.root_uri);
        let folders = urls.filter_map(|url| url.to_file_path().ok()).collect();
        let workspace = Workspace { folders: Mutex::new(folders), ..Workspace::default() };
        params.initialization_options.iter().for_each(|options| workspace.set(options));
        workspace
    }

    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The user has opened folders, or closed some.
    pub(crate) fn change(&self, event: &WorkspaceFoldersChangeEvent) {
        let paths = |folders: &[WorkspaceFolder]| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| folder.uri.to_file_path().ok()).collect()
        };
        let (removed, added) = (paths(&event.removed), paths(&event.added));
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|folder| !removed.contains(folder) && !added.contains(folder));
        folders.extend(added);
    }

    /// Applies the settings, those of nnz alone or among others.
    pub(crate) fn set(&self, settings: &Value) {
        self.trust.set(settings);
        if let Some(outside) = setting(settings, "use/outside").and_then(Value::as_bool) {
            self.outside.store(outside, Ordering::Relaxed);
        }
        if let Some(roots) = setting(settings, "use/roots").and_then(Value::as_array) {
            *self.roots.lock().unwrap_or_else(PoisonError::into_inner) = absolute(roots);
        }
        if let Some(enabled) = setting(settings, "format/enable").and_then(Value::as_bool) {
            self.unformatted.store(!enabled, Ordering::Relaxed);
        }
        for kind in HintKind::ALL {
            match setting(settings, &format!("inlayHints/{}", kind.name())).and_then(Value::as_bool) {
                Some(true) => drop(self.without_hints.fetch_and(!bit(kind), Ordering::Relaxed)),
                Some(false) => drop(self.without_hints.fetch_or(bit(kind), Ordering::Relaxed)),
                None => {}
            }
        }
    }

    /// The kinds of inlay hints that are wanted, as bits.
    pub(crate) fn hints(&self) -> u8 {
        !self.without_hints.load(Ordering::Relaxed)
    }

    /// Whether texts are formatted.
    pub(crate) fn formats(&self) -> bool {
        !self.unformatted.load(Ordering::Relaxed)
    }

    /// Whether a file lies in a folder of the workspace, in one that the user allows, or in `own`, links followed.
    fn holds(&self, file: &Path, own: Option<&Path>) -> bool {
        if self.outside.load(Ordering::Relaxed) {
            return true;
        }
        let Ok(file) = file.canonicalize() else { return false };
        let roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let all = [self.folders(), roots].concat();
        let mut folders = all.iter().map(PathBuf::as_path).chain(own).filter_map(|f| f.canonicalize().ok());
        folders.any(|folder| file.starts_with(folder))
    }
}

/// A setting of nnz, alone or among others.
fn setting<'s>(settings: &'s Value, path: &str) -> Option<&'s Value> {
    settings.pointer(&format!("/nnz/{path}")).or_else(|| settings.pointer(&format!("/{path}")))
}

/// A relative path would mean another folder wherever the server is started.
fn absolute(roots: &[Value]) -> Vec<PathBuf> {
    roots.iter().filter_map(Value::as_str).map(PathBuf::from).filter(|root| root.is_absolute()).collect()
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

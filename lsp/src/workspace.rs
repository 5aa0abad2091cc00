//! The folders that the user has opened, and the settings that say what is read, run, formatted and hinted at there.

use std::{
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
};

use nnz_core::ide::inlay::HintKind;
use serde_json::Value;
use tower_lsp::lsp_types::{InitializeParams, WorkspaceFolder, WorkspaceFoldersChangeEvent};

use crate::trust::Trust;

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
    pub(crate) fn holds(&self, file: &Path, own: Option<&Path>) -> bool {
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

/// The bit of a kind in a set of them.
pub(crate) fn bit(kind: HintKind) -> u8 {
    1 << kind as u8
}

//! The files that are being written, and that go when the process ends before they are whole.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The files that are being written, for the one who ends the process by Ctrl-C.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(crate) struct Noted(PathBuf);

impl Noted {
    pub(crate) fn new(path: &Path) -> Noted {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_path_buf());
        Noted(path.to_path_buf())
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes unfinished files, because the process is about to end.
pub(crate) fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_file(path);
    }
}

/// As [`remove_unfinished`], without waiting for a lock.
#[cfg(unix)]
pub(crate) fn remove_unfinished_now() {
    if let Ok(paths) = UNFINISHED.try_lock() {
        paths.iter().for_each(|path| drop(fs::remove_file(path)));
    }
}

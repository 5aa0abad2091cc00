//! The files that are being written, and that go when the process ends before they are whole.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The files that are being written, for the one who ends the process by Ctrl-C.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is being written. It is noted until this is dropped, when it has its name or is gone.
pub(crate) struct Unfinished {
    pub(crate) file: File,
    path: PathBuf,
}

impl Unfinished {
    /// Makes a file and notes it, in one step for all who end the process: none of them comes in between, when there is
    /// a file that nobody would remove.
    ///
    /// # Errors
    /// There is such a file, or none can be made.
    pub(crate) fn new(path: &Path) -> io::Result<Unfinished> {
        let _undisturbed = Undisturbed::new();
        let mut paths = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = File::create_new(path)?;
        paths.push(path.to_path_buf());
        Ok(Unfinished { file, path: path.to_path_buf() })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
    }
}

/// Removes unfinished files, because the process is about to end. None is made from here on.
pub(crate) fn remove_unfinished() {
    let mut paths = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    paths.drain(..).for_each(|path| drop(fs::remove_file(path)));
    // Who wants to make one now waits for the end.
    std::mem::forget(paths);
}

/// As [`remove_unfinished`], without waiting long for a lock: one who asks may hold it, when memory ends.
#[cfg(unix)]
pub(crate) fn remove_unfinished_now() {
    const TRIES: usize = 100_000;
    let held = (0..TRIES).find_map(|_| UNFINISHED.try_lock().map_err(|_| std::thread::yield_now()).ok());
    if let Some(paths) = held {
        paths.iter().for_each(|path| drop(fs::remove_file(path)));
        std::mem::forget(paths);
    }
}

/// Keeps the signals that end the process from this thread; another thread, or a later moment, takes them.
struct Undisturbed {
    #[cfg(unix)]
    before: libc::sigset_t,
}

impl Undisturbed {
    #[cfg(unix)]
    fn new() -> Undisturbed {
        // SAFETY: zeros are a set of signals, and all pointers are to sets of this function.
        unsafe {
            let (mut blocked, mut before) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigemptyset(&raw mut blocked);
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                libc::sigaddset(&raw mut blocked, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const blocked, &raw mut before);
            Undisturbed { before }
        }
    }

    #[cfg(not(unix))]
    fn new() -> Undisturbed {
        Undisturbed {}
    }
}

#[cfg(unix)]
impl Drop for Undisturbed {
    fn drop(&mut self) {
        // SAFETY: the set is the one that was there before.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, std::ptr::null_mut());
        }
    }
}

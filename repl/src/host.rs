//! Files, progress and Ctrl-C for the session, which does none of these itself.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use nnz_core::host::{ByteSource, Content, Host, Written};

use crate::{
    files::{self, Existing},
    memory,
    render::one_line,
};

/// Shorter work shows no progress.
const PATIENCE: Duration = Duration::from_millis(200);

/// A flag that stops the work that runs with it. The user sets it.
#[derive(Clone, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The flag of the input that runs at the prompt. Each input has one of its own, so one that was left behind stays
/// cancelled.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<Mutex<Cancel>>);

impl Running {
    /// Begins an input.
    pub(crate) fn begin(&self) -> Cancel {
        let cancel = Cancel::default();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = cancel.clone();
        cancel
    }
    /// Stops the latest.
    pub(crate) fn stop(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).request();
    }
}

/// The host of a session in a terminal or a script.
pub(crate) struct LocalHost {
    cancel: Cancel,
    /// `None` where nobody would see it.
    progress: Option<Mutex<Progress>>,
    existing: Existing,
}

impl LocalHost {
    pub(crate) fn new(cancel: Cancel, shows_progress: bool) -> Self {
        Self { cancel, progress: shows_progress.then(Mutex::default), existing: Existing::default() }
    }

    pub(crate) fn with_existing(self, existing: Existing) -> Self {
        Self { existing, ..self }
    }
}

impl Host for LocalHost {
    fn memory_free(&self) -> Option<u64> {
        memory::free()
    }
    fn memory_used(&self) -> Option<u64> {
        memory::used_lately()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        files::read(path).map_err(|error| error.to_string())
    }
    fn read_text(&self, path: &str) -> Result<Vec<u8>, String> {
        files::read_text(Path::new(path)).map_err(|error| error.to_string())
    }
    fn find(&self, path: &str, text: &str) -> String {
        let found = nnz_lsp::FromDisk::beside(Some(Path::new(text))).find(path);
        found.and_then(|found| found.to_str().map(str::to_owned)).unwrap_or_else(|| path.to_owned())
    }
    #[cfg(unix)]
    fn open(&self, path: &str) -> Result<Box<dyn ByteSource>, String> {
        let open = || -> std::io::Result<Box<dyn ByteSource>> {
            let file = std::fs::File::open(path)?;
            let metadata = file.metadata()?;
            // A pipe has no length and no places, and some files of the system say that they are empty: both are read to
            // their end.
            match metadata.is_file() && metadata.len() > 0 {
                true => Ok(Box::new(DiskFile { file, length: metadata.len() })),
                false => Ok(Box::new(files::read_all(file, path)?)),
            }
        };
        open().map_err(|error| error.to_string())
    }
    fn write(&self, path: &str, content: Content<'_>) -> Result<Written, String> {
        files::write(path, self.existing, content).map_err(|error| error.to_string())
    }
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
    fn progress(&self, what: &str, done: u64, total: u64) {
        if let Some(progress) = &self.progress {
            progress.lock().unwrap_or_else(PoisonError::into_inner).update(what, done, total);
        }
    }
    fn cancelled(&self) -> bool {
        self.cancel.is_requested() || nnz_core::memory::shortage().is_some()
    }
}

/// A file on disk, read at any place.
#[cfg(unix)]
struct DiskFile {
    file: std::fs::File,
    length: u64,
}

#[cfg(unix)]
impl ByteSource for DiskFile {
    fn len(&self) -> u64 {
        self.length
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }
}

/// The progress bar of the running work, if any.
#[derive(Default)]
struct Progress {
    since: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn update(&mut self, what: &str, done: u64, total: u64) {
        if done >= total {
            return self.finish();
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| new_bar(total));
        bar.set_length(total);
        bar.set_message(one_line(what));
        bar.set_position(done);
    }

    fn finish(&mut self) {
        self.since = None;
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::new(total);
    match ProgressStyle::with_template("{msg} {wide_bar} {percent} % {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

//! The open documents. One text and one check per version; snapshots are cheap and never change.

use std::{
    borrow::Cow,
    collections::HashMap,
    ffi::OsStr,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use nnz_core::{
    check::{self, used::UsedFile},
    diagnostic::{Diagnostic, Lints},
    ids::FileId,
    languages::{Answers, FrontEnd, Known, LANGUAGES},
    memory,
    source::{ColumnUnit, Source},
};
use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

mod library;
mod texts;

use crate::{from_proto, workspace::Workspace};
use library::Library;
pub(crate) use library::Shelf;
pub(crate) use texts::Text;

/// One version of one document. It is checked once, on first use.
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) version: i32,
    pub(crate) language: &'static FrontEnd,
    checked: OnceLock<Arc<dyn Answers>>,
    alone: OnceLock<Arc<dyn Answers>>,
    used: OnceLock<Option<UsedFile>>,
    found: OnceLock<Arc<Vec<Diagnostic>>>,
    /// What the last check of the document has left, of this version or an earlier one.
    known: Arc<Mutex<Known>>,
    shelf: Shelf,
    /// The last check of an earlier version, until this one is checked.
    before: Mutex<Option<Arc<dyn Answers>>>,
}

impl Document {
    fn new(language: &'static FrontEnd, source: Source, version: i32, shelf: Shelf) -> Document {
        Document {
            source,
            version,
            language,
            checked: OnceLock::new(),
            alone: OnceLock::new(),
            used: OnceLock::new(),
            found: OnceLock::new(),
            known: Arc::default(),
            shelf,
            before: Mutex::default(),
        }
    }

    /// As the next version of `old`, with what its check has left.
    fn after(self, old: &Document) -> Arc<Document> {
        let checked = old.checked.get().or(old.alone.get());
        let before = checked.cloned().or_else(|| old.take_before());
        Arc::new(Document { known: old.known.clone(), before: Mutex::new(before), ..self })
    }

    /// The result of checking this version. The first call computes it, so call it off the transport's
    /// thread.
    pub(crate) fn checked(&self) -> Arc<dyn Answers> {
        self.checked.get_or_init(|| self.check()).clone()
    }

    fn check(&self) -> Arc<dyn Answers> {
        match self.uses() {
            true => self.language.check_after(self.take_before(), &self.source, Some(&self.shelf)),
            false => self.checked_alone(),
        }
    }

    /// The result of a check without the files that it uses, because documents may use each other.
    pub(crate) fn checked_alone(&self) -> Arc<dyn Answers> {
        let check = || self.language.check_after(self.take_before(), &self.source, None);
        self.alone.get_or_init(check).clone()
    }

    fn take_before(&self) -> Option<Arc<dyn Answers>> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// All diagnostics of this version; some are missing if `cancelled` said so.
    pub(crate) fn found(&self, cancelled: &dyn Fn() -> bool) -> Arc<Vec<Diagnostic>> {
        if let Some(found) = self.found.get() {
            return found.clone();
        }
        // Of several who ask, one looks.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = self.found.get() {
            return found.clone();
        }
        let found = Arc::new(self.checked().diagnostics(&mut known, cancelled));
        if cancelled() {
            return found;
        }
        self.found.get_or_init(|| found).clone()
    }

    /// As another document uses it, if it can.
    pub(crate) fn used(&self) -> Option<UsedFile> {
        self.used.get_or_init(|| self.checked_alone().used()).clone()
    }

    /// The files around it.
    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The file that the text names so, if it is there.
    pub(crate) fn file(&self, path: &str) -> Option<Url> {
        self.shelf.find(path)
    }

    /// Whether it may use files.
    pub(crate) fn uses(&self) -> bool {
        (self.language.may_use_files)(&self.source.text)
    }

    /// Takes the memory reserve again, and asks for room to check this version.
    ///
    /// # Errors
    /// There is not enough room.
    pub(crate) fn room(&self) -> Result<(), Box<Diagnostic>> {
        match self.is_checked() {
            true => {
                memory::begin();
                Ok(())
            }
            false => check::room(&self.source),
        }
    }

    /// Whether [`Document::checked`] would answer at once.
    pub(crate) fn is_checked(&self) -> bool {
        self.checked.get().is_some()
    }
}

/// All open documents at one moment.
#[derive(Clone)]
pub(crate) struct Snapshot {
    documents: HashMap<Url, Arc<Document>>,
    pub(crate) unit: ColumnUnit,
    /// The client shows what the codes of diagnostics mean.
    pub(crate) follows_codes: bool,
    /// The diagnostics that the user wants.
    pub(crate) lints: Arc<Lints>,
}

impl Snapshot {
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&Url, &Arc<Document>)> {
        self.documents.iter()
    }
    pub(crate) fn document(&self, url: &Url) -> Option<Arc<Document>> {
        self.documents.get(url).cloned()
    }
}

/// The current snapshot, and the files that documents use.
pub(crate) struct Store {
    current: Mutex<Arc<Snapshot>>,
    library: OnceLock<Library>,
}

impl Store {
    fn lock(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.lock().clone()
    }
    pub(crate) fn library(&self) -> &Library {
        self.library.get_or_init(Library::default)
    }
}

/// The state shared by the front and the publisher.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Store>);

impl Default for Shared {
    fn default() -> Self {
        let lints = Arc::default();
        let empty = Snapshot { documents: HashMap::new(), unit: ColumnUnit::Utf16, follows_codes: false, lints };
        Self(Arc::new(Store { current: Mutex::new(Arc::new(empty)), library: OnceLock::new() }))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.0.lock()
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.0.snapshot()
    }

    /// Sets where files may be read. Only the first call counts.
    pub(crate) fn set_workspace(&self, workspace: Workspace) {
        self.0.library.get_or_init(|| Library::of(workspace));
    }

    pub(crate) fn library(&self) -> &Library {
        self.0.library()
    }

    pub(crate) fn workspace(&self) -> &Workspace {
        &self.0.library().workspace
    }

    /// Marks the documents that may use a file of this name, or any file, for another check, and returns their
    /// addresses.
    pub(crate) fn renew_users(&self, of: Option<&Url>) -> Vec<Url> {
        self.library().judged.changed();
        let path = of.and_then(|url| url.to_file_path().ok());
        let name = path.as_deref().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
        let mut current = self.lock();
        let is_user =
            |url: &Url, document: &Document| Some(url) != of && document.uses() && document.source.text.contains(name);
        let users = current.documents.iter().filter(|(url, document)| is_user(url, document));
        let users: Vec<(Url, Arc<Document>)> = users.map(|(url, document)| (url.clone(), document.clone())).collect();
        users.iter().for_each(|(url, old)| self.renew_in(&mut current, url, old));
        users.into_iter().map(|(url, _)| url).collect()
    }

    /// Marks a document for another check, if it may use files.
    pub(crate) fn renew(&self, url: &Url) {
        let mut current = self.lock();
        if let Some(old) = current.document(url).filter(|document| document.uses()) {
            self.renew_in(&mut current, url, &old);
        }
    }

    fn renew_in(&self, current: &mut Arc<Snapshot>, url: &Url, old: &Document) {
        let renewed = self.version(url, old.language, old.version, old.source.clone()).after(old);
        Arc::make_mut(current).documents.insert(url.clone(), renewed);
    }

    pub(crate) fn set_client(&self, unit: ColumnUnit, follows_codes: bool) {
        let mut current = self.lock();
        let current = Arc::make_mut(&mut current);
        (current.unit, current.follows_codes) = (unit, follows_codes);
    }

    pub(crate) fn set_lints(&self, lints: Lints) {
        Arc::make_mut(&mut self.lock()).lints = Arc::new(lints);
    }

    pub(crate) fn document(
        &self,
        url: &Url,
        language: &'static FrontEnd,
        version: i32,
        source: Source,
    ) -> Arc<Document> {
        Arc::new(self.version(url, language, version, source))
    }

    fn version(&self, url: &Url, language: &'static FrontEnd, version: i32, source: Source) -> Document {
        Document::new(language, source, version, Shelf::new(&self.0, url))
    }

    /// A document in a language that nnz does not read is ignored, and requests about it have no answer.
    pub(crate) fn open(&self, url: &Url, language_id: &str, version: i32, text: String) {
        let Some(language) = LANGUAGES.of_document(language_id, url.path()) else {
            return eprintln!("nnz lsp: {url} is not read: {}", LANGUAGES.unknown());
        };
        let document = self.document(url, language, version, source(url, text));
        Arc::make_mut(&mut self.lock()).documents.insert(url.clone(), document);
    }

    /// Applies the changes in order (LSP 3.17, `textDocument/didChange`). A document that is not
    /// open is left alone.
    pub(crate) fn change(&self, url: &Url, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut current = self.lock();
        let Some(old) = current.document(url) else { return };
        let text = Cow::Borrowed(&*old.source.text);
        let text = changes.into_iter().fold(text, |text, change| apply(text, change, current.unit));
        let document = self.version(url, old.language, version, source(url, text.into_owned())).after(&old);
        Arc::make_mut(&mut current).documents.insert(url.clone(), document);
    }

    pub(crate) fn close(&self, url: &Url) {
        Arc::make_mut(&mut self.lock()).documents.remove(url);
    }
}

pub(crate) fn source(url: &Url, text: String) -> Source {
    Source::new(FileId(0), url.as_str(), text)
}

fn apply(mut text: Cow<'_, str>, change: TextDocumentContentChangeEvent, unit: ColumnUnit) -> Cow<'_, str> {
    match change.range {
        None => change.text.into(),
        Some(range) => {
            let range = from_proto::byte_range(&text, range, unit);
            text.to_mut().replace_range(range, &change.text);
            text
        }
    }
}

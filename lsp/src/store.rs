//! The open documents. One text and one check per version; snapshots are cheap and never change.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use nnz_core::{
    check::{self, Checked},
    ids::FileId,
    source::{ColumnUnit, Language, Source},
};
use tower_lsp::lsp_types::{TextDocumentContentChangeEvent, Url};

use crate::from_proto;

/// One version of one document. It is checked when first asked, once.
pub(crate) struct Document {
    pub(crate) source: Source,
    pub(crate) version: i32,
    checked: OnceLock<Arc<Checked>>,
}

impl Document {
    fn new(url: &Url, language: Language, version: i32, text: String) -> Arc<Document> {
        let source = Source::new(FileId(0), url.as_str(), language, text);
        Arc::new(Document { source, version, checked: OnceLock::new() })
    }

    /// The result of checking this version; computes it if nobody has yet, so call it off the
    /// transport's thread.
    pub(crate) fn checked(&self) -> Arc<Checked> {
        self.checked.get_or_init(|| Arc::new(check::check(&self.source))).clone()
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
}

impl Snapshot {
    pub(crate) fn document(&self, url: &Url) -> Option<Arc<Document>> {
        self.documents.get(url).cloned()
    }
}

/// The current snapshot, shared by the front and the publisher.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Arc<Snapshot>>>);

impl Default for Shared {
    fn default() -> Self {
        let empty = Snapshot { documents: HashMap::new(), unit: ColumnUnit::Utf16 };
        Self(Arc::new(Mutex::new(Arc::new(empty))))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.lock().clone()
    }

    pub(crate) fn set_unit(&self, unit: ColumnUnit) {
        Arc::make_mut(&mut self.lock()).unit = unit;
    }

    pub(crate) fn open(&self, url: &Url, language_id: &str, version: i32, text: String) {
        let language = if language_id == "mlir" { Language::Mlir } else { Language::of_path(url.path()) };
        let document = Document::new(url, language, version, text);
        Arc::make_mut(&mut self.lock()).documents.insert(url.clone(), document);
    }

    /// Applies the changes in order (LSP 3.17, `textDocument/didChange`). A document that is not
    /// open is left alone.
    pub(crate) fn change(&self, url: &Url, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut current = self.lock();
        let Some(old) = current.document(url) else { return };
        let text = Cow::Borrowed(&*old.source.text);
        let text = changes.into_iter().fold(text, |text, change| apply(text, change, current.unit));
        let document = Document::new(url, old.source.language, version, text.into_owned());
        Arc::make_mut(&mut current).documents.insert(url.clone(), document);
    }

    pub(crate) fn close(&self, url: &Url) {
        Arc::make_mut(&mut self.lock()).documents.remove(url);
    }
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

//! A request about one document: a worker thread answers it, from the snapshot of the moment when it came.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use nnz_core::{
    diagnostic::Diagnostic,
    source::{ColumnUnit, Span},
};
use serde::Serialize;
use tower_lsp::{
    jsonrpc::{self, Result},
    lsp_types::{Location, Position, Range, Url},
};

use crate::{
    from_proto,
    moment::{answer_with, snapshot},
    store::{Document, Snapshot},
    to_proto,
};

/// A document, with the data to translate places in it.
pub(crate) struct OpenDocument {
    pub(crate) url: Url,
    pub(crate) document: Arc<Document>,
    pub(crate) unit: ColumnUnit,
    /// All documents at the same moment.
    pub(crate) snapshot: Arc<Snapshot>,
    cancelled: Arc<AtomicBool>,
}

/// Lives as long as the client waits for an answer: tower-lsp drops the future of a cancelled request.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl OpenDocument {
    fn new(url: Url) -> Option<OpenDocument> {
        let snapshot = snapshot();
        let (document, unit) = (snapshot.document(&url)?, snapshot.unit);
        Some(OpenDocument { document, url, unit, snapshot, cancelled: Arc::default() })
    }
    pub(crate) fn offset(&self, position: Position) -> usize {
        from_proto::offset(&self.document.source, position, self.unit)
    }
    /// The client no longer waits for the answer.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
    /// The diagnostics of the document, at the levels that the user wants.
    pub(crate) fn found(&self) -> Vec<Diagnostic> {
        let found = self.document.found(&|| self.is_cancelled());
        self.snapshot.lints.applied(&found).into_owned()
    }
    pub(crate) fn range(&self, span: Span) -> Range {
        to_proto::range(&self.document.source, span, self.unit)
    }
    pub(crate) fn location(&self, span: Span) -> Location {
        Location::new(self.url.clone(), self.range(span))
    }
}

/// Runs `answer` on the document at `url` on a worker thread; `None` if it is not open, or if there is no room to
/// check it, which its diagnostics report.
pub(crate) async fn ask<T: Send + 'static>(
    url: Url,
    answer: impl FnOnce(&OpenDocument) -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    let Some(target) = OpenDocument::new(url) else { return Ok(None) };
    let _waiting = Waiting(target.cancelled.clone());
    let compute = move || match target.is_cancelled() || target.document.room().is_err() {
        true => None,
        false => answer(&target),
    };
    off_thread(compute).await
}

/// As [`ask`], for answers that may be long: they become text on the worker thread, and the handler returns none.
pub(crate) async fn ask_long<T: Serialize>(
    url: Url,
    answer: impl FnOnce(&OpenDocument) -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    let text = ask(url, move |target| serde_json::to_string(&answer(target)?).ok()).await?;
    text.into_iter().for_each(answer_with);
    Ok(None)
}

async fn off_thread<T: Send + 'static>(compute: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let answered = tokio::task::spawn_blocking(compute).await;
    answered.map_err(|error| {
        eprintln!("nnz lsp: a request failed: {error}");
        jsonrpc::Error::internal_error()
    })
}

/// As [`ask`], for answers that do not concern an open document: from the snapshot, with a function that says whether
/// nobody waits for them any more.
pub(crate) async fn ask_all<T: Send + 'static>(
    answer: impl FnOnce(&Snapshot, &dyn Fn() -> bool) -> T + Send + 'static,
) -> Result<T> {
    let (snapshot, cancelled) = (snapshot(), Arc::new(AtomicBool::default()));
    let _waiting = Waiting(cancelled.clone());
    off_thread(move || answer(&snapshot, &|| cancelled.load(Ordering::Relaxed))).await
}

/// As [`ask`], for answers that are just a look-up: if the document has been checked, they are computed at
/// once, which saves the way to another thread and back.
pub(crate) async fn look_up<T: Send + 'static>(
    url: Url,
    answer: impl FnOnce(&OpenDocument) -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    match OpenDocument::new(url.clone()) {
        Some(target) if target.document.is_checked() => Ok(answer(&target)),
        _ => ask(url, answer).await,
    }
}

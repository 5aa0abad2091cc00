//! Checks changed documents and publishes their diagnostics, on one thread, so that what the client
//! receives is in order. A version that is no longer the newest is never published.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use nnz_core::{
    diagnostic::Diagnostic as Found,
    languages::Known,
    source::{ColumnUnit, Source},
};
use tokio::runtime::Handle;
use tower_lsp::{
    Client,
    lsp_types::{Diagnostic, Url},
};

use crate::{
    filter::Backlog,
    store::{Document, Shared},
    to_proto,
    views::Views,
};

/// A check begins after this time without a further change. Keystrokes of a person are further apart, so each waits no
/// longer than this. A burst of edits is taken as one, as long as more input is at hand.
const QUIET: Duration = Duration::from_millis(1);

/// A client that never stops sending still gets diagnostics.
const PATIENCE: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub(crate) struct Publisher(Arc<Inbox>);

#[derive(Default)]
struct Inbox {
    changed: Mutex<HashSet<Url>>,
    signal: Condvar,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, HashSet<Url>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, then for quiet, and takes all that changed.
    fn take(&self, backlog: &Backlog) -> HashSet<Url> {
        let mut changed = self.lock();
        while changed.is_empty() {
            changed = self.signal.wait(changed).unwrap_or_else(PoisonError::into_inner);
        }
        let begin = Instant::now();
        loop {
            let waited = self.signal.wait_timeout(changed, QUIET).unwrap_or_else(PoisonError::into_inner);
            changed = waited.0;
            if waited.1.timed_out() && (!backlog.is_there() || begin.elapsed() > PATIENCE) {
                return std::mem::take(&mut changed);
            }
        }
    }
}

impl Publisher {
    pub(crate) fn start(client: Client, documents: Shared, (backlog, views): (Backlog, Views)) -> Publisher {
        let publisher = Publisher(Arc::default());
        let inbox = publisher.0.clone();
        let mut desk = Desk { runtime: Handle::current(), client, documents, views, known: HashMap::new() };
        std::thread::spawn(move || {
            loop {
                inbox.take(&backlog).iter().for_each(|url| desk.publish(url));
            }
        });
        publisher
    }

    /// `url` was opened, changed or closed.
    pub(crate) fn changed(&self, url: Url) {
        self.0.lock().insert(url);
        self.0.signal.notify_one();
    }
}

/// What the thread works with.
struct Desk {
    runtime: Handle,
    client: Client,
    documents: Shared,
    views: Views,
    /// For every open document, what its last check has left for the next one.
    known: HashMap<Url, Known>,
}

impl Desk {
    fn publish(&mut self, url: &Url) {
        let snapshot = self.documents.snapshot();
        let Some(document) = snapshot.document(url) else {
            self.known.remove(url);
            self.send(url, Vec::new(), None);
            return self.views.closed(url, (&self.client, &self.runtime));
        };
        let Some(found) = self.found(url, &document) else { return };
        if is_newest(&self.documents, url, &document) {
            self.send(url, published(url, &document.source, &found, snapshot.unit), Some(document.version));
            self.views.changed(url, (&self.client, &self.runtime));
        }
    }

    fn found(&mut self, url: &Url, document: &Document) -> Option<Arc<Vec<Found>>> {
        match document.room() {
            Ok(()) => check_safely(document, self.known.entry(url.clone()).or_default()),
            Err(refused) => Some(Arc::new(vec![*refused])),
        }
    }

    fn send(&self, url: &Url, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        self.runtime.block_on(self.client.publish_diagnostics(url.clone(), diagnostics, version));
    }
}

/// The most diagnostics of a document that editors get, because they draw, list and keep each of them.
const MOST: usize = 1000;

/// The diagnostics as the client gets them. If there are too many, these are the gravest, in the order of the text, and
/// one that counts the others.
fn published(url: &Url, source: &Source, found: &[Found], unit: ColumnUnit) -> Vec<Diagnostic> {
    let convert = |diagnostic: &Found| to_proto::diagnostic(url, source, diagnostic, unit);
    if found.len() <= MOST {
        return found.iter().map(convert).collect();
    }
    let mut places: Vec<usize> = (0..found.len()).collect();
    places.sort_by_key(|&place| found[place].severity());
    let left_out = places.split_off(MOST - 1);
    places.sort_unstable();
    let rest = left_out.first().map(|&first| to_proto::rest(source, &found[first], left_out.len(), unit));
    places.iter().map(|&place| convert(&found[place])).chain(rest).collect()
}

/// A panic while checking is a bug of nnz; it must not end the thread, and with it all diagnostics.
fn check_safely(document: &Document, known: &mut Known) -> Option<Arc<Vec<Found>>> {
    let check = std::panic::AssertUnwindSafe(|| document.found_after(known));
    let found = std::panic::catch_unwind(check);
    found.inspect_err(|_| eprintln!("nnz lsp: checking {} failed: a bug in nnz", document.source.name)).ok()
}

/// If not, the change that replaced it is in the inbox already or will be.
fn is_newest(documents: &Shared, url: &Url, document: &Arc<Document>) -> bool {
    documents.snapshot().document(url).is_some_and(|current| Arc::ptr_eq(&current, document))
}

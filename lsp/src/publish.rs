//! Checks changed documents and publishes their diagnostics, on one thread, so that what the client
//! receives is in order. A version that is no longer the newest is never published.

use std::{
    collections::HashSet,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::runtime::Handle;
use tower_lsp::{
    Client,
    lsp_types::{Diagnostic, Url},
};

use crate::{
    abilities::Agreed,
    backlog::Backlog,
    found::reported,
    store::{Document, Shared},
    views::Views,
    work::Works,
};

/// A check that may take long begins after this time without a further change. Keystrokes of a person are further
/// apart, so each waits no longer than this. A burst of edits is checked as one change, as long as more input has
/// arrived.
const QUIET: Duration = Duration::from_millis(1);

/// Where the last check took no longer, the next one begins at once.
const SHORT: Duration = Duration::from_millis(5);

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

    /// Waits for a change, then for `quiet`, and takes all changes.
    fn take(&self, backlog: &Backlog, mut quiet: Duration) -> HashSet<Url> {
        let mut changed = self.lock();
        while changed.is_empty() {
            changed = self.signal.wait(changed).unwrap_or_else(PoisonError::into_inner);
        }
        let begin = Instant::now();
        loop {
            let waited = self.signal.wait_timeout(changed, quiet).unwrap_or_else(PoisonError::into_inner);
            changed = waited.0;
            if waited.1.timed_out() && (!backlog.is_there() || begin.elapsed() > PATIENCE) {
                return std::mem::take(&mut changed);
            }
            quiet = QUIET;
        }
    }
}

impl Publisher {
    pub(crate) fn start(
        client: Client,
        documents: Shared,
        (backlog, views, abilities, works): (Backlog, Views, Agreed, Works),
    ) -> Publisher {
        let publisher = Publisher(Arc::default());
        let inbox = publisher.0.clone();
        let desk = Desk { client, documents, views, abilities, works, runtime: Handle::current() };
        std::thread::spawn(move || {
            let mut quiet = QUIET;
            loop {
                let changed = inbox.take(&backlog, quiet);
                let begin = Instant::now();
                changed.iter().for_each(|url| desk.publish(url));
                quiet = if begin.elapsed() <= SHORT { Duration::ZERO } else { QUIET };
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
    client: Client,
    documents: Shared,
    views: Views,
    abilities: Agreed,
    works: Works,
    runtime: Handle,
}

impl Desk {
    fn publish(&self, url: &Url) {
        let snapshot = self.documents.snapshot();
        let Some(document) = snapshot.document(url) else {
            self.send(url, Vec::new(), None);
            return self.views.closed(url, (&self.client, &self.runtime));
        };
        let (title, shows) = (format!("checking {}", name(url)), self.abilities.get().shows_work);
        let work = self.works.begin(title, shows, (&self.client, &self.runtime));
        let outdated = || work.is_cancelled() || !is_newest(&self.documents, url, &document);
        let Some(diagnostics) = reported(url, &document, &snapshot, &outdated) else { return };
        if is_newest(&self.documents, url, &document) {
            self.send(url, diagnostics, Some(document.version));
            self.views.changed(url, (&self.client, &self.runtime));
        }
    }

    /// A client that asks for diagnostics gets them then, and not a second time.
    fn send(&self, url: &Url, diagnostics: Vec<Diagnostic>, version: Option<i32>) {
        if !self.abilities.get().pulls_diagnostics {
            self.runtime.block_on(self.client.publish_diagnostics(url.clone(), diagnostics, version));
        }
    }
}

/// The file's name, as a person knows it.
fn name(url: &Url) -> &str {
    url.path_segments().and_then(|mut segments| segments.next_back()).unwrap_or("a text")
}

/// If not, the change that replaced it is in the inbox already or will be.
fn is_newest(documents: &Shared, url: &Url, document: &Arc<Document>) -> bool {
    documents.snapshot().document(url).is_some_and(|current| Arc::ptr_eq(&current, document))
}

//! The views that the client has open: what was made for the newest version of a text, and the last good one.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, Weak,
    atomic::{AtomicBool, Ordering},
};

use nnz_core::{
    diagnostic::Code,
    ide::{
        kernels::unknown,
        lowered::{Preview, Shown},
    },
    listing::{comment, language_of},
};
use serde::Serialize;
use tokio::runtime::Handle;
use tower_lsp::{
    Client,
    lsp_types::{Range, Url},
};

use crate::{
    address::Address,
    ask::OpenDocument,
    newer::{OfUri, RefreshContent, ViewsChanged},
    store::Document,
};

/// A view as the client gets it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Content {
    pub(crate) text: String,
    language: &'static str,
    /// It does not show the current text, which has errors or is not open.
    stale: bool,
    places: Vec<Place>,
}

/// Lines of a view, the first and the last, and the part of the source that they are made of.
#[derive(Clone, Debug, Serialize)]
struct Place {
    lines: [usize; 2],
    range: Range,
}

/// So many are kept, those that were asked for last.
const MOST: usize = 64;

#[derive(Clone, Default)]
pub(crate) struct Views(Arc<Inner>);

#[derive(Default)]
struct Inner {
    /// The latest last.
    kept: Mutex<Vec<Kept>>,
    /// The client is asked to refresh its texts.
    by_request: AtomicBool,
}

struct Kept {
    address: Address,
    /// The version that it was made for.
    of: Weak<Document>,
    content: Arc<Content>,
    /// The last one without errors.
    good: Option<Arc<Content>>,
}

/// How to inform the client.
type To<'a> = (&'a Client, &'a Handle);

impl Views {
    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The client knows `workspace/textDocumentContent/refresh`.
    pub(crate) fn refresh_by_request(&self) {
        self.0.by_request.store(true, Ordering::Relaxed);
    }

    /// The view of an open document; `None` if the client no longer waits for it.
    pub(crate) fn content(&self, address: &Address, target: &OpenDocument) -> Option<Arc<Content>> {
        if let Some(known) = self.known(address, &target.document) {
            return Some(known);
        }
        let checked = target.document.checked();
        let preview = checked.lowered(&address.kernel, address.view, &|| target.is_cancelled())?;
        let made = match preview {
            Preview::Shown(shown) => Ok(Content::of(address, shown, target)),
            Preview::Broken(reason) => Err(reason),
            Preview::Unknown(names) => Err(unknown(&address.kernel, &names)),
        };
        Some(self.keep(address, Arc::downgrade(&target.document), made))
    }

    /// The view of a document that is not open, or that there is no room to check.
    pub(crate) fn missing(&self, address: &Address, is_open: bool) -> Arc<Content> {
        if !is_open {
            self.forget(&address.source);
        }
        let name = address.source.path().rsplit('/').next().unwrap_or_default();
        let reason = if is_open { "there is no memory left to check it" } else { "it is not open" };
        self.keep(address, Weak::new(), Err(format!("`{name}`: {reason}")))
    }

    fn known(&self, address: &Address, document: &Arc<Document>) -> Option<Arc<Content>> {
        let kept = self.lock();
        let known = kept.iter().find(|kept| kept.address == *address)?;
        known.of.upgrade().filter(|of| Arc::ptr_eq(of, document)).map(|_| known.content.clone())
    }

    /// Keeps the new view, or the last good one with the reason for showing it.
    fn keep(&self, address: &Address, of: Weak<Document>, made: Result<Content, String>) -> Arc<Content> {
        let mut kept = self.lock();
        let before = kept.iter().position(|kept| kept.address == *address).map(|at| kept.remove(at));
        let good = before.and_then(|before| before.good);
        let (content, good) = match made {
            Ok(content) => {
                let content = Arc::new(content);
                (content.clone(), Some(content))
            }
            Err(reason) => (Arc::new(Content::stale(address, &reason, good.as_deref())), good),
        };
        kept.push(Kept { address: address.clone(), of, content: content.clone(), good });
        let surplus = kept.len().saturating_sub(MOST);
        kept.drain(..surplus);
        content
    }

    /// A new version of a document was checked: the client should ask for its views again.
    pub(crate) fn changed(&self, source: &Url, (client, runtime): To<'_>) {
        let open = self.of(source);
        if open.is_empty() {
            return;
        }
        runtime.block_on(client.send_notification::<ViewsChanged>(OfUri { uri: source.clone() }));
        if self.0.by_request.load(Ordering::Relaxed) {
            for uri in open.iter().filter_map(Address::url) {
                let client = client.clone();
                // Nobody waits for the client.
                runtime.spawn(async move { client.send_request::<RefreshContent>(OfUri { uri }).await });
            }
        }
    }

    /// A document was closed: its views are dropped.
    pub(crate) fn closed(&self, source: &Url, to: To<'_>) {
        self.forget(source);
        self.changed(source, to);
    }

    /// The last good view of a closed text is not shown again.
    fn forget(&self, source: &Url) {
        for kept in self.lock().iter_mut().filter(|kept| kept.address.source == *source) {
            (kept.of, kept.good) = (Weak::new(), None);
        }
    }

    /// The views of a document.
    fn of(&self, source: &Url) -> Vec<Address> {
        let kept = self.lock();
        kept.iter().map(|kept| &kept.address).filter(|address| address.source == *source).cloned().collect()
    }
}

impl Content {
    /// What `nnz explain` says.
    pub(crate) fn meaning(code: Code) -> Content {
        let text = format!("# {}: {}\n\n{}", code.text(), code.title(), code.explanation());
        Content { text, language: "markdown", stale: false, places: Vec::new() }
    }

    fn of(address: &Address, shown: Shown, target: &OpenDocument) -> Content {
        let place = |place: &nnz_core::ide::lowered::ViewPlace| Place {
            lines: [place.first, place.last],
            range: target.range(place.span),
        };
        let places = shown.places.iter().map(place).collect();
        Content {
            text: shown.text,
            language: shown.language.unwrap_or(language_of(address.view)),
            stale: false,
            places,
        }
    }

    /// The last good text below the reason why it is that.
    fn stale(address: &Address, reason: &str, good: Option<&Content>) -> Content {
        let first = match good {
            Some(_) => format!("of an earlier version of the text: {reason}"),
            None => format!("no view: {reason}"),
        };
        let first = first.lines().collect::<Vec<_>>().join(" ");
        let below = good.map_or("", |good| &good.text);
        let text = format!("{}\n{below}", comment(address.view, &first));
        Content { text, language: language_of(address.view), stale: true, places: Vec::new() }
    }
}

//! What belongs to the message now being handled: the documents as they were when it arrived, and its answer as text.

use std::sync::{Arc, OnceLock};

use crate::store::Snapshot;

tokio::task_local! {
    pub(crate) static SNAPSHOT: Arc<Snapshot>;
    pub(crate) static TEXT: Text;
}

/// The result of the request now being handled, if its handler makes it into text itself.
pub(crate) type Text = Arc<OnceLock<String>>;

/// Answers the message now being handled with a result as text. tower-lsp would make a tree of it first, on the
/// transport's thread, which takes several times as long for a large one.
pub(crate) fn answer_with(result: String) {
    let _ = TEXT.with(|text| text.set(result));
}

/// The documents as they were when the message now being handled arrived.
pub(crate) fn snapshot() -> Arc<Snapshot> {
    SNAPSHOT.with(Arc::clone)
}

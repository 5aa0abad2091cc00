//! The answers that were given about texts of the workspace, so that unchanged texts need not be checked again.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tower_lsp::lsp_types::Url;

/// A hash of everything on which the diagnostics of a text depend.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct State(u64);

#[derive(Default)]
pub(crate) struct Judged {
    answers: Mutex<HashMap<Url, (State, String)>>,
    /// Counts the changes of texts and files.
    changes: AtomicU64,
}

impl Judged {
    fn lock(&self) -> MutexGuard<'_, HashMap<Url, (State, String)>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A text, a file or a setting has changed; texts that use files must be checked again.
    pub(crate) fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// The state of a text and of all else that counts, other files among it if it `uses` such.
    pub(crate) fn state(&self, text: impl Hash, uses: bool) -> State {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        if uses {
            self.changes.load(Ordering::Relaxed).hash(&mut hasher);
        }
        State(hasher.finish())
    }

    /// Whether the answer about a text in this state has this id.
    pub(crate) fn is_known(&self, url: &Url, state: State, id: &str) -> bool {
        self.lock().get(url).is_some_and(|(of, known)| *of == state && known == id)
    }

    pub(crate) fn keep(&self, url: &Url, state: State, id: &str) {
        self.lock().insert(url.clone(), (state, id.to_string()));
    }
}

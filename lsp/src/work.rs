//! Long work: the client shows its progress, and can cancel it (LSP 3.17, "Work Done Progress").

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{runtime::Handle, sync::oneshot, time::timeout};
use tower_lsp::{
    Client,
    lsp_types::{
        NumberOrString, ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
        WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport, notification,
        request::WorkDoneProgressCreate,
    },
};

/// Work that ends sooner is not shown.
const LONG: Duration = Duration::from_millis(500);

/// The running work, by the tokens that the client knows.
#[derive(Clone, Default)]
pub(crate) struct Works(Arc<Known>);

#[derive(Default)]
struct Known {
    open: Mutex<HashMap<String, Arc<AtomicBool>>>,
    count: AtomicU64,
}

/// Work that runs until this is dropped.
pub(crate) struct Work {
    cancelled: Arc<AtomicBool>,
    _goes_on: oneshot::Sender<()>,
}

impl Works {
    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<AtomicBool>>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Work begins; if it takes long, a client that shows progress is informed.
    pub(crate) fn begin(&self, title: String, shows: bool, (client, runtime): (&Client, &Handle)) -> Work {
        let (goes_on, done) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::default());
        if shows {
            let token = format!("nnz-{}", self.0.count.fetch_add(1, Ordering::Relaxed));
            self.open().insert(token.clone(), cancelled.clone());
            let (works, client) = (self.clone(), client.clone());
            runtime.spawn(async move {
                show(&client, NumberOrString::String(token.clone()), title, done).await;
                works.open().remove(&token);
            });
        }
        Work { cancelled, _goes_on: goes_on }
    }

    /// `window/workDoneProgress/cancel`
    pub(crate) fn cancel(&self, token: &ProgressToken) {
        if let NumberOrString::String(token) = token
            && let Some(cancelled) = self.open().get(token)
        {
            cancelled.store(true, Ordering::Relaxed);
        }
    }
}

impl Work {
    /// The user does not want it any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

async fn show(client: &Client, token: ProgressToken, title: String, mut done: oneshot::Receiver<()>) {
    if timeout(LONG, &mut done).await.is_ok() {
        return;
    }
    let create = WorkDoneProgressCreateParams { token: token.clone() };
    if client.send_request::<WorkDoneProgressCreate>(create).await.is_err() {
        return;
    }
    let shown = Shown { client: client.clone(), token };
    shown.begin(title, true).await;
    // Dropping the sender is an error, and the end.
    let _ = done.await;
    shown.end().await;
}

/// Work under a token that the client knows.
pub(crate) struct Shown {
    pub(crate) client: Client,
    pub(crate) token: ProgressToken,
}

impl Shown {
    pub(crate) async fn begin(&self, title: String, cancellable: bool) {
        let begin = WorkDoneProgressBegin { title, cancellable: Some(cancellable), ..<_>::default() };
        self.send(WorkDoneProgress::Begin(begin)).await;
    }
    pub(crate) async fn report(&self, percentage: u32) {
        let report = WorkDoneProgressReport { percentage: Some(percentage), ..<_>::default() };
        self.send(WorkDoneProgress::Report(report)).await;
    }
    pub(crate) async fn end(&self) {
        self.send(WorkDoneProgress::End(WorkDoneProgressEnd::default())).await;
    }
    async fn send(&self, work: WorkDoneProgress) {
        let params = ProgressParams { token: self.token.clone(), value: ProgressParamsValue::WorkDone(work) };
        self.client.send_notification::<notification::Progress>(params).await;
    }
}

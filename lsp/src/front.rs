//! A thin `tower::Service` in front of tower-lsp 0.20, which is frozen and has defects that only
//! stand behind it. `call` runs once per message, in arrival order, before any handler is polled:
//! so document changes are applied here, and every request carries the snapshot of this moment.
//!
//! What it mends: handlers that overtake each other (every hover sees the text that the editor
//! had); `exit` that does not end the process; `$/` requests that are never answered.

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use serde_json::Value;
use tower::Service;
use tower_lsp::{
    ExitedError, LspService,
    jsonrpc::{Error, Request, Response},
    lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams},
};

use crate::{
    server::Backend,
    store::{Shared, Snapshot},
};

tokio::task_local! {
    static SNAPSHOT: Arc<Snapshot>;
}

/// The documents as they were when the message now being handled arrived.
pub(crate) fn snapshot() -> Arc<Snapshot> {
    SNAPSHOT.with(Arc::clone)
}

pub(crate) struct Front {
    inner: LspService<Backend>,
    documents: Shared,
    lifecycle: Lifecycle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lifecycle {
    Running,
    ShutDown,
}

type Answer = Pin<Box<dyn Future<Output = Result<Option<Response>, ExitedError>> + Send>>;

impl Front {
    pub(crate) fn new(inner: LspService<Backend>, documents: Shared) -> Self {
        Self { inner, documents, lifecycle: Lifecycle::Running }
    }

    fn apply(&self, method: &str, params: Option<&Value>) {
        match method {
            "textDocument/didOpen" => {
                if let Some(DidOpenTextDocumentParams { text_document: d }) = parse(params) {
                    self.documents.open(&d.uri, &d.language_id, d.version, d.text);
                }
            }
            "textDocument/didChange" => {
                if let Some(DidChangeTextDocumentParams { text_document: d, content_changes }) = parse(params) {
                    self.documents.change(&d.uri, d.version, content_changes);
                }
            }
            "textDocument/didClose" => {
                if let Some(DidCloseTextDocumentParams { text_document: d }) = parse(params) {
                    self.documents.close(&d.uri);
                }
            }
            _ => {}
        }
    }

    fn exit(&self) -> ! {
        std::process::exit(if self.lifecycle == Lifecycle::ShutDown { 0 } else { 1 })
    }
}

fn parse<T: serde::de::DeserializeOwned>(params: Option<&Value>) -> Option<T> {
    T::deserialize(params?).inspect_err(|error| eprintln!("nnz lsp: bad parameters: {error}")).ok()
}

/// A request that no server has to know, but has to answer (LSP 3.17, "$ Notifications and Requests").
fn unknown_dollar_request(request: &Request) -> Option<Response> {
    let unknown = request.method().starts_with("$/") && request.method() != "$/cancelRequest";
    let id = request.id().filter(|_| unknown)?;
    Some(Response::from_error(id.clone(), Error::method_not_found()))
}

impl Service<Request> for Front {
    type Response = Option<Response>;
    type Error = ExitedError;
    type Future = Answer;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ExitedError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Answer {
        self.apply(request.method(), request.params());
        match request.method() {
            "exit" => self.exit(),
            "shutdown" => self.lifecycle = Lifecycle::ShutDown,
            _ => {}
        }
        if let Some(response) = unknown_dollar_request(&request) {
            return Box::pin(async move { Ok(Some(response)) });
        }
        Box::pin(SNAPSHOT.scope(self.documents.snapshot(), self.inner.call(request)))
    }
}

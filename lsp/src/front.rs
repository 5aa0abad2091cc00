//! A thin `tower::Service` in front of tower-lsp 0.20, which is frozen and has defects. `call` runs once per
//! message, in arrival order, before any handler is polled: so document changes are applied here, and every
//! request carries the snapshot of this moment.
//!
//! It works around three of them: handlers overtake each other (here every hover sees the text that the
//! editor had); `exit` does not end the process; `$/` requests are never answered.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tower::Service;
use tower_lsp::{
    ExitedError, LspService,
    jsonrpc::{Error, Id, Request, Response},
    lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams},
};

use crate::{
    end_process,
    filter::BAD_FRAME,
    moment::{SNAPSHOT, TEXT, Text},
    newer,
    output::Stdout,
    parent,
    past::Past,
    server::Backend,
    store::Shared,
    views::Views,
};

pub(crate) struct Front {
    inner: LspService<Backend>,
    documents: Shared,
    views: Views,
    stdout: Stdout,
    past: Past,
    /// `shutdown` was asked for.
    is_shut_down: Arc<AtomicBool>,
}

type Answer = Pin<Box<dyn Future<Output = Result<Option<Response>, ExitedError>> + Send>>;

impl Front {
    pub(crate) fn new(
        inner: LspService<Backend>,
        (documents, views): (Shared, Views),
        (stdout, past): (Stdout, Past),
    ) -> Self {
        Self { inner, documents, views, stdout, past, is_shut_down: Arc::default() }
    }

    /// The answer to a request, which is written here if it is text already.
    fn ask(&mut self, request: Request) -> Answer {
        let (text, stdout) = (Text::default(), self.stdout.clone());
        let answer = SNAPSHOT.scope(self.documents.snapshot(), self.inner.call(request));
        let answer = TEXT.scope(text.clone(), answer);
        Box::pin(async move {
            let response = answer.await?;
            let written = response.as_ref().filter(|response| response.is_ok()).zip(text.get());
            Ok(match written.map(|(response, text)| stdout.answer(response.id(), text)) {
                Some(Ok(())) => None,
                Some(Err(_)) | None => response,
            })
        })
    }

    /// Applies a change of a document. The handlers get it without the text, because many changes may wait there.
    fn apply(&self, request: Request) -> Request {
        match request.method() {
            "textDocument/didOpen" => apply(request, |DidOpenTextDocumentParams { text_document: d }| {
                let text = std::mem::take(&mut d.text);
                self.documents.open(&d.uri, &d.language_id, d.version, text);
            }),
            "textDocument/didChange" => apply(request, |change: &mut DidChangeTextDocumentParams| {
                let (d, changes) = (&change.text_document, std::mem::take(&mut change.content_changes));
                self.documents.change(&d.uri, d.version, changes);
            }),
            "textDocument/didClose" => apply(request, |DidCloseTextDocumentParams { text_document: d }| {
                self.documents.close(&d.uri);
            }),
            _ => request,
        }
    }

    fn initialize(&mut self, request: Request) -> Answer {
        self.watch_parent(request.params());
        if !newer::shows_contents(request.params()) {
            return Box::pin(self.inner.call(request));
        }
        self.views.refresh_by_request();
        let answer = self.inner.call(request);
        Box::pin(async move { Ok(answer.await?.map(newer::with_contents)) })
    }

    fn exit(&self) -> ! {
        exit(&self.is_shut_down)
    }

    fn watch_parent(&self, initialize: Option<&Value>) {
        let is_shut_down = self.is_shut_down.clone();
        parent::watch(initialize, move || exit(&is_shut_down));
    }
}

fn exit(is_shut_down: &AtomicBool) -> ! {
    end_process(if is_shut_down.load(Ordering::Relaxed) { 0 } else { 1 })
}

/// Applies `change` to the parameters of a request, and returns the request with what is left of them.
fn apply<P: DeserializeOwned + Serialize>(request: Request, change: impl FnOnce(&mut P)) -> Request {
    let (method, id, params) = request.into_parts();
    let log = |error: &serde_json::Error| eprintln!("nnz lsp: bad parameters: {error}");
    let params = params.and_then(|params| P::deserialize(params).inspect_err(log).ok());
    let rest = params.and_then(|mut params| {
        change(&mut params);
        serde_json::to_value(params).ok()
    });
    let request = Request::build(method).params(rest.unwrap_or_default());
    id.into_iter().fold(request, |request, id| request.id(id)).finish()
}

/// The request without parameters that are `null`, as clients send `shutdown`.
fn without_null(request: Request) -> Request {
    if request.params() != Some(&Value::Null) {
        return request;
    }
    let (method, id, _) = request.into_parts();
    id.into_iter().fold(Request::build(method), |request, id| request.id(id)).finish()
}

/// The answer to a frame that was dropped. Without an id, what it asked, if anything, is not known.
fn answer_to_bad_frame(request: &Request) -> Option<Response> {
    let [Value::String(what)] = request.params()?.as_array()?.as_slice() else { return None };
    let (id, error) = match request.id() {
        None | Some(Id::Null) => (Id::Null, Error::parse_error()),
        Some(id) => (id.clone(), Error::internal_error()),
    };
    let error = Error { message: format!("dropped {what}").into(), ..error };
    (request.method() == BAD_FRAME).then(|| Response::from_error(id, error))
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
        let request = without_null(request);
        if request.method().starts_with("textDocument/did") {
            // These handlers need no snapshot, and a waiting one would keep an old text in memory.
            let request = self.apply(self.past.restore(request));
            return Box::pin(self.inner.call(request));
        }
        match request.method() {
            "exit" => self.exit(),
            "initialize" => return self.initialize(newer::readable(request)),
            "shutdown" => self.is_shut_down.store(true, Ordering::Relaxed),
            _ => {}
        }
        if let Some(response) = answer_to_bad_frame(&request).or_else(|| unknown_dollar_request(&request)) {
            return Box::pin(async move { Ok(Some(response)) });
        }
        self.ask(request)
    }
}

//! The parts of LSP 3.18 that lsp-types 0.94, which tower-lsp uses, lacks.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::{
    jsonrpc::{self, Response},
    lsp_types::{Url, notification::Notification, request::Request},
};

use crate::address::SCHEME;

/// Whether the client shows texts that the server makes (`workspace/textDocumentContent`), as its `initialize` says.
pub(crate) fn shows_contents(initialize: Option<&Value>) -> bool {
    let ability = initialize.and_then(|params| params.pointer("/capabilities/workspace/textDocumentContent"));
    ability.is_some_and(Value::is_object)
}

/// The answer to `initialize` of such a client.
pub(crate) fn with_contents(response: Response) -> Response {
    let (id, mut body) = response.into_parts();
    if let Ok(answer) = &mut body {
        answer["capabilities"]["workspace"]["textDocumentContent"] = json!({ "schemes": [SCHEME] });
    }
    Response::from_parts(id, body)
}

/// `initialize` as lsp-types reads it, which misspells an ability of LSP 3.17: `workspace.diagnostics`.
pub(crate) fn readable(initialize: jsonrpc::Request) -> jsonrpc::Request {
    let (method, id, mut params) = initialize.into_parts();
    if let Some(workspace) = params.as_mut().and_then(|params| params.pointer_mut("/capabilities/workspace"))
        && let Some(ability) = workspace.get("diagnostics").cloned()
    {
        workspace["diagnostic"] = ability;
    }
    let request = params.into_iter().fold(jsonrpc::Request::build(method), |request, params| request.params(params));
    id.into_iter().fold(request, |request, id| request.id(id)).finish()
}

/// A text by its address.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct OfUri {
    pub(crate) uri: Url,
}

/// To the client: ask again for a text of the server's.
pub(crate) enum RefreshContent {}

impl Request for RefreshContent {
    type Params = OfUri;
    type Result = ();
    const METHOD: &'static str = "workspace/textDocumentContent/refresh";
}

/// To the client: ask again for the views of a source.
pub(crate) enum ViewsChanged {}

impl Notification for ViewsChanged {
    type Params = OfUri;
    const METHOD: &'static str = "nnz/viewsChanged";
}

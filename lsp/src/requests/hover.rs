//! `textDocument/hover`.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{ask::ask, to_proto};

/// `plain`: the client shows plain text only.
pub(crate) async fn answer(params: HoverParams, plain: bool) -> Result<Option<Hover>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let markup = if plain { to_proto::Markup::PlainText } else { to_proto::Markup::Markdown };
    ask(text_document.uri, move |target| {
        let hover = target.document.checked().hover(target.offset(position))?;
        Some(to_proto::hover(&target.document.source, &hover, target.unit, markup))
    })
    .await
}

//! `textDocument/hover`.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{abilities::Abilities, ask::ask_long, to_proto};

pub(crate) async fn answer(params: HoverParams, abilities: Abilities) -> Result<Option<Hover>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let markup = to_proto::Markup::of(abilities);
    ask_long(text_document.uri, move |target| {
        let hover = target.document.checked().hover(target.offset(position))?;
        Some(to_proto::hover(&target.document.source, &hover, target.unit, markup))
    })
    .await
}

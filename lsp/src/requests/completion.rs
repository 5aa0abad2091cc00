//! `textDocument/completion`.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{ask::ask, to_proto};

pub(crate) fn options() -> CompletionOptions {
    // Letters ask for completion anyway. A list that opens behind a space, a comma or a bracket stands in the way of
    // whoever goes on to the next line.
    let triggers = [":", "#", "@"].map(String::from);
    CompletionOptions { trigger_characters: Some(triggers.to_vec()), ..Default::default() }
}

pub(crate) async fn answer(params: CompletionParams) -> Result<Option<CompletionResponse>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    ask(text_document.uri, move |target| {
        let items = target.document.checked().complete(target.offset(position));
        let convert = |(rank, item)| to_proto::completion(&target.document.source, item, rank, target.unit);
        Some(CompletionResponse::Array(items.iter().enumerate().map(convert).collect()))
    })
    .await
}

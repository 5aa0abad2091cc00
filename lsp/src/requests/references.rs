//! `textDocument/references`.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::ask;

pub(crate) async fn answer(params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let declaration = params.context.include_declaration;
    ask(text_document.uri, move |target| {
        let spans = target.document.checked().references(target.offset(position), declaration);
        Some(spans.into_iter().map(|span| target.location(span)).collect())
    })
    .await
}

//! `textDocument/documentHighlight`: where the name at the cursor stands.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::ask;

pub(crate) async fn answer(params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    ask(text_document.uri, move |target| {
        let spans = target.document.checked().references(target.offset(position), true);
        let highlight = |span| DocumentHighlight { range: target.range(span), kind: None };
        Some(spans.into_iter().map(highlight).collect())
    })
    .await
}

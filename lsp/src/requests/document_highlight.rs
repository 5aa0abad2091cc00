//! `textDocument/documentHighlight`: the uses of the name at the cursor, and where it gets a value.

use nnz_core::ide::names::{Access, Place};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::ask_long;

pub(crate) async fn answer(params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    ask_long(text_document.uri, move |target| {
        let places = target.document.checked().highlights(target.offset(position));
        let highlight = |place: Place| DocumentHighlight { range: target.range(place.span), kind: Some(kind(place)) };
        Some(places.into_iter().map(highlight).collect())
    })
    .await
}

fn kind(place: Place) -> DocumentHighlightKind {
    match place.access {
        Access::Read => DocumentHighlightKind::READ,
        Access::Write => DocumentHighlightKind::WRITE,
    }
}

//! `textDocument/linkedEditingRange`: edits a variable at all its places in its statement or map at once.

use nnz_core::ide::names::NameKind;
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::ask;

pub(crate) async fn answer(params: LinkedEditingRangeParams) -> Result<Option<LinkedEditingRanges>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    ask(text_document.uri, move |target| {
        let named = target.document.checked().prepare_rename(target.offset(position)).ok()?;
        let ranges = named.places.iter().map(|place| target.range(place.span)).collect();
        let word_pattern = Some("[A-Za-z_][A-Za-z0-9_]*".to_string());
        (named.kind == NameKind::Variable).then_some(LinkedEditingRanges { ranges, word_pattern })
    })
    .await
}

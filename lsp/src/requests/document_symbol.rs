//! `textDocument/documentSymbol`.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{ask::ask_long, to_proto};

pub(crate) async fn answer(params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
    ask_long(params.text_document.uri, |target| {
        let symbols = target.document.checked().symbols();
        let convert = |symbol| to_proto::symbol(&target.document.source, symbol, target.unit);
        Some(DocumentSymbolResponse::Nested(symbols.into_iter().map(convert).collect()))
    })
    .await
}

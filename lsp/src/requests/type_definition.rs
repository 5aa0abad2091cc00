//! `textDocument/typeDefinition`: the alias of the encoding or type, in this file or in one that it uses.

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{ask::ask, to_proto};

pub(crate) async fn answer(params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    ask(text_document.uri, move |target| {
        let checked = target.document.checked();
        let (file, span) = checked.type_definition(target.offset(position))?;
        let url = Url::parse(&file.name).ok()?;
        Some(Location::new(url, to_proto::range(file, span, target.unit)).into())
    })
    .await
}

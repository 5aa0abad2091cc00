//! `textDocument/definition`, in this file or in one that it uses.

use nnz_core::{languages::Answers, source::ColumnUnit};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{ask::look_up, to_proto};

pub(crate) async fn answer(params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    look_up(text_document.uri, move |target| {
        let (checked, offset) = (target.document.checked(), target.offset(position));
        let here = checked.definition(offset).map(|span| target.location(span));
        Some(here.or_else(|| elsewhere(&*checked, offset, target.unit))?.into())
    })
    .await
}

/// In a file that the document uses.
fn elsewhere(checked: &dyn Answers, offset: usize, unit: ColumnUnit) -> Option<Location> {
    let (file, span) = checked.definition_elsewhere(offset)?;
    let url = Url::parse(&file.name).ok()?;
    Some(Location::new(url, to_proto::range(file, span, unit)))
}

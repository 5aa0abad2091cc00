//! `textDocument/documentLink`: the files in `use` and `read` that exist.

use nnz_core::ide::links::Link;
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::{OpenDocument, ask};

pub(crate) async fn answer(params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
    ask(params.text_document.uri, |target| {
        Some(target.document.checked().links().iter().filter_map(|named| link(target, named)).collect())
    })
    .await
}

fn link(target: &OpenDocument, link: &Link) -> Option<DocumentLink> {
    let (file, tooltip) = (target.document.file(&link.path)?, Some(link.tooltip.to_string()));
    Some(DocumentLink { range: target.range(link.span), target: Some(file), tooltip, data: None })
}

//! `textDocument/selectionRange`.

use nnz_core::source::Span;
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::{OpenDocument, ask};

pub(crate) async fn answer(params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
    ask(params.text_document.uri, move |target| {
        let offsets: Vec<usize> = params.positions.iter().map(|position| target.offset(*position)).collect();
        let chains = target.document.checked().selections(&offsets);
        Some(chains.iter().zip(&offsets).map(|(chain, offset)| nested(target, chain, *offset)).collect())
    })
    .await
}

/// Each of the spans in the next one; nothing at all around a place is the place itself.
fn nested(target: &OpenDocument, chain: &[Span], offset: usize) -> SelectionRange {
    let outwards = |parent: Option<SelectionRange>, span: &Span| {
        Some(SelectionRange { range: target.range(*span), parent: parent.map(Box::new) })
    };
    let alone = || SelectionRange { range: target.range(Span::at(offset)), parent: None };
    chain.iter().rev().fold(None, outwards).unwrap_or_else(alone)
}

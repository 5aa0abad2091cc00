//! `textDocument/semanticTokens`: of a whole text, and of a part of it.

use std::ops;

use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{OpenDocument, ask},
    to_proto,
};

pub(crate) fn options() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: to_proto::token_legend(),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        range: Some(true),
        ..Default::default()
    }
}

pub(crate) async fn full(params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
    ask(params.text_document.uri, |target| {
        let whole = 0..target.document.source.text.len();
        Some(SemanticTokensResult::Tokens(tokens_in(target, whole)))
    })
    .await
}

pub(crate) async fn range(params: SemanticTokensRangeParams) -> Result<Option<SemanticTokensRangeResult>> {
    ask(params.text_document.uri, move |target| {
        let range = target.offset(params.range.start)..target.offset(params.range.end);
        Some(SemanticTokensRangeResult::Tokens(tokens_in(target, range)))
    })
    .await
}

fn tokens_in(target: &OpenDocument, range: ops::Range<usize>) -> SemanticTokens {
    let tokens = target.document.checked().semantic_tokens(range, &|| target.is_cancelled());
    let data = to_proto::semantic_tokens(&target.document.source, &tokens, target.unit);
    SemanticTokens { result_id: None, data }
}

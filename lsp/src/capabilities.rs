//! What the server announces at `initialize`: each request says for itself how it is answered.

use nnz_core::source::ColumnUnit;
use tower_lsp::lsp_types::*;

use crate::requests::{code_action, completion, semantic_tokens};

pub(crate) fn capabilities(unit: ColumnUnit) -> ServerCapabilities {
    let encoding = match unit {
        ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
    };
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(text_document_sync()),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        completion_provider: Some(completion::options()),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        code_action_provider: Some(code_action::options().into()),
        semantic_tokens_provider: Some(semantic_tokens::options().into()),
        ..Default::default()
    }
}

/// The client reports when it opens, changes, saves or closes a document, and sends changes in parts.
fn text_document_sync() -> TextDocumentSyncCapability {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..Default::default()
    }
    .into()
}

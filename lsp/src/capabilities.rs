//! What the server announces at `initialize`, request by request.

use nnz_core::source::ColumnUnit;
use tower_lsp::lsp_types::*;

use crate::{
    abilities::Abilities,
    requests::{
        code_action, code_lens, completion, diagnostic, execute, formatting, rename, semantic_tokens, signature_help,
    },
};

pub(crate) fn capabilities(unit: ColumnUnit, abilities: Abilities) -> ServerCapabilities {
    let encoding = match unit {
        ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
    };
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(text_document_sync()),
        hover_provider: Some(true.into()),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(DeclarationCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: None,
            work_done_progress_options: <_>::default(),
        }),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(rename::options(abilities)),
        inlay_hint_provider: Some(OneOf::Left(true)),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        signature_help_provider: Some(signature_help::options()),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(formatting::typed_options()),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        completion_provider: Some(completion::options()),
        code_lens_provider: Some(code_lens::options()),
        execute_command_provider: execute::options(abilities),
        code_action_provider: Some(code_action::options().into()),
        diagnostic_provider: abilities.pulls_diagnostics.then(diagnostic::options),
        workspace: Some(workspace()),
        semantic_tokens_provider: Some(semantic_tokens::options().into()),
        ..Default::default()
    }
}

/// The client reports which folders are open.
fn workspace() -> WorkspaceServerCapabilities {
    let folders =
        WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: None }
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

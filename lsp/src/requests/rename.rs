//! `textDocument/prepareRename` and `rename`. What several files share is renamed in all of them.

use std::collections::HashMap;

use nnz_core::{ide::names::Named, source::ColumnUnit};
use tower_lsp::{
    jsonrpc::{Error, ErrorCode, Result},
    lsp_types::*,
};

use crate::{
    abilities::Abilities,
    ask::{OpenDocument, ask},
    store::{Shared, Text},
    to_proto,
};

pub(crate) fn options(abilities: Abilities) -> OneOf<bool, RenameOptions> {
    match abilities.prepares_renames {
        true => {
            OneOf::Right(RenameOptions { prepare_provider: Some(true), work_done_progress_options: <_>::default() })
        }
        false => OneOf::Left(true),
    }
}

pub(crate) async fn prepare(params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
    let TextDocumentPositionParams { text_document, position } = params;
    let answer = ask(text_document.uri, move |target| {
        let offset = target.offset(position);
        let named = target.document.checked().prepare_rename(offset);
        let place = |named: Named| {
            let place = named.place_at(offset).ok_or("no name stands here")?;
            let range = target.range(place.span);
            Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: named.text })
        };
        Some(named.and_then(place))
    });
    answer.await?.transpose().map_err(refused)
}

pub(crate) async fn answer(
    params: RenameParams,
    documents: Shared,
    abilities: Abilities,
) -> Result<Option<WorkspaceEdit>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let answer = ask(text_document.uri, move |target| {
        let edits = edits(target, (target.offset(position), &params.new_name), &documents);
        Some(edits.map(|edits| workspace_edit(edits, abilities)))
    });
    answer.await?.transpose().map_err(refused)
}

/// The request is right, and there is a reason why it has no answer (LSP 3.17, `RequestFailed`).
pub(crate) fn refused(reason: String) -> Error {
    Error { code: ErrorCode::ServerError(-32803), message: reason.into(), data: None }
}

/// The edits of one text.
struct Edits {
    text: OptionalVersionedTextDocumentIdentifier,
    edits: Vec<TextEdit>,
}

fn edits(
    target: &OpenDocument,
    (offset, wanted): (usize, &str),
    documents: &Shared,
) -> std::result::Result<Vec<Edits>, String> {
    let checked = target.document.checked();
    let old = checked.prepare_rename(offset)?;
    let name = nnz_core::ide::rename::new_name(&old, wanted)?;
    if !old.is_shared() {
        let here = (target.url.clone(), target.document.clone());
        return Ok(vec![renamed(target, &here, (&old, &name))?]);
    }
    let elsewhere = || checked.definition_elsewhere(offset).and_then(|(file, _)| Url::parse(&file.name).ok());
    let home = if old.imported { elsewhere().ok_or("its definition is not found")? } else { target.url.clone() };
    let texts = documents.sharing(&target.snapshot, (&home, &old.text), &|| target.is_cancelled());
    let all = texts.iter().filter_map(|text| Some((text, text.1.checked().shared(&old.text)?)));
    all.map(|(text, old)| renamed(target, text, (&old, &name))).collect()
}

fn renamed(
    target: &OpenDocument,
    (url, document): &Text,
    (old, name): (&Named, &str),
) -> std::result::Result<Edits, String> {
    let elsewhere = |reason: String| match *url == target.url {
        true => reason,
        false => format!("{}: {reason}", url.path()),
    };
    let edits = document.checked().rename(old, name).map_err(elsewhere)?;
    let unit: ColumnUnit = target.unit;
    let open = target.snapshot.document(url).is_some();
    Ok(Edits {
        text: OptionalVersionedTextDocumentIdentifier { uri: url.clone(), version: open.then_some(document.version) },
        edits: edits.iter().map(|edit| to_proto::text_edit(&document.source, edit, unit)).collect(),
    })
}

fn workspace_edit(edits: Vec<Edits>, abilities: Abilities) -> WorkspaceEdit {
    if !abilities.versioned_edits {
        let changes: HashMap<Url, Vec<TextEdit>> = edits.into_iter().map(|all| (all.text.uri, all.edits)).collect();
        return WorkspaceEdit::new(changes);
    }
    let versioned = edits.into_iter().map(|Edits { text, edits }| TextDocumentEdit {
        text_document: text,
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    WorkspaceEdit { document_changes: Some(DocumentChanges::Edits(versioned.collect())), ..WorkspaceEdit::default() }
}

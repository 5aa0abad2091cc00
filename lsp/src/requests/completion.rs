//! `textDocument/completion` and `completionItem/resolve`: file names come only from the folders of the workspace.

use nnz_core::ide::complete::{CompletionKind, MOST};
use serde::{Deserialize, Serialize};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    abilities::Abilities,
    ask::{ask, ask_long},
    to_proto,
};

pub(crate) fn options() -> CompletionOptions {
    // Letters ask for completion anyway. A list that opens behind a space, a comma or a bracket stands in the way of
    // whoever goes on to the next line.
    let triggers = [":", "#", "!", "@", "%", ".", "\""].map(String::from);
    CompletionOptions {
        trigger_characters: Some(triggers.to_vec()),
        resolve_provider: Some(true),
        ..Default::default()
    }
}

/// Identifies the item to explain: the text, the kind by its number, and the place.
#[derive(Serialize, Deserialize)]
struct Asked(Url, usize, usize);

pub(crate) async fn answer(params: CompletionParams, abilities: Abilities) -> Result<Option<CompletionResponse>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    ask_long(text_document.uri, move |target| {
        let document = &target.document;
        let found = document.checked().complete(target.offset(position), document.shelf());
        let convert = |(rank, item)| {
            let offset = found.first().map_or(0, |first| first.replace.start as usize);
            let (item, kind) = to_proto::completion(&document.source, item, rank, (target.unit, abilities.snippets));
            let data = serde_json::to_value(Asked(target.url.clone(), kind, offset)).ok();
            CompletionItem { data, ..item }
        };
        let items: Vec<CompletionItem> = found.iter().enumerate().map(convert).collect();
        Some(match items.len() < MOST {
            true => CompletionResponse::Array(items),
            false => CompletionResponse::List(CompletionList { is_incomplete: true, items }),
        })
    })
    .await
}

/// The item with what it means.
pub(crate) async fn resolve(item: CompletionItem, abilities: Abilities) -> Result<CompletionItem> {
    let asked = item.data.clone().and_then(|data| serde_json::from_value(data).ok());
    let Some(Asked(url, kind, offset)) = asked else { return Ok(item) };
    let Some(kind) = CompletionKind::ALL.get(kind).copied() else { return Ok(item) };
    let label = item.label.clone();
    let found = ask(url, move |target| {
        let sections = target.document.checked().about(kind, &label, offset);
        (!sections.is_empty()).then(|| to_proto::sections(&sections, abilities.plain_completions))
    });
    let documentation = found.await?.map(Documentation::MarkupContent);
    Ok(CompletionItem { documentation, ..item })
}

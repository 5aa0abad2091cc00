//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`: functions of programs, and the
//! sessions that call them.

use nnz_core::{ide::calls::Callable, source::ColumnUnit};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{ask, ask_all},
    store::{Shared, Snapshot, Text},
    to_proto,
};

pub(crate) async fn prepare(
    params: CallHierarchyPrepareParams,
    documents: Shared,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    ask(text_document.uri, move |target| {
        let (checked, offset) = (target.document.checked(), target.offset(position));
        let named = checked.prepare_rename(offset).ok().filter(|named| named.text.starts_with('@'))?;
        let home = match named.imported {
            true => Url::parse(&checked.definition_elsewhere(offset)?.0.name).ok()?,
            false => target.url.clone(),
        };
        let text = documents.text_at(&target.snapshot, &home)?;
        let function = text.1.checked().callable(Some(&named.text))?;
        Some(vec![item(&text, &function, target.unit)])
    })
    .await
}

pub(crate) async fn incoming(
    params: CallHierarchyIncomingCallsParams,
    documents: Shared,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    ask_all(move |snapshot, cancelled| {
        let function = function_of(&params.item)?;
        let texts = documents.sharing(snapshot, (&params.item.uri, function), cancelled);
        Some(texts.iter().flat_map(|text| callers(text, function, snapshot.unit)).collect())
    })
    .await
}

pub(crate) async fn outgoing(
    params: CallHierarchyOutgoingCallsParams,
    documents: Shared,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    ask_all(move |snapshot, _| {
        let text = documents.text_at(snapshot, &params.item.uri).filter(|(_, document)| document.room().is_ok())?;
        let called = text.1.checked().called(function_of(&params.item));
        let call = |(name, places): (String, Vec<_>)| {
            let home = defining(&text, &name, &documents, snapshot)?;
            let to = item(&home, &home.1.checked().callable(Some(&name))?, snapshot.unit);
            let from_ranges =
                places.iter().map(|place| to_proto::range(&text.1.source, *place, snapshot.unit)).collect();
            Some(CallHierarchyOutgoingCall { to, from_ranges })
        };
        Some(called.into_iter().filter_map(call).collect())
    })
    .await
}

/// The name of a function; an item for a whole text has none.
fn function_of(item: &CallHierarchyItem) -> Option<&str> {
    Some(item.name.as_str()).filter(|name| name.starts_with('@'))
}

/// The text that defines what another calls: itself, or one that it uses, the last first.
fn defining(text: &Text, name: &str, documents: &Shared, snapshot: &Snapshot) -> Option<Text> {
    let checked = text.1.checked();
    if checked.callable(Some(name)).is_some() {
        return Some(text.clone());
    }
    let used = checked.uses().into_iter().rev().filter_map(|name| Url::parse(name).ok());
    let mut used = used.filter_map(|url| documents.text_at(snapshot, &url));
    used.find(|(_, document)| document.checked().callable(Some(name)).is_some())
}

fn callers(text: &Text, function: &str, unit: ColumnUnit) -> Vec<CallHierarchyIncomingCall> {
    let callers = text.1.checked().callers(function).into_iter();
    let call = callers.map(|calls| CallHierarchyIncomingCall {
        from: item(text, &calls.of, unit),
        from_ranges: calls.places.iter().map(|place| to_proto::range(&text.1.source, *place, unit)).collect(),
    });
    call.collect()
}

fn item((url, document): &Text, callable: &Callable, unit: ColumnUnit) -> CallHierarchyItem {
    let file = || url.path_segments().and_then(Iterator::last).unwrap_or_default().to_string();
    CallHierarchyItem {
        name: callable.name.clone().unwrap_or_else(file),
        kind: if callable.name.is_some() { SymbolKind::FUNCTION } else { SymbolKind::FILE },
        tags: None,
        detail: None,
        uri: url.clone(),
        range: to_proto::range(&document.source, callable.span, unit),
        selection_range: to_proto::range(&document.source, callable.selection, unit),
        data: None,
    }
}

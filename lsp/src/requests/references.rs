//! `textDocument/references`: in the document, or, for what several files share, in all of them.

use nnz_core::ide::names::{Access, Named, Place};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{OpenDocument, ask_long},
    store::Shared,
    to_proto,
};

pub(crate) async fn answer(params: ReferenceParams, documents: Shared) -> Result<Option<Vec<Location>>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let declaration = params.context.include_declaration;
    ask_long(text_document.uri, move |target| {
        let (checked, offset) = (target.document.checked(), target.offset(position));
        let Ok(named) = checked.prepare_rename(offset) else {
            let spans = checked.references(offset, declaration);
            return Some(spans.into_iter().map(|span| target.location(span)).collect());
        };
        let wanted = named.places.iter().filter(|place| declaration || place.access == Access::Read);
        let mut found: Vec<Location> = wanted.map(|place| target.location(place.span)).collect();
        found.extend(elsewhere(target, &named, (offset, declaration), &documents).unwrap_or_default());
        Some(found)
    })
    .await
}

/// In other texts.
fn elsewhere(
    target: &OpenDocument,
    named: &Named,
    (offset, declaration): (usize, bool),
    documents: &Shared,
) -> Option<Vec<Location>> {
    let checked = target.document.checked();
    if !named.is_shared() {
        return None;
    }
    let home = match named.imported {
        true => Url::parse(&checked.definition_elsewhere(offset)?.0.name).ok()?,
        false => target.url.clone(),
    };
    let texts = documents.sharing(&target.snapshot, (&home, &named.text), &|| target.is_cancelled());
    let mut found = Vec::new();
    for (url, document) in texts.iter().filter(|(url, _)| *url != target.url) {
        let places = document.checked().shared(&named.text).map(|named| named.places).unwrap_or_default();
        let wanted = places.iter().filter(|place| declaration || place.access == Access::Read);
        let range = |place: &Place| to_proto::range(&document.source, place.span, target.unit);
        found.extend(wanted.map(|place| Location::new(url.clone(), range(place))));
    }
    Some(found)
}

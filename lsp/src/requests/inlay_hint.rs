//! `textDocument/inlayHint`, of the kinds that the settings allow.

use nnz_core::ide::inlay;
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{OpenDocument, ask_long},
    workspace::bit,
};

pub(crate) async fn answer(params: InlayHintParams, wanted: u8) -> Result<Option<Vec<InlayHint>>> {
    ask_long(params.text_document.uri, move |target| {
        let range = target.offset(params.range.start)..target.offset(params.range.end);
        let is_wanted = |kind: inlay::HintKind| wanted & bit(kind) != 0;
        let found = target.document.checked().inlay_hints(range, &is_wanted, &|| target.is_cancelled());
        Some(found.iter().map(|hint| converted(target, hint)).collect())
    })
    .await
}

fn converted(target: &OpenDocument, hint: &inlay::InlayHint) -> InlayHint {
    let at = nnz_core::source::Span { start: hint.offset, end: hint.offset };
    InlayHint {
        position: target.range(at).start,
        label: InlayHintLabel::String(hint.text.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.tooltip.clone())),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`.

use nnz_core::{
    diagnostic::Edit,
    ide::formatting::{Part, Style},
};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    ask::{OpenDocument, ask},
    to_proto,
};

/// What is typed where something may be finished: the end of a line, and of an encoding or a trait.
pub(crate) fn typed_options() -> DocumentOnTypeFormattingOptions {
    let more = vec!["}".to_string()];
    DocumentOnTypeFormattingOptions { first_trigger_character: "\n".to_string(), more_trigger_character: Some(more) }
}

/// `wanted`: the user has not switched formatting off.
pub(crate) async fn whole(params: DocumentFormattingParams, wanted: bool) -> Result<Option<Vec<TextEdit>>> {
    let style = style(&params.options);
    ask(params.text_document.uri, move |target| wanted.then(|| edits(target, style, &Part::Whole))).await
}

pub(crate) async fn range(params: DocumentRangeFormattingParams, wanted: bool) -> Result<Option<Vec<TextEdit>>> {
    let (style, range) = (style(&params.options), params.range);
    ask(params.text_document.uri, move |target| {
        let (start, end) = (target.offset(range.start), target.offset(range.end));
        wanted.then(|| edits(target, style, &Part::Range(start..end.max(start))))
    })
    .await
}

pub(crate) async fn typed(params: DocumentOnTypeFormattingParams, wanted: bool) -> Result<Option<Vec<TextEdit>>> {
    let (style, place) = (style(&params.options), params.text_document_position);
    let answer =
        move |target: &OpenDocument| wanted.then(|| edits(target, style, &Part::Typed(target.offset(place.position))));
    ask(place.text_document.uri, answer).await
}

/// An editor may send any number.
fn style(options: &FormattingOptions) -> Style {
    const DEEPEST: u32 = 16;
    Style { step: options.tab_size.clamp(1, DEEPEST) as usize, tabs: !options.insert_spaces }
}

fn edits(target: &OpenDocument, style: Style, part: &Part) -> Vec<TextEdit> {
    let formatted = target.document.checked().formatting(style, part, &|| target.is_cancelled());
    let edit = |edit: &Edit| to_proto::text_edit(&target.document.source, edit, target.unit);
    formatted.edits.iter().map(edit).collect()
}

//! `textDocument/foldingRange`, by whole lines.

use nnz_core::ide::folding::{Fold, FoldKind};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::ask_long;

pub(crate) async fn answer(params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
    ask_long(params.text_document.uri, |target| Some(target.document.checked().folds().iter().map(range).collect()))
        .await
}

fn range(fold: &Fold) -> FoldingRange {
    let kind = match fold.kind {
        FoldKind::Code => None,
        FoldKind::Comment => Some(FoldingRangeKind::Comment),
        FoldKind::Files => Some(FoldingRangeKind::Imports),
        FoldKind::Section => Some(FoldingRangeKind::Region),
    };
    FoldingRange { start_line: fold.first, end_line: fold.last, kind, ..FoldingRange::default() }
}

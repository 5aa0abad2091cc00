//! `textDocument/codeLens`: the views of each kernel. A lens is a command of the client's, so only clients that have it get
//! lenses.

use nnz_core::ide::{code_lens::LENSES, kernels::KernelPlace};
use serde_json::json;
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    abilities::{Abilities, OPEN_VIEW},
    address::{encoded, spelled},
    ask::{OpenDocument, ask},
};

pub(crate) async fn answer(params: CodeLensParams, abilities: Abilities) -> Result<Option<Vec<CodeLens>>> {
    if !abilities.opens_views {
        return Ok(None);
    }
    ask(params.text_document.uri, |target| {
        let kernels = target.document.checked().kernels();
        let source = encoded(target.url.as_str());
        Some(kernels.iter().take_while(|_| !target.is_cancelled()).flat_map(|it| lenses(target, &source, it)).collect())
    })
    .await
}

/// Those over one kernel; `source` is the encoded address of its text.
fn lenses(target: &OpenDocument, source: &str, kernel: &KernelPlace) -> impl Iterator<Item = CodeLens> {
    let range = target.range(kernel.selection);
    LENSES.iter().map(move |(title, view)| {
        let argument = json!({ "uri": spelled(source, &kernel.name, *view) });
        let command = Command::new(title.to_string(), OPEN_VIEW.to_string(), Some(vec![argument]));
        CodeLens { range, command: Some(command), data: None }
    })
}

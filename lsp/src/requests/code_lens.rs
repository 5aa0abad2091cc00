//! `textDocument/codeLens`: the views and the runs of each kernel.

use nnz_core::ide::{
    code_lens::{Act, LENSES},
    kernels::KernelPlace,
};
use serde_json::{Value, json};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    address::{encoded, spelled},
    ask::{OpenDocument, ask},
};

pub(crate) async fn answer(params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
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
    LENSES.iter().map(move |(title, act)| {
        let (command, argument) = command(target, source, (kernel, *act));
        let command = Command::new(title.to_string(), command.to_string(), Some(vec![argument]));
        CodeLens { range, command: Some(command), data: None }
    })
}

fn command(target: &OpenDocument, source: &str, (kernel, act): (&KernelPlace, Act)) -> (&'static str, Value) {
    match act {
        Act::Open(view) => ("nnz.openView", json!({ "uri": spelled(source, &kernel.name, view) })),
        Act::Execute(action) => {
            ("nnz.execute", json!({ "uri": target.url, "kernel": kernel.name, "action": action.name() }))
        }
    }
}

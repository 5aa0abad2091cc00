//! `textDocument/codeLens`: the views and the runs of each kernel.

use nnz_core::ide::code_lens::{self, Act};
use serde_json::{Value, json};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    address::Address,
    ask::{OpenDocument, ask},
};

pub(crate) async fn answer(params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    ask(params.text_document.uri, |target| {
        let lenses = target.document.checked().code_lenses();
        Some(lenses.iter().map(|lens| converted(target, lens)).collect())
    })
    .await
}

fn converted(target: &OpenDocument, lens: &code_lens::CodeLens) -> CodeLens {
    let (command, argument) = match lens.act {
        Act::Open(view) => {
            let address = Address { source: target.url.clone(), kernel: lens.kernel.clone(), view };
            ("nnz.openView", json!({ "uri": address.url() }))
        }
        Act::Execute(action) => ("nnz.execute", executed(&target.url, &lens.kernel, action.name())),
    };
    let command = Command::new(lens.title.to_string(), command.to_string(), Some(vec![argument]));
    CodeLens { range: target.range(lens.span), command: Some(command), data: None }
}

fn executed(uri: &Url, kernel: &str, action: &str) -> Value {
    json!({ "uri": uri, "kernel": kernel, "action": action })
}

//! `textDocument/codeLens`: what can be done with each kernel, and its views. A lens is a command of the client's, so only
//! clients that have it get lenses.

use nnz_core::ide::{code_lens::LENSES, execution::Executable, kernels::KernelPlace};
use serde_json::json;
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::{
    abilities::{Abilities, EXECUTE, OPEN_STORAGE, OPEN_VIEW},
    address::{encoded, spelled},
    ask::{OpenDocument, ask_long},
};

pub(crate) async fn answer(params: CodeLensParams, abilities: Abilities) -> Result<Option<Vec<CodeLens>>> {
    if !abilities.opens_views && !abilities.executes && !abilities.opens_storage {
        return Ok(None);
    }
    ask_long(params.text_document.uri, move |target| {
        let checked = target.document.checked();
        let executables = if abilities.executes { checked.executables() } else { Vec::new() };
        let kernels = if abilities.opens_views { checked.kernels() } else { Vec::new() };
        let stored = if abilities.opens_storage { checked.executables() } else { Vec::new() };
        let source = encoded(target.url.as_str());
        let actions = executables.iter().flat_map(|it| actions(target, it));
        let views = kernels.iter().take_while(|_| !target.is_cancelled()).flat_map(|it| lenses(target, &source, it));
        let panels = stored.iter().filter(|it| it.actions.len() > 1).map(|it| panel(target, it));
        Some(actions.chain(panels).chain(views).collect())
    })
    .await
}

/// What can be done with one.
fn actions(target: &OpenDocument, executable: &Executable) -> impl Iterator<Item = CodeLens> {
    let range = target.range(executable.place);
    executable.actions.iter().map(move |action| {
        let argument = json!({ "uri": target.url, "kernel": executable.name, "action": action.name() });
        let command = Command::new(action.title().to_string(), EXECUTE.to_string(), Some(vec![argument]));
        CodeLens { range, command: Some(command), data: None }
    })
}

/// The storage panel of a kernel of a session.
fn panel(target: &OpenDocument, executable: &Executable) -> CodeLens {
    let range = target.range(executable.place);
    let argument = json!({ "uri": target.url, "position": range.start });
    let command = Command::new("Storage".to_string(), OPEN_STORAGE.to_string(), Some(vec![argument]));
    CodeLens { range, command: Some(command), data: None }
}

/// The views of one kernel; `source` is the encoded address of its text.
fn lenses(target: &OpenDocument, source: &str, kernel: &KernelPlace) -> impl Iterator<Item = CodeLens> {
    let range = target.range(kernel.selection);
    LENSES.iter().map(move |(title, view)| {
        let argument = json!({ "uri": spelled(source, &kernel.name, *view) });
        let command = Command::new(title.to_string(), OPEN_VIEW.to_string(), Some(vec![argument]));
        CodeLens { range, command: Some(command), data: None }
    })
}

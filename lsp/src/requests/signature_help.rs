//! `textDocument/signatureHelp`.

use nnz_core::ide::signature::{Parameter, Signature};
use tower_lsp::{jsonrpc::Result, lsp_types::*};

use crate::ask::ask;

pub(crate) fn options() -> SignatureHelpOptions {
    let characters = |all: [&str; 2]| Some(all.map(String::from).to_vec());
    SignatureHelpOptions { trigger_characters: characters(["(", ","]), ..SignatureHelpOptions::default() }
}

pub(crate) async fn answer(params: SignatureHelpParams, offsets: bool) -> Result<Option<SignatureHelp>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    ask(text_document.uri, move |target| {
        let found = target.document.checked().signatures(target.offset(position));
        let likeliest = found.iter().position(|signature| signature.active.is_some()).unwrap_or(0);
        let active = found.get(likeliest)?.active;
        Some(SignatureHelp {
            signatures: found.iter().map(|signature| information(signature, offsets)).collect(),
            active_signature: u32::try_from(likeliest).ok(),
            // Behind the last one: none of them.
            active_parameter: active.or(found.get(likeliest).map(|one| one.parameters.len())).map(|at| at as u32),
        })
    })
    .await
}

fn information(signature: &Signature, offsets: bool) -> SignatureInformation {
    let parameters = signature.parameters.iter().map(|parameter| self::parameter(signature, parameter, offsets));
    SignatureInformation {
        label: signature.label.clone(),
        documentation: documentation(&signature.text),
        parameters: Some(parameters.collect()),
        active_parameter: None,
    }
}

/// Places in a label are in UTF-16, whatever the columns of documents are.
fn parameter(signature: &Signature, parameter: &Parameter, offsets: bool) -> ParameterInformation {
    let text = |bytes: std::ops::Range<usize>| signature.label.get(bytes).unwrap_or_default();
    let units = |end: usize| text(0..end).encode_utf16().count() as u32;
    let label = match offsets {
        true => ParameterLabel::LabelOffsets([units(parameter.range.start), units(parameter.range.end)]),
        false => ParameterLabel::Simple(text(parameter.range.clone()).to_string()),
    };
    ParameterInformation { label, documentation: documentation(&parameter.text) }
}

fn documentation(text: &str) -> Option<Documentation> {
    (!text.is_empty()).then(|| Documentation::String(text.to_string()))
}

//! `textDocument/diagnostic`: the diagnostics for clients that ask for them (LSP 3.17); other clients have them
//! published.

use std::hash::{DefaultHasher, Hash, Hasher};

use tower_lsp::{
    jsonrpc::{Error, Result},
    lsp_types::*,
};

use crate::{ask::ask_all, found::reported};

pub(crate) fn options() -> DiagnosticServerCapabilities {
    DiagnosticServerCapabilities::Options(DiagnosticOptions {
        identifier: Some("nnz".to_string()),
        inter_file_dependencies: true,
        workspace_diagnostics: true,
        work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
    })
}

pub(crate) async fn answer(params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
    let url = params.text_document.uri;
    let found = ask_all(move |snapshot, cancelled| match snapshot.document(&url) {
        Some(document) => reported(&url, &document, snapshot, cancelled),
        None => Some(Vec::new()),
    });
    let items = found.await?.ok_or_else(Error::internal_error)?;
    let id = result_id(&items);
    let report: DocumentDiagnosticReport = match params.previous_result_id {
        Some(known) if known == id => RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
        }
        .into(),
        _ => RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
        }
        .into(),
    };
    Ok(report.into())
}

/// Of two answers with the same id the diagnostics are the same.
pub(crate) fn result_id(items: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(items).unwrap_or_default().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

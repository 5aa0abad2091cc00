//! `workspace/diagnostic`: the diagnostics of all texts, open or in the folders of the workspace. Clients ask every few
//! seconds, so texts that are known to be unchanged are not checked again. For files that are not open the server keeps
//! only the id of the answer.

use std::{collections::HashMap, sync::Arc};

use tokio::runtime::Handle;
use tower_lsp::{
    Client,
    jsonrpc::Result,
    lsp_types::{notification::Notification, *},
};

use super::diagnostic::result_id;
use crate::{
    ask::ask_all,
    found::reported,
    store::{Document, Shared, Snapshot},
    work::Shown,
};

/// So many texts make a part of the answer.
const PART: usize = 50;

pub(crate) async fn answer(
    params: WorkspaceDiagnosticParams,
    documents: Shared,
    client: Client,
) -> Result<WorkspaceDiagnosticReportResult> {
    let token = params.work_done_progress_params.work_done_token;
    let shown = token.map(|token| Shown { client: client.clone(), token });
    let answer = Answer {
        runtime: Handle::current(),
        documents,
        known: params.previous_result_ids.into_iter().map(|known| (known.uri, known.value)).collect(),
        partly: params.partial_result_params.partial_result_token.map(|token| (client, token)),
        shown,
    };
    let items = ask_all(move |snapshot, cancelled| answer.items(snapshot, cancelled)).await?;
    Ok(WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items }))
}

struct Answer {
    runtime: Handle,
    documents: Shared,
    /// The ids of the answers that the client has.
    known: HashMap<Url, String>,
    /// Where parts of the answer go, if the client takes such.
    partly: Option<(Client, ProgressToken)>,
    shown: Option<Shown>,
}

impl Answer {
    fn items(&self, snapshot: &Snapshot, cancelled: &dyn Fn() -> bool) -> Vec<WorkspaceDocumentDiagnosticReport> {
        let texts = self.documents.texts(snapshot, cancelled);
        self.tell(|shown| Box::pin(shown.begin(format!("checking {} files", texts.len()), false)));
        let mut items = Vec::new();
        for (done, part) in texts.chunks(PART).enumerate() {
            let open = part.iter().take_while(|_| !cancelled());
            items.extend(open.filter_map(|(url, document)| self.item(url, document, snapshot, cancelled)));
            self.send(&mut items);
            let percentage = ((done * PART + part.len()) * 100 / texts.len().max(1)) as u32;
            self.tell(|shown| Box::pin(shown.report(percentage)));
        }
        self.tell(|shown| Box::pin(shown.end()));
        items
    }

    fn tell<'s>(&'s self, what: impl FnOnce(&'s Shown) -> Sent<'s>) {
        if let Some(shown) = &self.shown {
            self.runtime.block_on(what(shown));
        }
    }

    /// A part of the answer, if the client takes parts.
    fn send(&self, items: &mut Vec<WorkspaceDocumentDiagnosticReport>) {
        if let Some((client, token)) = &self.partly {
            let value = WorkspaceDiagnosticReportPartialResult { items: std::mem::take(items) };
            let part = Part { token: token.clone(), value };
            self.runtime.block_on(client.send_notification::<PartialResult>(part));
        }
    }

    fn item(
        &self,
        url: &Url,
        document: &Arc<Document>,
        snapshot: &Snapshot,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<WorkspaceDocumentDiagnosticReport> {
        let before = self.known.get(url).map(String::as_str);
        let judged = &self.documents.library().judged;
        let is_open = snapshot.document(url).is_some();
        let version = is_open.then(|| i64::from(document.version));
        let text = (&document.source.text, &*snapshot.lints, document.language.name);
        let state = judged.state(text, document.uses());
        if let Some(id) = before.filter(|id| judged.is_known(url, state, id)) {
            return Some(unchanged(url, version, id.to_string()));
        }
        // What checking makes of a file is not kept.
        let renewed = (!is_open).then(|| self.documents.document(url, document.language, 0, document.source.clone()));
        let items = reported(url, renewed.as_ref().unwrap_or(document), snapshot, cancelled)?;
        let id = result_id(&items);
        if cancelled() {
            return None;
        }
        judged.keep(url, state, &id);
        Some(match before {
            Some(before) if before == id => unchanged(url, version, id),
            _ => full(url, version, id, items),
        })
    }
}

fn unchanged(url: &Url, version: Option<i64>, result_id: String) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
        uri: url.clone(),
        version,
        unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
    })
}

fn full(url: &Url, version: Option<i64>, id: String, items: Vec<Diagnostic>) -> WorkspaceDocumentDiagnosticReport {
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri: url.clone(),
        version,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
    })
}

type Sent<'s> = std::pin::Pin<Box<dyn Future<Output = ()> + Send + 's>>;

/// `$/progress` with a part of an answer, which lsp-types knows only with the progress of work.
enum PartialResult {}

#[derive(serde::Deserialize, serde::Serialize)]
struct Part {
    token: ProgressToken,
    value: WorkspaceDiagnosticReportPartialResult,
}

impl Notification for PartialResult {
    type Params = Part;
    const METHOD: &'static str = "$/progress";
}

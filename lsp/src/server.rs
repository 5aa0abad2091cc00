//! The requests: each takes its snapshot, asks the core off the transport's thread, translates.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use nnz_core::{
    ide::actions::{actions, safe_edits},
    languages::{Answers, LANGUAGES},
    source::ColumnUnit,
};
use serde_json::json;
use tower_lsp::{Client, LanguageServer, jsonrpc, jsonrpc::Result, lsp_types::*};

use crate::{
    from_proto,
    front::snapshot,
    library::Workspace,
    publish::Publisher,
    store::{Document, Shared},
    to_proto,
};

pub(crate) struct Backend {
    client: Client,
    documents: Shared,
    publisher: Publisher,
    /// The client shows hovers as plain text only.
    plain_hovers: AtomicBool,
    /// The client tells of changed files whoever asks for that.
    watches_files: AtomicBool,
}

/// A document, with the data to translate places in it.
struct OpenDocument {
    url: Url,
    document: Arc<Document>,
    unit: ColumnUnit,
    cancelled: Arc<AtomicBool>,
}

/// Lives as long as the client waits for an answer: tower-lsp drops the future of a cancelled request.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl OpenDocument {
    fn new(url: Url) -> Option<OpenDocument> {
        let snapshot = snapshot();
        Some(OpenDocument { document: snapshot.document(&url)?, url, unit: snapshot.unit, cancelled: Arc::default() })
    }
    fn offset(&self, position: Position) -> usize {
        from_proto::offset(&self.document.source, position, self.unit)
    }
    /// The client no longer waits for the answer.
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
    fn location(&self, span: nnz_core::source::Span) -> Location {
        Location::new(self.url.clone(), to_proto::range(&self.document.source, span, self.unit))
    }
}

/// Runs `answer` on the document at `url` on a worker thread; `None` if it is not open, or if there is no room to
/// check it, which its diagnostics report.
async fn ask<T: Send + 'static>(
    url: Url,
    answer: impl FnOnce(&OpenDocument) -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    let Some(target) = OpenDocument::new(url) else { return Ok(None) };
    let _waiting = Waiting(target.cancelled.clone());
    let compute = move || match target.is_cancelled() || target.document.room().is_err() {
        true => None,
        false => answer(&target),
    };
    let answered = tokio::task::spawn_blocking(compute).await;
    answered.map_err(|error| {
        eprintln!("nnz lsp: a request failed: {error}");
        jsonrpc::Error::internal_error()
    })
}

/// As [`ask`], for answers that are just a look-up: if the document has been checked, they are computed at
/// once, which saves the way to another thread and back.
async fn look_up<T: Send + 'static>(
    url: Url,
    answer: impl FnOnce(&OpenDocument) -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    match OpenDocument::new(url.clone()) {
        Some(target) if target.document.is_checked() => Ok(answer(&target)),
        _ => ask(url, answer).await,
    }
}

impl Backend {
    pub(crate) fn new(client: Client, documents: Shared, publisher: Publisher) -> Self {
        let (plain_hovers, watches_files) = Default::default();
        Self { client, documents, publisher, plain_hovers, watches_files }
    }

    /// Checks a document again, and those that use it.
    fn changed(&self, url: Url) {
        self.check_users(Some(&url));
        self.publisher.changed(url);
    }

    /// Checks again the documents that use a file, or any file.
    fn check_users(&self, of: Option<&Url>) {
        self.documents.renew_users(of).into_iter().for_each(|user| self.publisher.changed(user));
    }

    /// Answers after the given number of milliseconds. Only with the test hooks.
    pub(crate) async fn test_sleep(&self, (milliseconds,): (u64,)) -> Result<u64> {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        Ok(milliseconds)
    }

    /// Answers when the client has answered a request of ours. Only with the test hooks.
    pub(crate) async fn test_ask_client(&self) -> Result<usize> {
        self.client.configuration(vec![ConfigurationItem { scope_uri: None, section: None }]).await.map(|v| v.len())
    }
}

fn column_unit(capabilities: &ClientCapabilities) -> ColumnUnit {
    let listed = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let utf8 = listed.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
    if utf8 { ColumnUnit::Utf8 } else { ColumnUnit::Utf16 }
}

/// Whether a client that asks for `only` these kinds of actions wants one of `kind`: kinds are nested by dots.
fn wants(only: Option<&[CodeActionKind]>, kind: &CodeActionKind, unasked: bool) -> bool {
    let Some(only) = only else { return unasked };
    let holds = |asked: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(asked.as_str());
        asked == &CodeActionKind::EMPTY || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    only.iter().any(holds)
}

/// A client that names its hover formats, and Markdown not among them.
fn wants_plain_hovers(capabilities: &ClientCapabilities) -> bool {
    let hover = capabilities.text_document.as_ref().and_then(|document| document.hover.as_ref());
    let formats = hover.and_then(|hover| hover.content_format.as_ref());
    formats.is_some_and(|formats| !formats.is_empty() && !formats.contains(&MarkupKind::Markdown))
}

/// A client that can be asked to tell of changed files.
fn watches_files(capabilities: &ClientCapabilities) -> bool {
    let workspace = capabilities.workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files);
    workspace.and_then(|watched| watched.dynamic_registration).unwrap_or(false)
}

/// That the client tell of the files which texts can use.
fn watched_files() -> Registration {
    let register_options = json!({ "watchers": [{ "globPattern": LANGUAGES.glob() }] });
    let method = "workspace/didChangeWatchedFiles".to_string();
    Registration { id: method.clone(), method, register_options: Some(register_options) }
}

/// A document is told of when it is opened, changed in part, saved or closed.
fn text_document_sync() -> TextDocumentSyncCapability {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..Default::default()
    }
    .into()
}

fn capabilities(unit: ColumnUnit) -> ServerCapabilities {
    let encoding = match unit {
        ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
        ColumnUnit::Utf16 => PositionEncodingKind::UTF16,
    };
    // Letters ask for completion anyway. A list that opens behind a space, a comma or a bracket stands in the way of
    // whoever goes on to the next line.
    let triggers = [":", "#", "@"].map(String::from);
    let kinds = vec![CodeActionKind::QUICKFIX, to_proto::fix_all_kind()];
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(text_document_sync()),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers.to_vec()),
            ..Default::default()
        }),
        code_action_provider: Some(CodeActionOptions { code_action_kinds: Some(kinds), ..Default::default() }.into()),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: to_proto::token_legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                range: Some(true),
                ..Default::default()
            }
            .into(),
        ),
        ..Default::default()
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let unit = column_unit(&params.capabilities);
        self.documents.set_unit(unit);
        self.documents.set_workspace(Workspace::of(&params));
        self.plain_hovers.store(wants_plain_hovers(&params.capabilities), Ordering::Relaxed);
        self.watches_files.store(watches_files(&params.capabilities), Ordering::Relaxed);
        let version = Some(env!("CARGO_PKG_VERSION").to_string());
        let server_info = Some(ServerInfo { name: "nnz".to_string(), version });
        Ok(InitializeResult { capabilities: capabilities(unit), server_info })
    }

    async fn initialized(&self, _: InitializedParams) {
        if self.watches_files.load(Ordering::Relaxed) {
            let client = self.client.clone();
            tokio::spawn(async move { client.register_capability(vec![watched_files()]).await });
        }
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    // The front has applied these already; what is left is to check and publish.

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.changed(params.text_document.uri);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.documents.workspace().set(&params.settings);
        self.check_users(None);
    }

    /// Other programs write files, too.
    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        params.changes.iter().for_each(|change| self.check_users(Some(&change.uri)));
    }

    /// Where the client watches no files, those that a text uses are looked at again when it is saved.
    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        let url = params.text_document.uri;
        self.documents.renew(&url);
        self.publisher.changed(url);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.changed(params.text_document.uri);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.changed(params.text_document.uri);
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let plain = self.plain_hovers.load(Ordering::Relaxed);
        let markup = if plain { to_proto::Markup::PlainText } else { to_proto::Markup::Markdown };
        ask(text_document.uri, move |target| {
            let hover = target.document.checked().hover(target.offset(position))?;
            Some(to_proto::hover(&target.document.source, &hover, target.unit, markup))
        })
        .await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        look_up(text_document.uri, move |target| {
            let (checked, offset) = (target.document.checked(), target.offset(position));
            let here = checked.definition(offset).map(|span| target.location(span));
            Some(here.or_else(|| location_elsewhere(&*checked, offset, target.unit))?.into())
        })
        .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let declaration = params.context.include_declaration;
        ask(text_document.uri, move |target| {
            let spans = target.document.checked().references(target.offset(position), declaration);
            Some(spans.into_iter().map(|span| target.location(span)).collect())
        })
        .await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        ask(text_document.uri, move |target| {
            let spans = target.document.checked().references(target.offset(position), true);
            let range = |span| to_proto::range(&target.document.source, span, target.unit);
            Some(spans.into_iter().map(|span| DocumentHighlight { range: range(span), kind: None }).collect())
        })
        .await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        ask(params.text_document.uri, |target| {
            let symbols = target.document.checked().symbols();
            let convert = |symbol| to_proto::symbol(&target.document.source, symbol, target.unit);
            Some(DocumentSymbolResponse::Nested(symbols.iter().map(convert).collect()))
        })
        .await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        ask(text_document.uri, move |target| {
            let items = target.document.checked().complete(target.offset(position));
            let convert = |(rank, item)| to_proto::completion(&target.document.source, item, rank, target.unit);
            Some(CompletionResponse::Array(items.iter().enumerate().map(convert).collect()))
        })
        .await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        ask(params.text_document.uri, move |target| {
            let OpenDocument { url, document, unit, .. } = target;
            let (found, source) = (document.found(), &document.source);
            let mut answer = CodeActionResponse::new();
            if wants(params.context.only.as_deref(), &CodeActionKind::QUICKFIX, true) {
                let (start, end) = (target.offset(params.range.start), target.offset(params.range.end));
                let here = actions(&found, start..end.max(start));
                answer.extend(here.iter().map(|action| to_proto::quick_fix(url, source, action, *unit)));
            }
            if wants(params.context.only.as_deref(), &to_proto::fix_all_kind(), false) {
                let safe = safe_edits(&found);
                answer.extend((!safe.is_empty()).then(|| to_proto::fix_all(url, source, &safe, *unit)));
            }
            Some(answer)
        })
        .await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        ask(params.text_document.uri, |target| {
            let source = &target.document.source;
            Some(SemanticTokensResult::Tokens(tokens_in(target, 0..source.text.len())))
        })
        .await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        ask(params.text_document.uri, move |target| {
            let range = target.offset(params.range.start)..target.offset(params.range.end);
            Some(SemanticTokensRangeResult::Tokens(tokens_in(target, range)))
        })
        .await
    }
}

/// In a file that the document uses.
fn location_elsewhere(checked: &dyn Answers, offset: usize, unit: ColumnUnit) -> Option<Location> {
    let (file, span) = checked.definition_elsewhere(offset)?;
    let url = Url::parse(&file.name).ok()?;
    Some(Location::new(url, to_proto::range(file, span, unit)))
}

fn tokens_in(target: &OpenDocument, range: std::ops::Range<usize>) -> SemanticTokens {
    let tokens = target.document.checked().semantic_tokens(range, &|| target.is_cancelled());
    let data = to_proto::semantic_tokens(&target.document.source, &tokens, target.unit);
    SemanticTokens { result_id: None, data }
}

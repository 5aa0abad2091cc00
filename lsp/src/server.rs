//! The methods to which tower-lsp dispatches; each calls its file in `requests`.

use std::time::Duration;

use nnz_core::{languages::LANGUAGES, storage::files::FileKind};
use serde_json::{Value, json};
use tower_lsp::{
    Client, LanguageServer,
    jsonrpc::Result,
    lsp_types::{
        request::{
            GotoDeclarationParams, GotoDeclarationResponse, GotoTypeDefinitionParams, GotoTypeDefinitionResponse,
        },
        *,
    },
};

use crate::{
    abilities::{Abilities, column_unit},
    capabilities::capabilities,
    requests::*,
    settings::Settings,
    store::Shared,
    views::{Content, Views},
    work::Works,
    workspace::Workspace,
};

pub(crate) struct Backend {
    client: Client,
    documents: Shared,
    settings: Settings,
    views: Views,
    works: Works,
    bench: execute::Bench,
    tokens: semantic_tokens::Sent,
}

impl Backend {
    pub(crate) fn new(settings: Settings, views: Views, works: Works) -> Self {
        Self {
            client: settings.client.clone(),
            documents: settings.documents.clone(),
            settings,
            views,
            works,
            bench: <_>::default(),
            tokens: semantic_tokens::Sent::default(),
        }
    }

    fn abilities(&self) -> Abilities {
        self.settings.abilities.get()
    }

    /// Checks a document again, and those that use it.
    fn changed(&self, url: Url) {
        self.check_users(Some(&url));
        self.settings.publisher.changed(url);
    }

    /// Checks again the documents that use a file, or any file.
    fn check_users(&self, of: Option<&Url>) {
        self.documents.renew_users(of).into_iter().for_each(|user| self.settings.publisher.changed(user));
    }

    /// `nnz/textDocumentContent`
    pub(crate) async fn view(&self, params: text_document_content::Params) -> Result<Content> {
        let content = text_document_content::answer(params, self.views.clone()).await?;
        Ok(Content::clone(&content))
    }

    /// `workspace/textDocumentContent` (LSP 3.18)
    pub(crate) async fn text_document_content(&self, params: text_document_content::Params) -> Result<Value> {
        let content = text_document_content::answer(params, self.views.clone()).await?;
        Ok(json!({ "text": content.text }))
    }

    /// `nnz/storage`
    pub(crate) async fn storage(&self, params: storage::Params) -> Result<storage::Content> {
        storage::answer(params, (&self.settings, self.works.clone())).await
    }
    /// `nnz/execute`
    pub(crate) async fn execute(&self, params: execute::Params) -> Result<execute::Report> {
        execute::answer(params, (&self.settings, self.works.clone(), self.bench.clone())).await
    }

    /// `window/workDoneProgress/cancel`
    pub(crate) async fn cancel_work(&self, params: WorkDoneProgressCancelParams) {
        self.works.cancel(&params.token);
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

/// Asks the client to report changes of its settings.
fn watched_settings() -> Registration {
    let method = "workspace/didChangeConfiguration".to_string();
    Registration { id: method.clone(), method, register_options: Some(json!({ "section": "nnz" })) }
}

/// Asks the client to report changes of files that texts can use or read.
fn watched_files() -> Registration {
    let register_options =
        json!({ "watchers": [{ "globPattern": LANGUAGES.glob() }, { "globPattern": FileKind::glob() }] });
    let method = "workspace/didChangeWatchedFiles".to_string();
    Registration { id: method.clone(), method, register_options: Some(register_options) }
}

#[tower_lsp::async_trait]
impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let unit = column_unit(&params.capabilities);
        self.documents.set_workspace(Workspace::of(&params));
        let options = params.initialization_options.as_ref();
        let abilities = self.settings.abilities.set(Abilities::of(&params.capabilities, options));
        self.documents.set_client(unit, abilities.follows_codes);
        self.settings.apply(options.unwrap_or(&Value::Null)).await;
        let version = Some(env!("CARGO_PKG_VERSION").to_string());
        let server_info = Some(ServerInfo { name: "nnz".to_string(), version });
        Ok(InitializeResult { capabilities: capabilities(unit, abilities), server_info })
    }

    async fn initialized(&self, _: InitializedParams) {
        let abilities = self.abilities();
        let files = abilities.watches_files.then(watched_files);
        let registrations: Vec<Registration> =
            files.into_iter().chain(abilities.watches_settings.then(watched_settings)).collect();
        let (client, settings) = (self.client.clone(), self.settings.clone());
        tokio::spawn(async move {
            if !registrations.is_empty() {
                let _ = client.register_capability(registrations).await;
            }
            settings.ask().await;
        });
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    // The front has applied these already; what is left is to check and publish.

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        self.changed(params.text_document.uri);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.settings.apply(&params.settings).await;
        self.settings.check_all();
        let settings = self.settings.clone();
        tokio::spawn(async move { settings.ask().await });
    }

    /// Other programs write files, too.
    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        params.changes.iter().for_each(|change| self.check_users(Some(&change.uri)));
        self.settings.refresh();
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.documents.workspace().change(&params.event);
        self.check_users(None);
        self.settings.refresh();
    }

    /// Where the client watches no files, those that a text uses are looked at again when it is saved.
    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        let url = params.text_document.uri;
        self.documents.renew(&url);
        self.settings.publisher.changed(url);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.changed(params.text_document.uri);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.tokens.forget(&params.text_document.uri);
        self.changed(params.text_document.uri);
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        diagnostic::answer(params).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        workspace_diagnostic::answer(params, self.documents.clone(), self.client.clone()).await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        hover::answer(params, self.abilities()).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        definition::answer(params).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        references::answer(params, self.documents.clone()).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        document_highlight::answer(params).await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        document_symbol::answer(params).await
    }

    async fn goto_declaration(&self, params: GotoDeclarationParams) -> Result<Option<GotoDeclarationResponse>> {
        definition::answer(params).await
    }

    async fn goto_type_definition(
        &self,
        params: GotoTypeDefinitionParams,
    ) -> Result<Option<GotoTypeDefinitionResponse>> {
        type_definition::answer(params).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        document_link::answer(params).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<Vec<SymbolInformation>>> {
        workspace_symbol::answer(params, self.documents.clone()).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        rename::prepare(params).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        rename::answer(params, self.documents.clone(), self.abilities()).await
    }

    async fn linked_editing_range(&self, params: LinkedEditingRangeParams) -> Result<Option<LinkedEditingRanges>> {
        linked_editing_range::answer(params).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        signature_help::answer(params, self.abilities().label_offsets).await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        formatting::whole(params, self.documents.workspace().formats()).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        formatting::range(params, self.documents.workspace().formats()).await
    }

    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        formatting::typed(params, self.documents.workspace().formats()).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        folding_range::answer(params).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        selection::answer(params).await
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        call_hierarchy::prepare(params, self.documents.clone()).await
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        call_hierarchy::incoming(params, self.documents.clone()).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        call_hierarchy::outgoing(params, self.documents.clone()).await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        completion::answer(params, self.abilities()).await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        completion::resolve(item, self.abilities()).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        code_lens::answer(params, self.abilities()).await
    }

    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> {
        code_lens::resolve(lens)
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        execute::command(params, (&self.settings, self.works.clone(), self.bench.clone())).await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        code_action::answer(params, self.abilities()).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        code_action::resolve(action).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        semantic_tokens::full(params, self.tokens.clone()).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        semantic_tokens::delta(params, self.tokens.clone()).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        inlay_hint::answer(params, self.documents.workspace().hints()).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        semantic_tokens::range(params).await
    }
}

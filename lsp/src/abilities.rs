//! The abilities of the client, from its `initialize`.

use std::sync::{Arc, OnceLock};

use nnz_core::{source::ColumnUnit, view::picture::Theme};
use serde_json::Value;
use tower_lsp::lsp_types::*;

/// The client's command that shows a view.
pub(crate) const OPEN_VIEW: &str = "nnz.openView";

/// The command that runs, times or compares a kernel, the client's or else the server's.
pub(crate) const EXECUTE: &str = "nnz.execute";
/// The command of the client that opens the storage panel.
pub(crate) const OPEN_STORAGE: &str = "nnz.openStorage";

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Abilities {
    /// It shows hovers as plain text only.
    pub(crate) plain_hovers: bool,
    /// It shows pictures in hovers, on a ground of this theme.
    pub(crate) pictures: Option<Theme>,
    /// It reports changed files to a server that asks for it.
    pub(crate) watches_files: bool,
    /// It has the command [`OPEN_VIEW`].
    pub(crate) opens_views: bool,
    /// It shows what a code means at the address that [`crate::address::meaning`] makes, where a diagnostic has it.
    pub(crate) follows_codes: bool,
    /// It has the command [`EXECUTE`].
    pub(crate) executes: bool,
    /// Opens the storage panel itself: gets lenses that do.
    pub(crate) opens_storage: bool,
    /// It asks whether a thing can be renamed before it asks for a name.
    pub(crate) prepares_renames: bool,
    /// It takes edits with the versions of the documents.
    pub(crate) versioned_edits: bool,
    /// It takes the places of parameters in a signature.
    pub(crate) label_offsets: bool,
    /// It asks for the edit of a code action once one is chosen.
    pub(crate) resolves_actions: bool,
    /// It asks for inlay hints again on request.
    pub(crate) refreshes_hints: bool,
    /// It fills in the places of a completion.
    pub(crate) snippets: bool,
    /// It shows the documentation of completions as plain text only.
    pub(crate) plain_completions: bool,
    /// It asks for diagnostics (LSP 3.17).
    pub(crate) pulls_diagnostics: bool,
    /// It asks for diagnostics again on request.
    pub(crate) refreshes_diagnostics: bool,
    /// It answers what its settings are.
    pub(crate) answers_settings: bool,
    /// It sends changed settings to a server that registers for them.
    pub(crate) watches_settings: bool,
    /// It shows work that takes long.
    pub(crate) shows_work: bool,
}

/// The abilities, once they are known.
#[derive(Clone, Default)]
pub(crate) struct Agreed(Arc<OnceLock<Abilities>>);

impl Agreed {
    pub(crate) fn get(&self) -> Abilities {
        self.0.get().copied().unwrap_or_default()
    }
    /// Only the first ones count.
    pub(crate) fn set(&self, abilities: Abilities) -> Abilities {
        *self.0.get_or_init(|| abilities)
    }
}

impl Abilities {
    pub(crate) fn of(capabilities: &ClientCapabilities, options: Option<&Value>) -> Abilities {
        Abilities {
            plain_hovers: wants_plain_hovers(capabilities),
            pictures: options.and_then(pictures),
            watches_files: watches_files(capabilities),
            opens_views: has_command(capabilities, OPEN_VIEW),
            follows_codes: follows_codes(capabilities).unwrap_or(false),
            executes: has_command(capabilities, EXECUTE),
            opens_storage: has_command(capabilities, OPEN_STORAGE),
            prepares_renames: prepares_renames(capabilities).unwrap_or(false),
            versioned_edits: versioned_edits(capabilities).unwrap_or(false),
            label_offsets: label_offsets(capabilities).unwrap_or(false),
            resolves_actions: resolves_actions(capabilities).unwrap_or(false),
            refreshes_hints: refreshes_hints(capabilities).unwrap_or(false),
            snippets: completion_item(capabilities).and_then(|item| item.snippet_support).unwrap_or(false),
            plain_completions: !takes_markdown(completion_item(capabilities)),
            pulls_diagnostics: capabilities.text_document.as_ref().is_some_and(|of| of.diagnostic.is_some()),
            refreshes_diagnostics: refreshes_diagnostics(capabilities).unwrap_or(false),
            answers_settings: capabilities.workspace.as_ref().and_then(|of| of.configuration).unwrap_or(false),
            watches_settings: watches_settings(capabilities).unwrap_or(false),
            shows_work: capabilities.window.as_ref().and_then(|of| of.work_done_progress).unwrap_or(false),
        }
    }
}

fn prepares_renames(capabilities: &ClientCapabilities) -> Option<bool> {
    capabilities.text_document.as_ref()?.rename.as_ref()?.prepare_support
}

/// A client that shows views, and links of diagnostics.
fn follows_codes(capabilities: &ClientCapabilities) -> Option<bool> {
    let links = capabilities.text_document.as_ref()?.publish_diagnostics.as_ref()?.code_description_support?;
    Some(links && has_command(capabilities, OPEN_VIEW))
}

fn versioned_edits(capabilities: &ClientCapabilities) -> Option<bool> {
    capabilities.workspace.as_ref()?.workspace_edit.as_ref()?.document_changes
}

fn label_offsets(capabilities: &ClientCapabilities) -> Option<bool> {
    let help = capabilities.text_document.as_ref()?.signature_help.as_ref()?;
    help.signature_information.as_ref()?.parameter_information.as_ref()?.label_offset_support
}

fn resolves_actions(capabilities: &ClientCapabilities) -> Option<bool> {
    let actions = capabilities.text_document.as_ref()?.code_action.as_ref()?;
    let edits = actions.resolve_support.as_ref()?.properties.iter().any(|property| property == "edit");
    Some(edits && actions.data_support?)
}

fn refreshes_hints(capabilities: &ClientCapabilities) -> Option<bool> {
    capabilities.workspace.as_ref()?.inlay_hint.as_ref()?.refresh_support
}

fn completion_item(capabilities: &ClientCapabilities) -> Option<&CompletionItemCapability> {
    capabilities.text_document.as_ref()?.completion.as_ref()?.completion_item.as_ref()
}

/// A client that names Markdown among the formats of completions, or no format.
fn takes_markdown(item: Option<&CompletionItemCapability>) -> bool {
    let formats = item.and_then(|item| item.documentation_format.as_ref());
    formats.is_none_or(|formats| formats.contains(&MarkupKind::Markdown))
}

fn refreshes_diagnostics(capabilities: &ClientCapabilities) -> Option<bool> {
    capabilities.workspace.as_ref()?.diagnostic.as_ref()?.refresh_support
}

fn watches_settings(capabilities: &ClientCapabilities) -> Option<bool> {
    capabilities.workspace.as_ref()?.did_change_configuration?.dynamic_registration
}

/// The unit of columns: bytes if the client offers them, since then neither side has to count.
pub(crate) fn column_unit(capabilities: &ClientCapabilities) -> ColumnUnit {
    let listed = capabilities.general.as_ref().and_then(|general| general.position_encodings.as_ref());
    let utf8 = listed.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
    if utf8 { ColumnUnit::Utf8 } else { ColumnUnit::Utf16 }
}

/// A client that names its hover formats, and Markdown not among them.
fn wants_plain_hovers(capabilities: &ClientCapabilities) -> bool {
    let hover = capabilities.text_document.as_ref().and_then(|document| document.hover.as_ref());
    let formats = hover.and_then(|hover| hover.content_format.as_ref());
    formats.is_some_and(|formats| !formats.is_empty() && !formats.contains(&MarkupKind::Markdown))
}

/// A client that names a command of nnz among its own, as `experimental: {"nnz": {"commands": ["nnz.openView"]}}`.
fn has_command(capabilities: &ClientCapabilities, command: &str) -> bool {
    let commands = capabilities.experimental.as_ref().and_then(|experimental| experimental.pointer("/nnz/commands"));
    commands.and_then(Value::as_array).is_some_and(|commands| commands.iter().any(|name| name == command))
}

/// A client that asks for pictures: `{ "nnz": { "hover": { "pictures": true, "theme": "dark" } } }`, or without the `nnz`.
fn pictures(options: &Value) -> Option<Theme> {
    let hover = options.pointer("/nnz/hover").or_else(|| options.get("hover"))?;
    hover.get("pictures")?.as_bool().filter(|wants| *wants)?;
    Some(match hover.get("theme").and_then(Value::as_str) {
        Some("dark") => Theme::Dark,
        Some("light") => Theme::Light,
        Some(_) | None => Theme::Any,
    })
}

/// A client that can be asked to report changed files.
fn watches_files(capabilities: &ClientCapabilities) -> bool {
    let workspace = capabilities.workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files);
    workspace.and_then(|watched| watched.dynamic_registration).unwrap_or(false)
}

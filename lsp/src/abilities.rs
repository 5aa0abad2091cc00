//! What the client can do, as its `initialize` says.

use nnz_core::source::ColumnUnit;
use serde_json::Value;
use tower_lsp::lsp_types::*;

/// The client's command that shows a view.
pub(crate) const OPEN_VIEW: &str = "nnz.openView";

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Abilities {
    /// It shows hovers as plain text only.
    pub(crate) plain_hovers: bool,
    /// It reports changed files to a server that asks for it.
    pub(crate) watches_files: bool,
    /// It has the command [`OPEN_VIEW`].
    pub(crate) opens_views: bool,
}

impl Abilities {
    pub(crate) fn of(capabilities: &ClientCapabilities) -> Abilities {
        Abilities {
            plain_hovers: wants_plain_hovers(capabilities),
            watches_files: watches_files(capabilities),
            opens_views: has_command(capabilities, OPEN_VIEW),
        }
    }
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

/// A client that can be asked to tell of changed files.
fn watches_files(capabilities: &ClientCapabilities) -> bool {
    let workspace = capabilities.workspace.as_ref().and_then(|workspace| workspace.did_change_watched_files);
    workspace.and_then(|watched| watched.dynamic_registration).unwrap_or(false)
}

//! From the core's types to the protocol's.

use std::collections::HashMap;

use nnz_core::{
    diagnostic::{self, Applicability, Severity},
    ide,
    source::{ColumnUnit, LineCol, Source, Span},
    view::picture::Theme,
};
use tower_lsp::lsp_types as lsp;

use crate::abilities::Abilities;

pub(crate) fn position(at: LineCol) -> lsp::Position {
    lsp::Position::new(at.line, at.column)
}

pub(crate) fn range(source: &Source, span: Span, unit: ColumnUnit) -> lsp::Range {
    let place = |offset: u32| position(source.lines.line_col(&source.text, offset as usize, unit));
    lsp::Range::new(place(span.start), place(span.end))
}

pub(crate) fn diagnostic(
    url: &lsp::Url,
    source: &Source,
    diagnostic: &diagnostic::Diagnostic,
    unit: ColumnUnit,
) -> lsp::Diagnostic {
    let related = |label: &diagnostic::Label| lsp::DiagnosticRelatedInformation {
        location: lsp::Location::new(url.clone(), range(source, label.span, unit)),
        message: label.message.clone(),
    };
    let elsewhere = diagnostic.elsewhere.iter().filter_map(|place| related_elsewhere(place, unit));
    let related = diagnostic.secondary.iter().map(related).chain(elsewhere).collect();
    lsp::Diagnostic {
        range: range(source, diagnostic.primary.span, unit),
        severity: Some(severity(diagnostic.severity())),
        tags: diagnostic.code.tag().map(|tag| vec![self::tag(tag)]),
        code: Some(lsp::NumberOrString::String(diagnostic.code.text().to_string())),
        source: Some("nnz".to_string()),
        message: whole_message(diagnostic),
        related_information: Some(related),
        ..Default::default()
    }
}

/// A place in another text, whose name is an address where an editor asked for it.
fn related_elsewhere(place: &diagnostic::Elsewhere, unit: ColumnUnit) -> Option<lsp::DiagnosticRelatedInformation> {
    let url = lsp::Url::parse(&place.source.name).ok()?;
    let location = lsp::Location::new(url, range(&place.source, place.span, unit));
    Some(lsp::DiagnosticRelatedInformation { location, message: place.message.clone() })
}

fn tag(tag: diagnostic::Tag) -> lsp::DiagnosticTag {
    match tag {
        diagnostic::Tag::Unused => lsp::DiagnosticTag::UNNECESSARY,
        diagnostic::Tag::Deprecated => lsp::DiagnosticTag::DEPRECATED,
    }
}

/// The diagnostic in place of `count` unpublished ones, at the first of them, which is one of the most severe.
pub(crate) fn rest(source: &Source, first: &diagnostic::Diagnostic, count: usize, unit: ColumnUnit) -> lsp::Diagnostic {
    lsp::Diagnostic {
        range: range(source, first.primary.span, unit),
        severity: Some(severity(first.severity())),
        source: Some("nnz".to_string()),
        message: format!("{count} more are found in this file\nhelp: `nnz check` lists all"),
        ..Default::default()
    }
}

fn severity(severity: Severity) -> lsp::DiagnosticSeverity {
    match severity {
        Severity::Error => lsp::DiagnosticSeverity::ERROR,
        Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        Severity::Information => lsp::DiagnosticSeverity::INFORMATION,
        Severity::Hint => lsp::DiagnosticSeverity::HINT,
    }
}

/// The protocol has no field for labels, notes and helps: they follow the message, a line each.
fn whole_message(diagnostic: &diagnostic::Diagnostic) -> String {
    let mut lines = vec![diagnostic.message.clone(), diagnostic.reason().to_string()];
    lines.extend(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(diagnostic.helps.iter().map(|help| format!("help: {help}")));
    lines.join("\n")
}

pub(crate) fn quick_fix(
    url: &lsp::Url,
    source: &Source,
    action: &ide::actions::Action<'_>,
    unit: ColumnUnit,
) -> lsp::CodeActionOrCommand {
    let edits = action.fix.edits.iter().map(|edit| text_edit(source, edit, unit)).collect();
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: action.fix.title.clone(),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(url, source, action.diagnostic, unit)]),
        edit: Some(workspace_edit(url, edits)),
        is_preferred: Some(action.fix.applicability == Applicability::MachineApplicable),
        ..Default::default()
    })
}

/// A refactoring that mends what a diagnostic reports.
pub(crate) fn mending(
    url: &lsp::Url,
    source: &Source,
    (one, found): (&diagnostic::Diagnostic, &ide::refactor::Refactoring),
    unit: ColumnUnit,
) -> lsp::CodeActionOrCommand {
    let diagnostics = Some(vec![diagnostic(url, source, one, unit)]);
    let kind = Some(lsp::CodeActionKind::QUICKFIX);
    lsp::CodeAction { kind, diagnostics, ..refactoring(url, source, found, unit) }.into()
}

/// The clients' kind of a fix of a whole text, which they may request when a text is saved.
pub(crate) fn fix_all_kind() -> lsp::CodeActionKind {
    lsp::CodeActionKind::new("source.fixAll.nnz")
}

/// Every fix that needs no look, at once.
pub(crate) fn fix_all(
    url: &lsp::Url,
    source: &Source,
    edits: &[diagnostic::Edit],
    unit: ColumnUnit,
) -> lsp::CodeActionOrCommand {
    let edits = edits.iter().map(|edit| text_edit(source, edit, unit)).collect();
    lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
        title: "Write historic and foreign spellings as MLIR does".to_string(),
        kind: Some(fix_all_kind()),
        edit: Some(workspace_edit(url, edits)),
        ..Default::default()
    })
}

pub(crate) fn refactor_kind(kind: ide::refactor::RefactorKind) -> lsp::CodeActionKind {
    match kind {
        ide::refactor::RefactorKind::Rewrite => lsp::CodeActionKind::REFACTOR_REWRITE,
        ide::refactor::RefactorKind::Inline => lsp::CodeActionKind::REFACTOR_INLINE,
        ide::refactor::RefactorKind::Extract => lsp::CodeActionKind::REFACTOR_EXTRACT,
    }
}

pub(crate) fn refactoring(
    url: &lsp::Url,
    source: &Source,
    found: &ide::refactor::Refactoring,
    unit: ColumnUnit,
) -> lsp::CodeAction {
    let edits = found.edits.iter().map(|edit| text_edit(source, edit, unit)).collect();
    lsp::CodeAction {
        title: found.title.clone(),
        kind: Some(refactor_kind(found.kind)),
        edit: Some(workspace_edit(url, edits)),
        ..Default::default()
    }
}

pub(crate) fn text_edit(source: &Source, edit: &diagnostic::Edit, unit: ColumnUnit) -> lsp::TextEdit {
    lsp::TextEdit::new(range(source, edit.span, unit), edit.replacement.clone())
}

fn workspace_edit(url: &lsp::Url, edits: Vec<lsp::TextEdit>) -> lsp::WorkspaceEdit {
    lsp::WorkspaceEdit::new(HashMap::from([(url.clone(), edits)]))
}

/// The format of hovers that a client can show.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    Markdown,
    /// Markdown with pictures.
    Pictures(Theme),
    PlainText,
}

impl Markup {
    pub(crate) fn of(abilities: Abilities) -> Markup {
        match (abilities.plain_hovers, abilities.pictures) {
            (true, _) => Markup::PlainText,
            (false, Some(theme)) => Markup::Pictures(theme),
            (false, None) => Markup::Markdown,
        }
    }
    fn kind(self) -> lsp::MarkupKind {
        match self {
            Markup::Markdown | Markup::Pictures(_) => lsp::MarkupKind::Markdown,
            Markup::PlainText => lsp::MarkupKind::PlainText,
        }
    }
}

pub(crate) fn hover(source: &Source, hover: &ide::hover::Hover, unit: ColumnUnit, markup: Markup) -> lsp::Hover {
    let kind = markup.kind();
    let texts = hover.sections.iter().map(|section| hover_section(section, &kind));
    let sections: Vec<String> = texts.chain(picture(hover, markup)).collect();
    lsp::Hover {
        contents: lsp::HoverContents::Markup(lsp::MarkupContent { kind, value: sections.join("\n\n") }),
        range: Some(range(source, hover.span, unit)),
    }
}

/// The sections as one text.
pub(crate) fn sections(sections: &[ide::hover::Section], plain: bool) -> lsp::MarkupContent {
    let kind = if plain { lsp::MarkupKind::PlainText } else { lsp::MarkupKind::Markdown };
    let texts: Vec<String> = sections.iter().map(|section| hover_section(section, &kind)).collect();
    lsp::MarkupContent { kind, value: texts.join("\n\n") }
}

fn hover_section(section: &ide::hover::Section, kind: &lsp::MarkupKind) -> String {
    let plain = *kind == lsp::MarkupKind::PlainText;
    match section {
        ide::hover::Section::Text(text) if plain => text.replace("**", "").replace('`', ""),
        ide::hover::Section::Text(text) => text.clone(),
        ide::hover::Section::Code(text) if plain => text.clone(),
        ide::hover::Section::Code(text) => format!("```nnz\n{text}\n```"),
    }
}

/// Editors cut hovers of 100,000 characters.
const MOST_PICTURE: usize = 70_000;

/// The picture of a hover, within the text: editors follow no link to one.
fn picture(hover: &ide::hover::Hover, markup: Markup) -> Option<String> {
    let Markup::Pictures(theme) = markup else { return None };
    let (svg, shows) = hover.picture(theme)?;
    let encoded = base64(svg.as_bytes());
    (encoded.len() <= MOST_PICTURE).then(|| format!("{shows}:\n\n![{shows}](data:image/svg+xml;base64,{encoded})"))
}

/// The bytes in base 64 with padding, as in RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |chunk: &[u8]| {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = move |at: usize| DIGITS[(bits >> (18 - 6 * at) & 63) as usize] as char;
        let used = chunk.len() + 1;
        (0..4).map(move |at| if at < used { digit(at) } else { '=' })
    };
    bytes.chunks(3).flat_map(group).collect()
}

pub(crate) fn symbol_kind(kind: ide::symbols::SymbolKind) -> lsp::SymbolKind {
    match kind {
        ide::symbols::SymbolKind::Encoding => lsp::SymbolKind::STRUCT,
        ide::symbols::SymbolKind::Kernel => lsp::SymbolKind::OPERATOR,
        ide::symbols::SymbolKind::File => lsp::SymbolKind::FILE,
        ide::symbols::SymbolKind::Function => lsp::SymbolKind::FUNCTION,
        ide::symbols::SymbolKind::Alias | ide::symbols::SymbolKind::Scalar => lsp::SymbolKind::CONSTANT,
        ide::symbols::SymbolKind::Tensor | ide::symbols::SymbolKind::Value => lsp::SymbolKind::VARIABLE,
    }
}

#[expect(deprecated, reason = "the protocol's type has a deprecated field that must be written")]
pub(crate) fn symbol(source: &Source, symbol: ide::symbols::Symbol, unit: ColumnUnit) -> lsp::DocumentSymbol {
    let child = |child| self::symbol(source, child, unit);
    lsp::DocumentSymbol {
        name: symbol.name,
        detail: Some(symbol.detail).filter(|detail| !detail.is_empty()),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(source, symbol.span, unit),
        selection_range: range(source, symbol.selection, unit),
        children: Some(symbol.children.into_iter().map(child).collect()),
    }
}

/// The item, and the number of its kind. `rank` is its place in the core's list, best first; editors would sort by name.
pub(crate) fn completion(
    source: &Source,
    item: &ide::complete::Completion,
    rank: usize,
    (unit, snippets): (ColumnUnit, bool),
) -> (lsp::CompletionItem, usize) {
    let snippet = item.snippet.as_ref().filter(|_| snippets);
    let text = snippet.map_or_else(|| item.insert.clone(), snippet_text);
    let edit = lsp::TextEdit::new(range(source, item.replace, unit), text);
    let converted = lsp::CompletionItem {
        label: item.label.clone(),
        kind: Some(completion_kind(item.kind)),
        detail: Some(item.detail.clone()),
        sort_text: Some(format!("{rank:04}")),
        filter_text: Some(item.filter.clone()),
        insert_text_format: snippet.map(|_| lsp::InsertTextFormat::SNIPPET),
        text_edit: Some(lsp::CompletionTextEdit::Edit(edit)),
        ..Default::default()
    };
    (converted, ide::complete::CompletionKind::ALL.iter().position(|kind| *kind == item.kind).unwrap_or(usize::MAX))
}

fn completion_kind(kind: ide::complete::CompletionKind) -> lsp::CompletionItemKind {
    use ide::complete::CompletionKind as Kind;
    match kind {
        Kind::Format => lsp::CompletionItemKind::ENUM_MEMBER,
        Kind::Property | Kind::Key => lsp::CompletionItemKind::PROPERTY,
        Kind::Encoding => lsp::CompletionItemKind::STRUCT,
        Kind::Variable => lsp::CompletionItemKind::VARIABLE,
        Kind::Function => lsp::CompletionItemKind::FUNCTION,
        Kind::Operation => lsp::CompletionItemKind::OPERATOR,
        Kind::Command | Kind::Keyword => lsp::CompletionItemKind::KEYWORD,
        Kind::File => lsp::CompletionItemKind::FILE,
        Kind::Folder => lsp::CompletionItemKind::FOLDER,
    }
}

/// As the protocol writes places: `${1:rows}`. The last place without a text is where the cursor stays.
fn snippet_text(snippet: &ide::complete::Snippet) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}");
    let slice = |from: usize, to: usize| escape(snippet.text.get(from..to).unwrap_or_default());
    let (mut text, mut at) = (String::new(), 0);
    for (number, place) in &snippet.stops {
        text.push_str(&slice(at, place.start));
        match place.is_empty() {
            true => text.push_str("$0"),
            false => text.push_str(&format!("${{{}:{}}}", number + 1, slice(place.start, place.end))),
        }
        at = place.end;
    }
    text + &slice(at, snippet.text.len())
}

/// The legend, in the order of `ide::semantic_tokens::TokenType::ALL`.
pub(crate) fn token_legend() -> lsp::SemanticTokensLegend {
    let names = ide::semantic_tokens::TokenType::ALL.iter().map(|kind| lsp::SemanticTokenType::new(kind.name()));
    lsp::SemanticTokensLegend {
        token_types: names.collect(),
        token_modifiers: vec![lsp::SemanticTokenModifier::DECLARATION],
    }
}

/// Each token relative to the one before it (LSP 3.17, `textDocument/semanticTokens`).
pub(crate) fn semantic_tokens(
    source: &Source,
    tokens: &[ide::semantic_tokens::Token],
    unit: ColumnUnit,
) -> Vec<lsp::SemanticToken> {
    let mut place = ColumnCursor { source, unit, offset: 0, at: lsp::Position::new(0, 0) };
    let mut relative = |token: &ide::semantic_tokens::Token| {
        let previous = place.at;
        let start = place.go_to(token.span.start as usize);
        let delta_line = start.line - previous.line;
        let delta_start = if delta_line == 0 { start.character - previous.character } else { start.character };
        lsp::SemanticToken {
            delta_line,
            delta_start,
            length: units(source.slice(token.span), unit),
            token_type: token.kind as u32,
            token_modifiers_bitset: u32::from(token.declaration),
        }
    };
    tokens.iter().map(&mut relative).collect()
}

/// A place that goes forward through a text, so that a long line is not counted again for each of its tokens.
struct ColumnCursor<'s> {
    source: &'s Source,
    unit: ColumnUnit,
    offset: usize,
    at: lsp::Position,
}

impl ColumnCursor<'_> {
    fn go_to(&mut self, offset: usize) -> lsp::Position {
        let between = self.source.text.get(self.offset..offset).unwrap_or_default();
        self.at = match between.rfind(['\n', '\r']) {
            Some(_) => position(self.source.lines.line_col(&self.source.text, offset, self.unit)),
            None => lsp::Position::new(self.at.line, self.at.character + units(between, self.unit)),
        };
        self.offset = offset;
        self.at
    }
}

/// How many columns a piece of a line takes.
fn units(text: &str, unit: ColumnUnit) -> u32 {
    let count = match unit {
        ColumnUnit::Utf8 => text.len(),
        ColumnUnit::Utf16 => text.chars().map(char::len_utf16).sum(),
    };
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_in_base_64() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob?>", "Zm9vYj8+")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}

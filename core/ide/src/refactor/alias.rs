//! An alias in place of an encoding that is written out, and the reverse.

use nnz_base::source::Span;
use nnz_check::{Checked, DefId, DefinitionKind};
use nnz_encoding::named;
use nnz_syntax::{NodeKind, NodeRef, TokenKind, TokenRef};

use super::{RefactorKind, Refactoring, Written, line_start, made};

/// A name for the encoding, defined on a line before the statement, function or module around it.
pub(super) fn extract(checked: &Checked, written: &Written<'_>) -> Option<Refactoring> {
    let node = written.node;
    if node.ancestors().any(|around| around.kind() == NodeKind::AttrAlias) {
        return None;
    }
    let item = node.ancestors().find(|node| node.parent().is_some_and(|it| it.kind() == NodeKind::Root))?;
    if item.first_token()?.kind() == TokenKind::HashId && item.kind() == NodeKind::Definition {
        return None;
    }
    let start = line_start(checked, item.span().start);
    let name = free_name(checked, written);
    let text = node.text();
    let definition = (Span::at(start), format!("{name} = {text}\n"));
    let end = checked.source.text.get(start..)?.find("\n// -----").map_or(usize::MAX, |at| start + at);
    let same = checked.symbols.encodings.iter().map(|site| site.span);
    let same = same.filter(|span| (start..end).contains(&(span.start as usize)) && checked.source.slice(*span) == text);
    let edits = same.map(|span| (span, name.clone())).chain([definition]).collect();
    Some(made(checked, format!("name this encoding {name}"), RefactorKind::Extract, edits))
}

/// `#CSR`, or the same with a number where it is taken.
fn free_name(checked: &Checked, written: &Written<'_>) -> String {
    let known = named::names_of(written.encoding).nnz.unwrap_or_default();
    let word: String = known.chars().take_while(char::is_ascii_alphanumeric).collect();
    let word = if word.is_empty() { "encoding".to_string() } else { word };
    let taken = |name: &String| checked.tree.tokens().any(|token| token.text() == name);
    let numbered = (2..).map(|number| format!("#{word}{number}"));
    [format!("#{word}")].into_iter().chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// The text of an alias at this use, and at all of them without the alias.
pub(super) fn inline(checked: &Checked, token: TokenRef<'_>) -> Vec<Refactoring> {
    let found = (token.kind() == TokenKind::HashId).then(|| checked.definition_at(token.span().start as usize));
    let Some((id, text)) = found.flatten().and_then(|id| Some((id, text_of(checked, id)?))) else {
        return Vec::new();
    };
    let name = checked.source.slice(checked.symbols.definition(id).name);
    let uses: Vec<Span> = checked.symbols.uses_of(id).collect();
    let replaced = |span: Span| (span, text.clone());
    let here = uses.iter().copied().find(|span| *span == token.span()).filter(|_| uses.len() > 1);
    let here =
        here.map(|span| made(checked, format!("write {name} out here"), RefactorKind::Inline, vec![replaced(span)]));
    let removed = (whole_line(checked, checked.symbols.definition(id).whole), String::new());
    let everywhere = uses.iter().copied().map(replaced).chain([removed]).collect();
    let title = format!("write {name} out and remove its definition");
    let everywhere = (!uses.is_empty()).then(|| made(checked, title, RefactorKind::Inline, everywhere));
    here.into_iter().chain(everywhere).collect()
}

/// The encoding as its definition writes it.
fn text_of(checked: &Checked, id: DefId) -> Option<String> {
    let definition = checked.symbols.definition(id);
    let DefinitionKind::Encoding(Some(encoding)) = &definition.kind else { return None };
    let inside = |node: &NodeRef<'_>| {
        node.kind() == NodeKind::Encoding && definition.whole.range().contains(&(node.span().start as usize))
    };
    let item = checked.tree.token_at(definition.name.start as usize)?.node();
    let written = item.ancestors().flat_map(NodeRef::descendants).find(inside).map(|node| node.text().to_string());
    // Line ends do not belong into a type.
    Some(written.filter(|text| !text.contains(['\n', '\r'])).unwrap_or_else(|| encoding.to_string()))
}

/// A definition with the end of its line, if it is alone on it.
fn whole_line(checked: &Checked, span: Span) -> Span {
    let text = &checked.source.text;
    let start = line_start(checked, span.start);
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let end = behind.find('\n').map_or(text.len(), |end| span.end as usize + end + 1);
    let around = [text.get(start..span.start as usize), text.get(span.end as usize..end)];
    let alone = around.iter().all(|part| part.is_some_and(|part| part.trim().is_empty()));
    if alone { Span::new(start, end) } else { span }
}

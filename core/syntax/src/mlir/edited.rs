//! The tree of a text that differs from another in one function: only that function is parsed, and the rest of the
//! other tree is reused.
//!
//! The tree of a function does not depend on its place, unless it has an error, whose cause may lie outside it. So both
//! trees must be without errors, and the text of the function, by itself, must be exactly one function, up to its
//! closing brace.

use std::sync::Arc;

use super::parse_mlir;
use crate::{
    NodeKind, NodeRef, Tree,
    edited::{Edited, Splice},
};
use nnz_base::source::{Change, Span};

/// The tree of `text`, which differs from `old` in one function; `None` if more has to be parsed.
pub fn edited(old: &Tree, text: &Arc<str>) -> Option<(Tree, Edited)> {
    let change = Change::between(&old.text, text);
    let function = edited_function(old, change)?;
    let before = function.span();
    let now = Span { start: before.start, end: before.end - change.before.end + change.now.end };
    let line = line_of(old, before.start)?;
    let part = parse_mlir(text.get(line as usize..now.end as usize)?);
    let whole = part.errors.is_empty() && is_one_function(&part);
    let edited = Edited { before, now };
    whole.then(|| (splice(old, function, (&part, line), edited).tree(text), edited))
}

fn splice<'t>(old: &'t Tree, function: NodeRef<'_>, (part, start): (&'t Tree, u32), edited: Edited) -> Splice<'t> {
    let token_at = |offset: u32| old.tokens.partition_point(|token| token.start < offset);
    let first = function.id() as usize;
    let nodes = first..old.nodes[first].next as usize;
    Splice { old, part, start, nodes, tokens: token_at(start)..token_at(edited.before.end), edited }
}

/// The function that holds the whole of the change, and not only at its ends.
fn edited_function(old: &Tree, change: Change) -> Option<NodeRef<'_>> {
    let mut functions = old.root().children_of(NodeKind::Function).filter(|_| old.errors.is_empty());
    let function = functions.find(|function| change.before.start < function.span().end)?;
    let Span { start, end } = function.span();
    let inside = start < change.before.start && change.before.end < end;
    (inside && function.text().ends_with('}')).then_some(function)
}

/// The start of the line on which there are only spaces before `offset`.
fn line_of(tree: &Tree, offset: u32) -> Option<u32> {
    let before = tree.text.get(..offset as usize)?.trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with(['\n', '\r'])).then_some(before.len() as u32)
}

/// Whether the whole text is one function and the spaces before it.
fn is_one_function(tree: &Tree) -> bool {
    let mut items = tree.root().children();
    let only = items.next().filter(|item| items.next().is_none() && item.kind() == NodeKind::Function);
    let Some(span) = only.map(NodeRef::span) else { return false };
    let before = tree.text.get(..span.start as usize).unwrap_or_default();
    before.trim_matches([' ', '\t']).is_empty() && span.end as usize == tree.text.len() && tree.text.ends_with('}')
}

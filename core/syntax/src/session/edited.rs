//! The tree of a text that differs from another in some statements: only these are parsed, with one statement before
//! and one after them, and the rest of the other tree is reused.
//!
//! The tree of a statement without errors does not depend on its place, if its line begins and ends in the same way. So
//! the parsed part must have no errors before or after, and the two statements around the edit must be unchanged.

use std::sync::Arc;

use super::parse;
use crate::{
    NodeRef, Tree,
    edited::{Edited, Splice},
    lexer::Token,
};
use nnz_base::source::{Change, Span};

/// The tree of `text`, which differs from `old` in some statements; `None` if all has to be parsed.
pub fn edited(old: &Tree, text: &Arc<str>) -> Option<(Tree, Edited)> {
    let change = Change::between(&old.text, text);
    let around = Around::of(old, change);
    let (start, end) = (around.start()?, around.end()?);
    let now_end = end - change.before.end + change.now.end;
    let edited = Edited { before: Span { start, end }, now: Span { start, end: now_end } };
    if old.errors.iter().any(|error| error.span.start <= end && start <= error.span.end) {
        return None;
    }
    let part = parse(text.get(start as usize..now_end as usize)?);
    let tokens = token_at(&old.tokens, start)?..token_at(&old.tokens, end)?;
    let nodes = around.first.map_or(1, id)..around.behind.map_or(old.nodes.len(), id);
    let splice = Splice { old, part: &part, start, nodes, tokens, edited };
    (part.errors.is_empty() && around.are_alike(&splice)).then(|| (splice.tree(text), edited))
}

fn id(node: NodeRef<'_>) -> usize {
    node.id() as usize
}

/// The token that begins at `offset`.
fn token_at(tokens: &[Token], offset: u32) -> Option<usize> {
    tokens.binary_search_by_key(&offset, |token| token.start).ok()
}

/// The statements around an edit that begin lines; `None` at the beginning and at the end of the text.
struct Around<'t> {
    old: &'t Tree,
    /// The one before the first that the edit touches.
    first: Option<NodeRef<'t>>,
    /// The one behind the last that the edit touches, and the next one.
    last: Option<NodeRef<'t>>,
    behind: Option<NodeRef<'t>>,
}

impl<'t> Around<'t> {
    fn of(old: &'t Tree, change: Change) -> Around<'t> {
        let touches = |node: &NodeRef<'_>| start(*node) < change.before.start;
        let mut later = old.root().children().skip_while(touches).filter(|node| begins_line(*node));
        // Whether a node begins a line is asked of the last few before the edit alone: there may be thousands.
        let sooner: Vec<NodeRef<'t>> = old.root().children().take_while(touches).collect();
        let first = sooner.into_iter().rev().filter(|node| begins_line(*node)).nth(1);
        let last = later.find(|node| start(*node) > change.before.end);
        Around { old, first, last, behind: later.next() }
    }

    fn start(&self) -> Option<u32> {
        self.first.map_or(Some(0), line_of)
    }
    fn end(&self) -> Option<u32> {
        self.behind.map_or(Some(self.old.text.len() as u32), line_of)
    }

    /// Whether the first and the last statement of the part are those of the old tree.
    fn are_alike(&self, splice: &Splice<'_>) -> bool {
        let (part, edited) = (splice.part.root(), splice.edited);
        let in_part = |node: NodeRef<'_>, from: u32, to: u32| {
            let Span { start, end } = node.span();
            Span { start: start + to - from - splice.start, end: end + to - from - splice.start }
        };
        let fits = |found: Option<NodeRef<'_>>, node: NodeRef<'_>, place: Span| {
            found.is_some_and(|found| found.kind() == node.kind() && found.span() == place)
        };
        let first = |node: NodeRef<'_>| fits(part.children().next(), node, in_part(node, 0, 0));
        let last = |node: NodeRef<'_>| {
            let place = in_part(node, edited.before.end, edited.now.end);
            fits(part.children().find(|found| found.span().start == place.start), node, place)
        };
        self.first.is_none_or(first) && self.last.is_none_or(last)
    }
}

fn start(node: NodeRef<'_>) -> u32 {
    node.first_token().map_or(0, |token| token.span().start)
}

fn begins_line(node: NodeRef<'_>) -> bool {
    line_of(node).is_some()
}

/// The start of the line on which there are only spaces before a statement.
fn line_of(node: NodeRef<'_>) -> Option<u32> {
    let before = node.tree().text.get(..start(node) as usize)?.trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with(['\n', '\r'])).then_some(before.len() as u32)
}

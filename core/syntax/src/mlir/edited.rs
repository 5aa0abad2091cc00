//! The tree of a text that differs from another in one function: only that is parsed, and the rest of the other tree is
//! taken over.
//!
//! A function is parsed alike wherever it stands, unless it has an error, which may lie in what is around it. So both trees
//! must be without errors, and the text of the function, by itself, must be one function, up to the brace that closes it.

use std::sync::Arc;

use super::parse_mlir;
use crate::{
    NodeKind, Tree,
    lexer::Token,
    tree::{NodeData, NodeRef},
};
use nnz_base::source::{Change, Span};

/// The function in which two texts differ, by its place in each.
#[derive(Clone, Copy, Debug)]
pub struct Edited {
    pub before: Span,
    pub now: Span,
}

impl Edited {
    /// The place in the new text of what stands outside of the function.
    pub fn moved(self, span: Span) -> Span {
        if span.start < self.before.end {
            span
        } else {
            Span { start: self.shift(span.start), end: self.shift(span.end) }
        }
    }
    fn shift(self, offset: u32) -> u32 {
        offset - self.before.end + self.now.end
    }
}

/// The tree of `text`, which is that of `old` but for one function; `None` if more has to be parsed.
pub fn edited(old: &Tree, text: &Arc<str>) -> Option<(Tree, Edited)> {
    let change = Change::between(&old.text, text);
    let function = edited_function(old, change)?;
    let before = function.span();
    let now = Span { start: before.start, end: before.end - change.before.end + change.now.end };
    let line = line_of(old, before.start)?;
    let part = parse_mlir(text.get(line as usize..now.end as usize)?);
    let whole = part.errors.is_empty() && is_one_function(&part);
    whole.then(|| (Splice::new(old, function, (&part, line), now).tree(text, part.looks), Edited { before, now }))
}

/// The function that holds the whole of the change, and not only at its ends.
fn edited_function(old: &Tree, change: Change) -> Option<NodeRef<'_>> {
    let mut functions = old.root().children_of(NodeKind::Function).filter(|_| old.errors.is_empty());
    let function = functions.find(|function| change.before.start < function.span().end)?;
    let Span { start, end } = function.span();
    let inside = start < change.before.start && change.before.end < end;
    (inside && function.text().ends_with('}')).then_some(function)
}

/// Where the line begins on which only spaces stand in front of `offset`.
fn line_of(tree: &Tree, offset: u32) -> Option<u32> {
    let before = tree.text.get(..offset as usize)?.trim_end_matches([' ', '\t']);
    (before.is_empty() || before.ends_with(['\n', '\r'])).then_some(before.len() as u32)
}

/// Whether the whole text is one function and the spaces in front of it.
fn is_one_function(tree: &Tree) -> bool {
    let mut items = tree.root().children();
    let only = items.next().filter(|item| items.next().is_none() && item.kind() == NodeKind::Function);
    let Some(span) = only.map(NodeRef::span) else { return false };
    let before = tree.text.get(..span.start as usize).unwrap_or_default();
    before.trim_matches([' ', '\t']).is_empty() && span.end as usize == tree.text.len() && tree.text.ends_with('}')
}

/// The parts of two trees of which a third is made.
struct Splice<'t> {
    old: &'t Tree,
    part: &'t Tree,
    /// Where the text of the part begins, and where its tokens do among those of the old tree.
    start: u32,
    token: usize,
    /// The nodes and tokens of the function in the old tree, and where it ends in the old text and in the new one.
    nodes: std::ops::Range<usize>,
    tokens_end: usize,
    ends: (u32, u32),
}

impl<'t> Splice<'t> {
    fn new(old: &'t Tree, function: NodeRef<'_>, (part, start): (&'t Tree, u32), now: Span) -> Splice<'t> {
        let data = old.nodes[function.id() as usize];
        let token = old.tokens.partition_point(|token| token.start < start);
        let end = function.span().end;
        let tokens_end = old.tokens.partition_point(|token| token.start < end);
        let nodes = function.id() as usize..data.next as usize;
        Splice { old, part, start, token, nodes, tokens_end, ends: (end, now.end) }
    }

    fn tree(&self, text: &Arc<str>, looks: u64) -> Tree {
        let (tokens, nodes) = (self.tokens(), self.nodes());
        Tree { text: text.clone(), tokens, nodes, errors: Vec::new(), looks: self.old.looks.max(looks) }
    }

    fn tokens(&self) -> Vec<Token> {
        let (old, part, (before, now)) = (&self.old.tokens, &self.part.tokens, self.ends);
        let inner = part[..part.len() - 1].iter().map(|token| Token { start: token.start + self.start, ..*token });
        let behind = old[self.tokens_end..].iter().map(|token| Token { start: token.start - before + now, ..*token });
        let mut tokens = Vec::with_capacity(old.len() + part.len());
        tokens.extend_from_slice(&old[..self.token]);
        tokens.extend(inner.chain(behind));
        tokens
    }

    /// The numbers of tokens, and of nodes, behind the function grow by as much as those within it.
    fn nodes(&self) -> Vec<NodeData> {
        let (old, part) = (&self.old.nodes, &self.part.nodes);
        let token = |at: u32| at - self.tokens_end as u32 + (self.token + self.part.tokens.len() - 1) as u32;
        let node = |at: u32| at - self.nodes.end as u32 + (self.nodes.start + part.len() - 1) as u32;
        let (tokens, first) = (self.token as u32, self.nodes.start as u32);
        let inner = part[1..].iter().map(|data| NodeData {
            first: data.first + tokens,
            end: data.end + tokens,
            next: data.next + first - 1,
            parent: if data.parent == 0 { 0 } else { data.parent + first - 1 },
            ..*data
        });
        let is_behind = |at: u32| at as usize >= self.nodes.end;
        let behind = old[self.nodes.end..].iter().map(|data| NodeData {
            first: token(data.first),
            end: token(data.end),
            next: node(data.next),
            parent: if is_behind(data.parent) { node(data.parent) } else { data.parent },
            ..*data
        });
        let mut nodes = Vec::with_capacity(old.len() + part.len());
        nodes.extend_from_slice(&old[..self.nodes.start]);
        nodes.extend(inner.chain(behind));
        if let Some(root) = nodes.first_mut() {
            (root.end, root.next) = (token(root.end), node(root.next));
        }
        nodes
    }
}

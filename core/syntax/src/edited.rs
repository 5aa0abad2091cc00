//! The tree of a text that differs from another in one place: only that place is parsed, and the rest of the other tree
//! is reused.

use std::{ops::Range, sync::Arc};

use crate::{
    Tree,
    lexer::Token,
    tree::{NodeData, SyntaxError},
};
use nnz_base::source::Span;

/// The items in which two texts differ, by their place in each: a function, or statements.
#[derive(Clone, Copy, Debug)]
pub struct Edited {
    pub before: Span,
    pub now: Span,
}

impl Edited {
    /// The place in the new text of something outside these items.
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

/// The parts of two trees from which a third is made. The replaced items are children of the root.
pub(crate) struct Splice<'t> {
    pub old: &'t Tree,
    pub part: &'t Tree,
    /// Where the text of the part begins.
    pub start: u32,
    /// What is replaced of the old tree.
    pub nodes: Range<usize>,
    pub tokens: Range<usize>,
    pub edited: Edited,
}

impl Splice<'_> {
    pub(crate) fn tree(&self, text: &Arc<str>) -> Tree {
        let (tokens, nodes, errors) = (self.spliced_tokens(), self.spliced_nodes(), self.errors());
        Tree { text: text.clone(), tokens, nodes, errors, looks: self.old.looks.max(self.part.looks) }
    }

    fn spliced_tokens(&self) -> Vec<Token> {
        let (old, part) = (&self.old.tokens, &self.part.tokens);
        let inner = part[..part.len() - 1].iter().map(|token| Token { start: token.start + self.start, ..*token });
        let moved = |token: &Token| Token { start: self.edited.shift(token.start), ..*token };
        let mut tokens = Vec::with_capacity(old.len() + part.len());
        tokens.extend_from_slice(&old[..self.tokens.start]);
        tokens.extend(inner.chain(old[self.tokens.end..].iter().map(moved)));
        tokens
    }

    /// The numbers of tokens, and of nodes, behind what is replaced grow by as much as those within it.
    fn spliced_nodes(&self) -> Vec<NodeData> {
        let (old, part) = (&self.old.nodes, &self.part.nodes);
        let token = |at: u32| at - self.tokens.end as u32 + (self.tokens.start + self.part.tokens.len() - 1) as u32;
        let node = |at: u32| at - self.nodes.end as u32 + (self.nodes.start + part.len() - 1) as u32;
        let (tokens, first) = (self.tokens.start as u32, self.nodes.start as u32);
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

    /// There is none in the replaced items or in the part.
    fn errors(&self) -> Vec<SyntaxError> {
        let mut errors = self.old.errors.clone();
        errors.iter_mut().flat_map(SyntaxError::places_mut).for_each(|span| *span = self.edited.moved(*span));
        errors
    }
}

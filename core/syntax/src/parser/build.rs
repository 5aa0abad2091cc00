//! Building the tree: opening, closing and wrapping nodes, and skipping tokens.

use super::{Checkpoint, MAX_DEPTH, NodeKind, Open, Parser, SyntaxError, TokenKind, Tree};
use crate::tree::NodeData;

/// As many operations in a row, `a + a + ...`, become a tree of this depth.
const MAX_CHAIN: u32 = 256;

// The labels of what is beyond a limit.
const TOO_DEEP: &str = "too deep to be read";
const TOO_LONG: &str = "one more than is read";

impl Parser {
    pub fn open(&mut self, kind: NodeKind) -> Open {
        let node = self.nodes.len();
        let first = self.at as u32;
        self.nodes.push(NodeData { kind, first, end: first, depth: self.depth, next: 0, parent: 0 });
        self.depth += 1;
        Open { node }
    }
    pub fn close(&mut self, open: Open) {
        let first = self.nodes[open.node].first;
        self.nodes[open.node].end = first.max(self.consumed as u32);
        self.depth -= 1;
    }
    /// Closes the node with another kind than it was opened with, because its kind is known only at its end.
    pub(crate) fn close_as(&mut self, open: Open, kind: NodeKind) {
        self.nodes[open.node].kind = kind;
        self.close(open);
    }
    /// Whether another level of nesting would be too deep; if so it is reported, once in a line. Every recursive
    /// grammar calls this.
    pub(crate) fn too_deep(&mut self) -> bool {
        let message = format!("nested too deeply: more than {MAX_DEPTH} levels");
        let deep = self.depth >= MAX_DEPTH;
        if deep && !self.told_limit_on_line() {
            let error = SyntaxError::new(self.span(), message).label(TOO_DEEP);
            self.report(error.help("give a part of it a name of its own"));
        }
        deep
    }
    /// Whether the last error is about a limit, and on this line.
    fn told_limit_on_line(&self) -> bool {
        let limit = |error: &&SyntaxError| error.label == TOO_DEEP || error.label == TOO_LONG;
        let last = self.errors.last().filter(limit).map(|last| last.span.end as usize);
        let start = self.span().start as usize;
        // The error may lie ahead.
        last.is_some_and(|end| self.text.get(end..start).is_none_or(|between| !between.contains('\n')))
    }
    /// Whether anything was consumed since `from`.
    pub(crate) fn moved_since(&self, from: Checkpoint) -> bool {
        self.at as u32 > from.first
    }
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { node: self.nodes.len(), first: self.at as u32 }
    }
    /// Makes everything since `from` the content of a new node, which is closed at once. Content that would
    /// become too deep stays as it is and is reported, because all code behind the parser recurses.
    pub fn wrap(&mut self, from: Checkpoint, kind: NodeKind) {
        let end = from.first.max(self.consumed as u32);
        // A statement stays one where its expression is too long.
        let most = if matches!(kind, NodeKind::Show | NodeKind::Assignment) { 2 * MAX_CHAIN } else { MAX_CHAIN };
        let wrapped = &mut self.nodes[from.node..];
        if wrapped.iter().any(|node| node.depth - self.depth >= most) {
            return self.too_long();
        }
        wrapped.iter_mut().for_each(|node| node.depth += 1);
        let node = NodeData { kind, first: from.first, end, depth: self.depth, next: 0, parent: 0 };
        self.nodes.insert(from.node, node);
    }
    /// Reports, once, that an expression is too long.
    pub fn too_long(&mut self) {
        let message = format!("this expression is too long: more than {MAX_CHAIN} operations in a row");
        if !self.told_limit_on_line() {
            let error = SyntaxError::new(self.span(), message).label(TOO_LONG);
            self.report(error.help("give a part of it a name of its own: a statement `t(i) = ...`, then `t(i)`"));
        }
    }
    /// Consumes tokens into an `Error` node until `stop` says so, whole brackets at a time. Always stops
    /// at the end of the text and before a closing bracket that it did not open.
    pub(crate) fn skip_until(&mut self, stop: impl Fn(&Parser) -> bool) {
        if self.at_end() || stop(self) {
            return;
        }
        let node = self.open(NodeKind::Error);
        while !self.at_end() && !stop(self) && !self.at_closing() {
            self.skip_token_tree();
        }
        self.close(node);
    }
    /// Consumes tokens, whole groups of `()`, `[]`, `{}` and `<>` at a time, until one of `ends`.
    pub(crate) fn skip_balanced(&mut self, ends: &[TokenKind]) {
        self.skip_balanced_until(ends, |_| false);
    }
    /// As [`Parser::skip_balanced`], up to where `stop` says so behind the first token.
    pub(crate) fn skip_balanced_until(&mut self, ends: &[TokenKind], stop: impl Fn(&Parser) -> bool) {
        let start = self.at;
        let stops = |this: &Self| this.at > start && (this.at_line_end() || stop(this));
        let ended = |this: &Self| ends.contains(&this.peek()) || stops(this);
        while !self.at_end() && !ended(self) {
            self.skip_angles();
        }
    }
    /// Consumes one token, or a whole group in brackets, `<>` among them.
    pub(crate) fn skip_angles(&mut self) {
        let mut open: Vec<TokenKind> = Vec::new();
        loop {
            if open.last() == Some(&TokenKind::Gt) {
                self.split_closing_angle();
            }
            let kind = self.peek();
            match if kind == TokenKind::Lt { Some(TokenKind::Gt) } else { kind.closing() } {
                Some(closing) => open.push(closing),
                None if open.last() == Some(&kind) => drop(open.pop()),
                None => {}
            }
            self.bump();
            if open.is_empty() || self.at_end() {
                return;
            }
        }
    }
    /// Consumes one token, or a whole bracketed group. Iterative, so that no nesting overflows the stack.
    pub(crate) fn skip_token_tree(&mut self) {
        let mut open = Vec::new();
        loop {
            if let Some(closing) = self.peek().closing() {
                open.push(closing);
            } else if open.last() == Some(&self.peek()) {
                open.pop();
            }
            self.bump();
            if open.is_empty() || self.at_end() {
                return;
            }
        }
    }

    /// The finished tree; the first opened node must be the root.
    pub fn finish(mut self) -> Tree {
        if self.nodes.is_empty() {
            let root = self.open(NodeKind::Root);
            self.close(root);
        }
        self.nodes[0].first = 0;
        self.nodes[0].end = self.tokens.len() as u32 - 1;
        link(&mut self.nodes);
        let looks = self.looks.get();
        Tree { text: self.text, tokens: self.tokens, nodes: self.nodes, errors: self.errors, looks }
    }
}

/// Fills in `next` and `parent` from the depths.
fn link(nodes: &mut [NodeData]) {
    let mut open: Vec<usize> = Vec::new();
    for at in 0..nodes.len() {
        while let Some(top) = open.pop_if(|top| nodes[*top].depth >= nodes[at].depth) {
            nodes[top].next = at as u32;
        }
        nodes[at].parent = open.last().copied().unwrap_or(0) as u32;
        open.push(at);
    }
    let end = nodes.len() as u32;
    open.into_iter().for_each(|top| nodes[top].next = end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrap_makes_preorder() {
        let mut p = Parser::new("a + b // c");
        let root = p.open(NodeKind::Root);
        let from = p.checkpoint();
        let a = p.open(NodeKind::Error);
        p.bump();
        p.close(a);
        p.bump();
        p.bump();
        p.wrap(from, NodeKind::Error);
        p.close(root);
        let tree = p.finish();
        let sum = tree.root().children().next().unwrap();
        assert_eq!(sum.text(), "a + b");
        assert_eq!(sum.children().map(|n| n.text()).collect::<Vec<_>>(), ["a"]);
        assert_eq!(sum.children().next().unwrap().parent().unwrap().id(), sum.id());
        assert_eq!(tree.token_at(0).unwrap().node().text(), "a");
    }

    #[test]
    fn chains_are_bounded() {
        let mut p = Parser::new("a ".repeat(10_000));
        let root = p.open(NodeKind::Root);
        let from = p.checkpoint();
        while !p.at_end() {
            p.bump();
            p.wrap(from, NodeKind::Error);
        }
        p.close(root);
        let tree = p.finish();
        assert!(tree.root().descendants().map(|node| node.ancestors().count()).max() < Some(400));
        assert_eq!(tree.errors().len(), 1);
    }

    #[test]
    fn skipping_is_by_brackets() {
        let mut p = Parser::new("x (1, [2]) , y");
        let root = p.open(NodeKind::Root);
        p.skip_until(|p| p.at(TokenKind::Comma));
        assert_eq!(p.peek(), TokenKind::Comma);
        p.close(root);
        let tree = p.finish();
        assert_eq!(tree.root().children().next().unwrap().text(), "x (1, [2])");
    }
}

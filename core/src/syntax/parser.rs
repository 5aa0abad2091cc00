//! What every grammar of this crate is written with: a cursor over the tokens that are not trivia,
//! and a builder of the tree. The grammars themselves stand in their own files.

use std::sync::Arc;

use super::{
    NodeKind, SyntaxError, TokenKind, Tree,
    lexer::{Token, lex},
    tree::NodeData,
};
use crate::source::Span;

/// A place in the tree where a node can later be opened.
#[derive(Clone, Copy)]
pub struct Checkpoint {
    node: usize,
    first: u32,
}

/// An open node; hand it back to [`Parser::close`].
#[must_use]
pub struct Open {
    node: usize,
}

pub struct Parser {
    text: Arc<str>,
    tokens: Vec<Token>,
    /// Index of the current token, never trivia.
    at: usize,
    /// Index after the last consumed token.
    consumed: usize,
    nodes: Vec<NodeData>,
    depth: u32,
    errors: Vec<SyntaxError>,
}

/// Nesting deeper than this is refused rather than risking the stack. Picked by gut feeling: no
/// hand-written text comes near.
pub const MAX_DEPTH: u32 = 128;

impl Parser {
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let tokens = lex(&text);
        let mut parser = Self { text, tokens, at: 0, consumed: 0, nodes: Vec::new(), depth: 0, errors: Vec::new() };
        parser.skip_trivia();
        parser
    }

    fn skip_trivia(&mut self) {
        while self.tokens[self.at].kind.is_trivia() {
            self.at += 1;
        }
    }

    // Looking.

    pub fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }
    /// The kind of the n-th token ahead that is not trivia; `nth(0)` is `peek()`.
    pub fn nth(&self, n: usize) -> TokenKind {
        let ahead = self.tokens[self.at..].iter().filter(|token| !token.kind.is_trivia());
        ahead.map(|token| token.kind).nth(n).unwrap_or(TokenKind::Eof)
    }
    /// The kind of the token behind the current one on its line, or `Newline`.
    pub fn next_on_line(&self) -> TokenKind {
        let behind = self.tokens.iter().skip(self.at + 1).map(|token| token.kind);
        let wanted = |kind: &TokenKind| !kind.is_trivia() || *kind == TokenKind::Newline;
        behind.into_iter().find(wanted).unwrap_or(TokenKind::Eof)
    }
    pub fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }
    pub fn at_end(&self) -> bool {
        self.at(TokenKind::Eof)
    }
    /// The text of the current token.
    pub fn peek_text(&self) -> &str {
        &self.text[self.span().range()]
    }
    /// The current token is the identifier `word`.
    pub fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Ident) && self.peek_text() == word
    }
    /// The place of the current token; empty at the end of the text.
    pub fn span(&self) -> Span {
        let end = self.tokens.get(self.at + 1).map_or(self.text.len(), |next| next.start as usize);
        Span::new(self.tokens[self.at].start as usize, end)
    }
    /// A line ends between the last consumed token and the current one.
    pub fn newline_before(&self) -> bool {
        self.tokens[self.consumed..self.at].iter().any(|token| token.kind == TokenKind::Newline)
    }
    /// No space, comment or line end stands between the last consumed token and the current one.
    pub fn joined(&self) -> bool {
        self.consumed == self.at
    }

    // Consuming.

    /// Consumes the current token; the end of the text is never consumed.
    pub fn bump(&mut self) {
        if !self.at_end() {
            self.at += 1;
            self.consumed = self.at;
            self.skip_trivia();
        }
    }
    pub fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }
    /// Consumes `kind`, or reports that it is missing.
    pub fn expect(&mut self, kind: TokenKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.error_expected(kind.describe(), &[]);
        }
        found
    }

    // Reporting.

    /// Reports "expected WHAT, found ...", once per place.
    pub fn error_expected(&mut self, what: &str, expected: &[&'static str]) {
        let found = match self.peek() {
            TokenKind::Eof => TokenKind::Eof.describe().to_string(),
            _ => format!("`{}`", self.peek_text().trim_end()),
        };
        self.error_at(self.span(), format!("expected {what}, found {found}"), expected);
    }
    pub fn error_at(&mut self, span: Span, message: impl Into<String>, expected: &[&'static str]) {
        let at_end = self.at_end();
        if self.errors.last().is_none_or(|last| last.span.start < span.start) {
            self.errors.push(SyntaxError { span, message: message.into(), expected: expected.to_vec(), at_end });
        }
    }
    pub fn error_count(&self) -> usize {
        self.errors.len()
    }

    // Building.

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
    /// Closes the node as another kind than it was opened as: what it is shows only at its end.
    pub fn close_as(&mut self, open: Open, kind: NodeKind) {
        self.nodes[open.node].kind = kind;
        self.close(open);
    }
    /// Whether another level of nesting would be too much, which is then reported; a grammar that recurses asks.
    pub fn too_deep(&mut self) -> bool {
        let deep = self.depth >= MAX_DEPTH;
        if deep {
            self.error_at(self.span(), "nested too deeply", &[]);
        }
        deep
    }
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { node: self.nodes.len(), first: self.at as u32 }
    }
    /// Makes everything since `from` the content of a new node, which is closed at once.
    pub fn wrap(&mut self, from: Checkpoint, kind: NodeKind) {
        let end = from.first.max(self.consumed as u32);
        self.nodes[from.node..].iter_mut().for_each(|node| node.depth += 1);
        let node = NodeData { kind, first: from.first, end, depth: self.depth, next: 0, parent: 0 };
        self.nodes.insert(from.node, node);
    }
    /// Consumes tokens into an `Error` node until `stop` says so, whole brackets at a time. Always stops
    /// at the end of the text and before a closing bracket that it did not open.
    pub fn skip_until(&mut self, stop: impl Fn(&Parser) -> bool) {
        if self.at_end() || stop(self) {
            return;
        }
        let node = self.open(NodeKind::Error);
        while !self.at_end() && !stop(self) && !self.at_closing() {
            self.skip_token_tree();
        }
        self.close(node);
    }
    fn at_closing(&self) -> bool {
        matches!(self.peek(), TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket)
    }
    /// Consumes one token, or a whole bracketed group. Iterative, so that no nesting overflows the stack.
    pub fn skip_token_tree(&mut self) {
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
        Tree { text: self.text, tokens: self.tokens, nodes: self.nodes, errors: self.errors }
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

//! What every grammar of this crate is written with: a cursor over the tokens that are not trivia,
//! and a builder of the tree. The grammars themselves stand in their own files.

use std::sync::Arc;

use super::{
    NodeKind, SyntaxError, TokenKind, Tree,
    lexer::{Token, lex},
    tree::{Missing, NodeData},
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
    /// The text is in a notation where `i // 2` is a division.
    splits_comments: bool,
}

/// Nesting deeper than this is refused rather than risking the stack. Picked by gut feeling: no
/// hand-written text comes near.
pub const MAX_DEPTH: u32 = 128;

/// As many operations in a row, `a + a + ...`, become a tree of this depth.
const MAX_CHAIN: u32 = 256;

impl Parser {
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let tokens = lex(&text);
        let (nodes, errors) = (Vec::new(), Vec::new());
        let mut parser = Self { text, tokens, at: 0, consumed: 0, nodes, depth: 0, errors, splits_comments: true };
        parser.skip_trivia();
        parser
    }
    /// For MLIR, where `//` always begins a comment.
    pub(super) fn for_mlir(text: impl Into<Arc<str>>) -> Self {
        Self { splits_comments: false, ..Self::new(text) }
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
    /// The text of the n-th token ahead that is not trivia.
    pub fn nth_text(&self, n: usize) -> &str {
        let mut ahead = (self.at..self.tokens.len()).filter(|&at| !self.tokens[at].kind.is_trivia());
        ahead.nth(n).map_or("", |at| &self.text[self.token_span(at).range()])
    }
    /// The very next token, without a space between, is `kind`.
    pub fn next_is_joined(&self, kind: TokenKind) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| token.kind == kind)
    }
    /// At the first token of a line that can only begin a new definition or function, whatever brackets are open.
    pub fn at_item_start(&self) -> bool {
        let starts = match self.peek() {
            TokenKind::HashId | TokenKind::BangId => self.nth(1) == TokenKind::Eq,
            TokenKind::Ident => matches!(self.peek_text(), "func.func" | "module"),
            _ => false,
        };
        starts && self.newline_before()
    }
    pub fn at_closing(&self) -> bool {
        matches!(self.peek(), TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket)
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
        self.token_span(self.at)
    }
    fn token_span(&self, at: usize) -> Span {
        let end = self.tokens.get(at + 1).map_or(self.text.len(), |next| next.start as usize);
        Span::new(self.tokens[at].start as usize, end)
    }
    /// Where the last consumed token ends.
    fn consumed_end(&self) -> usize {
        self.tokens[self.consumed].start as usize
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
            self.error_missing(kind);
        }
        found
    }
    /// Turns a comment that follows the last consumed token on its line into the operator `//` and the tokens
    /// behind it, if it reads like a block size: `i // 2 : dense`. Only the notation of UST asks for it.
    pub fn split_comment(&mut self) -> bool {
        let ahead = self.consumed..self.at;
        let Some(at) = ahead.into_iter().find(|&at| self.tokens[at].kind == TokenKind::Comment) else { return false };
        let span = self.token_span(at);
        let only_spaces =
            self.text[self.consumed_end()..span.start as usize].trim_start_matches([' ', '\t']).is_empty();
        if !self.splits_comments || !only_spaces || !is_block_size(&self.text[span.range()]) {
            return false;
        }
        let start = span.start as usize + 2;
        let mut tokens = vec![Token { kind: TokenKind::SlashSlash, start: span.start }];
        let inner = lex(&self.text[start..span.end as usize]);
        let shifted = inner.iter().filter(|token| token.kind != TokenKind::Eof);
        tokens.extend(shifted.map(|token| Token { kind: token.kind, start: token.start + start as u32 }));
        self.tokens.splice(at..=at, tokens);
        self.at = at;
        true
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
            let expected = expected.to_vec();
            self.errors.push(SyntaxError { span, message: message.into(), expected, at_end, missing: None });
        }
    }
    /// Reports that a token of `kind` is missing here, with the place where it would go.
    pub fn error_missing(&mut self, kind: TokenKind) {
        let count = self.errors.len();
        self.error_expected(kind.describe(), &[]);
        let missing = Missing { token: kind, at: self.consumed_end() as u32 };
        if let Some(error) = self.errors.get_mut(count) {
            error.missing = Some(missing);
        }
    }
    /// Reports an error at a place already passed, keeping the order of the text.
    pub(super) fn insert_error(&mut self, span: Span, message: String) {
        let at = self.errors.partition_point(|error| error.span.start < span.start);
        let at_end = self.at_end();
        self.errors.insert(at, SyntaxError { span, message, expected: Vec::new(), at_end, missing: None });
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
    /// Whether anything was consumed since `from`.
    pub fn moved_since(&self, from: Checkpoint) -> bool {
        self.at as u32 > from.first
    }
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint { node: self.nodes.len(), first: self.at as u32 }
    }
    /// Makes everything since `from` the content of a new node, which is closed at once. What would
    /// become too deep stays as it is, and is reported: everything behind the parser recurses.
    pub fn wrap(&mut self, from: Checkpoint, kind: NodeKind) {
        let end = from.first.max(self.consumed as u32);
        let wrapped = &mut self.nodes[from.node..];
        if wrapped.iter().any(|node| node.depth - self.depth >= MAX_CHAIN) {
            let message = format!("this expression is too long: more than {MAX_CHAIN} operations in a row");
            let reported = self.errors.last().is_some_and(|last| last.message == message);
            if !reported {
                self.error_at(self.span(), message, &[]);
            }
            return;
        }
        wrapped.iter_mut().for_each(|node| node.depth += 1);
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
    /// Consumes tokens, whole groups of `()`, `[]`, `{}` and `<>` at a time, until one of `ends`.
    pub fn skip_balanced(&mut self, ends: &[TokenKind]) {
        while !self.at_end() && !ends.contains(&self.peek()) && !self.at_item_start() {
            self.skip_angles();
        }
    }
    /// Consumes one token, or a whole group in brackets, `<>` among them.
    pub fn skip_angles(&mut self) {
        let mut open = Vec::new();
        loop {
            let kind = self.peek();
            match if kind == TokenKind::Lt { Some(TokenKind::Gt) } else { kind.closing() } {
                Some(closing) => open.push(closing),
                None if open.last() == Some(&kind) => drop(open.pop()),
                None => {}
            }
            self.bump();
            if open.is_empty() || self.at_end() || self.at_item_start() {
                return;
            }
        }
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

/// `// 2 : dense`
fn is_block_size(comment: &str) -> bool {
    let size = comment.trim_start_matches('/').trim_start();
    let rest = size.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < size.len() && rest.trim_start().starts_with(':')
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

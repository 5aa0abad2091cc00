//! The parser that every grammar uses: a cursor over the tokens that are not trivia, the fences that end it early, its
//! brackets, the errors, and the tree being built. The grammars are in their own files.

use std::{cell::Cell, collections::HashMap, sync::Arc};

use self::fences::Fence;
pub use self::fences::{Bookmark, LineStart};
pub(crate) use self::{
    braces::{BracePlace, Braces},
    brackets::OpenBracket,
};
use super::{
    NodeKind, SyntaxError, SyntaxFix, TokenKind, Tree,
    lexer::{Token, lex},
    tree::NodeData,
};
use nnz_base::source::Span;

mod braces;
mod brackets;
mod build;
mod errors;
mod fences;
pub(crate) mod numbers;
mod within;

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
    /// Where the lines end, in order.
    line_ends: Vec<usize>,
    /// Index of the current token, never trivia.
    at: usize,
    /// Index after the last consumed token.
    consumed: usize,
    nodes: Vec<NodeData>,
    depth: u32,
    errors: Vec<SyntaxError>,
    /// The text is a session's, and not MLIR: a statement ends with its line, and `i // 2` can be a division.
    by_lines: bool,
    /// How many brackets of expressions and lists are open.
    brackets: u32,
    /// How far the line is indented on which the current statement begins.
    indent: usize,
    /// Within `|x|`, which is no notation of nnz.
    bars: bool,
    /// Tokens that can only begin something new, whatever is still open before them; in order.
    fences: Vec<Fence>,
    /// Where the text seems to end while one thing is read; see [`Parser::fenced`].
    limit: usize,
    /// How many tokens were looked at that are not the current one: the work that could take the square of a text.
    looks: Cell<u64>,
    /// Of a program, brackets that were closed by one that seems to close another.
    pub(super) suspected: Vec<OpenBracket>,
    /// Of a program, what the function that is being read shows of its braces.
    pub(super) braces: Braces,
    /// Of a program, by an indentation the line that ends what is indented so, and the next one with text; `None` if
    /// there are none in the rest of the text.
    pub(super) ends: HashMap<usize, Option<(Span, Span)>>,
}

/// The deepest nesting allowed, to protect the stack. The number is a guess; no hand-written text comes near.
pub const MAX_DEPTH: u32 = 128;

impl Parser {
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let tokens = lex(&text);
        let line_ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).collect();
        let mut parser = Self {
            text,
            tokens,
            line_ends,
            at: 0,
            consumed: 0,
            nodes: Vec::new(),
            depth: 0,
            errors: Vec::new(),
            by_lines: true,
            brackets: 0,
            indent: 0,
            bars: false,
            fences: Vec::new(),
            limit: usize::MAX,
            looks: Cell::new(0),
            suspected: Vec::new(),
            braces: Braces::default(),
            ends: HashMap::new(),
        };
        parser.skip_trivia();
        parser
    }
    /// For MLIR, in which statements do not end with their lines.
    pub(super) fn for_mlir(text: impl Into<Arc<str>>) -> Self {
        Self { by_lines: false, ..Self::new(text) }
    }
    /// The text is a whole MLIR file.
    pub(super) fn is_mlir(&self) -> bool {
        !self.by_lines
    }

    fn skip_trivia(&mut self) {
        while self.tokens[self.at].kind.is_trivia() {
            self.at += 1;
        }
    }

    // Looking.

    pub fn peek(&self) -> TokenKind {
        if self.at >= self.limit { TokenKind::Eof } else { self.tokens[self.at].kind }
    }
    /// The n-th token ahead that is not trivia.
    fn ahead(&self, n: usize) -> Option<usize> {
        let end = self.tokens.len().min(self.limit);
        (self.at..end).inspect(|_| self.look()).filter(|&at| !self.tokens[at].kind.is_trivia()).nth(n)
    }
    fn look(&self) {
        self.looks.set(self.looks.get() + 1);
    }
    /// The kinds of the tokens that are not trivia, from the current one on.
    pub(crate) fn kinds_ahead(&self) -> impl Iterator<Item = TokenKind> + '_ {
        let end = self.tokens.len().min(self.limit);
        let tokens = self.tokens[self.at.min(end)..end].iter().inspect(|_| self.look());
        tokens.map(|token| token.kind).filter(|kind| !kind.is_trivia())
    }
    /// The kind of the n-th token ahead that is not trivia; `nth(0)` is `peek()`.
    pub fn nth(&self, n: usize) -> TokenKind {
        self.ahead(n).map_or(TokenKind::Eof, |at| self.tokens[at].kind)
    }
    /// The kind of the token behind the current one on its line, or `Newline`.
    pub(crate) fn next_on_line(&self) -> TokenKind {
        self.next_on_line_of(self.at)
    }
    fn next_on_line_of(&self, at: usize) -> TokenKind {
        let mut behind = self.tokens.iter().skip(at + 1).inspect(|_| self.look()).map(|token| token.kind);
        let wanted = |kind: &TokenKind| !kind.is_trivia() || *kind == TokenKind::Newline;
        behind.find(wanted).unwrap_or(TokenKind::Eof)
    }
    pub fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }
    /// The text of the n-th token ahead that is not trivia.
    pub fn nth_text(&self, n: usize) -> &str {
        self.ahead(n).map_or("", |at| &self.text[self.token_span(at).range()])
    }
    /// The place of the n-th token ahead that is not trivia.
    pub(super) fn nth_span(&self, n: usize) -> Span {
        self.ahead(n).map_or(self.span(), |at| self.token_span(at))
    }
    /// The very next token, without a space between, is `kind`.
    pub(crate) fn next_is_joined(&self, kind: TokenKind) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| token.kind == kind)
    }
    pub(crate) fn at_closing(&self) -> bool {
        matches!(self.peek(), TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket)
    }
    pub fn at_end(&self) -> bool {
        self.at(TokenKind::Eof)
    }
    /// The text of the current token.
    pub(crate) fn peek_text(&self) -> &str {
        &self.text[self.span().range()]
    }
    /// The current token is the identifier `word`.
    pub fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Ident) && self.peek_text() == word
    }
    /// The text from the current token on.
    pub fn rest(&self) -> &str {
        &self.text[self.span().start as usize..]
    }
    pub fn text_at(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
    /// The place of the text consumed since `from`.
    pub(crate) fn span_since(&self, from: Checkpoint) -> Span {
        let start = self.tokens[from.first as usize].start as usize;
        Span::new(start, self.consumed_end().max(start))
    }
    pub(crate) fn text_since(&self, from: Checkpoint) -> &str {
        self.text_at(self.span_since(from))
    }
    /// The place of the current token; at the end of the text, the place after the consumed text, because whatever is
    /// missing is missing where the writer stopped, not below blank lines.
    pub fn span(&self) -> Span {
        if self.at_end() { Span::at(self.consumed_end()) } else { self.token_span(self.at) }
    }
    fn token_span(&self, at: usize) -> Span {
        let end = self.tokens.get(at + 1).map_or(self.text.len(), |next| next.start as usize);
        Span::new(self.tokens[at].start as usize, end)
    }
    /// The end of the last consumed token.
    pub(crate) fn consumed_end(&self) -> usize {
        self.tokens[self.consumed].start as usize
    }
    /// The last consumed token that is no trivia.
    pub(super) fn last_span(&self) -> Span {
        self.consumed.checked_sub(1).map_or(Span::at(0), |at| self.token_span(at))
    }
    /// Its kind.
    pub(super) fn last_kind(&self) -> TokenKind {
        self.consumed.checked_sub(1).map_or(TokenKind::Eof, |at| self.tokens[at].kind)
    }
    /// The indentation of the current token's line, and its beginning.
    pub(super) fn line_of_token(&self) -> (usize, usize) {
        let at = self.span().start as usize;
        let before = self.line_ends.partition_point(|&end| end < at).checked_sub(1);
        let line = before.map_or(0, |before| self.line_ends[before] + 1);
        let text = &self.text[line..at];
        (text.len() - text.trim_start_matches([' ', '\t']).len(), line)
    }
    /// The lines below that of the current token.
    pub(super) fn lines_below(&self) -> impl Iterator<Item = Span> + '_ {
        let at = self.span().start as usize;
        let first = self.line_ends.partition_point(|&end| end < at);
        (first..self.line_ends.len()).inspect(|_| self.look()).map(|before| {
            let end = self.line_ends.get(before + 1).copied().unwrap_or(self.text.len());
            Span::new(self.line_ends[before] + 1, end)
        })
    }
    /// Whether there is an error behind this place.
    pub(super) fn has_error_since(&self, place: usize) -> bool {
        self.errors.last().is_some_and(|last| last.span.start as usize >= place)
    }
    /// A line ends between the last consumed token and the current one.
    pub(crate) fn newline_before(&self) -> bool {
        self.tokens[self.consumed..self.at].iter().any(|token| token.kind == TokenKind::Newline)
    }
    /// A line ends before the current token, outside brackets.
    pub(crate) fn at_line_end(&self) -> bool {
        self.by_lines && self.brackets == 0 && self.consumed > 0 && self.newline_before()
    }
    /// The current token begins a line that is indented deeper than the statement's first, and so continues
    /// the statement.
    pub(crate) fn at_continuation(&self) -> bool {
        self.newline_before() && self.line_start().column() > self.indent
    }
    /// The current token begins a statement.
    pub(crate) fn begin_statement(&mut self) {
        if self.consumed == 0 || self.newline_before() {
            self.indent = self.line_start().column();
        }
        (self.brackets, self.bars) = (0, false);
    }
    pub(crate) fn within_bars(&self) -> bool {
        self.bars
    }
    pub(crate) fn with_bars(&mut self, parse: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.bars, true);
        parse(self);
        self.bars = outer;
    }
    /// There is no space, comment or line end between the last consumed token and the current one.
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
    /// Consumes tokens up to `offset`; whether a token ends there.
    pub(crate) fn bump_until(&mut self, offset: usize) -> bool {
        while !self.at_end() && (self.span().start as usize) < offset && self.span().end as usize <= offset {
            self.bump();
        }
        let whole = self.at_end() || self.span().start as usize >= offset;
        if !whole {
            self.bump();
        }
        whole
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
    /// Consumes a `>`, also that of `tensor<2xf64>=[1, 2]`.
    pub(crate) fn eat_closing_angle(&mut self) -> bool {
        self.split_closing_angle();
        self.eat(TokenKind::Gt)
    }
    /// Turns `>=` into `>` and `=`.
    fn split_closing_angle(&mut self) {
        if self.at(TokenKind::Ge) {
            let (at, start) = (self.at, self.span().start);
            let parts = vec![Token { kind: TokenKind::Gt, start }, Token { kind: TokenKind::Eq, start: start + 1 }];
            self.replace_token(at, parts);
        }
    }
    /// Turns a comment that follows the last consumed token on its line into the operator `//` and the tokens after it,
    /// if it reads like a block size: `i // 2 : dense`. UST writes block sizes like this; in MLIR it is a mistake, and
    /// treated as one only if nothing else continues after the comment.
    pub(crate) fn split_comment(&mut self) -> bool {
        let ahead = self.consumed..self.at;
        let Some(at) = ahead.into_iter().find(|&at| self.tokens[at].kind == TokenKind::Comment) else { return false };
        let span = self.token_span(at);
        let only_spaces =
            self.text[self.consumed_end()..span.start as usize].trim_start_matches([' ', '\t']).is_empty();
        if self.goes_on_in_mlir() || !only_spaces || !is_block_size(&self.text[span.range()]) {
            return false;
        }
        let start = span.start as usize + 2;
        let mut tokens = vec![Token { kind: TokenKind::SlashSlash, start: span.start }];
        tokens.extend(self.tokens_between(start, span.end as usize));
        self.replace_token(at, tokens);
        self.at = at;
        true
    }

    /// At a string that the end of its line cuts off.
    pub(crate) fn at_open_string(&self) -> bool {
        let text = self.peek_text();
        self.at(TokenKind::String) && (text.len() < 2 || !text.ends_with('"'))
    }
    /// Turns the open string here into its quote and the tokens after it.
    pub(crate) fn split_quote(&mut self) {
        let span = self.span();
        let mut tokens = vec![Token { kind: TokenKind::Error, start: span.start }];
        tokens.extend(self.tokens_between(span.start as usize + 1, span.end as usize));
        self.replace_token(self.at, tokens);
    }
    fn tokens_between(&self, start: usize, end: usize) -> Vec<Token> {
        let inner = lex(&self.text[start..end]);
        let inner = inner.into_iter().filter(|token| token.kind != TokenKind::Eof);
        inner.map(|token| Token { kind: token.kind, start: token.start + start as u32 }).collect()
    }
    fn replace_token(&mut self, at: usize, tokens: Vec<Token>) {
        let more = tokens.len() - 1;
        self.tokens.splice(at..=at, tokens);
        self.fences.iter_mut().filter(|fence| fence.at > at).for_each(|fence| fence.at += more);
        self.limit = self.limit.saturating_add(more);
    }
    /// The bracket that closes the one here, if both are on a short stretch of the text.
    pub(crate) fn closing_ahead(&self) -> Option<(TokenKind, Span)> {
        // More tokens than the levels of any encoding take.
        const MOST: usize = 256;
        let mut open = vec![self.peek().closing()?];
        let places = (self.at + 1..self.tokens.len().min(self.limit)).take(MOST).inspect(|_| self.look());
        for at in places {
            let kind = self.tokens[at].kind;
            open.extend(kind.closing());
            if open.last() == Some(&kind) {
                open.pop();
                if open.is_empty() {
                    return Some((kind, self.token_span(at)));
                }
            }
        }
        None
    }

    /// In MLIR `//` always begins a comment, and the text after it continues the expression.
    fn goes_on_in_mlir(&self) -> bool {
        use TokenKind::{Colon, Comma, Minus, Plus, RParen, Star};
        let word = self.at(TokenKind::Ident) && matches!(self.peek_text(), "floordiv" | "ceildiv" | "mod");
        !self.by_lines && (word || matches!(self.peek(), Colon | Comma | Minus | Plus | RParen | Star))
    }
}

/// `// 2 : dense`
fn is_block_size(comment: &str) -> bool {
    let size = comment.trim_start_matches('/').trim_start();
    let rest = size.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < size.len() && rest.trim_start().starts_with(':')
}

/// The start of the statement that contains a place.
pub(crate) fn line_start(p: &Parser, place: usize) -> usize {
    let before = p.text_at(Span::new(0, place));
    let start = before.rfind(['\n', '\r', ';']).map_or(0, |end| end + 1);
    start + spaces(&before[start..]) as usize
}

pub(crate) fn spaces(text: &str) -> u32 {
    (text.len() - text.trim_start().len()) as u32
}

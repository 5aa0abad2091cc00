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
}

#[derive(Clone, Copy)]
struct Fence {
    at: usize,
    column: usize,
}

/// The first token of a line, and what is behind it.
#[derive(Clone, Copy)]
pub struct LineStart<'p> {
    parser: &'p Parser,
    at: usize,
}

impl<'p> LineStart<'p> {
    pub fn kind(self) -> TokenKind {
        self.parser.tokens[self.at].kind
    }
    pub fn text(self) -> &'p str {
        &self.parser.text[self.parser.token_span(self.at).range()]
    }
    /// The kind of the next token on the line, or `Newline`.
    pub fn next(self) -> TokenKind {
        self.parser.next_on_line_of(self.at)
    }
    /// Whether a token of this kind stands on the line.
    pub fn holds(self, kind: TokenKind) -> bool {
        let line = self.parser.tokens[self.at..].iter().map(|token| token.kind);
        { line }.take_while(|other| *other != TokenKind::Newline).any(|other| other == kind)
    }
    /// How far the line is indented, in bytes.
    pub fn column(self) -> usize {
        let start = self.parser.tokens[self.at].start as usize;
        let ends = &self.parser.line_ends;
        let before = ends.partition_point(|&end| end < start);
        start - before.checked_sub(1).map_or(0, |line| ends[line] + 1)
    }
}

/// A state to which a parser can go back.
pub struct Bookmark {
    at: usize,
    consumed: usize,
    nodes: usize,
    errors: usize,
    tokens: usize,
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
        let line_ends = text.match_indices('\n').map(|(at, _)| at).collect();
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
        };
        parser.skip_trivia();
        parser
    }
    /// For MLIR, where statements do not end with their lines.
    pub(super) fn for_mlir(text: impl Into<Arc<str>>) -> Self {
        Self { by_lines: false, ..Self::new(text) }
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
        (self.at..end).filter(|&at| !self.tokens[at].kind.is_trivia()).nth(n)
    }
    /// The kind of the n-th token ahead that is not trivia; `nth(0)` is `peek()`.
    pub fn nth(&self, n: usize) -> TokenKind {
        self.ahead(n).map_or(TokenKind::Eof, |at| self.tokens[at].kind)
    }
    /// The kind of the token behind the current one on its line, or `Newline`.
    pub fn next_on_line(&self) -> TokenKind {
        self.next_on_line_of(self.at)
    }
    fn next_on_line_of(&self, at: usize) -> TokenKind {
        let mut behind = self.tokens.iter().skip(at + 1).map(|token| token.kind);
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
    /// The very next token, without a space between, is `kind`.
    pub fn next_is_joined(&self, kind: TokenKind) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| token.kind == kind)
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
    /// The text from the current token on.
    pub fn rest(&self) -> &str {
        &self.text[self.span().start as usize..]
    }
    pub fn text_at(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
    /// The place of what was consumed since `from`.
    pub fn span_since(&self, from: Checkpoint) -> Span {
        let start = self.tokens[from.first as usize].start as usize;
        Span::new(start, self.consumed_end().max(start))
    }
    pub fn text_since(&self, from: Checkpoint) -> &str {
        self.text_at(self.span_since(from))
    }
    /// The place of the current token; at the end of the text, the one behind what has been consumed: what is
    /// missing there is missing where the writer stopped, not below blank lines.
    pub fn span(&self) -> Span {
        if self.at_end() { Span::at(self.consumed_end()) } else { self.token_span(self.at) }
    }
    fn token_span(&self, at: usize) -> Span {
        let end = self.tokens.get(at + 1).map_or(self.text.len(), |next| next.start as usize);
        Span::new(self.tokens[at].start as usize, end)
    }
    /// Where the last consumed token ends.
    pub fn consumed_end(&self) -> usize {
        self.tokens[self.consumed].start as usize
    }
    /// The last consumed token that is no trivia.
    pub(super) fn last_span(&self) -> Span {
        self.consumed.checked_sub(1).map_or(Span::at(0), |at| self.token_span(at))
    }
    /// A line ends between the last consumed token and the current one.
    pub fn newline_before(&self) -> bool {
        self.tokens[self.consumed..self.at].iter().any(|token| token.kind == TokenKind::Newline)
    }
    /// A line ends before the current token, outside of brackets.
    pub fn at_line_end(&self) -> bool {
        self.by_lines && self.brackets == 0 && self.consumed > 0 && self.newline_before()
    }
    /// The current token begins a line that is indented deeper than the statement's first: it goes on with it.
    pub fn at_continuation(&self) -> bool {
        self.newline_before() && self.line_start().column() > self.indent
    }
    /// The current token begins a statement.
    pub fn begin_statement(&mut self) {
        if self.consumed == 0 || self.newline_before() {
            self.indent = self.line_start().column();
        }
        (self.brackets, self.bars) = (0, false);
    }
    pub fn within_bars(&self) -> bool {
        self.bars
    }
    pub fn with_bars(&mut self, parse: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.bars, true);
        parse(self);
        self.bars = outer;
    }
    /// No space, comment or line end stands between the last consumed token and the current one.
    pub fn joined(&self) -> bool {
        self.consumed == self.at
    }

    // Fences: what is unfinished ends in front of what can only be something new.

    /// Sets the fences: the lines that can only begin something new.
    pub(super) fn set_fences(&mut self, is_fence: impl Fn(LineStart<'_>) -> bool) {
        let mut first = true;
        let mut fences = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            if token.kind == TokenKind::Newline {
                first = true;
            } else if !token.kind.is_trivia() && token.kind != TokenKind::Eof {
                let line = LineStart { parser: self, at };
                if first && is_fence(line) {
                    fences.push(Fence { at, column: line.column() });
                }
                first = false;
            }
        }
        self.fences = fences;
    }
    /// Lets `read` see no further than the next fence.
    pub(super) fn fenced(&mut self, read: impl FnOnce(&mut Parser)) {
        self.fenced_at(usize::MAX, read);
    }
    /// Lets `read` see no further than the next fence that is indented by no more than `column`.
    pub(super) fn fenced_at(&mut self, column: usize, read: impl FnOnce(&mut Parser)) {
        let next = self.fences.partition_point(|fence| fence.at <= self.at);
        let fence = self.fences.iter().skip(next).find(|fence| fence.column <= column);
        self.limited(fence.map_or(usize::MAX, |fence| fence.at), read);
    }
    fn limited(&mut self, limit: usize, read: impl FnOnce(&mut Parser)) {
        let outer = self.limit;
        self.limit = limit.min(outer);
        let counted = self.tokens.len();
        read(self);
        // Comments that were split have moved what is behind them.
        self.limit = if outer == usize::MAX { outer } else { outer + (self.tokens.len() - counted) };
    }
    /// At a fence.
    pub fn at_fence(&self) -> bool {
        self.fences.binary_search_by_key(&self.at, |fence| fence.at).is_ok()
    }
    /// The token that starts the current line.
    pub(super) fn line_start(&self) -> LineStart<'_> {
        LineStart { parser: self, at: self.at }
    }
    pub(super) fn bookmark(&self) -> Bookmark {
        let (nodes, errors, tokens) = (self.nodes.len(), self.errors.len(), self.tokens.len());
        Bookmark { at: self.at, consumed: self.consumed, nodes, errors, tokens }
    }
    /// Where what has been read since `from` has errors and goes on behind a line that looks like a beginning, goes
    /// back and reads it again with `read`, up to that line.
    pub(super) fn retry_up_to(
        &mut self,
        from: &Bookmark,
        begins: impl Fn(LineStart<'_>) -> bool,
        read: impl FnOnce(&mut Parser),
    ) {
        let (Some(last), true) = (self.errors[from.errors..].last(), self.tokens.len() == from.tokens) else { return };
        let seen = self.tokens[..=self.at].partition_point(|token| token.start <= last.span.start).max(self.at);
        let starts = (from.at..seen).filter(|&at| self.tokens[at].kind == TokenKind::Newline);
        let starts = starts.filter_map(|line| (line..seen).find(|&at| !self.tokens[at].kind.is_trivia()));
        let Some(limit) = { starts }.find(|&at| begins(LineStart { parser: self, at })) else { return };
        self.nodes.truncate(from.nodes);
        self.errors.truncate(from.errors);
        (self.at, self.consumed) = (from.at, from.consumed);
        self.limited(limit, read);
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
    pub fn bump_until(&mut self, offset: usize) -> bool {
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
    /// Takes a `>`, that of `tensor<2xf64>=[1, 2]` too.
    pub fn eat_closing_angle(&mut self) -> bool {
        if self.at(TokenKind::Ge) {
            let (at, start) = (self.at, self.span().start);
            let parts = [Token { kind: TokenKind::Gt, start }, Token { kind: TokenKind::Eq, start: start + 1 }];
            self.tokens.splice(at..=at, parts);
            self.fences.iter_mut().filter(|fence| fence.at > at).for_each(|fence| fence.at += 1);
            self.limit = self.limit.saturating_add(1);
        }
        self.eat(TokenKind::Gt)
    }
    /// Turns a comment that follows the last consumed token on its line into the operator `//` and the tokens
    /// behind it, if it reads like a block size: `i // 2 : dense`. So UST writes; in MLIR it is a mistake, and taken for
    /// one only where nothing else goes on behind the comment.
    pub fn split_comment(&mut self) -> bool {
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
        let inner = lex(&self.text[start..span.end as usize]);
        let shifted = inner.iter().filter(|token| token.kind != TokenKind::Eof);
        tokens.extend(shifted.map(|token| Token { kind: token.kind, start: token.start + start as u32 }));
        let more = tokens.len() - 1;
        self.tokens.splice(at..=at, tokens);
        self.fences.iter_mut().filter(|fence| fence.at > at).for_each(|fence| fence.at += more);
        self.limit = self.limit.saturating_add(more);
        self.at = at;
        true
    }

    /// In MLIR `//` always begins a comment, and what is behind it goes on with the expression.
    fn goes_on_in_mlir(&self) -> bool {
        use TokenKind::{Colon, Comma, Minus, Plus, RParen, Star};
        let word = self.at(TokenKind::Ident) && matches!(self.peek_text(), "floordiv" | "ceildiv" | "mod");
        !self.by_lines && (word || matches!(self.peek(), Colon | Comma | Minus | Plus | RParen | Star))
    }

    // Reporting.

    /// Reports "expected WHAT, found ...", once per place.
    pub fn error_expected(&mut self, what: &str, expected: &[&'static str]) {
        let mut error = self.expected(what);
        error.expected = expected.to_vec();
        self.report(error);
    }
    /// "expected WHAT, found ...": what a statement lacks on its line, it lacks at the line's end.
    fn expected(&self, what: &str) -> SyntaxError {
        let line_ends = self.at_line_end();
        let found = match self.peek() {
            TokenKind::Eof if !self.is_cut() => TokenKind::Eof.describe().to_string(),
            TokenKind::Eof => TokenKind::Newline.describe().to_string(),
            _ if line_ends => TokenKind::Newline.describe().to_string(),
            _ => format!("`{}`", self.peek_text().trim_end()),
        };
        let span = if line_ends { Span::at(self.consumed_end()) } else { self.span() };
        SyntaxError::new(span, format!("expected {what}, found {found}")).label(format!("expected {what}"))
    }
    pub fn error_at(&mut self, span: Span, message: impl Into<String>, expected: &[&'static str]) {
        let expected = expected.to_vec();
        self.report(SyntaxError { expected, ..SyntaxError::new(span, message) });
    }
    /// Keeps an error about the current place, unless there is one at the place or behind it.
    pub fn report(&mut self, mut error: SyntaxError) {
        error.at_end = self.at_end() && !self.is_cut();
        if self.errors.last().is_none_or(|last| last.span.start < error.span.start) {
            self.errors.push(error);
        }
    }
    /// Reports at `span` something that has another spelling, with what to write instead; a second time in a row, only
    /// what else to write.
    pub(super) fn error_respelt(&mut self, span: Span, message: &str, title: &str, edits: Vec<(Span, String)>) {
        let last = self.errors.last_mut().filter(|last| last.message == message);
        match last.and_then(|last| last.fix.as_mut()) {
            Some(fix) => fix.edits.extend(edits),
            None => self.report(SyntaxError::new(span, message).label(title).guess(title, edits)),
        }
    }
    /// As [`Parser::error_respelt`] at a place already passed.
    pub(super) fn insert_respelt(&mut self, span: Span, message: &str, title: &str, edits: Vec<(Span, String)>) {
        self.insert_error(SyntaxError::new(span, message).label(title).guess(title, edits));
    }
    /// What mends the error that was reported last is `text` behind what has been consumed, and not only a token.
    pub(super) fn repair_last(&mut self, title: &str, text: &str) {
        let at = Span::at(self.consumed_end());
        if let Some(error) = self.errors.pop() {
            self.errors.push(error.guess(title, vec![(at, text.to_string())]));
        }
    }
    /// Reports that a token of `kind` is missing here, with the place where it would go.
    pub fn error_missing(&mut self, kind: TokenKind) {
        let text = kind.describe().trim_matches('`');
        let place = Span::at(self.consumed_end());
        let error = self.expected(kind.describe());
        self.report(error.fix(format!("insert `{text}`"), vec![(place, text.to_string())]));
    }
    /// Reports behind what has been consumed that the bracket at `opened` was not closed before something new began.
    pub(super) fn error_never_closed(&mut self, closing: TokenKind, opened: Span) {
        let (span, at_end) = (Span::at(self.consumed_end()), self.at_end() && !self.is_cut());
        let text = closing.describe();
        let error = SyntaxError::new(span, format!("{text} is missing")).label(format!("{text} is missing"));
        let error = SyntaxError { at_end, opened: Some(opened), ..error };
        let error = error.fix(format!("insert {text}"), vec![(span, text.trim_matches('`').to_string())]);
        let at = self.errors.partition_point(|error| error.span.start <= span.start);
        self.errors.insert(at, error);
    }
    /// Reports an error at a place already passed, keeping the order of the text.
    pub fn insert_error(&mut self, error: SyntaxError) {
        let at = self.errors.partition_point(|known| known.span.start < error.span.start);
        self.errors.insert(at, error);
    }
    /// More text follows behind what can be seen.
    fn is_cut(&self) -> bool {
        self.tokens[self.at].kind != TokenKind::Eof
    }
    /// Reports every character that no token starts with, wherever a grammar has passed over it.
    pub fn report_strays(&mut self) {
        let stray = |at: &usize| matches!(self.tokens[*at].kind, TokenKind::Error | TokenKind::Semicolon);
        let first = |at: &usize| *at == 0 || !stray(&(*at - 1));
        let known = |span: Span| self.errors.binary_search_by_key(&span.start, |error| error.span.start).is_ok();
        let places = (0..self.tokens.len()).filter(|at| stray(at) && first(at)).map(|at| self.token_span(at));
        let found = places.filter(|span| !known(*span)).map(|span| {
            let message = format!("`{}` is no part of MLIR", self.text_at(span));
            SyntaxError::new(span, message).label("a stray character")
        });
        let found: Vec<SyntaxError> = found.collect();
        self.errors.extend(found);
        self.errors.sort_by_key(|error| error.span.start);
    }
    /// Errors since `count` that lie behind what was consumed are moved to its end: they are about what is missing there.
    pub fn claim_errors(&mut self, count: usize) {
        let end = Span::at(self.consumed_end());
        for error in self.errors.iter_mut().skip(count) {
            if error.span.start > end.start {
                error.span = end;
            }
        }
    }
    pub fn error_count(&self) -> usize {
        self.errors.len()
    }

    // Brackets, within which lines do not end.

    /// Consumes an opening bracket; its place.
    pub fn open_bracket(&mut self) -> Span {
        let place = self.span();
        self.bump();
        self.brackets += 1;
        place
    }
    /// What `parse` reads stands in brackets.
    pub fn within_brackets<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        self.brackets += 1;
        let parsed = parse(self);
        self.brackets = self.brackets.saturating_sub(1);
        parsed
    }
    /// Consumes the bracket that closes the one at `open`; a line that goes on with something else is reported there.
    pub fn close_bracket(&mut self, open: Span, closing: TokenKind, wanted: &str) {
        self.brackets = self.brackets.saturating_sub(1);
        if self.eat(closing) {
            return;
        }
        let known = self.errors.last().is_some_and(|last| last.span.end as usize >= self.consumed_end());
        if self.newline_before() || self.at_end() {
            return if known { self.mark_unclosed(open) } else { self.error_unclosed_bracket(closing, open) };
        }
        let error = self.expected(wanted);
        self.report(error);
        self.skip_until(|p| p.newline_before() || p.at(closing));
        self.eat(closing);
    }
    /// The operand that is missing at the end is told already: the open bracket is marked with it.
    fn mark_unclosed(&mut self, open: Span) {
        if let Some(last) = self.errors.last_mut() {
            last.opened.get_or_insert(open);
        }
    }
    /// Where the bracket would be closed is plain if there is no other one in it.
    fn error_unclosed_bracket(&mut self, closing: TokenKind, open: Span) {
        self.error_never_closed(closing, open);
        let inner = &self.text[open.end as usize..self.consumed_end().max(open.end as usize)];
        let plain = !inner.contains(['(', '[', '{']);
        if let Some(last) = self.errors.last_mut() {
            last.fix = last.fix.take().filter(|_| plain);
        }
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
        if self.errors.last().is_none_or(|last| last.message != message) {
            self.error_at(self.span(), message, &[]);
        }
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
        let start = self.at;
        let ended = |this: &Self| ends.contains(&this.peek()) || (this.at > start && this.at_line_end());
        while !self.at_end() && !ended(self) {
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
            if open.is_empty() || self.at_end() {
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

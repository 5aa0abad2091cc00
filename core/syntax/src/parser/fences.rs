//! Fences: an unfinished construct ends before a line that can only begin a new one.

use super::{Parser, TokenKind};

#[derive(Clone, Copy)]
pub(super) struct Fence {
    pub(super) at: usize,
    column: usize,
}

/// The first token of a line, and the tokens after it.
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
    /// Whether a token of this kind is on the line, outside brackets, including brackets that close here and open
    /// above.
    pub fn holds(self, kind: TokenKind) -> bool {
        let line = self.parser.tokens[self.at..].iter().inspect(|_| self.parser.look()).map(|token| token.kind);
        let mut depth = 0;
        for other in line.take_while(|other| *other != TokenKind::Newline) {
            depth += nesting(other);
            if depth < 0 || depth == 0 && other == kind {
                return depth == 0;
            }
        }
        false
    }
    /// The indentation of the line, in bytes.
    pub fn column(self) -> usize {
        let start = self.parser.tokens[self.at].start as usize;
        let ends = &self.parser.line_ends;
        let before = ends.partition_point(|&end| end < start);
        start - before.checked_sub(1).map_or(0, |line| ends[line] + 1)
    }
}

/// By how much a token nests what follows deeper.
fn nesting(kind: TokenKind) -> i32 {
    use TokenKind::*;
    let opens = matches!(kind, LParen | LBracket | LBrace);
    i32::from(opens) - i32::from(matches!(kind, RParen | RBracket | RBrace))
}

/// A state to which a parser can go back.
pub struct Bookmark {
    at: usize,
    consumed: usize,
    nodes: usize,
    errors: usize,
    tokens: usize,
}

impl Parser {
    /// Sets the fences: the lines that can only begin something new.
    pub(crate) fn set_fences(&mut self, is_fence: impl Fn(LineStart<'_>) -> bool) {
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
    pub(crate) fn fenced(&mut self, read: impl FnOnce(&mut Parser)) {
        self.fenced_at(usize::MAX, read);
    }
    /// Lets `read` see no further than the next fence that is indented by no more than `column`.
    pub(crate) fn fenced_at(&mut self, column: usize, read: impl FnOnce(&mut Parser)) {
        let next = self.fences.partition_point(|fence| fence.at <= self.at);
        let fence = self.fences.iter().skip(next).find(|fence| fence.column <= column);
        self.limited(fence.map_or(usize::MAX, |fence| fence.at), read);
    }
    /// Lets `read` see no further than this line, if it has but `count` more tokens and `begins` holds of the next one.
    pub(crate) fn ended_with_line(
        &mut self,
        count: usize,
        begins: impl Fn(LineStart<'_>) -> bool,
        read: impl FnOnce(&mut Parser),
    ) -> bool {
        let Some(limit) = self.line_after(count).filter(|line| begins(*line)).map(|line| line.at) else { return false };
        self.limited(limit, read);
        true
    }
    fn line_after(&self, count: usize) -> Option<LineStart<'_>> {
        let rest = || self.tokens[self.at..].iter().inspect(|_| self.look());
        // No more of a long line is looked at than `count` words and one.
        let mut words = 0;
        let end = rest().position(|token| {
            words += usize::from(!token.kind.is_trivia());
            token.kind == TokenKind::Newline || words > count
        });
        let line = end.filter(|_| words == count)?;
        let next = rest().skip(line).position(|token| !token.kind.is_trivia())?;
        Some(LineStart { parser: self, at: self.at + line + next })
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
    pub(crate) fn at_fence(&self) -> bool {
        self.fences.binary_search_by_key(&self.at, |fence| fence.at).is_ok()
    }
    /// The token that starts the current line.
    pub(crate) fn line_start(&self) -> LineStart<'_> {
        LineStart { parser: self, at: self.at }
    }
    pub(crate) fn bookmark(&self) -> Bookmark {
        let (nodes, errors, tokens) = (self.nodes.len(), self.errors.len(), self.tokens.len());
        Bookmark { at: self.at, consumed: self.consumed, nodes, errors, tokens }
    }
    /// If the text read since `from` has errors and continues after a line that looks like a beginning, reads it
    /// again with `read`, up to that line.
    pub(crate) fn retry_up_to(
        &mut self,
        from: &Bookmark,
        begins: impl Fn(LineStart<'_>) -> bool,
        read: impl FnOnce(&mut Parser),
    ) {
        let (Some(last), true) = (self.errors[from.errors..].last(), self.tokens.len() == from.tokens) else { return };
        let seen = self.tokens[..=self.at].partition_point(|token| token.start <= last.span.start).max(self.at);
        let starts = (from.at..seen).inspect(|_| self.look()).filter(|&at| self.tokens[at].kind == TokenKind::Newline);
        let starts = starts.filter_map(|line| (line..seen).find(|&at| !self.tokens[at].kind.is_trivia()));
        let Some(limit) = { starts }.find(|&at| begins(LineStart { parser: self, at })) else { return };
        self.nodes.truncate(from.nodes);
        self.errors.truncate(from.errors);
        (self.at, self.consumed) = (from.at, from.consumed);
        self.limited(limit, read);
    }
}

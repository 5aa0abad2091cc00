//! A cursor over the tokens.

use super::Reader;
use crate::mistake::{Mistake, Read};
use nnz_base::source::Span;
use nnz_syntax::{TokenKind, TokenRef};

/// Of each token that opens a group, the one that closes it. A bracket that closes another kind is passed over.
pub(super) fn closings(tokens: &[TokenRef<'_>]) -> Vec<Option<usize>> {
    let mut closings = vec![None; tokens.len()];
    let mut open: Vec<(usize, TokenKind)> = Vec::new();
    for (at, kind) in tokens.iter().map(|token| token.kind()).enumerate() {
        if let Some(closing) = kind.closing() {
            open.push((at, closing));
        } else if let Some((opening, _)) = open.pop_if(|(_, closing)| *closing == kind) {
            closings[opening] = Some(at);
        }
    }
    closings
}

impl<'c> Reader<'c> {
    /// Tokens from here on are not looked at.
    pub(super) fn end(&self) -> usize {
        self.item.as_ref().map_or(self.tokens.len(), |item| item.end)
    }
    fn token(&self, at: usize) -> Option<TokenRef<'c>> {
        self.tokens.get(at).copied().filter(|_| at < self.end())
    }
    pub fn peek(&self) -> TokenKind {
        self.nth(0)
    }
    /// The kind of the n-th token ahead.
    pub fn nth(&self, n: usize) -> TokenKind {
        self.token(self.at + n).map_or(TokenKind::Eof, TokenRef::kind)
    }
    pub fn text(&self) -> &'c str {
        self.nth_text(0)
    }
    pub fn nth_text(&self, n: usize) -> &'c str {
        self.token(self.at + n).map_or("", TokenRef::text)
    }
    /// The current token's place; behind the last one, its end.
    pub fn span(&self) -> Span {
        let last = || self.end().checked_sub(1).and_then(|last| self.token(last));
        let end = || last().map_or(0, |token| token.span().end as usize);
        self.token(self.at).map_or_else(|| Span::at(end()), TokenRef::span)
    }
    /// The place of the token before the current one.
    pub fn last_span(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.token(at)).map_or(Span::at(0), TokenRef::span)
    }
    pub fn at_end(&self) -> bool {
        self.at >= self.end()
    }
    pub fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }
    pub fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Ident) && self.text() == word
    }
    /// A line ends before the current token.
    pub fn begins_line(&self) -> bool {
        self.line_begins_at(self.at)
    }
    /// A line ends before a token.
    pub(super) fn line_begins_at(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).and_then(|before| self.tokens.get(before)) else { return true };
        let end = self.tokens.get(at).map_or(self.checked.tree.text().len(), |token| token.span().start as usize);
        let between = self.checked.tree.text().as_bytes().get(before.span().end as usize..end).unwrap_or_default();
        between.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
    }
    /// There is no space between the last token and the current one.
    pub fn joined(&self) -> bool {
        self.last_span().end == self.span().start
    }

    pub fn bump(&mut self) {
        self.at = (self.at + 1).min(self.end());
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
    /// # Errors
    /// Another token.
    pub fn expect(&mut self, kind: TokenKind) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.expected(kind.describe())) }
    }
    /// # Errors
    /// Another token.
    pub(crate) fn expect_word(&mut self, word: &str) -> Read<()> {
        if self.eat_word(word) {
            return Ok(());
        }
        let mistake = self.expected(&format!("`{word}`"));
        let meant = self.at(TokenKind::Arrow) && word == "to"
            || self.at(TokenKind::Ident) && nnz_base::diagnostic::distance(word, self.text()) <= 1;
        Err(if meant && !self.begins_line() { mistake.guess(self.span(), word) } else { mistake })
    }
    /// The text of a token that must be of a kind.
    ///
    /// # Errors
    /// Another token.
    pub(crate) fn word_of(&mut self, kind: TokenKind, what: &str) -> Read<&'c str> {
        if !self.at(kind) {
            return Err(self.expected(what));
        }
        let text = self.text();
        self.bump();
        Ok(text)
    }
    /// "expected WHAT, found ..."
    pub fn expected(&self, what: &str) -> Mistake {
        if self.begins_line() && !self.at_end() && self.at > 0 {
            // What is missing is missing in the line before.
            let behind = Span::at(self.last_span().end as usize);
            return Mistake::syntax(behind, format!("expected {what}, found the end of the line"));
        }
        let found = if self.at_end() { self.end_text().to_string() } else { format!("`{}`", self.text()) };
        Mistake::syntax(self.span(), format!("expected {what}, found {found}"))
    }

    /// For a definition it does not depend on what follows, because the findings in it may be kept.
    fn end_text(&self) -> &'static str {
        if self.item.is_some() { "the end of the definition" } else { "the end of the text" }
    }

    /// Skips one token, or a whole group in closed brackets.
    pub(crate) fn skip_group(&mut self) {
        let closing = self.closings.get(self.at).copied().flatten().filter(|closing| *closing < self.end());
        self.at = (closing.unwrap_or(self.at) + 1).min(self.end());
    }
    /// Skips `<...>` and returns the text between.
    ///
    /// # Errors
    /// No `<`; one that is not closed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub fn angles(&mut self) -> Read<&'c str> {
        let start = self.span().end as usize;
        self.expect(TokenKind::Lt)?;
        let mut depth = 1usize;
        loop {
            match self.peek() {
                TokenKind::Lt => depth += 1,
                TokenKind::Gt => depth -= 1,
                TokenKind::Eof => {
                    let open = Span::new(start - 1, start);
                    return Err(Mistake::syntax(open, "this `<` is never closed: `>` is missing").label("never closed"));
                }
                _ => {}
            }
            let end = self.span().start as usize;
            self.bump();
            if depth == 0 {
                return Ok(self.checked.tree.text().get(start..end).unwrap_or_default());
            }
        }
    }

    /// `item (',' item)*`
    ///
    /// # Errors
    /// As `item`.
    pub fn separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }
    /// `open (item (',' item)*)? close`
    ///
    /// # Errors
    /// A missing bracket; as `item`.
    pub fn bracketed<T>(
        &mut self,
        open: TokenKind,
        close: TokenKind,
        item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let items = if close == TokenKind::RParen { self.in_parentheses(item)? } else { self.separated(item)? };
        let item_follows = matches!(self.peek(), TokenKind::String | TokenKind::Int | TokenKind::Float);
        if close == TokenKind::RBracket && item_follows && !self.begins_line() {
            let (behind, found) = (Span::at(self.last_span().end as usize), self.text());
            let mistake = Mistake::syntax(self.span(), format!("expected `,` or `]`, found `{found}`"));
            return Err(mistake.label("a `,` is missing before this").fix("insert `,`", behind, ","));
        }
        self.expect(close)?;
        Ok(items)
    }
    /// As [`Reader::separated`]; a `,` that is missing in front of a value is reported.
    fn in_parentheses<T>(&mut self, mut item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = vec![item(self)?];
        loop {
            let (behind, found) = (Span::at(self.last_span().end as usize), self.text());
            let lacks = self.at(TokenKind::PercentId) && !self.begins_line();
            if lacks {
                let mistake = Mistake::syntax(self.span(), format!("expected `,` or `)`, found `{found}`"));
                self.report(mistake.label("a `,` is missing before this").fix("insert `,`", behind, ","));
            } else if !self.eat(TokenKind::Comma) {
                return Ok(items);
            }
            items.push(item(self)?);
        }
    }
    /// `( ... )`
    ///
    /// # Errors
    /// A missing bracket; as `item`.
    pub(crate) fn parenthesized<T>(&mut self, item: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.bracketed(TokenKind::LParen, TokenKind::RParen, item)
    }
}

//! Lists in brackets, and what to write for a bracket of another kind.

use super::ENTRY_KEYS;
use crate::{Checkpoint, NodeKind, Parser, SyntaxError, TokenKind};

/// How lists of one bracket pair are recovered: what closes them, and how the closing one is called.
#[derive(Clone, Copy)]
pub(crate) struct Brackets {
    pub(super) open: TokenKind,
    pub(super) close: TokenKind,
}

pub(crate) const PARENS: Brackets = Brackets { open: TokenKind::LParen, close: TokenKind::RParen };
pub(crate) const SQUARE: Brackets = Brackets { open: TokenKind::LBracket, close: TokenKind::RBracket };
pub(super) const BRACES: Brackets = Brackets { open: TokenKind::LBrace, close: TokenKind::RBrace };

impl Parser {
    /// `open (item (',' item)*)? close` as a node; continues after a bad item.
    pub(crate) fn parse_list(&mut self, kind: NodeKind, brackets: Brackets, what: &str, item: impl Fn(&mut Parser)) {
        let wanted = format!("{} and {what}", brackets.open.describe());
        if !self.at(brackets.open) && self.peek().closing().is_none() {
            return self.error_expected(&wanted, &[]);
        }
        let node = self.open(kind);
        let close = self.open_list(brackets, &wanted);
        if !self.at(close) {
            self.parse_items(Brackets { close, ..brackets }, item);
        }
        let of_map =
            matches!(kind, NodeKind::MapDims | NodeKind::MapLvls | NodeKind::MapSymbols | NodeKind::MapLvlDecls);
        self.close_list(close, if of_map { TokenKind::RBrace } else { TokenKind::RParen });
        self.close(node);
    }

    /// Consumes the opening bracket, or another one in its place; returns its closing bracket.
    pub(super) fn open_list(&mut self, brackets: Brackets, wanted: &str) -> TokenKind {
        if self.eat(brackets.open) {
            return brackets.close;
        }
        let [open, close] = [brackets.open, brackets.close].map(|kind| kind.describe().trim_matches('`'));
        let (opened, closed) = (self.span(), self.closing_ahead());
        let mut edits = vec![(opened, open.to_string())];
        edits.extend(closed.map(|(_, place)| (place, close.to_string())));
        let title = if closed.is_some() { format!("write `{open}` and `{close}`") } else { format!("write `{open}`") };
        let error = self.expected(wanted);
        self.report(error.fix(title, edits));
        self.bump();
        closed.map_or(brackets.close, |(kind, _)| kind)
    }

    /// Consumes the closing bracket, or another one that was typed for it. `outer` closes what is around the list.
    pub(super) fn close_list(&mut self, close: TokenKind, outer: TokenKind) {
        if !self.at(close) && self.at_mistyped(outer) {
            return self.replace_closing(close);
        }
        self.expect(close);
    }

    /// Whether the closing bracket here belongs to this list: no construct around it ends with it, or the text after it
    /// is what follows this list.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn at_mistyped(&self, outer: TokenKind) -> bool {
        let next = self.nth(1);
        let goes_on = next == outer || matches!(next, TokenKind::Arrow | TokenKind::Colon);
        let another_key = self.nth(3) == TokenKind::Eq;
        match self.peek() {
            TokenKind::RBracket => true,
            TokenKind::RParen if outer == TokenKind::RParen => goes_on || next == TokenKind::Comma && !another_key,
            TokenKind::RParen => true,
            TokenKind::RBrace => goes_on || next == TokenKind::Comma,
            _ => false,
        }
    }

    /// Reports the bracket here, which should be `close`, and takes it for that.
    pub(super) fn replace_closing(&mut self, close: TokenKind) {
        let (span, text) = (self.span(), close.describe().trim_matches('`'));
        let error = self.expected(close.describe());
        self.report(error.fix(format!("write `{text}`"), vec![(span, text.to_string())]));
        self.bump();
    }

    /// `>`, or the bracket that was typed for it.
    pub(super) fn close_angle(&mut self) {
        if self.at(TokenKind::RBracket) || self.at(TokenKind::RParen) && self.nth(1) == TokenKind::Gt {
            return self.replace_closing(TokenKind::Gt);
        }
        self.expect(TokenKind::Gt);
    }

    /// At the `}` of a body, or at a token typed in its place.
    pub(super) fn at_body_end(&self) -> bool {
        self.at(TokenKind::RBrace) || self.at_mistyped_brace()
    }

    pub(super) fn at_mistyped_brace(&self) -> bool {
        matches!(self.peek(), TokenKind::RParen | TokenKind::RBracket) && self.nth(1) == TokenKind::Gt
    }

    /// A bracket behind an entry that closes nothing: whether there is one.
    pub(super) fn skip_stray_closing(&mut self) -> bool {
        let found = matches!(self.peek(), TokenKind::RParen | TokenKind::RBracket);
        if found {
            let (span, text) = (self.span(), self.peek_text());
            let error = SyntaxError::new(span, format!("`{text}` closes nothing")).label("nothing opens this");
            self.report(error.fix("remove it", vec![(span, String::new())]));
            self.bump();
        }
        found
    }

    /// The rest of a level whose format is not found, unless another level begins here.
    pub(super) fn skip_unread_level(&mut self) {
        if self.nth(1) != TokenKind::Colon {
            self.skip_until(|p| matches!(p.peek(), TokenKind::Comma | TokenKind::Arrow | TokenKind::Gt));
        }
    }

    /// At `, posWidth = 32`, which goes on behind a list that is still open.
    fn at_key_behind_comma(&self) -> bool {
        self.at(TokenKind::Comma)
            && self.nth(2) == TokenKind::Eq
            && ENTRY_KEYS.contains(&self.nth_text(1))
            && matches!(self.nth(3), TokenKind::Int | TokenKind::Float | TokenKind::Minus | TokenKind::LParen)
    }

    fn parse_items(&mut self, brackets: Brackets, item: impl Fn(&mut Parser)) {
        loop {
            let before = self.checkpoint();
            self.skip_open_quote();
            item(self);
            self.skip_open_quote();
            if self.at_key_behind_comma() {
                return;
            }
            if !self.eat(TokenKind::Comma)
                && (self.at(brackets.close)
                    || self.at_end()
                    || !self.expected_between(TokenKind::Comma, brackets, before))
            {
                return;
            }
        }
    }

    /// Reports a missing separator and finds the next item; `false` where the list is over. `before` is
    /// where the last item began: without progress since then, text is skipped.
    fn expected_between(&mut self, separator: TokenKind, brackets: Brackets, before: Checkpoint) -> bool {
        if self.eat_for_comma() {
            return true;
        }
        let over = |p: &Parser| p.at(TokenKind::Arrow) && (p.moved_since(before) || p.nth(1) == TokenKind::LParen);
        let angle = self.at(TokenKind::Gt) && brackets.close != TokenKind::Gt;
        if self.at_closing() || angle || over(self) {
            return false;
        }
        if self.moved_since(before) {
            if matches!(self.peek(), TokenKind::Ident | TokenKind::Int | TokenKind::LParen | TokenKind::Minus) {
                self.error_missing(separator);
            } else {
                self.error_expected(separator.describe(), &[]);
            }
            if matches!(self.peek(), TokenKind::Ident | TokenKind::Int) {
                return true;
            }
        }
        self.skip_until(|p| p.at(TokenKind::Comma) || p.at(brackets.close) || over(p));
        self.eat(TokenKind::Comma)
    }
}

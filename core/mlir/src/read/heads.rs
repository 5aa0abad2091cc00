//! Slips in the heads of functions.

use super::Reader;
use crate::mistake::{Mistake, Read};
use nnz_base::{element::Element, source::Span};
use nnz_check::MLIR_FAMILIES;
use nnz_syntax::TokenKind;

impl Reader<'_> {
    /// `:`, `=>` or `- >` in place of `->`.
    pub(super) fn no_other_arrow(&self) -> Read<()> {
        let (first, second) = (self.span(), self.nth_text(1));
        let split = matches!(self.text(), "-" | "=") && second == ">";
        let other = matches!(self.text(), ":" | "=>" | "-" | "=");
        if self.begins_line() || !other {
            return Ok(());
        }
        let end =
            if split { self.tokens.get(self.at + 1).map_or(first, |next| first.cover(next.span())) } else { first };
        let found = self.checked.source.slice(end);
        let mistake = Mistake::syntax(end, format!("expected `->` before the results of a function, found `{found}`"));
        Err(mistake.label("not `->`").fix("write `->`", end, "->"))
    }

    /// The `->` in front of the results of a function; a missing one is reported.
    pub(super) fn eat_arrow_of_head(&mut self) -> bool {
        if self.at(TokenKind::Arrow) && self.nth(1) == TokenKind::LBrace {
            let mistake = Mistake::syntax(self.span(), "no results stand behind this `->`").label("nothing follows");
            self.report(mistake.fix("remove it", self.span(), ""));
            self.bump();
            return false;
        }
        if self.eat(TokenKind::Arrow) {
            return true;
        }
        let lacks = self.at_results() && !self.begins_line();
        if lacks {
            let behind = Span::at(self.last_span().end as usize);
            let mistake = self.expected("`->` in front of the results of the function");
            self.report(mistake.label("no `->` in front of this").fix("insert `->`", behind, " ->"));
        }
        lacks
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn at_results(&self) -> bool {
        match self.peek() {
            TokenKind::BangId => true,
            TokenKind::Ident => self.begins_type(0),
            TokenKind::LParen => self.nth(1) == TokenKind::RParen || self.begins_type(1),
            _ => false,
        }
    }

    fn begins_type(&self, n: usize) -> bool {
        let family = MLIR_FAMILIES.contains(&self.nth_text(n)) && self.nth(n + 1) == TokenKind::Lt;
        self.nth(n) == TokenKind::BangId || family || Element::parse(self.nth_text(n)).is_some()
    }
}

//! Affine expressions of maps: `i floordiv 2 + j`.

use crate::{NodeKind, Parser, TokenKind};

impl Parser {
    pub(super) fn at_expr(&self) -> bool {
        matches!(
            self.peek(),
            TokenKind::Ident | TokenKind::Int | TokenKind::Minus | TokenKind::LParen | TokenKind::HashId
        )
    }

    pub(crate) fn parse_expr(&mut self) {
        let from = self.checkpoint();
        self.parse_term();
        while matches!(self.peek(), TokenKind::Plus | TokenKind::Minus) {
            self.bump();
            self.parse_term();
            self.wrap(from, NodeKind::ExprBinary);
        }
    }

    fn parse_term(&mut self) {
        let from = self.checkpoint();
        self.parse_factor();
        while self.eat_term_operator() {
            self.parse_factor();
            self.wrap(from, NodeKind::ExprBinary);
        }
    }

    fn eat_term_operator(&mut self) -> bool {
        if matches!(self.peek(), TokenKind::Star | TokenKind::Slash | TokenKind::Percent) {
            self.bump();
            return true;
        }
        if self.split_comment() {
            self.bump();
            return true;
        }
        let word = self.at(TokenKind::Ident) && matches!(self.peek_text(), "floordiv" | "ceildiv" | "mod");
        if word {
            self.bump();
        }
        word || self.eat_other_division() || self.eat_misspelt_division()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_factor(&mut self) {
        if self.too_deep() {
            return self.skip_until(|_| false);
        }
        let node = match self.peek() {
            TokenKind::Ident => self.open(NodeKind::ExprVar),
            TokenKind::HashId => self.open(NodeKind::ExprCount),
            TokenKind::Int => self.open(NodeKind::ExprInt),
            TokenKind::Minus => self.open(NodeKind::ExprNeg),
            TokenKind::LParen => self.open(NodeKind::ExprParen),
            _ => return self.error_expected("an expression", &["a variable", "an integer", "`-`", "`(`"]),
        };
        let opening = self.peek();
        self.bump();
        if opening == TokenKind::Minus {
            self.parse_factor();
        } else if opening == TokenKind::LParen {
            self.parse_expr();
            self.close_list(TokenKind::RParen, TokenKind::RParen);
        }
        self.close(node);
    }
}

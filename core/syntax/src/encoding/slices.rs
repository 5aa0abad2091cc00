//! Slices of dimensions: `#sparse_tensor<slice(0, 4, 1)>`.

use super::lists::PARENS;
use crate::{NodeKind, Parser, TokenKind};

impl Parser {
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(super) fn parse_slice(&mut self) {
        if self.at_slice() {
            return self.parse_slice_attr();
        }
        match self.peek() {
            TokenKind::HashId => self.parse_alias_ref(),
            TokenKind::Ident | TokenKind::Int => self.parse_attr_value(),
            _ => self.error_expected("a slice", &["#sparse_tensor<slice(offset, size, stride)>"]),
        }
    }

    pub(crate) fn at_slice(&self) -> bool {
        self.at(TokenKind::HashId) && (self.at_dialect_attr("slice") || self.peek_text() == "#sparse_tensor.slice")
    }

    pub(crate) fn parse_slice_attr(&mut self) {
        let node = self.open(NodeKind::Slice);
        let nested = self.peek_text() == "#sparse_tensor";
        self.bump();
        if nested {
            self.bump();
            self.bump();
        }
        self.parse_slice_args();
        if nested {
            self.expect(TokenKind::Gt);
        }
        self.close(node);
    }

    fn parse_slice_args(&mut self) {
        if self.peek().closing().is_none() {
            return self.error_missing(TokenKind::LParen);
        }
        let close = self.open_list(PARENS, TokenKind::LParen.describe());
        while !self.at_end() && !self.at(close) {
            let arg = self.open(NodeKind::SliceArg);
            self.skip_balanced(&[
                TokenKind::Comma,
                TokenKind::RParen,
                TokenKind::RBracket,
                TokenKind::RBrace,
                TokenKind::Gt,
            ]);
            self.close(arg);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close_list(close, TokenKind::Gt);
    }
}

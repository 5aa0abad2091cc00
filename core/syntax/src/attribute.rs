//! Values of attributes, as far as encodings and their historic forms need them:
//!
//! ```text
//! value      ::= encoding | slice | alias | location | affine-map | array | tuple | dictionary | anything up to ',' '}' ']' ')' or '>'
//! array      ::= '[' (value (',' value)*)? ']'
//! tuple      ::= '(' (value (',' value)*)? ')'
//! affine-map ::= 'affine_map' '<' dims symbols? '->' '(' (expr (',' expr)*)? ')' '>'     expr as in encodings
//! dims       ::= '(' (id (',' id)*)? ')'
//! symbols    ::= '[' (id (',' id)*)? ']'
//! alias      ::= '#' id
//! ```

use super::{
    NodeKind, Parser, SyntaxError, TokenKind,
    encoding::lists::{PARENS, SQUARE},
};

/// What ends a value that is not looked into.
const VALUE_ENDS: &[TokenKind] =
    &[TokenKind::Comma, TokenKind::RBrace, TokenKind::RBracket, TokenKind::RParen, TokenKind::Gt];

impl Parser {
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(crate) fn parse_attr_value(&mut self) {
        if self.too_deep() {
            return self.skip_until(|_| false);
        }
        match self.peek() {
            TokenKind::LBracket => self.parse_values(NodeKind::Array, TokenKind::RBracket),
            TokenKind::LParen => self.parse_values(NodeKind::Tuple, TokenKind::RParen),
            TokenKind::LBrace if self.is_mlir() => self.parse_braces(),
            TokenKind::HashId if self.at_encoding_attr() => self.parse_encoding_attr(),
            TokenKind::HashId if self.at_slice() => self.parse_slice_attr(),
            TokenKind::HashId if self.at_alias_ref() => self.parse_alias_ref(),
            TokenKind::Ident if self.at_location() => self.parse_location(),
            TokenKind::Ident if self.at_affine_map() => self.parse_affine_map(),
            TokenKind::BangId if self.at_type_of_encoding() => self.parse_type_as_value(),
            _ => self.parse_other_value(),
        }
    }

    /// `!sparse_tensor.iter_space<<{ map = ... }>, lvls = 0>`
    fn parse_type_as_value(&mut self) {
        let node = self.open(NodeKind::Value);
        self.parse_type_of_encoding();
        self.skip_balanced(&[TokenKind::RBrace, TokenKind::RBracket, TokenKind::RParen, TokenKind::Gt]);
        self.expect(TokenKind::Gt);
        self.close(node);
    }

    pub(super) fn parse_values(&mut self, kind: NodeKind, close: TokenKind) {
        let node = self.open(kind);
        self.bump();
        self.within_brackets(|p| {
            while !p.at_end() && !p.at(close) {
                let string = p.at(TokenKind::String);
                p.parse_attr_value();
                if string && p.at(TokenKind::String) && !p.newline_before() {
                    p.error_missing(TokenKind::Comma);
                } else if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            p.expect(close);
        });
        self.close(node);
    }

    fn parse_other_value(&mut self) {
        let from = self.checkpoint();
        // A string is whole by itself: another alias may follow on its line.
        let whole = matches!(self.nth(1), TokenKind::HashId | TokenKind::BangId | TokenKind::String);
        if self.at(TokenKind::String) && whole {
            self.bump();
        } else {
            self.skip_value();
        }
        if self.moved_since(from) {
            self.wrap(from, NodeKind::Value);
        } else {
            self.error_expected("a value", &[]);
        }
    }

    /// Whether the current token begins a value, or ends a missing one, which is reported elsewhere.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(super) fn begins_value(&self) -> bool {
        use TokenKind::{AtId, BangId, Float, HashId, Ident, Int, LBrace, LBracket, LParen, Minus, String};
        match self.peek() {
            Minus => matches!(self.nth(1), Int | Float),
            HashId | BangId | AtId | Ident | Int | Float | String | LParen | LBracket | LBrace => true,
            _ => self.at_value_end(),
        }
    }

    pub(super) fn at_value_end(&self) -> bool {
        VALUE_ENDS.contains(&self.peek()) || self.at_end()
    }

    /// Skips everything up to the end of a value, which holds no `key =` of another one.
    pub(super) fn skip_value(&mut self) {
        self.skip_balanced_until(VALUE_ENDS, |p| p.at(TokenKind::Ident) && p.nth(1) == TokenKind::Eq);
    }

    /// At `#name`, and not at an attribute of a dialect such as `#gpu.block<x>`.
    pub(crate) fn at_alias_ref(&self) -> bool {
        self.at(TokenKind::HashId) && !self.peek_text().contains('.') && !self.next_is_joined(TokenKind::Lt)
    }

    pub(crate) fn parse_alias_ref(&mut self) {
        let node = self.open(NodeKind::AliasRef);
        self.bump();
        self.close(node);
    }

    pub(super) fn at_affine_map(&self) -> bool {
        self.at_word("affine_map") && self.nth(1) == TokenKind::Lt
    }

    /// `affine_map<(i, j)[s] -> (j, i)>`, shaped like the map of an encoding.
    pub(super) fn parse_affine_map(&mut self) {
        let node = self.open(NodeKind::AffineMap);
        self.bump();
        self.bump();
        let errors = self.error_count();
        self.within_brackets(Parser::parse_map_parts);
        if self.error_count() > errors {
            self.skip_until(|p| p.at(TokenKind::Gt));
            self.eat(TokenKind::Gt);
        } else {
            self.expect(TokenKind::Gt);
        }
        self.close(node);
    }

    /// `(i, j) -> (j, i)` without `affine_map`.
    pub(super) fn parse_bare_affine_map(&mut self) {
        let node = self.open(NodeKind::AffineMap);
        self.parse_map_parts();
        self.close(node);
    }

    /// Ends behind the first list with an error.
    fn parse_map_parts(&mut self) {
        let errors = self.error_count();
        if self.at_symbols_first() {
            let message = "the dimensions `(...)` stand in front of the symbols `[...]`";
            return self.report(SyntaxError::new(self.span(), message).label("in front of the dimensions"));
        }
        self.parse_list(NodeKind::MapDims, PARENS, "a list of dimensions", |p| p.parse_var_def("a dimension"));
        if self.error_count() == errors && self.at(TokenKind::LBracket) {
            self.parse_list(NodeKind::MapSymbols, SQUARE, "a list of symbols", |p| p.parse_var_def("a symbol"));
        }
        if self.error_count() == errors && self.eat_arrow() {
            self.parse_list(NodeKind::MapResults, PARENS, "a list of results", Parser::parse_expr);
        }
    }

    /// At `[s](i) ->`, as the map of an encoding begins.
    fn at_symbols_first(&self) -> bool {
        let listed = |kind: &TokenKind| matches!(kind, TokenKind::Ident | TokenKind::Comma);
        let mut behind = self.kinds_ahead().skip(1).skip_while(listed);
        self.at(TokenKind::LBracket)
            && behind.next() == Some(TokenKind::RBracket)
            && behind.next() == Some(TokenKind::LParen)
    }
}

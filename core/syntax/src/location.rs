//! Locations of MLIR: where an operation or an argument comes from. They do not affect a program.
//!
//! ```text
//! location ::= 'loc' '(' place ')'
//! place    ::= '#' id | 'unknown' | 'callsite' '(' place 'at' place ')' | 'fused' ('<' value '>')? '[' place (',' place)* ']'
//!            | string (':' int (':' int ('to' int? ':' int)?)? | '(' place ')')? | '#' dialect-attribute
//! ```

use super::{NodeKind, NodeRef, Parser, SyntaxError, TokenKind, TokenRef, Tree};
use nnz_base::source::Span;

/// The error of a location at another place.
pub const MISPLACED: &str = "a location stands at the end of an operation or of an argument";

/// Drops the tokens of locations from the tokens of a tree, given without trivia; values of attributes stay. Gives the
/// places of the locations, in the order of the text.
pub fn leave_out(tree: &Tree, tokens: &mut Vec<TokenRef<'_>>) -> Vec<Span> {
    if !tokens.iter().any(|token| token.kind() == TokenKind::Ident && token.text() == "loc") {
        return Vec::new();
    }
    let nodes = tree.root().descendants().filter(|node| node.kind() == NodeKind::Location);
    let trailing: Vec<Span> = nodes.filter(|node| !is_value(*node)).map(NodeRef::span).collect();
    if trailing.is_empty() {
        return trailing;
    }
    let mut ahead = trailing.iter().peekable();
    tokens.retain(|token| {
        let start = token.span().start;
        while ahead.next_if(|location| location.end <= start).is_some() {}
        ahead.peek().is_none_or(|location| start < location.start)
    });
    trailing
}

/// Whether a location is the value of an attribute or an alias, or a part of such a one.
fn is_value(location: NodeRef<'_>) -> bool {
    let before = location.first_token().and_then(TokenRef::previous);
    let within = location.parent().is_some_and(|parent| parent.kind() == NodeKind::Location);
    let kind = before.map(TokenRef::kind);
    within || matches!(kind, Some(TokenKind::Eq | TokenKind::Comma | TokenKind::LBracket))
}

impl Parser {
    pub(super) fn at_location(&self) -> bool {
        self.at_word("loc") && self.nth(1) == TokenKind::LParen
    }

    pub(super) fn parse_location(&mut self) {
        let node = self.open(NodeKind::Location);
        let span = self.span();
        self.bump();
        self.parse_place_in_brackets(TokenKind::RParen, Parser::parse_place);
        self.close(node);
        // The name of a value that a loop carries has one in front of `=`.
        if !self.newline_before() && matches!(self.peek(), TokenKind::Colon | TokenKind::Arrow | TokenKind::LBrace) {
            self.insert_error(SyntaxError::new(span, MISPLACED).label("not at its end"));
        }
    }

    fn parse_place_in_brackets(&mut self, close: TokenKind, parse: impl FnOnce(&mut Parser)) {
        self.bump();
        let before = self.error_count();
        self.within_brackets(parse);
        if self.error_count() > before {
            self.skip_until(|p| p.at(close) || p.newline_before());
        }
        self.expect(close);
    }

    fn parse_place(&mut self) {
        if self.too_deep() {
            return self.skip_until(|_| false);
        }
        let node = self.open(NodeKind::Location);
        self.parse_bare_place();
        self.close(node);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_bare_place(&mut self) {
        match self.peek() {
            TokenKind::HashId if self.at_alias_ref() => self.parse_alias_ref(),
            TokenKind::HashId => {
                self.bump();
                if self.at(TokenKind::Lt) {
                    self.skip_angles();
                }
            }
            TokenKind::String => self.parse_named_place(),
            TokenKind::Ident if self.at_word("unknown") => self.bump(),
            TokenKind::Ident if self.at_word("callsite") && self.nth(1) == TokenKind::LParen => self.parse_call_site(),
            TokenKind::Ident if self.at_word("fused") => self.parse_fused(),
            _ => self.error_expected("a location", &["unknown"]),
        }
    }

    /// `"file.mlir":2:5 to 3:1`, `"name"(place)`, `"name"`
    fn parse_named_place(&mut self) {
        self.bump();
        if self.at(TokenKind::LParen) {
            self.parse_place_in_brackets(TokenKind::RParen, Parser::parse_place);
        } else if self.at(TokenKind::Colon) {
            self.parse_line_and_column();
        }
    }

    /// `:2`, `:2:5 to 3:1`
    fn parse_line_and_column(&mut self) {
        self.parse_column();
        if !self.at(TokenKind::Colon) {
            return;
        }
        self.parse_column();
        if self.eat_word("to") {
            self.eat(TokenKind::Int);
            self.parse_column();
        }
    }

    /// `:5`
    fn parse_column(&mut self) {
        if self.expect(TokenKind::Colon) && !self.eat(TokenKind::Int) {
            self.error_expected("a number", &[]);
        }
    }

    /// `callsite(place at place)`
    fn parse_call_site(&mut self) {
        self.bump();
        self.parse_place_in_brackets(TokenKind::RParen, |p| {
            p.parse_place();
            if p.eat_word("at") {
                p.parse_place();
            } else {
                p.error_expected("`at`", &["at"]);
            }
        });
    }

    /// `fused<"metadata">[place, place]`
    fn parse_fused(&mut self) {
        self.bump();
        if self.at(TokenKind::Lt) {
            self.skip_angles();
        }
        if !self.at(TokenKind::LBracket) {
            return self.error_expected("`[`", &[]);
        }
        self.parse_place_in_brackets(TokenKind::RBracket, |p| {
            p.parse_place();
            while p.eat(TokenKind::Comma) {
                p.parse_place();
            }
        });
    }
}

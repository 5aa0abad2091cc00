//! The grammar of encodings (MLIR 22; the comments after `|` name what is accepted beyond it, so that
//! the checker can say what is wrong and offer the right spelling).
//!
//! ```text
//! encoding  ::= '#sparse_tensor.encoding' '<' body '>' | '#sparse_tensor' '<' 'encoding' '<' body '>' '>'
//!               | '<' body '>'                          where only an encoding can stand: local scope
//! body      ::= '{' (entry (',' entry)* ','?)? '}'
//! entry     ::= 'map' '=' map | key '=' value
//! map       ::= symbols? lvl-decls? dims '->' lvls
//! symbols   ::= '[' (id (',' id)*)? ']'
//! lvl-decls ::= '{' (id (',' id)*)? '}'
//! dims      ::= '(' (dim (',' dim)*)? ')'              | '[' ... ']' (UST)
//! dim       ::= id ('=' expr)? (':' slice)?
//! lvls      ::= '(' (lvl (',' lvl)*)? ')'
//! lvl       ::= (id '=')? expr ':' lvl-type
//! lvl-type  ::= format ('[' int (',' int)* ']')? ('(' (prop (',' prop)*)? ')')?
//!               (the formats: `nnz_base::format`)
//!                                                       | '(' format (',' prop)* ')' (UST)
//! format    ::= id                                      | string, id ('-' id)*, '<' id '>' (historic, UST)
//! expr      ::= term (('+' | '-') term)*
//! term      ::= factor (('*' | 'floordiv' | 'ceildiv' | 'mod') factor)*   | '/' '//' '%' (UST)
//! factor    ::= id | int | '-' factor | '(' expr ')'    | '#' id (nnz: entries before with the same id)
//! slice     ::= '#sparse_tensor' '<' 'slice' '(' arg ',' arg ',' arg ')' '>' | alias
//! ```

mod affine;
mod habits;
pub(super) mod lists;
mod slices;

use super::{Checkpoint, NodeKind, Parser, SyntaxError, TokenKind};
use lists::{BRACES, Brackets, PARENS, SQUARE};
use nnz_base::format;

/// The types that are written `!name<#CSR>` or `!name<<{ map = ... }>>`.
const TYPES_OF_ENCODINGS: &[&str] =
    &["!sparse_tensor.storage_specifier", "!sparse_tensor.iter_space", "!sparse_tensor.iterator"];

impl Parser {
    pub(crate) fn at_encoding_attr(&self) -> bool {
        self.at(TokenKind::HashId)
            && (self.peek_text() == "#sparse_tensor.encoding" || self.at_dialect_attr("encoding"))
    }
    /// At `#sparse_tensor<WORD`.
    fn at_dialect_attr(&self, word: &str) -> bool {
        self.peek_text() == "#sparse_tensor" && self.nth(1) == TokenKind::Lt && self.nth_text(2) == word
    }

    pub(crate) fn parse_encoding_attr(&mut self) {
        let node = self.open(NodeKind::Encoding);
        let nested = self.peek_text() == "#sparse_tensor";
        self.bump();
        if nested {
            self.bump();
            self.bump();
        }
        if !nested && self.at_other_brackets() {
            self.parse_body_in_other_brackets();
        } else if self.expect(TokenKind::Lt) {
            self.within_brackets(|p| {
                p.parse_encoding_body();
                p.close_angle();
                if nested {
                    p.close_angle();
                }
            });
        }
        self.close(node);
    }

    /// At a type of `sparse_tensor` whose encoding is written out without its name: `!sparse_tensor.iter_space<<{ map = ... }>`.
    pub(super) fn at_type_of_encoding(&self) -> bool {
        TYPES_OF_ENCODINGS.contains(&self.peek_text()) && self.nth(1) == TokenKind::Lt && self.nth(2) == TokenKind::Lt
    }

    /// Up to the end of the encoding.
    pub(super) fn parse_type_of_encoding(&mut self) {
        self.bump();
        self.bump();
        self.parse_bare_encoding();
    }

    /// At `as <{ map = ... }>`.
    pub(super) fn at_encoding_in_place(&self) -> bool {
        self.at_word("as") && self.nth(1) == TokenKind::Lt && self.nth(2) == TokenKind::LBrace
    }

    pub(super) fn parse_encoding_in_place(&mut self) {
        self.bump();
        self.parse_bare_encoding();
    }

    /// `<{ map = ... }>`
    fn parse_bare_encoding(&mut self) {
        let node = self.open(NodeKind::Encoding);
        self.bump();
        self.within_brackets(|p| {
            p.parse_encoding_body();
            p.expect(TokenKind::Gt);
        });
        self.close(node);
    }

    fn parse_encoding_body(&mut self) {
        if self.at_bare_body() {
            return self.parse_bare_body();
        }
        if self.expect(TokenKind::LBrace) {
            self.parse_entries();
            self.close_body();
        }
    }

    fn parse_entries(&mut self) {
        while !self.at_end() && !self.at_body_end() {
            let before = self.checkpoint();
            self.parse_entry();
            if self.at(TokenKind::Gt) && self.moved_since(before) {
                break;
            }
            if !self.eat(TokenKind::Comma) && !self.at_body_end() && !self.at_end() {
                self.recover_entry(before);
            }
        }
    }

    /// `}`; where `>` is missing, too, one error says both.
    fn close_body(&mut self) {
        if self.at_mistyped_brace() {
            return self.replace_closing(TokenKind::RBrace);
        }
        let errors = self.error_count();
        if !self.expect(TokenKind::RBrace) && !self.at(TokenKind::Gt) && self.error_count() > errors {
            self.repair_last("insert `}>`", "}>");
        }
    }

    /// Behind an entry that is not followed by a comma; always makes progress, or stops before another item.
    fn recover_entry(&mut self, before: Checkpoint) {
        if self.skip_stray_closing() {
            self.eat(TokenKind::Comma);
            return;
        }
        if self.moved_since(before) {
            if self.at(TokenKind::Semicolon) && self.nth(1) == TokenKind::Ident {
                self.eat_semicolon_for_comma();
                return;
            }
            self.error_missing(TokenKind::Comma);
            if self.at(TokenKind::Ident) {
                return;
            }
        }
        self.skip_until(|p| p.at(TokenKind::Comma) || p.at(TokenKind::RBrace));
        if !self.eat(TokenKind::Comma) && !self.moved_since(before) {
            self.bump();
        }
    }

    fn parse_entry(&mut self) {
        if self.at_bare_map() {
            return self.parse_map_without_key();
        }
        if !self.at(TokenKind::Ident) {
            return self.error_expected("a key of the encoding", ENTRY_KEYS);
        }
        let node = self.open(NodeKind::Entry);
        let is_map = self.at_word("map");
        let orders = matches!(self.peek_text(), "dimOrdering" | "dimToLvl" | "higherOrdering");
        self.bump();
        if self.eat_colon_for_eq() || self.expect(TokenKind::Eq) {
            if is_map {
                self.parse_wrapped_map();
            } else if orders {
                self.parse_order();
            } else if self.at_bare_map() {
                self.parse_map();
            } else {
                self.parse_value_of_key();
            }
        } else if is_map && matches!(self.peek(), TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace) {
            self.parse_map();
        }
        self.close(node);
    }

    // Maps.

    /// At the start of a map in place of an attribute's name: `(i, j) -> (i : dense, ...)`.
    pub(crate) fn at_bare_map(&self) -> bool {
        self.at(TokenKind::LParen) && self.nth(1) == TokenKind::Ident && self.list_then_arrow()
            || self.at(TokenKind::LBracket) && self.nth(1) == TokenKind::Ident && self.list_then_arrow()
    }

    /// Looks over a flat list of names: `(i, j) ->`, `[i, j] ->`.
    fn list_then_arrow(&self) -> bool {
        let listed = |kind: &TokenKind| matches!(kind, TokenKind::Ident | TokenKind::Comma);
        let mut behind = self.kinds_ahead().skip(1).skip_while(listed);
        matches!(behind.next(), Some(TokenKind::RParen | TokenKind::RBracket))
            && behind.next() == Some(TokenKind::Arrow)
    }

    /// A map, in MLIR's spelling or in that of NVIDIA's Universal Sparse Tensor.
    pub(crate) fn parse_map(&mut self) {
        let node = self.open(NodeKind::Map);
        let ust_dims = self.at(TokenKind::LBracket) && self.list_then_arrow();
        if !ust_dims {
            self.parse_map_head();
        }
        let dims = self.span();
        if self.at_bare_dims() {
            self.parse_bare_dims();
        } else {
            let brackets = if ust_dims { SQUARE } else { PARENS };
            let list = |p: &mut Parser| {
                p.parse_list(NodeKind::MapDims, brackets, "a list of dimensions", Parser::parse_dim_spec)
            };
            if self.at_two_parentheses() { self.parse_in_two(list) } else { list(self) }
        }
        let dims = dims.cover(self.last_span());
        if self.eat_arrow() {
            if self.at_bare_levels() {
                self.parse_bare_levels();
            } else if self.at_formats_alone() {
                self.parse_formats_of(dims);
            } else {
                let list = |p: &mut Parser| {
                    p.parse_list(NodeKind::MapLvls, PARENS, "a list of levels", Parser::parse_lvl_spec)
                };
                if self.at_two_parentheses() { self.parse_in_two(list) } else { list(self) }
            }
        }
        self.close(node);
    }

    pub(super) fn eat_arrow(&mut self) -> bool {
        if matches!(self.peek(), TokenKind::Arrow | TokenKind::LParen) {
            return self.expect(TokenKind::Arrow);
        }
        if self.eat_other_arrow() {
            return true;
        }
        self.error_expected(TokenKind::Arrow.describe(), &[]);
        false
    }

    fn parse_map_head(&mut self) {
        if self.at(TokenKind::LBracket) {
            self.parse_list(NodeKind::MapSymbols, SQUARE, "a list of symbols", |p| p.parse_var_def("a symbol"));
        }
        if self.at(TokenKind::LBrace) {
            self.parse_list(NodeKind::MapLvlDecls, BRACES, "a list of levels", |p| {
                p.parse_var_def("a level variable");
            });
        }
        if self.at(TokenKind::LBracket) {
            let message = "the symbols `[...]` stand before the level variables `{...}`";
            self.report(SyntaxError::new(self.span(), message).label("behind the level variables"));
            self.skip_until(|p| p.at(TokenKind::LParen));
        }
    }

    pub(super) fn parse_var_def(&mut self, what: &str) {
        if !self.at(TokenKind::Ident) {
            return self.error_expected(&format!("the name of {what}"), &[]);
        }
        let node = self.open(NodeKind::VarDef);
        self.bump();
        self.close(node);
    }

    fn parse_dim_spec(&mut self) {
        if !self.at(TokenKind::Ident) {
            return match self.comma_behind_last() {
                Some(error) => self.report(error),
                None => self.error_expected("the name of a dimension", &[]),
            };
        }
        let node = self.open(NodeKind::DimSpec);
        self.parse_var_def("a dimension");
        if self.eat(TokenKind::Eq) {
            self.parse_expr();
        }
        if self.eat(TokenKind::Colon) {
            self.parse_slice();
        }
        self.close(node);
    }

    fn parse_lvl_spec(&mut self) {
        if !self.at_expr() {
            return match self.comma_behind_last() {
                Some(error) => self.report(error),
                None => self.error_expected("the expression of a level", &[]),
            };
        }
        let node = self.open(NodeKind::LvlSpec);
        self.parse_binding_by_colon();
        if self.at_format_in_front() {
            self.parse_turned_level();
            return self.close(node);
        }
        if self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Eq && !self.at_format_behind_eq() {
            let binding = self.open(NodeKind::LvlBinding);
            self.bump();
            self.close(binding);
            self.bump();
        }
        self.parse_expr();
        if self.eat(TokenKind::Colon) || self.eat_eq_for_colon() || self.lacks_colon() {
            self.parse_lvl_type();
        } else {
            self.error_expected("`:` and a level format", &[]);
            self.skip_unread_level();
        }
        self.close(node);
    }

    fn parse_lvl_type(&mut self) {
        let node = self.open(NodeKind::LvlType);
        if self.eat(TokenKind::LParen) {
            self.parse_ust_lvl_type();
        } else if self.parse_lvl_format() {
            if self.at(TokenKind::LBracket) {
                self.parse_list(NodeKind::LvlSizes, SQUARE, "sizes", |p| p.parse_lvl_prop());
            } else if self.at(TokenKind::Lt) && self.joined() {
                self.parse_angles();
            }
            if self.at_unclosed_props() {
                self.parse_unclosed_props();
            } else if self.at(TokenKind::LParen) {
                self.parse_list(NodeKind::LvlProps, PARENS, "properties", |p| p.parse_lvl_prop());
            } else if self.at(TokenKind::Ident) && matches!(self.nth(1), TokenKind::Comma | TokenKind::RParen) {
                self.parse_bare_props();
            }
        }
        self.close(node);
    }

    /// `compressed, nonunique)`, after its `(`.
    fn parse_ust_lvl_type(&mut self) {
        self.parse_lvl_format();
        let props = self.open(NodeKind::LvlProps);
        while self.eat(TokenKind::Comma) {
            self.parse_lvl_prop();
        }
        self.close(props);
        self.close_list(TokenKind::RParen, TokenKind::RParen);
    }

    /// `compressed nonunique`, where the parentheses were forgotten; the checker says so.
    fn parse_bare_props(&mut self) {
        let props = self.open(NodeKind::LvlProps);
        self.parse_lvl_prop();
        self.close(props);
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_lvl_format(&mut self) -> bool {
        self.skip_open_quote();
        let node = self.checkpoint();
        match self.peek() {
            TokenKind::Lt => {
                self.bump();
                self.expect(TokenKind::Ident);
                self.expect(TokenKind::Gt);
            }
            TokenKind::Ident | TokenKind::String | TokenKind::Int => {
                self.bump();
                self.eat_dashed_suffix();
            }
            _ => {
                self.error_expected("a level format", format::of_mlir());
                return false;
            }
        }
        self.wrap(node, NodeKind::LvlFormat);
        true
    }

    /// The rest of `compressed-nu-no` and of `2out4`.
    fn eat_dashed_suffix(&mut self) {
        while self.joined() && matches!(self.peek(), TokenKind::Minus | TokenKind::Ident | TokenKind::Int) {
            self.bump();
        }
    }

    fn parse_lvl_prop(&mut self) {
        let node = self.checkpoint();
        if self.at_split_property() {
            self.parse_split_property();
            return self.wrap(node, NodeKind::Error);
        }
        self.eat(TokenKind::Minus);
        if matches!(self.peek(), TokenKind::Ident | TokenKind::String | TokenKind::Int) {
            self.bump();
            self.wrap(node, NodeKind::LvlProp);
        } else {
            self.error_expected("a level property", &format::PROPERTIES);
        }
    }

    /// `non-unique`
    fn at_split_property(&self) -> bool {
        self.at_word("non") && self.nth(1) == TokenKind::Minus && self.nth(2) == TokenKind::Ident
    }

    fn parse_split_property(&mut self) {
        let (start, meant) = (self.span(), format!("non{}", self.nth_text(2)));
        (0..3).for_each(|_| self.bump());
        let span = start.cover(self.last_span());
        let error = SyntaxError::new(span, format!("a level property is one word: `{meant}`")).label("two words");
        self.report(error.fix(format!("write `{meant}`"), vec![(span, meant)]));
    }
}

/// The keys of an encoding.
pub const ENTRY_KEYS: &[&str] = &["map", "posWidth", "crdWidth", "explicitVal", "implicitVal"];

//! Types, as far as they can contain encodings:
//!
//! ```text
//! tensor   ::= 'tensor' '<' shape type-args? (',' slot)? '>'
//! shape    ::= ((int | '?' | '*') 'x')* element            (spaces are allowed: `4 x 4 x f32`)
//! slot     ::= encoding | alias | format-name | map | value
//! format   ::= id ('(' int (',' int)* ')')?                (`CSR`, `BSR(2, 2)`; nnz notation)
//! rfc-type ::= '!'? 'sparse_tensor' '<' shape (',' value)* '>'   (the form of 2020)
//! ```

use super::{Checkpoint, NodeKind, Parser, SyntaxError, TokenKind};
use nnz_base::{element::Element, source::Span};

impl Parser {
    /// At a type that can hold an encoding, or could in 2020.
    pub(crate) fn at_tensor_type(&self) -> bool {
        self.at_word("tensor") && self.nth(1) == TokenKind::Lt || self.at_rfc_type()
    }

    pub(crate) fn at_rfc_type(&self) -> bool {
        let named = self.at_word("sparse_tensor") || self.at(TokenKind::BangId) && self.peek_text() == "!sparse_tensor";
        let sized = matches!(self.nth(2), TokenKind::Int | TokenKind::Question);
        named && self.nth(1) == TokenKind::Lt && sized
    }

    /// A tensor type in either form, or a scalar type such as `f64`; reports an error for anything else.
    pub fn parse_type(&mut self) {
        if self.at_rfc_type() {
            self.parse_rfc_type();
        } else if self.at_word("tensor") {
            self.parse_tensor_type();
        } else if self.at(TokenKind::Ident) {
            self.parse_scalar_type();
        } else {
            self.error_expected("a type", &["tensor<4x4xf64, CSR>", "f64"]);
        }
    }

    /// `f64`, `complex<f32>`, as a node of kind `Shape` without dimensions.
    fn parse_scalar_type(&mut self) {
        let node = self.open(NodeKind::Shape);
        self.bump();
        if self.at(TokenKind::Lt) {
            self.skip_angles();
        }
        self.close(node);
    }

    pub(crate) fn parse_tensor_type(&mut self) {
        let node = self.open(NodeKind::TensorType);
        self.bump();
        if self.expect(TokenKind::Lt) {
            self.within_brackets(Self::parse_tensor_type_body);
        }
        self.close(node);
    }

    fn parse_tensor_type_body(&mut self) {
        let from = self.checkpoint();
        self.parse_shape();
        self.parse_listed_sizes(from);
        if self.eat(TokenKind::Comma) {
            // MLIR takes `tensor<4xf64, >`, which has no encoding.
            if !self.is_mlir() || !self.at(TokenKind::Gt) {
                self.parse_encoding_slot();
            }
        } else if self.at_other_separator() {
            let message = format!("the parts of a type are separated by `,`, not by `{}`", self.peek_text());
            self.report(
                SyntaxError::new(self.span(), message)
                    .label("write `,`")
                    .guess("write `,`", vec![(self.span(), ",".to_string())]),
            );
            self.bump();
            self.parse_encoding_slot();
        } else if self.at(TokenKind::HashId) && !self.newline_before() {
            self.error_missing(TokenKind::Comma);
            self.parse_encoding_slot();
        }
        if self.eat_closing_angle() {
        } else if self.at(TokenKind::Eq) && !self.is_mlir() || self.lacks_closing_angle() {
            self.error_missing(TokenKind::Gt);
        } else {
            self.error_expected("`>`", &[]);
        }
    }

    /// `tensor<4x4xf64: CSR>`, `tensor<4x4xf64; #CSR>`
    fn at_other_separator(&self) -> bool {
        let sign = matches!(self.peek(), TokenKind::Semicolon | TokenKind::Colon | TokenKind::Slash);
        // In MLIR a `:` behind a type that lacks its `>` is followed by another type.
        let next = self.next_on_line();
        let named = next == TokenKind::Ident && (!self.is_mlir() || self.at(TokenKind::Semicolon));
        let encoding = named || next == TokenKind::HashId;
        sign && encoding
    }

    /// `tensor<4, 4, f64, CSR>`: sizes and the element type are joined by `x`.
    fn parse_listed_sizes(&mut self, from: Checkpoint) {
        if !are_sizes(self.text_since(from)) || !self.at(TokenKind::Comma) || !self.at_more_of_shape() {
            return;
        }
        let first = self.span();
        let node = self.open(NodeKind::Error);
        let mut edits = Vec::new();
        loop {
            let comma = self.span().start as usize;
            self.bump();
            let joint = if self.peek_text().starts_with('x') { "" } else { "x" };
            edits.push((Span::new(comma, self.span().start as usize), joint.to_string()));
            let part = self.checkpoint();
            self.bump();
            self.bump_rest_of_shape();
            let more = are_sizes(self.text_since(part));
            // What follows the element type is an encoding.
            if !more || !self.at(TokenKind::Comma) {
                break;
            }
        }
        self.close(node);
        let error = SyntaxError::new(first, "sizes and the element type are joined by `x`: `tensor<4x4xf64, CSR>`");
        self.insert_error(error.label("write `x`").guess("write `x`", edits));
    }

    /// At the `,` in front of another size or the element type.
    fn at_more_of_shape(&self) -> bool {
        let next = self.nth_text(1).trim_start_matches('x');
        next.split('x').next().is_some_and(are_sizes) || next == "complex" || Element::parse(next).is_some()
    }

    /// `3xf64` continues after its first token.
    fn bump_rest_of_shape(&mut self) {
        while self.joined() && matches!(self.peek(), TokenKind::Int | TokenKind::Ident | TokenKind::Question) {
            self.bump();
        }
        if self.joined() && self.at(TokenKind::Lt) {
            self.skip_angles();
        }
    }

    /// At the `to` of `tensor<4xf64 to tensor<?xf64>`, which lacks a `>`.
    fn at_word_behind_type(&self) -> bool {
        let word = matches!(self.peek_text(), "to" | "into" | "ins" | "outs" | "from" | "do" | "attributes");
        self.is_mlir() && self.at(TokenKind::Ident) && word && !self.joined()
    }

    /// Where a type of MLIR ends that lacks its `>`.
    fn lacks_closing_angle(&self) -> bool {
        let ends = matches!(self.peek(), TokenKind::Arrow | TokenKind::LBrace | TokenKind::RParen | TokenKind::Colon);
        self.is_mlir() && (ends || self.at_end() || self.at_word_behind_type())
    }

    /// `4x?xcomplex<f32>`: the checker reads the dimensions out of the text.
    fn parse_shape(&mut self) {
        let node = self.open(NodeKind::Shape);
        while matches!(
            self.peek(),
            TokenKind::Int
                | TokenKind::Ident
                | TokenKind::Question
                | TokenKind::Star
                | TokenKind::BangId
                | TokenKind::Minus
        ) {
            if self.at_word_behind_type() {
                break;
            }
            self.bump();
        }
        if self.at(TokenKind::Lt) {
            let args = self.open(NodeKind::TypeArgs);
            self.skip_angles();
            self.close(args);
        }
        self.close(node);
    }

    /// Parses the encoding of a tensor type or a definition.
    pub(crate) fn parse_encoding_slot(&mut self) {
        if self.at_bare_map() {
            self.parse_map();
        } else if self.at(TokenKind::Ident) && !matches!(self.nth(1), TokenKind::Lt | TokenKind::Colon) {
            self.parse_format_name();
        } else if self.begins_value() {
            self.parse_attr_value();
        } else {
            self.error_expected("an encoding", &[]);
            self.skip_value();
        }
    }

    /// `CSR`, `BSR(2, 2)`.
    pub(crate) fn parse_format_name(&mut self) {
        let node = self.open(NodeKind::FormatName);
        self.bump();
        if self.at(TokenKind::LParen) && !self.newline_before() {
            self.parse_format_args(TokenKind::RParen);
        } else if self.at(TokenKind::LBracket) && self.joined() && self.nth(1) == TokenKind::Int {
            self.parse_format_args_in_brackets();
        } else if self.at(TokenKind::Int) && !self.newline_before() && !self.is_mlir() {
            self.parse_format_args_alone();
        }
        self.close(node);
    }

    /// `BSR 2 2`, `BSR 2x2`
    fn parse_format_args_alone(&mut self) {
        let (start, behind) = (self.span().start as usize, self.consumed_end());
        let written = self.rest().split(['\n', '\r', '>', '=', ';']).next().unwrap_or_default();
        let sizes = written.split([' ', 'x', ',', '\t']).filter(|size| !size.is_empty());
        let sizes: Vec<String> = sizes.map(str::to_string).collect();
        let end = start + written.trim_end().len();
        let node = self.open(NodeKind::Error);
        self.bump_until(end);
        self.close(node);
        let whole = Span::new(start, self.consumed_end());
        let error = SyntaxError::new(whole, "the numbers of a format stand in parentheses").label("use parentheses");
        let numbers = sizes.iter().all(|size| size.bytes().all(|byte| byte.is_ascii_digit()));
        self.insert_error(match numbers {
            true => {
                let written = format!("({})", sizes.join(", "));
                error.guess("use parentheses", vec![(Span::new(behind, whole.end as usize), written)])
            }
            false => error.help("as in `BSR(2, 2)`"),
        });
    }

    /// `BSR[2, 2]`
    fn parse_format_args_in_brackets(&mut self) {
        let (open, errors) = (self.span(), self.error_count());
        self.parse_format_args(TokenKind::RBracket);
        let close = self.last_span();
        if self.error_count() == errors {
            let edits = vec![(open, "(".to_string()), (close, ")".to_string())];
            let message = "the numbers of a format stand in parentheses";
            self.insert_respelt(open.cover(close), message, "use parentheses", edits);
        }
    }

    /// `BSR(2 2)`
    fn report_gap_of_args(&mut self) {
        let (Some(size), true) = (self.nth_text(2).parse::<u64>().ok(), self.nth(3) == TokenKind::RParen) else {
            return;
        };
        let place = self.nth_span(2);
        let first = self.nth_span(1);
        let error = SyntaxError::new(place, format!("expected `,` or `)`, found `{size}`"));
        let edits = vec![(Span::at(first.end as usize), ",".to_string())];
        self.report(error.label("a `,` is missing in front of this").guess("insert `,`", edits));
    }

    fn parse_format_args(&mut self, close: TokenKind) {
        if self.nth(1) == TokenKind::Int && self.nth(2) == TokenKind::Int {
            self.report_gap_of_args();
        }
        self.parse_values(NodeKind::FormatArgs, close);
    }

    pub(crate) fn parse_rfc_type(&mut self) {
        let node = self.open(NodeKind::RfcType);
        self.bump();
        self.bump();
        self.parse_shape();
        while self.eat(TokenKind::Comma) {
            if self.at_bare_map() {
                self.parse_bare_affine_map();
            } else {
                self.parse_attr_value();
            }
        }
        self.expect(TokenKind::Gt);
        self.close(node);
    }
}

/// `3`, `?`, `3x4`, `?x?x`
fn are_sizes(text: &str) -> bool {
    let text = text.strip_suffix('x').unwrap_or(text);
    let is_size = |size: &str| size == "?" || !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
    text.split('x').map(str::trim).all(is_size)
}

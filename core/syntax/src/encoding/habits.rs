//! Spellings of encodings from other notations, and common slips. Each is parsed as its meaning, and reported as one
//! error that shows what to write instead.

mod maps;

use super::Brackets;
use crate::{NodeKind, Parser, SyntaxError, TokenKind};
use nnz_base::{diagnostic::did_you_mean, format, source::Span};

const ANGLES: Brackets = Brackets { open: TokenKind::Lt, close: TokenKind::Gt };

fn is_format(word: &str) -> bool {
    format::named(word.trim_matches('"')).is_some()
}

impl Parser {
    /// `crdWidth : 32`
    pub(super) fn eat_colon_for_eq(&mut self) -> bool {
        if self.at_other_sign(0) {
            let start = self.span();
            self.bump();
            self.eat(TokenKind::Eq);
            let sign = start.cover(self.last_span());
            let message = format!("a key and its value are joined by `=`, not by `{}`", self.text_at(sign));
            let error = SyntaxError::new(sign, message).label("write `=`");
            self.insert_error(error.fix("write `=`", vec![(sign, "=".to_string())]));
            return true;
        }
        let equals = if self.joined() { " =" } else { "=" };
        self.eat_instead(TokenKind::Colon, "a key and its value are joined by `=`, not `:`", "write `=`", equals)
    }

    /// At `((i, j))`: a list of a map in two pairs of parentheses, and not in one around an expression.
    pub(super) fn at_two_parentheses(&self) -> bool {
        let listed = matches!(self.nth(3), TokenKind::Comma | TokenKind::Colon | TokenKind::RParen);
        let twice = self.at(TokenKind::LParen) && self.nth(1) == TokenKind::LParen && self.nth(2) == TokenKind::Ident;
        // `((i) : dense)`
        twice && listed && !(self.nth(3) == TokenKind::RParen && self.nth(4) != TokenKind::RParen)
    }

    pub(super) fn parse_in_two(&mut self, list: impl FnOnce(&mut Parser)) {
        let (open, errors) = (self.span(), self.error_count());
        self.bump();
        list(self);
        let close = self.span();
        if self.expect(TokenKind::RParen) && self.error_count() == errors {
            let edits = vec![(open, String::new()), (close, String::new())];
            self.insert_respelt(open, "one pair of parentheses is enough", "remove the outer parentheses", edits);
        }
    }

    /// `(i, j) => (...)`
    pub(super) fn eat_other_arrow(&mut self) -> bool {
        let arrows = ["- >", "=>", "→", "⟶", "⇒", "|->"];
        let Some(written) = arrows.into_iter().find(|arrow| self.rest().starts_with(arrow)) else { return false };
        let start = self.span().start as usize;
        let span = Span::new(start, start + written.len());
        let message = format!("a map is written with `->`, not with `{written}`");
        self.error_respelt(span, &message, "write `->`", vec![(span, "->".to_string())]);
        self.bump_until(span.end as usize)
    }

    /// `i div 2`, `i rem 2`
    pub(super) fn eat_other_division(&mut self) -> bool {
        let own = match self.peek_text() {
            "div" | "idiv" | "DIV" | "fld" => "floordiv",
            "rem" | "MOD" => "mod",
            "cld" => "ceildiv",
            _ => return false,
        };
        let number = matches!(self.nth(1), TokenKind::Int | TokenKind::Ident | TokenKind::LParen);
        if !self.at(TokenKind::Ident) || !number {
            return false;
        }
        let (span, message) = (self.span(), format!("`{}` is written `{own}` in a map", self.peek_text()));
        self.error_respelt(span, &message, &format!("write `{own}`"), vec![(span, own.to_string())]);
        self.bump();
        true
    }

    /// `i modd 2`
    pub(super) fn eat_misspelt_division(&mut self) -> bool {
        let number = matches!(self.nth(1), TokenKind::Int | TokenKind::Ident | TokenKind::LParen);
        if !self.at(TokenKind::Ident) || !number || is_format(self.peek_text()) {
            return false;
        }
        let (span, word) = (self.span(), self.peek_text());
        let Some(meant) = did_you_mean(word, ["floordiv", "ceildiv", "mod"]) else { return false };
        let error = SyntaxError::new(span, format!("there is no operator `{word}` in a map")).label("no operator");
        self.report(error.guess(format!("did you mean `{meant}`?"), vec![(span, meant.to_string())]));
        self.bump();
        true
    }

    /// A quote that nothing closes on its line; the text after it is read as if there were no quote.
    pub(super) fn skip_open_quote(&mut self) {
        if self.at_open_string() {
            let start = self.span().start as usize;
            let quote = Span::new(start, start + 1);
            let error = SyntaxError::new(quote, "this string is never closed: `\"` is missing");
            self.report(error.label("no `\"` closes this").guess("remove the `\"`", vec![(quote, String::new())]));
            self.split_quote();
            self.bump();
        }
    }

    /// A value, or a quote with nothing after it.
    pub(super) fn parse_value_of_key(&mut self) {
        let quoted = self.at_open_string();
        self.skip_open_quote();
        if quoted && self.at_value_end() {
            // Without the quote there is no value either.
            self.withdraw_fix();
        } else {
            self.parse_attr_value();
        }
    }

    /// At `encoding({ ... })`, `encoding{ ... }`, `encoding[{ ... }]`.
    pub(super) fn at_other_brackets(&self) -> bool {
        let outer = usize::from(matches!(self.peek(), TokenKind::LParen | TokenKind::LBracket));
        self.nth(outer) == TokenKind::LBrace
    }

    pub(super) fn parse_body_in_other_brackets(&mut self) {
        let (open, errors) = (self.span(), self.error_count());
        let closing = self.peek().closing().filter(|closing| *closing != TokenKind::RBrace);
        if closing.is_some() {
            self.bump();
        }
        self.within_brackets(Parser::parse_encoding_body);
        let end = Span::at(self.consumed_end());
        let edits = match closing {
            Some(closing) => {
                let close = self.span();
                self.expect(closing);
                vec![(open, "<".to_string()), (close, ">".to_string())]
            }
            None if self.eat(TokenKind::Gt) => vec![(Span::at(open.start as usize), "<".to_string())],
            None => vec![(Span::at(open.start as usize), "<".to_string()), (end, ">".to_string())],
        };
        let title = if edits.len() == 1 { "insert `<`" } else { "write `<` and `>`" };
        if self.error_count() == errors {
            self.insert_respelt(open, "an encoding stands in `<{ ... }>`", title, edits);
        }
    }

    /// `dimOrdering = (i, j) -> (j, i)`, the order of a historic form.
    pub(super) fn parse_order(&mut self) {
        if !self.at_bare_map() {
            return self.parse_attr_value();
        }
        let (start, errors) = (self.span(), self.error_count());
        self.parse_bare_affine_map();
        let edits = vec![
            (Span::at(start.start as usize), "affine_map<".to_string()),
            (Span::at(self.consumed_end()), ">".to_string()),
        ];
        if self.error_count() == errors {
            let message = "the order of a historic form stands in `affine_map<...>`";
            self.insert_respelt(start, message, "write `affine_map<...>`", edits);
        }
    }

    /// At `i, j -> (...)` or `i, j) -> (...)`: dimensions without the parentheses around them.
    pub(super) fn at_bare_dims(&self) -> bool {
        let listed = |kind: &TokenKind| matches!(kind, TokenKind::Ident | TokenKind::Comma);
        let mut behind = self.kinds_ahead().skip_while(listed);
        let next = match behind.next() {
            Some(TokenKind::RParen) => behind.next(),
            other => other,
        };
        self.at(TokenKind::Ident) && next == Some(TokenKind::Arrow)
    }

    pub(super) fn parse_bare_dims(&mut self) {
        let start = self.span().start as usize;
        let node = self.open(NodeKind::MapDims);
        while self.at(TokenKind::Ident) {
            self.parse_dim_spec();
            self.eat(TokenKind::Comma);
        }
        let end = self.consumed_end();
        let closed = self.eat(TokenKind::RParen);
        self.close(node);
        let message = "the dimensions of a map stand in parentheses";
        self.insert_bare(Span::new(start, end), message, closed);
    }

    /// What stands at `whole` without parentheses, or has the closing one alone.
    fn insert_bare(&mut self, whole: Span, message: &str, closed: bool) {
        let (open, close) = (Span::at(whole.start as usize), Span::at(whole.end as usize));
        let mut edits = vec![(open, "(".to_string())];
        if closed {
            let error = SyntaxError::new(whole, message).label("no `(` in front of this");
            return self.insert_error(error.fix("insert `(`", edits));
        }
        edits.push((close, ")".to_string()));
        self.insert_respelt(whole, message, "add the parentheses", edits);
    }

    /// At `dense : i`, or `dense i`: a level the other way round.
    pub(super) fn at_format_in_front(&self) -> bool {
        let name = if self.nth(1) == TokenKind::Colon { 2 } else { 1 };
        self.at(TokenKind::Ident)
            && is_format(self.peek_text())
            && self.nth(name) == TokenKind::Ident
            && !is_format(self.nth_text(name))
            && matches!(self.nth(name + 1), TokenKind::Comma | TokenKind::RParen)
    }

    pub(super) fn parse_turned_level(&mut self) {
        let (start, format) = (self.span(), self.peek_text().to_string());
        self.bump();
        let colon = if self.eat(TokenKind::Colon) { "" } else { " :" };
        let (behind, name) = (self.span(), self.peek_text().to_string());
        self.bump();
        let edits = vec![(start, format!("{name}{colon}")), (behind, format)];
        let message = "the format of a level stands behind its `:`, the dimension in front of it";
        self.error_respelt(start, message, "turn them round", edits);
    }

    /// `<{ (i, j) -> (i : dense, j : compressed) }>`
    pub(super) fn parse_map_without_key(&mut self) {
        let (start, errors) = (self.span(), self.error_count());
        self.parse_map();
        let edits = vec![(Span::at(start.start as usize), "map = ".to_string())];
        if self.error_count() == errors {
            self.insert_respelt(start, "a map stands behind its key: `map = ...`", "write `map =`", edits);
        }
    }

    /// `i dense`
    pub(super) fn lacks_colon(&mut self) -> bool {
        let found = self.at(TokenKind::Ident) && is_format(self.peek_text());
        if found {
            let (span, end) = (self.span(), Span::at(self.consumed_end()));
            let message = format!("expected `:` between a level and its format, found `{}`", self.peek_text());
            let error = SyntaxError::new(span, message).label("no `:` in front of this");
            self.report(error.guess("insert `:`", vec![(end, " :".to_string())]));
        }
        found
    }

    /// At `compressed(nonunique, j : singleton)`, which lacks a parenthesis before the comma.
    pub(super) fn at_unclosed_props(&self) -> bool {
        // There are fewer properties than that.
        const MOST: usize = 16;
        let mut at = 1;
        while at < MOST && self.nth(at) == TokenKind::Ident && self.nth(at + 1) == TokenKind::Comma {
            at += 2;
        }
        self.at(TokenKind::LParen)
            && at > 1
            && self.nth(at) == TokenKind::Ident
            && self.nth(at + 1) == TokenKind::Colon
            && is_format(self.nth_text(at + 2))
    }

    pub(super) fn parse_unclosed_props(&mut self) {
        let (open, node) = (self.span(), self.open(NodeKind::LvlProps));
        self.bump();
        while self.nth(1) == TokenKind::Comma {
            self.parse_lvl_prop();
            if self.nth(2) == TokenKind::Colon {
                break;
            }
            self.bump();
        }
        let end = Span::at(self.consumed_end());
        let error = SyntaxError::new(open, "`)` is missing behind the properties of the level").label("never closed");
        self.insert_error(error.fix("insert `)`", vec![(end, ")".to_string())]));
        self.close(node);
    }

    /// `(i, j) -> (dense, compressed)`
    pub(super) fn parse_formats_of(&mut self, dims: Span) {
        let (start, errors) = (self.span(), self.error_count());
        let names = self.text_at(dims).trim_matches(['(', ')', '[', ']']).to_string();
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let node = self.open(NodeKind::Error);
        self.bump();
        let mut edits = Vec::new();
        while matches!(self.peek(), TokenKind::Ident | TokenKind::String) {
            let name = names.get(edits.len()).copied().unwrap_or("i");
            edits.push((Span::at(self.span().start as usize), format!("{name} : ")));
            self.bump();
            self.eat(TokenKind::Comma);
        }
        self.expect(TokenKind::RParen);
        self.close(node);
        if self.error_count() == errors {
            let error = SyntaxError::new(start.cover(self.last_span()), "a map says of which dimension each level is");
            let error = error.label("formats without their dimensions");
            self.insert_error(match edits.len() == names.len() {
                true => error.guess("write the dimensions in their order", edits),
                false => error,
            });
        }
    }

    /// At a key without the brace before it.
    pub(super) fn at_bare_body(&self) -> bool {
        self.at(TokenKind::Ident) && self.nth(1) == TokenKind::Eq
    }

    /// `#sparse_tensor.encoding<map = ...>`
    pub(super) fn parse_bare_body(&mut self) {
        let (start, errors) = (self.span(), self.error_count());
        self.parse_entries();
        let end = Span::at(self.consumed_end());
        let closed = self.eat(TokenKind::RBrace);
        let mut edits = vec![(Span::at(start.start as usize), "{ ".to_string())];
        if !closed {
            edits.push((end, " }".to_string()));
        }
        let error = SyntaxError::new(start, "the keys of an encoding stand in braces: `<{ ... }>`");
        let error = error.label("no `{` in front of this");
        self.insert_error(match self.error_count() == errors {
            true => error.fix("add the braces", edits),
            false => error,
        });
    }

    /// `i = dense`: `=` gives a level a name, and `dense` is not a name.
    pub(super) fn at_format_behind_eq(&self) -> bool {
        let ends = matches!(
            self.nth(3),
            TokenKind::Comma | TokenKind::RParen | TokenKind::LParen | TokenKind::LBracket | TokenKind::Lt
        );
        self.nth(2) == TokenKind::Ident && is_format(self.nth_text(2)) && ends
    }

    pub(super) fn eat_eq_for_colon(&mut self) -> bool {
        self.eat_instead(TokenKind::Eq, "a level and its format are joined by `:`, not `=`", "write `:`", ":")
    }

    /// At the second `:` of `i : dense : compressed`.
    fn at_second_format(&self) -> bool {
        let before = self.text_at(Span::new(0, self.consumed_end()));
        let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        is_format(word) && is_format(self.nth_text(1))
    }

    fn report_second_format(&mut self) {
        let (sign, format) = (self.span(), self.nth_text(1).to_string());
        let node = self.open(NodeKind::Error);
        self.bump();
        let place = self.span();
        self.bump();
        self.close(node);
        let error = SyntaxError::new(place, format!("a level has one format, and `{format}` is a second one"));
        let whole = sign.cover(place);
        self.insert_error(error.label("a second format").guess("remove it", vec![(whole, String::new())]));
    }

    /// `structured[2:4]`, `(i : dense; j : compressed)`
    pub(super) fn eat_for_comma(&mut self) -> bool {
        let kind = self.peek();
        if kind == TokenKind::Colon && self.nth(1) == TokenKind::Ident && self.at_second_format() {
            self.report_second_format();
            return self.eat(TokenKind::Comma);
        }
        let separates = matches!(
            (kind, self.nth(1)),
            (TokenKind::Colon | TokenKind::Semicolon, TokenKind::Int) | (TokenKind::Semicolon, TokenKind::Ident)
        );
        separates && self.eat_instead(kind, "the parts of a list are separated by `,`", "write `,`", ",")
    }

    /// The `,` of `(i : dense, j : compressed,)`.
    pub(super) fn comma_behind_last(&self) -> Option<SyntaxError> {
        let comma = self.last_span();
        let last = self.at(TokenKind::RParen) && self.text_at(comma) == ",";
        let error = SyntaxError::new(comma, "no `,` stands behind the last of a list").label("nothing follows");
        last.then(|| error.guess("remove `,`", vec![(comma, String::new())]))
    }

    /// `l : i : compressed`, which declares the level `l` by `=`.
    pub(super) fn parse_binding_by_colon(&mut self) {
        let colons = self.nth(1) == TokenKind::Colon && self.nth(3) == TokenKind::Colon;
        if !self.at(TokenKind::Ident) || !colons || self.nth(2) != TokenKind::Ident || is_format(self.nth_text(2)) {
            return;
        }
        let binding = self.open(NodeKind::LvlBinding);
        self.bump();
        self.close(binding);
        self.eat_instead(TokenKind::Colon, "a level is bound with `=`, not with `:`", "write `=`", "=");
    }

    /// `map = ... ; posWidth = 32`
    pub(super) fn eat_semicolon_for_comma(&mut self) -> bool {
        self.eat_instead(TokenKind::Semicolon, "the entries of an encoding are separated by `,`", "write `,`", ",")
    }

    fn eat_instead(&mut self, kind: TokenKind, message: &str, title: &str, text: &str) -> bool {
        if self.at(kind) {
            let span = self.span();
            self.error_respelt(span, message, title, vec![(span, text.to_string())]);
        }
        self.eat(kind)
    }

    /// `structured<2, 4>`, `compressed<nonunique>`
    pub(super) fn parse_angles(&mut self) {
        let open = self.span();
        let errors = self.error_count();
        let (kind, brackets, message, title) = if self.nth(1) == TokenKind::Ident {
            let message = "properties stand in parentheses, not in `<...>`";
            (NodeKind::LvlProps, ["(", ")"], message, "use parentheses")
        } else {
            (NodeKind::LvlSizes, ["[", "]"], "sizes stand in brackets, not in `<...>`", "use brackets")
        };
        self.parse_list(kind, ANGLES, "sizes", |p| p.parse_lvl_prop());
        let close = self.last_span();
        if self.error_count() == errors {
            let edits = vec![(open, brackets[0].to_string()), (close, brackets[1].to_string())];
            self.insert_respelt(open.cover(close), message, title, edits);
        }
    }
}

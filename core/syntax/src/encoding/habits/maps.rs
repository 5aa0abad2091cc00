//! Maps in other spellings: in parentheses, in quotes, in `affine_map<...>`, as level formats or levels alone.

use super::is_format;
use crate::{NodeKind, Parser, SyntaxError, TokenKind, encoding::ENTRY_KEYS};
use nnz_base::source::Span;

impl Parser {
    /// A map, or one in `affine_map<...>`, or level formats alone.
    pub(in crate::encoding) fn parse_wrapped_map(&mut self) {
        if self.at_affine_map() {
            return self.parse_map_in_affine_map();
        }
        if self.at(TokenKind::String) && self.peek_text().contains("->") {
            return self.parse_map_in_quotes();
        }
        if self.at_formats_alone() {
            return self.parse_formats_alone();
        }
        if self.at_map_in_parentheses() {
            return self.parse_map_in_parentheses();
        }
        self.parse_map();
    }

    /// At `((i, j) -> (...))`, and not at `((i, j)) -> (...)`.
    fn at_map_in_parentheses(&self) -> bool {
        let opens = matches!(self.nth(1), TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket);
        let close = self.closing_ahead().map(|(_, close)| close.end as usize);
        let behind =
            close.map_or("", |close| self.rest().get(close - self.span().start as usize..).unwrap_or_default());
        self.at(TokenKind::LParen) && opens && !behind.trim_start().starts_with("->")
    }

    fn parse_map_in_parentheses(&mut self) {
        let (open, errors) = (self.span(), self.error_count());
        self.bump();
        self.parse_map();
        let close = self.span();
        if self.eat(TokenKind::RParen) && self.error_count() == errors {
            let edits = vec![(open, String::new()), (close, String::new())];
            self.insert_respelt(open, "a map stands without parentheses around it", "remove the parentheses", edits);
        } else if self.error_count() == errors {
            let error = SyntaxError::new(open, "this `(` is never closed").label("one `(` too many");
            self.insert_error(error.guess("remove it", vec![(open, String::new())]));
        }
    }

    /// `(i, j) -> (i : dense, j : compressed)` for the `affine_map<(i, j) -> (i, j)>` at which the parser is, and how
    /// long that is.
    fn map_without_formats(&self) -> Option<(String, usize)> {
        let line = self.rest().split(['\n', '\r']).next()?;
        let (head, behind) = line.split_once("->")?;
        let end = behind.find('>').filter(|end| !behind[..*end].contains(':'))?;
        let levels = behind[..end].trim().strip_prefix('(')?.strip_suffix(')')?;
        let (outer, last) = levels.rsplit_once(',').unwrap_or(("", levels));
        let outer = outer.split(',').map(str::trim).filter(|level| !level.is_empty());
        let (outer, last) = (outer.map(|level| format!("{level} : dense, ")).collect::<String>(), last.trim());
        let dims = head.split_once('<')?.1.trim();
        Some((format!("{dims} -> ({outer}{last} : compressed)"), head.len() + "->".len() + end + 1))
    }

    fn parse_map_in_affine_map(&mut self) {
        let (word, errors) = (self.span(), self.error_count());
        if let Some((meant, len)) = self.map_without_formats() {
            let whole = Span::new(word.start as usize, word.start as usize + len);
            let message = format!("the map of an encoding says how each level is stored: `{meant}`");
            let error = SyntaxError::new(word, message).label("a map without level formats");
            self.report(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
            let node = self.open(NodeKind::Error);
            self.bump_until(whole.end as usize);
            return self.close(node);
        }
        self.bump();
        let open = word.cover(self.span());
        self.bump();
        self.parse_map();
        let close = self.span();
        if self.expect(TokenKind::Gt) && self.error_count() == errors {
            let edits = vec![(open, String::new()), (close, String::new())];
            let message = "the map of an encoding stands without `affine_map<...>`";
            self.insert_respelt(word, message, "write the map alone", edits);
        }
    }

    /// `[dense, compressed]`
    pub(in crate::encoding) fn at_formats_alone(&self) -> bool {
        let open = matches!(self.peek(), TokenKind::LBracket | TokenKind::LParen);
        open && !self.list_then_arrow()
            && matches!(self.nth(1), TokenKind::Ident | TokenKind::String)
            && is_format(self.nth_text(1))
            && matches!(self.nth(2), TokenKind::Comma | TokenKind::RBracket | TokenKind::RParen)
    }

    fn parse_formats_alone(&mut self) {
        let (start, errors) = (self.span(), self.error_count());
        let mut formats = Vec::new();
        let node = self.open(NodeKind::Error);
        self.bump();
        while matches!(self.peek(), TokenKind::Ident | TokenKind::String) {
            formats.push(self.peek_text().trim_matches('"').to_string());
            self.bump();
            self.eat(TokenKind::Comma);
        }
        let close = if self.at(TokenKind::RParen) { TokenKind::RParen } else { TokenKind::RBracket };
        self.expect(close);
        self.close(node);
        if self.error_count() > errors {
            return;
        }
        let names = ["i", "j", "k", "l", "m", "n", "o", "p"];
        let dims: Vec<&str> = names.into_iter().take(formats.len()).collect();
        let levels: Vec<String> = dims.iter().zip(&formats).map(|(dim, format)| format!("{dim} : {format}")).collect();
        let map = format!("({}) -> ({})", dims.join(", "), levels.join(", "));
        let span = start.cover(self.last_span());
        let message = "a map says of which dimension each level is";
        self.insert_respelt(span, message, "write the dimensions in their order", vec![(span, map)]);
    }

    /// `"(i, j) -> (i : dense, j : compressed)"`
    fn parse_map_in_quotes(&mut self) {
        let (place, map) = (self.span(), self.peek_text().trim_matches('"').to_string());
        let error = SyntaxError::new(place, "the map of an encoding stands without quotes").label("a string, no map");
        self.report(error.guess("remove the quotes", vec![(place, map)]));
        let node = self.open(NodeKind::Error);
        self.bump();
        self.close(node);
    }

    /// Levels without the parentheses around them.
    pub(in crate::encoding) fn at_bare_levels(&self) -> bool {
        !self.at(TokenKind::LParen) && self.at_expr()
    }

    pub(in crate::encoding) fn parse_bare_levels(&mut self) {
        let (start, errors) = (self.span(), self.error_count());
        let node = self.open(NodeKind::MapLvls);
        loop {
            self.parse_lvl_spec();
            let key = self.nth(1) == TokenKind::Ident
                && self.nth(2) == TokenKind::Eq
                && ENTRY_KEYS.contains(&self.nth_text(1));
            if !self.at(TokenKind::Comma) || key {
                break;
            }
            self.bump();
        }
        let whole = Span::new(start.start as usize, self.last_span().end as usize);
        let closed = self.eat(TokenKind::RParen);
        self.close(node);
        if self.error_count() == errors {
            self.insert_bare(whole, "the levels stand in parentheses", closed);
        }
    }
}

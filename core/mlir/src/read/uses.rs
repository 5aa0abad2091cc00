//! The names of values where they are used, and what stands between them.

use super::{Reader, scope::Use};
use crate::mistake::{Mistake, Read};
use nnz_base::source::Span;
use nnz_syntax::TokenKind;

impl<'c> Reader<'c> {
    /// `%name`
    ///
    /// # Errors
    /// Another token.
    pub(crate) fn value_use(&mut self) -> Read<Use<'c>> {
        let span = self.span();
        let bare = if self.at(TokenKind::Ident) { self.text() } else { "" };
        let meant = format!("%{bare}");
        let known = || self.scope.has(&meant);
        if !bare.is_empty() && (self.nth(1) == TokenKind::Eq || known()) {
            return Err(self.value_without_sign());
        }
        if let Some(mistake) = self.operands_in_parentheses().or_else(|| self.type_in_front()) {
            return Err(mistake);
        }
        if matches!(self.peek(), TokenKind::Int | TokenKind::Float) && !self.begins_line() {
            let (text, ty) = (self.text(), if self.at(TokenKind::Int) { "index" } else { "f64" });
            let mistake = Mistake::syntax(span, format!("expected a value, `%name`, found `{text}`"));
            let help = format!("an operation makes it a value: `%c = arith.constant {text} : {ty}`");
            return Err(mistake.label("a number is no value").help(help));
        }
        let name = self.word_of(TokenKind::PercentId, "a value, `%name`")?;
        Ok(Use { name, span })
    }
    /// At a word that is meant as the name of a value.
    pub(super) fn value_without_sign(&self) -> Mistake {
        let (span, meant) = (self.span(), format!("%{}", self.text()));
        let message = format!("a value's name begins with `%`: `{meant}`");
        let mistake = Mistake::syntax(span, message).label("not a value's name");
        mistake.fix(format!("write `{meant}`"), span, meant)
    }

    /// `(%a, %b)` where the operands of an operation begin.
    fn operands_in_parentheses(&self) -> Option<Mistake> {
        if !self.at(TokenKind::LParen) || self.nth(1) != TokenKind::PercentId {
            return None;
        }
        let behind = self.tokens.get(self.at..)?;
        let closing = behind.iter().find(|token| token.kind() == TokenKind::RParen)?;
        let whole = self.span().cover(closing.span());
        let text = self.checked.source.slice(whole).trim_matches(['(', ')']).trim();
        if text.contains(['(', '\n']) {
            return None;
        }
        let mistake = Mistake::syntax(whole, "the operands of this operation stand without parentheses");
        let (whole, types) = self.types_in_parentheses(whole);
        let blank = if self.joined() { " " } else { "" };
        Some(mistake.label("in parentheses").fix("remove the parentheses", whole, format!("{blank}{text}{types}")))
    }

    /// `%a, %b`
    ///
    /// # Errors
    /// Another token.
    pub(crate) fn value_uses(&mut self) -> Read<Vec<Use<'c>>> {
        let mut uses = vec![self.value_use()?];
        while self.eat_comma() {
            uses.push(self.value_use()?);
        }
        self.types_between(&uses).map_or(Ok(uses), Err)
    }

    /// `(%a, %b)`
    ///
    /// # Errors
    /// A missing bracket; types within; another token.
    pub(crate) fn uses_in_parentheses(&mut self) -> Read<Vec<Use<'c>>> {
        let open = self.span();
        self.parenthesized(|r| {
            let name = r.value_use()?;
            r.types_within(open).map_or(Ok(name), Err)
        })
    }

    /// At the names of an operation's values: on its line, or on the next one, where they are followed by their types and
    /// not by `=`.
    pub(crate) fn at_operands(&self) -> bool {
        let in_parentheses = self.at(TokenKind::LParen) && self.nth(1) == TokenKind::PercentId && !self.begins_line();
        in_parentheses || self.at(TokenKind::PercentId) && (!self.begins_line() || self.names_have_types())
    }

    /// `%a, %b : T`, and not the results of the next operation, `%a, %b:2 = `.
    fn names_have_types(&self) -> bool {
        let mut behind = 1;
        while self.nth(behind) == TokenKind::Comma && self.nth(behind + 1) == TokenKind::PercentId {
            behind += 2;
        }
        let ty = !matches!(self.nth(behind + 1), TokenKind::Int | TokenKind::Eq);
        self.nth(behind) == TokenKind::LBrace || self.nth(behind) == TokenKind::Colon && ty
    }

    /// The `,` between two values; another sign in its place, or none, is reported.
    fn eat_comma(&mut self) -> bool {
        if self.eat(TokenKind::Comma) {
            return true;
        }
        let (span, found) = (self.span(), self.text());
        if self.begins_line() {
            return false;
        }
        if self.at(TokenKind::PercentId) {
            let behind = Span::at(self.last_span().end as usize);
            let mistake = Mistake::syntax(span, format!("expected `,`, found `{found}`"));
            self.report(mistake.label("a `,` is missing before this").fix("insert `,`", behind, ","));
            return true;
        }
        let sign = matches!(found, "+" | "-" | "*" | "/" | ";" | "&" | "|");
        if sign && self.nth(1) == TokenKind::PercentId {
            let message = format!("the operands of an operation are separated by `,`, not by `{found}`");
            let whole = Span::new(self.last_span().end as usize, span.end as usize);
            self.report(Mistake::syntax(span, message).label("write `,`").fix("write `,`", whole, ","));
            self.bump();
            return true;
        }
        false
    }

    /// `%a, %b`, two of them.
    ///
    /// # Errors
    /// Another number; other tokens.
    pub(crate) fn two_uses(&mut self) -> Read<[Use<'c>; 2]> {
        let first = self.value_use()?;
        if !self.eat_comma() {
            return Err(self.expected(TokenKind::Comma.describe()));
        }
        Ok([first, self.value_use()?])
    }
}

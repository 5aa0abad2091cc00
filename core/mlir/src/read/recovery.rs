//! Broken operations: what is reported about them, and where reading continues.

use super::{Reader, operations::ResultName, scope::Use};
use crate::{mistake::Mistake, types::Type};
use nnz_base::{diagnostic::did_you_mean, source::Span};
use nnz_syntax::TokenKind;

impl<'c> Reader<'c> {
    /// `1 = arith.constant ...`: an error, behind which `%1` is what is meant.
    pub(super) fn note_name_without_sign(&mut self) {
        if matches!(self.peek(), TokenKind::Int | TokenKind::Ident) && self.nth(1) == TokenKind::Eq {
            self.scope.without_sign.insert(self.text());
        }
        if self.at(TokenKind::Eq) && self.begins_line() {
            self.scope.nameless += 1;
        }
    }

    /// Reports the other undefined values of an operation with one, up to the end of its line.
    pub(super) fn report_undefined_behind(&mut self, first: Span) {
        let from = self.tokens.partition_point(|token| token.span().start <= first.start);
        let mut said = vec![self.checked.source.slice(first)];
        for at in from..self.tokens.len() {
            let token = self.tokens[at];
            if self.line_begins_at(at) || matches!(token.kind(), TokenKind::LBrace | TokenKind::CaretId) {
                return;
            }
            let defines = self.tokens.get(at + 1).is_some_and(|next| next.kind() == TokenKind::Eq);
            if token.kind() == TokenKind::PercentId
                && !defines
                && !said.contains(&token.text())
                && let Err(mistake) = self.lookup(Use { name: token.text(), span: token.span() })
            {
                said.push(token.text());
                self.report(mistake);
            }
        }
    }

    /// The name of an operation that nnz cannot read, if the names of values behind it are its operands: where a region
    /// follows, they may be the region's.
    pub(super) fn unread_operands(&self, mistake: &Mistake, name: Span) -> Option<Span> {
        let from = self.tokens.partition_point(|token| token.span().start <= name.start);
        let end = (from..self.tokens.len()).find(|at| self.line_begins_at(*at)).unwrap_or(self.tokens.len());
        let line = self.tokens.get(from..end)?;
        let behind = self.tokens.get(end).map(|token| token.kind());
        let is_region = |kind: TokenKind| kind == TokenKind::LBrace;
        let has_region = line.iter().any(|token| is_region(token.kind())) || behind.is_some_and(is_region);
        let count = |kind: TokenKind| line.iter().filter(|token| token.kind() == kind).count();
        let whole = count(TokenKind::LParen) == count(TokenKind::RParen);
        (mistake.is_unread_operation(name) && whole && !has_region).then_some(name)
    }

    pub(super) fn semicolon(&mut self) {
        // The check has told that it is no part of MLIR.
        self.bump();
    }

    /// Continues after the broken operation: at the next one that begins a line, outside its brackets.
    pub(super) fn recover(&mut self, start: usize) {
        self.at = start;
        loop {
            self.skip_group();
            let begins = matches!(self.peek(), TokenKind::PercentId | TokenKind::Ident | TokenKind::String);
            let block = self.at_label() && self.begins_line();
            if self.at_stray_brace() {
                continue;
            }
            let ends = block || matches!(self.peek(), TokenKind::RBrace | TokenKind::Eof);
            if ends || begins && self.begins_line() && self.at_operation() {
                // Within a region that has no end, or ends early, operations have been read.
                self.at = self.at.max(self.read_to);
                return;
            }
        }
    }

    /// A name of an operation, or results and `=`, rather than an operand that begins a line.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn at_operation(&self) -> bool {
        match self.peek() {
            TokenKind::Ident if self.nth(1) == TokenKind::Eq => self.nth_text(2).contains('.'),
            TokenKind::Ident => {
                let line = |ahead: usize| self.line_begins_at(self.at + ahead) || self.nth(ahead) == TokenKind::Eof;
                self.text().contains('.')
                    || matches!(self.text(), "return" | "call")
                    || (self.nth(1) == TokenKind::PercentId || line(1)) && !CONTINUES.contains(&self.text())
            }
            TokenKind::String => true,
            _ => {
                let mut ahead = 0;
                while matches!(
                    self.nth(ahead),
                    TokenKind::PercentId | TokenKind::Comma | TokenKind::Colon | TokenKind::Int
                ) {
                    ahead += 1;
                }
                matches!(self.nth(ahead), TokenKind::Eq | TokenKind::EqEq)
            }
        }
    }

    /// Passes over `:=` or `==` in the place of `=`.
    pub(super) fn eat_other_sign(&mut self) -> bool {
        let start = self.span();
        if !self.eat(TokenKind::EqEq) {
            if !self.at(TokenKind::Colon) || self.nth(1) != TokenKind::Eq {
                return false;
            }
            self.bump();
            self.bump();
        }
        let sign = start.cover(self.last_span());
        let message = format!("a value is named with `=`, not with `{}`", self.checked.source.slice(sign));
        self.report(Mistake::syntax(sign, message).label("write `=`").fix("write `=`", sign, "="));
        true
    }

    /// `%0 : f64`: what is done with the value is missing; where a function ends, it is returned.
    pub(super) fn no_operation_of(&self, name: Use<'c>) -> Mistake {
        let mistake = Mistake::syntax(name.span, format!("no operation stands in front of `{}`", name.name));
        let mistake = mistake.label("a value and its type alone");
        let line_ends = (self.at + 1..self.tokens.len()).find(|at| self.line_begins_at(*at));
        let closes = line_ends.and_then(|at| self.tokens.get(at)).is_some_and(|next| next.kind() == TokenKind::RBrace);
        match closes && self.scope_depth() <= 1 {
            true => mistake.fix("insert `return`", Span::at(name.span.start as usize), "return "),
            false => mistake,
        }
    }

    /// Names without `=`: those that are new are known as broken.
    pub(super) fn no_equals(&mut self, names: Vec<ResultName<'c>>) -> Mistake {
        let mistake = self.expected("`=`").label("no `=` before this");
        for ResultName { name, count } in names {
            if !self.is_defined(name) {
                self.define(name, vec![Type::Broken; count]);
            }
        }
        if self.begins_line() || !(self.at(TokenKind::String) || self.text().contains('.')) {
            return mistake;
        }
        mistake.fix("insert `=`", Span::at(self.last_span().end as usize), " =")
    }

    /// At a word on the line of an operation that has ended, which is not an operation itself.
    pub(super) fn goes_on_behind_operation(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before)).map(|token| token.kind());
        let begins = matches!(before, Some(TokenKind::LBrace | TokenKind::RBrace | TokenKind::Colon | TokenKind::Eq));
        let text = self.text();
        let named = text.contains('.') || did_you_mean(text, ["return", "call"]).is_some();
        self.at(TokenKind::Ident) && !begins && !self.begins_line() && !named
    }

    /// A line of a region that begins with something else.
    pub(super) fn no_operation(&self) -> Mistake {
        let (found, span) = (self.text(), self.span());
        let mistake = Mistake::syntax(span, format!("expected an operation, found `{found}`"));
        if self.at(TokenKind::Int) && self.nth(1) == TokenKind::Eq {
            let meant = format!("%{found}");
            return mistake.label("not a value's name").fix(format!("write `{meant}`"), span, meant);
        }
        if self.at(TokenKind::Eq) {
            return mistake.label("no name in front of this").help("a result is named, as in `%0 = ...`");
        }
        let mistake = mistake.label("no operation begins so");
        match found.starts_with('#') || found == "/" {
            true => mistake.help("a comment begins with `//`, on every line of it"),
            false => mistake,
        }
    }
}

/// Words that go on with an operation where they begin a line.
const CONTINUES: &[&str] =
    &["at", "attrs", "case", "default", "do", "else", "ins", "into", "iter_args", "outs", "step", "to"];

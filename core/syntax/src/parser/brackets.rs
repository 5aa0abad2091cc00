//! Brackets, within which lines do not end: opened, closed, and what to say where one is not closed.

use super::{
    Parser, SyntaxFix, TokenKind,
    within::{DOUBLED, within_brackets},
};
use crate::words::{is_function, name_before};
use nnz_base::source::Span;

/// An open bracket of a program: its place, and its closing bracket.
#[derive(Clone, Copy)]
pub(crate) struct OpenBracket {
    pub(crate) span: Span,
    pub(crate) closing: TokenKind,
    /// How far its line is indented, and where that begins.
    pub(crate) column: usize,
    pub(crate) line: usize,
    /// Nothing follows it on its line.
    pub(crate) ends_line: bool,
}

impl Parser {
    /// Consumes an opening bracket; its place.
    pub(crate) fn open_bracket(&mut self) -> Span {
        let place = self.span();
        self.bump();
        self.brackets += 1;
        place
    }
    /// Runs `parse` within brackets.
    pub(crate) fn within_brackets<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        self.brackets += 1;
        let parsed = parse(self);
        self.brackets = self.brackets.saturating_sub(1);
        parsed
    }
    /// At `schedule vectorize(j)`, which no bracket holds.
    pub(crate) fn at_schedule_behind(&self) -> bool {
        self.by_lines && self.at_word("schedule") && self.nth(1) == TokenKind::Ident && self.nth(2) == TokenKind::LParen
    }
    pub(crate) fn within_a_bracket(&self) -> bool {
        self.brackets > 0
    }
    pub(crate) fn within_two_brackets(&self) -> bool {
        self.brackets > 1
    }
    /// Continues outside a bracket that nothing closes.
    pub(crate) fn leave_bracket(&mut self) {
        self.brackets = self.brackets.saturating_sub(1);
    }
    /// Consumes the bracket that closes the one at `open`; a line that continues with something else is reported
    /// there.
    pub(crate) fn close_bracket(&mut self, open: Span, closing: TokenKind, wanted: &str) {
        self.brackets = self.brackets.saturating_sub(1);
        if self.eat(closing) {
            return;
        }
        let known = self.errors.last().is_some_and(|last| last.span.end as usize >= self.consumed_end());
        if self.errors.last().is_some_and(|last| last.message == DOUBLED && last.span.start > open.start) {
            return;
        }
        if self.newline_before() || self.at_end() || self.at_schedule_behind() {
            return if known { self.mark_unclosed(open) } else { self.error_unclosed_bracket(closing, open) };
        }
        let told = within_brackets(self, open, closing);
        let error = told.unwrap_or_else(|| self.expected(wanted));
        match error.span.start < self.span().start {
            true => self.insert_error(error),
            false => self.report(error),
        }
        self.skip_until(|p| p.newline_before() || p.at(closing));
        self.eat(closing);
    }
    /// The comment behind the bracket at `open` that an operand begins, and that closes more brackets than it opens.
    fn comment_that_closes(&self, closing: TokenKind, open: Span) -> Option<Span> {
        let first = self.tokens.partition_point(|token| token.start < open.start);
        let comments = (first..self.at).filter(|at| self.tokens[*at].kind == TokenKind::Comment);
        let sign = closing.describe().trim_matches('`');
        let opens = |text: &str| text.matches(if sign == ")" { "(" } else { "[" }).count();
        let mut found = comments.filter(|_| self.by_lines).map(|at| self.token_span(at)).filter(|span| {
            let text = self.text[span.range()].trim_start_matches('/').trim_start();
            text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(')
                && text.matches(sign).count() > opens(text)
        });
        found.next()
    }
    /// The missing operand at the end is already reported; the open bracket is marked with it.
    fn mark_unclosed(&mut self, open: Span) {
        if let Some(last) = self.errors.last_mut() {
            last.opened.get_or_insert(open);
        }
    }
    /// Where the bracket would be closed is plain if there is no other one in it, and a guess for that of a function. An
    /// index ends earlier.
    fn error_unclosed_bracket(&mut self, closing: TokenKind, open: Span) {
        if let Some(comment) = self.comment_that_closes(closing, open) {
            return self.error_hidden(closing, open, comment);
        }
        self.error_never_closed(closing, open);
        let inner = &self.text[open.end as usize..self.consumed_end().max(open.end as usize)];
        let plain = !inner.contains(['(', '[', '{']);
        let name = name_before(&self.text, open.start as usize);
        let guessed = name.is_empty() || is_function(name);
        let index_end = end_of_indices(inner).map(|end| Span::at(open.end as usize + end));
        if let Some(last) = self.errors.last_mut() {
            last.fixes.retain(|_| plain || guessed);
            last.fixes.iter_mut().for_each(|fix| fix.sure &= plain);
            if let (true, Some(place), TokenKind::RParen) = (last.fixes.is_empty(), index_end, closing) {
                let edits = vec![(place, ")".to_string())];
                last.fixes.push(SyntaxFix { title: "insert `)` behind the indices".to_string(), edits, sure: false });
            }
        }
    }
}

/// Where the variables end that `i, j * x(j)` and `i = A(i, j)` begin with, if an operator or `=` is behind them.
pub(super) fn end_of_indices(text: &str) -> Option<usize> {
    let listed = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | ' ')))?;
    let end = text[..listed].trim_end().len();
    let fine =
        end > 0 && !text[..end].ends_with(',') && text[listed..].starts_with(['*', '+', '-', '/', '=', ':', '<', '>']);
    fine.then_some(end)
}

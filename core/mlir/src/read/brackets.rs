//! Regions with wrong brackets or labels, and what was probably meant.

use super::{Reader, holders::Holder};
use crate::mistake::{Mistake, Read};
use nnz_base::source::Span;
use nnz_syntax::TokenKind;

impl Reader<'_> {
    /// The brace of a region. A missing one is reported if the text that follows can only be part of a
    /// region.
    pub(super) fn open_brace(&mut self) -> Read<()> {
        if !self.at(TokenKind::LBrace) && self.begins_line() && self.at(TokenKind::CaretId) {
            let behind = Span::at(self.last_span().end as usize);
            let mistake = self.expected("`{` in front of the block").label("the region is not opened");
            self.report(mistake.fix("insert `{`", behind, " {"));
            return Ok(());
        }
        if !self.at(TokenKind::LBrace) && self.begins_line() && self.lacks_brace() {
            return Ok(());
        }
        if matches!(self.peek(), TokenKind::RBracket | TokenKind::RParen | TokenKind::LParen)
            && self.checked.has_syntax_error_in(self.span())
        {
            // The check has told which bracket is meant.
            self.bump();
            return Ok(());
        }
        self.expect(TokenKind::LBrace)?;
        if self.at(TokenKind::LBrace) {
            // The check has told that one is enough.
            self.bump();
        }
        Ok(())
    }

    /// Whether the check has told, at the end of the line before, that the brace of a region is missing there.
    fn lacks_brace(&self) -> bool {
        let end = self.last_span().end;
        self.checked.has_syntax_error_in(Span { start: end, end: end + 1 })
    }

    /// At `^bb0`, or at an attempt at one: `bb0(`.
    pub(super) fn at_label(&self) -> bool {
        let named = |text: &str| text.strip_prefix("bb").is_some_and(|number| number.parse::<u32>().is_ok());
        let follows = || matches!(self.nth(1), TokenKind::LParen | TokenKind::Colon);
        self.at(TokenKind::CaretId)
            || self.at(TokenKind::Ident) && named(self.text()) && follows()
            || self.at_bare_arguments()
    }

    /// `(%a: f64, %b: f64):` or `%a: f64, %b: f64:`, without the name of the block. No operation begins so.
    pub(super) fn at_bare_arguments(&self) -> bool {
        let value = usize::from(self.at(TokenKind::LParen));
        let typed = self.nth(value) == TokenKind::PercentId && self.nth(value + 1) == TokenKind::Colon;
        typed && (value == 1 || self.ends_with_colon())
    }

    /// Whether the line, which begins with a name and `:`, has another `:` at its end.
    fn ends_with_colon(&self) -> bool {
        let behind = self.at + 2;
        let next = (behind..self.end()).find(|at| self.line_begins_at(*at)).unwrap_or(self.end());
        next > behind && self.tokens.get(next - 1).is_some_and(|last| last.kind() == TokenKind::Colon)
    }

    /// What a label without its name covers, and how it is written.
    fn label_meant(&self) -> Option<(Span, String)> {
        if !self.at_bare_arguments() {
            return None;
        }
        let next = (self.at + 1..self.end()).find(|at| self.line_begins_at(*at)).unwrap_or(self.end());
        let close = self.closings.get(self.at).copied().flatten();
        let colon = |close: usize| self.tokens.get(close + 1).is_some_and(|next| next.kind() == TokenKind::Colon);
        let last = close.map_or(next - 1, |close| close + usize::from(colon(close)));
        let whole = self.span().cover(self.tokens.get(last)?.span());
        let inside = self.checked.source.slice(whole).trim_end_matches(':').trim();
        let inside = inside.strip_prefix('(').map_or(inside, |inside| inside.trim_end_matches(')'));
        Some((whole, format!("^bb0({inside}):")))
    }

    /// Passes over the name of a block; whether it has one.
    pub(super) fn label_name(&mut self) -> bool {
        if self.at(TokenKind::Ident) {
            let (start, meant) = (self.span().start as usize, format!("^{}", self.text()));
            let mistake = Mistake::syntax(self.span(), format!("the name of a block begins with `^`: `{meant}`"));
            self.report(mistake.label("no `^` before this").fix("insert `^`", Span::at(start), "^"));
        } else if let Some((whole, named)) = self.label_meant() {
            let mistake = Mistake::syntax(whole, "the values of a block stand behind its name: `^bb0(...):`");
            self.report(mistake.label("no name of a block").fix(format!("write `{named}`"), whole, named));
            return false;
        }
        self.bump();
        true
    }

    /// The `:` behind the values of a block; one that is missing at the end of the line is reported.
    ///
    /// # Errors
    /// Another token.
    pub(super) fn colon_of_label(&mut self, named: bool) -> Read<()> {
        if self.at(TokenKind::Colon) || !self.begins_line() {
            return self.expect(TokenKind::Colon);
        }
        if !named {
            // The label as a whole is told.
            return Ok(());
        }
        let behind = Span::at(self.last_span().end as usize);
        let mistake = self.expected("`:` behind the name and the values of a block");
        self.report(mistake.label("a `:` is missing").fix("insert `:`", behind, ":"));
        Ok(())
    }

    /// At a brace that would end the region in the middle, in a function that ends one brace too early: after an
    /// operation on its line, or where the region needs another operation.
    pub(super) fn at_stray_brace(&self) -> bool {
        let ends = matches!(self.nth(1), TokenKind::Arrow | TokenKind::Eof | TokenKind::RParen | TokenKind::Comma);
        let inside = match self.holders.last() {
            _ if !self.begins_line() => self.holders.last().is_none_or(|holder| holder.inside <= self.line_start()),
            holder => holder.is_some_and(Holder::needs_end),
        };
        self.at(TokenKind::RBrace) && !ends && inside && self.ends_early()
    }

    /// The token that begins the line.
    fn line_start(&self) -> usize {
        (0..=self.at).rev().find(|at| self.line_begins_at(*at)).unwrap_or(0)
    }

    pub(super) fn stray_brace(&mut self) {
        let mistake = Mistake::syntax(self.span(), "`}` ends the region in front of its last operation");
        self.report(mistake.label("one `}` too many").fix("remove it", self.span(), ""));
        self.bump();
    }

    /// Whether text follows, on the same line, the brace that closes the function being read: then the function has a
    /// brace too few or too many.
    fn ends_early(&self) -> bool {
        let Some(item) = &self.item else { return false };
        *self.early_end.borrow_mut().entry(item.start).or_insert_with(|| self.goes_on_behind_body(item.clone()))
    }

    fn goes_on_behind_body(&self, item: std::ops::Range<usize>) -> bool {
        let kind = |at: usize| self.tokens.get(at).map(|token| token.kind());
        let mut depth = 0usize;
        for at in item.clone() {
            match kind(at) {
                Some(TokenKind::LBrace | TokenKind::LParen | TokenKind::LBracket) => depth += 1,
                Some(TokenKind::RParen | TokenKind::RBracket) => depth = depth.saturating_sub(1),
                Some(TokenKind::RBrace) => {
                    depth = depth.saturating_sub(1);
                    let closes = matches!(kind(at + 1), Some(TokenKind::RBrace | TokenKind::RParen));
                    // Of the head: `attributes {...} {`, or an encoding in place, `<{...}>`.
                    let head = matches!(kind(at + 1), Some(TokenKind::LBrace | TokenKind::Gt));
                    if depth == 0 && !head {
                        return at + 1 < item.end && !closes && !self.line_begins_at(at + 1);
                    }
                }
                _ => {}
            }
        }
        false
    }
}

//! Braces of regions in the body of a function: where one is missing, and which one is too many.

use crate::{
    Parser, SyntaxError, TokenKind,
    parser::{BracePlace, Braces, OpenBracket},
};
use nnz_base::source::Span;

/// A region that no brace closes.
pub const OPEN_BRACE: &str = "this region is not closed: `}` is missing";
/// A brace that ends a function whose operations go on.
pub const EXTRA_BRACE: &str = "one `}` too many ends the function in front of its last operations";

impl Parser {
    /// Notes what the current token says about the region that is open around it.
    pub(super) fn note_braces(&mut self, brackets: &[OpenBracket], outside: usize) {
        let inner = brackets.last().filter(|open| brackets.len() > outside + 1 && open.ends_line);
        let Some(open) = inner.filter(|open| open.closing == TokenKind::RBrace) else { return };
        match self.at(TokenKind::RBrace) {
            true => self.note_closing(open),
            false if self.newline_before() => self.note_line(open, brackets.get(outside + 1..).unwrap_or_default()),
            false => {}
        }
    }

    fn note_closing(&mut self, open: &OpenBracket) {
        let (column, line) = self.line_of_token();
        if !self.newline_before() {
            let second = self.last_kind() == TokenKind::RBrace && open.line != line;
            self.braces.extra = self.braces.extra.or(Some(self.span()).filter(|_| second));
        } else if column > open.column {
            self.braces.extra = self.braces.extra.or(Some(self.span()));
        } else if column < open.column {
            let place = self.braces.left(open, self.consumed_end());
            self.braces.closed.push(place);
        }
    }

    /// At the first token of a line; `inner` are the brackets within the body.
    fn note_line(&mut self, open: &OpenBracket, inner: &[OpenBracket]) {
        let here = self.consumed_end();
        if self.line_of_token().0 <= open.column && !self.at(TokenKind::CaretId) {
            self.braces.left.entry(open.span.start).or_insert(here);
        }
        if self.is_behind_end() && self.begins_behind_region() {
            self.braces.ended.push((*open, here));
        }
        if matches!(self.peek_text(), "return" | "func.return") {
            let regions = inner.iter().rev().filter(|open| open.closing == TokenKind::RBrace && open.ends_line);
            let places: Vec<BracePlace> = regions.map(|open| self.braces.left(open, here)).collect();
            self.braces.returned.extend(places);
        }
    }

    /// The line that was read last.
    fn line_behind(&self) -> &str {
        let before = self.text_at(Span::new(0, self.consumed_end()));
        before.rsplit(['\n', '\r']).next().unwrap_or_default().trim()
    }

    /// Behind the operation that ends a region.
    fn is_behind_end(&self) -> bool {
        const ENDS: [&str; 4] = ["linalg.yield", "scf.yield", "sparse_tensor.yield", "tensor.yield"];
        let line = self.line_behind();
        let ends = line.split_whitespace().next().is_some_and(|word| ENDS.contains(&word));
        ends && !line.ends_with(['}', ',', ':'])
    }

    /// At an operation, or at what goes on with one behind its region.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn begins_behind_region(&self) -> bool {
        const NEXT: [&str; 6] = ["absent", "do", "else", "left", "present", "right"];
        let text = self.peek_text();
        match self.peek() {
            TokenKind::PercentId => {
                self.nth(1) == TokenKind::Eq || self.nth(2) == TokenKind::Int && self.nth(3) == TokenKind::Eq
            }
            TokenKind::Ident => text.contains('.') || text == "return" || NEXT.contains(&text),
            _ => false,
        }
    }

    /// Reports the regions of the function that are open at its end, where their braces would stand, and forgets them.
    pub(super) fn report_open_regions(&mut self, brackets: &mut Vec<OpenBracket>, outside: usize) {
        let Braces { ended, closed, returned, .. } = std::mem::take(&mut self.braces);
        let mut told = Vec::new();
        for (open, place) in ended.into_iter().chain(closed).chain(returned) {
            if brackets.len() > outside && !told.contains(&open.span) {
                told.push(open.span);
                brackets.pop();
                self.report_open_region(&open, place);
            }
        }
    }

    fn report_open_region(&mut self, open: &OpenBracket, place: usize) {
        let place = Span::at(place);
        let error = SyntaxError::new(place, OPEN_BRACE).label("`}` is missing");
        let error = SyntaxError { opened: Some(open.span), ..error };
        let results = results_of(self.text_at(Span::new(open.line, open.span.start as usize)));
        let results = results.map_or(String::new(), |types| format!(" -> {types}"));
        let brace = format!("\n{}}}{results}", " ".repeat(open.column));
        self.insert_error(error.guess("insert `}`", vec![(place, brace)]));
    }

    /// Passes over the brace that would close the body, if operations follow it: one is too many.
    pub(super) fn pass_extra_brace(&mut self, brackets: &[OpenBracket], outside: usize) -> bool {
        let body = brackets.get(outside).filter(|_| brackets.len() == outside + 1 && self.at(TokenKind::RBrace));
        let returned = || self.line_behind().split_whitespace().next().is_some_and(|word| word.ends_with("return"));
        if !body.is_some_and(|body| self.goes_on_behind(body)) || returned() {
            return false;
        }
        let place = self.braces.extra.take().unwrap_or(self.span());
        let error = SyntaxError::new(place, EXTRA_BRACE).label("one `}` too many");
        self.insert_error(error.guess("remove it", vec![(place, String::new())]));
        self.bump();
        true
    }

    /// Whether an operation, indented further than the function, or `else` follows the brace.
    fn goes_on_behind(&self, body: &OpenBracket) -> bool {
        let (kind, text) = (self.nth(1), self.nth_text(1));
        let gap = self.text_at(Span { start: self.span().end, end: self.nth_span(1).start });
        let Some((_, indent)) = gap.rsplit_once(['\n', '\r']) else { return text == "else" };
        let word = kind == TokenKind::Ident && (text.contains('.') && text != "func.func" || text == "return");
        indent.len() > body.column && (word || matches!(kind, TokenKind::PercentId | TokenKind::CaretId))
    }
}

/// The types behind the region of a kernel on tensors, which are those of its `outs`; `line` begins it.
fn results_of(line: &str) -> Option<String> {
    let (_, outs) = line.split_once("linalg.")?.1.rsplit_once("outs(")?;
    let (names, types) = outs.trim_end().strip_suffix(')')?.split_once(" : ")?;
    types.starts_with("tensor").then(|| match names.contains(',') {
        true => format!("({types})"),
        false => types.to_string(),
    })
}

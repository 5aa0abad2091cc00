//! Syntax errors, with their places and fixes.

use super::{Parser, SyntaxError, TokenKind};
use crate::{
    habits::{self, FENCE, fence_len},
    words::{is_function, name_before},
};
use nnz_base::source::Span;

/// So many errors are looked through for one that a new one belongs to: more would make a long text take quadratic time.
const MOST_RELATED: usize = 16;

impl Parser {
    /// Reports "expected WHAT, found ...", once per place, and not directly behind what is wrong already.
    pub(crate) fn error_expected(&mut self, what: &str, expected: &[&'static str]) {
        let wrong = Span::at(self.consumed_end());
        if self.errors.last().is_some_and(|last| !last.span.is_empty() && last.span.touches(wrong.start as usize)) {
            return;
        }
        let mut error = self.expected(what);
        error.expected = expected.to_vec();
        self.report(error);
    }
    /// "expected WHAT, found ...". What a statement lacks on its line is reported at the line's end.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    pub(crate) fn expected(&self, what: &str) -> SyntaxError {
        let line_ends = self.at_line_end();
        let found = match self.peek() {
            TokenKind::Eof if !self.is_cut() => TokenKind::Eof.describe().to_string(),
            TokenKind::Eof => TokenKind::Newline.describe().to_string(),
            _ if line_ends => TokenKind::Newline.describe().to_string(),
            _ => match invisible(self.rest()) {
                Some(name) => format!("a character that is not seen, {name}"),
                None => format!("`{}`", self.peek_text().trim_end()),
            },
        };
        let span = if line_ends { Span::at(self.consumed_end()) } else { self.span() };
        SyntaxError::new(span, format!("expected {what}, found {found}")).label(format!("expected {what}"))
    }
    /// The current token begins with an invisible character, which cannot be part of a statement.
    pub(crate) fn invisible(&self, label: &str) -> Option<SyntaxError> {
        let (name, start) = (invisible(self.rest())?, self.span().start as usize);
        let end = start + self.rest().chars().next().map_or(1, char::len_utf8);
        let error =
            SyntaxError::new(Span::new(start, end), format!("a character that is not seen stands here: {name}"));
        Some(error.label(label).guess("remove it", vec![(Span::new(start, end), String::new())]))
    }
    /// Records an error at the current place, unless there is one at the place or after it.
    pub fn report(&mut self, mut error: SyntaxError) {
        error.at_end = self.at_end() && !self.is_cut();
        if self.errors.last().is_none_or(|last| last.span.start < error.span.start) {
            self.errors.push(error);
        }
    }
    /// Reports at `span` a foreign spelling, with its replacement; a second one in a row only adds its replacement.
    pub(crate) fn error_respelt(&mut self, span: Span, message: &str, title: &str, edits: Vec<(Span, String)>) {
        let last = self.errors.last_mut().filter(|last| last.message == message);
        match last.and_then(|last| last.fixes.first_mut()) {
            Some(fix) => fix.edits.extend(edits),
            None => self.report(SyntaxError::new(span, message).label(title).guess(title, edits)),
        }
    }
    /// Adds `edits` to the fix of an error with this message after byte `start`; returns them if there is no such
    /// error.
    pub(crate) fn add_to_fix(
        &mut self,
        start: usize,
        message: &str,
        edits: Vec<(Span, String)>,
    ) -> Option<Vec<(Span, String)>> {
        let same = |error: &&mut SyntaxError| error.message == message && error.span.start as usize >= start;
        match self.errors.iter_mut().rev().take(MOST_RELATED).find(same).and_then(|error| error.fixes.first_mut()) {
            Some(fix) => fix.edits.extend(edits),
            None => return Some(edits),
        }
        None
    }
    /// As [`Parser::error_respelt`] at a place already passed.
    pub(crate) fn insert_respelt(&mut self, span: Span, message: &str, title: &str, edits: Vec<(Span, String)>) {
        self.insert_error(SyntaxError::new(span, message).label(title).guess(title, edits));
    }
    /// Sets the fix of the last error to inserting `text` after the consumed text, instead of only a token.
    pub(crate) fn repair_last(&mut self, title: &str, text: &str) {
        let at = Span::at(self.consumed_end());
        if let Some(error) = self.errors.pop() {
            self.errors.push(error.guess(title, vec![(at, text.to_string())]));
        }
    }
    /// Takes back the fix of the last error.
    pub(crate) fn withdraw_fix(&mut self) {
        if let Some(last) = self.errors.last_mut() {
            last.fixes.clear();
        }
    }
    /// Reports that a token of `kind` is missing here, with the place where it would go.
    pub(crate) fn error_missing(&mut self, kind: TokenKind) {
        let text = kind.describe().trim_matches('`');
        let place = Span::at(self.consumed_end());
        let error = self.expected(kind.describe());
        self.report(error.fix(format!("insert `{text}`"), vec![(place, text.to_string())]));
    }
    /// Reports, after the consumed text, that the bracket at `opened` was not closed before something new began.
    pub(crate) fn error_never_closed(&mut self, closing: TokenKind, opened: Span) {
        let (span, at_end) = (Span::at(self.consumed_end()), self.at_end() && !self.is_cut());
        let text = closing.describe();
        let error = SyntaxError::new(span, format!("{text} is missing")).label(format!("{text} is missing"));
        let error = SyntaxError { at_end, opened: Some(opened), ..error };
        let error = error.fix(format!("insert {text}"), vec![(span, text.trim_matches('`').to_string())]);
        let at = self.errors.partition_point(|error| error.span.start <= span.start);
        self.errors.insert(at, error);
    }
    /// As [`Parser::error_never_closed`], where a comment holds what would close the bracket: `x(i // 2)`.
    pub(crate) fn error_hidden(&mut self, closing: TokenKind, opened: Span, comment: Span) {
        let (text, at_end) = (closing.describe(), self.at_end() && !self.is_cut());
        let sign = Span::new(comment.start as usize, comment.start as usize + 2);
        let error = SyntaxError::new(sign, format!("`//` begins a comment, and the {text} is within it"));
        let error = SyntaxError { at_end, opened: Some(opened), ..error }.label("a comment from here on");
        let name = name_before(&self.text, opened.start as usize);
        let of_tensor = closing == TokenKind::RParen && !name.is_empty() && !is_function(name);
        self.insert_error(match of_tensor {
            true => error.help("an index is a sum of multiples of variables, and no quotient").help(habits::HALVED),
            false => error.help(habits::FLOORDIV),
        });
    }
    /// Reports an error at a place already passed, keeping the order of the text.
    pub(crate) fn insert_error(&mut self, error: SyntaxError) {
        let at = self.errors.partition_point(|known| known.span.start < error.span.start);
        self.errors.insert(at, error);
    }
    /// More text follows behind the visible part.
    pub(super) fn is_cut(&self) -> bool {
        self.tokens[self.at].kind != TokenKind::Eof
    }
    /// Reports every character that no token starts with, wherever a grammar has passed over it.
    pub(crate) fn report_strays(&mut self) {
        let stray = |at: &usize| matches!(self.tokens[*at].kind, TokenKind::Error | TokenKind::Semicolon);
        let first = |at: &usize| *at == 0 || !stray(&(*at - 1));
        let known = |span: Span| self.errors.binary_search_by_key(&span.start, |error| error.span.start).is_ok();
        let places = (0..self.tokens.len()).filter(|at| stray(at) && first(at)).map(|at| self.token_span(at));
        let (quotes, places): (Vec<Span>, Vec<Span>) =
            places.filter(|span| !known(*span)).partition(|span| self.text_at(*span) == "'");
        let (fences, places): (Vec<Span>, Vec<Span>) =
            places.into_iter().partition(|span| fence_len(&self.text[span.start as usize..]).is_some());
        let quoted = quotes.chunk_by(|one, next| !self.text_at(one.cover(*next)).contains('\n')).map(single_quotes);
        let found = places.into_iter().map(|span| {
            let text = self.text_at(span);
            let message = match invisible(text) {
                Some(name) => format!("a character that is not seen stands here: {name}"),
                None => format!("`{text}` is no part of MLIR"),
            };
            let error = SyntaxError::new(span, message).label("a stray character");
            match text.bytes().all(|b| b == b';') {
                true => error.help("an operation ends with its line").fix("remove it", vec![(span, String::new())]),
                false if text == "#" => {
                    error.help("a comment begins with `//`").guess("write `//`", vec![(span, "//".to_string())])
                }
                false => error,
            }
        });
        let fences = fences.first().map(|first| {
            let line = |place: &Span| {
                let start = place.start as usize;
                Span::new(start, start + fence_len(&self.text[start..]).unwrap_or_default())
            };
            let edits = fences.iter().map(|place| (line(place), String::new())).collect();
            let place = Span::new(first.start as usize, first.start as usize + "```".len());
            SyntaxError::new(place, FENCE).label("not needed").fix("remove the fence", edits)
        });
        let found: Vec<SyntaxError> = found.chain(quoted).chain(fences).collect();
        self.errors.extend(found);
        self.errors.sort_by_key(|error| error.span.start);
    }
    /// Moves errors since `count` that lie behind the consumed text to its end, because they are about what is missing
    /// there; what is about a comment stays.
    pub(crate) fn claim_errors(&mut self, count: usize) {
        let end = Span::at(self.consumed_end());
        for error in self.errors.iter_mut().skip(count) {
            let of_comment = self.text.get(error.span.range()) == Some("//");
            if error.span.start > end.start && !of_comment {
                error.span = end;
            }
        }
    }
    pub fn error_count(&self) -> usize {
        self.errors.len()
    }
}

/// The name of a character at the beginning of `text` that shows nothing.
fn invisible(text: &str) -> Option<String> {
    let c = text.chars().next()?;
    let blank = matches!(c, '\u{0}'..='\u{8}' | '\u{b}'..='\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}'
        | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{feff}');
    blank.then(|| format!("U+{:04X}", u32::from(c)))
}

/// The single quotes of a line, told once.
fn single_quotes(places: &[Span]) -> SyntaxError {
    let first = places.first().copied().unwrap_or(Span::at(0));
    let error = SyntaxError::new(first, "a text stands in double quotes").label("a single quote");
    let edits = || places.iter().map(|place| (*place, "\"".to_string())).collect();
    if places.len().is_multiple_of(2) { error.fix("write `\"`", edits()) } else { error }
}

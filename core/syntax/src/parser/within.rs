//! Tokens within brackets in place of a `,` or the closing bracket: `select(x(i) = 1, 2, 3)`, `[0:4]`, `[3e]`.

use super::{
    brackets::end_of_indices,
    line_start,
    numbers::{foreign_number, second_point},
};
use crate::{Parser, SyntaxError, TokenKind, habits, words::is_bare};
use nnz_base::source::Span;

impl Parser {
    /// At `+=`, `min=` and the like.
    pub(crate) fn at_update(&self) -> bool {
        use TokenKind::*;
        matches!(self.peek(), PlusEq | MinusEq | StarEq | SlashEq) || self.at_word_update()
    }
    /// `min=` or `max=`
    pub(crate) fn at_word_update(&self) -> bool {
        (self.at_word("min") || self.at_word("max")) && self.nth(1) == TokenKind::Eq
    }
}

/// The meaning of the token, inside the bracket that is open at `open`; `None` if only the expected tokens can be
/// reported.
pub(super) fn within_brackets(p: &Parser, open: Span, closing: TokenKind) -> Option<SyntaxError> {
    let inside = p.text_at(Span::new(open.end as usize, p.consumed_end().max(open.end as usize)));
    let place = p.span();
    let assigns = (p.at(TokenKind::Eq) || p.at_update()) && closing == TokenKind::RParen;
    if let Some(error) = unclosed_left_side(p, open).filter(|_| assigns) {
        return Some(error);
    }
    if let Some(error) = doubled(p, open, inside).filter(|_| p.at(TokenKind::Eq) && closing == TokenKind::RParen) {
        return Some(error);
    }
    if p.at(TokenKind::Eq) && closing == TokenKind::RParen && !inside.is_empty() {
        let error = SyntaxError::new(place, "two values are compared with `==`").label("assigns");
        return Some(error.guess("write `==`", vec![(place, "==".to_string())]));
    }
    if p.rest().starts_with("! =") {
        let sign = Span::new(place.start as usize, place.start as usize + 3);
        let error = SyntaxError::new(sign, "two values differ by `!=`, without a blank").label("write `!=`");
        return Some(error.guess("write `!=`", vec![(sign, "!=".to_string())]));
    }
    match closing == TokenKind::RBracket {
        true => in_list(p, inside, place),
        false => in_number(p, inside, place),
    }
}

pub(super) const DOUBLED: &str = "this `(` stands here twice";

/// `random((density = 1)`, at its `=`: a `(` behind that of the call, which nothing closes, or a second `)`.
fn doubled(p: &Parser, open: Span, inside: &str) -> Option<SyntaxError> {
    let start = line_start(p, open.start as usize);
    let before = p.text_at(Span::new(start, open.start as usize)).trim_end();
    let behind = p.rest().split(['\n', '\r', ';']).next()?.split("//").next()?;
    let closes = behind.matches(')').count() as i64 - behind.matches('(').count() as i64;
    let closed = closes == 2 && behind.trim_end().ends_with("))");
    (before.ends_with('(') && is_bare(inside.trim()) && (closes < 2 || closed)).then_some(())?;
    let gap = Span::new(start + before.len(), open.end as usize);
    let error = SyntaxError::new(open, DOUBLED).label("one too many");
    let last = p.span().start as usize + behind.trim_end().len();
    let both = vec![(gap, String::new()), (Span::new(last - 1, last), String::new())];
    Some(match closed {
        true => error.guess("remove it and its `)`", both),
        false => error.guess("remove it", vec![(gap, String::new())]),
    })
}

/// `E(i, j : CSR = ...`, `b(i max= ...`, at its sign: the indices that the statement begins with are never closed.
fn unclosed_left_side(p: &Parser, open: Span) -> Option<SyntaxError> {
    let start = line_start(p, open.start as usize);
    let begins = is_bare(p.text_at(Span::new(start, open.start as usize)));
    let end = if p.at_update() { end_before_update(p, open) } else { end_before_sign(p, open) };
    let place = Span::at(open.end as usize + end.filter(|_| begins)?);
    let error = SyntaxError::new(place, "`)` is missing").label("`)` is missing");
    let error = SyntaxError { opened: Some(open), ..error };
    Some(error.guess("insert `)` behind the indices", vec![(place, ")".to_string())]))
}

/// How long the indices are in front of `:` and `=`.
fn end_before_sign(p: &Parser, open: Span) -> Option<usize> {
    let inside = p.text_at(Span::new(open.end as usize, p.span().end as usize));
    end_of_indices(inside).filter(|end| inside[*end..].trim_start().starts_with([':', '=']))
}

/// How long the indices are in front of `max=`, where nothing else stands there.
fn end_before_update(p: &Parser, open: Span) -> Option<usize> {
    let inside = p.text_at(Span::new(open.end as usize, p.consumed_end().max(open.end as usize)));
    inside.split(',').all(is_bare).then_some(inside.len())
}

fn in_list(p: &Parser, inside: &str, place: Span) -> Option<SyntaxError> {
    if p.at(TokenKind::Colon) {
        let error = SyntaxError::new(place, "a range is no value").label("stands in windows and reductions alone");
        return Some(error.help(habits::COUNTED));
    }
    if p.at_word("for") {
        let error = SyntaxError::new(place, "a list holds its numbers one by one, without `for`");
        return Some(error.label("no number").help(habits::COUNTED));
    }
    in_number(p, inside, place)
}

/// `3e`, `1_000`, `3.4.5`, `2i`: a number with a continuation that no number has.
fn in_number(p: &Parser, inside: &str, place: Span) -> Option<SyntaxError> {
    if !p.joined() || !inside.ends_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let found = p.peek_text();
    if found.starts_with('_') {
        let error = SyntaxError::new(place, "the digits of a number stand together").label("no `_` within numbers");
        return Some(error.guess("remove `_`", vec![(place, found.replace('_', ""))]));
    }
    match p.at(TokenKind::Dot) {
        true => second_point(p, inside, place),
        false => foreign_number(p, inside, place),
    }
}

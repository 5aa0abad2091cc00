//! Conversions as C and C++ write them: `(float) x`, `static_cast<float>(x)`.

use super::{Lines, parse_arguments};
use crate::{NodeKind, Parser, SyntaxError, TokenKind, habits, words::is_operator};
use nnz_base::source::Span;

/// `static_cast<float>(x(i))`; whether it is that.
pub(super) fn parse_template_cast(p: &mut Parser) -> bool {
    let word = p.peek_text();
    let named = matches!(word, "static_cast" | "reinterpret_cast" | "const_cast" | "convert");
    let typed = p.nth(1) == TokenKind::Lt && p.nth(3) == TokenKind::Gt && p.nth(4) == TokenKind::LParen;
    let Some(own) = habits::cast(p.nth_text(2)).filter(|_| named && typed) else { return false };
    let start = p.span().start as usize;
    let node = p.open(NodeKind::Error);
    (0..4).for_each(|_| p.bump());
    let place = Span::new(start, p.consumed_end());
    parse_arguments(p);
    p.close(node);
    let error = SyntaxError::new(place, format!("a conversion is called like a function: `{own}(x)`"));
    p.insert_error(error.label("a template").guess(format!("write `{own}`"), vec![(place, own.to_string())]));
    true
}

/// At `(double) x`: the name of a type in parentheses, and an operand after it.
pub(super) fn at_cast(p: &Parser) -> bool {
    use TokenKind::{Float, Ident, Int, LParen, RParen};
    p.nth(1) == Ident
        && p.nth(2) == RParen
        && matches!(p.nth(3), Ident | Int | Float | LParen)
        && habits::cast(p.nth_text(1)).is_some()
        && !is_trailing_word(p.nth_text(3))
}

fn is_trailing_word(word: &str) -> bool {
    is_operator(word) || word == "schedule"
}

pub(super) fn parse_cast(p: &mut Parser, lines: Lines) {
    let (open, errors) = (p.span(), p.error_count());
    let Some(own) = habits::cast(p.nth_text(1)) else { return };
    let node = p.open(NodeKind::Paren);
    (0..3).for_each(|_| p.bump());
    let (behind, operand) = (p.consumed_end(), p.checkpoint());
    super::parse_factor(p, lines);
    p.close(node);
    let (place, text) = (Span::new(open.start as usize, behind), p.text_since(operand).trim().to_string());
    let error = SyntaxError::new(place, format!("a conversion is called like a function: `{own}(x)`"));
    let error = error.label(format!("write `{own}(...)`"));
    let whole = Span::new(open.start as usize, p.consumed_end());
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
    let meant = format!("{own}({inner})");
    p.insert_error(match p.error_count() == errors && !inner.contains(['(', ')']) || text == inner {
        true => error.fix(format!("write `{meant}`"), vec![(whole, meant)]),
        false => error,
    });
}

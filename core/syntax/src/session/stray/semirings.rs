//! Semirings as other notations write them.

use crate::{Parser, SyntaxError, TokenKind};
use nnz_base::source::Span;

/// `min plus(j, ...)`: the parts of the name of a semiring.
pub(super) fn torn_semiring(p: &Parser, word: &str, place: Span) -> Option<SyntaxError> {
    let found = p.peek_text();
    let adds = matches!(word, "min" | "max" | "any" | "plus" | "or" | "and");
    if !adds || !is_operation(found) || p.nth(1) != TokenKind::LParen {
        return None;
    }
    let gap = Span::new(p.consumed_end(), place.start as usize);
    let message = format!("the parts of the name of a semiring are joined by `_`: `{word}_{found}`");
    Some(
        SyntaxError::new(place, message)
            .label("no `_` in front of this")
            .guess("write `_`", vec![(gap, "_".to_string())]),
    )
}

/// At `min.+`, as GraphBLAS's languages write a semiring.
pub(super) fn semiring_sign(p: &Parser) -> bool {
    let line = p.rest().lines().next().unwrap_or_default();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    behind.strip_prefix('.').is_some_and(|sign| sign.starts_with(['+', '*', '-', '&', '|']) || is_operation(sign))
}

fn is_operation(sign: &str) -> bool {
    ["min", "max", "plus", "times", "first", "second", "pair"].iter().any(|name| sign.starts_with(name))
}

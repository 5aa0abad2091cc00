//! Expressions as other languages write them: parsed as what they mean, so that nothing behind them is disturbed, and
//! reported with how nnz writes it.

use super::{Lines, parse_argument_list, parse_arguments, parse_expr};
use crate::{
    source::Span,
    syntax::{
        Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
        habits::{self, Instead, Operator, Tightness},
    },
};

/// `a && b`, `a ** 2`: consumes the operator of another language that stands here, if it is one of this tightness, and
/// its right operand.
pub(super) fn parse_operator(
    p: &mut Parser,
    from: Checkpoint,
    tightness: Tightness,
    right: impl FnOnce(&mut Parser),
) -> bool {
    let Some(row) = habits::operator(p.rest(), tightness) else { return false };
    if p.within_bars() && row.written == "|" || at_assignment(p, row) {
        return false;
    }
    let place = Span::new(p.span().start as usize, p.span().start as usize + row.written.len());
    let left = p.span_since(from);
    let end = place.end as usize;
    // `^2` and `%x` are single tokens, which hold the first token of the operand.
    let whole = p.bump_until(end);
    let errors = p.error_count();
    // A node, so that nesting is counted.
    let node = p.open(NodeKind::Error);
    match whole {
        true => right(p),
        false if p.at(TokenKind::LParen) && p.joined() => parse_arguments(p),
        false => {}
    }
    p.close(node);
    let operand = Span::new(end, p.consumed_end().max(end));
    if p.error_count() == errors {
        p.insert_error(instead(p, row, place, left, operand));
    } else {
        p.insert_error(said(row, place));
    }
    p.wrap(from, NodeKind::Binary);
    true
}

/// `y |= x` is no `|`.
fn at_assignment(p: &Parser, row: &Operator) -> bool {
    p.rest()[row.written.len()..].starts_with('=') && !row.written.ends_with('=')
}

fn said(row: &Operator, place: Span) -> SyntaxError {
    let spelling = match row.instead {
        Instead::Operator(own) => format!("`{own}`"),
        Instead::Call(function) => format!("`{function}(x, y)`"),
    };
    let error = SyntaxError::new(place, format!("`{}` is written {spelling}", row.written));
    let error = error.label(format!("write {spelling}"));
    if row.note.is_empty() { error } else { error.help(row.note) }
}

/// What to write instead of `left op operand`.
fn instead(p: &Parser, row: &Operator, place: Span, left: Span, operand: Span) -> SyntaxError {
    let edits = match row.instead {
        Instead::Operator(own) => {
            let word = own.starts_with(|c: char| c.is_ascii_alphabetic());
            let before = if word && left.end == place.start { " " } else { "" };
            let after = if word && !p.text_at(operand).starts_with(char::is_whitespace) { " " } else { "" };
            vec![(place, format!("{before}{own}{after}"))]
        }
        Instead::Call(function) => {
            let gap = Span { start: left.end, end: place.end + spaces(p.text_at(operand)) };
            let closed = Span::at(operand.end as usize);
            vec![
                (Span::at(left.start as usize), format!("{function}(")),
                (gap, ", ".to_string()),
                (closed, ")".to_string()),
            ]
        }
    };
    let error = said(row, place);
    let title = match row.instead {
        Instead::Operator(own) => format!("write `{own}`"),
        Instead::Call(function) => {
            let (left, right) = (p.text_at(left), p.text_at(operand).trim());
            format!("write `{function}({left}, {right})`")
        }
    };
    // `A * B` without indices would be the next mistake.
    let bare = |span: Span| p.text_at(span).trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if row.written == "@" && (bare(left) || bare(operand)) {
        return error;
    }
    if row.sure { error.fix(title, edits) } else { error.guess(title, edits) }
}

fn spaces(text: &str) -> u32 {
    (text.len() - text.trim_start().len()) as u32
}

/// `A'`, `A(i)(j)`: what stands behind an operand; whether there was such a thing.
pub(super) fn parse_postfix(p: &mut Parser, from: Checkpoint) -> bool {
    let transposed = p.rest().starts_with('\'') && p.joined() || p.rest().starts_with('ᵀ');
    if transposed {
        let error = SyntaxError::new(p.span(), "a transpose is written with indices: `A(j, i)` for `A(i, j)`");
        p.report(error.label("no mark of a transpose"));
        p.bump();
        return true;
    }
    let again = matches!(p.peek(), TokenKind::LParen | TokenKind::LBracket) && p.joined();
    if !again || !p.text_since(from).ends_with([')', ']']) || !p.text_since(from).starts_with(is_name_start) {
        return false;
    }
    let error = SyntaxError::new(p.span(), "all indices stand in one pair of parentheses: `A(i, j)`");
    let gap = Span::new(p.span().start as usize - 1, p.span().end as usize);
    p.report(error.label("a second pair").guess("join the pairs", vec![(gap, ", ".to_string())]));
    let closing = if p.at(TokenKind::LParen) { TokenKind::RParen } else { TokenKind::RBracket };
    let node = p.open(NodeKind::Error);
    let open = p.open_bracket();
    parse_argument_list(p, closing);
    p.close_bracket(open, closing, "the end of the indices");
    p.close(node);
    true
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// `y[i]`
pub(super) fn parse_square_arguments(p: &mut Parser) {
    let errors = p.error_count();
    let open = p.open_bracket();
    parse_argument_list(p, TokenKind::RBracket);
    let closing = p.span();
    p.close_bracket(open, TokenKind::RBracket, "`,` or `]`");
    if p.error_count() == errors {
        let error = SyntaxError::new(open, "entries are named with parentheses: `y(i)`").label("write `(`");
        let edits = vec![(open, "(".to_string()), (closing, ")".to_string())];
        p.insert_error(error.fix("write `(` and `)`", edits));
    }
}

/// `A(i, :)`
pub(super) fn parse_whole_dimension(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), "a whole dimension is named by an index variable: `A(i, j)` for all of `j`");
    p.report(error.label("name it, such as `j`"));
    p.bump();
}

/// `(1, 2, 3)`, of which two were read.
pub(super) fn parse_tuple(p: &mut Parser, open: Span) {
    let error = SyntaxError::new(open, "a list is written in square brackets: `[1, 2, 3]`");
    p.bump();
    parse_argument_list(p, TokenKind::RParen);
    let closing = p.span();
    if p.at(TokenKind::RParen) {
        let edits = vec![(open, "[".to_string()), (closing, "]".to_string())];
        p.insert_error(error.label("write `[`").guess("write `[` and `]`", edits));
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
}

/// What an operand of another language begins with: `!x`, `|x|`, `.5`, `α`; whether there was one.
pub(super) fn parse_prefix(p: &mut Parser, lines: Lines) -> bool {
    match p.rest().chars().next() {
        Some('!' | '~' | '¬') => parse_negation(p, lines),
        Some('|') if !p.within_bars() => parse_absolute(p),
        Some('.') if p.next_is_joined(TokenKind::Int) => parse_bare_fraction(p),
        Some('∑' | 'Σ' | '∏') => parse_big_operator(p),
        Some(c) if !c.is_ascii() && c.is_alphabetic() => parse_foreign_name(p),
        _ => return false,
    }
    true
}

fn parse_negation(p: &mut Parser, lines: Lines) {
    let start = p.span().start as usize;
    let sign = p.rest().chars().next().map_or(1, char::len_utf8);
    let place = Span::new(start, start + sign);
    let error = SyntaxError::new(place, format!("`{}` is written `not`", p.text_at(place))).label("write `not`");
    p.report(error.fix("write `not`", vec![(place, "not ".to_string())]));
    let node = p.open(NodeKind::Unary);
    match p.bump_until(start + sign) {
        true => super::parse_factor(p, lines),
        false if p.at(TokenKind::LParen) && p.joined() => parse_arguments(p),
        false => {}
    }
    p.close(node);
}

fn parse_absolute(p: &mut Parser) {
    let open = p.span();
    p.bump();
    let errors = p.error_count();
    p.with_bars(|p| parse_expr(p, Lines::Continue));
    let close = p.span();
    let error = SyntaxError::new(open, "an absolute value is written `abs(x)`").label("write `abs(`");
    if p.eat(TokenKind::Bar) && p.error_count() == errors {
        let edits = vec![(open, "abs(".to_string()), (close, ")".to_string())];
        p.insert_error(error.fix("write `abs`", edits));
    } else if p.error_count() == errors {
        p.insert_error(error);
    }
}

fn parse_bare_fraction(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), "a number begins with a digit").label("write `0.`");
    p.report(error.fix("insert `0`", vec![(Span::at(p.span().start as usize), "0".to_string())]));
    p.bump();
    p.bump();
}

fn parse_big_operator(p: &mut Parser) {
    let (own, example) = match p.rest().starts_with('∏') {
        true => ("prod", "prod(i, x(i))"),
        false => ("sum", "sum(i, x(i))"),
    };
    let place = p.span();
    let error = SyntaxError::new(place, format!("`{}` is written `{example}`", p.peek_text()));
    p.report(error.label(format!("write `{own}`")).guess(format!("write `{own}`"), vec![(place, own.to_string())]));
    let node = p.open(NodeKind::Error);
    p.bump();
    if p.at(TokenKind::LParen) {
        parse_arguments(p);
    }
    p.close(node);
}

/// A name with letters that are not ASCII.
pub(in crate::syntax) fn parse_foreign_name(p: &mut Parser) {
    let start = p.span().start as usize;
    let len = p.rest().find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(p.rest().len());
    let place = Span::new(start, start + len);
    let text = p.text_at(place).to_string();
    let message = format!("names are of ASCII letters, digits and `_`: `{text}` is none");
    let error = SyntaxError::new(place, message).label("not ASCII");
    let error = match habits::letter(&text) {
        Some(ascii) => error.guess(format!("write `{ascii}`"), vec![(place, ascii.to_string())]),
        None => error,
    };
    p.report(error);
    let node = p.open(NodeKind::Name);
    p.bump_until(start + len);
    if p.at(TokenKind::LParen) && p.joined() {
        parse_arguments(p);
    }
    p.close(node);
}

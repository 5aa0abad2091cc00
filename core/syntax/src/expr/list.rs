//! Lists of numbers: `[1, 2]`, `[[1, 2], [3, 4]]`, and as other languages write them.

use super::parse_value;
use crate::{NodeKind, Parser, SyntaxError, TokenKind, habits};
use nnz_base::source::Span;

pub(crate) fn parse_list(p: &mut Parser) {
    if p.too_deep() {
        return;
    }
    if parse_rows(p) || parse_rows_on_lines(p) || parse_joined(p) {
        return;
    }
    let node = p.open(NodeKind::ListLiteral);
    let open = p.open_bracket();
    let mut gaps = Vec::new();
    while !p.at(TokenKind::RBracket) && !p.at_end() {
        let before = p.span();
        if p.at(TokenKind::Comma) {
            let error = SyntaxError::new(p.span(), "a value is missing in front of this `,`").label("no value");
            let error = error.help("what is not stored is written `0`");
            p.report(match p.consumed_end() > open.end as usize {
                true => error.guess("remove it", vec![(p.span(), String::new())]),
                false => error,
            });
            p.bump();
            continue;
        }
        parse_item(p);
        if !p.eat(TokenKind::Comma) && !parse_wide_comma(p) && !parse_semicolon(p) {
            if p.span() == before || !at_forgotten_comma(p) {
                break;
            }
            gaps.push((p.span(), p.consumed_end()));
        }
    }
    report_forgotten_commas(p, &gaps);
    match p.at(TokenKind::Gt) && ends_line_behind(p, 1) {
        // Of `sparse<[[0, 1], [1, 2]>`: the literal ends, and the list does not.
        true => {
            p.leave_bracket();
            p.error_never_closed(TokenKind::RBracket, open);
        }
        false => p.close_bracket(open, TokenKind::RBracket, "`,` or `]`"),
    }
    p.close(node);
}

fn ends_line_behind(p: &Parser, tokens: usize) -> bool {
    matches!(p.nth(tokens), TokenKind::Newline | TokenKind::Eof | TokenKind::Semicolon)
        || p.next_on_line() == TokenKind::Newline
}

/// `[[1, 2]; [3, 4]]`: rows that are lists already.
fn parse_semicolon(p: &mut Parser) -> bool {
    if !p.at(TokenKind::Semicolon) || p.nth(1) != TokenKind::LBracket || p.last_kind() != TokenKind::RBracket {
        return false;
    }
    p.error_respelt(p.span(), ROWS, "write `,`", vec![(p.span(), ",".to_string())]);
    p.bump();
    true
}

const ROWS: &str = "the rows of a list are separated by `,`, not by `;`";

/// `[1，2]`: the comma of other scripts, as pasted from a text.
fn parse_wide_comma(p: &mut Parser) -> bool {
    let Some(sign) = p.rest().chars().next().filter(|sign| matches!(sign, '，' | '、')) else { return false };
    let place = Span::new(p.span().start as usize, p.span().start as usize + sign.len_utf8());
    let error = SyntaxError::new(place, format!("entries are separated by `,`, not by `{sign}`")).label("write `,`");
    p.report(error.guess("write `,`", vec![(place, ",".to_string())]));
    p.bump();
    true
}

/// Whether this is `[A; B]`, tensors one below the other.
fn parse_joined(p: &mut Parser) -> bool {
    let is_matrix = |n: usize| {
        let name = p.nth_text(n);
        name.starts_with(|c: char| c.is_ascii_uppercase()) && habits::constant(name).is_none()
    };
    let beside = is_matrix(1) && is_matrix(2) && p.nth(2) == TokenKind::Ident;
    let separated =
        beside || p.nth(2) == TokenKind::Semicolon || p.nth(2) == TokenKind::Comma && is_matrix(1) && is_matrix(3);
    if p.nth(1) != TokenKind::Ident || !separated || !beside && p.nth(3) != TokenKind::Ident {
        return false;
    }
    let error = SyntaxError::new(p.span(), "a list holds numbers, and no tensors").label("a list of tensors");
    p.report(error.help(habits::JOINED));
    let node = p.open(NodeKind::ListLiteral);
    while !p.at_end() && !p.at(TokenKind::RBracket) && !p.newline_before() {
        p.bump();
    }
    p.eat(TokenKind::RBracket);
    p.close(node);
    true
}

/// Whether this is `[1 0; 0 2]`, rows between semicolons.
fn parse_rows(p: &mut Parser) -> bool {
    let start = p.span().start as usize;
    let is_row = |c: char| c.is_ascii_digit() || matches!(c, ' ' | ',' | ';' | '.' | '-' | '+' | 'e' | '\t');
    let behind = p.rest().get(1..).unwrap_or_default();
    // The line at most: unclosed brackets would each look through all the rest of the text.
    let end = 1 + behind.find(|c| !is_row(c)).unwrap_or(behind.len());
    let inner = &behind[..end - 1];
    if !behind[inner.len()..].starts_with(']') || !inner.contains(';') {
        return false;
    }
    let numbers =
        |row: &str| row.split([' ', ',', '\t']).filter(|number| !number.is_empty()).collect::<Vec<_>>().join(", ");
    let rows = inner.split(';').map(str::trim).filter(|row| !row.is_empty()).map(|row| format!("[{}]", numbers(row)));
    let whole = format!("[{}]", rows.collect::<Vec<_>>().join(", "));
    let place = Span::new(start, start + end + 1);
    let error = SyntaxError::new(place, format!("each row is a list of its own: `{whole}`")).label("rows between `;`");
    p.report(error.fix(format!("write `{whole}`"), vec![(place, whole)]));
    let node = p.open(NodeKind::ListLiteral);
    p.bump_until(start + end + 1);
    p.close(node);
    true
}

/// Whether this is `[1 2` and `3 4]` on the next line: rows as MATLAB reads them, of the same length.
fn parse_rows_on_lines(p: &mut Parser) -> bool {
    // Unclosed brackets would each look through all the rest of the text.
    const LONGEST: usize = 1 << 12;
    let behind = p.rest().get(1..).unwrap_or_default();
    let near = &behind[..behind.floor_char_boundary(LONGEST)];
    let is_row =
        |c: char| c.is_ascii_digit() || c.is_ascii_whitespace() || matches!(c, ',' | ';' | '.' | '-' | '+' | 'e');
    let Some(end) = near.find(|c| !is_row(c)).filter(|end| near[*end..].starts_with(']')) else { return false };
    let parts = near[..end].split(['\n', '\r', ';']).map(str::trim).filter(|row| !row.is_empty());
    let words = |row: &str| row.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(str::to_string).collect();
    let (joined, rows): (Vec<bool>, Vec<Vec<String>>) = parts.map(|row| (row.ends_with(','), words(row))).unzip();
    let same = rows.len() > 1 && rows.iter().all(|row| row.len() > 1 && row.len() == rows[0].len());
    if !same || joined.contains(&true) {
        return false;
    }
    let rows: Vec<String> = rows.iter().map(|row| format!("[{}]", row.join(", "))).collect();
    let whole = format!("[{}]", rows.join(", "));
    let start = p.span().start as usize;
    let place = Span::new(start, start + end + 2);
    let error = SyntaxError::new(Span::new(start, start + 1), format!("each row is a list of its own: `{whole}`"));
    p.report(error.label("rows on lines of their own").guess(format!("write `{whole}`"), vec![(place, whole)]));
    let node = p.open(NodeKind::ListLiteral);
    p.bump_until(place.end as usize);
    p.close(node);
    true
}

/// `[1 2]`, `[1, 2; 3, 4]`
fn at_forgotten_comma(p: &Parser) -> bool {
    matches!(p.peek(), TokenKind::Int | TokenKind::Float | TokenKind::LBracket | TokenKind::Minus)
}

/// Each with the place before which the `,` is missing, and where it would go.
fn report_forgotten_commas(p: &mut Parser, gaps: &[(Span, usize)]) {
    let Some((first, _)) = gaps.first() else { return };
    let edits = gaps.iter().map(|(_, at)| (Span::at(*at), ",".to_string())).collect();
    let found = p.text_at(*first).to_string();
    let error = SyntaxError::new(*first, format!("expected `,` or `]`, found `{found}`")).label("a `,` is missing");
    p.insert_error(error.guess("insert `,`", edits));
}

pub(crate) fn parse_item(p: &mut Parser) {
    if p.at(TokenKind::LBracket) { parse_list(p) } else { parse_value(p) }
}

//! Suffixes of operands as other languages write them: `A'`, `A(i)(j)`, `x[i]`, `x²`. Parsed as their equivalents, and reported.

use super::{
    foreign::{is_bare, is_name_start, spaces},
    parse_argument_list,
};
use crate::{Checkpoint, NodeKind, Parser, SyntaxError, TokenKind, habits};
use nnz_base::{
    element::Element,
    functions::{BinaryFunction, UnaryFunction},
    source::Span,
};

/// Parses a suffix of an operand, `A'` or `A(i)(j)`, if it is here.
pub(super) fn parse_postfix(p: &mut Parser, from: Checkpoint) -> bool {
    let transposed = p.rest().starts_with('\'') && p.joined() || p.rest().starts_with('ᵀ');
    if transposed {
        let error = SyntaxError::new(p.span(), "a transpose is written with indices: `A(j, i)` for `A(i, j)`");
        let error = error.label("no mark of a transpose");
        let error = match transposed_statement(p, from) {
            Some((line, whole)) => error.guess(format!("write `{whole}`"), vec![(line, whole)]),
            None => error,
        };
        p.report(error);
        p.bump();
        return true;
    }
    if parse_superscript(p, from) {
        return true;
    }
    if !at_more_indices(p) || !p.text_since(from).ends_with(')') || !p.text_since(from).starts_with(is_name_start) {
        return false;
    }
    let (second, errors) = (p.span(), p.error_count());
    let (before, behind) = (p.span_since(from), p.consumed_end());
    let mut edits = Vec::new();
    join_indices(p, &mut edits);
    if is_function(p.text_at(before).split('(').next().unwrap_or_default().trim_end()) {
        let error = of_function(p, before, Span::new(behind, p.consumed_end()));
        return p.error_count() > errors || {
            p.insert_error(error);
            true
        };
    }
    let error = SyntaxError::new(second, "all indices stand in one pair of parentheses: `A(i, j)`");
    if p.error_count() == errors {
        p.insert_error(error.label("a second pair").guess("join the pairs", edits));
    }
    true
}

/// Of one argument they reduce, and lack a variable.
const REDUCTIONS: [&str; 6] = ["sum(", "prod(", "min(", "max(", "argmin(", "argmax("];

/// Whether the language has a function of numbers of this name.
fn is_function(name: &str) -> bool {
    UnaryFunction::ALL.iter().any(|function| function.name() == name)
        || BinaryFunction::ALL.iter().any(|function| function.name() == name)
        || Element::parse(name).is_some()
        || REDUCTIONS.iter().any(|known| known.strip_suffix('(') == Some(name))
        || matches!(
            name,
            "abs" | "sign" | "square" | "relu" | "conj" | "real" | "imag" | "bitnot" | "pow" | "mod" | "rem"
        )
}

/// `exp(x)(i)`: indices at `indices`, behind the call of a function.
fn of_function(p: &Parser, call: Span, indices: Span) -> SyntaxError {
    let text = p.text_at(call);
    let error = SyntaxError::new(indices, format!("indices stand behind a tensor's name, not behind `{text}`"));
    let error = error.label("behind a function");
    let argument = text.split_once('(').and_then(|(_, inside)| inside.strip_suffix(')')).unwrap_or_default();
    let (names, reduces) = (p.text_at(indices), REDUCTIONS.iter().any(|name| text.starts_with(name)));
    if reduces {
        return error.help("as in `sum(i, x(i))`");
    }
    if !is_bare(argument) || !names.starts_with('(') {
        return error.help("as in `exp(x(i))`");
    }
    let close = Span::new(call.end as usize - 1, call.end as usize);
    let title = format!("write `{}{names})`", &text[..text.len() - 1]);
    error.guess(title, vec![(close, String::new()), (Span::at(indices.end as usize), ")".to_string())])
}

/// At `(j)` or `[j]`, directly behind the indices before.
fn at_more_indices(p: &Parser) -> bool {
    matches!(p.peek(), TokenKind::LParen | TokenKind::LBracket) && p.joined()
}

/// Reads all pairs of brackets that stand here; `edits` make them parts of the one before.
fn join_indices(p: &mut Parser, edits: &mut Vec<(Span, String)>) {
    while at_more_indices(p) && !p.too_deep() {
        let closing = p.peek().closing().unwrap_or(TokenKind::RParen);
        // The bracket before closes nothing then.
        edits.retain(|(place, _)| place.end as usize != p.consumed_end());
        edits.push((Span::new(p.consumed_end() - 1, p.span().end as usize), ", ".to_string()));
        let node = p.open(NodeKind::Error);
        let open = p.open_bracket();
        parse_argument_list(p, closing);
        let close = p.span();
        p.close_bracket(open, closing, "the end of the indices");
        p.close(node);
        if closing == TokenKind::RBracket {
            edits.push((close, ")".to_string()));
        }
    }
}

/// `x(i)²`
fn parse_superscript(p: &mut Parser, from: Checkpoint) -> bool {
    let power = match p.rest().chars().next() {
        Some('²') => 2,
        Some('³') => 3,
        _ => return false,
    };
    let (operand, sign) = (p.text_since(from).trim().to_string(), p.span());
    let whole = p.span_since(from).cover(sign);
    let meant = format!("pow({operand}, {power})");
    let error = SyntaxError::new(sign, format!("a power is written `{meant}`")).label("write `pow`");
    p.report(error.fix(format!("write `{meant}`"), vec![(whole, meant)]));
    p.bump();
    true
}

/// `B(i, j) = A(j, i)` for the whole statement `B = A'`.
fn transposed_statement(p: &Parser, from: Checkpoint) -> Option<(Span, String)> {
    let place = p.span_since(from);
    let before = p.text_at(Span::new(0, place.start as usize));
    let start = before.rfind(['\n', '\r', ';']).map_or(0, |end| end + 1);
    let start = start + spaces(&before[start..]) as usize;
    let (name, sign) = before[start..].trim_end().split_at_checked(before[start..].trim_end().len().checked_sub(1)?)?;
    let mark = p.rest().chars().next()?.len_utf8();
    let end = p.span().start as usize + mark;
    let ends = p.rest()[mark..].split(['\n', '\r', ';']).next()?.trim().is_empty();
    let (name, operand) = (name.trim(), p.text_at(place).trim());
    let whole = format!("{name}(i, j) = {operand}(j, i)");
    let matrix = operand.starts_with(|c: char| c.is_ascii_uppercase());
    (ends && sign == "=" && matrix && is_bare(name) && is_bare(operand)).then(|| (Span::new(start, end), whole))
}

/// `y[i]`
pub(super) fn parse_square_arguments(p: &mut Parser, name: Span) {
    let errors = p.error_count();
    let open = p.open_bracket();
    parse_argument_list(p, TokenKind::RBracket);
    let closing = p.span();
    p.close_bracket(open, TokenKind::RBracket, "`,` or `]`");
    let mut edits = vec![(open, "(".to_string()), (closing, ")".to_string())];
    join_indices(p, &mut edits);
    let member = p.text_at(name).rsplit_once('.').map(|(_, member)| member);
    if let Some(habits::Function::Said(how)) = member.and_then(habits::function) {
        let error =
            SyntaxError::new(name, format!("`{}` is not defined", p.text_at(name))).label("names have no members");
        return p.insert_error(error.help(*how));
    }
    if sets_one_entry(p, Span::new(open.end as usize, closing.start as usize)) {
        return;
    }
    if p.error_count() == errors {
        let error = SyntaxError::new(open, "entries are named with parentheses: `y(i)`").label("write `(`");
        p.insert_error(match edits.len() {
            2 => error.fix("write `(` and `)`", edits),
            _ => error.guess("write one pair of parentheses", edits),
        });
    }
}

/// At the `=` of `x[0] = 5`: the checker says what to write, which knows the tensor.
fn sets_one_entry(p: &Parser, inside: Span) -> bool {
    let number = |text: &str| !text.trim().is_empty() && text.trim().bytes().all(|b| b.is_ascii_digit());
    p.at(TokenKind::Eq) && p.text_at(inside).split(',').all(number)
}

/// `A(i, :)`
pub(super) fn parse_whole_dimension(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), "a whole dimension is named by an index variable: `A(i, j)` for all of `j`");
    p.report(error.label("name it, such as `j`"));
    p.bump();
}

/// `(1, 2, 3)`, of which two were read, the first up to `first`.
pub(super) fn parse_tuple(p: &mut Parser, open: Span, first: usize) {
    let error = SyntaxError::new(open, "a list is written in square brackets: `[1, 2, 3]`");
    p.bump();
    parse_argument_list(p, TokenKind::RParen);
    let closing = p.span();
    if p.at(TokenKind::RParen) && closes_outer(p) {
        // `select((x(i) > 1, 1.0, 0.0)`
        let error = SyntaxError::new(Span::at(first), "`)` is missing").label("`)` is missing");
        let error = SyntaxError { opened: Some(open), ..error };
        p.insert_error(error.guess("insert `)`", vec![(Span::at(first), ")".to_string())]));
        return p.leave_bracket();
    }
    if p.at(TokenKind::RParen) {
        let edits = vec![(open, "[".to_string()), (closing, "]".to_string())];
        p.insert_error(error.label("write `[`").guess("write `[` and `]`", edits));
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
}

/// At the last `)` of a line, with two open: it closes the outer one.
fn closes_outer(p: &Parser) -> bool {
    p.within_two_brackets() && matches!(p.next_on_line(), TokenKind::Newline | TokenKind::Eof | TokenKind::Semicolon)
}

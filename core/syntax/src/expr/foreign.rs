//! Expressions as other languages write them. They are parsed as their equivalents here, so the rest of the text is
//! not disturbed, and reported with nnz's spelling.

mod calls;

pub(super) use calls::{at_list_argument, parse_einsum, parse_function_call, parse_list_call, parse_signed_semiring};

use super::{MAX_CHAIN, bits, give_up, parse_arguments, products};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
    habits::{self, Instead, Operator, Tightness},
    parser::line_start,
    words::{is_bare, is_function, is_operator},
};
use nnz_base::{element::Element, source::Span};

/// The operator of another language that stands here behind an operand, if it has this precedence.
fn operator_here(p: &Parser, from: Checkpoint, tightness: Tightness) -> Option<&'static Operator> {
    let row = habits::operator(p.rest(), tightness).filter(|_| p.moved_since(from))?;
    let is_other = p.within_bars() && row.written == "|" || at_assignment(p, row);
    (!is_other).then_some(row)
}

/// Whether [`parse_operator`] would consume one.
pub(super) fn is_at(p: &Parser, from: Checkpoint, tightness: Tightness) -> bool {
    operator_here(p, from, tightness).is_some()
}

/// `a && b`, `a ** 2`: consumes an operator of another language, if it has this precedence, and its right operand.
pub(super) fn parse_operator(
    p: &mut Parser,
    from: Checkpoint,
    tightness: Tightness,
    right: impl Fn(&mut Parser),
) -> bool {
    let Some(row) = operator_here(p, from, tightness) else { return false };
    let place = Span::new(p.span().start as usize, p.span().start as usize + row.written.len());
    let left = p.span_since(from);
    if row.written == "%" && (parse_share(p, left) || parse_comment(p)) {
        return true;
    }
    let errors = p.error_count();
    let mut taken = vec![Taken { place, operand: parse_right(p, place, &right) }];
    // All factors are one product, all powers one chain.
    while let Some(place) = at_next_of(p, row) {
        if taken.len() >= MAX_CHAIN {
            give_up(p);
            return true;
        }
        taken.push(Taken { place, operand: parse_right(p, place, &right) });
    }
    let error = match p.error_count() == errors {
        _ if begins_statement(p, left) && p.at(TokenKind::Eq) => on_the_left(p, row, place, left),
        true if row.tightness == Tightness::Power && taken.len() > 1 => power_of_power(p, row, left, &taken),
        true if row.written == "@" => matrix_product(p, row, left, &taken),
        true if is_dot(row) && is_bare(p.text_at(left)) && is_bare(p.text_at(taken[0].operand)) => {
            matrix_product(p, row, left, &taken)
        }
        true => instead(p, row, place, left, taken[0].operand),
        false => said(row, place),
    };
    // `(A @ B) @ v`: one error is enough for what one habit wrote.
    if row.written != "@" || !p.text_at(left).contains('@') {
        p.insert_error(error);
    }
    p.wrap(from, NodeKind::Binary);
    true
}

/// Another place of the same operator, for operators that are reported once.
fn at_next_of(p: &Parser, row: &Operator) -> Option<Span> {
    let start = p.span().start as usize;
    let whole = matches!(row.written, "@" | "^" | ".^" | "**") && p.rest().starts_with(row.written);
    (whole && !at_assignment(p, row)).then(|| Span::new(start, start + row.written.len()))
}

/// `x^2^3`: mathematics begins on the right, MATLAB on the left; `**` begins on the right everywhere.
fn power_of_power(p: &Parser, row: &Operator, left: Span, taken: &[Taken]) -> SyntaxError {
    let texts = || taken.iter().map(|taken| p.text_at(taken.operand).trim().to_string());
    let first = p.text_at(left).trim().to_string();
    let from_left = texts().fold(first.clone(), |base, power| format!("pow({base}, {power})"));
    let all: Vec<String> = std::iter::once(first).chain(texts()).collect();
    let from_right = all.into_iter().rev().reduce(|power, base| format!("pow({base}, {power})")).unwrap_or_default();
    let error = said(&Operator { note: "", ..*row }, taken[0].place);
    if row.written == "**" {
        let whole = Span { start: left.start, end: taken.last().map_or(left.end, |last| last.operand.end) };
        return error.guess(format!("write `{from_right}`"), vec![(whole, from_right)]);
    }
    let error = error.help(format!("from the right, as in mathematics: `{from_right}`"));
    error.help(format!("from the left, as in MATLAB: `{from_left}`"))
}

/// Between tensors without indices it is Julia's product of matrices and vectors.
fn is_dot(row: &Operator) -> bool {
    matches!(row.written, "⋅" | "·")
}

/// Consumes the `=` behind the name of an argument, or `=>`.
pub(super) fn eat_naming_sign(p: &mut Parser) {
    if p.rest().starts_with("=>") {
        let start = p.span().start as usize;
        let sign = Span::new(start, start + 2);
        let error = SyntaxError::new(sign, "an argument is named with `=`, not with `=>`").label("write `=`");
        p.report(error.guess("write `=`", vec![(sign, "=".to_string())]));
        p.bump();
    }
    p.bump();
}

/// An operator and its right operand.
struct Taken {
    place: Span,
    operand: Span,
}

/// Consumes the operator at `place` and its right operand.
fn parse_right(p: &mut Parser, place: Span, right: &impl Fn(&mut Parser)) -> Span {
    let end = place.end as usize;
    // `^2` and `%x` are single tokens, which hold the first token of the operand.
    let whole = p.bump_until(end);
    // A node, so that nesting is counted.
    let node = p.open(NodeKind::Error);
    match whole {
        true => right(p),
        false if p.at(TokenKind::LParen) && p.joined() => parse_arguments(p),
        false => {}
    }
    p.close(node);
    Span::new(end, p.consumed_end().max(end))
}

/// Whether a statement begins at `left`.
fn begins_statement(p: &Parser, left: Span) -> bool {
    !p.within_a_bracket() && line_start(p, left.start as usize) == left.start as usize
}

/// `a%(i) = ...`, `a ** 2 = ...`: an operator before the `=`.
fn on_the_left(p: &Parser, row: &Operator, place: Span, left: Span) -> SyntaxError {
    let error = SyntaxError::new(place, format!("`{}` is no part of a name", row.written));
    let error = error.label("names are of letters, digits and `_`");
    let indices = p.text_at(Span { start: place.end, end: p.consumed_end() as u32 });
    match is_bare(p.text_at(left)) && left.end == place.start && indices.starts_with('(') {
        true => error.guess("remove it", vec![(place, String::new())]),
        false => error.help("the left side is a name and its indices, as in `y(i) = x(i)`"),
    }
}

/// `% the product`: words, as MATLAB writes a comment.
fn parse_comment(p: &mut Parser) -> bool {
    let Some(comment) = comment_behind(p) else { return false };
    if p.within_a_bracket() || !comment.trim().contains(char::is_whitespace) {
        return false;
    }
    let end = p.span().start as usize + 1 + comment.len();
    let error = comment_sign(p.span().start as usize);
    p.insert_error(error);
    let node = p.open(NodeKind::Error);
    p.bump_until(end);
    p.close(node);
    true
}

pub(super) fn comment_sign(start: usize) -> SyntaxError {
    let sign = Span::new(start, start + 1);
    let error = SyntaxError::new(sign, "a comment begins with `//`, not with `%`").label("write `//`");
    error.guess("write `//`", vec![(sign, "//".to_string())])
}

/// What is behind a `%` on its line, if it begins with a blank and reads as words: with a word, and no operator behind it.
fn comment_behind(p: &Parser) -> Option<&str> {
    let line = p.rest().strip_prefix('%')?.split(['\n', '\r']).next()?;
    let mut words = line.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let is_word =
        |word: &str| word.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '\'' | ',' | '.' | ':' | '-'));
    let reads = is_word(first) && first.len() > 1 && !is_operator(first);
    let goes_on = second.is_none_or(|second| is_word(second) && !is_operator(second) && second != "-");
    (line.starts_with(' ') && reads && goes_on).then_some(line.trim_end())
}

/// `10%`
fn parse_share(p: &mut Parser, number: Span) -> bool {
    use TokenKind::{Comma, Eof, RParen, Semicolon, Slash, Star};
    let ends = matches!(p.nth(1), RParen | Comma | Semicolon | Eof | Star | Slash);
    let Ok(percents) = p.text_at(number).parse::<f64>() else { return false };
    if !p.at(TokenKind::Percent) || !ends {
        return false;
    }
    let whole = Span::new(number.start as usize, p.span().start as usize + 1);
    let share = (percents / 100.0).to_string();
    let error = SyntaxError::new(whole, format!("a share is written as a number from 0 to 1: `{share}`"));
    p.insert_error(error.label("no percents").fix(format!("write `{share}`"), vec![(whole, share)]));
    let node = p.open(NodeKind::Error);
    p.bump();
    p.close(node);
    true
}

/// `"10"` in place of a number.
pub(super) fn parse_quoted_number(p: &mut Parser) -> bool {
    let (place, text) = (p.span(), p.peek_text().trim().trim_matches('"').to_string());
    if text.parse::<f64>().is_err() {
        return false;
    }
    let error = SyntaxError::new(place, format!("a number is written without quotes: `{text}`"));
    p.report(error.label("a string, not a number").fix("remove the quotes", vec![(place, text)]));
    let node = p.open(NodeKind::Error);
    p.bump();
    p.close(node);
    true
}

/// `2 * "file.mtx"`
pub(super) fn report_string(p: &mut Parser) {
    let text = p.peek_text().trim_end().to_string();
    let error = SyntaxError::new(p.span(), format!("expected an expression, found `{text}`")).label("a string");
    let start = line_start(p, p.span().start as usize);
    let before = p.text_at(Span::new(start, p.span().start as usize));
    let callee = before.split('(').next().and_then(|before| before.rsplit([' ', '=']).next());
    p.report(match text.contains('.') {
        _ if before.contains('(') && callee.is_some_and(habits::writes) => {
            error.help(format!("a tensor is written by a command: `:write A {text}`"))
        }
        true => error.help(format!("a file is read by a definition of its own: `A : CSR = read {text}`")),
        false => error.help("only the names of files are texts: `A : CSR = read \"file.mtx\"`"),
    });
    let node = p.open(NodeKind::Error);
    p.bump();
    p.close(node);
}

/// `1:`, `:2`
pub(super) fn report_open_range(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), "a range names both its ends").label("an end is missing");
    p.report(error.help("as in `x(k = 0:2)`, the end not included"));
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

/// `y => 3`, where a statement assigns.
fn assigned(p: &Parser, row: &Operator, place: Span, left: Span) -> Option<SyntaxError> {
    let error = SyntaxError::new(place, format!("a statement assigns with `=`, not with `{}`", row.written));
    let found = row.written.starts_with('=') && !row.sure && begins_statement(p, left);
    found.then(|| error.label("write `=`").guess("write `=`", vec![(place, "=".to_string())]))
}

/// What to write instead of `left op operand`.
fn instead(p: &Parser, row: &Operator, place: Span, left: Span, operand: Span) -> SyntaxError {
    if let Some(error) = assigned(p, row, place, left) {
        return error;
    }
    let edits = match row.instead {
        Instead::Operator(own) => {
            let word = own.starts_with(|c: char| c.is_ascii_alphabetic());
            let before = if word && left.end == place.start { " " } else { "" };
            let after = if word && !p.text_at(operand).starts_with(char::is_whitespace) { " " } else { "" };
            // `&` takes bits, too: what is no condition is left to the checker.
            let logic = word && habits::of_bits(row.written).is_none();
            let compared = [left, operand].into_iter().filter(|span| logic && is_number(p.text_at(*span)));
            let compared = compared.map(|span| (Span::at(span.end as usize), " != 0".to_string()));
            let mut edits: Vec<(Span, String)> = compared.collect();
            edits.push((place, format!("{before}{own}{after}")));
            edits.sort_by_key(|(span, _)| span.start);
            edits
        }
        Instead::Call(function) => bits::called(p, function, (place, left, operand)),
    };
    let function = p.text_at(left).trim();
    if row.tightness == Tightness::Power && is_function(function) {
        return power_of_value(p, row, (place, left, operand));
    }
    let error = said(row, place);
    let title = match row.instead {
        Instead::Operator(own) if edits.len() > 1 => format!("compare what is no condition, and write `{own}`"),
        Instead::Operator(own) => format!("write `{own}`"),
        Instead::Call(function) => {
            let (left, right) = (p.text_at(left), p.text_at(operand).trim());
            format!("write `{function}({left}, {right})`")
        }
    };
    // `A * B` without indices would be the next mistake, and then perhaps be taken for a product of matrices.
    let transposes = matches!(p.text_at(operand).trim().split('(').next(), Some("T" | "H"));
    if row.written == "^" && transposes {
        let name = p.text_at(left).trim().split('(').next().unwrap_or_default();
        let error =
            SyntaxError::new(place, format!("a transpose is written with indices: `{name}(j, i)` for `{name}(i, j)`"));
        let error = error.label("no mark of a transpose");
        return match super::postfix::transposed_definition(p, left.start as usize) {
            Some((head, format)) if is_bare(name) => {
                error.help(format!("as in `{head}(i, j) : {format} = {name}(j, i)`"))
            }
            _ => error,
        };
    }
    let by_entry = row.written.starts_with('.');
    let is_bare_or_turned = |span| is_bare(p.text_at(span).trim().trim_end_matches(".T"));
    let bare_right = is_bare_or_turned(operand);
    if by_entry && is_bare_or_turned(left) {
        let indexed = |span: Span| match p.text_at(span).trim() {
            name if is_bare(name) && name.starts_with(|c: char| c.is_ascii_lowercase()) => format!("{name}(i)"),
            name if is_bare(name) => format!("{name}(i, j)"),
            other => other.to_string(),
        };
        let (first, second) = (indexed(left), indexed(operand));
        let meant = match row.instead {
            Instead::Operator(own) => format!("{first} {own} {second}"),
            Instead::Call(function) => format!("{function}({first}, {second})"),
        };
        let error = error.help(format!("an operation on tensors names their indices: `{meant}`"));
        return match entrywise_statement(p, left, operand, &meant) {
            Some((line, whole)) => error.guess(format!("write `{whole}`"), vec![(line, whole)]),
            None => error,
        };
    }
    if let Some(product) = product_of_power(p, row, left, operand) {
        let error = error.help(format!("`pow` takes each entry; the power of a matrix is a product: `{product}`"));
        // `^` is MATLAB's power of a matrix, `**` NumPy's of entries.
        let meant = match row.written {
            "^" => product,
            _ => format!("pow({}(i, j), {})", p.text_at(left).trim(), p.text_at(operand).trim()),
        };
        let statement = typed_statement(p, left, operand, &meant);
        return match statement.or_else(|| entrywise_statement(p, left, operand, &meant)) {
            Some((line, whole)) => error.guess(format!("write `{whole}`"), vec![(line, whole)]),
            None => bits::by_element(p, error.guess(title, edits), row, (place, left, operand)),
        };
    }
    let error = match row.sure && !(by_entry && bare_right) {
        true => error.fix(title, edits),
        false => error.guess(title, edits),
    };
    if row.written == "%" && !p.within_a_bracket() && is_bare(p.text_at(operand)) && ends_here(p) {
        return bits::or_comment(error, place.start as usize, operand);
    }
    bits::by_element(p, error, row, (place, left, operand))
}

/// `sin^2(x(i))`: the power of a function's value.
fn power_of_value(p: &Parser, row: &Operator, (place, left, operand): (Span, Span, Span)) -> SyntaxError {
    let (function, text) = (p.text_at(left).trim(), p.text_at(operand).trim());
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (power, argument) = text.split_at(digits);
    let error = SyntaxError::new(place, format!("the power of a function's value is written `pow({function}(x), 2)`"));
    let error = error.label("stands behind the name");
    let called = digits > 0 && argument.starts_with('(') && argument.ends_with(')') && !row.written.starts_with('.');
    let meant = format!("pow({function}{argument}, {power})");
    let whole = left.cover(operand);
    if called { error.guess(format!("write `{meant}`"), vec![(whole, meant)]) } else { error }
}

/// `A(i, k) * A(k, j)` for `A^2`, where `A` is named as matrices are.
fn product_of_power(p: &Parser, row: &Operator, left: Span, operand: Span) -> Option<String> {
    let name = p.text_at(left).trim();
    let matrix = is_bare(name) && name.starts_with(|c: char| c.is_ascii_uppercase());
    let found = matrix && row.tightness == Tightness::Power && !row.written.starts_with('.');
    products::of_power(name, p.text_at(operand).trim().parse().ok().filter(|_| found)?)
}

/// `C(i, j) : CSR = pow(A(i, j), 2)`, where the operation is all of the right side of `C : CSR = A^2`.
fn typed_statement(p: &Parser, left: Span, operand: Span, meant: &str) -> Option<(Span, String)> {
    let start = line_start(p, left.start as usize);
    let head = p.text_at(Span::new(start, left.start as usize)).trim_end().strip_suffix('=')?;
    let (name, ty) = head.split_once(':')?;
    let (name, ty) = (name.trim(), ty.trim());
    let fine = is_bare(name) && Element::parse(ty).is_none() && ends_here(p);
    fine.then(|| (Span::new(start, operand.end as usize), format!("{name}(i, j) : {ty} = {meant}")))
}

/// `C(i, j) = A(i, j) * B(i, j)`, where the operation is all of the right side of `C = A .* B`.
fn entrywise_statement(p: &Parser, left: Span, operand: Span, meant: &str) -> Option<(Span, String)> {
    let start = line_start(p, left.start as usize);
    let name = p.text_at(Span::new(start, left.start as usize)).trim_end().strip_suffix('=')?.trim();
    let indices = ["(i, j)", "(i)"].into_iter().find(|indices| meant.contains(indices)).or_else(|| {
        // A product of matrices.
        meant.contains("(i, k)").then_some("(i, j)")
    })?;
    let whole = format!("{name}{indices} = {meant}");
    let fine = is_bare(name) && ends_here(p) && !meant.contains('.');
    fine.then(|| (Span::new(start, operand.end as usize), whole))
}

/// What to write instead of `A @ x`, or of a longer product.
fn matrix_product(p: &Parser, row: &Operator, left: Span, taken: &[Taken]) -> SyntaxError {
    let places = || std::iter::once(left).chain(taken.iter().map(|taken| taken.operand));
    let factors: Vec<&str> = places().map(|place| p.text_at(place).trim()).collect();
    let error = said(row, taken[0].place);
    if factors.iter().any(|factor| is_bare(factor.trim_end_matches(".T"))) {
        let end = taken.last().map_or(left.end, |last| last.operand.end);
        return indexed_product(p, error, (left.start, end), &factors);
    }
    error.guess("write `*`", taken.iter().map(|taken| (taken.place, "*".to_string())).collect())
}

/// No comparison and nothing made of some: other languages take a number for a condition.
pub(super) fn is_number(text: &str) -> bool {
    let word = |word: &str| matches!(word, "and" | "or" | "not");
    let compares = text.contains(['<', '>', '=', '!', '~', '¬', '&', '|', '∧', '∨', '≤', '≥', '≠', '?']);
    !compares && !text.split(|c: char| !c.is_ascii_alphanumeric()).any(word)
}

/// `y = A @ x`: the whole statement in index notation, where the product is all of its right side but for numbers.
fn indexed_product(p: &Parser, error: SyntaxError, (from, to): (u32, u32), factors: &[&str]) -> SyntaxError {
    let start = line_start(p, from as usize);
    let before = p.text_at(Span::new(start, from as usize));
    let behind = p.text_at(Span::new(to as usize, p.span().start as usize + p.rest().len()));
    let behind = behind.split(['\n', '\r', ';']).next().unwrap_or_default();
    let names_more = behind.split("//").next().unwrap_or_default().contains(|c: char| c.is_alphabetic() || c == '@');
    match products::of_scaled(before, factors).filter(|_| !names_more) {
        Some(whole) => {
            let line = Span::new(start, to as usize);
            let title = format!("write `{whole}`");
            SyntaxError { helps: vec!["a product names its indices".to_string()], ..error }
                .guess(title, vec![(line, whole)])
        }
        None => {
            SyntaxError { helps: vec![format!("a product names its indices: `{}`", products::form(factors))], ..error }
        }
    }
}

fn ends_here(p: &Parser) -> bool {
    (p.at_line_end() || p.at_end() || p.at(TokenKind::Semicolon)) && !p.at_continuation()
}

#[cfg(test)]
mod tests;

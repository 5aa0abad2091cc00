//! Expressions as other languages write them. They are parsed as their equivalents here, so the rest of the text is
//! not disturbed, and reported with nnz's spelling.

use super::{Lines, parse_argument_list, parse_arguments, parse_expr, products};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
    habits::{self, Instead, Operator, Tightness},
    session::parse_list,
};
use nnz_base::source::Span;

/// `a && b`, `a ** 2`: consumes an operator of another language, if it has this precedence, and its right operand.
pub(super) fn parse_operator(
    p: &mut Parser,
    from: Checkpoint,
    tightness: Tightness,
    right: impl FnOnce(&mut Parser),
) -> bool {
    let Some(row) = habits::operator(p.rest(), tightness).filter(|_| p.moved_since(from)) else { return false };
    if p.within_bars() && row.written == "|" || at_assignment(p, row) {
        return false;
    }
    let place = Span::new(p.span().start as usize, p.span().start as usize + row.written.len());
    let left = p.span_since(from);
    if row.written == "%" && parse_share(p, left) {
        return true;
    }
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

/// `10%`
fn parse_share(p: &mut Parser, number: Span) -> bool {
    let ends = matches!(p.nth(1), TokenKind::RParen | TokenKind::Comma | TokenKind::Semicolon | TokenKind::Eof);
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

/// At `(double) x`: the name of a type in parentheses, and an operand behind it.
pub(super) fn at_cast(p: &Parser) -> bool {
    use TokenKind::{Float, Ident, Int, LParen, RParen};
    p.nth(1) == Ident
        && p.nth(2) == RParen
        && matches!(p.nth(3), Ident | Int | Float | LParen)
        && habits::cast(p.nth_text(1)).is_some()
        && !is_trailing_word(p.nth_text(3))
}

fn is_trailing_word(word: &str) -> bool {
    super::is_operator(word) || word == "schedule"
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
    p.report(error.help(format!("a file is read by a definition of its own: `A : CSR = read {text}`")));
    let node = p.open(NodeKind::Error);
    p.bump();
    p.close(node);
}

/// At `([`: a list as the first argument.
pub(super) fn at_list_argument(p: &Parser) -> bool {
    p.nth(1) == TokenKind::LBracket
}

/// `np.array([[1, 2], [3, 4]])`, from its parenthesis on; `name` is the place of the function's name.
pub(super) fn parse_list_call(p: &mut Parser, name: Span) {
    let (open, errors) = (p.open_bracket(), p.error_count());
    let function = p.text_at(name).to_string();
    let from = p.checkpoint();
    parse_list(p);
    let list = p.text_since(from).to_string();
    let alone = p.at(TokenKind::RParen);
    while p.eat(TokenKind::Comma) {
        match p.at(TokenKind::LBracket) {
            true => parse_list(p),
            false => parse_expr(p, Lines::Continue),
        }
        // `dtype = float`
        if p.eat(TokenKind::Eq) {
            parse_expr(p, Lines::Continue);
        }
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
    let whole = Span::new(name.start as usize, p.consumed_end());
    let shown = if list.len() <= 40 { list.as_str() } else { "[[1, 2], [3, 4]]" };
    let error = match habits::makes_tensor(&function) && alone {
        true => SyntaxError::new(name, format!("a list stands alone on the right: `A = {shown}`")).label("not needed"),
        false => list_of_sizes(name, &function, &list),
    };
    p.insert_error(match alone && habits::makes_tensor(&function) && p.error_count() == errors {
        true => error.guess(format!("write `{shown}`"), vec![(whole, list)]),
        false => error,
    });
}

/// `zeros([3, 4])`
fn list_of_sizes(name: Span, function: &str, list: &str) -> SyntaxError {
    let error = SyntaxError::new(name, format!("`{function}` takes no list")).label("takes no list");
    match habits::function(function) {
        Some(habits::Function::Said(how)) => error.help(*how),
        _ if !list.contains(|c: char| c.is_ascii_alphabetic()) => {
            error.help(format!("a list stands alone on the right, as in `x = {list}`"))
        }
        _ => error,
    }
}

/// `2 * @scale(A, 2)`: a function of a program within an expression.
pub(super) fn parse_function_call(p: &mut Parser) {
    let name = p.peek_text().to_string();
    let message = format!("`{name}` is called by a statement of its own, not within an expression");
    let error = SyntaxError::new(p.span(), message).label("within an expression");
    p.report(error.help(format!("name what it gives, and use the name: `t = {name}(...)`")));
    let node = p.open(NodeKind::Error);
    p.bump();
    if p.at(TokenKind::LParen) && p.joined() {
        parse_arguments(p);
    }
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

/// What to write instead of `left op operand`.
fn instead(p: &Parser, row: &Operator, place: Span, left: Span, operand: Span) -> SyntaxError {
    let edits = match row.instead {
        Instead::Operator(own) => {
            let word = own.starts_with(|c: char| c.is_ascii_alphabetic());
            let before = if word && left.end == place.start { " " } else { "" };
            let after = if word && !p.text_at(operand).starts_with(char::is_whitespace) { " " } else { "" };
            let compared = [left, operand].into_iter().filter(|span| word && is_number(p.text_at(*span)));
            let compared = compared.map(|span| (Span::at(span.end as usize), " != 0".to_string()));
            let mut edits: Vec<(Span, String)> = compared.collect();
            edits.push((place, format!("{before}{own}{after}")));
            edits.sort_by_key(|(span, _)| span.start);
            edits
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
        let name = p.text_at(left).trim();
        let error =
            SyntaxError::new(place, format!("a transpose is written with indices: `{name}(j, i)` for `{name}(i, j)`"));
        return error.label("no mark of a transpose");
    }
    let is_bare_or_turned = |span| is_bare(p.text_at(span).trim().trim_end_matches(".T"));
    let (bare_left, bare_right) = (is_bare_or_turned(left), is_bare_or_turned(operand));
    if row.written == "@" && (bare_left || bare_right) {
        return indexed_product(p, error, left, operand);
    }
    let by_entry = row.written.starts_with('.');
    if by_entry && bare_left {
        let indexed = |span: Span| match p.text_at(span).trim() {
            name if is_bare(name) && name.starts_with(|c: char| c.is_ascii_lowercase()) => format!("{name}(i)"),
            name if is_bare(name) => format!("{name}(i, j)"),
            other => other.to_string(),
        };
        let (left, right) = (indexed(left), indexed(operand));
        let meant = match row.instead {
            Instead::Operator(own) => format!("{left} {own} {right}"),
            Instead::Call(function) => format!("{function}({left}, {right})"),
        };
        return error.help(format!("an operation on tensors names their indices: `{meant}`"));
    }
    if row.sure && !(by_entry && bare_right) { error.fix(title, edits) } else { error.guess(title, edits) }
}

/// A name without indices.
fn is_bare(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(is_name_start) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// No comparison and nothing made of some: other languages take a number for a condition.
fn is_number(text: &str) -> bool {
    let word = |word: &str| matches!(word, "and" | "or" | "not");
    let compares = text.contains(['<', '>', '=', '!', '~', '¬', '&', '|', '∧', '∨', '≤', '≥', '≠', '?']);
    !compares && !text.split(|c: char| !c.is_ascii_alphanumeric()).any(word)
}

/// `y = A @ x`: the whole statement in index notation.
fn indexed_product(p: &Parser, error: SyntaxError, left: Span, operand: Span) -> SyntaxError {
    let start = line_start(p, left.start as usize);
    let before = p.text_at(Span::new(start, left.start as usize));
    match products::of_names(before, p.text_at(left), p.text_at(operand).trim()) {
        Some(whole) => {
            let line = Span::new(start, operand.end as usize);
            let title = format!("write `{whole}`");
            SyntaxError { helps: vec!["a product names its indices".to_string()], ..error }
                .guess(title, vec![(line, whole)])
        }
        None => error,
    }
}

/// Parses `einsum("ij,j->i", A, x)`, if it is here.
pub(super) fn parse_einsum(p: &mut Parser) -> bool {
    // What follows is looked at behind that name alone: else each name of a text would look through all the rest of it.
    if p.peek() != TokenKind::Ident || p.peek_text().rsplit('.').next() != Some("einsum") {
        return false;
    }
    let quoted = p.rest().split_once('(').and_then(|(_, behind)| behind.strip_prefix('\'')?.split_once('\''));
    let quoted = quoted.map(|(inside, _)| inside.to_string()).filter(|inside| !inside.contains('\n'));
    if p.nth(1) != TokenKind::LParen || p.nth(2) != TokenKind::String && quoted.is_none() {
        return false;
    }
    let (from, name) = (p.checkpoint(), p.span());
    let node = p.open(NodeKind::Error);
    p.bump();
    let open = p.open_bracket();
    let specification = match p.at(TokenKind::String) {
        true => p.peek_text().trim_matches('"').to_string(),
        false => quoted.unwrap_or_default(),
    };
    let end = p.span().start as usize + specification.len() + 2;
    p.bump_until(end);
    let errors = p.error_count();
    if p.eat(TokenKind::Comma) {
        parse_argument_list(p, TokenKind::RParen);
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
    p.close(node);
    let whole = p.span_since(from);
    let operands = p.text_at(whole).rsplit_once(['"', '\'']).map_or("", |(_, behind)| behind).trim_end_matches(')');
    let operands: Vec<&str> = operands.split(',').skip(1).map(str::trim).collect();
    let error = SyntaxError::new(name, "a product names its indices, and there is no `einsum`").label("no function");
    if p.error_count() == errors {
        p.insert_error(einsum(p, error, whole, products::Einsum::new(&specification, &operands)));
    }
    true
}

/// The statement, where the product is all of its right side: in part of one, its sums would reach further than they do.
fn einsum(p: &Parser, error: SyntaxError, whole: Span, meant: Option<products::Einsum>) -> SyntaxError {
    let Some(meant) = meant else { return error.help("as in `y(i) = A(i, j) * x(j)`") };
    let start = line_start(p, whole.start as usize);
    let before = p.text_at(Span::new(start, whole.start as usize));
    match meant.statement(before).filter(|_| ends_here(p)) {
        Some(text) => error.guess(format!("write `{text}`"), vec![(Span::new(start, whole.end as usize), text)]),
        None => error.help(format!("name what it gives, and use the name: `{}`", meant.of("t"))),
    }
}

fn ends_here(p: &Parser) -> bool {
    (p.at_line_end() || p.at_end() || p.at(TokenKind::Semicolon)) && !p.at_continuation()
}

/// Where the statement begins that a place stands in.
fn line_start(p: &Parser, place: usize) -> usize {
    let before = p.text_at(Span::new(0, place));
    let start = before.rfind(['\n', '\r', ';']).map_or(0, |end| end + 1);
    start + spaces(&before[start..]) as usize
}

fn spaces(text: &str) -> u32 {
    (text.len() - text.trim_start().len()) as u32
}

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
    let mut edits = Vec::new();
    join_indices(p, &mut edits);
    let error = SyntaxError::new(second, "all indices stand in one pair of parentheses: `A(i, j)`");
    if p.error_count() == errors {
        p.insert_error(error.label("a second pair").guess("join the pairs", edits));
    }
    true
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

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
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

/// Parses an operand of another language, `!x`, `|x|`, `.5` or `α`, if it is here.
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
    let (written, errors) = (p.text_at(place).to_string(), p.error_count());
    let node = p.open(NodeKind::Unary);
    match p.bump_until(start + sign) {
        true => super::parse_factor(p, lines),
        false if p.at(TokenKind::LParen) && p.joined() => parse_arguments(p),
        false => {}
    }
    p.close(node);
    let operand = Span::new(start + sign, p.consumed_end().max(start + sign));
    let error = SyntaxError::new(place, format!("`{written}` is written `not`")).label("write `not`");
    let mut edits = vec![(place, "not ".to_string())];
    if p.error_count() > errors {
        return p.insert_error(error);
    }
    if goes_on_tighter(p, lines) {
        let operand = p.text_at(operand).trim();
        let help =
            format!("`not` takes the whole comparison behind it, `{written}` of other languages only `{operand}`");
        return p.insert_error(error.help(help).guess("write `not`", edits));
    }
    if is_number(p.text_at(operand)) {
        edits.push((Span::at(operand.end as usize), " != 0".to_string()));
    }
    p.insert_error(error.fix("write `not`", edits));
}

/// At an operator that binds tighter than `not`.
fn goes_on_tighter(p: &Parser, lines: Lines) -> bool {
    use TokenKind::*;
    let own = matches!(p.peek(), Star | Slash | Plus | Minus | EqEq | Ne | Lt | Le | Gt | Ge);
    let foreign = habits::OPERATORS.iter().find(|row| p.rest().starts_with(row.written));
    let tighter = foreign.is_some_and(|row| !matches!(row.tightness, Tightness::Or | Tightness::And));
    super::goes_on(p, lines) && (own || tighter)
}

/// `condition ? x : y` after the condition: reported and skipped.
pub(super) fn parse_choice(p: &mut Parser, from: Checkpoint, lines: Lines) {
    if !p.at(TokenKind::Question) || !super::goes_on(p, lines) {
        return;
    }
    let (start, question, errors) = (p.span_since(from), p.span(), p.error_count());
    let meant = choice(p, from, lines).filter(|_| p.error_count() == errors);
    let error = SyntaxError::new(question, "a choice is written `select(condition, x, y)`").label("write `select`");
    let Some(text) = meant else { return p.insert_error(error) };
    let whole = Span::new(start.start as usize, p.consumed_end());
    p.insert_error(error.fix(format!("write `{text}`"), vec![(whole, text)]));
}

/// From the `?` on; the whole as nnz writes it. An arm may be a choice again.
fn choice(p: &mut Parser, from: Checkpoint, lines: Lines) -> Option<String> {
    if p.too_deep() {
        return None;
    }
    let condition = p.text_since(from).trim().to_string();
    let condition = if is_number(&condition) { format!("{condition} != 0") } else { condition };
    let node = p.open(NodeKind::Error);
    p.bump();
    let then = arm(p, lines);
    let other = if p.eat(TokenKind::Colon) { arm(p, lines) } else { None };
    p.close(node);
    Some(format!("select({condition}, {}, {})", then?, other?))
}

fn arm(p: &mut Parser, lines: Lines) -> Option<String> {
    let from = p.checkpoint();
    super::parse_rank(p, lines, super::RANKS);
    match p.at(TokenKind::Question) && super::goes_on(p, lines) {
        true => choice(p, from, lines),
        false => Some(p.text_since(from).trim().to_string()),
    }
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
    if parse_subscripted(p, own) {
        return;
    }
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

/// `Σ_j A(i, j) * x(j)`, `∑_{i,j} A(i, j)`: a sum or a product over what its subscript names.
fn parse_subscripted(p: &mut Parser, own: &str) -> bool {
    let (start, sign) = (p.span().start as usize, p.rest().chars().next().map_or(0, char::len_utf8));
    let Some(subscript) = p.rest()[sign..].strip_prefix('_') else { return false };
    let braced = subscript.strip_prefix('{').and_then(|inside| inside.split_once('}'));
    let word = subscript.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let (inside, length) = braced.map_or((word, word.len()), |(inside, _)| (inside, inside.len() + 2));
    let vars: Vec<&str> = inside.split(',').map(str::trim).collect();
    if vars.iter().any(|var| !is_bare(var)) {
        return false;
    }
    let (vars, errors) = (vars.join(", "), p.error_count());
    let written = p.text_at(Span::new(start, start + sign)).to_string();
    let node = p.open(NodeKind::Error);
    p.bump_until(start + sign + 1 + length);
    let operand = p.checkpoint();
    super::parse_rank(p, Lines::End, &[super::PRODUCT]);
    p.close(node);
    let text = p.text_since(operand).trim().to_string();
    let whole = Span::new(start, p.consumed_end());
    let meant = format!("{own}({vars}, {text})");
    let error = SyntaxError::new(Span::new(start, start + sign), format!("`{written}` is written `{meant}`"));
    let error = error.label(format!("write `{own}`"));
    if p.error_count() == errors && !text.is_empty() {
        p.insert_error(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    }
    true
}

/// A name with letters that are not ASCII.
pub(crate) fn parse_foreign_name(p: &mut Parser) {
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

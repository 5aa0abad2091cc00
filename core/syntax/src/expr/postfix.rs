//! Suffixes of operands as other languages write them: `A'`, `A(i)(j)`, `x[i]`, `x²`. Parsed as their equivalents, and reported.

use super::{
    parse_argument_list,
    subscripts::{self, IN_PARENTHESES, alone_behind_name, is_slice},
};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind, habits,
    parser::{line_start, spaces},
    words::{REDUCTIONS, is_bare, is_function, is_name_start},
};
use nnz_base::{element::Element, source::Span};

/// Parses a suffix of an operand, `A'` or `A(i)(j)`, if it is here.
pub(super) fn parse_postfix(p: &mut Parser, from: Checkpoint) -> bool {
    if parse_grouped_digits(p, from) {
        return true;
    }
    let transposed =
        (p.rest().starts_with('\'') || p.rest().starts_with(".'")) && p.joined() || p.rest().starts_with('ᵀ');
    if transposed {
        let error = SyntaxError::new(p.span(), "a transpose is written with indices: `A(j, i)` for `A(i, j)`");
        let error = error.label("no mark of a transpose");
        let error = match transposed_statement(p, from) {
            Some((line, whole)) => error.guess(format!("write `{whole}`"), vec![(line, whole)]),
            None => with_definition(p, error, from),
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

/// Reads all pairs of brackets here; `edits` merge them into the first.
fn join_indices(p: &mut Parser, edits: &mut Vec<(Span, String)>) {
    while at_more_indices(p) && !p.too_deep() {
        let closing = p.peek().closing().unwrap_or(TokenKind::RParen);
        // The bracket before closes nothing then.
        let end = p.consumed_end();
        edits.pop_if(|(place, _)| place.end as usize == end);
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

/// `1'000`
fn parse_grouped_digits(p: &mut Parser, from: Checkpoint) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let behind = p.rest().len() - p.rest().trim_start_matches(|c: char| c.is_ascii_digit() || c == '\'').len();
    let group = &p.rest()[..behind];
    if !group.starts_with('\'') || !p.joined() || !digits(p.text_since(from)) || !group[1..].split('\'').all(digits) {
        return false;
    }
    let place = Span::new(p.span().start as usize, p.span().start as usize + behind);
    let error = SyntaxError::new(place, "the digits of a number stand together").label("no `'` within numbers");
    let joined = group.replace('\'', "");
    p.report(error.fix("remove `'`", vec![(place, joined)]));
    p.bump_until(place.end as usize);
    true
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
    if is_function(&operand) {
        let error =
            SyntaxError::new(sign, format!("the power of a function's value is written `pow({operand}(x), {power})`"));
        p.report(error.label("stands behind the name"));
        p.bump();
        return true;
    }
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

/// With the whole statement for `T : CSC = A'`.
fn with_definition(p: &Parser, error: SyntaxError, from: Checkpoint) -> SyntaxError {
    let place = p.span_since(from);
    let operand = p.text_at(place).trim();
    match transposed_definition(p, place.start as usize) {
        Some((_, element)) if Element::parse(&element).is_some() => {
            error.help(format!("a vector needs no transpose: `{operand}(i) * {operand}(i)` adds up its squares"))
        }
        Some((name, format)) if is_bare(operand) => {
            error.help(format!("as in `{name}(i, j) : {format} = {operand}(j, i)`"))
        }
        _ => error,
    }
}

/// The name and the format of `T : CSC = `, which ends at `end`.
pub(super) fn transposed_definition(p: &Parser, end: usize) -> Option<(String, String)> {
    let before = p.text_at(Span::new(line_start(p, end), end)).trim_end().strip_suffix('=')?;
    let (name, format) = before.split_once(':')?;
    let (name, format) = (name.trim(), format.trim());
    (is_bare(name) && is_bare(format)).then(|| (name.to_string(), format.to_string()))
}

/// `y[i]`
pub(super) fn parse_square_arguments(p: &mut Parser, name: Span) {
    let errors = p.error_count();
    let own = p.peek().closing().unwrap_or(TokenKind::RBracket);
    let open = p.open_bracket();
    parse_argument_list(p, own);
    let closing = p.span();
    p.close_bracket(open, own, if own == TokenKind::RBrace { "`,` or `}`" } else { "`,` or `]`" });
    let mut edits = vec![(open, "(".to_string()), (closing, ")".to_string())];
    join_indices(p, &mut edits);
    edits.extend(type_of_entry(p, name, Span::new(open.end as usize, closing.start as usize)));
    let member = p.text_at(name).rsplit_once('.').map(|(_, member)| member);
    if let Some(habits::Function::Said(how)) = member.and_then(habits::function) {
        let error =
            SyntaxError::new(name, format!("`{}` is not defined", p.text_at(name))).label("names have no members");
        return p.insert_error(error.help(*how));
    }
    if p.text_at(name) == "structured" {
        let error = SyntaxError::new(name, "`structured` is the format of a level").label("no tensor");
        return p.insert_error(error.help("a level of an encoding has it: `#N = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]) }>`"));
    }
    let inside = p.text_at(Span::new(open.end as usize, closing.start as usize));
    let masked = p.at(TokenKind::Eq) && inside.contains(['<', '>', '=', '!']) && !inside.contains(',');
    if masked || sets_one_entry(p, Span::new(open.end as usize, closing.start as usize)) {
        return;
    }
    if p.error_count() == errors && names_end(p.text_at(Span::new(open.end as usize, closing.start as usize))) {
        return p.insert_error(last_entry(p.text_at(name), open).guess("write `(` and `)`", edits));
    }
    let whole = Span::new(name.start as usize, p.consumed_end());
    if is_slice(inside) && alone_behind_name(p, whole).is_some() {
        // The checker says what to write, which knows the tensor.
        return;
    }
    if p.error_count() == errors
        && let Some(error) =
            subscripts::masked(p, (name, open), inside).or_else(|| subscripts::row(p, (name, open), inside))
    {
        return p.insert_error(error);
    }
    if p.error_count() == errors {
        let message = IN_PARENTHESES;
        // One error of a line mends all brackets on it.
        let Some(edits) = p.add_to_fix(line_start(p, open.start as usize), message, edits) else { return };
        let error = SyntaxError::new(open, message).label("write `(`");
        p.insert_error(match edits.len() {
            2 => error.fix("write `(` and `)`", edits),
            _ => error.guess("write one pair of parentheses", edits),
        });
    }
}

/// `sum(A[i, j] * x[j], j)`: the fix of the brackets puts the variable in front as well.
pub(super) fn put_variable_first(p: &mut Parser, name: Span) {
    let end = p.consumed_end();
    let call = p.text_at(Span::new(name.start as usize, end));
    let Some((first, rest)) = call.split_once('(').filter(|(first, _)| matches!(*first, "sum" | "prod")) else {
        return;
    };
    let Some((terms, variable)) = rest.strip_suffix(')').and_then(|inside| inside.rsplit_once(',')) else { return };
    if !terms.contains('[') || !is_bare(variable) || is_bare(terms.split(',').next().unwrap_or_default()) {
        return;
    }
    let (open, variable) = (name.start as usize + first.len() + 1, variable.trim().to_string());
    let behind = Span::new(open + terms.len(), end - 1);
    let edits = vec![(Span::at(open), format!("{variable}, ")), (behind, String::new())];
    p.add_to_fix(line_start(p, name.start as usize), IN_PARENTHESES, edits);
}

/// `end`, `1, end`
fn names_end(inside: &str) -> bool {
    inside.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "end")
}

/// `x[end]`: the number of the last entry follows from its sizes.
fn last_entry(name: &str, open: Span) -> SyntaxError {
    let message = "entries are named with parentheses, and counted from 0, without a word for the last";
    let error = SyntaxError::new(open, message).label("write `(`, and a number for `end`");
    error.help(format!("`:type {name}` tells the sizes: the last of 4 is number 3"))
}

/// The type that `s` of `s = A[0, 1]` needs as well.
fn type_of_entry(p: &Parser, name: Span, inside: Span) -> Option<(Span, String)> {
    let start = line_start(p, name.start as usize);
    let before = p.text_at(Span::new(start, name.start as usize)).trim_end().strip_suffix('=')?.trim_end();
    let numbers = p.text_at(inside).split(',').all(|index| index.trim().parse::<u64>().is_ok());
    let alone = p.at_end() || p.newline_before() || p.at(TokenKind::Semicolon);
    (is_bare(before) && numbers && alone).then(|| (Span::at(start + before.len()), " : f64".to_string()))
}

/// At the `=` of `x[0] = 5`: the checker says what to write, which knows the tensor.
fn sets_one_entry(p: &Parser, inside: Span) -> bool {
    let number = |text: &str| !text.trim().is_empty() && text.trim().bytes().all(|b| b.is_ascii_digit());
    p.at(TokenKind::Eq) && p.text_at(inside).split(',').all(number)
}

/// `A(i, :)`
pub(super) fn parse_whole_dimension(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), "a whole dimension is named by an index variable: `A(i, j)` for all of `j`");
    let error = error.label("name it, such as `j`");
    match sliced_statement(p) {
        // Its first one is told of them all.
        Some((_, _, false)) => {}
        Some((line, whole, true)) if p.text_at(line).ends_with(')') && numbered(&whole) => {
            let error = error.help(format!("counted from 0: `{whole}`"));
            p.report(match from_one(&whole) {
                Some(other) => error.help(format!("counted from 1, as in MATLAB and Fortran: `{other}`")),
                None => error,
            });
        }
        Some((line, whole, true)) => p.report(error.guess(format!("write `{whole}`"), vec![(line, whole)])),
        None => p.report(error),
    }
    p.bump();
}

/// Whether there is a number among the indices on the right of `r(i) = A(1, i)`.
fn numbered(whole: &str) -> bool {
    right_indices(whole).is_some_and(|(_, indices)| indices.split(", ").any(|index| index.parse::<u64>().is_ok()))
}

/// `r(i) = A(0, i)` for `r(i) = A(1, i)`, where no number is 0.
fn from_one(whole: &str) -> Option<String> {
    let (head, indices) = right_indices(whole)?;
    let before = |index: &str| match index.parse::<u64>() {
        Ok(number) => number.checked_sub(1).map(|number| number.to_string()),
        Err(_) => Some(index.to_string()),
    };
    let indices: Vec<String> = indices.split(", ").map(before).collect::<Option<_>>()?;
    Some(format!("{head}({})", indices.join(", ")))
}

/// The text before the last parentheses, and in them.
fn right_indices(whole: &str) -> Option<(&str, &str)> {
    whole.strip_suffix(')')?.rsplit_once('(')
}

/// `c(i) = A(i, 1)` for the whole statement `c = A[:, 1]`, and whether this is its first whole dimension.
fn sliced_statement(p: &Parser) -> Option<(Span, String, bool)> {
    let at = p.span().start as usize;
    let start = line_start(p, at);
    let behind = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let line = Span::new(start, at + behind.trim_end().len());
    let (name, right) = p.text_at(line).split_once('=')?;
    let (tensor, inside) = right.trim().split_once(['(', '['])?;
    let inside = inside.strip_suffix([')', ']'])?;
    let mut free = ["i", "j", "k", "l", "m", "n"].into_iter();
    let mut named = Vec::new();
    let mut part = |part: &str| match part.trim() {
        ":" => free.next().inspect(|name| named.push(*name)).map(str::to_string),
        number => number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.to_string()),
    };
    let indices: Vec<String> = inside.split(',').map(&mut part).collect::<Option<_>>()?;
    let (name, tensor) = (name.trim(), tensor.trim());
    let whole = format!("{name}({}) = {tensor}({})", named.join(", "), indices.join(", "));
    let first = !p.text_at(Span::new(start, at)).contains(':');
    (is_bare(name) && is_bare(tensor)).then_some((line, whole, first))
}

/// `(1, 2, 3)`, after two numbers were read, the first up to `first`.
pub(super) fn parse_tuple(p: &mut Parser, open: Span, first: usize) {
    const MESSAGE: &str = "a list is written in square brackets: `[1, 2, 3]`";
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
        // All that are on a line are one slip.
        if let Some(edits) = p.add_to_fix(line_start(p, open.start as usize), MESSAGE, edits) {
            let error = SyntaxError::new(open, MESSAGE).label("write `[`");
            p.insert_error(error.guess("write `[` and `]`", edits));
        }
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
}

/// At the last `)` of a line, with two open: it closes the outer one.
fn closes_outer(p: &Parser) -> bool {
    p.within_two_brackets() && matches!(p.next_on_line(), TokenKind::Newline | TokenKind::Eof | TokenKind::Semicolon)
}

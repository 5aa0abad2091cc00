//! The contents of a call's parentheses: arguments, some with names, windows, and slips between them.

use super::{Lines, foreign, parse_expr, parse_list, postfix};
use crate::{
    NodeKind, Parser, SyntaxError, TokenKind, habits,
    parser::line_start,
    words::{is_bare, is_operator, name_before},
};
use nnz_base::source::Span;

/// `'(' [ Arg { ',' Arg } ] ')'`
pub fn parse_arguments(p: &mut Parser) {
    let open = p.open_bracket();
    parse_argument_list(p, TokenKind::RParen);
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
}

pub(crate) fn parse_argument_list(p: &mut Parser, closing: TokenKind) {
    if p.too_deep() {
        return;
    }
    while !p.at(closing) && !p.at_end() {
        let before = p.span();
        if report_empty(p, closing) {
            continue;
        }
        parse_argument(p);
        let more = p.eat(TokenKind::Comma) || eat_meant_comma(p, closing);
        if !more || p.span() == before {
            break;
        }
    }
}

fn parse_argument(p: &mut Parser) {
    if p.at(TokenKind::Ident) && p.nth(1) == TokenKind::Eq {
        let node = p.open(NodeKind::NamedArg);
        p.bump();
        foreign::eat_naming_sign(p);
        parse_range(p);
        p.close(node);
    } else if at_whole_dimension(p) {
        postfix::parse_whole_dimension(p);
    } else if p.rest().starts_with("...") {
        parse_ellipsis(p);
    } else {
        parse_range(p);
    }
}

/// `A(i, ...)`
fn parse_ellipsis(p: &mut Parser) {
    let (start, end) = (p.span().start as usize, p.span().start as usize + "...".len());
    let error = SyntaxError::new(Span::new(start, end), "every dimension is named by an index: `A(i, j, k)`");
    p.report(error.label("stands for no index").help("write an index for each dimension that is meant"));
    let node = p.open(NodeKind::Error);
    p.bump_until(end);
    p.close(node);
}

/// `A(i, :)`, `A(i, *)`
fn at_whole_dimension(p: &Parser) -> bool {
    let alone = matches!(p.nth(1), TokenKind::Comma | TokenKind::RParen);
    !p.newline_before() && (p.at(TokenKind::Colon) && !at_open_range(p) || p.at(TokenKind::Star) && alone)
}

/// `:2`
fn at_open_range(p: &Parser) -> bool {
    p.at(TokenKind::Colon) && p.next_is_joined(TokenKind::Int)
}

/// `lo : hi : step`, or an expression alone.
fn parse_range(p: &mut Parser) {
    let from = p.checkpoint();
    if parse_dotted_range(p) {
        return;
    }
    if p.at(TokenKind::LBracket) {
        // For the checker to report, which knows what is called.
        return parse_list(p);
    }
    if p.at(TokenKind::ColonColon) {
        let error = SyntaxError::new(p.span(), "a range names both its ends").label("an end is missing");
        p.report(match p.nth(1) == TokenKind::Minus {
            true => error.help(habits::REVERSED),
            false => error.help("as in `x(k = 0:4:2)`, each second of four"),
        });
        p.bump();
        return parse_expr(p, Lines::Continue);
    }
    if at_open_range(p) {
        foreign::report_open_range(p);
    } else {
        parse_expr(p, Lines::Continue);
    }
    // On a new line a `:` starts a command: the bracket was forgotten.
    if p.newline_before() || !p.eat(TokenKind::Colon) {
        return;
    }
    if matches!(p.peek(), TokenKind::Comma | TokenKind::RParen | TokenKind::RBracket) {
        foreign::report_open_range(p);
        return p.wrap(from, NodeKind::Range);
    }
    parse_expr(p, Lines::Continue);
    if !p.newline_before() && p.eat(TokenKind::Colon) {
        parse_expr(p, Lines::Continue);
    }
    p.wrap(from, NodeKind::Range);
}

/// `0..2`, and `0..=2` with its end, as Rust and Ruby write a range; whether it is that.
fn parse_dotted_range(p: &mut Parser) -> bool {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = digits(p.rest());
    let Some(behind) = p.rest()[first..].strip_prefix("..").filter(|_| first > 0) else { return false };
    let behind_sign = behind.strip_prefix('=').unwrap_or(behind);
    let (closed, last) = (behind_sign.len() < behind.len(), digits(behind_sign));
    let Ok(end) = behind_sign[..last].parse::<u64>() else { return false };
    let start = p.span().start as usize;
    let meant = format!("{}:{}", &p.rest()[..first], end.saturating_add(closed.into()));
    let whole = Span::new(start, start + first + 2 + usize::from(closed) + last);
    let error = SyntaxError::new(whole, format!("a range is written `{meant}`, the end left out")).label("no range");
    p.report(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
    true
}

/// `A(i,, j)`: reported at the second `,`, which is passed over.
fn report_empty(p: &mut Parser, closing: TokenKind) -> bool {
    if !p.at(TokenKind::Comma) || p.newline_before() {
        return false;
    }
    let error = SyntaxError::new(p.span(), "an argument is missing in front of this `,`").label("no argument");
    let error = match p.nth(1) == closing {
        true => error,
        false => error.guess("remove it", vec![(p.span(), String::new())]),
    };
    p.report(error);
    p.bump();
    true
}

/// `A(i; j)`, `A(i. j)`, `A(i j)`: a token in place of a missing `,` is reported and skipped. Whether another argument
/// follows.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn eat_meant_comma(p: &mut Parser, closing: TokenKind) -> bool {
    if p.newline_before() || p.at_end() || p.at_schedule_behind() || p.at_update() || !closes_on_line(p, closing) {
        return false;
    }
    match p.peek() {
        TokenKind::Semicolon | TokenKind::Dot => {
            let written = p.peek_text().to_string();
            let error = SyntaxError::new(p.span(), format!("arguments are separated by `,`, not by `{written}`"));
            p.report(error.label("write `,`").guess("write `,`", vec![(p.span(), ",".to_string())]));
            p.bump();
            true
        }
        TokenKind::Int | TokenKind::Float => report_gap(p, closing),
        TokenKind::Ident if let Some(error) = comprehension(p) => {
            p.report(error);
            false
        }
        TokenKind::Ident if habits::trailing(p.peek_text()).is_some() => {
            let help = habits::trailing(p.peek_text()).unwrap_or_default();
            let error = SyntaxError::new(p.span(), format!("there is no `{}` in this notation", p.peek_text()));
            p.report(error.label("no operator").help(help));
            false
        }
        // `2x(i)`
        TokenKind::Ident if p.joined() && matches!(p.last_kind(), TokenKind::Int | TokenKind::Float) => {
            let message = format!("no operator stands between `{}` and `{}`", p.text_at(p.last_span()), p.peek_text());
            let error = SyntaxError::new(p.span(), message).label("an operator is missing in front of this");
            p.report(error.guess("write `*`", vec![(Span::at(p.consumed_end()), " * ".to_string())]));
            false
        }
        TokenKind::Ident if p.text_at(p.last_span()).ends_with('.') => {
            let dot = Span::new(p.consumed_end() - 1, p.consumed_end());
            let error = SyntaxError::new(dot, "arguments are separated by `,`, not by `.`").label("write `,`");
            p.insert_error(error.guess("write `,`", vec![(dot, ",".to_string())]));
            true
        }
        TokenKind::Ident if !p.joined() && !is_word(p.peek_text()) => report_gap(p, closing),
        _ => false,
    }
}

/// `sum(A(i, j) for j)`, at its `for`.
fn comprehension(p: &Parser) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', '\r', ';']).next()?;
    let (behind, _) = line.strip_prefix("for ")?.split_once(')')?;
    let start = line_start(p, p.span().start as usize);
    let before = p.text_at(Span::new(start, p.consumed_end()));
    let open = open_bracket(before)?;
    let (name, variable) = (name_before(before, open), behind.split(" in ").next()?.trim());
    let reduces = matches!(name, "sum" | "prod" | "min" | "max" | "any" | "all");
    (reduces && is_bare(variable)).then_some(())?;
    let meant = format!("{name}({variable}, {})", before[open + 1..].trim());
    let end = p.span().start as usize + "for ".len() + behind.len() + 1;
    let error = SyntaxError::new(p.span(), format!("a reduction names its variable first: `{meant}`"));
    let whole = Span::new(start + open - name.len(), end);
    Some(error.label("no `for` in this notation").guess(format!("write `{meant}`"), vec![(whole, meant)]))
}

/// The last bracket in a text that nothing closes.
pub(crate) fn open_bracket(text: &str) -> Option<usize> {
    let mut closed = 0_usize;
    for (at, sign) in text.char_indices().rev() {
        match sign {
            ')' => closed += 1,
            '(' if closed == 0 => return Some(at),
            '(' => closed -= 1,
            _ => {}
        }
    }
    None
}

/// `(3 2)`: two numbers, the first of them after its `(`.
pub(super) fn lacks_comma(p: &mut Parser) -> bool {
    let numbers = matches!(p.last_kind(), TokenKind::Int | TokenKind::Float);
    let found = numbers && matches!(p.peek(), TokenKind::Int | TokenKind::Float) && p.nth(1) == TokenKind::RParen;
    found && report_gap(p, TokenKind::RParen)
}

fn is_word(word: &str) -> bool {
    is_operator(word) || habits::trailing(word).is_some()
}

fn report_gap(p: &mut Parser, closing: TokenKind) -> bool {
    if let Some(error) = within_named_argument(p) {
        p.report(error);
        return true;
    }
    let named = p.last_kind() == TokenKind::Ident && p.nth(1) == TokenKind::Eq;
    if p.at(TokenKind::Ident) && (named || p.peek_text() == p.text_at(p.last_span())) {
        return report_twice(p);
    }
    let error =
        SyntaxError::new(p.span(), format!("expected `,` or {}, found `{}`", closing.describe(), p.peek_text()));
    let gap = Span::new(p.consumed_end(), p.span().start as usize);
    let error = error.label("a sign is missing in front of this");
    // Which of them is meant shows where each is tried.
    if indexes_tensor(p) {
        p.report(error.or_guess("insert `,`", vec![(gap, ", ".to_string())]));
        return true;
    }
    let guesses = [("insert `,`", ", "), ("insert `=`", " = "), ("insert `*`", " * ")];
    let named = p.last_kind() == TokenKind::Ident;
    let guesses = guesses.into_iter().filter(|(_, sign)| if named { *sign != " * " } else { *sign != " = " });
    let error = guesses.fold(error, |error, (title, sign)| error.or_guess(title, vec![(gap, sign.to_string())]));
    let word = p.text_at(p.last_span());
    let error = match p.at(TokenKind::Ident) && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => {
            let (end, meant) = (Span::at(p.span().end as usize), format!("{word}({})", p.peek_text()));
            error.or_guess(format!("write `{meant}`"), vec![(gap, "(".to_string()), (end, ")".to_string())])
        }
        false => error,
    };
    p.report(error);
    true
}

/// `combine combine = left + right` and `combine foo = left + right`, at the second word, which is passed over.
fn report_twice(p: &mut Parser) -> bool {
    let whole = Span::new(p.consumed_end(), p.span().end as usize);
    let (first, second) = (p.text_at(p.last_span()), p.peek_text());
    let error = match first == second {
        true => SyntaxError::new(p.span(), format!("`{second}` stands here twice")).label("the second time"),
        false => SyntaxError::new(p.span(), format!("an argument has one name, and not `{first} {second}`"))
            .label("a second name"),
    };
    p.report(error.guess("remove it", vec![(whole, String::new())]));
    let named = p.nth(1) == TokenKind::Eq;
    let node = p.open(NodeKind::Error);
    p.bump();
    if named {
        p.bump();
        parse_expr(p, Lines::Continue);
    }
    p.close(node);
    p.eat(TokenKind::Comma)
}

/// `A(i k)`: two index variables, and no function takes them.
fn indexes_tensor(p: &Parser) -> bool {
    let start = line_start(p, p.consumed_end());
    let before = p.text_at(Span::new(start, p.consumed_end()));
    let callee = before.rsplit_once('(').map_or("", |(before, _)| before);
    let callee = callee.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let index = |word: &str| word.len() == 1 && word.bytes().all(|letter| (b'i'..=b'r').contains(&letter));
    let both = index(p.text_at(p.last_span())) && index(p.peek_text());
    both && callee.starts_with(|c: char| c.is_ascii_uppercase())
}

/// `combine = left right`: behind the `=` of an argument stands one value.
fn within_named_argument(p: &Parser) -> Option<SyntaxError> {
    let start = line_start(p, p.consumed_end());
    let before = p.text_at(Span::new(start, p.consumed_end()));
    let (name, value) = before.rsplit(['(', ',']).next()?.split_once('=')?;
    if !is_bare(name) || !is_bare(value) {
        return None;
    }
    let (left, right) = (value.trim(), p.peek_text());
    let error = SyntaxError::new(p.span(), format!("no operator stands between `{left}` and `{right}`"));
    let error = error.label("an operator is missing in front of this");
    Some(error.help(format!("a sum is written `{left} + {right}`, a product `{left} * {right}`")))
}

/// Whether the brackets that are open here are closed on this line, before anything that only a statement has.
fn closes_on_line(p: &Parser, closing: TokenKind) -> bool {
    use TokenKind::{Eq, Newline, Semicolon};
    let sign = if closing == TokenKind::RBracket { ']' } else { ')' };
    let rest = p.rest().get(p.peek_text().len()..).unwrap_or_default();
    // No further than the end of the line or the bracket: what is behind it may be long.
    let end = rest.find(['\n', '\r', sign]).filter(|end| rest[*end..].starts_with(sign));
    let behind = end.map(|end| &rest[..end]);
    let begins = p.at(Semicolon) && matches!(p.nth(2), Eq | Newline);
    behind.is_some_and(|inside| !inside.contains(';') && (!inside.contains('=') || !p.at(Semicolon))) && !begins
}

//! Operands as other languages write them: `!x`, `|x|`, `.5`, `∑`, `α`. Parsed as their equivalents, and reported.

use super::{Lines, bits, foreign::is_number, parse_arguments, parse_expr};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
    habits::{self, Tightness},
    parser::line_start,
    words::is_bare,
};
use nnz_base::source::Span;

/// Parses an operand of another language, `!x`, `|x|`, `.5` or `α`, if it is here.
pub(super) fn parse_prefix(p: &mut Parser, lines: Lines) -> bool {
    match p.rest().chars().next() {
        Some('!' | '~' | '¬') => parse_negation(p, lines),
        Some('\'') => return parse_single_quoted(p),
        Some('|') if !p.within_bars() => parse_absolute(p),
        Some('.') if p.next_is_joined(TokenKind::Int) => parse_bare_fraction(p),
        Some('√' | '‖' | '\\') => report_sign(p),
        Some('∑' | 'Σ' | '∏') => parse_big_operator(p),
        Some(c) if !c.is_ascii() && c.is_alphabetic() => parse_foreign_name(p),
        Some('*' | '/' | '&' | '$') => return parse_stray_sign(p, lines),
        _ => return false,
    }
    true
}

/// `* x(i)`, `$x(i)`, `&x(i)`: a sign before an operand, without an operand before itself.
fn parse_stray_sign(p: &mut Parser, lines: Lines) -> bool {
    let operand = matches!(p.next_on_line(), TokenKind::Ident | TokenKind::Int | TokenKind::Float | TokenKind::LParen);
    if !operand || p.too_deep() {
        return false;
    }
    let (place, written) = (p.span(), p.peek_text().to_string());
    let error = match p.at(TokenKind::Star) || p.at(TokenKind::Slash) {
        true => SyntaxError::new(place, format!("no value stands in front of `{written}`"))
            .label("an operator without its left side"),
        false => SyntaxError::new(place, format!("`{written}` is no part of a name")).label("not needed"),
    };
    p.report(error.guess("remove it", vec![(place, String::new())]));
    let node = p.open(NodeKind::Error);
    p.bump();
    super::parse_primary(p, lines);
    p.close(node);
    true
}

/// `'small.mtx'`
fn parse_single_quoted(p: &mut Parser) -> bool {
    let line = p.rest().split(['\n', '\r']).next().unwrap_or_default();
    let Some((inside, _)) = line.get(1..).and_then(|line| line.split_once('\'')) else { return false };
    let (start, inside) = (p.span().start as usize, inside.to_string());
    let whole = Span::new(start, start + inside.len() + 2);
    let error = SyntaxError::new(whole, format!("expected an expression, found the text '{inside}'")).label("a text");
    p.report(match inside.contains('.') {
        true => error.help(format!("a file is read by a definition of its own: `A : CSR = read \"{inside}\"`")),
        false => error.help("only the names of files are texts, in double quotes: `A : CSR = read \"file.mtx\"`"),
    });
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
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
        let (whole, operand) = (operand, p.text_at(operand).trim());
        let help =
            format!("`not` takes the whole comparison behind it, `{written}` of other languages only `{operand}`");
        let error = error.help(help).guess("write `not`", edits);
        return p.insert_error(bits::negated(p, error, place, whole));
    }
    if is_number(p.text_at(operand)) && written != "~" {
        edits.push((Span::at(operand.end as usize), " != 0".to_string()));
    }
    p.insert_error(bits::negated(p, error.fix("write `not`", edits), place, operand));
}

/// At the `NOT` of `NOT x(i) > 1`.
pub(super) fn at_capital_not(p: &Parser) -> bool {
    p.at_word("NOT") && matches!(p.next_on_line(), TokenKind::Ident | TokenKind::LParen)
}

pub(super) fn report_capital_not(p: &mut Parser) {
    if at_capital_not(p) {
        let error = SyntaxError::new(p.span(), "`NOT` is written `not`").label("write `not`");
        p.report(error.fix("write `not`", vec![(p.span(), "not".to_string())]));
    }
}

/// `if x(i) > 1 then 1 else 0`, and `1 if x(i) > 1 else 0` from its `if` on: words of the statement's line that make
/// a choice.
pub(super) fn parse_worded_choice(p: &mut Parser) -> bool {
    if !p.at_word("if") || matches!(p.next_on_line(), TokenKind::Eq | TokenKind::Newline | TokenKind::Eof) {
        return false;
    }
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let line = line.split("//").next().unwrap_or_default().trim_end();
    let Some((condition, arms)) = line["if".len()..].split_once(" then ") else { return false };
    let start = p.span().start as usize;
    let whole = Span::new(start, start + line.len());
    let error = SyntaxError::new(p.span(), "a choice is written `select(condition, x, y)`").label("write `select`");
    p.report(match arms.split_once(" else ") {
        Some((then, other)) if !arms.contains(" if ") => {
            let meant = format!("select({}, {}, {})", condition.trim(), then.trim(), other.trim());
            error.guess(format!("write `{meant}`"), vec![(whole, meant)])
        }
        _ => error,
    });
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
    true
}

/// At an operator that binds tighter than `not`.
fn goes_on_tighter(p: &Parser, lines: Lines) -> bool {
    use TokenKind::*;
    let own = matches!(p.peek(), Star | Slash | Plus | Minus | EqEq | Ne | Lt | Le | Gt | Ge);
    let foreign = habits::OPERATORS.iter().find(|row| p.rest().starts_with(row.written));
    let tighter = foreign.is_some_and(|row| !matches!(row.tightness, Tightness::Or | Tightness::And));
    super::goes_on(p, lines) && (own || tighter)
}

/// At the `−` of `[1, −2]`, as pasted from a text.
pub(super) fn at_long_minus(p: &Parser) -> bool {
    p.rest().starts_with(['−', '–'])
}

pub(super) fn parse_long_minus(p: &mut Parser, lines: Lines) {
    let written = if p.rest().starts_with('−') { '−' } else { '–' };
    let place = Span::new(p.span().start as usize, p.span().start as usize + written.len_utf8());
    let error = SyntaxError::new(place, format!("a minus is written `-`, not `{written}`")).label("write `-`");
    p.report(error.fix("write `-`", vec![(place, "-".to_string())]));
    let node = p.open(NodeKind::Unary);
    p.bump();
    super::parse_factor(p, lines);
    p.close(node);
}

/// `condition ? x : y` after the condition: reported and skipped.
pub(super) fn parse_choice(p: &mut Parser, from: Checkpoint, lines: Lines) {
    if !p.at(TokenKind::Question) || !super::goes_on(p, lines) {
        return;
    }
    if matches!(p.next_on_line(), TokenKind::Newline | TokenKind::Eof | TokenKind::Semicolon) {
        return report_question(p);
    }
    let (start, question, errors) = (p.span_since(from), p.span(), p.error_count());
    let meant = choice(p, from, lines).filter(|_| p.error_count() == errors);
    let error = SyntaxError::new(question, "a choice is written `select(condition, x, y)`").label("write `select`");
    let Some(text) = meant else { return p.insert_error(error) };
    let whole = Span::new(start.start as usize, p.consumed_end());
    p.insert_error(error.fix(format!("write `{text}`"), vec![(whole, text)]));
}

/// `x?`: nothing to choose from.
fn report_question(p: &mut Parser) {
    let error = SyntaxError::new(p.span(), "no `?` stands behind a value").label("nothing to choose from");
    let error = error.help("a choice is written `select(condition, x, y)`");
    p.report(error.guess("remove it", vec![(p.span(), String::new())]));
    let node = p.open(NodeKind::Error);
    p.bump();
    p.close(node);
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

/// `√x(i)`, `‖x‖`, `\sum_j`: signs of formulas.
fn report_sign(p: &mut Parser) {
    let (start, sign) = (p.span().start as usize, p.rest().chars().next().unwrap_or_default());
    let place = Span::new(start, start + sign.len_utf8());
    let (message, help) = match sign {
        '√' => ("a root is written `sqrt(x)`", "as in `y(i) = sqrt(x(i))`"),
        '‖' => ("a norm is written as a root of a sum", "as in `n : f64 = sqrt(sum(i, x(i) * x(i)))`"),
        _ => ("formulas are not written in TeX", "as in `y(i) = sum(j, A(i, j) * x(j))`"),
    };
    p.report(SyntaxError::new(place, message).label("no operator").help(help));
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default().len();
    let node = p.open(NodeKind::Error);
    p.bump_until(start + line);
    p.close(node);
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
    if parse_subscripted(p, own) || parse_unsubscripted(p, own) {
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
    let sign = p.rest().chars().next().map_or(0, char::len_utf8);
    let Some(subscript) = p.rest()[sign..].strip_prefix('_') else { return false };
    let braced = subscript.strip_prefix('{').and_then(|inside| inside.split_once('}'));
    let word = subscript.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let (inside, length) = braced.map_or((word, word.len()), |(inside, _)| (inside, inside.len() + 2));
    let vars: Vec<&str> = inside.split(',').map(str::trim).collect();
    if vars.iter().any(|var| !is_bare(var)) {
        return false;
    }
    let vars = vars.join(", ");
    parse_summed(p, own, (sign, sign + 1 + length), |_| vars);
    true
}

/// `Σ A(i, j)`: over all that the left side does not name.
fn parse_unsubscripted(p: &mut Parser, own: &str) -> bool {
    let sign = p.rest().chars().next().map_or(0, char::len_utf8);
    if !p.rest()[sign..].trim_start_matches(' ').starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let start = p.span().start as usize;
    let line = p.text_at(Span::new(line_start(p, start), start));
    let left = line.split('=').next().unwrap_or_default().to_string();
    parse_summed(p, own, (sign, sign), |text| {
        let given = indices(&left);
        let mut vars: Vec<&str> = indices(text).into_iter().filter(|var| !given.contains(var)).collect();
        let mut seen = Vec::new();
        vars.retain(|var| {
            !seen.contains(var) && {
                seen.push(*var);
                true
            }
        });
        vars.join(", ")
    });
    true
}

/// The names within the parentheses of a text.
fn indices(text: &str) -> Vec<&str> {
    let lists = text.split('(').skip(1).filter_map(|part| part.split(')').next());
    lists.flat_map(|list| list.split(',')).map(str::trim).filter(|index| is_bare(index)).collect()
}

/// The sign of a sum, so many bytes of it and with what stands under it, and its term; `vars` of the term's text.
fn parse_summed(p: &mut Parser, own: &str, (sign, head): (usize, usize), vars: impl FnOnce(&str) -> String) {
    let (start, errors) = (p.span().start as usize, p.error_count());
    let written = p.text_at(Span::new(start, start + sign)).to_string();
    let node = p.open(NodeKind::Error);
    p.bump_until(start + head);
    let operand = p.checkpoint();
    super::parse_rank(p, Lines::End, &[super::PRODUCT]);
    p.close(node);
    let text = p.text_since(operand).trim().to_string();
    let (vars, whole) = (vars(&text), Span::new(start, p.consumed_end()));
    if p.error_count() != errors || text.is_empty() {
        return;
    }
    let meant = match vars.is_empty() {
        true if is_bare(&text) => format!("{own}(i, {text}(i))"),
        true => format!("{own}(i, x(i))"),
        false => format!("{own}({vars}, {text})"),
    };
    let error = SyntaxError::new(Span::new(start, start + sign), format!("`{written}` is written `{meant}`"));
    let mut edits = vec![(whole, meant.clone())];
    edits.extend(scalar_type(p, start));
    let error = error.label(format!("write `{own}`"));
    p.insert_error(match vars.is_empty() && !is_bare(&text) {
        true => error,
        false => error.guess(format!("write `{meant}`"), edits),
    });
}

/// The type of `w` in `w = Σ A(i, j)`, where it has none.
fn scalar_type(p: &Parser, sign: usize) -> Option<(Span, String)> {
    let start = line_start(p, sign);
    let left = p.text_at(Span::new(start, sign)).trim_end().strip_suffix('=')?.trim_end();
    is_bare(left).then(|| (Span::at(start + left.len()), " : f64".to_string()))
}

/// A name with letters that are not ASCII.
pub(crate) fn parse_foreign_name(p: &mut Parser) {
    let start = p.span().start as usize;
    let len = p.rest().find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(p.rest().len());
    let place = Span::new(start, start + len);
    let text = p.text_at(place).to_string();
    let message = format!("names are of ASCII letters, digits and `_`: `{text}` is none");
    let foreign = text.chars().find(|c| !c.is_ascii()).map_or(0, u32::from);
    let error = SyntaxError::new(place, message).label(format!("not ASCII: U+{foreign:04X}"));
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

//! Text after a statement that was meant as a part of it: `A(i, j), x(j)`, `x [1, 2]`, `use 'a.mlir'`, `x .+= 1`.

use crate::{
    Checkpoint, Parser, SyntaxError, TokenKind,
    expr::{at_expr, open_bracket},
    words::name_before,
};
use nnz_base::source::Span;

/// The rest of the statement's line, without a comment.
pub(super) fn rest_of_line(p: &Parser) -> &str {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    line.split("//").next().unwrap_or_default().trim_end()
}

/// A slip that the text around it makes sure of.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn neighbour(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let before = p.text_since(start);
    match p.peek() {
        TokenKind::Dot | TokenKind::Slash if before == "use" => Some(unquoted_file(p, place)),
        TokenKind::Comma => behind_comma(p, before, place),
        TokenKind::Dot => spaced_sign(p, before, place),
        TokenKind::LBracket => list_without_sign(p, before, place),
        TokenKind::LBrace => {
            let error = SyntaxError::new(place, "there are no blocks in braces in this notation");
            Some(error.label("no block").help("each statement stands on a line of its own, or behind `;`"))
        }
        _ if names_a_file(before) && p.rest().starts_with('\'') => single_quotes(p, place),
        _ => None,
    }
}

/// `use “a.mlir”`
pub(super) fn curly_quotes(p: &Parser, place: Span) -> SyntaxError {
    let written = rest_of_line(p);
    let name = written.trim_matches(['“', '”', '„']);
    let whole = Span::new(place.start as usize, place.start as usize + written.len());
    let error = SyntaxError::new(place, format!("the name of a file stands in straight quotes: `\"{name}\"`"));
    error.label("another quote").guess(format!("write `\"{name}\"`"), vec![(whole, format!("\"{name}\""))])
}

/// `binary(x(i), y(i)), left = 1)`, at the `,` behind the `)` that closes the call too early.
pub(super) fn closed_early(p: &Parser, start: Checkpoint) -> Option<SyntaxError> {
    let (before, behind) = (p.text_since(start), rest_of_line(p));
    let unopened = behind.matches(')').count() == behind.matches('(').count() + 1;
    let opened = p.at(TokenKind::Comma) && unopened && before.ends_with(')');
    let open = open_bracket(before.strip_suffix(')')?).filter(|_| opened)?;
    let name = name_before(before, open);
    let sign = Span::new(p.consumed_end() - 1, p.consumed_end());
    let error = SyntaxError::new(sign, format!("this `)` closes `{name}(`, and more of it follows"));
    let error = error.label("closes too early").guess("remove it", vec![(sign, String::new())]);
    (!name.is_empty()).then_some(error)
}

fn behind_comma(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let behind = rest_of_line(p)[1..].trim_start();
    let gap = |sign: &str| vec![(place, sign.to_string())];
    if behind.starts_with('=') {
        let error = SyntaxError::new(place, "the left side ends with its indices").label("not needed");
        return Some(error.guess("remove `,`", gap("")));
    }
    if let Some(unopened) = lacks_outer_bracket(before, behind) {
        let error = SyntaxError::new(place, "a list of lists has brackets around it: `[[1, 2], [3, 4]]`");
        let open = Span::at(p.consumed_end() - unopened);
        return Some(error.label("goes on behind the list").guess("insert `[`", vec![(open, "[".to_string())]));
    }
    if behind.starts_with("schedule ") && before.contains('=') {
        let error = SyntaxError::new(place, "a schedule stands behind the kernel without a `,`").label("not needed");
        return Some(error.guess("remove `,`", gap("")));
    }
    let word = behind.split('(').next().unwrap_or_default();
    if super::is_step(word) && before.contains('=') {
        let error = SyntaxError::new(place, "the steps of a schedule stand behind `schedule`, without a `,`");
        return Some(error.label("write `schedule`").guess("write `schedule`", gap(" schedule")));
    }
    let factors = before.ends_with(')') && behind.ends_with(')') && !behind.contains('=');
    factors.then(|| {
        let error = SyntaxError::new(place, "the right side is one expression, and no list");
        error.label("no operator").guess("write `*`", gap(" *"))
    })
}

/// The length of `[1, 2]` at the end of `M = [1, 2]`, where `[3, 4]]` is behind.
fn lacks_outer_bracket(before: &str, behind: &str) -> Option<usize> {
    let (_, list) = before.rsplit_once('=')?;
    let list = list.trim_start();
    let closes = behind.matches(']').count() == behind.matches('[').count() + 1;
    (list.starts_with('[') && list.ends_with(']') && behind.starts_with('[') && closes).then_some(list.len())
}

/// `x .+= 1`, `A(i, j) . x(j)`
fn spaced_sign(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let rest = p.rest();
    let update = ["+=", "-=", "*=", "/="].into_iter().find(|sign| rest[1..].starts_with(sign));
    if let Some(sign) = update {
        let whole = Span::new(place.start as usize, place.start as usize + 1 + sign.len());
        let error = SyntaxError::new(whole, format!("an update is written `{sign}`, without a `.`"));
        return Some(
            error.label(format!("write `{sign}`")).guess(format!("write `{sign}`"), vec![(whole, sign.to_string())]),
        );
    }
    let product = rest[1..].starts_with(' ');
    product.then(|| {
        let error = SyntaxError::new(place, "a product is written with `*`, not with `.`");
        // Two names are vectors, or matrices, whose product is a sum.
        match before.ends_with(|c: char| c.is_alphabetic() || c == '_') {
            true => {
                error.label("no operation").help("the sum of the products of two vectors is `s : f64 = x(i) * y(i)`")
            }
            false => error.label("write `*`").guess("write `*`", vec![(place, "*".to_string())]),
        }
    })
}

/// `x [1, 2, 3]`
fn list_without_sign(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let name = before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (name && !p.joined()).then(|| {
        let error = SyntaxError::new(place, format!("`=` is missing between `{before}` and the list"));
        error
            .label("no `=` in front of this")
            .guess("insert `=`", vec![(Span::at(place.start as usize), "= ".to_string())])
    })
}

/// `use csr.mlir`, `use ../csr.mlir`
pub(super) fn unquoted_file(p: &Parser, place: Span) -> SyntaxError {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let file = line.split(" //").next().unwrap_or_default().trim();
    let error = SyntaxError::new(place, "the name of a file stands in quotes").label("a name without quotes");
    let span = Span::new(place.start as usize, place.start as usize + file.len());
    error.guess("write the quotes", vec![(span, format!("\"{file}\""))])
}

/// Whether the name of a file stands behind this.
fn names_a_file(before: &str) -> bool {
    before == "use" || before.starts_with(":write ")
}

/// `use 'a.mlir'`, `:write A 'a.mtx'`
fn single_quotes(p: &Parser, place: Span) -> Option<SyntaxError> {
    let inside = rest_of_line(p).strip_prefix('\'')?.strip_suffix('\'')?;
    let whole = Span::new(place.start as usize, place.start as usize + inside.len() + 2);
    let error = SyntaxError::new(whole, "the name of a file stands in double quotes").label("other quotes");
    Some(error.guess("write double quotes", vec![(whole, format!("\"{inside}\""))]))
}

/// `another statement stands ...`, where one follows.
pub(super) fn another(p: &Parser, error: SyntaxError) -> SyntaxError {
    let follows = at_expr(p) && rest_of_line(p).contains('=');
    if follows { error.help("another statement stands on a line of its own, or behind `;`") } else { error }
}

/// `x(i) min w(i)`, `x(i) mn= w(i)`: a function between its operands, or an update that is misspelt.
pub(super) fn least(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let word = p.peek_text();
    let near = nnz_base::diagnostic::did_you_mean(word, ["min", "max"]);
    if let Some(own) = near.filter(|own| p.nth(1) == TokenKind::Eq && *own != word) {
        let error = SyntaxError::new(place, format!("there is no update `{word}=`: did you mean `{own}=`?"));
        return Some(error.label("no update").guess(format!("write `{own}`"), vec![(place, own.to_string())]));
    }
    if !matches!(word, "min" | "max") || p.nth(1) == TokenKind::LParen {
        return None;
    }
    let left = before.rsplit(['=', '+', '-']).next().unwrap_or_default().trim();
    let right = rest_of_line(p)[word.len()..].trim();
    let meant = format!("{word}({left}, {right})");
    let error = SyntaxError::new(place, format!("`{word}` is a function: `{meant}`")).label("between its operands");
    if !before.contains('=') {
        return Some(error.help(format!("an update has a sign: `{left} {word}= {right}`")));
    }
    let whole = Span::new(p.consumed_end() - left.len(), place.start as usize + rest_of_line(p).len());
    Some(error.guess(format!("write `{meant}`"), vec![(whole, meant)]))
}

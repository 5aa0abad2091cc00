//! What NumPy, MATLAB and Julia write in square brackets, `A[A > 0.5]`, `x[1:3]`, `A[1]`, and the statements that it means.

use crate::{Parser, SyntaxError, TokenKind, parser::line_start, words::is_bare};
use nnz_base::source::Span;

pub(super) const IN_PARENTHESES: &str = "entries are named with parentheses: `y(i)`";

/// `1:3`, `0:2, 1:3`: ranges of numbers alone.
pub(super) fn is_slice(inside: &str) -> bool {
    let number = |text: &str| !text.trim().is_empty() && text.trim().bytes().all(|byte| byte.is_ascii_digit());
    inside.split(',').all(|part| part.contains(':') && part.split(':').all(number))
}

/// The name that `z = A[...]` defines, if nothing else is on the line of the operand at `whole`.
pub(super) fn alone_behind_name(p: &Parser, whole: Span) -> Option<(&str, Span)> {
    let start = line_start(p, whole.start as usize);
    let name = p.text_at(Span::new(start, whole.start as usize)).trim_end().strip_suffix('=')?.trim();
    let ends = p.at_end() || p.newline_before() || p.at(TokenKind::Semicolon);
    (is_bare(name) && ends).then(|| (name, Span::new(start, whole.end as usize)))
}

/// `A[A > 0.5]`: entries that meet a condition are chosen in a kernel. How many dimensions there are shows where each
/// statement is tried.
pub(super) fn masked(p: &Parser, (name, open): (Span, Span), inside: &str) -> Option<SyntaxError> {
    let compares = inside.contains(['<', '>']) || inside.contains("==") || inside.contains("!=");
    let tensor = p.text_at(name);
    if !compares || inside.contains([',', '(', '[']) {
        return None;
    }
    let error = SyntaxError::new(open, "entries that meet a condition are chosen by `select`").label("no indices");
    let of = |indices: &str| format!("select({}, {tensor}({indices}))", indexed(inside, tensor, indices));
    let Some((own, line)) = alone_behind_name(p, Span::new(name.start as usize, p.consumed_end())) else {
        return Some(error.help(format!("as in `{}`", of("i"))));
    };
    let error = error.help("of the others nothing is stored");
    Some(["i, j", "i"].into_iter().fold(error, |error, indices| {
        let whole = format!("{own}({indices}) = {}", of(indices));
        error.or_guess(format!("write `{whole}`"), vec![(line, whole)])
    }))
}

/// `A > 0.5` with indices behind each `A`.
fn indexed(condition: &str, tensor: &str, indices: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut written = String::new();
    for part in condition.split_inclusive(|c: char| !is_name(c)) {
        let word = part.trim_end_matches(|c: char| !is_name(c));
        let own = if word == tensor { format!("({indices})") } else { String::new() };
        written += &format!("{word}{own}{}", &part[word.len()..]);
    }
    written
}

/// `z = A[1]`: an entry of a vector, or a row of a matrix.
pub(super) fn row(p: &Parser, (name, open): (Span, Span), inside: &str) -> Option<SyntaxError> {
    let number = !inside.trim().is_empty() && inside.trim().bytes().all(|byte| byte.is_ascii_digit());
    let (own, line) = alone_behind_name(p, Span::new(name.start as usize, p.consumed_end())).filter(|_| number)?;
    let (tensor, number) = (p.text_at(name), inside.trim());
    let error = SyntaxError::new(open, IN_PARENTHESES).label("write `(`");
    let meant = [format!("{own} : f64 = {tensor}({number})"), format!("{own}(i) = {tensor}({number}, i)")];
    Some(meant.into_iter().fold(error, |error, whole| error.or_guess(format!("write `{whole}`"), vec![(line, whole)])))
}

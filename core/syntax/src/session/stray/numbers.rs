//! What is listed or counted without brackets: `u = 1, 2, 3`, `1,5`, `A<i, j>`, `1x`.

use crate::{Checkpoint, Parser, SyntaxError, TokenKind};
use nnz_base::source::Span;

/// At the `,` of `u = 1, 2, 3` and `x(i) + 1,5`.
pub(super) fn listed(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let before = p.text_since(start);
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let behind = line.split("//").next().unwrap_or_default().trim_end();
    let right = before.rsplit('=').next().unwrap_or_default().trim();
    let number = |text: &str| text.trim().parse::<f64>().is_ok();
    if right.starts_with("read ") && behind[1..].contains('=') {
        let error = SyntaxError::new(place, "`read` takes the name of a file alone").label("what is more than that");
        return Some(error.help("the type says how it is stored: `A : tensor<?x?xf32, CSR> = read \"file.mtx\"`"));
    }
    if before.contains('=')
        && behind.contains('=')
        && !behind.contains("==")
        && behind[1..].trim_start().starts_with(|c: char| c.is_ascii_alphabetic())
    {
        let error = SyntaxError::new(place, "statements on one line are separated by `;`").label("write `;`");
        return Some(error.guess("write `;`", vec![(place, ";".to_string())]));
    }
    if let Some(edits) = in_angles(before, behind, (p.consumed_end(), place.start as usize)) {
        let error = SyntaxError::new(place, "entries are named with parentheses: `y(i)`").label("within `<` and `>`");
        return Some(error.guess("write `(` and `)`", edits));
    }
    let fraction = behind[1..].len() - behind[1..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if p.joined() && fraction > 0 && before.ends_with(|c: char| c.is_ascii_digit()) && !behind[1..].contains(',') {
        // `1,000`
        if fraction == 3 {
            let error = SyntaxError::new(place, "a number has no `,` in it").label("of thousands, or of a fraction?");
            return Some(error.help("leave it out where it groups thousands; a fraction stands behind `.`"));
        }
        let error = SyntaxError::new(place, "the fraction of a number stands behind `.`").label("write `.`");
        return Some(error.guess("write `.`", vec![(place, ".".to_string())]));
    }
    if !before.contains('=') || !number(right) || !behind[1..].split(',').all(number) {
        return None;
    }
    let whole = Span::new(p.consumed_end() - right.len(), place.start as usize + behind.len());
    let list = format!("[{right}{behind}]");
    let error = SyntaxError::new(place, "a list stands in square brackets").label("goes on without brackets");
    Some(error.guess(format!("write `{list}`"), vec![(whole, list)]))
}

/// The edits of `A<i, j>`, which is `before` and `behind` its first `,`.
fn in_angles(before: &str, behind: &str, (end, start): (usize, usize)) -> Option<Vec<(Span, String)>> {
    let is_name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let open = before.rfind('<')?;
    let name = before[..open].rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    let close = behind.find('>')?;
    let indices = behind[1..close].split(',').all(|index| is_name(index.trim()));
    let open = end - (before.len() - open);
    let sign = |at: usize, text: &str| (Span::new(at, at + 1), text.to_string());
    (is_name(name) && is_name(before[before.rfind('<')? + 1..].trim()) && indices)
        .then(|| vec![sign(open, "("), sign(start + close, ")")])
}

/// `1x = 3`: only digits before the word, and an `=` after it.
pub(super) fn names_itself(p: &Parser, before: &str) -> bool {
    let digits = before.bytes().all(|b| b.is_ascii_digit());
    digits && p.nth(1) == TokenKind::Eq
}

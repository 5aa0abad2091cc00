//! Numbers as other languages write them: `2i`, `1d3`, `0b11`, `1,5`.

use crate::{Checkpoint, Parser, SyntaxError, TokenKind};
use nnz_base::source::Span;

/// At the `,` of `u = 1, 2, 3` and `x(i) + 1,5`.
pub(super) fn listed(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let before = p.text_since(start);
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let behind = line.split("//").next().unwrap_or_default().trim_end();
    let right = before.rsplit('=').next().unwrap_or_default().trim();
    let number = |text: &str| text.trim().parse::<f64>().is_ok();
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

/// At the second `.` of `1.2.3`, and that of `1e3.5`.
pub(super) fn second_point(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '.').next().unwrap_or_default();
    let rest = p.rest();
    let behind = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.').len();
    if !p.joined() || !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let message = format!("`{word}{}` is no number", &rest[..behind]);
    let exponent = word.contains(['e', 'E']);
    let label = if exponent { "an exponent is a whole number" } else { "a second `.`" };
    Some(SyntaxError::new(place, message).label(label))
}

/// `2i`, `1d3`, `2.5f0`, `0b11`, `1e`: the rest of a number as another language writes it.
pub(super) fn foreign_number(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let found = p.peek_text();
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let number = &before[before.len() - digits..];
    let whole = Span::new(p.consumed_end() - digits, place.start as usize + found.len());
    let (letter, rest) = found.split_at(found.chars().next().map_or(0, char::len_utf8));
    let counts = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let based = match (number, letter) {
        ("0", "b" | "B") => u64::from_str_radix(rest, 2).ok(),
        ("0", "o" | "O") => u64::from_str_radix(rest, 8).ok(),
        _ => None,
    };
    if let Some(value) = based {
        let error = SyntaxError::new(whole, "a number is written in decimal digits").label(format!("is {value}"));
        return Some(error.guess(format!("write `{value}`"), vec![(whole, value.to_string())]));
    }
    match letter {
        "d" | "D" | "f" | "F" if counts(rest) => {
            let own = format!("{number}e{rest}");
            let error = SyntaxError::new(whole, format!("an exponent is written with `e`: `{own}`")).label("write `e`");
            Some(error.guess(format!("write `{own}`"), vec![(whole, own)]))
        }
        "x" | "X" if rest.is_empty() && number == "0" && !(p.nth(1) == TokenKind::Eq) => {
            let error = SyntaxError::new(whole, format!("`0{found}` is no number: its digits are missing"));
            Some(error.label("no digits behind this").help("as in `0x1F`; a product is written `0 * x`"))
        }
        "e" | "E" if rest.is_empty() => {
            let error = SyntaxError::new(whole, format!("`{number}{found}` is no number: its exponent is missing"));
            Some(error.label("an exponent has digits").help("as in `1e3`; Euler's number is `e` alone"))
        }
        "O" | "o" | "l" | "I" if !rest.is_empty() && counts(rest) || matches!(found, "O" | "o" | "l") => {
            let own = format!("{number}{}", found.replace(['O', 'o'], "0").replace(['l', 'I'], "1"));
            let error = SyntaxError::new(whole, format!("`{number}{found}` is no number: `{letter}` is a letter"));
            Some(error.label("a letter among digits").guess(format!("write `{own}`"), vec![(whole, own)]))
        }
        "i" | "j" | "I" | "J" if rest.is_empty() => Some(imaginary(p, before, digits, whole)),
        _ => None,
    }
}

/// `3 + 2i`, whose `2` has so many digits and ends `before`.
fn imaginary(p: &Parser, before: &str, digits: usize, whole: Span) -> SyntaxError {
    let error = SyntaxError::new(whole, "a complex number is written `(re, im)`: `(3, 2)` for 3 + 2i");
    let error = error.label("no imaginary unit");
    let (front, imaginary) = before.split_at(before.len() - digits);
    let right = front.rsplit('=').next().unwrap_or_default();
    let sum = right.trim();
    let (real, sign) = sum.split_at(sum.len().saturating_sub(1));
    let number = |text: &str| text.parse::<f64>().is_ok();
    let behind = p.rest()[p.peek_text().len()..].lines().next().unwrap_or_default().trim();
    let ends = behind.is_empty() || behind.starts_with("//") || behind.starts_with(';');
    let own = match sign {
        _ if !ends || !front.contains('=') || front.contains('(') => None,
        "" => Some(format!("(0, {imaginary})")),
        "+" if number(real.trim()) => Some(format!("({}, {imaginary})", real.trim())),
        "-" if number(real.trim()) => Some(format!("({}, -{imaginary})", real.trim())),
        _ => None,
    };
    let Some(own) = own else { return error };
    let place = Span::new(whole.start as usize - right.trim_start().len(), whole.end as usize);
    error.guess(format!("write `{own}`"), vec![(place, own)])
}

/// `1x = 3`: only digits before the word, and an `=` after it.
pub(super) fn names_itself(p: &Parser, before: &str) -> bool {
    let digits = before.bytes().all(|b| b.is_ascii_digit());
    digits && p.nth(1) == TokenKind::Eq
}

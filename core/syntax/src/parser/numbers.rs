//! Numbers as other languages write them: `2i`, `1d3`, `0b11`, `1.2.3`.

use crate::{Parser, SyntaxError, TokenKind};
use nnz_base::source::Span;

/// At the second `.` of `1.2.3`, and that of `1e3.5`.
pub(crate) fn second_point(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
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
pub(crate) fn foreign_number(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
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

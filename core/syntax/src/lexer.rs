//! Text to tokens. Every byte is in exactly one token; nothing fails.

use super::TokenKind;
use nnz_base::source::byte_order_mark;

/// A token starts here and ends where the next one starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
}

/// The tokens of `text`, with an `Eof` at the end.
pub fn lex(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut at = byte_order_mark(text);
    if at > 0 {
        tokens.push(Token { kind: TokenKind::Whitespace, start: 0 });
    }
    while at < text.len() {
        let (kind, len) = next(&text[at..]);
        tokens.push(Token { kind, start: at as u32 });
        at += len;
    }
    tokens.push(Token { kind: TokenKind::Eof, start: text.len() as u32 });
    tokens
}

/// The first token of a text that is not empty, and its length in bytes (at least 1, on a boundary).
fn next(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    match bytes[0] {
        b'\n' => (TokenKind::Newline, 1),
        b'\r' if bytes.get(1) != Some(&b'\n') => (TokenKind::Newline, 1),
        b'\r' => (TokenKind::Whitespace, 1),
        b' ' | b'\t' => (TokenKind::Whitespace, run(bytes, |b| matches!(b, b' ' | b'\t'))),
        b'/' if bytes.get(1) == Some(&b'/') => (TokenKind::Comment, line_length(bytes)),
        b'0'..=b'9' => number(bytes),
        b'"' => (TokenKind::String, string(bytes)),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::Ident, name(bytes)),
        b'#' => sigil(bytes, TokenKind::HashId, TokenKind::Hash),
        b'!' if bytes.get(1) != Some(&b'=') => sigil(bytes, TokenKind::BangId, TokenKind::Bang),
        b'%' => value(bytes),
        b'@' => symbol(bytes),
        b'^' => sigil(bytes, TokenKind::CaretId, TokenKind::Error),
        _ => punctuation(rest),
    }
}

fn is_ident_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')
}

/// The length of a name. The dot of `A.^2` and of `A.*B` is the operator's.
fn name(bytes: &[u8]) -> usize {
    let len = run(bytes, is_ident_byte);
    let operator = matches!(bytes.get(len), Some(b'^' | b'*' | b'/' | b'\\'));
    if operator && bytes[len - 1] == b'.' { len - 1 } else { len }
}

fn run(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&b| !wanted(b)).unwrap_or(bytes.len())
}

fn line_length(bytes: &[u8]) -> usize {
    memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len())
}

/// `@name`, `@"any text"`
fn symbol(bytes: &[u8]) -> (TokenKind, usize) {
    match bytes.get(1) {
        Some(b'"') => (TokenKind::AtId, 1 + string(&bytes[1..])),
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => (TokenKind::AtId, 1 + run(&bytes[1..], is_ident_byte)),
        _ => (TokenKind::At, 1),
    }
}

/// `#name`: after the sigil, names may also hold `-` (MLIR's suffix-id), and digits may come first.
fn sigil(bytes: &[u8], named: TokenKind, bare: TokenKind) -> (TokenKind, usize) {
    let of_value = bytes[0] == b'%';
    let starts = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || of_value && matches!(b, b'-' | b'.');
    match bytes.get(1) {
        Some(b) if starts(b) => (named, 1 + suffix(&bytes[1..])),
        _ => (bare, 1),
    }
}

/// The length of a name with `-`. In `%a->` the arrow is no part of it.
fn suffix(bytes: &[u8]) -> usize {
    let len = run(bytes, |b| is_ident_byte(b) || b == b'-');
    let arrow = bytes.get(len) == Some(&b'>') && bytes[len - 1] == b'-';
    if arrow { len - 1 } else { len }
}

/// `%name`, and `%name#1` for one of several results.
fn value(bytes: &[u8]) -> (TokenKind, usize) {
    let (kind, len) = sigil(bytes, TokenKind::PercentId, TokenKind::Percent);
    let number = bytes.get(len + 1..).map_or(0, |rest| run(rest, |b| b.is_ascii_digit()));
    let has_number = kind == TokenKind::PercentId && bytes.get(len) == Some(&b'#') && number > 0;
    (kind, if has_number { len + 1 + number } else { len })
}

/// A string with escapes; one that is not closed ends with its line.
fn string(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'"' => return at + 1,
            b'\n' | b'\r' => return at,
            b'\\' if bytes.get(at + 1).is_some_and(|&b| !matches!(b, b'\n' | b'\r') && b.is_ascii()) => at += 2,
            _ => at += 1,
        }
    }
    at
}

fn number(bytes: &[u8]) -> (TokenKind, usize) {
    if bytes[0] == b'0' && bytes.get(1) == Some(&b'x') && bytes.get(2).is_some_and(u8::is_ascii_hexdigit) {
        return (TokenKind::Int, 2 + run(&bytes[2..], |b| b.is_ascii_hexdigit()));
    }
    let whole = run(bytes, |b| b.is_ascii_digit());
    let mut len = whole;
    if bytes.get(len) == Some(&b'.') && bytes.get(len + 1) != Some(&b'.') {
        len += 1 + run(&bytes[len + 1..], |b| b.is_ascii_digit());
    }
    len += exponent(&bytes[len..]);
    (if len == whole { TokenKind::Int } else { TokenKind::Float }, len)
}

fn exponent(bytes: &[u8]) -> usize {
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let digits = run(&bytes[1 + sign..], |b| b.is_ascii_digit());
    if digits == 0 { 0 } else { 1 + sign + digits }
}

fn punctuation(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let known = pair(bytes).map(|kind| (kind, 2)).or_else(|| Some((mark(bytes[0])?, 1)));
    known.unwrap_or_else(|| (TokenKind::Error, rest.chars().next().map_or(1, char::len_utf8)))
}

fn pair(bytes: &[u8]) -> Option<TokenKind> {
    Some(match bytes {
        [b'-', b'>', ..] => TokenKind::Arrow,
        [b':', b':', ..] => TokenKind::ColonColon,
        [b'=', b'=', ..] => TokenKind::EqEq,
        [b'!', b'=', ..] => TokenKind::Ne,
        [b'<', b'=', ..] => TokenKind::Le,
        [b'>', b'=', ..] => TokenKind::Ge,
        [b'+', b'=', ..] => TokenKind::PlusEq,
        [b'-', b'=', ..] => TokenKind::MinusEq,
        [b'*', b'=', ..] => TokenKind::StarEq,
        [b'/', b'=', ..] => TokenKind::SlashEq,
        _ => return None,
    })
}

fn mark(byte: u8) -> Option<TokenKind> {
    Some(match byte {
        b':' => TokenKind::Colon,
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semicolon,
        b'=' => TokenKind::Eq,
        b'<' => TokenKind::Lt,
        b'>' => TokenKind::Gt,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'*' => TokenKind::Star,
        b'/' => TokenKind::Slash,
        b'?' => TokenKind::Question,
        b'|' => TokenKind::Bar,
        b'&' => TokenKind::Amp,
        b'.' => TokenKind::Dot,
        b'(' => TokenKind::LParen,
        b')' => TokenKind::RParen,
        b'{' => TokenKind::LBrace,
        b'}' => TokenKind::RBrace,
        b'[' => TokenKind::LBracket,
        b']' => TokenKind::RBracket,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind> {
        lex(text).iter().map(|token| token.kind).filter(|kind| !kind.is_trivia()).collect()
    }

    #[test]
    fn words_and_numbers() {
        use TokenKind::*;
        assert_eq!(kinds("#CSR-2 = 0x1F 1.5e-3 3x4 // c"), [HashId, Eq, Int, Float, Int, Ident, Eof]);
        assert_eq!(kinds("%r#1[%r] %a#b"), [PercentId, LBracket, PercentId, RBracket, PercentId, HashId, Eof]);
        assert_eq!(kinds("%0->(a)"), [PercentId, Arrow, LParen, Ident, RParen, Eof]);
        assert_eq!(
            kinds("%a- %-b %.c %d-->(a)"),
            [PercentId, PercentId, PercentId, PercentId, Arrow, LParen, Ident, RParen, Eof]
        );
        assert_eq!(kinds("@f-1 @1 ^b-:"), [AtId, Minus, Int, At, Int, CaretId, Colon, Eof]);
        assert_eq!(kinds("\"a\\\"b\" \"open"), [String, String, Eof]);
        assert_eq!(kinds("é d0 ceildiv 2"), [Error, Ident, Ident, Int, Eof]);
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        use TokenKind::*;
        assert_eq!(kinds("\u{feff}x\u{feff}"), [Ident, Error, Eof]);
    }

    #[test]
    fn every_byte_is_in_a_token() {
        for text in ["", "\u{feff}", "\u{feff}a", "é\u{0}\"", "0x", "1e", "1.", "#", "\"\\", "@\"x y\"", "a\r\nb"] {
            let tokens = lex(text);
            assert_eq!(tokens.first().map(|t| t.start), Some(0));
            assert!(tokens.windows(2).all(|pair| pair[0].start < pair[1].start), "{text:?}");
            assert!(tokens.iter().all(|token| text.is_char_boundary(token.start as usize)));
        }
    }
}

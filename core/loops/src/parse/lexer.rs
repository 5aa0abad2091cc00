//! Words, numbers, comments and signs.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    /// Letters, digits, `_`, and single dots inside.
    Word(&'t str),
    Number(&'t str),
    /// Without the slashes and one space.
    Comment(&'t str),
    Sign(&'t str),
    End,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

/// Longer signs before their beginnings.
const SIGNS: &[&str] = &["..", "||", "&&", "==", "!=", "<=", "->"];

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The byte offset of the next token.
    pub(super) fn at(&self) -> usize {
        self.text.len() - self.rest().len()
    }

    fn rest(&self) -> &'t str {
        self.text[self.at..].trim_start()
    }

    pub(super) fn peek(&self) -> Token<'t> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Token::End };
        if let Some(comment) = rest.strip_prefix("//") {
            let line = comment.split('\n').next().unwrap_or(comment);
            return Token::Comment(line.strip_prefix(' ').unwrap_or(line));
        }
        if first.is_ascii_digit() {
            return Token::Number(prefix(rest, |c| c.is_ascii_digit()));
        }
        if first.is_alphabetic() || first == '_' {
            return Token::Word(word(rest));
        }
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len());
        Token::Sign(&rest[..sign])
    }

    /// The token after the next.
    pub(super) fn second(&self) -> Token<'t> {
        let mut ahead = Lexer { ..*self };
        ahead.next();
        ahead.peek()
    }

    pub(super) fn next(&mut self) {
        let start = self.at();
        let end = match self.peek() {
            Token::Word(text) | Token::Number(text) | Token::Sign(text) => start + text.len(),
            Token::Comment(_) => start + prefix(&self.text[start..], |c| c != '\n').len(),
            Token::End => start,
        };
        self.at = end;
    }

    /// Takes the next token if it is `sign`, a sign or a word.
    pub(super) fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(text) | Token::Word(text) if text == sign);
        if found {
            self.next();
        }
        found
    }

    /// The text up to `sign`, which is left.
    pub(super) fn until(&mut self, sign: &str) -> &'t str {
        let rest = &self.text[self.at..];
        let text = &rest[..rest.find(sign).unwrap_or(rest.len())];
        self.at += text.len();
        text.trim()
    }
}

fn prefix(text: &str, wanted: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !wanted(c)).unwrap_or(text.len())]
}

/// A dot belongs to the word if another letter, digit or `_` follows it.
fn word(text: &str) -> &str {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = prefix(text, is_letter).len();
    while let Some(more) = text[end..].strip_prefix('.').map(|after| prefix(after, is_letter).len()).filter(|n| *n > 0)
    {
        end += 1 + more;
    }
    &text[..end]
}

//! Roles for text that the user types or nnz prints. They depend only on the tokens, so half a statement is
//! coloured like the whole.

use std::ops::Range;

use super::{Line, Markup, Role};
use nnz_base::element::Element;
use nnz_encoding::{format, named};
use nnz_syntax::{TokenKind, lexer};

/// Words of the nnz notation and of encodings.
const KEYWORDS: &[&str] =
    &["map", "posWidth", "crdWidth", "explicitVal", "implicitVal", "read", "use", "random", "with", "in", "schedule"];
/// The roles of `text` in the nnz notation, in order; every byte is in exactly one range.
pub fn roles(text: &str) -> Vec<(Role, Range<usize>)> {
    let tokens = lexer::lex(text);
    let ends = tokens.iter().skip(1).map(|token| token.start as usize).chain([text.len()]);
    let ranges: Vec<(TokenKind, Range<usize>)> =
        tokens.iter().zip(ends).map(|(token, end)| (token.kind, token.start as usize..end)).collect();
    let role = |at: usize| {
        let (kind, range) = &ranges[at];
        let after_colon = at > 0 && ranges[at - 1].0 == TokenKind::Colon && starts_statement(&ranges, at - 1);
        let of_command = *kind == TokenKind::Colon && starts_statement(&ranges, at);
        if of_command || *kind == TokenKind::Ident && after_colon {
            return Role::Keyword;
        }
        if *kind == TokenKind::Ident { word_role(&text[range.clone()]) } else { token_role(*kind) }
    };
    (0..ranges.len()).map(|at| (role(at), ranges[at].1.clone())).filter(|(_, range)| !range.is_empty()).collect()
}

/// Whether token `at` is the first of its statement.
fn starts_statement(ranges: &[(TokenKind, Range<usize>)], at: usize) -> bool {
    let before = ranges[..at].iter().rev().map(|(kind, _)| *kind).find(|kind| *kind != TokenKind::Whitespace);
    matches!(before, None | Some(TokenKind::Newline | TokenKind::Semicolon | TokenKind::Comment))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn token_role(kind: TokenKind) -> Role {
    match kind {
        TokenKind::Comment => Role::Comment,
        TokenKind::Int | TokenKind::Float => Role::Number,
        TokenKind::String => Role::String,
        TokenKind::HashId => Role::Format,
        TokenKind::BangId => Role::Type,
        TokenKind::PercentId | TokenKind::AtId | TokenKind::CaretId => Role::Name,
        TokenKind::Error => Role::Error,
        _ => Role::Plain,
    }
}

fn word_role(word: &str) -> Role {
    // `3x4xf64` is a number and then a word.
    let element = word.rsplit('x').next().unwrap_or(word);
    match word {
        _ if KEYWORDS.contains(&word) => Role::Keyword,
        _ if is_level_word(word) || named::format_called(word).is_ok() => Role::Format,
        "tensor" | "complex" => Role::Type,
        _ if Element::parse(element).is_some() => Role::Type,
        _ => Role::Plain,
    }
}

/// A level format or a property of one.
fn is_level_word(word: &str) -> bool {
    format::named(word).is_some() || format::PROPERTIES.contains(&word)
}

/// The language of printed code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The loop IR.
    Loops,
    C,
    Mlir,
    Llvm,
    /// Of the machine.
    Assembly,
    /// Of NVIDIA's GPUs.
    Ptx,
}

impl Code {
    fn comment(self) -> &'static str {
        match self {
            Code::Loops | Code::C | Code::Mlir | Code::Ptx => "//",
            Code::Llvm => ";",
            Code::Assembly => "#",
        }
    }
    fn keywords(self) -> &'static [&'static str] {
        match self {
            Code::Loops => &[
                "kernel",
                "for",
                "while",
                "if",
                "else",
                "let",
                "var",
                "in",
                "parallel",
                "vector",
                "sort",
                "read",
                "readwrite",
                "and",
                "or",
                "not",
            ],
            Code::Mlir => {
                &["module", "func.func", "func.call", "private", "attributes", "return", "to", "step", "else", "do"]
            }
            Code::C => &[
                "bool", "const", "double", "else", "float", "for", "if", "inline", "int8_t", "int16_t", "int32_t",
                "int64_t", "restrict", "return", "static", "struct", "typedef", "uint8_t", "uint16_t", "uint32_t",
                "uint64_t", "void", "while",
            ],
            Code::Llvm => &[
                "define",
                "declare",
                "br",
                "ret",
                "load",
                "store",
                "phi",
                "getelementptr",
                "add",
                "sub",
                "mul",
                "fadd",
                "fsub",
                "fmul",
                "fdiv",
                "icmp",
                "fcmp",
                "select",
                "call",
                "label",
                "inbounds",
                "nuw",
                "nsw",
            ],
            Code::Assembly | Code::Ptx => &[],
        }
    }
}

/// Printed code with light roles: comments, keywords, numbers, names with a sigil, labels.
pub fn code(text: &str, code: Code) -> Markup {
    text.lines().map(|line| code_line(line, code)).collect()
}

fn code_line(text: &str, code: Code) -> Line {
    let (body, comment) = text.split_at(text.find(code.comment()).unwrap_or(text.len()));
    let mut line = Line::new();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '@');
    let mut rest = body;
    while let Some(first) = rest.chars().next() {
        let in_word = is_word(first);
        let len = rest.find(|c| is_word(c) != in_word).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(len);
        line.push(if in_word { code_role(piece, code) } else { Role::Plain }, piece);
        rest = after;
    }
    line.with(Role::Comment, comment)
}

fn code_role(word: &str, code: Code) -> Role {
    match word.chars().next() {
        Some('%' | '@') => Role::Name,
        Some('0'..='9') => Role::Number,
        _ if code.keywords().contains(&word) => Role::Keyword,
        _ if Element::parse(word).is_some() => Role::Type,
        _ => Role::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(Role, &str)> {
        let roles = roles(text);
        assert_eq!(roles.iter().map(|(_, range)| &text[range.clone()]).collect::<String>(), text);
        roles.into_iter().filter(|(role, _)| *role != Role::Plain).map(|(role, range)| (role, &text[range])).collect()
    }

    #[test]
    fn statements_are_coloured_by_their_tokens() {
        assert_eq!(
            shown("A : tensor<3x4xf64, CSR> = read \"a.mtx\" // all"),
            [
                (Role::Type, "tensor"),
                (Role::Number, "3"),
                (Role::Type, "x4xf64"),
                (Role::Format, "CSR"),
                (Role::Keyword, "read"),
                (Role::String, "\"a.mtx\""),
                (Role::Comment, "// all")
            ]
        );
        assert_eq!(shown("x; :show tree A"), [(Role::Keyword, ":"), (Role::Keyword, "show")]);
        assert_eq!(shown("(i : dense"), [(Role::Format, "dense")]);
        assert_eq!(shown("\u{7f}é\n"), [(Role::Error, "\u{7f}"), (Role::Error, "é")]);
    }

    #[test]
    fn code_is_kept_as_it_is() {
        let text = "for i in 0 to %n { // rows\n\tx\n}";
        assert_eq!(code(text, Code::Loops).plain_text(), text.replace('\t', " ") + "\n");
        let line = &code("  br label %3 ; then", Code::Llvm).lines[0];
        assert_eq!(line.pieces()[1].role(), Role::Keyword);
        assert_eq!(line.pieces().last().map(|piece| piece.role()), Some(Role::Comment));
    }
}

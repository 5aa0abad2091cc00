//! Mistakes in Python itself.

use nnz_base::{
    diagnostic::{Code, Diagnostic},
    source::{Source, Span},
};
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{Mode, ParseError, lexer};

use super::python::span;

/// One mistake for each line that has any: the first tells why the others are there. A bracket that is never closed tells
/// why everything behind it is wrong.
pub(super) fn mistakes(source: &Source, errors: &[ParseError], tokens: &Tokens) -> Vec<Diagnostic> {
    if let Some(bracket) = unclosed(tokens).filter(|_| !errors.is_empty()) {
        let text = source.slice(bracket);
        let told = Diagnostic::new(Code::SyntaxError, source.id, bracket, format!("`{text}` is never closed"));
        let before = errors.iter().filter(|error| span(*error).start < bracket.start).cloned().collect::<Vec<_>>();
        return by_line(source, &before).into_iter().chain([told.label("opened here")]).collect();
    }
    by_line(source, errors)
}

fn by_line(source: &Source, errors: &[ParseError]) -> Vec<Diagnostic> {
    let mut told: Vec<Diagnostic> = errors.iter().map(|error| mistake(source, error)).collect();
    told.sort_by_key(|one| one.primary.span.start);
    told.dedup_by_key(|one| line(source, one));
    told
}

/// The outermost bracket that nothing closes.
pub(super) fn unclosed(tokens: &Tokens) -> Option<Span> {
    let mut open = Vec::new();
    for token in tokens.iter() {
        if matches!(token.kind(), TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace) {
            open.push(span(token));
        } else if matches!(token.kind(), TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace) {
            open.pop();
        }
    }
    open.first().copied()
}

fn mistake(source: &Source, error: &ParseError) -> Diagnostic {
    let message = error.error.to_string();
    let mut letters = message.chars();
    let lower: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
    let place = span(error).sanitized(&source.text);
    Diagnostic::new(Code::SyntaxError, source.id, place, lower.replace('\n', " ")).label("this is not Python")
}

/// The line on which a diagnostic begins.
pub(crate) fn line(source: &Source, told: &Diagnostic) -> u32 {
    source.line_col(told.primary.span.start as usize).line
}

/// The mistake of a text that is nested too deeply.
pub(super) fn too_deep(source: &Source) -> Option<Diagnostic> {
    if !is_deep(&source.text) {
        return None;
    }
    let at = deep_line(&source.text);
    let told = Diagnostic::new(Code::ScriptUnread, source.id, at, "brackets, operators or bodies nest too deeply");
    let told = told.label("too deep to be read");
    Some(told.note(MOST_NOTE).help("give parts of the expression names of their own"))
}

const MOST_NOTE: &str = "200 brackets, 100 bodies and 1000 operators within each other are read";

/// Whether a token is within too much: the tree of such a text would need a stack without end.
fn is_deep(text: &str) -> bool {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut nesting = Nesting { open: Vec::new(), operators: 0, bodies: 0 };
    loop {
        let token = lexer.next_token();
        nesting.pass(token);
        if nesting.is_too_deep() || token == TokenKind::EndOfFile {
            return nesting.is_too_deep();
        }
    }
}

/// The first line of a deep text with which it is deep.
fn deep_line(text: &str) -> Span {
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).chain([text.len()]).collect();
    let line = ends.partition_point(|end| !is_deep(&text[..*end])).min(ends.len() - 1);
    let start = line.checked_sub(1).map_or(0, |before| ends[before] + 1);
    let blanks = text[start..ends[line]].len() - text[start..ends[line]].trim_start().len();
    Span::new(start + blanks, ends[line])
}

/// What is around a token.
struct Nesting {
    /// Of each open bracket the operators before it.
    open: Vec<usize>,
    /// Operators since the last comma, each of which may hold the others.
    operators: usize,
    bodies: usize,
}

impl Nesting {
    fn is_too_deep(&self) -> bool {
        self.open.len() > 200 || self.operators > 1000 || self.bodies > 100
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "Python has many kinds of tokens")]
    fn pass(&mut self, token: TokenKind) {
        match token {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => self.open.push(self.operators),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                self.open.pop();
                self.operators += 1;
            }
            TokenKind::Comma => self.operators = self.open.last().copied().unwrap_or(0),
            TokenKind::Newline => (self.open, self.operators) = (Vec::new(), 0),
            TokenKind::Indent => self.bodies += 1,
            TokenKind::Dedent => self.bodies = self.bodies.saturating_sub(1),
            TokenKind::Name | TokenKind::Int | TokenKind::Float | TokenKind::String => {}
            TokenKind::NonLogicalNewline | TokenKind::Comment | TokenKind::EndOfFile => {}
            _ => self.operators += 1,
        }
    }
}

//! The brackets of what is skipped: what closes what, and which one is missing or one too many.

use crate::{Parser, SyntaxError, TokenKind, parser::OpenBracket};
use nnz_base::source::Span;

impl Parser {
    /// `{ {`
    pub(super) fn at_second_brace(&self) -> bool {
        self.text_at(Span::new(0, self.consumed_end())).ends_with('{')
    }

    pub(super) fn close_loose_bracket(&mut self, brackets: &mut Vec<OpenBracket>) {
        let (kind, line) = (self.peek(), self.line_of_token().1);
        let is_of_line = |open: Option<&OpenBracket>| open.is_some_and(|open| open.line == line);
        match brackets.iter().rposition(|open| open.closing == kind) {
            Some(at) if at + 1 == brackets.len() => {
                self.suspected.extend(brackets.pop().filter(|open| self.is_outdented(open)))
            }
            // What is open on this line does not end with what closes something above.
            Some(at) if is_of_line(brackets.last()) && !is_of_line(brackets.get(at)) => self.error_stray(kind),
            Some(at) => {
                if !self.has_error_since(line) {
                    self.error_unclosed(brackets[at + 1]);
                }
                brackets.truncate(at);
            }
            None if self.means_brace(brackets) => return self.open_brace_meant(brackets),
            None => self.error_stray(kind),
        }
        self.bump();
    }

    /// At `]` or `)` at the end of a line of a body, where the next line holds an operation that is further indented.
    pub(super) fn means_brace(&self, brackets: &[OpenBracket]) -> bool {
        let (column, line) = self.line_of_token();
        let inside = brackets.last().is_some_and(|open| open.closing == TokenKind::RBrace);
        let operation =
            matches!(self.nth(1), TokenKind::PercentId | TokenKind::Ident | TokenKind::CaretId | TokenKind::String);
        let mut behind = self.rest().lines();
        let ends_line = behind.next().is_some_and(|rest| rest.trim() == self.peek_text());
        let next = behind.find(|line| !line.trim().is_empty()).unwrap_or_default();
        let indented = next.len() - next.trim_start().len() > column;
        let operation = operation && !is_parameter(next.trim_start());
        !self.at(TokenKind::RBrace) && inside && operation && ends_line && indented && !self.has_error_since(line)
    }

    pub(super) fn open_brace_meant(&mut self, brackets: &mut Vec<OpenBracket>) {
        let (span, (column, line)) = (self.span(), self.line_of_token());
        let error = SyntaxError::new(span, format!("expected `{{`, found {}", self.peek().describe()));
        self.report(error.label("opens no region").fix("write `{`", vec![(span, "{".to_string())]));
        self.bump();
        brackets.push(OpenBracket { span, closing: TokenKind::RBrace, column, line, ends_line: true });
    }

    /// A quote that nothing closes on its line. Text with closing brackets behind it is read as if there were no quote, so
    /// that they count.
    pub(super) fn pass_open_quote(&mut self) {
        let (start, text) = (self.span().start as usize, self.peek_text());
        let (end, closes) = (start + end_of_text(text), text.contains([')', ']', '}']));
        let error = SyntaxError::new(Span::new(start, start + 1), "this string is never closed: `\"` is missing");
        self.report(error.label("opened here").guess("insert `\"`", vec![(Span::at(end), "\"".to_string())]));
        // A text that is being typed stays one, so that it can be completed.
        if closes {
            self.split_quote();
        }
        self.bump();
    }

    /// One error of brackets on a line says enough.
    pub(super) fn error_stray(&mut self, kind: TokenKind) {
        if !self.has_error_since(self.line_of_token().1) {
            let error = SyntaxError::new(self.span(), format!("{} closes nothing", kind.describe()));
            let error = error.label("nothing opens this");
            self.report(match self.results_without_bracket() {
                Some(place) => error.fix("insert `(`", vec![(place, "(".to_string())]),
                None => error,
            });
        }
    }

    /// At the `)` of `-> T, T) {`, where the `(` of the results would stand.
    pub(super) fn results_without_bracket(&self) -> Option<Span> {
        let line = Span::new(self.line_of_token().1, self.span().start as usize);
        let (_, results) = self.text_at(line).rsplit_once("->").filter(|_| self.at(TokenKind::RParen))?;
        let types = results.trim_start();
        let listed = types.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!') && !types.contains(['(', ')']);
        listed.then(|| Span::at(line.end as usize - types.len()))
    }

    /// At a brace that begins a line and is indented less than the line that has, in its middle, the brace that it
    /// closes.
    pub(super) fn is_outdented(&self, open: &OpenBracket) -> bool {
        let outdented = self.newline_before() && self.line_of_token().0 < open.column;
        self.at(TokenKind::RBrace) && outdented && !open.ends_line
    }

    /// Reports, where the text stopped, the outermost of the brackets that are open beyond `outside`, and forgets them.
    pub(super) fn report_unclosed(&mut self, brackets: &mut Vec<OpenBracket>, outside: usize) {
        let suspected = std::mem::take(&mut self.suspected);
        if let Some(open) = brackets.get(outside) {
            match suspected.first().filter(|other| other.span.start > open.span.start) {
                Some(other) if !self.has_error_since(other.line) => self.error_unclosed(*other),
                Some(_) => {}
                None => self.error_never_closed(open.closing, open.span),
            }
        }
        brackets.truncate(outside);
    }

    pub(super) fn error_unclosed(&mut self, open: OpenBracket) {
        let closing = open.closing.describe();
        let error = SyntaxError::new(open.span, format!("this bracket is never closed: {closing} is missing"));
        self.insert_error(error.label(format!("no {closing} closes this")));
    }
}

/// Where an open string was meant to end: behind its first word if that ends a value, else with its line.
fn end_of_text(open: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/');
    let word = 1 + open.chars().skip(1).take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    let behind = open.get(word..).unwrap_or_default().trim_start();
    match word > 1 && behind.starts_with([']', '}', ')', '>', ',', '(']) {
        true => word,
        false => open.trim_end().len(),
    }
}

/// Whether a line begins with a parameter of a function, `%a: f64`, and not with results such as `%0:2 = ...`.
pub(super) fn is_parameter(line: &str) -> bool {
    let Some((name, behind)) = line.split_once(':') else { return false };
    name.starts_with('%') && !name.contains('=') && !behind.starts_with(|c: char| c.is_ascii_digit())
}

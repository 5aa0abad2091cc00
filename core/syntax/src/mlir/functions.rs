//! Slips in functions: brackets of their heads, regions without their braces, functions within functions.

use super::{NESTED, NO_BRACE, OPEN_HEAD, OPEN_REGION, begins_operation, opens_body};
use crate::{Parser, SyntaxError, TokenKind, parser::OpenBracket};
use nnz_base::source::Span;

impl Parser {
    /// At a `)` in the line of a function's head that closes nothing. `outside` of all its brackets.
    pub(super) fn at_stray_of_head(&self, outside: bool) -> bool {
        let goes_on = matches!(self.nth(1), TokenKind::Arrow | TokenKind::LBrace);
        outside && self.at(TokenKind::RParen) && !self.newline_before() && goes_on
    }

    pub(super) fn pass_stray_of_head(&mut self) {
        let error = SyntaxError::new(self.span(), "`)` closes nothing").label("nothing opens this");
        self.report(match self.results_without_bracket() {
            Some(place) => error.fix("insert `(`", vec![(place, "(".to_string())]),
            None => error.fix("remove it", vec![(self.span(), String::new())]),
        });
        self.bump();
    }

    /// Within the only bracket of a function's head, before what follows it: `->`, or the body.
    pub(super) fn head_ends_within(&self, brackets: &[OpenBracket]) -> bool {
        let [open] = brackets else { return false };
        let before = self.text_at(Span::new(open.span.start as usize, self.consumed_end()));
        let at_results = self.at(TokenKind::Arrow) && before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '>');
        open.closing == TokenKind::RParen
            && !self.newline_before()
            && (at_results || self.at(TokenKind::LBrace) && opens_body(self.rest()))
    }

    pub(super) fn close_head(&mut self, brackets: &mut Vec<OpenBracket>) {
        let place = Span::at(self.consumed_end());
        let opened = brackets.pop().map(|open| open.span);
        let error = SyntaxError::new(place, OPEN_HEAD).label("`)` is missing");
        let error = SyntaxError { opened, ..error };
        self.insert_error(error.fix("insert `)`", vec![(place, ")".to_string())]));
    }

    /// The brace behind a body that none opened: at the end of the function's `head`.
    pub(super) fn close_body_without_brace(&mut self, head: Option<Span>) {
        if let Some(place) = head.filter(|_| self.at(TokenKind::RBrace)) {
            let error = SyntaxError::new(place, NO_BRACE).label("no `{` here");
            self.insert_error(error.fix("insert `{`", vec![(place, " {".to_string())]));
            self.bump();
        }
    }

    /// `-> T` behind the last operation of a region that is still open.
    pub(super) fn at_results_of_open_region(&self, brackets: &[OpenBracket]) -> bool {
        let open = brackets.last().is_some_and(|open| open.closing == TokenKind::RBrace);
        if !open || !self.at(TokenKind::Arrow) || !self.newline_before() {
            return false;
        }
        let before = self.text_at(Span::new(0, self.consumed_end()));
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default().trim_start();
        line.split_whitespace().next().is_some_and(|word| word.ends_with(".yield"))
    }

    pub(super) fn close_open_region(&mut self, brackets: &mut Vec<OpenBracket>) {
        let place = Span::at(self.consumed_end());
        let opened = brackets.pop().map(|open| open.span);
        let error = SyntaxError::new(place, OPEN_REGION).label("`}` is missing");
        let error = SyntaxError { opened, ..error };
        self.insert_error(error.fix("insert `}`", vec![(place, "\n}".to_string())]));
    }

    /// At a function that is indented further than the one whose body begins with `open`, and that ends before it.
    pub(super) fn at_nested_function(&mut self, open: Option<&OpenBracket>) -> bool {
        let Some(outer) = open.filter(|_| self.at_function()).map(|open| open.column) else { return false };
        let column = self.line_of_token().0;
        if column <= outer {
            return false;
        }
        let Some((own, next)) = self.end_of_indented(column) else { return false };
        let of_outer = match self.text_at(next).trim() {
            "}" => indent(self.text_at(next)) == outer,
            text => indent(self.text_at(next)) == column && !text.starts_with("func"),
        };
        indent(self.text_at(own)) == column && of_outer
    }

    /// The first line below this one that ends with `}` and is indented at most by `column`, and the line with text below
    /// it. What was found for a function above is kept, as a text can have many functions with one end, or with none.
    fn end_of_indented(&mut self, column: usize) -> Option<(Span, Span)> {
        let here = self.span().start;
        if let Some(known) = self.ends.get(&column).filter(|known| known.is_none_or(|(own, _)| own.start > here)) {
            return *known;
        }
        let mut lines = self.lines_below();
        let ends = |line: &Span| {
            let text = self.text_at(*line);
            text.trim_end().ends_with('}') && indent(text) <= column
        };
        let own = lines.find(ends);
        let next = lines.find(|line| !self.text_at(*line).trim().is_empty());
        let found = own.zip(next);
        drop(lines);
        self.ends.insert(column, found);
        found
    }

    pub(super) fn parse_nested_function(&mut self, brackets: &mut Vec<OpenBracket>) {
        let error = SyntaxError::new(self.span(), NESTED).label("in the body of another function");
        self.report(error.help("move it out of the body"));
        let inside = brackets.len();
        self.bump();
        while !self.at_end() && !self.at(TokenKind::LBrace) && !self.at_item_start() {
            self.parse_loose_token(brackets);
        }
        self.parse_loose_token(brackets);
        while !self.at_end() && brackets.len() > inside && !self.at_item_start() {
            self.parse_loose_token(brackets);
        }
    }

    /// Reports that an operation whose region follows on the next lines has no brace in front of it, and opens one.
    /// `held` is the operation of the line, with the brackets that were open there.
    pub(super) fn open_missing_brace(
        &mut self,
        held: &mut Option<(OpenBracket, usize)>,
        brackets: &mut Vec<OpenBracket>,
    ) {
        if self.newline_before()
            && let Some((open, depth)) = held.take()
            && depth == brackets.len()
            && self.line_of_token().0 > open.column
            && begins_operation(self.line_start())
        {
            let place = Span::at(self.consumed_end());
            let error = SyntaxError::new(place, "expected `{` in front of the region, found the end of the line");
            self.insert_error(error.label("no `{` here").fix("insert `{`", vec![(place, " {".to_string())]));
            brackets.push(OpenBracket { ends_line: true, ..open });
        }
        if self.at(TokenKind::LBrace) && held.as_ref().is_some_and(|(_, depth)| *depth == brackets.len()) {
            // Its region begins here, and may end on the same line.
            *held = None;
        }
        if self.at(TokenKind::Ident) && matches!(self.peek_text(), "scf.for" | "scf.if" | "scf.parallel") {
            let (column, line) = self.line_of_token();
            let open = OpenBracket { span: self.span(), closing: TokenKind::RBrace, column, line, ends_line: true };
            *held = Some((open, brackets.len()));
        }
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

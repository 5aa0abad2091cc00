//! Whole `.mlir` files. Only the parts that concern encodings are parsed; operations of every dialect are
//! skipped token by token, so valid MLIR gives no error here.
//!
//! ```text
//! file       ::= item*
//! item       ::= alias | type-alias | function | token
//! alias      ::= '#' id '=' value
//! type-alias ::= '!' id '=' type
//! function   ::= 'func.func' (token | region)*             up to the end of its body
//! token      ::= encoding | slice | location | affine-map | '#' id | tensor-type | in-place | any token; brackets must match
//! in-place   ::= type-of-levels '<' '<' body '>' | 'as' '<' body '>'
//! ```
//!
//! SSA values, symbols, blocks and operation names are tokens of their own kinds (`PercentId`, `AtId`,
//! `CaretId`, an `Ident` with a dot); sections are split by the comment `// -----`.

mod edited;

pub use edited::edited;

use std::sync::Arc;

use super::{NodeKind, Parser, SyntaxError, TokenKind, Tree, parser::LineStart};
use nnz_base::source::Span;

/// The tree of an MLIR file.
pub fn parse_mlir(text: impl Into<Arc<str>>) -> Tree {
    let mut p = Parser::for_mlir(text);
    p.set_fences(|line| begins_item(line) || begins_operation(line));
    let root = p.open(NodeKind::Root);
    let mut brackets = Vec::new();
    while !p.at_end() {
        p.parse_item(&mut brackets);
    }
    p.report_unclosed(&mut brackets, 0);
    p.report_strays();
    p.close(root);
    p.finish()
}

/// A definition, a function or a module: ends everything unfinished above it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn begins_item(line: LineStart<'_>) -> bool {
    match line.kind() {
        TokenKind::HashId | TokenKind::BangId => line.next() == TokenKind::Eq,
        TokenKind::Ident if line.text() == "module" => matches!(line.next(), TokenKind::LBrace | TokenKind::AtId),
        TokenKind::Ident => match line.text() {
            "func.func" => !follows_attribute(line.next()),
            "func" => names_function(line.next()),
            _ => false,
        },
        _ => false,
    }
}

/// What follows the name of an attribute, which can be `func.func`, too: `attributes { func.func }`.
pub fn follows_attribute(next: TokenKind) -> bool {
    matches!(next, TokenKind::RBrace | TokenKind::Comma | TokenKind::Eq)
}

/// What follows `func`, the spelling of functions until 2022: a name or a visibility.
fn names_function(next: TokenKind) -> bool {
    matches!(next, TokenKind::AtId | TokenKind::Ident)
}

/// An operation, a block or a parameter: ends an unfinished type or encoding.
fn begins_operation(line: LineStart<'_>) -> bool {
    use TokenKind::{CaretId, Colon, Comma, Eq, Ident, LParen, PercentId, RBrace, String};
    match (line.kind(), line.next()) {
        (PercentId, Eq | Comma | Colon) | (CaretId, _) | (String, LParen) => true,
        (Ident, Eq | Comma | RBrace) => false,
        (Ident, _) => line.text().contains('.') || line.text() == "return",
        _ => false,
    }
}

/// Whether `text` begins the value of an alias that is an encoding, a dictionary or a map.
pub fn is_aliased(text: &str) -> bool {
    matches!(text, ENCODING | "{" | "affine_map")
}

const ENCODING: &str = "#sparse_tensor.encoding";

/// A function whose body has no opening brace.
pub const NO_BRACE: &str = "expected `{` in front of the body of the function";
/// A function whose parameters or results have no closing bracket.
pub const OPEN_HEAD: &str = "expected `)` behind the parameters or results of the function";

/// Whether `text` begins with a brace and, on the next line, an operation.
pub fn opens_body(text: &str) -> bool {
    let Some((brace, behind)) = text.split_once(['\n', '\r']) else { return false };
    let first = behind.trim_start().lines().next().unwrap_or_default();
    let is_operation = first.starts_with("return") || first.starts_with('%') || first.contains(" %");
    brace.trim_end() == "{" && is_operation
}

/// The error for a region that is still open at the types of its operation's results.
pub const OPEN_REGION: &str = "expected `}` in front of `->`: the region ends before the types of the results";

/// An open bracket: its place, and its closing bracket.
#[derive(Clone, Copy)]
pub(super) struct OpenBracket {
    span: Span,
    closing: TokenKind,
    /// How far its line is indented, and where that begins.
    column: usize,
    line: usize,
    /// Nothing follows it on its line.
    ends_line: bool,
}

impl Parser {
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_item(&mut self, brackets: &mut Vec<OpenBracket>) {
        match self.peek() {
            TokenKind::HashId if self.nth(1) == TokenKind::Eq => self.parse_attr_alias(),
            TokenKind::BangId if self.nth(1) == TokenKind::Eq => self.parse_type_alias(),
            TokenKind::Ident if self.at_function() => self.parse_function(brackets),
            TokenKind::Ident if self.at_alias_without_sign(brackets) => self.parse_alias_without_sign(),
            TokenKind::HashId if self.at_alias_without_equals(brackets) => self.parse_attr_alias(),
            _ => self.parse_loose_token(brackets),
        }
    }

    /// `CSR = #sparse_tensor.encoding<...>`
    fn at_alias_without_sign(&self, brackets: &[OpenBracket]) -> bool {
        brackets.is_empty() && self.nth(1) == TokenKind::Eq && self.nth_text(2) == ENCODING
    }

    /// In the tree its name has no `#`.
    fn parse_alias_without_sign(&mut self) {
        let (place, name) = (Span::at(self.span().start as usize), self.peek_text());
        let error = SyntaxError::new(self.span(), format!("the name of an alias begins with `#`: `#{name}`"));
        self.report(error.label("no `#` before this").fix("insert `#`", vec![(place, "#".to_string())]));
        self.parse_attr_alias();
    }

    /// `#CSR #sparse_tensor.encoding<...>`, `#trait {...}`, `#map : affine_map<...>`
    fn at_alias_without_equals(&self, brackets: &[OpenBracket]) -> bool {
        let value = if self.nth(1) == TokenKind::Colon { 2 } else { 1 };
        brackets.is_empty() && !self.peek_text().contains('.') && is_aliased(self.nth_text(value))
    }

    /// `#name = value`; also the definition of a format in the notation of UST or by name.
    pub fn parse_attr_alias(&mut self) {
        let node = self.open(NodeKind::AttrAlias);
        let equals = usize::from(matches!(self.nth(1), TokenKind::Eq | TokenKind::Colon));
        if self.nth(1 + equals) == TokenKind::LBrace {
            self.parse_dictionary();
        } else {
            self.fenced(Parser::parse_alias_value);
        }
        self.close(node);
    }

    /// `#name =`
    fn parse_alias_name(&mut self) {
        self.bump();
        if self.at(TokenKind::Colon) {
            let (span, error) = (self.span(), self.expected("`=` behind the name of the alias"));
            self.report(error.fix("write `=`", vec![(span, "=".to_string())]));
            self.bump();
        } else if !self.eat(TokenKind::Eq) {
            let (place, error) = (Span::at(self.consumed_end()), self.expected("`=` behind the name of the alias"));
            self.report(error.fix("insert `=`", vec![(place, " =".to_string())]));
        }
    }

    /// `#name =` and what follows it.
    fn parse_alias_value(&mut self) {
        self.parse_alias_name();
        // On another line of a session only an encoding is its value; what else is there is another statement.
        let encoding = matches!(self.peek(), TokenKind::HashId | TokenKind::LParen);
        if self.at_end() || self.at_line_end() && !encoding {
            self.error_expected("the value of the alias", &["#sparse_tensor.encoding<{ map = ... }>"]);
        } else if self.at_bare_map() {
            self.parse_map();
        } else {
            self.parse_attr_value();
        }
    }

    /// At the first token of a line that can only begin a new definition or function, whatever brackets are open.
    fn at_item_start(&self) -> bool {
        self.at_fence() && begins_item(self.line_start())
    }

    /// `#name = { indexing_maps = [...], ... }`, whose aliases and encodings count as used.
    fn parse_dictionary(&mut self) {
        self.parse_alias_name();
        self.parse_braces();
    }

    /// A token, or everything up to the bracket that closes it.
    fn parse_loose_group(&mut self) {
        let mut brackets = Vec::new();
        self.parse_loose_token(&mut brackets);
        while !brackets.is_empty() && !self.at_end() && !self.at_item_start() {
            self.parse_loose_token(&mut brackets);
        }
        self.report_unclosed(&mut brackets, 0);
    }

    /// `{...}` as a value.
    pub(super) fn parse_braces(&mut self) {
        let node = self.open(NodeKind::Value);
        self.parse_loose_group();
        self.close(node);
    }

    fn parse_type_alias(&mut self) {
        let node = self.open(NodeKind::TypeAlias);
        self.fenced(Parser::parse_aliased_type);
        self.close(node);
    }

    fn parse_aliased_type(&mut self) {
        self.bump();
        self.bump();
        let mut brackets = Vec::new();
        if self.at_tensor_type() || self.at_end() {
            return self.parse_type();
        }
        // `memref<4xf64, #CSR>`, `(tensor<4xf64>) -> f64`: up to the end of the line, or of its brackets.
        self.parse_loose_token(&mut brackets);
        while !self.at_end() && (!brackets.is_empty() || !self.newline_before()) {
            self.parse_loose_token(&mut brackets);
        }
        self.report_unclosed(&mut brackets, 0);
    }

    fn at_function(&self) -> bool {
        self.at_word("func.func") && !follows_attribute(self.nth(1))
            || self.at_word("func") && names_function(self.next_on_line())
    }

    fn parse_function(&mut self, brackets: &mut Vec<OpenBracket>) {
        let node = self.open(NodeKind::Function);
        self.suspected.clear();
        let outside = brackets.len();
        self.bump();
        let mut after_attributes = false;
        let (mut head, mut begun) = (None, false);
        while !self.at_end() && !self.at_item_start() && !self.at_function() {
            let closing = self.at_closing();
            if closing && brackets.len() == outside {
                self.close_body_without_brace(head.filter(|_| outside == 0));
                break;
            }
            if self.newline_before() && brackets.len() == outside {
                head.get_or_insert(Span::at(self.consumed_end()));
                // An operation stands where the body would be opened.
                begun |= self.at(TokenKind::PercentId) || self.at(TokenKind::Ident) && self.peek_text().contains('.');
            }
            if self.head_ends_within(brackets.get(outside..).unwrap_or_default()) {
                self.close_head(brackets);
            }
            let body = self.at(TokenKind::LBrace) && brackets.len() == outside && !after_attributes && !begun;
            after_attributes = self.at_word("attributes");
            self.parse_loose_token(brackets);
            if body {
                self.parse_body(brackets, outside);
                self.parse_rest_of_body(brackets);
                break;
            }
        }
        if !self.at_end() {
            self.report_unclosed(brackets, outside);
        }
        self.close(node);
    }

    /// If the line of the closing bracket continues, the body has a bracket too few or too many. Then the text after it
    /// belongs to the body, too, up to the next brace that closes nothing. The reader of operations reports the
    /// mistake.
    fn parse_rest_of_body(&mut self, brackets: &mut Vec<OpenBracket>) {
        let outside = brackets.len();
        let ends =
            self.at_end() || self.newline_before() || self.at_closing() || self.at_location() || self.at_function();
        if ends || self.at(TokenKind::HashId) || self.at(TokenKind::BangId) {
            return;
        }
        while !self.at_end() && !self.at_item_start() && !self.at_function() {
            if brackets.len() == outside && self.at(TokenKind::RBrace) {
                return self.bump();
            }
            self.parse_loose_token(brackets);
        }
    }

    /// Within the only bracket of a function's head, before what follows it: `->`, or the body.
    fn head_ends_within(&self, brackets: &[OpenBracket]) -> bool {
        let [open] = brackets else { return false };
        let before = self.text_at(Span::new(open.span.start as usize, self.consumed_end()));
        let at_results = self.at(TokenKind::Arrow) && before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '>');
        open.closing == TokenKind::RParen
            && !self.newline_before()
            && (at_results || self.at(TokenKind::LBrace) && opens_body(self.rest()))
    }

    fn close_head(&mut self, brackets: &mut Vec<OpenBracket>) {
        let place = Span::at(self.consumed_end());
        let opened = brackets.pop().map(|open| open.span);
        let error = SyntaxError::new(place, OPEN_HEAD).label("`)` is missing");
        let error = SyntaxError { opened, ..error };
        self.insert_error(error.fix("insert `)`", vec![(place, ")".to_string())]));
    }

    /// The brace behind a body that none opened: at the end of the function's `head`.
    fn close_body_without_brace(&mut self, head: Option<Span>) {
        if let Some(place) = head.filter(|_| self.at(TokenKind::RBrace)) {
            let error = SyntaxError::new(place, NO_BRACE).label("no `{` here");
            self.insert_error(error.fix("insert `{`", vec![(place, " {".to_string())]));
            self.bump();
        }
    }

    /// `-> T` behind the last operation of a region that is still open.
    fn at_results_of_open_region(&self, brackets: &[OpenBracket]) -> bool {
        let open = brackets.last().is_some_and(|open| open.closing == TokenKind::RBrace);
        if !open || !self.at(TokenKind::Arrow) || !self.newline_before() {
            return false;
        }
        let before = self.text_at(Span::new(0, self.consumed_end()));
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default().trim_start();
        line.split_whitespace().next().is_some_and(|word| word.ends_with(".yield"))
    }

    fn close_open_region(&mut self, brackets: &mut Vec<OpenBracket>) {
        let place = Span::at(self.consumed_end());
        let opened = brackets.pop().map(|open| open.span);
        let error = SyntaxError::new(place, OPEN_REGION).label("`}` is missing");
        let error = SyntaxError { opened, ..error };
        self.insert_error(error.fix("insert `}`", vec![(place, "\n}".to_string())]));
    }

    /// Everything up to the closing bracket of the body, or up to what a body cannot contain.
    fn parse_body(&mut self, brackets: &mut Vec<OpenBracket>, outside: usize) {
        while !self.at_end() && brackets.len() > outside && !self.at_item_start() {
            if brackets.len() > outside + 1 && self.at_results_of_open_region(brackets) {
                self.close_open_region(brackets);
            }
            self.parse_loose_token(brackets);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_loose_token(&mut self, brackets: &mut Vec<OpenBracket>) {
        match self.peek() {
            TokenKind::Ident | TokenKind::BangId if self.next_is_joined(TokenKind::Lt) && self.at_tensor_type() => {
                self.fenced(Parser::parse_type);
            }
            TokenKind::Ident if self.at_word("tensor") && self.at_tensor_type() => self.fenced(Parser::parse_type),
            TokenKind::HashId if self.at_encoding_attr() => self.fenced(Parser::parse_encoding_attr),
            TokenKind::HashId if self.at_slice() => self.fenced(Parser::parse_slice_attr),
            TokenKind::HashId if self.at_alias_ref() => self.parse_alias_ref(),
            TokenKind::Ident if self.at_location() => self.parse_location(),
            TokenKind::Ident if self.at_affine_map() => self.fenced(Parser::parse_affine_map),
            TokenKind::BangId if self.at_type_of_encoding() => self.fenced(Parser::parse_type_of_encoding),
            TokenKind::Ident if self.at_encoding_in_place() => self.fenced(Parser::parse_encoding_in_place),
            TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => self.close_loose_bracket(brackets),
            TokenKind::LBrace if self.at_second_brace() => {
                let error = SyntaxError::new(self.span(), "expected an operation, found `{`").label("a second brace");
                self.report(error.fix("remove it", vec![(self.span(), String::new())]));
                self.bump();
            }
            kind => {
                let span = self.span();
                let opened = kind.closing().map(|closing| (closing, self.line_of_token()));
                self.bump();
                if let Some((closing, (column, line))) = opened {
                    let ends_line = self.newline_before();
                    brackets.push(OpenBracket { span, closing, column, line, ends_line });
                }
            }
        }
    }

    /// `{ {`
    fn at_second_brace(&self) -> bool {
        self.text_at(Span::new(0, self.consumed_end())).ends_with('{')
    }

    fn close_loose_bracket(&mut self, brackets: &mut Vec<OpenBracket>) {
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
    fn means_brace(&self, brackets: &[OpenBracket]) -> bool {
        let (column, line) = self.line_of_token();
        let inside = brackets.last().is_some_and(|open| open.closing == TokenKind::RBrace);
        let operation =
            matches!(self.nth(1), TokenKind::PercentId | TokenKind::Ident | TokenKind::CaretId | TokenKind::String);
        let mut behind = self.rest().lines();
        let ends_line = behind.next().is_some_and(|rest| rest.trim() == self.peek_text());
        let next = behind.find(|line| !line.trim().is_empty()).unwrap_or_default();
        let indented = next.len() - next.trim_start().len() > column;
        !self.at(TokenKind::RBrace) && inside && operation && ends_line && indented && !self.has_error_since(line)
    }

    fn open_brace_meant(&mut self, brackets: &mut Vec<OpenBracket>) {
        let (span, (column, line)) = (self.span(), self.line_of_token());
        let error = SyntaxError::new(span, format!("expected `{{`, found {}", self.peek().describe()));
        self.report(error.label("opens no region").fix("write `{`", vec![(span, "{".to_string())]));
        self.bump();
        brackets.push(OpenBracket { span, closing: TokenKind::RBrace, column, line, ends_line: true });
    }

    /// One error of brackets on a line says enough.
    fn error_stray(&mut self, kind: TokenKind) {
        if !self.has_error_since(self.line_of_token().1) {
            let error = SyntaxError::new(self.span(), format!("{} closes nothing", kind.describe()));
            self.report(error.label("nothing opens this"));
        }
    }

    /// At a brace that begins a line and is indented less than the line that has, in its middle, the brace that it
    /// closes.
    fn is_outdented(&self, open: &OpenBracket) -> bool {
        let outdented = self.newline_before() && self.line_of_token().0 < open.column;
        self.at(TokenKind::RBrace) && outdented && !open.ends_line
    }

    /// Reports, where the text stopped, the outermost of the brackets that are open beyond `outside`, and forgets them.
    fn report_unclosed(&mut self, brackets: &mut Vec<OpenBracket>, outside: usize) {
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

    fn error_unclosed(&mut self, open: OpenBracket) {
        let closing = open.closing.describe();
        let error = SyntaxError::new(open.span, format!("this bracket is never closed: {closing} is missing"));
        self.insert_error(error.label(format!("no {closing} closes this")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        parse_mlir(text).errors().iter().map(|error| error.message.clone()).collect()
    }

    #[test]
    fn operations_of_any_dialect_are_passed_over() {
        let text = "module {\n  func.func private @f(tensor<?xf64>) -> i32 attributes { a = 1 }\n  \
            func.func @g(%a: tensor<4 x 4 x f32>, %b: !llvm.ptr) {\n    %0:2 = \"x.y\"(%a) <{s = array<i64: 1>}> : \
            (tensor<4x4xf32>) -> (i32, vector<4xf32>)\n    cf.br ^bb1(%0#0 : i32)\n  ^bb1(%x: i32):\n    return\n  }\n}\n";
        assert_eq!(errors(text), [""; 0]);
        let tree = parse_mlir(text);
        let functions: Vec<_> = tree.root().children_of(NodeKind::Function).collect();
        assert_eq!(functions.len(), 2);
        assert!(functions[0].text().ends_with("{ a = 1 }") && functions[1].text().ends_with('}'));
    }

    #[test]
    fn brackets_must_match() {
        assert_eq!(errors("func.func @f() {\n  return\n"), ["`}` is missing"]);
        assert_eq!(errors("func.func @f() {\n}\n}\n"), ["`}` closes nothing"]);
    }

    #[test]
    fn all_errors_of_a_file() {
        let text = "#A = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense j : compressed) }>\n\
            #B = #sparse_tensor.encoding<{ map = (i, j -> (i : , j : compressed) }>\n#C = \n#D = 1 : i32\n";
        assert_eq!(
            errors(text),
            [
                "expected `,`, found `j`",
                "expected `)`, found `->`",
                "expected a level format, found `,`",
                "expected the value of the alias, found the end of the line"
            ]
        );
    }
}

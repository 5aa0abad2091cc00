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

mod brackets;
mod edited;
mod functions;
mod regions;

pub use edited::edited;
pub use regions::{EXTRA_BRACE, OPEN_BRACE};

use std::sync::Arc;

use super::{
    NodeKind, Parser, SyntaxError, TokenKind, Tree,
    parser::{Braces, LineStart, OpenBracket},
};
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
/// A function in the body of another one.
pub const NESTED: &str = "a function stands in a module, and not in the body of another function";
/// A function whose parameters or results have no closing bracket.
pub const OPEN_HEAD: &str = "expected `)` behind the parameters or results of the function";

/// Whether `text` begins with a brace and, on the next line, an operation.
pub fn opens_body(text: &str) -> bool {
    opens_body_by(text, "{")
}

fn opens_body_by(text: &str, bracket: &str) -> bool {
    let Some((brace, behind)) = text.split_once(['\n', '\r']) else { return false };
    let first = behind.trim_start().lines().next().unwrap_or_default();
    let is_operation = first.starts_with("return") || first.starts_with('%') || first.contains(" %");
    brace.trim_end() == bracket && is_operation && !brackets::is_parameter(first)
}

/// The error for a region that is still open at the types of its operation's results.
pub const OPEN_REGION: &str = "expected `}` in front of `->`: the region ends before the types of the results";

impl Parser {
    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_item(&mut self, brackets: &mut Vec<OpenBracket>) {
        match self.peek() {
            TokenKind::HashId if self.nth(1) == TokenKind::Eq => self.parse_attr_alias(),
            TokenKind::BangId if self.nth(1) == TokenKind::Eq => self.parse_type_alias(),
            TokenKind::BangId if brackets.is_empty() && self.at_other_sign(1) => self.parse_type_alias(),
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
        let value = 1 + self.signs_of_alias();
        brackets.is_empty() && !self.peek_text().contains('.') && is_aliased(self.nth_text(value))
    }

    /// Whether `:=` or `==` stands `n` tokens ahead.
    pub(super) fn at_other_sign(&self, n: usize) -> bool {
        let colon = || self.nth_span(n).end == self.nth_span(n + 1).start;
        let kind = self.nth(n);
        kind == TokenKind::EqEq || kind == TokenKind::Colon && self.nth(n + 1) == TokenKind::Eq && colon()
    }

    /// How many tokens stand for the `=` behind the name of an alias.
    fn signs_of_alias(&self) -> usize {
        let kind = self.nth(1);
        if kind == TokenKind::Colon && self.at_other_sign(1) {
            return 2;
        }
        usize::from(matches!(kind, TokenKind::Eq | TokenKind::EqEq | TokenKind::Colon))
    }

    /// `#name = value`; also the definition of a format in the notation of UST or by name.
    pub(crate) fn parse_attr_alias(&mut self) {
        let node = self.open(NodeKind::AttrAlias);
        if self.nth(1 + self.signs_of_alias()) == TokenKind::LBrace {
            self.parse_dictionary();
        } else {
            self.fenced(Parser::parse_alias_value);
        }
        self.close(node);
    }

    /// `#name =`
    fn parse_alias_name(&mut self) {
        self.bump();
        if self.at_other_sign(0) {
            let start = self.span();
            self.bump();
            let sign = if self.eat(TokenKind::Eq) { start.cover(self.last_span()) } else { start };
            let message = format!("an alias is defined with `=`, not with `{}`", self.text_at(sign));
            let error = SyntaxError::new(sign, message).label("write `=`");
            self.insert_error(error.fix("write `=`", vec![(sign, "=".to_string())]));
        } else if self.at(TokenKind::Colon) {
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
        self.parse_alias_name();
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
        self.braces = Braces::default();
        let outside = brackets.len();
        self.bump();
        let mut after_attributes = false;
        let (mut head, mut begun) = (None, false);
        while !self.at_end() && !self.at_item_start() && !self.at_function() {
            let closing = self.at_closing();
            if self.at_stray_of_head(brackets.len() == outside && head.is_none()) {
                self.pass_stray_of_head();
                continue;
            }
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
            let here = brackets.len() == outside && !after_attributes && !begun;
            let mistyped = here && self.at(TokenKind::LParen) && opens_body_by(self.rest(), "(");
            let body = here && self.at(TokenKind::LBrace) || mistyped;
            after_attributes = self.at_word("attributes");
            if mistyped {
                self.open_brace_meant(brackets);
            } else {
                self.parse_loose_token(brackets);
            }
            if body {
                self.parse_body(brackets, outside);
                self.parse_rest_of_body(brackets);
                break;
            }
        }
        self.report_open_regions(brackets, outside);
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

    /// Everything up to the closing bracket of the body, or up to what a body cannot contain.
    fn parse_body(&mut self, brackets: &mut Vec<OpenBracket>, outside: usize) {
        let mut held = None;
        while !self.at_end() && brackets.len() > outside {
            if self.at_item_start() {
                if !self.at_nested_function(brackets.get(outside)) {
                    break;
                }
                self.parse_nested_function(brackets);
                continue;
            }
            self.note_braces(brackets, outside);
            if self.pass_extra_brace(brackets, outside) {
                continue;
            }
            self.open_missing_brace(&mut held, brackets);
            if brackets.len() > outside + 1 && self.at_results_of_open_region(brackets) {
                self.close_open_region(brackets);
            }
            self.parse_loose_token(brackets);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
    fn parse_loose_token(&mut self, brackets: &mut Vec<OpenBracket>) {
        match self.peek() {
            TokenKind::String if self.at_open_string() => self.pass_open_quote(),
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

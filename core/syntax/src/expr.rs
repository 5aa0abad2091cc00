//! Index notation: the right sides of kernels, and all other expressions.
//!
//! ```text
//! Expr   ::= Both { 'or' Both }
//! Both   ::= Truth { 'and' Truth }
//! Truth  ::= 'not' Truth | Shift [ ('==' | '!=' | '<' | '<=' | '>' | '>=') Shift ]
//! Shift  ::= Sum { ('<<' | '>>') Sum }
//! Sum    ::= Term { ('+' | '-') Term }
//! Term   ::= Factor { ('*' | '/') Factor }
//! Factor ::= ('-' | '+') Factor | Number | Complex | '(' Expr ')' | Name | Call
//! Complex ::= '(' [ '-' ] Number ',' [ '-' ] Number ')'          // as MLIR writes it
//! Call   ::= Callee '(' [ Arg { ',' Arg } ] ')'                  // access, reduction, function, conversion or
//! Callee ::= Name | 'complex' '<' Name '>'                       // generator: the checker tells which
//! Arg    ::= [ Name '=' ] Expr [ ':' Expr [ ':' Expr ] ]         // a range is a window of a dimension
//! ```
//!
//! Outside brackets an operator is on the line of its left operand, or begins a line that is indented deeper than the
//! statement; so a statement ends with its line. The right operand may follow on the next line in any case.
//!
//! Operators of other languages are parsed as their equivalents here, and reported (`foreign`).

use super::{NodeKind, Parser, SyntaxError, TokenKind, habits::Tightness};
use nnz_base::source::Span;

mod arguments;
mod bits;
mod casts;
mod foreign;
mod list;
mod pasted;
mod postfix;
mod prefix;
mod subscripts;
pub(crate) mod products;

pub(crate) use arguments::{open_bracket, parse_argument_list};
pub(crate) use list::{parse_item, parse_list};
pub(crate) use pasted::{at_dictionary, parse_dictionary};
pub(super) use prefix::parse_foreign_name;

pub use arguments::parse_arguments;

/// Longer chains of operators are refused, since trees of them are walked recursively. Picked by gut feeling.
const MAX_CHAIN: usize = 256;

/// Whether a line end finishes the expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// Outside brackets.
    End,
    /// Within brackets.
    Continue,
}

/// The binary operators that bind equally tightly.
enum Rank {
    Word(&'static str),
    /// With `not` before the first operand.
    Comparison(&'static [TokenKind]),
    Signs(&'static [TokenKind]),
    /// Two signs without a space between.
    Doubled(&'static [TokenKind]),
}

const COMPARISONS: &[TokenKind] =
    &[TokenKind::EqEq, TokenKind::Ne, TokenKind::Lt, TokenKind::Le, TokenKind::Gt, TokenKind::Ge];
const SUM: Rank = Rank::Signs(&[TokenKind::Plus, TokenKind::Minus]);
const SHIFT: Rank = Rank::Doubled(&[TokenKind::Lt, TokenKind::Gt]);
const PRODUCT: Rank = Rank::Signs(&[TokenKind::Star, TokenKind::Slash]);

/// Loosest first.
const RANKS: &[Rank] = &[Rank::Word("or"), Rank::Word("and"), Rank::Comparison(COMPARISONS), SHIFT, SUM, PRODUCT];
impl Rank {
    /// What binds as tightly in other languages.
    fn tightness(&self) -> Tightness {
        match self {
            Rank::Word("or") => Tightness::Or,
            Rank::Word(_) => Tightness::And,
            Rank::Comparison(_) | Rank::Doubled(_) => Tightness::Comparison,
            Rank::Signs(kinds) if kinds.contains(&TokenKind::Plus) => Tightness::Sum,
            Rank::Signs(_) => Tightness::Product,
        }
    }
}

/// The ranks of numbers, without logic and comparisons.
const NUMBERS: &[Rank] = &[SUM, PRODUCT];

impl Rank {
    fn is_at(&self, p: &Parser) -> bool {
        match self {
            Rank::Word(word) => p.at_word(word),
            Rank::Comparison(kinds) | Rank::Signs(kinds) => kinds.contains(&p.peek()),
            Rank::Doubled(kinds) => kinds.contains(&p.peek()) && p.next_is_joined(p.peek()),
        }
    }

    /// Consumes the operator; what it makes of its operands.
    fn operator(&self, p: &mut Parser) -> NodeKind {
        p.bump();
        match self {
            Rank::Doubled(_) => {
                p.bump();
                NodeKind::Shift
            }
            Rank::Word(_) | Rank::Comparison(_) | Rank::Signs(_) => NodeKind::Binary,
        }
    }
}

pub(crate) fn parse_expr(p: &mut Parser, lines: Lines) {
    let from = p.checkpoint();
    parse_rank(p, lines, RANKS);
    prefix::parse_choice(p, from, lines);
}

/// An argument of a command: a name, a call, a number or an expression in parentheses, without operators after it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(crate) fn parse_operand(p: &mut Parser) {
    match p.peek() {
        TokenKind::Minus | TokenKind::Plus => {
            if p.too_deep() {
                return;
            }
            let node = p.open(NodeKind::Unary);
            p.bump();
            parse_operand(p);
            p.close(node);
        }
        TokenKind::Int | TokenKind::Float => parse_token(p, NodeKind::Number),
        TokenKind::LParen => parse_paren(p),
        TokenKind::Ident => {
            let node = p.open(NodeKind::Name);
            p.bump();
            let called = p.at(TokenKind::LParen) && p.joined();
            if called {
                parse_arguments(p);
            }
            p.close_as(node, if called { NodeKind::Call } else { NodeKind::Name });
        }
        _ => expected_operand(p),
    }
}

/// An entry of a literal: no comparison, since `>` closes `dense<...>`.
pub(crate) fn parse_value(p: &mut Parser) {
    parse_rank(p, Lines::Continue, NUMBERS);
}

/// Whether an expression can start with the current token.
pub(crate) fn at_expr(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(p.peek(), Ident | Int | Float | LParen | Minus | Plus)
}

fn parse_rank(p: &mut Parser, lines: Lines, ranks: &[Rank]) {
    let Some((rank, tighter)) = ranks.split_first() else { return parse_factor(p, lines) };
    if matches!(rank, Rank::Comparison(_)) && (p.at_word("not") || prefix::at_capital_not(p)) {
        return parse_not(p, lines, ranks);
    }
    let from = p.checkpoint();
    parse_rank(p, lines, tighter);
    let mut length = 0;
    loop {
        if length > MAX_CHAIN && rank.is_at(p) {
            return p.too_long();
        }
        if length > MAX_CHAIN && goes_on(p, lines) && foreign::is_at(p, from, rank.tightness()) {
            return give_up(p);
        }
        if length > MAX_CHAIN || !goes_on(p, lines) {
            return;
        }
        length += 1;
        if foreign::parse_operator(p, from, rank.tightness(), |p| parse_rank(p, lines, tighter)) {
            continue;
        }
        if !rank.is_at(p) || p.nth(1) == TokenKind::Eq && !p.within_a_bracket() || p.rest().starts_with("**=") {
            return;
        }
        if p.rest().starts_with("/*") {
            return report_block_comment(p);
        }
        let kind = rank.operator(p);
        parse_rank(p, lines, tighter);
        p.wrap(from, kind);
    }
}

/// Whether the current token can belong to the expression before it.
fn goes_on(p: &Parser, lines: Lines) -> bool {
    lines == Lines::Continue || !p.newline_before() || p.at_continuation()
}

fn parse_not(p: &mut Parser, lines: Lines, ranks: &[Rank]) {
    if p.too_deep() {
        return;
    }
    let node = p.open(NodeKind::Unary);
    prefix::report_capital_not(p);
    p.bump();
    parse_rank(p, lines, ranks);
    p.close(node);
}

fn parse_factor(p: &mut Parser, lines: Lines) {
    if p.too_deep() {
        return;
    }
    let from = p.checkpoint();
    parse_primary(p, lines);
    let mut length = 0;
    while goes_on(p, lines) && p.moved_since(from) && postfix::parse_postfix(p, from) {
        length += 1;
        if length > MAX_CHAIN {
            return give_up(p);
        }
    }
    while goes_on(p, lines) && p.moved_since(from) {
        // A chain of these is told as a whole: some read it from the left, others from the right.
        let left = p.rest().starts_with(['.', '^', '*']);
        let right = |p: &mut Parser| if left { parse_primary(p, lines) } else { parse_factor(p, lines) };
        if !foreign::parse_operator(p, from, Tightness::Power, right) {
            break;
        }
        length += 1;
        if length > MAX_CHAIN {
            return give_up(p);
        }
    }
}

/// Refuses a chain of what other languages write, and passes over the rest of it: each rank would begin another chain.
fn give_up(p: &mut Parser) {
    p.too_long();
    p.skip_until(|p| p.at_line_end() || matches!(p.peek(), TokenKind::Comma | TokenKind::Semicolon));
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn parse_primary(p: &mut Parser, lines: Lines) {
    match p.peek() {
        TokenKind::Minus | TokenKind::Plus => parse_signed(p, lines),
        _ if prefix::at_long_minus(p) => prefix::parse_long_minus(p, lines),
        TokenKind::Int | TokenKind::Float => parse_token(p, NodeKind::Number),
        TokenKind::LParen if casts::at_cast(p) => casts::parse_cast(p, lines),
        TokenKind::LParen => parse_paren(p),
        TokenKind::Ident if foreign::parse_signed_semiring(p) => {}
        TokenKind::Ident if pasted::at_matrix(p) => pasted::parse_matrix(p),
        _ if pasted::at_dictionary(p) => pasted::parse_dictionary(p),
        TokenKind::Ident => parse_name_or_call(p),
        TokenKind::String if foreign::parse_quoted_number(p) => {}
        TokenKind::String => foreign::report_string(p),
        TokenKind::AtId => foreign::parse_function_call(p),
        _ if prefix::parse_prefix(p, lines) => {}
        _ => expected_operand(p),
    }
}

/// `/* ... */`, which is passed over.
fn report_block_comment(p: &mut Parser) {
    let (place, length) = (p.span(), p.rest().find("*/").map_or(2, |end| end + 2));
    p.report(block_comment_of(p));
    let node = p.open(NodeKind::Error);
    p.bump_until(place.start as usize + length);
    p.close(node);
}

/// At `/* ... */`; one that ends its line becomes one of nnz.
pub(super) fn block_comment_of(p: &Parser) -> SyntaxError {
    let start = p.span().start as usize;
    let sign = Span::new(start, start + 2);
    let line = p.rest().split(['\n', '\r']).next().unwrap_or_default().trim_end();
    let error = block_comment(sign);
    match line.strip_suffix("*/").filter(|inside| inside.len() >= 2 && !inside.contains("*/")) {
        Some(inside) => {
            let end = Span::new(start + inside.trim_end().len(), start + line.len());
            error.guess("write `//`", vec![(sign, "//".to_string()), (end, String::new())])
        }
        None => error,
    }
}

pub(super) fn block_comment(sign: Span) -> SyntaxError {
    let error = SyntaxError::new(sign, "a comment begins with `//`, not with `/*`");
    error.label("no comment begins so").help("a comment begins with `//` and ends with its line")
}

fn expected_operand(p: &mut Parser) {
    if let Some(error) = p.invisible("no part of an expression").or_else(|| curly_quotes(p)) {
        return p.report(error);
    }
    p.error_expected("an expression", &["A(i, j)", "alpha", "2.5", "("]);
}

/// `“A”(i, j)`
fn curly_quotes(p: &Parser) -> Option<SyntaxError> {
    let (start, line) = (p.span().start as usize, p.rest().split(['\n', '\r', ';']).next()?);
    let signs = line.char_indices().filter(|(_, sign)| matches!(sign, '“' | '”' | '‘' | '’'));
    let edit = |(at, sign): (usize, char)| (Span::new(start + at, start + at + sign.len_utf8()), String::new());
    let edits: Vec<(Span, String)> = signs.map(edit).collect();
    let (place, _) = edits.first().filter(|(place, _)| place.start as usize == start)?.clone();
    let error = SyntaxError::new(place, "a name stands without quotes").label("a quote");
    Some(error.guess("remove the quotes", edits))
}

/// `A{i, j}`
fn at_indices_in_braces(p: &Parser) -> bool {
    matches!(p.nth(1), TokenKind::Ident | TokenKind::Int) && matches!(p.nth(2), TokenKind::Comma | TokenKind::RBrace)
}

fn parse_token(p: &mut Parser, kind: NodeKind) {
    let node = p.open(kind);
    p.bump();
    p.close(node);
}

fn parse_signed(p: &mut Parser, lines: Lines) {
    if p.too_deep() {
        return;
    }
    let node = p.open(NodeKind::Unary);
    p.bump();
    parse_factor(p, lines);
    p.close(node);
}

fn parse_paren(p: &mut Parser) {
    if p.too_deep() {
        return;
    }
    let node = p.open(NodeKind::Paren);
    let open = p.open_bracket();
    parse_expr(p, Lines::Continue);
    let first = p.consumed_end();
    let complex = p.eat(TokenKind::Comma) || arguments::lacks_comma(p);
    // `(3,)` of Python has no second part.
    if complex && !p.at(TokenKind::RParen) {
        parse_expr(p, Lines::Continue);
    }
    match complex && p.at(TokenKind::Comma) {
        true => postfix::parse_tuple(p, open, first),
        false => p.close_bracket(open, TokenKind::RParen, "`)`"),
    }
    p.close_as(node, if complex { NodeKind::ComplexNumber } else { NodeKind::Paren });
}

/// A `(` makes a call only directly behind the name or after spaces, never on the next line.
fn parse_name_or_call(p: &mut Parser) {
    if foreign::parse_einsum(p) || prefix::parse_worded_choice(p) || casts::parse_template_cast(p) {
        return;
    }
    let (node, name) = (p.open(NodeKind::Name), p.span());
    if p.at_word("complex") && p.nth(1) == TokenKind::Lt {
        (0..3).for_each(|_| p.bump());
        p.expect(TokenKind::Gt);
    } else {
        p.bump();
    }
    if p.at(TokenKind::LParen) && !p.newline_before() {
        match foreign::at_list_argument(p) {
            true => foreign::parse_list_call(p, name),
            false => {
                parse_arguments(p);
                postfix::put_variable_first(p, name);
            }
        }
        p.close_as(node, NodeKind::Call);
    } else if p.joined() && (p.at(TokenKind::LBracket) || p.at(TokenKind::LBrace) && at_indices_in_braces(p)) {
        postfix::parse_square_arguments(p, name);
        p.close_as(node, NodeKind::Call);
    } else {
        p.close(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let mut p = Parser::new(text);
        let root = p.open(NodeKind::Root);
        parse_expr(&mut p, Lines::End);
        p.close(root);
        let tree = p.finish();
        let errors: String = tree.errors().iter().map(|e| format!("error: {}\n", e.message)).collect();
        expect.assert_eq(&format!("{:?}{errors}", tree.root().children().next().expect("an expression")));
    }

    #[test]
    fn products_bind_tighter_than_sums() {
        check(
            "a + 2 * A(i, j) - -b",
            expect![[r#"
                Binary "a + 2 * A(i, j) - -b"
                  Binary "a + 2 * A(i, j)"
                    Name "a"
                    Binary "2 * A(i, j)"
                      Number "2"
                      Call "A(i, j)"
                        Name "i"
                        Name "j"
                  Unary "-b"
                    Name "b"
            "#]],
        );
    }

    #[test]
    fn brackets_hold_lines_together() {
        check(
            "(a\n+ (1.5, -2))",
            expect![[r#"
                Paren "(a\n+ (1.5, -2))"
                  Binary "a\n+ (1.5, -2)"
                    Name "a"
                    ComplexNumber "(1.5, -2)"
                      Number "1.5"
                      Unary "-2"
                        Number "2"
            "#]],
        );
    }

    #[test]
    fn logic_binds_looser_than_comparisons() {
        check(
            "a or not b < 1 and c",
            expect![[r#"
                Binary "a or not b < 1 and c"
                  Name "a"
                  Binary "not b < 1 and c"
                    Unary "not b < 1"
                      Binary "b < 1"
                        Name "b"
                        Number "1"
                    Name "c"
            "#]],
        );
    }

    #[test]
    fn arguments_may_be_ranges_and_types_may_be_called() {
        check(
            "complex<f32>(A(i = 2:8:3, 1:4, k))",
            expect![[r#"
                Call "complex<f32>(A(i = 2:8:3, 1:4, k))"
                  Call "A(i = 2:8:3, 1:4, k)"
                    NamedArg "i = 2:8:3"
                      Range "2:8:3"
                        Number "2"
                        Number "8"
                        Number "3"
                    Range "1:4"
                      Number "1"
                      Number "4"
                    Name "k"
            "#]],
        );
    }

    #[test]
    fn missing_operands_are_reported() {
        check(
            "a * ) ",
            expect![[r#"
                Binary "a *"
                  Name "a"
                error: expected an expression, found `)`
            "#]],
        );
    }

    #[test]
    fn deep_and_long_expressions_are_refused() {
        for text in ["(".repeat(100_000), "-".repeat(100_000), "a+".repeat(100_000), "f(".repeat(100_000)] {
            let mut p = Parser::new(text);
            let root = p.open(NodeKind::Root);
            parse_expr(&mut p, Lines::End);
            p.close(root);
            assert!(!p.finish().errors().is_empty());
        }
    }
}

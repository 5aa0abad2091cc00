//! Index notation: the right side of a kernel, and whatever else is written as an expression.
//!
//! ```text
//! Expr   ::= Sum [ ('==' | '!=' | '<' | '<=' | '>' | '>=') Sum ]
//! Sum    ::= Term { ('+' | '-') Term }
//! Term   ::= Factor { ('*' | '/') Factor }
//! Factor ::= ('-' | '+') Factor | Number | Complex | '(' Expr ')' | Name | Call
//! Complex ::= '(' [ '-' ] Number ',' [ '-' ] Number ')'          // as MLIR writes it
//! Call   ::= Name '(' [ Arg { ',' Arg } ] ')'                    // access, reduction, function or generator:
//! Arg    ::= [ Name '=' ] Expr                                   // the checker tells which
//! ```
//!
//! Outside brackets an operator must stand on the line of its left operand, so that a statement
//! ends with its line; its right operand may follow on the next.

use super::{NodeKind, Parser, TokenKind};

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

const COMPARISONS: &[TokenKind] =
    &[TokenKind::EqEq, TokenKind::Ne, TokenKind::Lt, TokenKind::Le, TokenKind::Gt, TokenKind::Ge];
const ADDITIVE: &[TokenKind] = &[TokenKind::Plus, TokenKind::Minus];
const MULTIPLICATIVE: &[TokenKind] = &[TokenKind::Star, TokenKind::Slash];

/// How tightly the operators of each rank bind, loosest first.
const RANKS: &[&[TokenKind]] = &[COMPARISONS, ADDITIVE, MULTIPLICATIVE];

pub fn parse_expr(p: &mut Parser, lines: Lines) {
    parse_rank(p, lines, RANKS);
}

/// An entry of a literal: no comparison, since `>` closes `dense<...>`.
pub fn parse_value(p: &mut Parser) {
    parse_rank(p, Lines::Continue, &RANKS[1..]);
}

/// Whether an expression can start with the current token.
pub fn at_expr(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(p.peek(), Ident | Int | Float | LParen | Minus | Plus)
}

fn parse_rank(p: &mut Parser, lines: Lines, ranks: &[&[TokenKind]]) {
    let Some((operators, tighter)) = ranks.split_first() else { return parse_factor(p, lines) };
    let from = p.checkpoint();
    parse_rank(p, lines, tighter);
    let mut length = 0;
    while operators.contains(&p.peek()) && (lines == Lines::Continue || !p.newline_before()) {
        length += 1;
        if length > MAX_CHAIN {
            return p.error_at(p.span(), format!("more than {MAX_CHAIN} operators in one chain"), &[]);
        }
        p.bump();
        parse_rank(p, lines, tighter);
        p.wrap(from, NodeKind::Binary);
    }
}

fn parse_factor(p: &mut Parser, lines: Lines) {
    match p.peek() {
        TokenKind::Minus | TokenKind::Plus => parse_signed(p, lines),
        TokenKind::Int | TokenKind::Float => parse_token(p, NodeKind::Number),
        TokenKind::LParen => parse_paren(p),
        TokenKind::Ident => parse_name_or_call(p),
        _ => p.error_expected("an expression", &["A(i, j)", "alpha", "2.5", "("]),
    }
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
    p.bump();
    parse_expr(p, Lines::Continue);
    let complex = p.eat(TokenKind::Comma);
    if complex {
        parse_expr(p, Lines::Continue);
    }
    p.expect(TokenKind::RParen);
    p.close_as(node, if complex { NodeKind::ComplexNumber } else { NodeKind::Paren });
}

/// A `(` makes a call only directly behind the name or after spaces, never on the next line.
fn parse_name_or_call(p: &mut Parser) {
    let node = p.open(NodeKind::Name);
    p.bump();
    if p.at(TokenKind::LParen) && !p.newline_before() {
        parse_arguments(p);
        p.close_as(node, NodeKind::Call);
    } else {
        p.close(node);
    }
}

/// `'(' [ Arg { ',' Arg } ] ')'`
pub fn parse_arguments(p: &mut Parser) {
    p.bump();
    if p.too_deep() {
        return;
    }
    while !p.at(TokenKind::RParen) && !p.at_end() {
        let before = p.span();
        parse_argument(p);
        let more = p.eat(TokenKind::Comma);
        if !more || p.span() == before {
            break;
        }
    }
    if !p.eat(TokenKind::RParen) {
        p.error_expected("`,` or `)`", &[]);
        p.skip_until(|p| p.newline_before() || p.at(TokenKind::RParen));
        p.eat(TokenKind::RParen);
    }
}

fn parse_argument(p: &mut Parser) {
    if p.at(TokenKind::Ident) && p.nth(1) == TokenKind::Eq {
        let node = p.open(NodeKind::NamedArg);
        p.bump();
        p.bump();
        parse_expr(p, Lines::Continue);
        p.close(node);
    } else {
        parse_expr(p, Lines::Continue);
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

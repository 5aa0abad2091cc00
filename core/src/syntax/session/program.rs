//! Calls of programs' functions.

use super::{bump_string, init::parse_init};
use crate::syntax::{NodeKind, Parser, TokenKind, expr::Lines};

/// `@f(A, 2.5, [1, 2], "file.mtx")`
pub(super) fn parse_program_call(p: &mut Parser) {
    let node = p.open(NodeKind::ProgramCall);
    p.bump();
    if p.at(TokenKind::LParen) {
        parse_given(p);
    } else {
        p.error_expected("`(`", &[]);
    }
    p.close(node);
}

fn parse_given(p: &mut Parser) {
    let open = p.open_bracket();
    while !p.at(TokenKind::RParen) && !p.at_end() {
        let before = p.span();
        match p.peek() {
            TokenKind::String => {
                let node = p.open(NodeKind::StringArg);
                bump_string(p);
                p.close(node);
            }
            _ => parse_init(p, Lines::Continue),
        }
        if !p.eat(TokenKind::Comma) || p.span() == before {
            break;
        }
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
}

#[cfg(test)]
mod tests {
    use crate::syntax::session::tests::check;
    use expect_test::expect;

    #[test]
    fn calls_of_programs() {
        check(
            "@f(A, 2.5, \"a.mtx\")\nb, c = @g(dense<1>)\nB : CSR = @h([1],\n  read \"a.mtx\")\n@k(A\nB : f64 = 1",
            expect![[r#"
                ProgramCall "@f(A, 2.5, \"a.mtx\")"
                  Name "A"
                  Number "2.5"
                  StringArg "\"a.mtx\""
                Assignment "b, c = @g(dense<1>)"
                  Name "b"
                  Name "c"
                  ProgramCall "@g(dense<1>)"
                    DenseLiteral "dense<1>"
                      Number "1"
                Definition "B : CSR = @h([1],\n  read \"a.mtx\")"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  ProgramCall "@h([1],\n  read \"a.mtx\")"
                    ListLiteral "[1]"
                      Number "1"
                    Read "read \"a.mtx\""
                ProgramCall "@k(A"
                  Name "A"
                Definition "B : f64 = 1"
                  TypeSpec "f64"
                    FormatName "f64"
                  Number "1"
                error: `)` is missing
            "#]],
        );
    }
}

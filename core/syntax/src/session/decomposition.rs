//! `decompose(A, [BSR(32, 32), CSR])`

use super::definition::parse_type_spec;
use crate::{
    NodeKind, Parser, TokenKind,
    expr::{parse_argument_list, parse_operand},
};

pub(super) fn parse_decomposition(p: &mut Parser) {
    let node = p.open(NodeKind::Decomposition);
    p.bump();
    let open = p.open_bracket();
    if !p.at(TokenKind::RParen) && !p.at(TokenKind::LBracket) {
        parse_operand(p);
        p.eat(TokenKind::Comma);
    }
    if p.at(TokenKind::LBracket) {
        parse_formats(p);
        p.eat(TokenKind::Comma);
    }
    parse_argument_list(p, TokenKind::RParen);
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
    p.close(node);
}

fn parse_formats(p: &mut Parser) {
    let node = p.open(NodeKind::FormatList);
    let open = p.open_bracket();
    while !p.at(TokenKind::RBracket) && !p.at_end() {
        let before = p.span();
        parse_type_spec(p);
        if !p.eat(TokenKind::Comma) || p.span() == before {
            break;
        }
    }
    p.close_bracket(open, TokenKind::RBracket, "`,` or `]`");
    p.close(node);
}

#[cfg(test)]
mod tests {
    use crate::session::tests::check;
    use expect_test::expect;

    #[test]
    fn formats_stand_in_a_list() {
        check(
            "A = decompose(A, [BSR(2, 2),\n  #own], filled = 0.25)",
            expect![[r##"
                Definition "A = decompose(A, [BSR(2, 2),\n  #own], filled = 0.25)"
                  Decomposition "decompose(A, [BSR(2, 2),\n  #own], filled = 0.25)"
                    Name "A"
                    FormatList "[BSR(2, 2),\n  #own]"
                      TypeSpec "BSR(2, 2)"
                        FormatName "BSR(2, 2)"
                          FormatArgs "(2, 2)"
                            Value "2"
                            Value "2"
                      TypeSpec "#own"
                        AliasRef "#own"
                    NamedArg "filled = 0.25"
                      Number "0.25"
            "##]],
        );
    }
}

//! What a tensor is made from: lists, `dense<...>`, `sparse<..., ...>`, `read "file"`, an expression.

use crate::syntax::{
    NodeKind, Parser, TokenKind,
    expr::{Lines, parse_expr, parse_value},
};

pub(super) fn parse_init(p: &mut Parser, lines: Lines) {
    match (p.peek(), p.next_on_line()) {
        (TokenKind::LBracket, _) => parse_list(p),
        (TokenKind::Ident, TokenKind::Lt) if p.at_word("dense") => parse_elements(p, NodeKind::DenseLiteral),
        (TokenKind::Ident, TokenKind::Lt) if p.at_word("sparse") => parse_elements(p, NodeKind::SparseLiteral),
        (TokenKind::Ident, TokenKind::String) if p.at_word("read") => {
            let node = p.open(NodeKind::Read);
            p.bump();
            p.bump();
            p.close(node);
        }
        _ => parse_expr(p, lines),
    }
}

/// `dense<...>` or `sparse<..., ...>`
fn parse_elements(p: &mut Parser, kind: NodeKind) {
    let node = p.open(kind);
    p.bump();
    p.bump();
    if !p.at(TokenKind::Gt) {
        parse_item(p);
        while p.eat(TokenKind::Comma) {
            parse_item(p);
        }
    }
    p.expect(TokenKind::Gt);
    p.close(node);
}

fn parse_list(p: &mut Parser) {
    if p.too_deep() {
        return;
    }
    let node = p.open(NodeKind::ListLiteral);
    p.bump();
    while !p.at(TokenKind::RBracket) && !p.at_end() {
        parse_item(p);
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    if !p.eat(TokenKind::RBracket) {
        p.error_expected("`,` or `]`", &[]);
        p.skip_until(|p| p.newline_before() || p.at(TokenKind::RBracket));
        p.eat(TokenKind::RBracket);
    }
    p.close(node);
}

fn parse_item(p: &mut Parser) {
    match p.peek() {
        TokenKind::LBracket => parse_list(p),
        _ => parse_value(p),
    }
}

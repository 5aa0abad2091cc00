//! `:compare y with A in {CSR, CSC}`

use super::{bump_string, definition::parse_type_spec};
use crate::{
    NodeKind, Parser, TokenKind,
    expr::{at_expr, parse_operand},
};

pub(super) fn parse_command(p: &mut Parser) {
    let node = p.open(NodeKind::Command);
    p.bump();
    if p.at(TokenKind::Ident) && !p.newline_before() {
        let help = p.at_word("help");
        p.bump();
        if help && !p.newline_before() {
            p.eat(TokenKind::Colon);
        }
        while !p.newline_before() && (help && parse_function_name(p) || parse_command_argument(p)) {}
    } else {
        p.error_expected("the name of a command", &[]);
    }
    p.close(node);
}

/// The `@f` of `:help @f`.
fn parse_function_name(p: &mut Parser) -> bool {
    let is_function = p.at(TokenKind::AtId);
    if is_function {
        let node = p.open(NodeKind::Name);
        p.bump();
        p.close(node);
    }
    is_function
}

fn parse_command_argument(p: &mut Parser) -> bool {
    match p.peek() {
        TokenKind::String => {
            let node = p.open(NodeKind::StringArg);
            bump_string(p);
            p.close(node);
        }
        TokenKind::LBrace => parse_format_set(p),
        _ if at_expr(p) => parse_operand(p),
        _ => return false,
    }
    true
}

fn parse_format_set(p: &mut Parser) {
    let node = p.open(NodeKind::FormatSet);
    p.bump();
    while !p.at(TokenKind::RBrace) && !p.at_end() {
        parse_type_spec(p);
        if !p.eat(TokenKind::Comma) {
            break;
        }
    }
    p.expect(TokenKind::RBrace);
    p.close(node);
}

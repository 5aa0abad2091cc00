//! `:compare y with A in {CSR, CSC}`

use super::{bump_string, definition::parse_type_spec, stray::skip_line};
use crate::{
    NodeKind, Parser, SyntaxError, TokenKind,
    expr::{at_expr, parse_operand},
};
use nnz_base::element::Element;

pub(super) fn parse_command(p: &mut Parser) {
    if report_nameless(p) {
        return;
    }
    let node = p.open(NodeKind::Command);
    p.bump();
    if p.at(TokenKind::Ident) && !p.newline_before() {
        let help = p.at_word("help");
        p.bump();
        if help && !p.newline_before() {
            p.eat(TokenKind::Colon);
        }
        while !p.newline_before() && (report_colon(p) || parse_function_name(p) || parse_command_argument(p)) {}
    } else {
        p.error_expected("the name of a command", &[]);
    }
    p.close(node);
}

/// `:set precision: 4`: the `:` of a command is followed by its name.
fn report_colon(p: &mut Parser) -> bool {
    let ends = matches!(p.next_on_line(), TokenKind::Newline | TokenKind::Eof | TokenKind::Semicolon);
    if !p.at(TokenKind::Colon) || ends || p.next_is_joined(TokenKind::Ident) {
        return false;
    }
    let error = SyntaxError::new(p.span(), "what a command takes stands behind its name without `:`");
    p.report(error.label("not needed").guess("remove `:`", vec![(p.span(), String::new())]));
    p.bump();
    true
}

/// `: f64 = 3`, `: tensor<2xf64> = [1, 2]`: no command is called so.
fn report_nameless(p: &mut Parser) -> bool {
    let typed = Element::parse(p.nth_text(1)).is_some() || p.nth_text(1) == "tensor";
    if !typed || p.next_on_line() != TokenKind::Ident {
        return false;
    }
    let error = SyntaxError::new(p.span(), "a definition begins with a name: `x : f64 = 3`");
    p.report(error.label("no name in front of this"));
    skip_line(p);
    true
}

/// The `@f` of `:help @f` and `:type @f`.
fn parse_function_name(p: &mut Parser) -> bool {
    let is_function = p.at(TokenKind::AtId);
    if is_function {
        let node = p.open(NodeKind::Name);
        p.bump();
        p.close(node);
    }
    is_function
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
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

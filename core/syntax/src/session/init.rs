//! Initializers of tensors: lists, `dense<...>`, `sparse<..., ...>`, `read "file"`, `decompose(A, [...])`, an expression.

use super::{bump_string, decomposition::parse_decomposition, definition::parse_type_spec, habit::parse_misread};
use crate::{
    NodeKind, Open, Parser, SyntaxError, TokenKind,
    expr::{Lines, at_dictionary, parse_dictionary, parse_expr, parse_item, parse_list},
};
use nnz_base::{diagnostic::did_you_mean, source::Span};

pub(super) fn parse_init(p: &mut Parser, lines: Lines) {
    match (p.peek(), p.next_on_line()) {
        (TokenKind::LBracket, _) => parse_list(p),
        (TokenKind::Ident, TokenKind::Lt) if p.at_word("dense") => parse_elements(p, NodeKind::DenseLiteral),
        (TokenKind::Ident, TokenKind::Lt) if p.at_word("sparse") => parse_elements(p, NodeKind::SparseLiteral),
        (TokenKind::Ident, TokenKind::String) if p.at_word("read") => {
            let node = p.open(NodeKind::Read);
            p.bump();
            bump_string(p);
            p.close(node);
        }
        (TokenKind::Ident, TokenKind::LParen) if p.at_word("decompose") => parse_decomposition(p),
        (TokenKind::Ident, TokenKind::Lt) if at_type(p) => parse_type_as_value(p),
        (TokenKind::Ident, TokenKind::Lt) if at_misspelt_literal(p) => parse_misspelt_literal(p),
        (TokenKind::Ident, TokenKind::LBracket) if at_open_literal(p) => parse_open_literal(p),
        (TokenKind::Ident, _) if at_bare_value(p) => parse_bare_value(p),
        (TokenKind::LBrace, _) if at_dictionary(p) => parse_dictionary(p),
        (TokenKind::LBrace, TokenKind::Int | TokenKind::Float | TokenKind::Minus | TokenKind::LBrace) => {
            parse_braces(p);
        }
        _ if lines == Lines::End && parse_misread(p) => {}
        _ => parse_expr(p, lines),
    }
}

/// At `tensor<2x2xf64>`, with nothing behind it.
fn at_type(p: &Parser) -> bool {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let line = line.split("//").next().unwrap_or_default().trim_end();
    p.at_word("tensor") && line.ends_with('>') && matches!(p.nth(2), TokenKind::Int | TokenKind::Question)
}

fn parse_type_as_value(p: &mut Parser) {
    let start = p.span().start as usize;
    let errors = p.error_count();
    let node = p.open(NodeKind::Error);
    parse_type_spec(p);
    p.close(node);
    let place = Span::new(start, p.consumed_end());
    let error = SyntaxError::new(place, "a type stands in front of the `=`, and what the tensor holds behind it");
    let error = error.label("a type, and no data");
    if p.error_count() == errors {
        p.insert_error(error.help("as in `B : tensor<2x2xf64, CSR> = [[1, 0], [0, 2]]`"));
    }
}

/// At `spars<[`: no comparison has a list on its right.
fn at_misspelt_literal(p: &Parser) -> bool {
    p.nth(2) == TokenKind::LBracket && did_you_mean(p.peek_text(), ["dense", "sparse"]).is_some()
}

fn parse_misspelt_literal(p: &mut Parser) {
    let (place, word) = (p.span(), p.peek_text().to_string());
    let meant = did_you_mean(&word, ["dense", "sparse"]).unwrap_or("sparse");
    let error = SyntaxError::new(place, format!("`{word}<...>` is no literal: did you mean `{meant}`?"));
    p.report(error.label("no literal").guess(format!("write `{meant}`"), vec![(place, meant.to_string())]));
    match meant {
        "dense" => parse_elements(p, NodeKind::DenseLiteral),
        _ => parse_elements(p, NodeKind::SparseLiteral),
    }
}

/// At `sparse[[0, 1]], [1, 2]>`, which a `>` closes.
fn at_open_literal(p: &Parser) -> bool {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    matches!(p.peek_text(), "dense" | "sparse") && line.contains('>')
}

fn parse_open_literal(p: &mut Parser) {
    let word = p.peek_text().to_string();
    let kind = if word == "dense" { NodeKind::DenseLiteral } else { NodeKind::SparseLiteral };
    let node = p.open(kind);
    p.bump();
    let (place, behind) = (p.span(), Span::at(p.consumed_end()));
    let error = SyntaxError::new(place, format!("a literal is written `{word}<...>`")).label("`<` is missing here");
    p.report(error.guess("insert `<`", vec![(behind, "<".to_string())]));
    parse_items(p, node);
}

/// At `dense 0` or `dense[0]`.
fn at_bare_value(p: &Parser) -> bool {
    let number = |at: usize| matches!(p.nth(at), TokenKind::Int | TokenKind::Float);
    p.at_word("dense") && (number(1) || p.nth(1) == TokenKind::LBracket && number(2) && p.nth(3) == TokenKind::RBracket)
}

fn parse_bare_value(p: &mut Parser) {
    let node = p.open(NodeKind::Error);
    let (word, bracket) = (p.span(), p.nth(1) == TokenKind::LBracket);
    let meant = format!("dense<{}>", p.nth_text(if bracket { 2 } else { 1 }).trim_end());
    (0..if bracket { 4 } else { 2 }).for_each(|_| p.bump());
    let whole = Span::new(word.start as usize, p.consumed_end());
    let error = SyntaxError::new(whole, format!("a tensor of one value is `{meant}`")).label("no `<` and `>`");
    p.insert_error(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    p.close(node);
}

/// `dense<...>` or `sparse<..., ...>`
fn parse_elements(p: &mut Parser, kind: NodeKind) {
    let node = p.open(kind);
    p.bump();
    p.bump();
    parse_items(p, node);
}

/// From behind the `<` on.
fn parse_items(p: &mut Parser, node: Open) {
    if !p.at(TokenKind::Gt) {
        parse_item(p);
        closes_nothing(p);
        while p.eat(TokenKind::Comma) || lacks_comma(p) {
            parse_item(p);
            closes_nothing(p);
        }
    }
    p.expect(TokenKind::Gt);
    p.close(node);
}

/// `sparse<[[0, 1]], [1, 2]]>`: a bracket that closes nothing.
fn closes_nothing(p: &mut Parser) {
    if !p.at(TokenKind::RBracket) || p.newline_before() {
        return;
    }
    let error = SyntaxError::new(p.span(), "`]` closes nothing").label("no `[` in front of it");
    p.report(error.guess("remove it", vec![(p.span(), String::new())]));
    while p.eat(TokenKind::RBracket) {}
}

/// `sparse<[[0, 1]] [1, 2]>`: reported, and gone on with.
fn lacks_comma(p: &mut Parser) -> bool {
    if p.at(TokenKind::Semicolon) && p.next_on_line() == TokenKind::LBracket {
        let error = SyntaxError::new(p.span(), "the lists of a literal are separated by `,`, not by `;`");
        p.report(error.label("write `,`").guess("write `,`", vec![(p.span(), ",".to_string())]));
        p.bump();
        return true;
    }
    let found = p.at(TokenKind::LBracket) && !p.newline_before();
    if found {
        let error = SyntaxError::new(p.span(), "expected `,` or `>`, found `[`").label("a `,` is missing");
        p.report(error.guess("insert `,`", vec![(Span::at(p.consumed_end()), ",".to_string())]));
    }
    found
}

/// `{{1, 2}, {3, 4}}`, as C writes a list.
fn parse_braces(p: &mut Parser) {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let written = line.split("//").next().unwrap_or_default().trim_end();
    let whole = Span::new(p.span().start as usize, p.span().start as usize + written.len());
    let meant = written.replace('{', "[").replace('}', "]");
    let error = SyntaxError::new(p.span(), "a list is written in square brackets").label("write `[`");
    let closed = written.matches('{').count() == written.matches('}').count();
    p.report(match closed {
        true => error.guess(format!("write `{meant}`"), vec![(whole, meant)]),
        false => error,
    });
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
}

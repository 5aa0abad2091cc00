//! Calls as other languages write them: lists as arguments, functions of programs, semirings with signs, `einsum`.

use super::ends_here;
use crate::{
    NodeKind, Parser, SyntaxError, TokenKind,
    expr::{Lines, parse_argument_list, parse_arguments, parse_expr, parse_list, products},
    habits,
    parser::line_start,
    words::is_bare,
};
use nnz_base::source::Span;

/// At `([`: a list as the first argument.
pub(in crate::expr) fn at_list_argument(p: &Parser) -> bool {
    p.nth(1) == TokenKind::LBracket
}

/// `np.array([[1, 2], [3, 4]])`, from its parenthesis on; `name` is the place of the function's name.
pub(in crate::expr) fn parse_list_call(p: &mut Parser, name: Span) {
    let (open, errors) = (p.open_bracket(), p.error_count());
    let function = p.text_at(name).to_string();
    let from = p.checkpoint();
    parse_list(p);
    let list = p.text_since(from).to_string();
    let alone = p.at(TokenKind::RParen);
    while p.eat(TokenKind::Comma) {
        match p.at(TokenKind::LBracket) {
            true => parse_list(p),
            false => parse_expr(p, Lines::Continue),
        }
        // `dtype = float`
        if p.eat(TokenKind::Eq) {
            parse_expr(p, Lines::Continue);
        }
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
    let whole = Span::new(name.start as usize, p.consumed_end());
    let shown = if list.len() <= 40 { list.as_str() } else { "[[1, 2], [3, 4]]" };
    // Of other functions the checker tells, which knows those of programs.
    if !alone || !habits::makes_tensor(&function) {
        return;
    }
    let formatted = formatted_list(p, name, &function);
    let format = formatted.as_ref().map_or("", |(_, format)| *format);
    let message = format!("a list stands alone on the right: `A{format} = {shown}`");
    let error = SyntaxError::new(name, message).label("not needed");
    let title = format!("write `{shown}`{}", if format.is_empty() { "" } else { ", and the format behind the name" });
    let ty = formatted.map(|(place, format)| (place, format.to_string()));
    p.insert_error(match p.error_count() == errors {
        true => error.guess(title, ty.into_iter().chain([(whole, list)]).collect()),
        false => error,
    });
}

/// ` : CSR` for `C = csr_matrix(...)`, and the place behind `C`.
fn formatted_list(p: &Parser, call: Span, function: &str) -> Option<(Span, &'static str)> {
    let start = line_start(p, call.start as usize);
    let before = p.text_at(Span::new(start, call.start as usize));
    let name = before.trim_end().strip_suffix('=')?.trim_end();
    let format = match function.rsplit('.').next()? {
        "csr_matrix" | "csr_array" => " : CSR",
        "csc_matrix" | "csc_array" => " : CSC",
        "coo_matrix" | "coo_array" => " : COO",
        _ => return None,
    };
    is_bare(name).then(|| (Span::at(start + name.len()), format))
}

/// `2 * @scale(A, 2)`: a function of a program within an expression.
pub(in crate::expr) fn parse_function_call(p: &mut Parser) {
    let name = p.peek_text().to_string();
    let message = format!("`{name}` is called by a statement of its own, not within an expression");
    let error = SyntaxError::new(p.span(), message).label("within an expression");
    p.report(error.help(format!("name what it gives, and use the name: `t = {name}(...)`")));
    let node = p.open(NodeKind::Error);
    p.bump();
    if p.at(TokenKind::LParen) && p.joined() {
        parse_arguments(p);
    }
    p.close(node);
}

/// `min_+(j, A(i, j), x(j))`: a semiring by the signs of its operations.
pub(in crate::expr) fn parse_signed_semiring(p: &mut Parser) -> bool {
    let word = p.peek_text();
    let known = matches!(word, "min_" | "max_" | "any_" | "plus_" | "or_" | "and_");
    let operation = match p.nth_text(1) {
        "+" => "plus",
        "*" => "times",
        _ => return false,
    };
    if !known || p.nth(2) != TokenKind::LParen {
        return false;
    }
    let meant = format!("{word}{operation}");
    let whole = Span::new(p.span().start as usize, p.span().start as usize + word.len() + 1);
    let error = SyntaxError::new(whole, format!("this semiring is called `{meant}`")).label("no name");
    p.report(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    let node = p.open(NodeKind::Error);
    p.bump();
    p.bump();
    super::parse_arguments(p);
    p.close(node);
    true
}

/// Parses `einsum("ij,j->i", A, x)`, if it is here.
pub(in crate::expr) fn parse_einsum(p: &mut Parser) -> bool {
    // What follows is looked at behind that name alone: else each name of a text would look through all the rest of it.
    if p.peek() != TokenKind::Ident || p.peek_text().rsplit('.').next() != Some("einsum") {
        return false;
    }
    let quoted = p.rest().split_once('(').and_then(|(_, behind)| behind.strip_prefix('\'')?.split_once('\''));
    let quoted = quoted.map(|(inside, _)| inside.to_string()).filter(|inside| !inside.contains('\n'));
    if p.nth(1) != TokenKind::LParen || p.nth(2) != TokenKind::String && quoted.is_none() {
        return false;
    }
    let (from, name) = (p.checkpoint(), p.span());
    let node = p.open(NodeKind::Error);
    p.bump();
    let open = p.open_bracket();
    let specification = match p.at(TokenKind::String) {
        true => p.peek_text().trim_matches('"').to_string(),
        false => quoted.unwrap_or_default(),
    };
    let end = p.span().start as usize + specification.len() + 2;
    p.bump_until(end);
    let errors = p.error_count();
    if p.eat(TokenKind::Comma) {
        parse_argument_list(p, TokenKind::RParen);
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
    p.close(node);
    let whole = p.span_since(from);
    let operands = p.text_at(whole).rsplit_once(['"', '\'']).map_or("", |(_, behind)| behind).trim_end_matches(')');
    let operands: Vec<&str> = operands.split(',').skip(1).map(str::trim).collect();
    let error = SyntaxError::new(name, "a product names its indices, and there is no `einsum`").label("no function");
    if p.error_count() == errors {
        p.insert_error(einsum(p, error, whole, products::Einsum::new(&specification, &operands)));
    }
    true
}

/// The statement, where the product is all of its right side: in part of one, its sums would reach further than they do.
fn einsum(p: &Parser, error: SyntaxError, whole: Span, meant: Option<products::Einsum>) -> SyntaxError {
    let Some(meant) = meant else { return error.help("as in `y(i) = A(i, j) * x(j)`") };
    let start = line_start(p, whole.start as usize);
    let before = p.text_at(Span::new(start, whole.start as usize));
    match meant.statement(before).filter(|_| ends_here(p)) {
        Some(text) => error.guess(format!("write `{text}`"), vec![(Span::new(start, whole.end as usize), text)]),
        None => error.help(format!("name what it gives, and use the name: `{}`", meant.of("t"))),
    }
}

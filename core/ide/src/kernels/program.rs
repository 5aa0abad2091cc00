//! The operations of a program that become loops, found by their names alone.

use super::KernelPlace;
use nnz_base::source::Span;
use nnz_check::Checked;
use nnz_machine::becomes_loops;
use nnz_syntax::{TokenKind, TokenRef};

pub(super) fn operations(checked: &Checked) -> Vec<KernelPlace> {
    let tokens: Vec<TokenRef<'_>> = checked.tree.root().tokens().collect();
    let (text, mut function, mut found) = (checked.tree.text(), "", Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        function = named_function(&tokens, at).unwrap_or(function);
        let Some(name) = operation(*token) else { continue };
        let name = format!("@{function}/{name}");
        found.push(KernelPlace { name, selection: token.span(), whole: whole(text, &tokens, at) });
    }
    found
}

/// The `f` of `func.func private @f` and of `sym_name = "f"`, where it begins.
fn named_function<'t>(tokens: &[TokenRef<'t>], at: usize) -> Option<&'t str> {
    let token = tokens.get(at)?;
    let mut behind = tokens.get(at + 1..)?.iter().take(2);
    match token.text() {
        "func.func" | "func" => {
            let name = behind.find(|token| token.kind() == TokenKind::AtId);
            name.map(|name| name.text().trim_start_matches('@'))
        }
        "sym_name" => behind.nth(1).map(|name| name.text().trim_matches('"')),
        _ => None,
    }
}

/// The name of an operation that becomes loops.
fn operation<'t>(token: TokenRef<'t>) -> Option<&'t str> {
    let name = token.text().trim_matches('"');
    (matches!(token.kind(), TokenKind::Ident | TokenKind::String) && becomes_loops(name)).then_some(name)
}

/// From the names of the results to the last token before the next operation.
fn whole(text: &str, tokens: &[TokenRef<'_>], at: usize) -> Span {
    let named = first_of_results(tokens, at);
    let mut depth = 0_i32;
    let mut last = at;
    for next in at + 1..tokens.len() {
        match tokens[next].text() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        let ends = depth < 0 || tokens[next].text() == "func.func";
        if ends || depth == 0 && begins_operation(text, tokens, next) {
            break;
        }
        last = next;
    }
    tokens[named].span().cover(tokens[last].span())
}

/// `%a, %b =` and `%a:2 =` before the operation.
fn first_of_results(tokens: &[TokenRef<'_>], at: usize) -> usize {
    let is_result = |token: &TokenRef<'_>| {
        matches!(token.kind(), TokenKind::PercentId | TokenKind::Int) || matches!(token.text(), "," | ":")
    };
    let Some(equals) = at.checked_sub(1).filter(|before| tokens[*before].text() == "=") else { return at };
    let names = tokens[..equals].iter().rev().take_while(|token| is_result(token)).count();
    equals - names
}

/// Whether the token begins a line and an operation.
fn begins_operation(text: &str, tokens: &[TokenRef<'_>], at: usize) -> bool {
    let (Some(token), Some(before)) = (tokens.get(at), at.checked_sub(1).and_then(|at| tokens.get(at))) else {
        return false;
    };
    let between = text.get(before.span().end as usize..token.span().start as usize);
    let on_new_line = between.is_some_and(|between| between.contains(['\n', '\r']));
    let named = || tokens.get(at + 1).is_some_and(|next| matches!(next.text(), "=" | "," | ":"));
    on_new_line && begins_with(token.kind(), token.text(), &named)
}

/// Whether an operation, a block or what follows a function begins with the token.
fn begins_with(kind: TokenKind, text: &str, named: &dyn Fn() -> bool) -> bool {
    let other = matches!(kind, TokenKind::String | TokenKind::CaretId | TokenKind::HashId | TokenKind::BangId);
    let word = kind == TokenKind::Ident && (text.contains('.') || matches!(text, "return" | "func" | "module"));
    other || word || kind == TokenKind::PercentId && named()
}

//! `y(i) = A(i, j) * x(j)`, updates, and an expression alone, which is shown.

use super::{
    definition::{parse_second_type, parse_type_spec, report_missing_sign},
    habit::{parse_misassigned, parse_type_behind},
    program::{calls_at, parse_program_call},
    schedule::parse_schedule,
};
use crate::{
    NodeKind, Parser, SyntaxError, TokenKind,
    expr::{Lines, parse_expr, parse_list},
    words::{is_bare, is_function},
};

pub(super) fn parse_assignment_or_show(p: &mut Parser) {
    let (from, errors) = (p.checkpoint(), p.error_count());
    parse_expr(p, Lines::End);
    // The results of a program's function.
    while p.at(TokenKind::Comma) && p.next_on_line() == TokenKind::Ident && !p.newline_before() {
        p.bump();
        parse_expr(p, Lines::End);
    }
    let sign = p.at(TokenKind::Eq) || at_update(p);
    let assigns = sign && (!p.newline_before() || p.at_continuation()) || p.at(TokenKind::Colon) && !p.newline_before();
    if !assigns {
        // `C(i, j = A(i, k)`, `y(i) == x(i)`: that its schedule stands behind no kernel would be another error.
        if p.error_count() > errors || compares_entries(p.text_since(from)) {
            parse_schedule(p);
        }
        return p.wrap(from, NodeKind::Show);
    }
    let head = p.consumed_end();
    let misassigned = parse_misassigned(p);
    let colon = p.span();
    let typed = !misassigned && p.eat(TokenKind::Colon);
    if typed && p.at(TokenKind::Eq) {
        let error = SyntaxError::new(colon, "no type stands behind this `:`").label("not needed without a type");
        p.report(error.guess("remove `:`", vec![(colon, String::new())]));
    } else if typed {
        parse_type_spec(p);
        parse_second_type(p);
    }
    if misassigned && p.at(TokenKind::LBracket) {
        parse_list(p);
    } else if misassigned || eat_update(p) || p.eat(TokenKind::Eq) {
        parse_right_side(p);
        if !typed {
            parse_type_behind(p, head);
        }
    } else if p.at_end() || p.at_line_end() {
        p.error_expected("`=` and what it is computed from", &["= A(i, j)", "= A(i, j) * x(j)"]);
    } else {
        report_missing_sign(p);
    }
    p.wrap(from, NodeKind::Assignment);
}

/// `y(i) == x(i)`
fn compares_entries(text: &str) -> bool {
    let left = text.split_once("==").map_or("", |(left, _)| left.trim_end());
    let name = left.strip_suffix(')').and_then(|left| left.split_once('(')).map_or("", |(name, _)| name);
    is_bare(name) && !is_function(name.trim())
}

fn parse_right_side(p: &mut Parser) {
    match calls_at(p, 0) {
        true => parse_program_call(p),
        false => parse_expr(p, Lines::End),
    }
    parse_schedule(p);
}

fn at_update(p: &Parser) -> bool {
    p.at_update() || at_torn_update(p)
}

/// `+ =`
fn at_torn_update(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(p.peek(), Plus | Minus | Star | Slash) && p.nth(1) == Eq
}

fn report_torn_update(p: &mut Parser) {
    let sign = format!("{}=", p.peek_text().trim_end());
    let place = p.span();
    p.bump();
    let whole = place.cover(p.span());
    let error = SyntaxError::new(whole, format!("an update is one sign: `{sign}`")).label("two signs");
    p.report(error.fix(format!("write `{sign}`"), vec![(whole, sign)]));
}

fn eat_update(p: &mut Parser) -> bool {
    let (found, words) = (at_update(p), p.at_word_update());
    if at_torn_update(p) {
        report_torn_update(p);
    }
    if found {
        p.bump();
    }
    if words {
        p.bump();
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::session::tests::check;
    use expect_test::expect;

    #[test]
    fn kernels_and_commands() {
        check(
            "y(i) : CSR = A(i, j) *\n  max(k, B(j, k))\ny\n:show levels y  :time y\n:compare y with A in {CSR, BSR(2, 2)}\n:help :show",
            expect![[r#"
                Assignment "y(i) : CSR = A(i, j) *\n  max(k, B(j, k))"
                  Call "y(i)"
                    Name "i"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  Binary "A(i, j) *\n  max(k, B(j, k))"
                    Call "A(i, j)"
                      Name "i"
                      Name "j"
                    Call "max(k, B(j, k))"
                      Name "k"
                      Call "B(j, k)"
                        Name "j"
                        Name "k"
                Show "y"
                  Name "y"
                Command ":show levels y"
                  Name "levels"
                  Name "y"
                Command ":time y"
                  Name "y"
                Command ":compare y with A in {CSR, BSR(2, 2)}"
                  Name "y"
                  Name "with"
                  Name "A"
                  Name "in"
                  FormatSet "{CSR, BSR(2, 2)}"
                    TypeSpec "CSR"
                      FormatName "CSR"
                    TypeSpec "BSR(2, 2)"
                      FormatName "BSR(2, 2)"
                        FormatArgs "(2, 2)"
                          Value "2"
                          Value "2"
                Command ":help :show"
                  Name "show"
            "#]],
        );
    }
}

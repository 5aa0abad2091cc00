//! Calls of programs' functions.

use super::{bump_string, init::parse_init};
use crate::{NodeKind, Parser, SyntaxError, TokenKind, expr::Lines, parser::line_start, words::is_bare};
use nnz_base::source::Span;

/// The n-th token ahead begins `@f(A)`, or `call @f(A)`.
pub(super) fn calls_at(p: &Parser, n: usize) -> bool {
    let word = p.nth(n) == TokenKind::Ident && matches!(p.nth_text(n), "call" | "func.call");
    p.nth(n + usize::from(word)) == TokenKind::AtId
}

/// `@f(A, 2.5, [1, 2], "file.mtx")`
pub(super) fn parse_program_call(p: &mut Parser) {
    let node = p.open(NodeKind::ProgramCall);
    if !p.at(TokenKind::AtId) {
        report_call_word(p);
    }
    let name = p.span();
    p.bump();
    if p.at(TokenKind::LParen) {
        parse_given(p);
    } else {
        report_macro(p, name);
    }
    p.close(node);
}

/// `@time`, `@btime`
fn is_timing(name: &str) -> bool {
    matches!(name.trim_start_matches('@'), "time" | "btime" | "timev" | "benchmark" | "elapsed")
}

/// `@einsum y[i] := A[i, j] * x[j]`, as Julia writes it; else a call without its parentheses.
fn report_macro(p: &mut Parser, name: Span) {
    if !p.at(TokenKind::Ident) || p.newline_before() {
        return p.error_expected("`(`", &[]);
    }
    let line = p.rest().split(['\n', ';']).next().unwrap_or_default().split("//").next().unwrap_or_default().trim_end();
    let whole = Span::new(name.start as usize, p.span().start as usize + line.len());
    if let Some((head, own)) = statement_of_macro(p, name, line).filter(|_| !line.contains('=')) {
        let meant = format!("{head} = {own}");
        let message = format!("there is no `{}` in this notation: a statement is written as it is", p.text_at(name));
        let start = line_start(p, name.start as usize);
        let statement = Span::new(start, whole.end as usize);
        let error = SyntaxError::new(name, message).label("not needed");
        p.insert_error(error.guess(format!("write `{meant}`"), vec![(statement, meant)]));
        let node = p.open(NodeKind::Error);
        p.bump_until(whole.end as usize);
        return p.close(node);
    }
    if is_timing(p.text_at(name)) {
        let error = SyntaxError::new(name, "a kernel that is written with its result is timed by a command, `:time y`");
        p.insert_error(
            error.label("no command").help("write the kernel first, `y(i) = A(i, j) * x(j)`, and then `:time y`"),
        );
        let node = p.open(NodeKind::Error);
        p.bump_until(whole.end as usize);
        return p.close(node);
    }
    if !line.contains('=') {
        let meant = format!("{}({line})", p.text_at(name));
        let error = SyntaxError::new(p.span(), format!("what a function takes stands in parentheses: `{meant}`"));
        let error = error.label("no `(` in front of this").guess(format!("write `{meant}`"), vec![(whole, meant)]);
        p.insert_error(error);
        let node = p.open(NodeKind::Error);
        p.bump_until(whole.end as usize);
        return p.close(node);
    }
    let meant = line.replace('[', "(").replace(']', ")").replace(":=", "=");
    let message = format!("there is no `{}` in this notation: a statement is written as it is", p.text_at(name));
    let error = SyntaxError::new(name, message).label("not needed");
    p.insert_error(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
}

/// `y(i)` and `A(i, j) * x(j)` for `y = @einsum A[i, j] * x[j]`: the result has the indices that stand there once.
fn statement_of_macro(p: &Parser, name: Span, line: &str) -> Option<(String, String)> {
    matches!(p.text_at(name), "@einsum" | "@tensor" | "@tullio" | "@ein").then_some(())?;
    let start = line_start(p, name.start as usize);
    let result = p.text_at(Span::new(start, name.start as usize)).trim_end().strip_suffix('=')?.trim();
    let parts = line.split('[').skip(1).filter_map(|part| part.split(']').next());
    let indices: Vec<&str> = parts.flat_map(|inside| inside.split(',')).map(str::trim).collect();
    let once: Vec<&str> =
        indices.iter().copied().filter(|own| indices.iter().filter(|other| *other == own).count() == 1).collect();
    let head = if once.is_empty() { format!("{result} : f64") } else { format!("{result}({})", once.join(", ")) };
    (is_bare(result) && !indices.is_empty()).then(|| (head, line.replace('[', "(").replace(']', ")")))
}

/// `call @f(A)`, as MLIR writes it.
fn report_call_word(p: &mut Parser) {
    let (word, text) = (p.span(), p.peek_text().to_string());
    p.bump();
    let edits = vec![(Span::new(word.start as usize, p.span().start as usize), String::new())];
    let error = SyntaxError::new(word, format!("a function is called without `{text}`: `@f(x)`")).label("not needed");
    p.insert_error(error.fix(format!("remove `{text}`"), edits));
}

fn parse_given(p: &mut Parser) {
    let open = p.open_bracket();
    while !p.at(TokenKind::RParen) && !p.at_end() {
        let before = p.span();
        parse_argument(p);
        if !p.eat(TokenKind::Comma) || p.span() == before {
            break;
        }
    }
    p.close_bracket(open, TokenKind::RParen, "`,` or `)`");
}

/// `2.5`, `[1, 2]`, `A`, `"file.mtx"`
pub(super) fn parse_argument(p: &mut Parser) {
    if p.at(TokenKind::String) {
        let node = p.open(NodeKind::StringArg);
        bump_string(p);
        p.close(node);
    } else {
        parse_init(p, Lines::Continue);
    }
}

#[cfg(test)]
mod tests {
    use crate::session::tests::check;
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

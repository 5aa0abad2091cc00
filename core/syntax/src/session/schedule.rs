//! `schedule split(i, i0, i1, 16), reorder(i0, j)`.

use crate::{NodeKind, Parser, SyntaxError, TokenKind, expr::parse_arguments};
use nnz_base::source::Span;

/// A new line starts with a schedule only where a step follows on it or begins the next: a tensor could have the name.
fn at_schedule(p: &Parser) -> bool {
    let of_name = p.nth(1) == TokenKind::Ident && p.nth(2) == TokenKind::Colon;
    let at_step =
        || p.next_on_line() == TokenKind::Ident && !of_name || is_step(p.nth_text(1)) && p.nth(2) == TokenKind::LParen;
    let chained = p.nth(1) == TokenKind::Dot && is_step(p.nth_text(2)) && p.nth(3) == TokenKind::LParen;
    (p.at_word("schedule") || at_misspelt_schedule(p)) && (!p.newline_before() || at_step() || chained)
}

/// `schedule .split(i, i0, i1, 16)`
fn report_leading_dot(p: &mut Parser) {
    if p.at(TokenKind::Dot) && is_step(p.nth_text(1)) {
        p.error_respelt(p.span(), CHAINED, "write `,`", vec![(p.span(), String::new())]);
        p.bump();
    }
}

const CHAINED: &str = "the steps of a schedule are separated by `,`";

/// At `split(i, i0, i1, 16)` on a line below `schedule`: a word alone begins another statement.
fn at_step_of_line(p: &Parser) -> bool {
    p.at(TokenKind::Ident) && p.next_is_joined(TokenKind::LParen) && (is_step(p.peek_text()) || !assigns(p))
}

/// The line is an assignment: `y(i) = x(i)`.
fn assigns(p: &Parser) -> bool {
    p.rest().split(['\n', '\r', ';']).next().is_some_and(|line| line.contains('='))
}

/// At `schedul unroll(i, 4)`: no other word is followed by a step.
fn at_misspelt_schedule(p: &Parser) -> bool {
    p.at(TokenKind::Ident)
        && is_step(p.nth_text(1))
        && p.nth(2) == TokenKind::LParen
        && p.peek_text() != "schedule"
        && strsim::damerau_levenshtein(p.peek_text(), "schedule") <= 2
}

/// What no other statement begins with.
pub(super) fn is_step(word: &str) -> bool {
    let steps = [
        "reorder",
        "split",
        "divide",
        "fuse",
        "pos",
        "unroll",
        "vectorize",
        "parallelize",
        "bound",
        "precompute",
        "assemble",
        "reassociate",
    ];
    steps.contains(&word)
}

fn report_misspelt_schedule(p: &mut Parser) {
    if !at_misspelt_schedule(p) {
        return;
    }
    let (place, found) = (p.span(), p.peek_text().to_string());
    let error = SyntaxError::new(place, format!("expected the end of the statement, found `{found}`"));
    let error = error.label("not part of the statement").help("did you mean `schedule`?");
    p.report(error.guess("write `schedule`", vec![(place, "schedule".to_string())]));
}

/// `schedule: unroll(i, 2)`
fn report_colon(p: &mut Parser) {
    if !p.at(TokenKind::Colon) || p.newline_before() {
        return;
    }
    let error = SyntaxError::new(p.span(), "the steps stand behind `schedule` without `:`").label("not needed");
    p.report(error.guess("remove `:`", vec![(p.span(), String::new())]));
    p.bump();
}

pub(super) fn parse_schedule(p: &mut Parser) {
    if !at_schedule(p) {
        return;
    }
    let node = p.open(NodeKind::Schedule);
    report_misspelt_schedule(p);
    let word = Span::new(p.consumed_end(), p.span().end as usize);
    p.bump();
    report_colon(p);
    report_leading_dot(p);
    if p.at_end() || p.newline_before() && !at_step_of_line(p) {
        let error = SyntaxError::new(
            Span::new(word.end as usize - "schedule".len(), word.end as usize),
            "no step stands behind `schedule`",
        );
        p.report(
            error
                .label("steps are missing behind this")
                .help("as in `schedule parallelize(i)`")
                .guess("remove `schedule`", vec![(word, String::new())]),
        );
        return p.close(node);
    }
    if parse_steps_in_brackets(p) {
        return p.close(node);
    }
    while parse_step(p) && (p.at(TokenKind::Comma) || report_chain(p)) {
        p.bump();
        report_second_comma(p);
    }
    p.close(node);
}

/// `unroll(i, 2),, unroll(j, 2)`, at the second `,`.
fn report_second_comma(p: &mut Parser) {
    if !p.at(TokenKind::Comma) || p.newline_before() {
        return;
    }
    let error = SyntaxError::new(p.span(), "a step is missing in front of this `,`").label("no step");
    p.report(error.guess("remove it", vec![(p.span(), String::new())]));
    while p.at(TokenKind::Comma) {
        p.bump();
    }
}

/// Passes over the schedule below a statement that is wrong, and over its further lines.
pub(super) fn pass_schedule(p: &mut Parser) {
    if p.newline_before() && at_schedule(p) {
        let node = p.open(NodeKind::Error);
        parse_schedule(p);
        p.close(node);
    }
    while at_further_step(p) {
        let node = p.open(NodeKind::Error);
        p.bump();
        p.skip_until(Parser::newline_before);
        p.close(node);
    }
}

/// At `unroll(i, 2)` on a line that is indented deeper than the statement.
fn at_further_step(p: &Parser) -> bool {
    p.at_continuation() && p.at(TokenKind::Ident) && is_step(p.peek_text()) && p.nth(1) == TokenKind::LParen
}

/// `split(i, i0, i1, 16).reorder(i0, i1)`, at the point.
fn report_chain(p: &mut Parser) -> bool {
    let chained = p.at(TokenKind::Dot) && p.nth(1) == TokenKind::Ident && !p.newline_before();
    if chained {
        let edits = vec![(p.span(), ", ".to_string())];
        p.error_respelt(p.span(), CHAINED, "write `,`", edits);
    }
    chained
}

/// `schedule y: parallelize(i)`: a kernel has its schedule behind it.
pub(super) fn parse_schedule_of_name(p: &mut Parser) {
    let (start, line) = (p.span(), p.rest().split(['\n', '\r', ';']).next().unwrap_or_default().to_string());
    let (_, steps) = line.split_once(':').unwrap_or(("", "parallelize(i)"));
    let error =
        SyntaxError::new(start, "a schedule stands behind its kernel, in the same statement").label("no kernel");
    let shown = steps.split("//").next().unwrap_or_default().trim();
    p.report(error.help(format!("as in `y(i) = A(i, j) * x(j) schedule {shown}`")));
    let node = p.open(NodeKind::Stray);
    p.bump_until(start.start as usize + line.len());
    p.close(node);
}

/// `schedule(unroll(i, 2))`, `schedule [unroll(i, 2)]`: reported, and passed over.
fn parse_steps_in_brackets(p: &mut Parser) -> bool {
    if !p.at(TokenKind::LParen) && !p.at(TokenKind::LBracket) {
        return false;
    }
    let closing = if p.at(TokenKind::LParen) { ')' } else { ']' };
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let written = line.split("//").next().unwrap_or_default().trim_end();
    let Some(steps) = written.get(1..).and_then(|steps| steps.strip_suffix(closing)) else { return false };
    let steps = steps.trim().to_string();
    let (start, end) = (p.consumed_end(), p.span().start as usize + written.len());
    let error = SyntaxError::new(p.span(), "the steps of a schedule stand without brackets").label("not needed");
    p.report(error.guess("remove the brackets", vec![(Span::new(start, end), format!(" {steps}"))]));
    let rest = p.open(NodeKind::Error);
    p.bump_until(end);
    p.close(rest);
    true
}

/// Whether there is one. Arguments that are missing altogether are for the checker to report, which knows how
/// many there should be.
fn parse_step(p: &mut Parser) -> bool {
    if !p.at(TokenKind::Ident) {
        p.error_expected("a step of a schedule", &["split(i, i0, i1, 16)", "reorder(i, j)"]);
        return false;
    }
    let node = p.open(NodeKind::Step);
    p.bump();
    if p.at(TokenKind::LParen) && !p.newline_before() {
        parse_arguments(p);
    }
    p.close(node);
    true
}

#[cfg(test)]
mod tests {
    use crate::session::tests::check;
    use expect_test::expect;

    #[test]
    fn schedules() {
        check(
            "y(i) = x(i) schedule split(i, i0, i1, 2),\n  unroll(i1, 2)\ns : f64 = x(i)\n  schedule unroll(i, 2)\nschedule(i) = x(i)",
            expect![[r#"
                Assignment "y(i) = x(i) schedule split(i, i0, i1, 2),\n  unroll(i1, 2)"
                  Call "y(i)"
                    Name "i"
                  Call "x(i)"
                    Name "i"
                  Schedule "schedule split(i, i0, i1, 2),\n  unroll(i1, 2)"
                    Step "split(i, i0, i1, 2)"
                      Name "i"
                      Name "i0"
                      Name "i1"
                      Number "2"
                    Step "unroll(i1, 2)"
                      Name "i1"
                      Number "2"
                Definition "s : f64 = x(i)\n  schedule unroll(i, 2)"
                  TypeSpec "f64"
                    FormatName "f64"
                  Call "x(i)"
                    Name "i"
                  Schedule "schedule unroll(i, 2)"
                    Step "unroll(i, 2)"
                      Name "i"
                      Number "2"
                Assignment "schedule(i) = x(i)"
                  Call "schedule(i)"
                    Name "i"
                  Call "x(i)"
                    Name "i"
            "#]],
        );
    }
}

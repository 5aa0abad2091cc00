//! Tokens that belong to no statement: reported with what was probably meant, and skipped.

mod calls;
mod juxtaposed;
mod neighbours;
mod numbers;
mod semirings;

use self::{
    calls::method,
    juxtaposed::juxtaposed,
    neighbours::{another, closed_early, curly_quotes, neighbour},
    numbers::listed,
};
use super::{at_statement_start, schedule::is_step};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
    expr::{self, at_expr},
    habits,
    parser::numbers::second_point,
    words::is_operator,
};
use nnz_base::{diagnostic::did_you_mean, source::Span};

/// Whether the current token continues an expression.
pub(super) fn at_operator(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(
        p.peek(),
        Star | Slash | Plus | Minus | EqEq | Ne | Le | Ge | Lt | Gt | Eq | PlusEq | MinusEq | StarEq | SlashEq
    ) || is_operator(p.peek_text())
}

/// Reports a token that no statement starts with.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn report_start(p: &mut Parser) {
    let found = p.peek_text().trim_end().to_string();
    let place = p.span();
    if let Some(error) = p.invisible("no statement begins so") {
        return p.report(error);
    }
    if found == "`" {
        return p.report(in_backticks(p, place));
    }
    let error = SyntaxError::new(place, format!("expected a statement, found `{found}`"));
    if p.rest().starts_with(|c: char| !c.is_ascii() && c.is_alphabetic()) {
        return parse_foreign_start(p);
    }
    let error = match p.peek() {
        TokenKind::Slash if p.rest().starts_with("/*") => return p.report(expr::block_comment(Span::new(place.start as usize, place.start as usize + 2))),
        _ if p.rest().strip_prefix("$ ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic())) => {
            error.label("the prompt of a shell").help("a command for the shell is typed there, and is no statement")
        }
        TokenKind::PercentId | TokenKind::BangId if p.next_on_line() == TokenKind::Eq => return p.report(of_mlir(p, place)),
        TokenKind::PercentId if matches!(found.as_str(), "%time" | "%timeit") => {
            let error = SyntaxError::new(place, "a command begins with `:`, not with `%`: `:time`").label("write `:time`");
            return p.report(error.guess("write `:time`", vec![(place, ":time".to_string())]));
        }
        TokenKind::PercentId if matches!(p.next_on_line(), TokenKind::LParen | TokenKind::Colon) => {
            return p.report(signed_name(place, &found));
        }
        _ if at_operator(p) => error.label("no statement begins with an operator").help(
            "a line that begins with an operator goes on with the one before where it is indented; at the prompt, end the \
             line before with the operator",
        ),
        TokenKind::HashId if let Some(error) = within_alias(p) => return p.report(error),
        TokenKind::HashId | TokenKind::Hash | TokenKind::Percent | TokenKind::PercentId => comment(error.label("no statement begins so"), place),
        TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => error.label("this closes nothing"),
        TokenKind::LBracket if p.rest().lines().next().is_some_and(|line| line.contains("] =")) => {
            let error = SyntaxError::new(place, "a statement defines one name").label("a list of names");
            return p.report(error.help("only functions of programs give several values: `a, b = @f(x)`"));
        }
        _ => error.label("no statement begins so"),
    };
    let expected = vec!["A : CSR = read \"file.mtx\"", "y(i) = A(i, j) * x(j)", "y", ":help"];
    p.report(SyntaxError { expected, ..error });
}

/// `` `y(i) = x(i)` ``: code as it stands in texts.
fn in_backticks(p: &Parser, place: Span) -> SyntaxError {
    let error = SyntaxError::new(place, "a backtick is no part of a statement").label("a backtick");
    let line = p.rest().split(['\n', '\r']).next().unwrap_or_default().trim_end();
    let end = place.start as usize + line.len();
    let mut edits = vec![(place, String::new())];
    if line.len() > 1 && line.ends_with('`') {
        edits.push((Span::new(end - 1, end), String::new()));
    }
    error.guess("remove it", edits)
}

/// `%0 = linalg.matvec ...`, `!T = tensor<4xf64>`
fn of_mlir(p: &Parser, place: Span) -> SyntaxError {
    if p.at(TokenKind::BangId) {
        let error = SyntaxError::new(place, "types have no names in a session").label("no name of a type");
        return error
            .help("write the type itself: `A : tensor<3x4xf64, CSR> = ...`; an encoding can have a name, `#F = ...`");
    }
    let error =
        SyntaxError::new(place, "operations of MLIR stand in a function of a `.mlir` file").label("an operation");
    error.help("`use \"file.mlir\"`, then `y = @f(x)`; a kernel is written in index notation, `y(i) = A(i, j) * x(j)`")
}

/// `%y(i) = x(i)`: names of values have a `%` in MLIR alone.
fn signed_name(place: Span, name: &str) -> SyntaxError {
    let sign = Span::new(place.start as usize, place.start as usize + 1);
    let error = SyntaxError::new(place, format!("a name has no `%` in a session: `{}`", name.trim_start_matches('%')));
    error.label("with a `%`").guess("remove `%`", vec![(sign, String::new())])
}

/// `α : f64 = 2`
fn parse_foreign_start(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    expr::parse_foreign_name(p);
    while !p.at_end() && !p.newline_before() && !p.at(TokenKind::Semicolon) {
        p.bump();
    }
    p.close(node);
}

/// `#CSR : = #sparse_tensor.encoding<...>`, at its name.
fn within_alias(p: &Parser) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', '\r']).next()?;
    let (head, value) = line.split_once('=')?;
    let stray = head.strip_prefix(p.peek_text().trim_end())?.trim();
    (!stray.is_empty() && value.trim_start().starts_with(['#', '('])).then_some(())?;
    let start = p.span().start as usize + head.rfind(stray)?;
    let place = Span::new(start, start + stray.len());
    let error = SyntaxError::new(place, format!("`{stray}` is no part of a definition: `#NAME = ...`"));
    Some(error.label("in front of the `=`").guess("remove it", vec![(place, String::new())]))
}

fn comment(error: SyntaxError, place: Span) -> SyntaxError {
    let sign = Span::new(place.start as usize, place.start as usize + 1);
    let error =
        error.help("a comment begins with `//`; an encoding is named by `#NAME = #sparse_tensor.encoding<...>`");
    error.guess("write `//`", vec![(sign, "//".to_string())])
}

/// Skips tokens that do not belong to the statement before them, and reports them unless there are errors
/// already.
pub(super) fn report(p: &mut Parser, start: Checkpoint, errors: usize) {
    if p.error_count() == errors {
        let error = behind(p, start);
        p.report(error);
    }
    skip(p);
}

/// Text after a whole statement, on its line or on a line that continues it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn behind(p: &Parser, start: Checkpoint) -> SyntaxError {
    let found = p.peek_text().trim_end();
    let place = p.span();
    if let Some(error) = p.invisible("not part of the statement") {
        return error;
    }
    let error = SyntaxError::new(place, format!("expected the end of the statement, found `{found}`"));
    let error = error.label("not part of the statement");
    if p.text_since(start) == "use" && p.rest().starts_with(['“', '”', '„']) {
        return curly_quotes(p, place);
    }
    if p.at(TokenKind::HashId) && p.nth(1) == TokenKind::Eq {
        let error = SyntaxError::new(place, "an encoding stands behind `:`").label("no `:` in front of this");
        return error.guess("insert `:`", vec![(Span::at(p.consumed_end()), " :".to_string())]);
    }
    if p.at(TokenKind::HashId) && p.nth(1) == TokenKind::Colon {
        let error =
            SyntaxError::new(place, "the encoding of a tensor stands behind `:`, once").label("in front of `:`");
        return error.guess("remove it", vec![(Span::new(p.consumed_end(), place.end as usize), String::new())]);
    }
    if matches!(p.peek(), TokenKind::Hash | TokenKind::HashId) {
        return comment(error, place);
    }
    if let Some(told) = closed_early(p, start) {
        return told;
    }
    if let Some(told) = neighbour(p, start, place).filter(|_| listed(p, start, place).is_none()) {
        return told;
    }
    if p.rest().starts_with("/*") {
        return expr::block_comment_of(p);
    }
    let uses = p.text_since(start).starts_with("use ");
    if p.rest().starts_with(".=") {
        let sign = Span::new(place.start as usize, place.start as usize + 2);
        let error = SyntaxError::new(sign, "a statement assigns with `=`, not with `.=`").label("write `=`");
        return error.guess("write `=`", vec![(sign, "=".to_string())]);
    }
    if let Some(sign) = ["^=", "%=", "&=", "|=", "**="].into_iter().find(|sign| p.rest().starts_with(sign)) {
        return updated(p, start, sign);
    }
    if p.rest().starts_with('\\') {
        let error = SyntaxError::new(place, "there is no `\\` in this notation").label("no operator");
        return error.help(format!("a quotient of values is written `x / y`; {}", habits::SOLVER));
    }
    if let Some(told) = chosen_behind(p, start).filter(|_| found == "if") {
        return told;
    }
    if let Some(help) = habits::trailing(found).filter(|_| !uses) {
        let error = SyntaxError::new(place, format!("there is no `{found}` in this notation"));
        return error.label("no operator").help(help);
    }
    if at_operator(p) && !p.at(TokenKind::Eq) && calls_program(p.text_since(start)) {
        let error = SyntaxError::new(place, "a call of a program's function stands alone on the right");
        return error.label("nothing is computed with it").help("name what it gives, and compute with the name");
    }
    if behind_encoding(p.text_since(start)) {
        return error.help("an encoding ends with `}>`");
    }
    if let Some(told) = closes_nothing(p, start) {
        return told;
    }
    if at_operator(p) && !p.at(TokenKind::Eq) && p.text_since(start).ends_with([']', '>']) {
        let error = SyntaxError::new(place, "a list stands alone on the right: `x = [1, 2]`");
        return error.label("nothing is computed with a list").help("name it first, and compute with the name");
    }
    if found == "schedule" && p.text_since(start).contains("schedule ") {
        let edits = vec![(Span::new(p.consumed_end(), place.end as usize), ",".to_string())];
        let error = SyntaxError::new(place, "a kernel has one schedule, whose steps are separated by `,`");
        return error.label("a second `schedule`").guess("write `,`", edits);
    }
    if found == "schedule" {
        return error.help("a schedule stands behind what a kernel computes: `y(i) = A(i, j) * x(j) schedule ...`");
    }
    if strsim::damerau_levenshtein(found, "schedule") <= 2 {
        let edits = vec![(place, "schedule".to_string())];
        return error.help("did you mean `schedule`?").guess("write `schedule`", edits);
    }
    match p.peek() {
        TokenKind::Eq if p.text_since(start).starts_with(":set") => {
            let gap = Span::new(p.consumed_end(), place.end as usize);
            error
                .help("`:set` takes a setting and its value: `:set threads 4`")
                .fix("remove `=`", vec![(gap, String::new())])
        }
        TokenKind::Eq if p.text_since(start).starts_with(':') => {
            let before = p.text_since(start);
            let whole = before.split('(').next().unwrap_or(before).trim_end();
            let (command, name) = whole.rsplit_once(' ').unwrap_or((whole, "y"));
            error.help(format!("a command takes the name of what a statement has defined: write the statement first, then `{command} {name}`"))
        }
        _ if p.text_since(start).starts_with(':') => error.help("`:help` shows the form of each command"),
        TokenKind::Colon if p.nth(1) == TokenKind::Ident => error
            .help("a command stands on a line of its own, or behind `;`")
            .guess("insert `;`", vec![(Span::at(p.consumed_end()), ";".to_string())]),
        TokenKind::Plus | TokenKind::Minus => error,
        _ if at_expr(p) => juxtaposed(p, start, place),
        TokenKind::RParen if let Some(error) = unopened_indices(p, start) => error,
        TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
            error.label("this closes nothing").guess("remove it", vec![(place, String::new())])
        }
        TokenKind::Eq if let Some(error) = generated(p, start) => error,
        TokenKind::Eq => {
            let error = SyntaxError::new(place, "a statement assigns once").label("a second `=`");
            let error = error.help("two values are compared with `==`");
            match p.text_since(start).ends_with(')') {
                true => error.guess("write `==`", vec![(place, "==".to_string())]),
                false => error,
            }
        }
        TokenKind::ColonColon if p.nth(2) == TokenKind::LParen => {
            let before = p.text_since(start);
            let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            let whole = Span::new(p.consumed_end() - word.len(), place.end as usize);
            let error = SyntaxError::new(whole, format!("functions have no `{word}::` in front of their names"));
            error.label("not needed").guess("remove it", vec![(whole, String::new())])
        }
        TokenKind::Percent | TokenKind::PercentId if p.rest().starts_with("% ") => {
            let sign = Span::new(place.start as usize, place.start as usize + 1);
            let error = SyntaxError::new(sign, "a comment begins with `//`").label("write `//`");
            error.guess("write `//`", vec![(sign, "//".to_string())])
        }
        TokenKind::ColonColon if p.rest().contains("<<") && p.text_since(start) == "std" => {
            let error = SyntaxError::new(place, "nothing is printed by a stream: a name alone shows its value");
            error.label("no part of a name").help("as in `A`, on a line of its own")
        }
        TokenKind::ColonColon => {
            let colons = p.rest().bytes().take_while(|sign| *sign == b':').count();
            let place = Span::new(place.start as usize, place.start as usize + colons);
            let error = SyntaxError::new(place, "a type stands behind one `:`").label("write `:`");
            error.guess("write `:`", vec![(place, ":".to_string())])
        }
        TokenKind::String => misread(p, start, error),
        TokenKind::Comma => listed(p, start, place).unwrap_or_else(|| another(p, error)),
        TokenKind::Dot => second_point(p, p.text_since(start), place)
            .or_else(|| method(p, start, place))
            .unwrap_or_else(|| another(p, error)),
        _ => another(p, error),
    }
}

/// `y(i) = x(i) if x(i) > 1 else 0`, at its `if`.
fn chosen_behind(p: &Parser, start: Checkpoint) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', '\r', ';']).next()?.split("//").next()?.trim_end();
    let (condition, other) = line.strip_prefix("if ")?.split_once(" else ")?;
    let before = p.text_since(start);
    let (_, value) = before.split_once("= ").filter(|_| !other.contains(" if "))?;
    let meant = format!("select({}, {}, {})", condition.trim(), value.trim(), other.trim());
    let whole = Span::new(p.consumed_end() - value.trim_start().len(), p.span().start as usize + line.len());
    let error = SyntaxError::new(p.span(), "a choice is written `select(condition, x, y)`").label("write `select`");
    Some(error.guess(format!("write `{meant}`"), vec![(whole, meant)]))
}

/// `yi) = x(i)`, at its `)`.
fn unopened_indices(p: &Parser, start: Checkpoint) -> Option<SyntaxError> {
    let before = p.text_since(start);
    let is_word = before.len() > 1 && before.bytes().all(|byte| byte.is_ascii_alphabetic());
    let assigns = p.rest().strip_prefix(')')?.trim_start().starts_with('=');
    (is_word && assigns).then_some(())?;
    let (name, index) = before.split_at(before.len() - 1);
    let open = Span::at(p.consumed_end() - 1);
    let error = SyntaxError::new(p.span(), "this closes what nothing opens").label("no `(` in front of it");
    Some(error.guess(format!("write `{name}({index})`"), vec![(open, "(".to_string())]))
}

/// `random<density = 0.5>`, at its `=`.
fn generated(p: &Parser, start: Checkpoint) -> Option<SyntaxError> {
    let before = p.text_since(start);
    let (head, _) = before.rsplit_once('<')?;
    let word = head.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    let close = p.rest().split(['\n', '\r', ';']).next()?.find('>')?;
    let known = word.starts_with(|c: char| c.is_ascii_alphabetic());
    let open = p.consumed_end() - (before.len() - head.len());
    let close = p.span().start as usize + close;
    let error = SyntaxError::new(Span::new(open, open + 1), format!("what `{word}` takes stands in parentheses"));
    let edits = vec![(Span::new(open, open + 1), "(".to_string()), (Span::new(close, close + 1), ")".to_string())];
    known.then(|| error.label("write `(`").guess("write `(` and `)`", edits))
}

/// `x(i) ^= 2`
fn updated(p: &Parser, start: Checkpoint, sign: &str) -> SyntaxError {
    let place = Span::new(p.span().start as usize, p.span().start as usize + sign.len());
    let error = SyntaxError::new(place, format!("there is no `{sign}`")).label("no update");
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let (left, right) = (p.text_since(start), line[sign.len()..].split("//").next().unwrap_or_default().trim());
    let function = match sign {
        "^=" | "**=" => "pow",
        "%=" => "mod",
        "&=" => "bitand",
        _ => "bitor",
    };
    let whole = format!("{left} = {function}({left}, {right})");
    let line = Span::new(p.span_since(start).start as usize, place.start as usize + line.trim_end().len());
    error.guess(format!("write `{whole}`"), vec![(line, whole)])
}

/// Whether the statement so far is `#F = #sparse_tensor.encoding<{ ... }>`.
fn behind_encoding(statement: &str) -> bool {
    statement.starts_with('#') && statement.ends_with('>')
}

/// `A : CSR = raed "file.mtx"`
fn misread(p: &Parser, start: Checkpoint, error: SyntaxError) -> SyntaxError {
    let before = p.text_since(start);
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    let help = format!("a file is read by `read {}`", p.peek_text().trim_end());
    if word == before && did_you_mean(word, ["use"]).is_some() {
        let place = p.span_since(start);
        let error = SyntaxError::new(place, format!("no statement begins with `{word}`: did you mean `use`?"));
        return error.label("no word of a statement").guess("write `use`", vec![(place, "use".to_string())]);
    }
    if !before[..before.len() - word.len()].trim_end().ends_with('=') || word.is_empty() {
        return error.help(help);
    }
    let end = p.consumed_end();
    let place = Span::new(end - word.len(), end);
    if word == "read" {
        let help = format!("name the tensor first, as in `B : CSR = read {}`", p.peek_text().trim_end());
        return SyntaxError::new(place, "an update reads no file").label("not here").help(help);
    }
    let error = SyntaxError::new(place, format!("`{word}` reads no file")).label("write `read`").help(help);
    error.guess("write `read`", vec![(place, "read".to_string())])
}

/// `y = [1, 2]> >`: signs that close nothing, up to the end of the line.
fn closes_nothing(p: &Parser, start: Checkpoint) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', '\r', ';']).next()?.split("//").next()?.trim_end();
    let alone = !line.is_empty() && line.chars().all(|c| matches!(c, '>' | ' '));
    let behind_list = alone && p.text_since(start).ends_with([']', '>']);
    behind_list.then_some(())?;
    let from = p.span().start as usize;
    let error = SyntaxError::new(Span::new(from, from + 1), "`>` closes nothing").label("no `<` in front of it");
    let whole = Span::new(p.consumed_end(), from + line.len());
    Some(error.guess("remove it", vec![(whole, String::new())]))
}

/// `y = @f(A)`, `@f(A)`
fn calls_program(statement: &str) -> bool {
    let right = statement.rsplit('=').next().unwrap_or_default().trim();
    right.starts_with('@') && right.ends_with(')')
}

/// Skips up to the next statement, or the next line that is no part of this one.
fn skip(p: &mut Parser) {
    let node = p.open(NodeKind::Error);
    loop {
        p.bump();
        if p.at_end() || p.at(TokenKind::Semicolon) || p.newline_before() && begins_anew(p) {
            break;
        }
    }
    p.close(node);
}

/// A line that begins a statement, or that is clearly not one: every line except those that close brackets opened
/// above, and those that continue the skipped statement.
fn begins_anew(p: &Parser) -> bool {
    let closes = matches!(p.peek(), TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace | TokenKind::Gt);
    let goes_on = p.at_continuation() && at_operator(p);
    !goes_on && (at_statement_start(p) || !p.at_continuation() && !closes)
}

/// Skips the line, which is not a statement, including the text after a `;` on it.
pub(super) fn skip_whole_line(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    p.bump();
    while !p.at_end() && !p.newline_before() {
        p.bump();
    }
    p.close(node);
}

/// Skips the line, which is no statement, up to a `;`.
pub(super) fn skip_line(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    while !p.at_end() {
        p.bump();
        if p.newline_before() || p.at(TokenKind::Semicolon) {
            break;
        }
    }
    p.close(node);
}

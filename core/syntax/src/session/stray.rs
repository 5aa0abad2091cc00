//! Tokens that belong to no statement: reported with what was probably meant, and skipped.

mod calls;
mod neighbours;
mod numbers;

use self::{
    calls::{argument_behind, listed_behind, method, reduced},
    neighbours::{another, least, neighbour, torn_semiring},
    numbers::{foreign_number, listed, names_itself, second_point},
};
use super::{at_statement_start, schedule::is_step};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
    expr::{self, at_expr, products},
    habits,
};
use nnz_base::{diagnostic::did_you_mean, element::Element, source::Span};

/// Whether the current token continues an expression.
pub(super) fn at_operator(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(
        p.peek(),
        Star | Slash | Plus | Minus | EqEq | Ne | Le | Ge | Lt | Gt | Eq | PlusEq | MinusEq | StarEq | SlashEq
    ) || expr::is_operator(p.peek_text())
}

/// Reports a token that no statement starts with.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn report_start(p: &mut Parser) {
    let found = p.peek_text().trim_end().to_string();
    let place = p.span();
    if let Some(error) = p.invisible("no statement begins so") {
        return p.report(error);
    }
    let error = SyntaxError::new(place, format!("expected a statement, found `{found}`"));
    if p.rest().starts_with(|c: char| !c.is_ascii() && c.is_alphabetic()) {
        return parse_foreign_start(p);
    }
    let error = match p.peek() {
        TokenKind::Slash if p.rest().starts_with("/*") => return p.report(expr::block_comment(Span::new(place.start as usize, place.start as usize + 2))),
        TokenKind::PercentId | TokenKind::BangId if p.next_on_line() == TokenKind::Eq => return p.report(of_mlir(p, place)),
        _ if at_operator(p) => error.label("no statement begins with an operator").help(
            "a line that begins with an operator goes on with the one before where it is indented; at the prompt, end the \
             line before with the operator",
        ),
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

/// `α : f64 = 2`
fn parse_foreign_start(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    expr::parse_foreign_name(p);
    while !p.at_end() && !p.newline_before() && !p.at(TokenKind::Semicolon) {
        p.bump();
    }
    p.close(node);
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

/// What stands behind a whole statement, on its line or as a line that goes on with it.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
fn behind(p: &Parser, start: Checkpoint) -> SyntaxError {
    let found = p.peek_text().trim_end();
    let place = p.span();
    if let Some(error) = p.invisible("not part of the statement") {
        return error;
    }
    let error = SyntaxError::new(place, format!("expected the end of the statement, found `{found}`"));
    let error = error.label("not part of the statement");
    if matches!(p.peek(), TokenKind::Hash | TokenKind::HashId) {
        return comment(error, place);
    }
    if let Some(told) = neighbour(p, start, place).filter(|_| listed(p, start, place).is_none()) {
        return told;
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
            error.help("a command takes the name of what a statement has defined: write the statement first")
        }
        _ if p.text_since(start).starts_with(':') => error.help("`:help` shows the form of each command"),
        TokenKind::Plus | TokenKind::Minus => error,
        _ if at_expr(p) => juxtaposed(p, start, place),
        TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => {
            error.label("this closes nothing").guess("remove it", vec![(place, String::new())])
        }
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
        TokenKind::ColonColon => SyntaxError::new(place, "a type stands behind one `:`")
            .label("write `:`")
            .guess("write `:`", vec![(place, ":".to_string())]),
        TokenKind::String => misread(p, start, error),
        TokenKind::Comma => listed(p, start, place).unwrap_or_else(|| another(p, error)),
        TokenKind::Dot => {
            second_point(p, start, place).or_else(|| method(p, start, place)).unwrap_or_else(|| another(p, error))
        }
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

/// `y = @f(A)`, `@f(A)`
fn calls_program(statement: &str) -> bool {
    let right = statement.rsplit('=').next().unwrap_or_default().trim();
    right.starts_with('@') && right.ends_with(')')
}

/// `2x`, `A(i, j) x(j)`, `exp x(i)`, `0.5f`
fn juxtaposed(p: &Parser, start: Checkpoint, place: Span) -> SyntaxError {
    let before = p.text_since(start);
    let found = p.peek_text();
    let gap = Span::new(p.consumed_end(), place.start as usize);
    if before.starts_with("--") {
        let start = p.span_since(start).start as usize;
        let sign = Span::new(start, start + 2);
        let error = SyntaxError::new(sign, "a comment begins with `//`").label("write `//`");
        return error.guess("write `//`", vec![(sign, "//".to_string())]);
    }
    let is_number = before.ends_with(|c: char| c.is_ascii_digit() || c == '.') && p.joined();
    if is_number && matches!(found, "f" | "F" | "d" | "D" | "L" | "l" | "u" | "U") {
        let error = SyntaxError::new(place, format!("numbers have no suffix: `{found}` is none"));
        return error.label("not part of the number").fix("remove it", vec![(place, String::new())]);
    }
    if let Some(error) = is_number.then(|| foreign_number(p, start, place)).flatten() {
        return error;
    }
    if is_number && found.starts_with('_') {
        let error = SyntaxError::new(place, "the digits of a number stand together");
        let joined = found.replace('_', "");
        return error.label("no `_` within numbers").guess("remove `_`", vec![(place, joined)]);
    }
    if before.contains("schedule ") && before.ends_with(')') {
        let error = SyntaxError::new(place, "the steps of a schedule are separated by `,`").label("another step");
        return error.guess("insert `,`", vec![(Span::at(gap.start as usize), ",".to_string())]);
    }
    if at_step(p) && before.contains('=') {
        let error = SyntaxError::new(place, "the steps of a schedule stand behind `schedule`");
        let error = error.label("no `schedule` in front of this");
        return error.guess("insert `schedule`", vec![(Span::at(place.start as usize), "schedule ".to_string())]);
    }
    if let Some(error) = type_without_colon(p, before, place).or_else(|| other_statement(p, start, place)) {
        return error;
    }
    if is_number && names_itself(p, before) {
        let error = SyntaxError::new(place, format!("a name begins with a letter: `{before}{found}` is none"));
        return error.label("behind digits").help(format!("as in `{found}{before} = ...`"));
    }
    if before.ends_with([']', '>']) {
        let error = SyntaxError::new(place, "a list stands alone on the right: `x = [1, 2]`");
        return error.label("behind a list").help("name it first, and compute with the name");
    }
    if let Some(error) = least(p, before, place) {
        return error;
    }
    let error = SyntaxError::new(place, format!("no operator stands between `{}` and `{found}`", last_line(before)));
    let error = error.label("an operator is missing in front of this");
    let rest = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default().trim_end();
    let line = Span::new(p.span_since(start).start as usize, place.start as usize + rest.len());
    if let Some(whole) = products::of_subscripts(p.text_at(line)) {
        let error = error.help("indices stand in parentheses");
        return error.guess(format!("write `{whole}`"), vec![(line, whole)]);
    }
    let word = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    if let Some(error) = reduced(p, word, place).or_else(|| torn_semiring(p, word, place)) {
        return error;
    }
    if let Some(error) = step_without_parentheses(p, before, word, gap) {
        return error;
    }
    if let Some(argument) = listed_behind(word, p.rest()).or_else(|| argument_behind(word, p.rest())) {
        let error = SyntaxError::new(place, format!("the argument of `{word}` stands in parentheses"));
        let error = error.label("an argument without parentheses");
        let end = Span::at(place.start as usize + argument.len());
        let title = format!("write `{word}({argument})`");
        return error.guess(title, vec![(gap, "(".to_string()), (end, ")".to_string())]);
    }
    if let Some(error) = lacks_open_bracket(p, before, gap) {
        return error;
    }
    // `GROUP rows`: prose, or a statement of another language.
    if word == before && word.starts_with(|c: char| c.is_ascii_alphabetic()) && found.starts_with(char::is_alphabetic) {
        let error = SyntaxError::new(place, format!("no statement begins with two words, `{before} {found}`"));
        let expected = vec!["A : CSR = read \"file.mtx\"", "y(i) = A(i, j) * x(j)", "y", ":help"];
        return SyntaxError { expected, ..error.label("a second word") };
    }
    if let Some((add, multiply)) = found.split_once('.').filter(|_| semiring_sign(p)) {
        let message = "a product over a semiring is called by its name, as in `min_plus(j, A(i, j), x(j))`";
        let known = matches!(add, "min" | "max" | "any" | "plus" | "times" | "or" | "and");
        let error = SyntaxError::new(place, message).label(format!("no operator `{add}.{multiply}`"));
        return if known { error.help("`:help semirings` lists them") } else { error };
    }
    let two_numbers = found.starts_with(|c: char| c.is_ascii_digit()) && before.ends_with(|c: char| c.is_ascii_digit());
    match word.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_number {
        _ if two_numbers => error.help("a list is written `[1, 2]`, a product `1 * 2`"),
        true if let Some(habits::Function::Said(how)) = habits::function(word) => error.help(*how),
        true if p.next_on_line() == TokenKind::Newline || p.next_on_line() == TokenKind::Eof => {
            let end = Span::at(place.start as usize + found.len());
            error.guess(format!("write `{word}({found})`"), vec![(gap, "(".to_string()), (end, ")".to_string())])
        }
        true if expr::is_function(word) => {
            error.help(format!("what `{word}` takes stands in parentheses: `{word}({found}...)`"))
        }
        true => error.help(format!("a product is written `{word} * {found}...`")),
        false if follows_word(p) => error.help("a product is written `a * b`"),
        false => error.guess("write `*`", vec![(gap, " * ".to_string())]),
    }
}

/// At `min.+`, as GraphBLAS's languages write a semiring.
fn semiring_sign(p: &Parser) -> bool {
    let line = p.rest().lines().next().unwrap_or_default();
    let behind = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    behind.strip_prefix('.').is_some_and(|sign| sign.starts_with(['+', '*', '-', '&', '|']) || is_operation(sign))
}

fn is_operation(sign: &str) -> bool {
    ["min", "max", "plus", "times", "first", "second", "pair"].iter().any(|name| sign.starts_with(name))
}

/// At `split(i, i0, i1, 2)`, as TACO writes a step.
fn at_step(p: &Parser) -> bool {
    is_step(p.peek_text()) && p.next_is_joined(TokenKind::LParen)
}

/// `schedule unroll i, 2`
fn step_without_parentheses(p: &Parser, before: &str, word: &str, gap: Span) -> Option<SyntaxError> {
    let scheduled = before.split_whitespace().any(|word| word == "schedule") && is_step(word);
    let arguments = neighbours::rest_of_line(p);
    let meant = format!("{word}({arguments})");
    let end = Span::at(p.span().start as usize + arguments.len());
    scheduled.then(|| {
        let error = SyntaxError::new(p.span(), format!("what a step takes stands in parentheses: `{meant}`"));
        let edits = vec![(gap, "(".to_string()), (end, ")".to_string())];
        error.label("no `(` in front of this").guess(format!("write `{meant}`"), edits)
    })
}

/// `y i) = x(i)`
fn lacks_open_bracket(p: &Parser, before: &str, gap: Span) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', '\r', ';']).next()?;
    let (indices, behind) = line.split_once(')')?;
    let name = before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let listed = indices.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | ' '));
    if !name || !listed || !behind.trim_start().starts_with(['=', ':']) {
        return None;
    }
    let error = SyntaxError::new(p.span(), format!("`(` is missing between `{before}` and `{indices}`"));
    Some(error.label("no `(` in front of this").guess("write `(`", vec![(gap, "(".to_string())]))
}

/// A word, and one more behind it: neither is an operand of a product.
fn follows_word(p: &Parser) -> bool {
    use TokenKind::{Float, Ident, Int, String};
    matches!(p.next_on_line(), Ident | Int | Float | String)
}

/// `B CSR = A`, `C(i, j) CSR = ...`, `B tensor<3x4xf64> = ...`: the name, and a type behind it.
fn type_without_colon(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', ';']).next().unwrap_or_default();
    let found = p.peek_text();
    let typed =
        found == "tensor" || found.starts_with(|c: char| c.is_ascii_uppercase()) || Element::parse(found).is_some();
    let name = before.split('(').next().unwrap_or_default();
    let indices = &before[name.len()..];
    let indexed = indices.is_empty() || indices.find(')') == Some(indices.len() - 1);
    let name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !name || !indexed || !typed || !line.contains('=') || p.joined() {
        return None;
    }
    let error = SyntaxError::new(place, format!("`:` is missing between `{before}` and its type"));
    let edits = vec![(Span::at(p.consumed_end()), " :".to_string())];
    Some(error.label("no `:` in front of this").guess("insert `:`", edits))
}

/// `y(i) A(i, j)`, `sum(j) A(i, j)`, `use csr.mlir`: what lacks something else than an operator.
fn other_statement(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let (before, found) = (p.text_since(start), p.peek_text());
    let rest = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    if before == "use" {
        let file = rest.split("//").next().unwrap_or_default().trim();
        let error = SyntaxError::new(place, "the name of a file stands in quotes").label("a name without quotes");
        let span = Span::new(place.start as usize, place.start as usize + file.len());
        return Some(error.guess("write the quotes", vec![(span, format!("\"{file}\""))]));
    }
    if before.starts_with("use ") {
        let error = SyntaxError::new(place, "`use` takes the name of a file and nothing else");
        return Some(
            error.label("not part of it").help("its functions are called `@name(...)`, its encodings `#name`"),
        );
    }
    let last = before.rsplit(['=', '*', '+', '-', '/']).next().unwrap_or_default().trim();
    let (function, vars) = last.split_once('(').unwrap_or_default();
    let variables = vars.strip_suffix(')').filter(|vars| !vars.contains('('));
    if let Some(vars) = variables.filter(|_| matches!(function, "sum" | "prod" | "min" | "max" | "any" | "all")) {
        let message = format!("what `{function}` takes stands in its parentheses: `{function}({vars}, ...)`");
        let error = SyntaxError::new(place, message).label("not in the parentheses");
        let simple = !rest.contains(['+', '-', '/']) && rest.trim_end().ends_with(')');
        let (gap, end) =
            (Span::new(p.consumed_end() - 1, place.start as usize), place.start as usize + rest.trim_end().len());
        let edits = vec![(gap, ", ".to_string()), (Span::at(end), ")".to_string())];
        return Some(if simple {
            error.guess(format!("write `{function}({vars}, {})`", rest.trim_end()), edits)
        } else {
            error
        });
    }
    if least(p, before, place).is_some() {
        return None;
    }
    if !before.contains('=') && before.ends_with(')') && before.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let message = format!("no `=` and no operator stands between `{before}` and `{found}`");
        let error = SyntaxError::new(place, message).label("`=` is missing in front of this");
        let whole = !rest.contains('=') && !matches!(found, "min" | "max");
        return Some(if whole {
            error.help(format!("write `{before} = {}` to assign", rest.trim_end()))
        } else {
            error
        });
    }
    None
}

fn last_line(text: &str) -> &str {
    text.lines().next_back().unwrap_or_default().rsplit('=').next().unwrap_or_default().trim()
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

/// A line that a statement begins, or that is none and says so by itself: all but what closes brackets opened above.
fn begins_anew(p: &Parser) -> bool {
    let closes = matches!(p.peek(), TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace | TokenKind::Gt);
    at_statement_start(p) || !p.at_continuation() && !closes
}

/// Skips the rest of the line, which is no statement.
/// Passes over the line, what stands behind a `;` on it, too.
pub(super) fn skip_whole_line(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    p.bump();
    while !p.at_end() && !p.newline_before() {
        p.bump();
    }
    p.close(node);
}

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

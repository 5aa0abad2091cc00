//! What belongs to no statement: found, reported with what was probably meant, and passed over.

use super::{at_statement_start, bump_string};
use crate::{
    source::Span,
    syntax::{
        Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
        expr::{self, at_expr, products},
        habits::{self, Leading},
    },
};

/// At what goes on with an expression.
pub(super) fn at_operator(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(
        p.peek(),
        Star | Slash | Plus | Minus | EqEq | Ne | Le | Ge | Lt | Gt | Eq | PlusEq | MinusEq | StarEq | SlashEq
    ) || expr::is_operator(p.peek_text())
}

/// Reports what no statement starts with.
pub(super) fn report_start(p: &mut Parser) {
    let found = p.peek_text().trim_end().to_string();
    let place = p.span();
    let error = SyntaxError::new(place, format!("expected a statement, found `{found}`"));
    if p.rest().starts_with(|c: char| !c.is_ascii() && c.is_alphabetic()) {
        return parse_foreign_start(p);
    }
    let error = match p.peek() {
        _ if at_operator(p) => error.label("no statement begins with an operator").help(
            "a line that begins with an operator goes on with the one before where it is indented; at the prompt, end the \
             line before with the operator",
        ),
        TokenKind::HashId | TokenKind::Hash => comment(error.label("no statement begins so"), place),
        TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket => error.label("this closes nothing"),
        _ => error.label("no statement begins so"),
    };
    let expected = vec!["A : CSR = read \"file.mtx\"", "y(i) = A(i, j) * x(j)", "y", ":help"];
    p.report(SyntaxError { expected, ..error });
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

/// Skips what does not belong to the statement in front of it, which is reported unless there are errors already.
pub(super) fn report(p: &mut Parser, start: Checkpoint, errors: usize) {
    if p.error_count() == errors {
        let error = behind(p, start);
        p.report(error);
    }
    skip(p);
}

/// What stands behind a whole statement, on its line or as a line that goes on with it.
fn behind(p: &Parser, start: Checkpoint) -> SyntaxError {
    let found = p.peek_text().trim_end();
    let place = p.span();
    let error = SyntaxError::new(place, format!("expected the end of the statement, found `{found}`"));
    let error = error.label("not part of the statement");
    if let Some(help) = habits::trailing(found) {
        return error.help(help);
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
        _ if at_expr(p) => juxtaposed(p, start, place),
        _ => SyntaxError { expected: vec!["+", "*", ";"], ..error },
    }
}

/// `2x`, `A(i, j) x(j)`, `exp x(i)`, `0.5f`
fn juxtaposed(p: &Parser, start: Checkpoint, place: Span) -> SyntaxError {
    let before = p.text_since(start);
    let found = p.peek_text();
    let gap = Span::new(p.consumed_end(), place.start as usize);
    let is_number = before.ends_with(|c: char| c.is_ascii_digit() || c == '.') && p.joined();
    if is_number && matches!(found, "f" | "F" | "d" | "D" | "L" | "l" | "u" | "U") {
        let error = SyntaxError::new(place, format!("numbers have no suffix: `{found}` is none"));
        return error.label("not part of the number").fix("remove it", vec![(place, String::new())]);
    }
    if is_number && found.starts_with('_') {
        let error = SyntaxError::new(place, "the digits of a number stand together");
        let joined = found.replace('_', "");
        return error.label("no `_` within numbers").guess("remove `_`", vec![(place, joined)]);
    }
    if before.starts_with("--") {
        let start = p.span_since(start).start as usize;
        let sign = Span::new(start, start + 2);
        let error = SyntaxError::new(sign, "a comment begins with `//`").label("write `//`");
        return error.guess("write `//`", vec![(sign, "//".to_string())]);
    }
    if before.contains("schedule ") && before.ends_with(')') {
        let error = SyntaxError::new(place, "the steps of a schedule are separated by `,`").label("another step");
        return error.guess("insert `,`", vec![(Span::at(gap.start as usize), ",".to_string())]);
    }
    let error = SyntaxError::new(place, format!("no operator stands between `{}` and `{found}`", last_line(before)));
    let error = error.label("an operator is missing in front of this");
    let rest = p.rest().split(['\n', ';']).next().unwrap_or_default().trim_end();
    let line = Span::new(p.span_since(start).start as usize, place.start as usize + rest.len());
    if let Some(whole) = products::of_subscripts(p.text_at(line)) {
        let error = error.help("indices stand in parentheses");
        return error.guess(format!("write `{whole}`"), vec![(line, whole)]);
    }
    let word = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    match word.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_number {
        true => error.help(format!("write `{word}({found}...)` for a function, `{word} * {found}...` for a product")),
        false => error.guess("write `*`", vec![(gap, " * ".to_string())]),
    }
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

/// A statement of another language, by its first word: `print A`, `let x = 3`, `for i in 0:4`. Reported, and passed over.
pub(super) fn parse_habit(p: &mut Parser) -> bool {
    let taco = p.peek_text() == "Tensor" && p.next_is_joined(TokenKind::Lt);
    if !p.at(TokenKind::Ident) || !matches!(p.next_on_line(), TokenKind::Ident | TokenKind::String) && !taco {
        return false;
    }
    let Some(leading) = habits::leading(p.peek_text()) else { return false };
    let (place, word) = (p.span(), p.peek_text().to_string());
    let error = match leading {
        Leading::Command(name) => SyntaxError::new(place, format!("a command begins with `:`: `:{name}`"))
            .label(format!("write `:{name}`"))
            .guess(format!("write `:{name}`"), vec![(place, format!(":{name}"))]),
        Leading::Print => SyntaxError::new(place, format!("there is no `{word}`: a name alone shows its value"))
            .label("not needed")
            .guess(format!("remove `{word}`"), vec![(up_to_next(p), String::new())]),
        Leading::Declare => SyntaxError::new(place, format!("there is no `{word}`: a definition begins with its name"))
            .label("not needed")
            .guess(format!("remove `{word}`"), vec![(up_to_next(p), String::new())]),
        Leading::Type(ty) => declared(p, &word, ty),
        Leading::Otherwise(_) if taco => of_taco(p, place),
        Leading::Otherwise(how) => {
            SyntaxError::new(place, format!("there is no `{word}` in this notation")).label("not a statement").help(how)
        }
    };
    p.report(error);
    skip_line(p);
    true
}

/// `for i in 0:4 ... end`, `if (x) { ... }`: a statement of another language over several lines, passed over as a whole.
pub(super) fn parse_block(p: &mut Parser) -> bool {
    let word = p.peek_text().to_string();
    let Some(Leading::Otherwise(how)) = habits::leading(&word).filter(|_| habits::opens_block(&word)) else {
        return false;
    };
    let opens = matches!(p.next_on_line(), TokenKind::Ident | TokenKind::String | TokenKind::LParen);
    let Some(len) = block_len(p.rest()).filter(|_| p.at(TokenKind::Ident) && opens) else { return false };
    p.begin_statement();
    let error = SyntaxError::new(p.span(), format!("there is no `{word}` in this notation"));
    p.report(error.label("not a statement").help(how));
    let end = p.span().start as usize + len;
    let node = p.open(NodeKind::Stray);
    p.bump_until(end);
    p.close(node);
    true
}

/// How long the block is that `text` begins with: up to the line of its own that closes it.
fn block_len(text: &str) -> Option<usize> {
    let braces = text.lines().next()?.trim_end().ends_with('{');
    let mut depth = 0_i32;
    let mut len = 0;
    for line in text.split_inclusive('\n') {
        let whole = line.trim();
        let first = whole.split([' ', '(']).next().unwrap_or_default();
        depth += match braces {
            true => whole.matches('{').count() as i32 - whole.matches('}').count() as i32,
            false if habits::closes_block(whole) => -1,
            false => i32::from(habits::opens_block(first)),
        };
        if depth <= 0 {
            return Some(len + line.trim_end().len()).filter(|_| len > 0);
        }
        len += line.len();
    }
    None
}

/// `Tensor<double> A({3, 3}, CSR);`
fn of_taco(p: &Parser, place: Span) -> SyntaxError {
    let line = p.rest().lines().next().unwrap_or_default();
    let (element, behind) = line.trim_start_matches("Tensor<").split_once('>').unwrap_or_default();
    let (name, arguments) = behind.split_once('(').unwrap_or((behind, ""));
    let sizes = arguments.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    let (sizes, rest) = sizes.unwrap_or(("4, 4", ""));
    let sizes: String = sizes.split(',').map(|size| format!("{}x", size.trim())).collect();
    let format = rest.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let format = if format.is_empty() || format.contains(',') { "CSR" } else { format };
    let element = habits::type_name(element).unwrap_or("f64");
    let name = name.trim().trim_end_matches(';');
    let form = format!("{name} : tensor<{sizes}{element}, {format}> = ...");
    let error = SyntaxError::new(place, format!("a definition begins with its name: `{form}`"));
    error.label("the type stands behind the name")
}

/// From the current token to the next one.
fn up_to_next(p: &Parser) -> Span {
    let start = p.span().start as usize;
    let rest = p.rest();
    let word = p.peek_text().len();
    let gap = rest[word..].len() - rest[word..].trim_start_matches([' ', '\t']).len();
    Span::new(start, start + word + gap)
}

/// `double s = ...`
fn declared(p: &Parser, word: &str, ty: &str) -> SyntaxError {
    let name = p.nth_text(1).to_string();
    let error = SyntaxError::new(p.span(), format!("a type stands behind the name: `{name} : {ty} = ...`"));
    let gap = up_to_next(p);
    let whole = Span::new(gap.start as usize, gap.end as usize + name.len());
    if p.nth(2) == TokenKind::LParen {
        let message = format!("a kernel begins with its result: `{name}(...) = ...`");
        let error = SyntaxError::new(p.span(), message).label("not needed");
        let error = error.help(format!("what is on the right tells the element type; `{ty}(...)` converts"));
        return error.guess(format!("remove `{word}`"), vec![(gap, String::new())]);
    }
    let error = error.label(format!("`{word}` is written `{ty}`, behind `{name}`"));
    error.guess(format!("write `{name} : {ty}`"), vec![(whole, format!("{name} : {ty}"))])
}

/// `read("f.mtx")`, `"f.mtx"`, `read 'f.mtx'`, `load "f.mtx"`: a file, read in another way than `read "f.mtx"`.
pub(super) fn parse_misread(p: &mut Parser) -> bool {
    let word = p.at(TokenKind::Ident) && matches!(p.peek_text(), "read" | "load" | "open" | "mmread");
    if !word && !p.at(TokenKind::String) {
        return false;
    }
    let (next, line) = (p.next_on_line(), p.rest().lines().next().unwrap_or_default());
    let name = match (p.peek(), next) {
        (TokenKind::String, _) => unquoted(line),
        (TokenKind::Ident, TokenKind::LParen) if word && p.nth(2) == TokenKind::String => unquoted(after(line, '(')),
        (
            TokenKind::Ident,
            TokenKind::String | TokenKind::Ident | TokenKind::Error | TokenKind::Slash | TokenKind::Dot,
        ) if word && !expr::is_operator(p.nth_text(1)) => unquoted(after(line, ' ')),
        _ => return false,
    };
    let name = name.to_string();
    let whole = Span::new(p.span().start as usize, p.span().start as usize + line.trim_end().len());
    let error = SyntaxError::new(whole, format!("a file is read by `read \"{name}\"`"));
    p.report(
        error
            .label("write `read` and the name in quotes")
            .guess(format!("write `read \"{name}\"`"), vec![(whole, format!("read \"{name}\""))]),
    );
    let node = p.open(NodeKind::Read);
    while !p.at_end() && (p.span().start < whole.end) {
        match p.at(TokenKind::String) {
            true => bump_string(p),
            false => p.bump(),
        }
    }
    p.close(node);
    true
}

fn after(line: &str, mark: char) -> &str {
    line.split_once(mark).map_or("", |(_, rest)| rest)
}

/// The name of a file without quotes, spaces and brackets around it.
fn unquoted(text: &str) -> &str {
    let text = text.split("//").next().unwrap_or_default();
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')' | ';'))
}

/// At `y := ...`.
pub(super) fn at_misassigned_name(p: &Parser) -> bool {
    p.rest()[p.peek_text().len()..].trim_start_matches([' ', '\t']).starts_with(":=")
}

/// `y(i) := ...`: consumes the sign that is meant to be `=`.
pub(super) fn parse_misassigned(p: &mut Parser) -> bool {
    if !p.rest().starts_with(":=") {
        return false;
    }
    let start = p.span().start as usize;
    let sign = Span::new(start, start + 2);
    let error = SyntaxError::new(sign, "a statement assigns with `=`, not with `:=`").label("write `=`");
    p.report(error.fix("write `=`", vec![(sign, "=".to_string())]));
    p.bump();
    p.bump();
    true
}

//! Tokens that belong to no statement: reported with what was probably meant, and skipped.

use super::{at_statement_start, bump_string, foreign_type::declaration};
use crate::{
    Checkpoint, NodeKind, Parser, SyntaxError, TokenKind,
    expr::{self, at_expr, products},
    habits::{self, Leading},
};
use nnz_base::{element::Element, source::Span};

/// Whether the current token continues an expression.
pub(super) fn at_operator(p: &Parser) -> bool {
    use TokenKind::*;
    matches!(
        p.peek(),
        Star | Slash | Plus | Minus | EqEq | Ne | Le | Ge | Lt | Gt | Eq | PlusEq | MinusEq | StarEq | SlashEq
    ) || expr::is_operator(p.peek_text())
}

/// Reports a token that no statement starts with.
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
    let uses = p.text_since(start).starts_with("use ");
    if p.rest().starts_with(".=") {
        let sign = Span::new(place.start as usize, place.start as usize + 2);
        let error = SyntaxError::new(sign, "a statement assigns with `=`, not with `.=`").label("write `=`");
        return error.guess("write `=`", vec![(sign, "=".to_string())]);
    }
    if p.rest().starts_with('\\') {
        let error =
            SyntaxError::new(place, "systems of equations are not solved: there is no `\\`").label("no operator");
        return error.help(
            "a quotient of values is written `x / y`; a solver is a loop of kernels such as `y(i) = A(i, j) * x(j)`",
        );
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
        TokenKind::ColonColon => SyntaxError::new(place, "a type stands behind one `:`")
            .label("write `:`")
            .guess("write `:`", vec![(place, ":".to_string())]),
        TokenKind::String => misread(p, start, error),
        _ => error.help("another statement stands on a line of its own, or behind `;`"),
    }
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
    if !before[..before.len() - word.len()].trim_end().ends_with('=') || word.is_empty() {
        return error.help(help);
    }
    let end = p.consumed_end();
    let place = Span::new(end - word.len(), end);
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
    let error = SyntaxError::new(place, format!("no operator stands between `{}` and `{found}`", last_line(before)));
    let error = error.label("an operator is missing in front of this");
    let rest = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default().trim_end();
    let line = Span::new(p.span_since(start).start as usize, place.start as usize + rest.len());
    if let Some(whole) = products::of_subscripts(p.text_at(line)) {
        let error = error.help("indices stand in parentheses");
        return error.guess(format!("write `{whole}`"), vec![(line, whole)]);
    }
    let word = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    let two_numbers = found.starts_with(|c: char| c.is_ascii_digit()) && before.ends_with(|c: char| c.is_ascii_digit());
    match word.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_number {
        _ if two_numbers => error.help("a list is written `[1, 2]`, a product `1 * 2`"),
        true => error.help(format!("write `{word}({found}...)` for a function, `{word} * {found}...` for a product")),
        false if follows_word(p) => error.help("a product is written `a * b`"),
        false => error.guess("write `*`", vec![(gap, " * ".to_string())]),
    }
}

/// At `split(i, i0, i1, 2)`, as TACO writes a step.
fn at_step(p: &Parser) -> bool {
    let steps =
        ["reorder", "split", "divide", "fuse", "pos", "unroll", "vectorize", "parallelize", "bound", "precompute"];
    steps.contains(&p.peek_text()) && p.next_is_joined(TokenKind::LParen)
}

/// A word, and one more behind it: neither is an operand of a product.
fn follows_word(p: &Parser) -> bool {
    use TokenKind::{Float, Ident, Int, String};
    matches!(p.next_on_line(), Ident | Int | Float | String)
}

/// `2i`, `1d3`, `2.5f0`, `0b11`, `1e`: the rest of a number as another language writes it.
fn foreign_number(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let (before, found) = (p.text_since(start), p.peek_text());
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let number = &before[before.len() - digits..];
    let whole = Span::new(p.consumed_end() - digits, place.start as usize + found.len());
    let (letter, rest) = found.split_at(found.chars().next().map_or(0, char::len_utf8));
    let counts = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let based = match (number, letter) {
        ("0", "b" | "B") => u64::from_str_radix(rest, 2).ok(),
        ("0", "o" | "O") => u64::from_str_radix(rest, 8).ok(),
        _ => None,
    };
    if let Some(value) = based {
        let error = SyntaxError::new(whole, "a number is written in decimal digits").label(format!("is {value}"));
        return Some(error.guess(format!("write `{value}`"), vec![(whole, value.to_string())]));
    }
    match letter {
        "d" | "D" | "f" | "F" if counts(rest) => {
            let own = format!("{number}e{rest}");
            let error = SyntaxError::new(whole, format!("an exponent is written with `e`: `{own}`")).label("write `e`");
            Some(error.guess(format!("write `{own}`"), vec![(whole, own)]))
        }
        "x" | "X" if rest.is_empty() && number == "0" && !(p.nth(1) == TokenKind::Eq) => {
            let error = SyntaxError::new(whole, format!("`0{found}` is no number: its digits are missing"));
            Some(error.label("no digits behind this").help("as in `0x1F`; a product is written `0 * x`"))
        }
        "e" | "E" if rest.is_empty() => {
            let error = SyntaxError::new(whole, format!("`{number}{found}` is no number: its exponent is missing"));
            Some(error.label("an exponent has digits").help("as in `1e3`; Euler's number is `e` alone"))
        }
        "i" | "j" | "I" | "J" if rest.is_empty() => Some(imaginary(p, before, digits, whole)),
        _ => None,
    }
}

/// `3 + 2i`, whose `2` has so many digits and ends `before`.
fn imaginary(p: &Parser, before: &str, digits: usize, whole: Span) -> SyntaxError {
    let error = SyntaxError::new(whole, "a complex number is written `(re, im)`: `(3, 2)` for 3 + 2i");
    let error = error.label("no imaginary unit");
    let (front, imaginary) = before.split_at(before.len() - digits);
    let right = front.rsplit('=').next().unwrap_or_default();
    let sum = right.trim();
    let (real, sign) = sum.split_at(sum.len().saturating_sub(1));
    let number = |text: &str| text.parse::<f64>().is_ok();
    let behind = p.rest()[p.peek_text().len()..].lines().next().unwrap_or_default().trim();
    let ends = behind.is_empty() || behind.starts_with("//") || behind.starts_with(';');
    let own = match sign {
        _ if !ends || !front.contains('=') || front.contains('(') => None,
        "" => Some(format!("(0, {imaginary})")),
        "+" if number(real.trim()) => Some(format!("({}, {imaginary})", real.trim())),
        "-" if number(real.trim()) => Some(format!("({}, -{imaginary})", real.trim())),
        _ => None,
    };
    let Some(own) = own else { return error };
    let place = Span::new(whole.start as usize - right.trim_start().len(), whole.end as usize);
    error.guess(format!("write `{own}`"), vec![(place, own)])
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

/// `1x = 3`: digits alone are in front, and an `=` behind the word.
fn names_itself(p: &Parser, before: &str) -> bool {
    let digits = before.bytes().all(|b| b.is_ascii_digit());
    digits && p.nth(1) == TokenKind::Eq
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
    if !before.contains('=') && before.ends_with(')') && before.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let message = format!("no `=` and no operator stands between `{before}` and `{found}`");
        let error = SyntaxError::new(place, message).label("`=` is missing in front of this");
        return Some(error.help(format!("write `{before} = {}` to assign", rest.trim_end())));
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
        Leading::Otherwise(_) if word == "read" && p.next_on_line() == TokenKind::String => {
            SyntaxError::new(place, "what is read needs a name and a format")
                .label("no name")
                .help(format!("as in `A : CSR = read {}`", p.nth_text(1)))
        }
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
    for line in text.split_inclusive(['\n', '\r']) {
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
    let gap = up_to_next(p);
    let whole = Span::new(gap.start as usize, gap.end as usize + name.len());
    if p.nth(2) == TokenKind::LParen {
        let message = format!("a kernel begins with its result: `{name}(...) = ...`");
        let error = SyntaxError::new(p.span(), message).label("not needed");
        let error = error.help(format!("what is on the right tells the element type; `{ty}(...)` converts"));
        return error.guess(format!("remove `{word}`"), vec![(gap, String::new())]);
    }
    let line = p.rest().split('\n').next().unwrap_or_default();
    let line = line.split_inclusive(';').next().unwrap_or_default().trim_end();
    let behind = &line[(whole.end - whole.start) as usize..];
    let whole = Span::new(gap.start as usize, gap.start as usize + line.len());
    let meant = declaration(&name, ty, behind);
    let form = meant.clone().unwrap_or(format!("{name} : {ty} = ..."));
    let error = SyntaxError::new(p.span(), format!("a type stands behind the name: `{form}`"));
    let error = error.label(format!("`{word}` is written `{ty}`, behind `{name}`"));
    match meant {
        Some(meant) => error.guess(format!("write `{meant}`"), vec![(whole, meant)]),
        None => error,
    }
}

/// `read("f.mtx")`, `"f.mtx"`, `read 'f.mtx'`, `load "f.mtx"`: a file, read in another way than `read "f.mtx"`.
pub(super) fn parse_misread(p: &mut Parser) -> bool {
    let word = p.at(TokenKind::Ident) && matches!(p.peek_text(), "read" | "load" | "open" | "mmread");
    let number = |text: &str| text.trim().trim_matches('"').parse::<f64>().is_ok();
    if !word && (!p.at(TokenKind::String) || number(p.peek_text())) {
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
    text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')' | ';' | '“' | '”' | '‘' | '’' | '«' | '»')
    })
}

/// Parses the type on the wrong side of `y(i) = x(i) : CSR`, whose left side ends at `head`, if it is here.
pub(super) fn parse_type_behind(p: &mut Parser, head: usize) -> bool {
    let word = p.nth_text(1);
    let types = ["tensor", "dense", "f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "i1"];
    let named = word.starts_with(|c: char| c.is_ascii_uppercase()) || types.contains(&word);
    if !p.at(TokenKind::Colon) || p.newline_before() || p.next_on_line() != TokenKind::Ident || !named {
        return false;
    }
    let (colon, end, errors) = (p.span(), p.consumed_end(), p.error_count());
    let node = p.open(NodeKind::Error);
    p.bump();
    let from = p.checkpoint();
    super::definition::parse_type_spec(p);
    let ty = p.text_since(from).to_string();
    p.close(node);
    if p.error_count() == errors {
        let behind = Span::new(end, p.consumed_end());
        let error = SyntaxError::new(colon, "the type of a result stands in front of the `=`").label("behind the `=`");
        let edits = vec![(Span::at(head), format!(" : {ty}")), (behind, String::new())];
        p.insert_error(error.guess(format!("write ` : {ty}` in front of the `=`"), edits));
    }
    true
}

/// `CSR = #sparse_tensor.encoding<...>`
pub(super) fn parse_nameless_encoding(p: &mut Parser) {
    let (node, name) = (p.open(NodeKind::Stray), p.span());
    let error = SyntaxError::new(name, format!("the name of an encoding begins with `#`: `#{}`", p.peek_text()));
    p.report(error.label("write `#`").guess("insert `#`", vec![(Span::at(name.start as usize), "#".to_string())]));
    p.bump();
    p.bump();
    p.parse_encoding_slot();
    p.close(node);
}

/// At `#F #sparse_tensor.encoding<...>`, `#F : (i, j) -> (...)`.
pub(super) fn at_alias_without_sign(p: &Parser) -> bool {
    let value = 1 + usize::from(p.nth(1) == TokenKind::Colon);
    let encoding = p.nth(value) == TokenKind::HashId && p.nth_text(value).starts_with("#sparse_tensor");
    !p.peek_text().contains('.') && encoding
}

pub(super) fn parse_alias_without_sign(p: &mut Parser) {
    let node = p.open(NodeKind::Stray);
    p.bump();
    let end = Span::at(p.consumed_end());
    let error = match p.at(TokenKind::Colon) {
        true => SyntaxError::new(p.span(), "an encoding is named with `=`, not with `:`")
            .label("write `=`")
            .guess("write `=`", vec![(p.span(), "=".to_string())]),
        false => SyntaxError::new(p.span(), "`=` is missing between the name of an encoding and the encoding")
            .label("no `=` in front of this")
            .guess("insert `=`", vec![(end, " =".to_string())]),
    };
    p.report(error);
    p.eat(TokenKind::Colon);
    p.parse_encoding_slot();
    p.close(node);
}

/// At `y := ...`.
pub(super) fn at_misassigned_name(p: &Parser) -> bool {
    p.rest()[p.peek_text().len()..].trim_start_matches([' ', '\t']).starts_with(":=")
}

/// Consumes `=`, or a token that is meant as it.
pub(super) fn eat_sign(p: &mut Parser) -> bool {
    parse_misassigned(p) || p.eat(TokenKind::Eq)
}

/// `y(i) := ...`, `y =: 3`: consumes the sign that is meant to be `=`.
pub(super) fn parse_misassigned(p: &mut Parser) -> bool {
    let Some(written) = [":=", "=:"].into_iter().find(|sign| p.rest().starts_with(sign)) else { return false };
    let start = p.span().start as usize;
    let sign = Span::new(start, start + 2);
    let error =
        SyntaxError::new(sign, format!("a statement assigns with `=`, not with `{written}`")).label("write `=`");
    p.report(error.fix("write `=`", vec![(sign, "=".to_string())]));
    p.bump();
    p.bump();
    true
}

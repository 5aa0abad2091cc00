//! `A : tensor<3x4xf64, CSR> = ...`, `x = [1, 2]`.

use super::{
    foreign_type::{parse_foreign_type, rust_type},
    habit::{eat_sign, parse_type_behind},
    init::parse_init,
    program::{calls_at, parse_program_call},
    schedule::parse_schedule,
};
use crate::{
    NodeKind, Parser, SyntaxError, TokenKind,
    expr::{Lines, parse_expr},
    habits::COUNTED,
    parser::line_start,
    words::is_bare,
};
use nnz_base::{element::Element, source::Span};

pub(super) fn parse_definition(p: &mut Parser) {
    let (node, name) = (p.open(NodeKind::Definition), p.span());
    p.bump();
    let (colon, sign) = (Span::new(p.consumed_end(), p.span().end as usize), p.span());
    p.bump();
    if p.at(TokenKind::Colon) && !p.newline_before() {
        let error = SyntaxError::new(p.span(), "a type stands behind one `:`").label("a second `:`");
        p.report(error.guess("remove it", vec![(p.span(), String::new())]));
        p.bump();
    }
    if at_value_alone(p) {
        report_colon(p, sign);
        parse_init(p, Lines::End);
        return p.close(node);
    }
    if p.at(TokenKind::Eq) && !p.newline_before() {
        report_no_type(p, colon);
    } else if at_element_with_indices(p) {
        parse_element_with_indices(p, colon);
    } else {
        let errors = p.error_count();
        parse_type_spec(p);
        parse_second_type(p);
        if p.error_count() > errors && !p.at_line_end() {
            p.skip_until(|p| p.at(TokenKind::Eq) || p.at(TokenKind::Semicolon) || p.newline_before());
        }
    }
    if p.at_end() || p.at_line_end() && !p.at_continuation() {
        p.error_expected("`=` and what it is made from", &["= read \"file.mtx\"", "= [[1, 0], [0, 2]]", "= A"]);
    } else if !eat_sign(p) {
        if !report_typed_results(p, name) {
            report_missing_sign(p);
        }
        // `B : CSR : A`: no command begins there.
        if p.at(TokenKind::Colon) {
            let rest = p.open(NodeKind::Error);
            p.bump();
            parse_expr(p, Lines::End);
            p.close(rest);
        }
    } else {
        match calls_at(p, 0) {
            true => parse_program_call(p),
            false => parse_init(p, Lines::End),
        }
        report_type_again(p);
        parse_schedule(p);
    }
    p.close(node);
}

/// At the list of `x : [1, 2]`, behind which no `=` stands.
fn at_value_alone(p: &Parser) -> bool {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    p.at(TokenKind::LBracket) && !p.newline_before() && !line.contains('=') && rust_type(p.rest()).is_none()
}

fn report_colon(p: &mut Parser, sign: Span) {
    let error = SyntaxError::new(sign, "a value stands behind `=`, not behind `:`").label("a type stands behind this");
    p.report(error.guess("write `=`", vec![(sign, "=".to_string())]));
}

/// `u : = [1, 2]`
fn report_no_type(p: &mut Parser, colon: Span) {
    if p.nth(1) != TokenKind::LBracket {
        return p.error_expected("a type", &["tensor<4x4xf64, CSR>", "f64", "CSR"]);
    }
    let error = SyntaxError::new(p.span(), "no type stands between `:` and `=`").label("a type in front of this");
    p.report(error.guess("remove `:`", vec![(colon, String::new())]));
}

/// At the type of `y : f64(i, j) = ...`.
fn at_element_with_indices(p: &Parser) -> bool {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let inside = line.split_once('(').and_then(|(_, behind)| behind.split_once(')'));
    let names = inside.is_some_and(|(names, _)| names.split(',').all(is_bare));
    at_element(p) && !p.newline_before() && names && Element::parse(p.peek_text()).is_some()
}

/// `y : f64(i) = x(i)`: the indices stand behind the name, and the type follows from the right side.
fn parse_element_with_indices(p: &mut Parser, colon: Span) {
    let (errors, from) = (p.error_count(), p.checkpoint());
    let node = p.open(NodeKind::Error);
    let element = p.span();
    p.bump();
    let indices = p.checkpoint();
    p.skip_token_tree();
    let indices = p.text_since(indices).to_string();
    p.close(node);
    let error = SyntaxError::new(p.span_since(from), "the indices of a result stand behind its name");
    let edits = vec![(colon.cover(p.span_since(from)), indices.clone())];
    let error = error.label(format!("`{}` is its type", p.text_at(element)));
    if p.error_count() == errors {
        p.insert_error(error.guess(format!("write `{indices}` behind the name"), edits));
    }
}

/// `b : f64, n : i32 = @f(x)`: the results of a function have the types that it gives them.
fn report_typed_results(p: &mut Parser, name: Span) -> bool {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let Some((left, right)) = line.split_once('=').filter(|_| p.at(TokenKind::Comma)) else { return false };
    let others: Vec<&str> = left.split(',').skip(1).filter_map(|part| part.split(':').next()).map(str::trim).collect();
    if !right.trim_start().starts_with('@') || !others.iter().all(|other| is_bare(other)) {
        return false;
    }
    let end = p.span().start as usize + left.trim_end().len();
    let (whole, place) = (Span::new(name.start as usize, end), Span::new(name.end as usize, end));
    let meant = format!("{}, {}", p.text_at(name), others.join(", "));
    let error = SyntaxError::new(place, "several results of a function take no types: it gives them their own");
    p.report(error.label("types").guess(format!("write `{meant} = ...`"), vec![(whole, meant)]));
    true
}

/// `u : tensor<2xf64> = [1, 2] : tensor<2xf64>`
fn report_type_again(p: &mut Parser) {
    if !p.at(TokenKind::Colon) || p.newline_before() || !matches!(p.nth_text(1), "tensor" | "dense" | "f64" | "f32") {
        return;
    }
    let (colon, end, errors) = (p.span(), p.consumed_end(), p.error_count());
    let node = p.open(NodeKind::Error);
    p.bump();
    parse_type_spec(p);
    p.close(node);
    if p.error_count() == errors {
        let error = SyntaxError::new(colon, "the type stands in front of the `=` already").label("a second type");
        p.insert_error(error.guess("remove it", vec![(Span::new(end, p.consumed_end()), String::new())]));
    }
}

/// Reports text in place of `=`: `C : BSR 2 2 = A`, `C : CSR f32 = A`, `y : f64, z : f64 = 3`.
#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of tokens are many")]
pub(super) fn report_missing_sign(p: &mut Parser) {
    let (place, found) = (p.span(), p.peek_text().trim_end().to_string());
    if let Some(error) = command_behind(p) {
        return p.report(error);
    }
    let error = SyntaxError::new(place, format!("expected `=`, found `{found}`")).label("expected `=`");
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    let sizes = line.split('=').next().unwrap_or_default();
    let more = line.contains('=');
    let found = found.as_str();
    p.report(match p.peek() {
        TokenKind::Int if more => {
            let numbers: Vec<&str> = sizes.split_whitespace().collect();
            let whole = Span::new(p.consumed_end(), place.start as usize + sizes.trim_end().len());
            let own = format!("({})", numbers.join(", "));
            let error = error.help("numbers of a format stand in parentheses, as in `BSR(2, 2)`");
            match numbers.iter().all(|number| number.bytes().all(|b| b.is_ascii_digit())) {
                true => error.guess(format!("write `{own}`"), vec![(whole, own)]),
                false => error,
            }
        }
        TokenKind::Colon if p.next_is_joined(TokenKind::Eq) => {
            let sign = Span::new(place.start as usize, place.end as usize + 1);
            error.label("write `=`").guess("write `=`", vec![(sign, "=".to_string())])
        }
        TokenKind::EqEq | TokenKind::Colon => {
            let error = error.label(format!("a value stands behind `=`, not behind `{found}`"));
            error.guess("write `=`", vec![(place, "=".to_string())])
        }
        TokenKind::Gt => {
            let error = error.label("closes nothing");
            error.guess("remove it", vec![(place, String::new())])
        }
        TokenKind::Comma if line[1..].trim_start().starts_with('=') => {
            error.label("not needed").guess("remove `,`", vec![(place, String::new())])
        }
        TokenKind::Comma if line[1..].split('=').next().is_some_and(|more| more.contains(':')) => {
            error.help("a statement defines one name, of one type: write one for each")
        }
        TokenKind::Comma if is_element(line[1..].split('=').next().unwrap_or_default()) => {
            error.help("the element type and the format stand within one type: `tensor<?x?xf32, CSR>`")
        }
        TokenKind::Comma if more && line.split('=').nth(1).is_some_and(|right| right.trim_start().starts_with('@')) => {
            error.help("several results of a function take no types: `a, b = @f(x)`")
        }
        TokenKind::Comma => error.help("a tensor has one format, within its type: `tensor<?x?xf32, CSR>`"),
        TokenKind::Ident if more => error.help("a type with a format is written `tensor<4x4xf32, CSR>`"),
        TokenKind::Ident | TokenKind::LBracket | TokenKind::Int | TokenKind::Float => {
            error.guess("insert `=`", vec![(Span::at(place.start as usize), "= ".to_string())])
        }
        _ => error,
    });
}

/// `levels :show A`, at the `A`: what a command shows stands behind it.
fn command_behind(p: &Parser) -> Option<SyntaxError> {
    let (end, line) = (p.consumed_end(), p.rest().split(['\n', '\r', ';']).next()?);
    let start = line_start(p, end);
    let (view, command) = p.text_at(Span::new(start, end)).split_once(" :")?;
    let operand = line.split("//").next()?.trim_end();
    (command == "show" && is_bare(view) && is_bare(operand)).then_some(())?;
    let meant = format!(":show {view} {operand}");
    let whole = Span::new(start, p.span().start as usize + operand.len());
    let sign = Span::new(end - ":show".len(), end);
    let error = SyntaxError::new(sign, format!("a command begins its line: `{meant}`")).label("not at the beginning");
    Some(error.guess(format!("write `{meant}`"), vec![(whole, meant)]))
}

fn is_element(text: &str) -> bool {
    Element::parse(text.trim()).is_some()
}

/// `x = [1, 2]`: a dense tensor whose type follows from the literal. If it does not, the checker reports it.
pub(super) fn parse_untyped(p: &mut Parser) {
    let node = p.open(NodeKind::Definition);
    p.bump();
    let head = p.consumed_end();
    eat_sign(p);
    parse_init(p, Lines::End);
    report_range(p);
    parse_type_behind(p, head);
    parse_schedule(p);
    p.close(node);
}

/// `y = 1:5`, `y = 1:2:9`
fn report_range(p: &mut Parser) {
    if !p.at(TokenKind::Colon) || !p.next_is_joined(TokenKind::Int) || p.newline_before() {
        return;
    }
    let error = SyntaxError::new(p.span(), "a range is no value").label("stands in windows and reductions alone");
    p.report(error.help(COUNTED));
    let node = p.open(NodeKind::Error);
    while p.at(TokenKind::Colon) && !p.newline_before() {
        p.bump();
        parse_expr(p, Lines::End);
    }
    p.close(node);
}

/// `tensor<2x3xf64> : CSR`, after its first part: reported and skipped.
pub(super) fn parse_second_type(p: &mut Parser) {
    if !p.at(TokenKind::Colon)
        || p.newline_before()
        || !matches!(p.next_on_line(), TokenKind::Ident | TokenKind::HashId)
    {
        return;
    }
    let (first, colon, errors) = (p.last_span(), p.span(), p.error_count());
    if assigns_by_colon(p) {
        return;
    }
    let node = p.open(NodeKind::Error);
    p.bump();
    let from = p.checkpoint();
    parse_type_spec(p);
    let second = p.text_since(from).to_string();
    p.close(node);
    if p.error_count() > errors {
        return;
    }
    let error =
        SyntaxError::new(colon, "a format stands within the type: `tensor<4x4xf64, CSR>`").label("a second type");
    // The `>` that ends the first type.
    let whole = p.text_at(first) == ">" && !second.contains('<');
    let edits = vec![
        (Span::at(first.start as usize), format!(", {second}")),
        (Span::new(first.end as usize, p.consumed_end()), String::new()),
    ];
    p.insert_error(match whole {
        true => error.guess(format!("write `, {second}` within the type"), edits),
        false => error,
    });
}

/// At the second `:` of `B : CSR : A`, which has no `=`.
fn assigns_by_colon(p: &Parser) -> bool {
    let line = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    !line.split("//").next().unwrap_or_default().contains('=')
}

/// A type, an encoding, or the name of a format or element type.
pub(super) fn parse_type_spec(p: &mut Parser) {
    let node = p.open(NodeKind::TypeSpec);
    if p.newline_before() && at_element(p) {
        p.error_expected("a type", &["tensor<4x4xf64, CSR>", "f64", "CSR"]);
    } else if p.at(TokenKind::BangId) {
        let error = SyntaxError::new(p.span(), "types have no names in a session").label("write the type itself");
        p.report(error.help("as in `tensor<3x4xf64, CSR>`"));
        p.bump();
    } else if p.at(TokenKind::String) {
        parse_quoted_type(p);
    } else if parse_foreign_type(p) {
    } else if p.at_tensor_type() || p.at_word("complex") {
        p.parse_type();
    } else if p.at(TokenKind::Ident) {
        let word = p.span();
        p.parse_format_name();
        parse_angles_of_format(p, word);
    } else {
        p.parse_encoding_slot();
    }
    p.close(node);
}

/// `"CSR"`
fn parse_quoted_type(p: &mut Parser) {
    let (place, text) = (p.span(), p.peek_text().trim().trim_matches('"').to_string());
    let error =
        SyntaxError::new(place, format!("a type is written without quotes: `{text}`")).label("a string, no type");
    p.report(error.guess("remove the quotes", vec![(place, text)]));
    p.bump();
}

/// The formats that are always of two dimensions, and take no numbers.
const OF_MATRICES: &[&str] = &["CSR", "CSC", "DCSR", "DCSC"];

/// `CSR<f64>`
fn parse_angles_of_format(p: &mut Parser, word: Span) {
    if !p.at(TokenKind::Lt) || !p.joined() {
        return;
    }
    let from = p.checkpoint();
    let node = p.open(NodeKind::Error);
    let place = p.span();
    p.skip_angles();
    p.close(node);
    let angles = p.span_since(from);
    let numbers = p.text_at(angles).trim_matches(['<', '>']).split(',').map(str::trim);
    if numbers.clone().all(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())) {
        let own = format!("({})", numbers.collect::<Vec<_>>().join(", "));
        let error = SyntaxError::new(angles, "the numbers of a format stand in parentheses").label("use parentheses");
        return p.insert_error(error.guess(format!("write `{own}`"), vec![(angles, own)]));
    }
    if p.text_at(angles).contains('x') {
        let (word_text, inside) = (p.text_at(word), p.text_at(angles));
        let format = word_text.to_ascii_uppercase();
        let named = OF_MATRICES.contains(&format.as_str()) || format == "COO";
        let meant = match inside.strip_suffix('>').filter(|inside| named && !inside.contains(',')) {
            Some(inside) => {
                let ends_in_size =
                    inside.ends_with(|c: char| c.is_ascii_digit() && !inside.contains(['f', 'i', 'u', 'c']));
                format!("tensor{inside}{}, {format}>", if ends_in_size || inside.ends_with('?') { "xf64" } else { "" })
            }
            None => format!("tensor{inside}"),
        };
        let message = format!("the type of a tensor is written `{meant}`");
        let error = SyntaxError::new(word, message).label(format!("`{word_text}` is no type here"));
        return p.insert_error(error.guess(format!("write `{meant}`"), vec![(word.cover(angles), meant)]));
    }
    let message = "a format takes no `<...>`: the whole type is written `tensor<4x4xf64, CSR>`";
    let error = SyntaxError::new(place, message).label("no part of a format's name");
    let (name, element) = (p.text_at(word), p.text_at(angles).trim_matches(['<', '>']).trim());
    let whole = format!("tensor<?x?x{element}, {name}>");
    // Another fix would drop what the brackets say.
    p.insert_error(match OF_MATRICES.contains(&name) && Element::parse(element).is_some() {
        true => error.guess(format!("write `{whole}`"), vec![(word.cover(angles), whole)]),
        false => error,
    });
}

/// `y(i)`: on another line it begins another statement, as a format has numbers in its brackets.
fn at_element(p: &Parser) -> bool {
    p.at(TokenKind::Ident) && p.nth(1) == TokenKind::LParen && p.nth(2) == TokenKind::Ident
}

#[cfg(test)]
mod tests {
    use crate::session::tests::check;
    use expect_test::expect;

    #[test]
    fn definitions() {
        check(
            "x : f64 = -2.5 // a scalar\nA : CSR =\n  [[1, 0],\n   [0, 2]]\nB : CSC = sparse<[[0, 1]], 3>; C : CSR = read \"c.mtx\"",
            expect![[r#"
                Definition "x : f64 = -2.5"
                  TypeSpec "f64"
                    FormatName "f64"
                  Unary "-2.5"
                    Number "2.5"
                Definition "A : CSR =\n  [[1, 0],\n   [0, 2]]"
                  TypeSpec "CSR"
                    FormatName "CSR"
                  ListLiteral "[[1, 0],\n   [0, 2]]"
                    ListLiteral "[1, 0]"
                      Number "1"
                      Number "0"
                    ListLiteral "[0, 2]"
                      Number "0"
                      Number "2"
                Definition "B : CSC = sparse<[[0, 1]], 3>"
                  TypeSpec "CSC"
                    FormatName "CSC"
                  SparseLiteral "sparse<[[0, 1]], 3>"
                    ListLiteral "[[0, 1]]"
                      ListLiteral "[0, 1]"
                        Number "0"
                        Number "1"
                    Number "3"
                Definition "C : CSR = read \"c.mtx\""
                  TypeSpec "CSR"
                    FormatName "CSR"
                  Read "read \"c.mtx\""
            "#]],
        );
    }
}

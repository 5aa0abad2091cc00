//! Two operands in a row: without an operator between them, or with something else missing there.

use super::{
    calls::{argument_behind, listed_behind, reduced},
    is_step,
    neighbours::{self, least},
    numbers::names_itself,
    semirings::{semiring_sign, torn_semiring},
};
use crate::{
    Checkpoint, Parser, SyntaxError, TokenKind,
    expr::products,
    habits,
    parser::numbers::foreign_number,
    words::{is_bare, is_function},
};
use nnz_base::{element::Element, source::Span};

/// `2x`, `A(i, j) x(j)`, `exp x(i)`, `0.5f`
pub(super) fn juxtaposed(p: &Parser, start: Checkpoint, place: Span) -> SyntaxError {
    let before = p.text_since(start);
    let found = p.peek_text();
    let gap = Span::new(p.consumed_end(), place.start as usize);
    if before.starts_with("--") {
        let start = p.span_since(start).start as usize;
        let sign = Span::new(start, start + 2);
        let error = SyntaxError::new(sign, "a comment begins with `//`").label("write `//`");
        return error.guess("write `//`", vec![(sign, "//".to_string())]);
    }
    if let Some(error) = comment_behind(p, before) {
        return error;
    }
    let is_number = before.ends_with(|c: char| c.is_ascii_digit() || c == '.') && p.joined();
    if is_number && matches!(found, "f" | "F" | "d" | "D" | "L" | "l" | "u" | "U") {
        let error = SyntaxError::new(place, format!("numbers have no suffix: `{found}` is none"));
        return error.label("not part of the number").fix("remove it", vec![(place, String::new())]);
    }
    if let Some(error) = is_number.then(|| foreign_number(p, before, place)).flatten() {
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
    if let Some(error) = type_in_front(p, before, place)
        .or_else(|| type_without_colon(p, before, place))
        .or_else(|| other_statement(p, start, place))
    {
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
    if let Some(error) = named_without_parentheses(p, before, word, gap) {
        return error;
    }
    if let Some(argument) = listed_behind(word, p.rest()).or_else(|| argument_behind(word, p.rest())) {
        let error = SyntaxError::new(place, format!("the argument of `{word}` stands in parentheses"));
        let error = error.label("an argument without parentheses");
        if let Some((body, edits)) = reduced_behind(p, word, argument, (place, gap)) {
            return error.guess(format!("write `{word}({argument}, {body})`"), edits);
        }
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
        true if let Some((line, whole)) = matrices(p, start, place) => {
            error.help("a product names its indices").guess(format!("write `{whole}`"), vec![(line, whole)])
        }
        true if p.next_on_line() == TokenKind::Newline || p.next_on_line() == TokenKind::Eof => {
            let end = Span::at(place.start as usize + found.len());
            error.guess(format!("write `{word}({found})`"), vec![(gap, "(".to_string()), (end, ")".to_string())])
        }
        true if is_function(word) => {
            error.help(format!("what `{word}` takes stands in parentheses: `{word}({found}...)`"))
        }
        true => error.help(format!("a product is written `{word} * {found}...`")),
        false if follows_word(p) => error.help("a product is written `a * b`"),
        false => error.guess("write `*`", vec![(gap, " * ".to_string())]),
    }
}

/// `x(i) -- as before`, at its second word.
fn comment_behind(p: &Parser, before: &str) -> Option<SyntaxError> {
    let line = last_line(before);
    let (_, words) = line.rsplit_once(" -- ")?;
    let prose = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
    let start = p.consumed_end() - words.len() - " -- ".len() + 1;
    let sign = Span::new(start, start + 2);
    (prose(words) && prose(p.peek_text())).then(|| {
        let error = SyntaxError::new(sign, "a comment begins with `//`").label("write `//`");
        error.guess("write `//`", vec![(sign, "//".to_string())])
    })
}

/// At `split(i, i0, i1, 2)`, as TACO writes a step.
fn at_step(p: &Parser) -> bool {
    is_step(p.peek_text()) && p.next_is_joined(TokenKind::LParen)
}

/// `schedule unroll i, 2`
fn step_without_parentheses(p: &Parser, before: &str, word: &str, gap: Span) -> Option<SyntaxError> {
    let scheduled = before.split_whitespace().any(|word| word == "schedule") && is_step(word);
    let arguments = neighbours::rest_of_line(p);
    if let Some(meant) = split_in_words(word, arguments).filter(|_| scheduled) {
        let whole = Span::new(gap.start as usize - word.len(), p.span().start as usize + arguments.len());
        let error = SyntaxError::new(p.span(), format!("what a step takes stands in parentheses: `{meant}`"));
        let error = error.label("no `(` in front of this");
        return Some(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    }
    let meant = format!("{word}({arguments})");
    let end = Span::at(p.span().start as usize + arguments.len());
    scheduled.then(|| {
        let error = SyntaxError::new(p.span(), format!("what a step takes stands in parentheses: `{meant}`"));
        let edits = vec![(gap, "(".to_string()), (end, ")".to_string())];
        error.label("no `(` in front of this").guess(format!("write `{meant}`"), edits)
    })
}

/// `split(k, k0, k1, 4)` for `split k by 4`.
fn split_in_words(word: &str, arguments: &str) -> Option<String> {
    let parts: Vec<&str> = arguments.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    let (of, size) = match parts.as_slice() {
        [of, "by" | "into" | "in", size] | [of, size] => (of, size),
        _ => return None,
    };
    let fits = matches!(word, "split" | "divide") && is_bare(of) && size.parse::<u32>().is_ok();
    fits.then(|| format!("{word}({of}, {of}0, {of}1, {size})"))
}

/// `P = poisson2d n = 4`, at the `n`: arguments with names, without their parentheses.
fn named_without_parentheses(p: &Parser, before: &str, word: &str, gap: Span) -> Option<SyntaxError> {
    let (head, right) = before.split_once('=').filter(|(_, right)| right.trim() == word && is_bare(right))?;
    let arguments = neighbours::rest_of_line(p);
    let named = p.nth(1) == TokenKind::Eq && !arguments.contains(['(', ')']);
    named.then_some(())?;
    let meant = format!("{}({arguments})", right.trim());
    let end = Span::at(p.span().start as usize + arguments.len());
    let mut edits = vec![(gap, "(".to_string()), (end, ")".to_string())];
    if is_bare(head) {
        let behind = p.consumed_end() - before.len() + head.trim_end().len();
        edits.insert(0, (Span::at(behind), " : CSR".to_string()));
    }
    let error = SyntaxError::new(p.span(), format!("what `{word}` takes stands in parentheses: `{meant}`"));
    Some(error.label("no `(` in front of this").guess(format!("write `{meant}`"), edits))
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

/// A word, and another one after it: neither is an operand of a product.
fn follows_word(p: &Parser) -> bool {
    use TokenKind::{Float, Ident, Int, String};
    matches!(p.next_on_line(), Ident | Int | Float | String)
}

/// `CSR A = [[1, 0], [0, 2]]`, `BSR(2, 2) C(i, j) = ...`: the type, and behind it the name.
fn type_in_front(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let (written, sizes) = before.split_at(before.find('(').unwrap_or(before.len()));
    let format = habits::format_name(written.trim())?;
    let line = neighbours::rest_of_line(p);
    let head =
        line.split('=').next().filter(|head| head.len() < line.len() && !line[head.len()..].starts_with("=="))?;
    let name = head.trim_end();
    let fine = is_bare(name.split('(').next()?) && (name.ends_with(')') || !name.contains('('));
    // Between a name and a type, both capital letters, the one that is no format is the name.
    let typed = habits::format_name(p.peek_text()).is_some();
    let meant = format!("{name} : {format}{sizes}");
    let start = p.consumed_end() - before.len();
    let (written_type, whole) =
        (Span::new(start, p.consumed_end()), Span::new(start, place.start as usize + name.len()));
    let error = SyntaxError::new(written_type, format!("a type stands behind the name: `{meant} = ...`"));
    let error = error.label(format!("write it behind `{name}`"));
    (fine && !typed).then(|| error.guess(format!("write `{meant}`"), vec![(whole, meant)]))
}

/// `B CSR = A`, `C(i, j) CSR = ...`, `B tensor<3x4xf64> = ...`: the name, and a type after it.
fn type_without_colon(p: &Parser, before: &str, place: Span) -> Option<SyntaxError> {
    let line = p.rest().split(['\n', ';']).next().unwrap_or_default();
    let found = p.peek_text();
    // A capital letter alone is a tensor's name.
    let capital = found.len() > 1 && found.starts_with(|c: char| c.is_ascii_uppercase());
    let typed = found == "tensor" || capital || Element::parse(found).is_some();
    let name = before.split('(').next().unwrap_or_default();
    let indices = &before[name.len()..];
    let indexed = indices.is_empty() || indices.find(')') == Some(indices.len() - 1);
    let name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let assigns = line.replace("==", "").contains('=');
    if !name || !indexed || !typed || !assigns || p.joined() {
        return None;
    }
    let error = SyntaxError::new(place, format!("`:` is missing between `{before}` and its type"));
    let edits = vec![(Span::at(p.consumed_end()), " :".to_string())];
    Some(error.label("no `:` in front of this").guess("insert `:`", edits))
}

/// `z(i) = y(i)`, `B : CSR = A`
fn begins_assignment(rest: &str) -> bool {
    let Some((left, right)) = rest.split_once('=') else { return false };
    let name = left.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let target = name.trim();
    let indexed = target.starts_with('(') && target.ends_with(')') && target.matches('(').count() == 1;
    let compares = right.starts_with('=') || left.ends_with(['<', '>', '!', '=']);
    name.len() < left.len() && !compares && (target.is_empty() || indexed || target.starts_with(':'))
}

/// `y(i) A(i, j)`, `sum(j) A(i, j)`, `use csr.mlir`: what lacks something else than an operator.
fn other_statement(p: &Parser, start: Checkpoint, place: Span) -> Option<SyntaxError> {
    let (before, found) = (p.text_since(start), p.peek_text());
    let rest = p.rest().split(['\n', '\r', ';']).next().unwrap_or_default();
    if before == "use" {
        return Some(neighbours::unquoted_file(p, place));
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
    // `poisson2d n = 4` lacks parentheses.
    let ends = before.ends_with([')', ']', '>', '"']) || before.ends_with(|c: char| c.is_ascii_digit());
    if before.contains('=') && ends && begins_assignment(rest) {
        let error = SyntaxError::new(place, "statements on one line are separated by `;`").label("another statement");
        return Some(error.guess("insert `;`", vec![(Span::at(p.consumed_end()), ";".to_string())]));
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

/// `y(i) = A(i, j) * x(j)` for `y = A x`, of whose names one begins with a capital letter.
fn matrices(p: &Parser, start: Checkpoint, place: Span) -> Option<(Span, String)> {
    let (head, left) = p.text_since(start).split_once('=')?;
    let right = neighbours::rest_of_line(p);
    let capital = [left.trim(), right].iter().any(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
    let (name, ty) = head.split_once(':').map_or((head, None), |(name, ty)| (name, Some(ty.trim())));
    // What is defined here is no operand of it.
    let itself = [left.trim(), right].contains(&name.trim());
    let whole = products::of_names(&format!("{} =", name.trim()), &[left, right]).filter(|_| capital && !itself)?;
    let whole = match ty {
        Some(ty) => whole.replacen(" = ", &format!(" : {ty} = "), 1),
        None => whole,
    };
    Some((Span::new(p.span_since(start).start as usize, place.start as usize + right.len()), whole))
}

/// The ` A(i, j) * x(j)` of `sum j A(i, j) * x(j)`, and what makes it `sum(j, A(i, j) * x(j))`.
fn reduced_behind<'t>(
    p: &'t Parser,
    word: &str,
    argument: &str,
    (place, gap): (Span, Span),
) -> Option<(&'t str, Vec<(Span, String)>)> {
    let behind = p.rest().get(argument.len()..)?;
    let body = behind.split(['\n', '\r', ';']).next()?.split("//").next()?.trim_end();
    let is_var = argument.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let reduces = matches!(word, "sum" | "prod" | "min" | "max" | "any" | "all" | "argmin" | "argmax");
    (is_var && reduces && body.trim_start().starts_with(|c: char| c.is_alphanumeric())).then_some(())?;
    let comma = place.start as usize + argument.len();
    let end = Span::at(comma + body.len());
    Some((body.trim(), vec![(gap, "(".to_string()), (Span::at(comma), ",".to_string()), (end, ")".to_string())]))
}

//! Sparse matrices as Python writes them: `csr_matrix((data, (rows, columns)), shape=(3, 3))`, `{(0, 1): 2.0}`.

use crate::{NodeKind, Parser, SyntaxError, TokenKind};
use nnz_base::source::Span;

/// At `csr_matrix((...`: arrays, and no tensor.
pub(super) fn at_matrix(p: &Parser) -> bool {
    let name = p.peek_text().rsplit('.').next().unwrap_or_default();
    let made = name.ends_with("_matrix") || name.ends_with("_array");
    made && p.nth(1) == TokenKind::LParen && p.nth(2) == TokenKind::LParen
}

pub(super) fn parse_matrix(p: &mut Parser) {
    let name = p.peek_text().to_string();
    let length = name.len() + balanced(&p.rest()[name.len()..]);
    let whole = p.rest()[..length].to_string();
    let message = format!("there is no `{name}`: entries are listed by `sparse<...>`, coordinates first");
    let (place, literal) = (p.span(), of_arrays(&whole, name.contains("csc")));
    let error = SyntaxError::new(place, message).label("no function");
    let error = error.help(of_sizes(shape(&whole).unwrap_or("?x?x".to_string()), literal.as_deref()));
    pass_over(p, error, length, literal);
}

/// At `{(0, 1): 2.0}`, `{0: 2.0}` or `{0: {1: 2.0}}`: a brace, with a `:` behind the first key.
pub(crate) fn at_dictionary(p: &Parser) -> bool {
    if !p.at(TokenKind::LBrace) {
        return false;
    }
    let bracketed = matches!(p.nth(1), TokenKind::LParen | TokenKind::LBracket);
    let key = if bracketed { p.rest().find([')', ']']).map_or(0, |end| end + 1) } else { 1 };
    let line = p.rest().split(['\n', '\r']).next().unwrap_or_default();
    let behind = line.get(key..).unwrap_or_default();
    let sign = behind.find([':', '=', '}']).and_then(|at| behind.get(at..));
    sign.is_some_and(|sign| sign.starts_with(':') || key > 1 && sign.starts_with('='))
}

pub(crate) fn parse_dictionary(p: &mut Parser) {
    let length = balanced(p.rest());
    let entries = of_pairs(&p.rest()[..length]);
    let literal = entries.as_ref().map(|(entries, values)| literal(entries, values));
    let rank = entries.as_ref().and_then(|(entries, _)| entries.first()).map_or(2, Vec::len);
    let error = SyntaxError::new(p.span(), "entries are listed by `sparse<...>`, coordinates first").label("no list");
    let error = error.help(of_sizes("?x".repeat(rank), literal.as_deref()));
    pass_over(p, error, length, literal);
}

/// How to write it with these sizes, or with `?`.
fn of_sizes(sizes: String, literal: Option<&str>) -> String {
    let literal = literal.unwrap_or("sparse<[[0, 1], [2, 0]], [1.5, 2.5]>");
    let format = if sizes.matches('x').count() == 2 { "CSR" } else { "COO" };
    format!("the type tells the sizes: `A : tensor<{sizes}f64, {format}> = {literal}`")
}

fn pass_over(p: &mut Parser, error: SyntaxError, length: usize, literal: Option<String>) {
    let start = p.span().start as usize;
    p.report(match literal {
        Some(literal) => error.guess("write the entries so", vec![(Span::new(start, start + length), literal)]),
        None => error,
    });
    let node = p.open(NodeKind::Error);
    p.bump_until(start + length);
    p.close(node);
}

/// The length of a text up to the end of the bracket that it begins with, or of its line.
fn balanced(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth <= 1 => return at + 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    text.lines().next().map_or(0, str::len)
}

/// `3x4x` of `shape=(3, 4)`.
fn shape(call: &str) -> Option<String> {
    let (_, sizes) = call.split_once("shape")?;
    let sizes = sizes.split_once('(')?.1.split(')').next()?;
    let number = |size: &str| size.trim().parse::<u64>().ok().map(|size| format!("{size}x"));
    sizes.split(',').filter(|size| !size.trim().is_empty()).map(number).collect()
}

/// Of `(data, (rows, columns))`, or of `(data, indices, indptr)`.
fn of_arrays(call: &str, by_columns: bool) -> Option<String> {
    let [values, first, second] = lists(call)?.try_into().ok()?;
    let behind = call.split_once(']')?.1.trim_start_matches([',', ')', ' ', '\n']);
    let pairs = behind.starts_with('(');
    let entries: Vec<Vec<String>> = match pairs {
        true => first.into_iter().zip(second).map(|(row, column)| vec![row, column]).collect(),
        false => of_segments(&first, &second, by_columns)?,
    };
    (entries.len() == values.len()).then(|| literal(&entries, &values))
}

fn of_segments(indices: &[String], ends: &[String], by_columns: bool) -> Option<Vec<Vec<String>>> {
    let ends: Vec<usize> = ends.iter().map(|end| end.parse().ok()).collect::<Option<_>>()?;
    let mut entries = Vec::new();
    for (row, segment) in ends.windows(2).enumerate() {
        for column in indices.get(segment[0]..segment[1])? {
            let entry = vec![row.to_string(), column.clone()];
            entries.push(if by_columns { entry.into_iter().rev().collect() } else { entry });
        }
    }
    Some(entries)
}

/// The numbers of the innermost lists.
fn lists(text: &str) -> Option<Vec<Vec<String>>> {
    let inside = text.split('[').filter_map(|part| part.split_once(']')).map(|(list, _)| numbers(list));
    inside.collect()
}

fn numbers(list: &str) -> Option<Vec<String>> {
    let number = |word: &str| word.parse::<f64>().is_ok().then(|| word.to_string());
    list.split(',').map(str::trim).filter(|word| !word.is_empty()).map(number).collect()
}

/// Coordinates of entries, and their values.
type Entries = (Vec<Vec<String>>, Vec<String>);

/// Of `{(0, 1): 2.0, (1, 2): 3.0}`, or of `{0: {1: 2.0}, 1: {2: 3.0}}`.
fn of_pairs(text: &str) -> Option<Entries> {
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let (mut entries, mut values) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let key = if rest.starts_with(['(', '[']) { balanced(rest) } else { rest.find(':')? };
        let (key, behind) = rest.split_at_checked(key)?;
        let key = numbers(key.trim().trim_matches(['(', ')', '[', ']']))?;
        let behind = behind.trim_start().strip_prefix([':', '='])?.trim_start();
        let end = if behind.starts_with('{') { balanced(behind) } else { behind.find(',').unwrap_or(behind.len()) };
        let (value, next) = behind.split_at_checked(end)?;
        if value.starts_with('{') {
            let (inner, of_inner) = of_pairs(value)?;
            entries.extend(inner.into_iter().map(|entry| [key.clone(), entry].concat()));
            values.extend(of_inner);
        } else {
            let [value] = <[String; 1]>::try_from(numbers(value)?).ok()?;
            entries.push(key);
            values.push(value);
        }
        rest = next.trim_start().trim_start_matches(',').trim_start();
    }
    let rank = entries.first().map_or(0, Vec::len);
    (rank > 0 && entries.iter().all(|entry| entry.len() == rank)).then_some((entries, values))
}

/// `sparse<[[0, 1], [1, 2]], [2.0, 3.0]>`
fn literal(entries: &[Vec<String>], values: &[String]) -> String {
    let entries: Vec<String> = entries.iter().map(|entry| format!("[{}]", entry.join(", "))).collect();
    format!("sparse<[{}], [{}]>", entries.join(", "), values.join(", "))
}

//! Sparse matrices as Python writes them: `csr_matrix((data, (rows, columns)), shape=(3, 3))`, `{(0, 1): 2.0}`.

use crate::{NodeKind, Parser, SyntaxError, TokenKind, parser::line_start, words::is_bare};
use nnz_base::source::Span;

/// At `csr_matrix((...`, `sparse([1, 2], ...`: arrays, and no tensor.
pub(super) fn at_matrix(p: &Parser) -> bool {
    let name = p.peek_text().rsplit('.').next().unwrap_or_default();
    let made = name.ends_with("_matrix") || name.ends_with("_array");
    let line = || p.rest().split(['\n', ';']).next().unwrap_or_default();
    let arrays = || line().matches('[').count() > 2;
    let listed = matches!(name, "sparse" | "sparse_coo_tensor") && p.nth(2) == TokenKind::LBracket && arrays();
    p.nth(1) == TokenKind::LParen && (made && p.nth(2) == TokenKind::LParen || listed)
}

pub(super) fn parse_matrix(p: &mut Parser) {
    let name = p.peek_text().to_string();
    let length = name.len() + balanced(&p.rest()[name.len()..]);
    let whole = p.rest()[..length].to_string();
    let message = format!("there is no `{name}`: entries are listed by `sparse<...>`, coordinates first");
    let entries = match name.rsplit('.').next() {
        // Julia and MATLAB count from 1.
        Some("sparse") => of_lists(&whole, 1),
        Some("sparse_coo_tensor") => of_lists(&whole, 0),
        _ => of_arrays(&whole, name.contains("csc")),
    };
    let error = SyntaxError::new(p.span(), message).label("no function");
    let Some(entries) = entries else {
        let sizes = given(&whole).filter(|sizes| sizes.len() == 2).map_or("?x?x".to_string(), |sizes| written(&sizes));
        return pass_over(p, error.help(of_sizes(sizes, None)), length, None);
    };
    let (sizes, literal) = (sizes(&whole, &entries), literal(&entries.0, &entries.1));
    let Some((head, typed)) = typed(p, &name, sizes.as_deref().unwrap_or_default()).filter(|_| sizes.is_some()) else {
        let rank = entries.0.first().map_or(2, Vec::len);
        let error = error.help(of_sizes(sizes.unwrap_or("?x".repeat(rank)), Some(&literal)));
        return pass_over(p, error, length, Some(literal));
    };
    let start = p.span().start as usize;
    let title = format!("write `{typed}{literal}`");
    pass_over_all(p, error.guess(title, vec![(head, typed), (Span::new(start, start + length), literal)]), length);
}

/// `B : tensor<5x5xf64, CSR> = ` for the `B = ` or `B : CSR = ` in front of a call, and its place.
fn typed(p: &Parser, function: &str, sizes: &str) -> Option<(Span, String)> {
    let here = p.span().start as usize;
    let head = Span::new(line_start(p, here), here);
    let left = p.text_at(head).trim_end().strip_suffix('=')?.trim_end();
    let (name, ty) = left.split_once(':').map_or((left, None), |(name, ty)| (name.trim_end(), Some(ty.trim())));
    let called = ["CSR", "CSC", "COO"].into_iter().find(|format| function.contains(&format.to_ascii_lowercase()));
    let usual = if sizes.matches('x').count() == 2 { "CSR" } else { "COO" };
    let format = ty.or(called).unwrap_or(usual);
    (is_bare(name) && is_bare(format)).then(|| (head, format!("{name} : tensor<{sizes}f64, {format}> = ")))
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
    let sizes = sizes.replace('?', "3");
    format!("the type tells the sizes: `A : tensor<{sizes}f64, {format}> = {literal}`")
}

fn pass_over(p: &mut Parser, error: SyntaxError, length: usize, literal: Option<String>) {
    let start = p.span().start as usize;
    let error = match literal {
        Some(literal) => error.guess("write the entries so", vec![(Span::new(start, start + length), literal)]),
        None => error,
    };
    pass_over_all(p, error, length);
}

fn pass_over_all(p: &mut Parser, error: SyntaxError, length: usize) {
    let start = p.span().start as usize;
    p.report(error);
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

/// `3x4x` of the `shape=(3, 4)` or `3, 4` behind the lists; without sizes they are those that the coordinates need.
fn sizes(call: &str, (entries, _): &Entries) -> Option<String> {
    let given = given(call)?;
    let rank = entries.first()?.len();
    let needed = |dim: usize| entries.iter().map(|entry| entry[dim].parse::<u64>().ok()?.checked_add(1)).max()?;
    let sizes: Vec<u64> = match given.len() {
        0 => (0..rank).map(needed).collect::<Option<_>>()?,
        count if count == rank => given,
        _ => return None,
    };
    Some(written(&sizes))
}

fn written(sizes: &[u64]) -> String {
    sizes.iter().map(|size| format!("{size}x")).collect()
}

/// The whole numbers behind all lists.
fn given(call: &str) -> Option<Vec<u64>> {
    let behind = call.rsplit(']').next()?;
    let words = behind.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    Some(words.filter_map(|word| word.parse().ok()).collect())
}

/// Of lists of coordinates, one for each dimension and counted from `first`, and the list of values behind them.
fn of_lists(call: &str, first: u64) -> Option<Entries> {
    let mut dims = lists(call)?;
    let values = dims.pop().filter(|values| !dims.is_empty() && dims.iter().all(|dim| dim.len() == values.len()))?;
    let counted = |number: &String| Some(number.parse::<u64>().ok()?.checked_sub(first)?.to_string());
    let entry = |at: usize| dims.iter().map(|dim| counted(&dim[at])).collect::<Option<Vec<String>>>();
    let entries = (0..values.len()).map(entry).collect::<Option<Vec<_>>>()?;
    (!entries.is_empty()).then_some((entries, values))
}

/// Of `(data, (rows, columns))`, or of `(data, indices, indptr)`.
fn of_arrays(call: &str, by_columns: bool) -> Option<Entries> {
    let [values, first, second] = lists(call)?.try_into().ok()?;
    let behind = call.split_once(']')?.1.trim_start_matches([',', ')', ' ', '\n']);
    let pairs = behind.starts_with('(');
    let entries: Vec<Vec<String>> = match pairs {
        true => first.into_iter().zip(second).map(|(row, column)| vec![row, column]).collect(),
        false => of_segments(&first, &second, by_columns)?,
    };
    (entries.len() == values.len()).then_some((entries, values))
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

//! Types as other languages write them: `4xf64`, `f64[3, 4]`, `double y[3]`.

use super::habit::taco_format;
use crate::{NodeKind, Parser, SyntaxError, habits};
use nnz_base::{element::Element, format::of_mlir, source::Span};

/// A type behind the `:` that is a shape alone, or an element type with sizes: reported, and passed over.
pub(super) fn parse_foreign_type(p: &mut Parser) -> bool {
    if parse_braces(p) {
        return true;
    }
    let line = p.rest().split(['=', '\n', ';']).next().unwrap_or_default();
    let written = line.split("//").next().unwrap_or_default().trim_end();
    let written = rust_type(p.rest()).unwrap_or(written);
    let meant = of_shape(written)
        .or_else(|| of_sizes(written))
        .or_else(|| of_rust(written))
        .or_else(|| of_parts(written))
        .or_else(|| of_sizes_alone(written));
    let Some(meant) = meant else {
        let len = written.len();
        return parse_levels(p, len) || parse_taco_format(p, len);
    };
    let whole = Span::new(p.span().start as usize, p.span().start as usize + written.len());
    let error = match closes_nothing(whole, written, &meant) {
        Some(error) => error,
        None => {
            let error = SyntaxError::new(whole, format!("the type of a tensor is written `{meant}`")).label("no type");
            error.guess(format!("write `{meant}`"), vec![(whole, meant)])
        }
    };
    p.report(error);
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
    true
}

/// `tensor<3xf64> >`: a type, and signs that close nothing.
fn closes_nothing(whole: Span, written: &str, meant: &str) -> Option<SyntaxError> {
    let behind = written.strip_prefix(meant)?;
    let sign = behind.find('>').filter(|_| behind.chars().all(|c| matches!(c, '>' | ' ')))?;
    let start = whole.start as usize + meant.len();
    let place = Span::new(start + sign, start + sign + 1);
    let error = SyntaxError::new(place, "`>` closes nothing").label("no `<` in front of it");
    Some(error.guess("remove it", vec![(Span::new(start, whole.end as usize), String::new())]))
}

/// `(dense, compressed)`, `{i : dense, j : compressed}`, `i, j -> (i : dense, j : compressed)`: the levels of an
/// encoding without the brackets and dimensions of a map.
fn parse_levels(p: &mut Parser, len: usize) -> bool {
    let start = p.span().start as usize;
    let whole = Span::new(start, start + len);
    let Some(meant) = of_levels(p.text_at(whole)) else { return false };
    let error = SyntaxError::new(whole, format!("an encoding maps dimensions to levels: `{meant}`"));
    p.report(error.label("no map").guess(format!("write `{meant}`"), vec![(whole, meant)]));
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
    true
}

/// `Format({Dense, Sparse})`, as TACO names a format.
fn parse_taco_format(p: &mut Parser, len: usize) -> bool {
    let start = p.span().start as usize;
    let whole = Span::new(start, start + len);
    let inside = p.text_at(whole).strip_prefix("Format(").and_then(|inside| inside.strip_suffix(')'));
    let Some(levels) = inside.map(|inside| inside.trim_matches(['{', '}', ' '])) else { return false };
    let meant = own_format(levels);
    replace(p, whole, format!("this format of TACO is written `{meant}`"), meant)
}

/// `{Dense, Sparse}`, `{Dense, Sparse, {1, 0}}`, as TACO lists the levels of a format; `{ map = ... }`, as MLIR writes an encoding.
fn parse_braces(p: &mut Parser) -> bool {
    let start = p.span().start as usize;
    let line = p.rest().split(['\n', ';']).next().unwrap_or_default();
    let end = line.find('=').filter(|_| !line.contains("->")).unwrap_or(line.len());
    let Some(len) = line[..end].rfind('}').filter(|_| line.starts_with('{')) else { return false };
    let (whole, inside) = (Span::new(start, start + len + 1), line[1..len].trim());
    if let Some(map) = inside.strip_prefix("map").and_then(|rest| rest.trim_start().strip_prefix('=')) {
        let meant = map.trim().to_string();
        return replace(p, whole, format!("an encoding is written as its map here: `{meant}`"), meant);
    }
    let Some(meant) = listed_format(inside) else { return false };
    replace(p, whole, format!("this format of TACO is written `{meant}`"), meant)
}

/// Of the levels between TACO's braces, and the order of the dimensions behind them.
fn listed_format(inside: &str) -> Option<String> {
    let (levels, order) = inside.split_once('{').map_or((inside, None), |(levels, order)| (levels, Some(order)));
    let levels = levels.trim().trim_end_matches(',');
    let known = |level: &str| matches!(level.trim(), "Dense" | "Sparse" | "Compressed" | "dense" | "sparse");
    if !levels.split(',').all(known) {
        return None;
    }
    let numbers: Option<String> = order.map(|order| order.chars().filter(char::is_ascii_digit).collect());
    match (own_format(levels).as_str(), numbers.as_deref()) {
        ("CSR", Some("10")) => Some("CSC".to_string()),
        ("DCSR", Some("10")) => Some("DCSC".to_string()),
        (format, None | Some("01" | "012")) => Some(format.to_string()),
        (_, Some(_)) => None,
    }
}

fn own_format(levels: &str) -> String {
    match taco_format(levels) {
        format if format.is_empty() => "dense".to_string(),
        format => format.trim_start_matches(", ").to_string(),
    }
}

/// Reports that `whole` is written otherwise, and passes over it.
fn replace(p: &mut Parser, whole: Span, message: String, meant: String) -> bool {
    let error = SyntaxError::new(whole, message).label("no type");
    p.report(error.guess(format!("write `{meant}`"), vec![(whole, meant)]));
    let node = p.open(NodeKind::Error);
    p.bump_until(whole.end as usize);
    p.close(node);
    true
}

fn of_levels(written: &str) -> Option<String> {
    let levels = match written.split_once("->") {
        Some((dims, _)) if dims.trim_start().starts_with('(') || dims.contains('<') => return None,
        Some((_, levels)) => levels.trim(),
        None => written,
    };
    let inner = levels.strip_prefix(['(', '[', '{'])?.strip_suffix([')', ']', '}'])?;
    let mut names = Vec::new();
    let mut parts = Vec::new();
    for (part, free) in inner.split(',').zip(["i", "j", "k", "l", "m", "n"]) {
        let (name, format) = part.split_once(':').unwrap_or((free, part));
        let (name, format) = (name.trim(), format.trim());
        if !of_mlir().contains(&format) || !name.chars().all(|c| c.is_ascii_alphanumeric()) || name.is_empty() {
            return None;
        }
        names.push(name);
        parts.push(format!("{name} : {format}"));
    }
    Some(format!("({}) -> ({})", names.join(", "), parts.join(", ")))
}

/// `tensor<3x4xf64, CSR>` for `3x4xf64, CSR`.
fn of_shape(written: &str) -> Option<String> {
    let (shape, format) = written.split_once(',').map_or((written, None), |(shape, format)| (shape, Some(format)));
    let parts: Vec<&str> = shape.split('x').map(str::trim).collect();
    let (element, sizes) = parts.split_last().filter(|(_, sizes)| !sizes.is_empty())?;
    if !sizes.iter().all(|size| is_size(size)) {
        return None;
    }
    let format = format.map_or(String::new(), |format| format!(", {}", format.trim()));
    Some(format!("tensor<{}x{}{format}>", sizes.join("x"), element_called(element)?))
}

/// `tensor<3x4xf64>` for `f64[3, 4]`, `double[3][4]`.
fn of_sizes(written: &str) -> Option<String> {
    let at = written.find('[')?;
    let element = element_called(written[..at].trim())?;
    let sizes = bracketed(&written[at..]).filter(|(_, behind)| behind.is_empty())?.0;
    Some(format!("tensor<{}x{element}>", sizes.join("x")))
}

/// The `[f64; 2]` that a text begins with.
pub(super) fn rust_type(text: &str) -> Option<&str> {
    let end = text.split(['\n', '\r']).next()?.find(']')?;
    text.get(..=end).filter(|written| of_rust(written).is_some())
}

/// `tensor<2xf64>` for `[f64; 2]`, as Rust writes it.
fn of_rust(written: &str) -> Option<String> {
    let (element, size) = written.strip_prefix('[')?.strip_suffix(']')?.split_once(';')?;
    let (element, size) = (element_called(element.trim())?, size.trim());
    is_size(size).then(|| format!("tensor<{size}x{element}>"))
}

/// `tensor<3x4xf64, CSR>` for `tensor(3x4xf64, CSR)`, `tensor<f64x3>`, `tensor<3*f64>`, `tensor<3>f64`, `[3]f64`,
/// `tensor<3xx4xf64>`: all sizes and an element type, joined in another way.
fn of_parts(written: &str) -> Option<String> {
    let inner = written.strip_prefix("tensor").map_or(written, str::trim_start);
    let inner = match inner.len() < written.len() {
        true => inner.strip_prefix(['<', '(', '[', '{']).unwrap_or(inner),
        false => inner,
    };
    let (shape, format) = inner.split_once(',').map_or((inner, None), |(shape, format)| (shape, Some(format)));
    let doubled = format.is_some_and(|format| format.trim_start().starts_with(','));
    if of_shape(shape.trim_end_matches('>')).is_some() && written.starts_with("tensor<") && !doubled {
        return None;
    }
    // `tensor<2x2xf64. CSR>`
    let (shape, format) = match (shape.split_once(". "), format) {
        (Some((shape, behind)), None) => (shape, Some(behind)),
        (_, format) => (shape, format.map(|format| format.trim_start_matches([',', ' ']))),
    };
    let parts = shape.split(['x', '*', '<', '>', '[', ']', '(', ')', '{', '}', ' ']).flat_map(torn);
    let parts: Vec<&str> = parts.map(str::trim).filter(|part| !part.is_empty()).collect();
    let (sizes, elements): (Vec<&str>, Vec<&str>) = parts.into_iter().partition(|part| is_size(part));
    let &[element] = elements.as_slice() else { return None };
    let element = element_called(element).filter(|_| !sizes.is_empty())?;
    let format = match format.map(str::trim) {
        Some(format) if format.starts_with(|c: char| c.is_ascii_alphabetic() || c == '#') => {
            format!(", {}", format.strip_suffix(['>', ')', ']', '}'])?)
        }
        Some(_) => return None,
        None => String::new(),
    };
    Some(format!("tensor<{}x{element}{format}>", sizes.join("x")))
}

/// `tensor<2x2xf64>` for `tensor[2, 2]`, `tensor(2)(2)`, `tensor<2x2>`: sizes and perhaps an element type.
fn of_sizes_alone(written: &str) -> Option<String> {
    let inner = written.strip_prefix("tensor")?.trim_start();
    let closed = inner.starts_with(['<', '(', '[', '{']) && inner.ends_with(['>', ')', ']', '}']);
    if of_shape(inner.trim_matches(['<', '>'])).is_some() {
        return None;
    }
    let parts = inner.split(['x', '*', ',', '<', '>', '[', ']', '(', ')', '{', '}', ' ']);
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    let (sizes, elements): (Vec<&str>, Vec<&str>) = parts.partition(|part| is_size(part));
    let element = match elements.as_slice() {
        [] => Element::F64,
        [one] if !inner.starts_with('<') => element_called(one)?,
        _ => return None,
    };
    (closed && !sizes.is_empty()).then(|| format!("tensor<{}x{element}>", sizes.join("x")))
}

/// `2` and `f64` of `2f64`.
fn torn(part: &str) -> [&str; 2] {
    let (size, element) = part.split_at(part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len());
    if element_called(element).is_some() { [size, element] } else { [part, ""] }
}

/// The sizes of `[3][4]` or `[3, 4]`, and the text after them.
fn bracketed(mut text: &str) -> Option<(Vec<&str>, &str)> {
    let mut sizes = Vec::new();
    while let Some((inside, behind)) = text.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
        sizes.extend(inside.split(',').map(str::trim));
        text = behind.trim_start();
    }
    (!sizes.is_empty() && sizes.iter().all(|size| is_size(size))).then_some((sizes, text))
}

fn is_size(text: &str) -> bool {
    text == "?" || !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn element_called(name: &str) -> Option<Element> {
    Element::parse(name).or_else(|| Element::parse(habits::type_name(name)?))
}

/// The definition for `double y[3];`, `int n;` or `double y[2] = {1, 2};`; `behind` is the text after the
/// name.
pub(super) fn declaration(name: &str, element: &str, behind: &str) -> Option<String> {
    let behind = behind.split("//").next().unwrap_or_default().trim();
    let (sizes, value) = bracketed(behind).unwrap_or((Vec::new(), behind));
    let value = value.trim_end_matches(';').trim();
    let ty = match sizes.is_empty() {
        true => element.to_string(),
        false => format!("tensor<{}x{element}>", sizes.join("x")),
    };
    let value = match value.strip_prefix('=').map(str::trim) {
        Some(value) if sizes.is_empty() => value.to_string(),
        Some(list) => list.replace('{', "[").replace('}', "]"),
        None if !value.is_empty() => return None,
        None if sizes.is_empty() => "0".to_string(),
        None => "dense<0>".to_string(),
    };
    Some(format!("{name} : {ty} = {value}"))
}

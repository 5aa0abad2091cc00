//! Types without an encoding: plain tensors, buffers, vectors, numbers.

use super::{Said, named::titled};
use nnz_base::{element::Element, source::Span};
use nnz_check::{Checked, Grammar};
use nnz_mlir::{types::Type, words};
use nnz_syntax::{TokenKind, TokenRef};
use nnz_view::number::grouped;

/// A buffer, a vector or a type of a dialect in a program, and the words of its element.
pub(super) fn of_type(checked: &Checked, token: TokenRef<'_>) -> Option<Said> {
    if checked.grammar != Grammar::Mlir {
        return None;
    }
    let of_dialect = || Some(titled(token.text(), words::of_attribute(token.text())?));
    let element = || Element::parse(token.text()).map(|element| titled(element.name(), &element_text(element)));
    within(token, &["memref", "vector", "tensor"])
        .and_then(|(whole, _)| bracketed(checked.source.slice(whole)))
        .or_else(element)
        .or_else(|| of_dialect().filter(|_| token.kind() == TokenKind::BangId))
}

/// The nearest `word<...>` around a token, and its word.
pub(super) fn within<'t>(token: TokenRef<'t>, words: &[&str]) -> Option<(Span, TokenRef<'t>)> {
    const MOST: usize = 200;
    let whole = |word: TokenRef<'t>| Some((Span::new(word.span().start as usize, end_of(word)?), word));
    let opens = token.following().is_some_and(|next| next.kind() == TokenKind::Lt);
    if opens && words.contains(&token.text()) {
        return whole(token);
    }
    let ends = |token: &TokenRef<'_>| {
        matches!(token.kind(), TokenKind::LBrace | TokenKind::RBrace | TokenKind::LParen | TokenKind::Arrow)
    };
    let before = std::iter::successors(token.previous(), |token| token.previous());
    let mut closed = 0_usize;
    for token in before.take(MOST).take_while(|token| !ends(token)) {
        let word = token.previous().filter(|_| closed == 0 && token.kind() == TokenKind::Lt);
        if let Some(word) = word.filter(|word| words.contains(&word.text())) {
            return whole(word);
        }
        closed = match token.kind() == TokenKind::Gt {
            true => closed + 1,
            false => closed.saturating_sub(usize::from(token.kind() == TokenKind::Lt)),
        };
    }
    None
}

/// Where the bracket closes that follows a word.
fn end_of(word: TokenRef<'_>) -> Option<usize> {
    const MOST: usize = 2000;
    let mut open = 0_usize;
    for token in std::iter::successors(word.following(), |token| token.following()).take(MOST) {
        open += usize::from(token.kind() == TokenKind::Lt);
        open -= usize::from(token.kind() == TokenKind::Gt);
        if open == 0 {
            return Some(token.span().end as usize);
        }
    }
    None
}

/// `memref<4x?xf64>`
fn bracketed(text: &str) -> Option<Said> {
    let (word, inside) = text.strip_suffix('>')?.split_once('<')?;
    let (shape, element) = shape_of(inside.split(',').next()?.trim())?;
    let what = match word {
        "memref" => "a buffer in memory, which operations read and change in place",
        "vector" => "a value of several numbers, which operations treat at once",
        _ => "a plain array",
    };
    Some(titled(text, &sized(what, shape.as_deref(), element)))
}

/// The sizes, if it is known how many there are, and the element.
fn shape_of(text: &str) -> Option<(Option<Vec<Option<u64>>>, Element)> {
    let mut parts: Vec<&str> = text.split('x').collect();
    let mut element = parts.pop()?.to_string();
    // `index` and `complex` have an `x` of their own.
    while Element::parse(&element).is_none() {
        element = format!("{}x{element}", parts.pop()?);
    }
    let size = |part: &str| match part.trim() {
        "?" => Some(None),
        number => number.trim_matches(['[', ']']).parse().ok().map(Some),
    };
    let shape = if parts == ["*"] { None } else { Some(parts.into_iter().map(size).collect::<Option<_>>()?) };
    Some((shape, Element::parse(&element)?))
}

/// What a value of a type without an encoding is.
pub(super) fn of_value(ty: &Type) -> Option<String> {
    let element = ty.element()?;
    match ty {
        Type::Tensor(tensor) if tensor.encoding.is_none() => Some(array_text(Some(&tensor.shape), element)),
        Type::UnrankedTensor(_) => Some(array_text(None, element)),
        Type::Memory(_) => Some(sized("a buffer in memory", ty.shape().as_deref(), element)),
        Type::UnrankedMemory(_) => Some(sized("a buffer in memory", None, element)),
        Type::Vector(_) => Some(sized("a vector", ty.shape().as_deref(), element)),
        Type::Tensor(_) | Type::Scalar(_) | Type::Function(_) | Type::Pointer | Type::Broken => None,
        Type::Specifier(_) | Type::Space(_) | Type::Iterator(_) => None,
    }
}

/// A tensor without an encoding.
pub(super) fn array_text(shape: Option<&[Option<u64>]>, element: Element) -> String {
    sized("a plain array, row-major", shape, element)
}

/// The same with its values and bytes.
fn sized(what: &str, shape: Option<&[Option<u64>]>, element: Element) -> String {
    let known: Option<Vec<u64>> = shape.and_then(|shape| shape.iter().copied().collect());
    let places = known.and_then(|sizes| sizes.into_iter().try_fold(1u64, u64::checked_mul));
    let bytes = places.and_then(|places| Some((places, places.checked_mul(element.bytes() as u64)?)));
    match bytes {
        Some((places, bytes)) => format!("{what}: {} values, {} bytes", grouped(places), grouped(bytes)),
        None => format!("{what}: {} bytes for each value; a run gives its size", element.bytes()),
    }
}

pub(super) fn element_text(element: Element) -> String {
    match (element, element.bytes()) {
        (Element::Index, bytes) => format!("a size, a coordinate or a position: an integer of {bytes} bytes"),
        (_, 1) => "a scalar of 1 byte".to_string(),
        (_, bytes) => format!("a scalar of {bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, shape_of};

    #[test]
    fn shapes_are_read_up_to_their_element() {
        let shape = |text| shape_of(text).map(|(shape, element)| (shape.unwrap_or_default(), element));
        assert_eq!(shape("4x?xf64"), Some((vec![Some(4), None], Element::F64)));
        assert_eq!(shape("?xindex"), Some((vec![None], Element::Index)));
        assert_eq!(shape("f32"), Some((vec![], Element::F32)));
        assert_eq!(shape("*xf32"), Some((vec![], Element::F32)));
        assert_eq!(shape("4xnothing"), None);
    }
}

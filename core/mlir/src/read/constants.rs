//! Constants in the text: `dense<...>`, `sparse<...>`.

use std::sync::Arc;

use num_complex::Complex;

use super::{
    Reader,
    numbers::{number, of_bytes},
};
use crate::{
    attribute::{Attribute, DenseLiteral, SparseLiteral},
    mistake::{Mistake, Read},
    types::Type,
};
use nnz_base::{
    arrays::Values,
    diagnostic::{Code, counted},
    element::{Element, Scalar},
    memory,
    source::Span,
};
use nnz_storage::Triplets;
use nnz_syntax::TokenKind;

/// The most entries that one constant may be written out to.
const MOST_ENTRIES: u64 = 1 << 28;

/// What is read of a list before its type is known: the tokens are gone over twice.
struct ListReader {
    element: Element,
    values: Values,
    /// The places of the coordinates.
    places: Option<Vec<Span>>,
    /// The sizes, outermost first, once known.
    shape: Vec<Option<u64>>,
    /// Entries that are no numbers of the type.
    wrong: Vec<Mistake>,
}

impl ListReader {
    fn new(element: Element) -> ListReader {
        let values = Values::with_capacity(element, 0);
        ListReader { element, values, places: None, shape: Vec::new(), wrong: Vec::new() }
    }
    fn told(&mut self) -> Read<()> {
        Mistake::of_all(std::mem::take(&mut self.wrong)).map_or(Ok(()), Err)
    }
}

impl Reader<'_> {
    /// `dense<...> : T` or `sparse<..., ...> : T`
    pub(super) fn constant(&mut self) -> Read<Attribute> {
        let (start, sparse) = (self.at, self.text() == "sparse");
        self.bump();
        let inside = self.at + 1;
        self.angles()?;
        let first = self.tokens.get(start).map_or(self.span(), |token| token.span());
        let span = first.cover(self.last_span());
        let ty = self.colon_type()?;
        let (end, place) = (self.at, self.last_type);
        self.at = inside;
        let read = if sparse { self.sparse_constant(ty, span) } else { self.dense_constant(ty, span) };
        // What does not fit the type stands beside it.
        let read = read.map_err(|mistake| mistake.of_type(place))?;
        if !self.at(TokenKind::Gt) {
            return Err(self.without_brackets(inside).unwrap_or_else(|| self.expected("`>`")));
        }
        self.at = end;
        Ok(read)
    }

    /// `dense<1.0, 2.0>`, at the `,`.
    fn without_brackets(&self, inside: usize) -> Option<Mistake> {
        let first = self.tokens.get(inside)?.span();
        let close = self.tokens.get(self.at..)?.iter().find(|token| token.kind() == TokenKind::Gt)?;
        let whole = Span::new(first.start as usize, close.span().start as usize);
        let text = self.checked.source.slice(whole).trim();
        if !self.at(TokenKind::Comma) || text.contains('[') {
            return None;
        }
        let mistake = Mistake::syntax(self.span(), format!("several values are a list: `dense<[{text}]>`"));
        Some(mistake.label("behind a single value").guess(whole, format!("[{text}]")))
    }

    /// `sparse<[0, 0], [1, 1], [1.0, 2.0]>`, at the second list: one for each dimension, and none for an entry.
    fn by_dimension(&self, from: usize, rank: usize) -> Option<Mistake> {
        let start = self.tokens.get(from)?.span();
        let close = self.tokens.get(self.at..)?.iter().find(|token| token.kind() == TokenKind::Gt)?;
        let text = self.checked.source.slice(Span::new(start.start as usize, close.span().start as usize));
        let lists: Vec<&str> = text.trim().strip_prefix('[')?.strip_suffix(']')?.split(']').collect();
        let numbers = |list: &str| {
            list.trim_start_matches([',', ' ', '[']).split(',').map(str::trim).map(str::to_string).collect()
        };
        let lists: Vec<Vec<String>> = lists.into_iter().map(numbers).collect();
        let (values, columns) = lists.split_last()?;
        if rank < 2 || columns.len() != rank || columns.iter().any(|column| column.len() != values.len()) {
            return None;
        }
        let entry =
            |at: usize| columns.iter().filter_map(|column| column.get(at)).cloned().collect::<Vec<_>>().join(", ");
        let entries: Vec<String> = (0..values.len()).map(|at| format!("[{}]", entry(at))).collect();
        let whole = format!("[{}], [{}]", entries.join(", "), values.join(", "));
        let place = Span::new(start.start as usize, close.span().start as usize);
        let mistake = Mistake::new(Code::LiteralShape, place, "the coordinates of an entry stand together");
        Some(mistake.label("a list for each dimension").guess(place, whole))
    }

    fn dense_constant(&mut self, ty: Type, span: Span) -> Read<Attribute> {
        if ty.is_broken() {
            return Err(Mistake::told());
        }
        let (element, shape) = constant_type(&ty, span)?;
        if self.at(TokenKind::LBracket) {
            return self.listed_constant(ty, (element, shape), span);
        }
        let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul(*size));
        let count = count
            .filter(|&count| count <= MOST_ENTRIES)
            .ok_or_else(|| Mistake::unsupported(span, format!("a constant of more than {MOST_ENTRIES} entries")))?
            as usize;
        memory::room_for(count as u128, element.bytes() as u64)
            .map_err(|refused| Mistake::new(Code::TooLarge, span, refused.to_string()))?;
        let literal =
            |shape, values| Attribute::Dense(DenseLiteral { ty: ty.clone(), shape, values: Arc::new(values) }.into());
        if self.at(TokenKind::Gt) {
            return if count == 0 {
                Ok(literal(shape, Values::with_capacity(element, 0)))
            } else {
                Err(self.expected("the entries of the constant"))
            };
        }
        if self.at(TokenKind::String) {
            let values = self.bytes(element, count)?;
            let values = match values.get(0).filter(|_| values.len() == 1) {
                Some(splat) => Values::from_scalars(element, std::iter::repeat_n(splat, count)),
                None => values,
            };
            check_shape(&[values.len() as u64], &[count as u64], span)?;
            return Ok(literal(shape, values));
        }
        let splat = self.scalar_constant(element)?;
        Ok(literal(shape, Values::from_scalars(element, std::iter::repeat_n(splat, count))))
    }

    /// `[[1, 2], [3, 4]]`: every entry is written, so its shape is looked at before how many there would be.
    fn listed_constant(&mut self, ty: Type, (element, shape): (Element, Vec<u64>), span: Span) -> Read<Attribute> {
        let mut list = ListReader::new(element);
        self.list(&mut list, 0)?;
        list.told()?;
        let found: Vec<u64> = list.shape.iter().map(|size| size.unwrap_or(0)).collect();
        check_shape(&found, &shape, span).map_err(|mistake| match list.values.len() {
            1 => mistake.help("without brackets a value is one for every entry"),
            _ => mistake,
        })?;
        Ok(Attribute::Dense(DenseLiteral { ty, shape, values: Arc::new(list.values) }.into()))
    }

    fn sparse_constant(&mut self, ty: Type, span: Span) -> Read<Attribute> {
        if ty.is_broken() {
            return Err(Mistake::told());
        }
        let (element, shape) = constant_type(&ty, span)?;
        let rank = shape.len();
        let (mut coordinates, values) = self.sparse_parts(element, rank)?;
        let places = coordinates.as_mut().and_then(|list| list.places.take()).unwrap_or_default();
        let (coordinates, values) = match coordinates.zip(values) {
            Some((coordinates, values)) => spread(coordinates, values, rank, span)?,
            None => (vec![Vec::new(); rank], Values::with_capacity(element, 0)),
        };
        check_coordinates(&coordinates, &shape, span, &places)?;
        let entries = Triplets::new(shape, element, coordinates, values);
        let entries = entries.map_err(|error| Mistake::new(Code::LiteralShape, span, error.to_string()))?;
        Ok(Attribute::Sparse(SparseLiteral { ty, entries: entries.into() }.into()))
    }

    /// The lists of coordinates and of values; none of `sparse<>`.
    fn sparse_parts(&mut self, element: Element, rank: usize) -> Read<(Option<ListReader>, Option<ListReader>)> {
        if self.at(TokenKind::Gt) {
            return Ok((None, None));
        }
        let (mut coordinates, from) =
            (ListReader { places: Some(Vec::new()), ..ListReader::new(Element::I64) }, self.at);
        self.list(&mut coordinates, 0)?;
        self.expect(TokenKind::Comma)?;
        if let Some(mistake) = self.by_dimension(from, rank).filter(|_| coordinates.shape.len() == 1) {
            return Err(mistake);
        }
        let mut values = ListReader::new(element);
        if self.at(TokenKind::String) {
            values.values = self.bytes(element, coordinates.values.len().checked_div(rank).unwrap_or(0))?;
            values.shape = vec![Some(values.values.len() as u64)];
        } else {
            self.list(&mut values, 0)?;
        }
        Mistake::all([coordinates.told(), values.told()])?;
        Ok((Some(coordinates), Some(values)))
    }

    /// A list, or a single value, at a depth of the constant.
    fn list(&mut self, list: &mut ListReader, depth: usize) -> Read<()> {
        if !self.at(TokenKind::LBracket) {
            if list.shape.iter().skip(depth).any(Option::is_some) {
                return Err(Mistake::new(Code::LiteralShape, self.span(), "a value where a list is wanted"));
            }
            list.places.iter_mut().for_each(|places| places.push(self.span()));
            let (at, element) = (self.at, list.element);
            let scalar = match self.scalar_constant(element) {
                Err(mistake) if self.at > at && !self.begins_line() && mistake.is_of_literal() => {
                    list.wrong.push(mistake);
                    element.zero()
                }
                read => read?,
            };
            list.values.push(scalar);
            return Ok(());
        }
        if list.shape.len() <= depth {
            if !list.values.is_empty() {
                return Err(Mistake::new(Code::LiteralShape, self.span(), "a list where a value is wanted"));
            }
            list.shape.push(None);
        }
        let span = self.span();
        let items = self.nested(|r| {
            r.bracketed(TokenKind::LBracket, TokenKind::RBracket, |r| r.list(list, depth + 1)).map(|items| items.len())
        })? as u64;
        match list.shape[depth].replace(items) {
            Some(known) if known != items => {
                let (has, others) = (counted(items as usize, "entry"), counted(known as usize, "entry"));
                let message = format!("this list has {has}, those before it have {others}");
                Err(Mistake::new(Code::LiteralShape, span.cover(self.last_span()), message).label(has))
            }
            _ => Ok(()),
        }
    }

    /// `"0x00000000000000C0"`: the bytes of numbers as they lie in memory, the lowest first; of `i1` there are `count`, eight to a byte.
    fn bytes(&mut self, element: Element, count: usize) -> Read<Values> {
        let (span, text) = (self.span(), self.string()?);
        let wrong = |message: &str| Mistake::new(Code::LiteralType, span, message).label("not such bytes");
        let digits = text.strip_prefix("0x").ok_or_else(|| wrong("the bytes of a constant begin with `0x`"))?;
        let pairs =
            digits.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        let bytes: Option<Vec<u8>> = pairs.collect();
        let bytes = bytes.filter(|_| digits.len() % 2 == 0);
        let bytes = bytes.ok_or_else(|| wrong("the bytes of a constant are pairs of hexadecimal digits"))?;
        if element == Element::I1 && (bytes.len() > 1 || count <= 8) {
            let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| Scalar::Int((byte >> bit & 1).into())));
            return Ok(Values::from_scalars(element, bits.take(count)));
        }
        if bytes.len() % element.bytes() != 0 {
            return Err(wrong(&format!("{} bytes are no numbers of type `{element}`", bytes.len())));
        }
        let part = element.part();
        let numbers = bytes.chunks_exact(part.bytes()).map(|bytes| of_bytes(part, bytes));
        if !element.is_complex() {
            return Ok(Values::from_scalars(element, numbers));
        }
        let numbers: Vec<f64> = numbers.map(Scalar::as_f64).collect();
        let pairs = numbers.chunks_exact(2).map(|pair| Scalar::Complex(Complex::new(pair[0], pair[1])));
        Ok(Values::from_scalars(element, pairs))
    }

    fn scalar_constant(&mut self, element: Element) -> Read<Scalar> {
        if element.is_complex() {
            let part = if element == Element::C32 { Element::F32 } else { Element::F64 };
            self.expect(TokenKind::LParen)?;
            let re = self.real_constant(part)?;
            self.expect(TokenKind::Comma)?;
            let im = self.real_constant(part)?;
            self.expect(TokenKind::RParen)?;
            return Ok(Scalar::Complex(Complex::new(re.as_f64(), im.as_f64())));
        }
        self.real_constant(element)
    }

    fn real_constant(&mut self, element: Element) -> Read<Scalar> {
        let span = self.span();
        match self.text() {
            "true" | "false" if element == Element::I1 => {
                let truth = self.text() == "true";
                self.bump();
                return Ok(Scalar::Int(truth.into()));
            }
            _ => {}
        }
        let negative = self.eat(TokenKind::Minus);
        let text = self.text();
        if !matches!(self.peek(), TokenKind::Int | TokenKind::Float) {
            return Err(self.expected("a number"));
        }
        self.bump();
        number(text, negative, Some(element), span.cover(self.last_span()))
    }
}

/// The element type and the sizes of a constant's type.
fn constant_type(ty: &Type, span: Span) -> Read<(Element, Vec<u64>)> {
    let shape: Option<Vec<u64>> = ty.shape().and_then(|shape| shape.into_iter().collect());
    match (ty.element(), shape) {
        _ if ty.scalar().is_some() => {
            let message = format!("`dense<...>` and `sparse<...>` are tensors or vectors, and `{ty}` is neither");
            Err(Mistake::types(span, message).label(format!("for a `{ty}`")))
        }
        (Some(element), Some(shape)) => Ok((element, shape)),
        _ => Err(Mistake::types(span, format!("a constant has sizes that are known, and `{ty}` has not"))),
    }
}

fn check_shape(found: &[u64], wanted: &[u64], span: Span) -> Read<()> {
    let by = |sizes: &[u64]| sizes.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
    if found == wanted {
        return Ok(());
    }
    let message = format!("the entries are {}, the type says {}", by(found), by(wanted));
    let label =
        if let [count] = found { counted(*count as usize, "entry") } else { format!("entries of {}", by(found)) };
    Err(Mistake::new(Code::LiteralShape, span, message).label(label))
}

/// One list of coordinates for each dimension, and the values.
fn spread(coordinates: ListReader, values: ListReader, rank: usize, span: Span) -> Read<(Vec<Vec<u64>>, Values)> {
    let numbers: Vec<u64> = coordinates
        .values
        .iter()
        .map(|value| if let Scalar::Int(number) = value { u64::try_from(number).unwrap_or(u64::MAX) } else { u64::MAX })
        .collect();
    // A number alone is every coordinate of the one entry; of a list each is an entry of a vector.
    let (numbers, wanted) = match coordinates.shape[..] {
        [] => (numbers.repeat(rank), rank),
        [_] => (numbers, 1),
        [_, each] => (numbers, each.unwrap_or(0) as usize),
        _ => {
            return Err(Mistake::new(Code::LiteralShape, span, "coordinates are a list of lists, no deeper")
                .label("lists within lists of lists"));
        }
    };
    if values.shape.len() > 1 {
        return Err(
            Mistake::new(Code::LiteralShape, span, "the values are one list, or one for all").label("lists of values")
        );
    }
    let entries = numbers.len() / rank.max(1);
    if wanted != rank || entries * rank != numbers.len() {
        let (each, has) = (counted(wanted, "coordinate"), counted(rank, "dimension"));
        let message = format!("{each} an entry for {has}");
        return Err(Mistake::new(Code::LiteralCoordinate, span, message).label(format!("{each} an entry")));
    }
    let values = match (values.shape.is_empty(), values.values.get(0)) {
        (true, Some(splat)) => Values::from_scalars(values.element, std::iter::repeat_n(splat, entries)),
        _ => values.values,
    };
    if values.len() != entries {
        let (values, entries) = (counted(values.len(), "value"), counted(entries, "coordinate"));
        let message = format!("{values} for {entries}");
        return Err(Mistake::new(Code::LiteralShape, span, message).label("a value for each list of coordinates"));
    }
    let column = |dim: usize| numbers.iter().skip(dim).step_by(rank.max(1)).copied().collect();
    Ok(((0..rank).map(column).collect(), values))
}

fn check_coordinates(entries: &[Vec<u64>], shape: &[u64], span: Span, places: &[Span]) -> Read<()> {
    for (dim, (column, size)) in entries.iter().zip(shape).enumerate() {
        if let Some((entry, at)) = column.iter().enumerate().find(|(_, at)| *at >= size) {
            let place = places.get(entry * shape.len() + dim).copied().unwrap_or(span);
            let message = format!("coordinate {at} is outside dimension {dim}, which has size {size}");
            let label = format!("dimension {dim} ends at {}", size.saturating_sub(1));
            return Err(Mistake::new(Code::LiteralCoordinate, place, message).label(label));
        }
    }
    Ok(())
}

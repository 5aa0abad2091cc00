//! Types: `tensor<4x?xf64, #CSR>` and scalars.

use std::sync::Arc;

mod rfc;

use super::{Checker, Grammar, encoding::encoding_for_rank, mlir_types::is_mlir_type};
pub use super::{TensorType, TypeSite};
use nnz_base::{
    diagnostic::{Code, counted},
    element::{Element, Scalar},
    source::Span,
};
use nnz_encoding::{Constant, Encoding, MAX_RANK};
use nnz_syntax::{NodeKind, NodeRef, TokenKind};

/// The shape and element type as written.
pub(super) struct Shape {
    pub dims: Vec<Option<u64>>,
    pub element: String,
}

impl Shape {
    /// Whether it says how many dimensions there are.
    fn is_legible(&self) -> bool {
        !is_misspelt(&self.element) && named_size(&self.element).is_none()
    }
}

/// The `n` of `nx5xf64`, in place of a size.
fn named_size(element: &str) -> Option<&str> {
    // Most are `f64`: this is asked of every type of a text.
    if !element.bytes().any(|byte| byte == b'x') {
        return None;
    }
    let sizes = Element::ALL.iter().find_map(|known| {
        let sizes = element.strip_suffix(known.name())?.trim_end().strip_suffix('x')?;
        (!sizes.trim().is_empty()).then_some(sizes)
    })?;
    let mut parts = sizes.split('x').map(str::trim);
    let is_size = |part: &str| part == "?" || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.find(|part| !part.is_empty() && !is_size(part))
}

/// The type at a node of kind `TensorType`, `RfcType` (the form of 2020) or `Shape` (a scalar type, of rank
/// 0). Reports errors and returns `None` for them, and for element types that nnz does not compute with.
pub(crate) fn tensor_type_of(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<TensorType> {
    if node.kind() == NodeKind::RfcType {
        return rfc::rfc_type(node, c);
    }
    let shape_node = if node.kind() == NodeKind::Shape { node } else { node.child(NodeKind::Shape)? };
    let before = c.error_count();
    let shape = read_shape(shape_node.text());
    let slot =
        node.children().find(|child| !matches!(child.kind(), NodeKind::Shape | NodeKind::Error | NodeKind::TypeArgs));
    let rank = shape.as_ref().filter(|shape| shape.is_legible()).map(|shape| shape.dims.len());
    if slot.is_none() && c.grammar == Grammar::Mlir {
        warn_of_empty_slot(node, c);
    }
    if let Some(rank) = rank.filter(|&rank| rank > MAX_RANK) {
        let message = format!("{rank} dimensions: a tensor has at most {MAX_RANK}");
        let error = c.diagnostic(Code::TooLarge, shape_node.span(), message);
        c.report(error.label(format!("more than {MAX_RANK} sizes")));
        c.record_type(TypeSite { span: node.span(), shape: shape_node.span(), tensor: None });
        return None;
    }
    let encoding =
        slot.filter(|_| node.kind() == NodeKind::TensorType).map(|slot| (slot, encoding_for_rank(slot, rank, c)));
    if node.child(NodeKind::Error).is_none() {
        check_shape(shape_node, shape.as_ref(), c);
    } else {
        c.record_type(TypeSite { span: node.span(), shape: shape_node.span(), tensor: None });
        return None;
    }
    let legible = shape.as_ref().filter(|shape| shape.is_legible());
    if let (Some(shape), Some((slot, Some(encoding)))) = (legible, &encoding) {
        check_against(encoding, shape, shape_node, *slot, c);
    } else if let (None, Some((slot, Some(encoding)))) = (&shape, &encoding) {
        report_unranked(shape_node, (*slot, encoding.dim_rank()), c);
    }
    let contradicts =
        matches!((&shape, &encoding), (Some(shape), Some((_, Some(encoding)))) if is_contradicted(encoding, shape));
    // Where the syntax is broken nobody knows what else the type was to say.
    let unread = c.grammar == Grammar::Mlir
        && node.kind() == NodeKind::TensorType
        && (node.tree().has_error_in(node.span()) || !node.text().ends_with('>'));
    let broken = c.error_count() > before || contradicts || unread || matches!(encoding, Some((_, None)));
    let tensor = shape.filter(|_| !broken).and_then(|shape| {
        let element = Element::parse(&shape.element)?;
        Some(TensorType { shape: shape.dims, element, encoding: encoding.and_then(|(_, encoding)| encoding) })
    });
    c.record_type(TypeSite { span: node.span(), shape: shape_node.span(), tensor: tensor.clone().map(Arc::new) });
    tensor
}

/// `tensor<4xf64, >`: legal in MLIR, and without an encoding.
fn warn_of_empty_slot(node: NodeRef<'_>, c: &mut Checker<'_>) {
    let comma = node.own_tokens().find(|token| token.kind() == TokenKind::Comma);
    let Some(comma) = comma.filter(|_| node.text().ends_with('>')).map(|comma| comma.span()) else { return };
    let whole = Span::new(comma.start as usize, node.span().end as usize - 1);
    let warning = c.diagnostic(Code::EmptySlot, comma, "no encoding stands behind this `,`: the tensor is dense");
    c.report(warning.label("not needed").fix("remove it", whole, ""));
}

/// Reads `4 x ? x f64`; `None` for an unranked tensor or a dimension that is no number.
pub(super) fn read_shape(text: &str) -> Option<Shape> {
    let mut dims = Vec::new();
    let mut rest = text.trim_start();
    while let Some((dim, behind)) = read_dim(rest) {
        dims.push(dim.ok()?);
        rest = behind;
    }
    (!rest.starts_with('*')).then(|| Shape { dims, element: rest.trim_end().to_string() })
}

/// The first dimension and the text after its `x`.
fn read_dim(text: &str) -> Option<(Result<Option<u64>, std::num::ParseIntError>, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let len = if text.starts_with('?') { 1 } else { digits };
    let behind = text.get(len..)?.trim_start().strip_prefix('x')?.trim_start();
    (len > 0).then(|| {
        (
            if digits == 0 { Ok(None) } else { text[..digits].parse::<i64>().map(|size| Some(size.unsigned_abs())) },
            behind,
        )
    })
}

/// The element type's text, and dimensions that are no numbers. MLIR has more element types than nnz
/// computes with, so only in the nnz notation an unknown one is an error.
fn check_shape(node: NodeRef<'_>, shape: Option<&Shape>, c: &mut Checker<'_>) {
    let Some(shape) = shape else {
        if !node.text().trim_start().starts_with('*') {
            let message = "a dimension is a number below 2^63, or `?`";
            c.report(c.diagnostic(Code::BadShape, node.span(), message).label("one of these is neither"));
        } else if c.grammar == Grammar::Notation {
            let error = c.diagnostic(Code::BadShape, node.span(), "a tensor of a session has a number of dimensions");
            c.report(error.label("of any rank").help("a size that is known later is written `?`: `tensor<?x?xf64>`"));
        }
        return;
    };
    let element = shape.element.as_str();
    let start = node.span().end as usize - element.len().min(node.span().len());
    let span = Span::new(start, node.span().end as usize);
    if let Some(name) = named_size(element) {
        let at = start + element.find(name).unwrap_or(0);
        let span = Span::new(at, at + name.len());
        let error = c.diagnostic(Code::BadShape, span, format!("a size is a number or `?`, and `{name}` is none"));
        let error = error.label("no size").help("a size that is known later is written `?`");
        let small = name.to_lowercase();
        let joined =
            name != small && small.split('x').all(|size| !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()));
        c.report(if joined { error.guess(span, &small) } else { error });
    } else if lacks_size(element) {
        let error = c.diagnostic(Code::BadShape, Span::new(start, start + 1), "a size is missing in front of this `x`");
        c.report(error.label("no size").help("a size that is known later is written `?`"));
    } else if is_misspelt(element) && node.tree().has_error_in(Span::at(node.span().end as usize)) {
        // What stands where the element type would is told of.
    } else if is_misspelt(element) {
        let diagnostic = c.diagnostic(
            Code::BadShape,
            node.span(),
            match node.text() {
                "" => "a shape and an element type are missing".to_string(),
                text => format!("`{text}` is not a shape and an element type"),
            },
        );
        let diagnostic = diagnostic.label("no element type at its end");
        c.report(diagnostic.help("dimensions and the element type are joined by `x`: `4x?xf64`"));
    } else if matches!(element, "none" | "tensor" | "memref")
        || element.starts_with("tensor<")
        || element.starts_with("memref<")
    {
        let error = c.diagnostic(Code::ElementType, span, format!("a tensor cannot hold `{element}`"));
        c.report(error.label("no number"));
    } else if Element::parse(element).is_none() && (c.grammar == Grammar::Notation || !is_mlir_type(element)) {
        report_unknown_element(span, element, c);
    }
}

/// `x2xf64`
fn lacks_size(element: &str) -> bool {
    let behind = element.strip_prefix('x');
    if behind.and_then(Element::parse).is_some() {
        return true;
    }
    let behind = behind.and_then(read_shape);
    behind.is_some_and(|shape| !shape.dims.is_empty() && Element::parse(&shape.element).is_some())
}

/// What is left behind the last `x` is no name of a type.
fn is_misspelt(element: &str) -> bool {
    element.is_empty() || element.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '?')
}

fn report_unknown_element(span: Span, element: &str, c: &mut Checker<'_>) {
    let names = || Element::ALL.iter().map(|element| element.name());
    let mut diagnostic = c.diagnostic(Code::ElementType, span, format!("unknown element type `{element}`"));
    // `f64 CSR`
    if let Some((own, rest)) = element.split_once(char::is_whitespace).filter(|(own, _)| Element::parse(own).is_some())
    {
        let rest = rest.trim_start();
        let place = Span::new(span.end as usize - rest.len(), span.end as usize);
        let message = format!("`,` is missing between the element type `{own}` and `{rest}`");
        let error = c.diagnostic(Code::ElementType, place, message).label("a `,` is missing before this");
        return c.report(error.fix("insert `,`", Span::at(span.start as usize + own.len()), ","));
    }
    if let Some(own) = nnz_syntax::habits::type_name(element).filter(|own| Element::parse(own).is_some()) {
        let diagnostic = diagnostic.label(format!("written `{own}`"));
        return c.report(diagnostic.fix(format!("write `{own}`"), span, own));
    }
    if let Some(nearest) = nnz_base::diagnostic::did_you_mean(element, names()) {
        diagnostic = diagnostic.guess(span, nearest);
    }
    let diagnostic = diagnostic.label("no element type");
    c.report(diagnostic.help(format!("element types: {}", super::list_of(&names().collect::<Vec<_>>()))));
}

fn report_unranked(shape: NodeRef<'_>, (slot, rank): (NodeRef<'_>, usize), c: &mut Checker<'_>) {
    if let Some(element) = shape.text().trim().strip_prefix('*') {
        let ranked = format!("{}{}", "?x".repeat(rank), element.trim_start_matches('x').trim());
        let diagnostic =
            c.diagnostic(Code::ScalarTensor, shape.span(), "an unranked tensor has no encoding").label("of any rank");
        c.report(
            diagnostic
                .secondary(slot.span(), "the encoding")
                .help("an encoding tells how many dimensions there are")
                .fix(format!("write `{ranked}`"), shape.span(), ranked),
        );
    }
}

/// The rules that an encoding and the type around it obey together.
fn check_against(encoding: &Encoding, shape: &Shape, at: NodeRef<'_>, slot: NodeRef<'_>, c: &mut Checker<'_>) {
    let (rank, wanted) = (shape.dims.len(), encoding.dim_rank());
    // `8xx8xf64` has as many dimensions as nobody can say.
    if rank != wanted && Element::parse(&shape.element).is_none() && shape.element.starts_with('x') {
        return;
    }
    if rank == 0 {
        let diagnostic = c
            .diagnostic(Code::ScalarTensor, at.span(), "a tensor without dimensions has no encoding")
            .label("nothing to store by levels");
        return c.report(diagnostic.secondary(slot.span(), "the encoding"));
    }
    if rank != wanted {
        let message = format!("the tensor has {}, its encoding {wanted}", counted(rank, "dimension"));
        let diagnostic = c.diagnostic(Code::RankMismatch, at.span(), message).label(counted(rank, "dimension"));
        let names: Vec<&str> = encoding.dims().iter().map(|dim| dim.name.as_str()).collect();
        let label = format!("{}: ({})", counted(wanted, "dimension"), names.join(", "));
        let diagnostic = diagnostic.secondary(slot.span(), label);
        let help = format!("a map of {}, or a tensor of {}", counted(rank, "dimension"), counted(wanted, "dimension"));
        return c.report(diagnostic.note(format!("its map is `{}`", encoding.map_text())).help(help));
    }
    for (dim, size) in encoding.dims().iter().zip(&shape.dims) {
        if let (Some(slice), Some(size)) = (dim.slice, *size) {
            check_slice(&dim.name, slice, size, at, slot, c);
        }
    }
    for (key, constant) in [("explicitVal", encoding.explicit_val()), ("implicitVal", encoding.implicit_val())] {
        if let Some(constant) = constant.filter(|constant| constant.type_text != shape.element)
            && c.is_first_of(slot, (key, &shape.element))
        {
            let message = format!("{key} is of type `{}`, the elements are `{}`", constant.type_text, shape.element);
            let diagnostic =
                c.diagnostic(Code::ConstantType, at.span(), message).label(format!("elements of `{}`", shape.element));
            c.report(
                diagnostic
                    .secondary(slot.span(), format!("{key} = {constant}"))
                    .help(format!("give the value its type: `{key} = {}`", of_element(constant, &shape.element))),
            );
        }
    }
}

/// A constant as one of another type is written: `1.0 : f64` for `1 : i32`; `...` for a value that it does not hold.
fn of_element(constant: &Constant, element: &str) -> String {
    let number = match (constant.value, Element::parse(element)) {
        (Scalar::Int(whole), Some(element)) if element.is_float() => format!("{whole}.0"),
        (Scalar::Int(whole), Some(element)) if !element.is_complex() => whole.to_string(),
        (Scalar::Float(real), Some(element)) if element.is_float() => format!("{real:?}"),
        (Scalar::Float(real), Some(element)) if !element.is_complex() && real.fract() == 0.0 => format!("{real:.0}"),
        _ => "...".to_string(),
    };
    format!("{number} : {element}")
}

/// Whether a slice says another size than the type.
fn is_contradicted(encoding: &Encoding, shape: &Shape) -> bool {
    let mut dims = encoding.dims().iter().zip(&shape.dims);
    dims.any(|(dim, size)| dim.slice.and_then(|slice| slice.size).zip(*size).is_some_and(|(slice, size)| slice != size))
}

/// A slice of known size is the dimension that the type shows.
fn check_slice(
    name: &str,
    slice: nnz_encoding::Slice,
    size: u64,
    at: NodeRef<'_>,
    slot: NodeRef<'_>,
    c: &mut Checker<'_>,
) {
    if let Some(wanted) = slice.size.filter(|&wanted| wanted != size) {
        let message = format!("the slice of `{name}` has size {wanted}, the tensor {size}");
        // MLIR takes such a type, and nothing says what it means.
        let code = if c.grammar == Grammar::Mlir { Code::SliceContradicts } else { Code::SliceShape };
        let diagnostic = c.diagnostic(code, at.span(), message).label(format!("size {size}"));
        c.report(diagnostic.secondary(slot.span(), format!("{slice}")));
    }
}

//! Types: `tensor<4x?xf64, #CSR>` and scalars.

use std::sync::Arc;

use super::{Checker, encoding::encoding_of};
use crate::{
    element::Element,
    encoding::Encoding,
    source::Span,
    syntax::{NodeKind, NodeRef},
};

/// A ranked tensor type of an element type that nnz computes with.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorType {
    /// One extent per dimension; `None` is `?`.
    pub shape: Vec<Option<u64>>,
    pub element: Element,
    /// `None` for an ordinary dense tensor.
    pub encoding: Option<Arc<Encoding>>,
}

/// A tensor type in the text.
#[derive(Clone, Debug)]
pub struct TypeSite {
    pub span: Span,
    /// `4x?xf64`
    pub shape: Span,
    /// `None` if it is broken, unranked, or of an element type that nnz does not compute with.
    pub tensor: Option<TensorType>,
}

/// The shape and element type as written.
struct Shape {
    dims: Vec<Option<u64>>,
    element: String,
}

/// The type at a node of kind `TensorType` (also `Shape`: a scalar type, of rank 0).
/// Reports what is wrong with it; `None` then, and for element types that nnz does not compute with.
pub fn tensor_type_of(node: NodeRef<'_>, c: &mut Checker<'_>) -> Option<TensorType> {
    let shape_node = if node.kind() == NodeKind::Shape { node } else { node.child(NodeKind::Shape)? };
    let slot = node.children().find(|child| child.kind() != NodeKind::Shape && child.kind() != NodeKind::Error);
    let encoding = slot.map(|slot| encoding_of(slot, c));
    let shape = read_shape(shape_node.text());
    let tensor = shape.and_then(|shape| {
        let element = Element::parse(&shape.element)?;
        Some(TensorType { shape: shape.dims, element, encoding: encoding.flatten() })
    });
    c.record_type(TypeSite { span: node.span(), shape: shape_node.span(), tensor: tensor.clone() });
    tensor
}

/// Reads `4 x ? x f64`; `None` for an unranked tensor or a dimension that is no number.
fn read_shape(text: &str) -> Option<Shape> {
    let mut dims = Vec::new();
    let mut rest = text.trim_start();
    while let Some((dim, behind)) = read_dim(rest) {
        dims.push(dim.ok()?);
        rest = behind;
    }
    (!rest.starts_with('*')).then(|| Shape { dims, element: rest.trim_end().to_string() })
}

/// The first dimension and what stands behind its `x`.
fn read_dim(text: &str) -> Option<(Result<Option<u64>, std::num::ParseIntError>, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let len = if text.starts_with('?') { 1 } else { digits };
    let behind = text.get(len..)?.trim_start().strip_prefix('x')?.trim_start();
    (len > 0).then(|| (if digits == 0 { Ok(None) } else { text[..digits].parse().map(Some) }, behind))
}

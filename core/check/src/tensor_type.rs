//! The type of a tensor, and where a text has one.

use std::sync::Arc;

use nnz_base::{element::Element, source::Span};
use nnz_encoding::Encoding;

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
    pub tensor: Option<Arc<TensorType>>,
}

//! What gives index variables their extents.

use nnz_base::source::Span;

/// The source of a variable's extent.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// `None`: known only from data that are not read yet.
    pub size: Option<u64>,
    pub place: Span,
    pub giver: Giver,
}

/// What gives a variable its extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Giver {
    Dimension { dim: usize, of: String },
    ResultType { dim: usize },
    Window,
}

impl Giver {
    /// Whether both are dimensions of one tensor, or both are something else of one kind.
    fn is_of_same(&self, other: &Giver) -> bool {
        match (self, other) {
            (Giver::Dimension { of, .. }, Giver::Dimension { of: other, .. }) => of == other,
            (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
        }
    }
}

impl std::fmt::Display for Giver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Giver::Dimension { dim, of } => write!(f, "dimension {dim} of `{of}`"),
            Giver::ResultType { dim } => write!(f, "dimension {dim} of the result's type"),
            Giver::Window => f.write_str("the window"),
        }
    }
}

/// Whether two pairs are of the same tensors, in either order.
pub(super) fn are_of_same([a, b]: &[Giver; 2], [c, d]: &[Giver; 2]) -> bool {
    (a.is_of_same(c) && b.is_of_same(d)) || (a.is_of_same(d) && b.is_of_same(c))
}

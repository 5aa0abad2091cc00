//! Iterators: one level of a sparse structure each.

use super::{Expr, IteratorId, ParamId, Place, Width};

/// An iterator: a level of a structure, with the coordinates that it runs over.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterator {
    pub name: String,
    pub place: Place,
    /// Coordinates lie below it.
    pub length: Expr,
    /// The type of its positions and coordinates.
    pub width: Width,
    pub kind: IteratorKind,
}

/// The four kinds, and the flattened iterator. A parent is declared before its child.
#[derive(Clone, Debug, PartialEq)]
pub enum IteratorKind {
    /// Every coordinate, the same for all parents.
    DenseFixed,
    /// The first coordinates, as many as `indptr` says for each position of the parent. Without a count it is the last
    /// number of `indptr`.
    DenseVaried { parent: IteratorId, count: Option<Expr>, indptr: ParamId },
    /// As many stored coordinates for each position of the parent.
    CompressedFixed { parent: IteratorId, columns: Expr, indices: ParamId, sorted: bool },
    /// Stored coordinates, as many as `indptr` says for each position of the parent.
    CompressedVaried { parent: IteratorId, count: Expr, indptr: ParamId, indices: ParamId, sorted: bool },
    /// Several iterators as one.
    Flatten { members: Vec<IteratorId>, offsets: ParamId },
}

impl Iterator {
    /// What the RFC calls its kind.
    pub fn word(&self) -> &'static str {
        match self.kind {
            IteratorKind::DenseFixed => "dense fixed",
            IteratorKind::DenseVaried { .. } => "dense varied",
            IteratorKind::CompressedFixed { .. } => "compressed fixed",
            IteratorKind::CompressedVaried { .. } => "compressed varied",
            IteratorKind::Flatten { .. } => "flattened",
        }
    }
    pub fn parent(&self) -> Option<IteratorId> {
        match self.kind {
            IteratorKind::DenseVaried { parent, .. }
            | IteratorKind::CompressedFixed { parent, .. }
            | IteratorKind::CompressedVaried { parent, .. } => Some(parent),
            IteratorKind::DenseFixed | IteratorKind::Flatten { .. } => None,
        }
    }
    /// The array of where the positions of each parent begin.
    pub fn indptr(&self) -> Option<ParamId> {
        match self.kind {
            IteratorKind::DenseVaried { indptr, .. } | IteratorKind::CompressedVaried { indptr, .. } => Some(indptr),
            IteratorKind::DenseFixed | IteratorKind::CompressedFixed { .. } | IteratorKind::Flatten { .. } => None,
        }
    }
    /// The array of stored coordinates.
    pub fn indices(&self) -> Option<ParamId> {
        match self.kind {
            IteratorKind::CompressedFixed { indices, .. } | IteratorKind::CompressedVaried { indices, .. } => {
                Some(indices)
            }
            IteratorKind::DenseFixed | IteratorKind::DenseVaried { .. } | IteratorKind::Flatten { .. } => None,
        }
    }
    pub fn is_varied(&self) -> bool {
        self.indptr().is_some()
    }
    pub fn is_compressed(&self) -> bool {
        self.indices().is_some()
    }
    /// Whether its coordinates are ascending within each parent, so that one can be searched for.
    pub fn is_sorted(&self) -> bool {
        match self.kind {
            IteratorKind::CompressedFixed { sorted, .. } | IteratorKind::CompressedVaried { sorted, .. } => sorted,
            IteratorKind::DenseFixed | IteratorKind::DenseVaried { .. } | IteratorKind::Flatten { .. } => true,
        }
    }
}

//! Buffers: arrays of values over iterators, or over plain dimensions.

use nnz_base::element::Element;

use super::{Expr, IteratorId, ParamId, Place, Region};

#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    pub name: String,
    pub place: Place,
    pub element: Element,
    pub scope: Scope,
    pub origin: Origin,
    pub layout: Layout,
}

/// Where its memory comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// An array that the caller passes.
    Handle(ParamId),
    /// It lives as long as the block around it.
    Allocated,
    /// It is declared only, as intrinsics do: nothing binds it.
    Declared,
    /// A part of another buffer.
    Region(Region),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    Sparse(Sparse),
    Dense(Dense),
}

/// A buffer over iterators, of which there is at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    pub iterators: Vec<IteratorId>,
    /// Where each of them is named.
    pub places: Vec<Place>,
    /// Elements behind the last, as an `indptr` has one.
    pub extra: u32,
    /// What is read at a coordinate that is not stored; zero if there is none.
    pub default: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    pub shape: Vec<Expr>,
    pub strides: Vec<Expr>,
    pub offset: Option<Expr>,
    pub bits: Bits,
}

/// What is promised of the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    pub align: Option<i64>,
    pub offset_factor: Option<i64>,
}

/// A kind of memory, one of [`SCOPES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope(&'static str);

pub const SCOPES: &[&str] =
    &["global", "shared", "shared.dyn", "local", "warp", "wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator"];

impl Scope {
    pub const GLOBAL: Scope = Scope("global");

    pub fn named(name: &str) -> Option<Scope> {
        SCOPES.iter().find(|known| **known == name).map(|known| Scope(known))
    }
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl Buffer {
    pub fn rank(&self) -> usize {
        match &self.layout {
            Layout::Sparse(sparse) => sparse.iterators.len(),
            Layout::Dense(dense) => dense.shape.len(),
        }
    }
    /// The iterators of its dimensions; none if they are plain.
    pub fn iterators(&self) -> &[IteratorId] {
        match &self.layout {
            Layout::Sparse(sparse) => &sparse.iterators,
            Layout::Dense(_) => &[],
        }
    }
}

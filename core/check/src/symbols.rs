//! Definitions, and uses of names, encodings, types and maps, with their places.

use std::sync::Arc;

use crate::{TensorType, TypeSite, scope};
use nnz_base::source::Span;
use nnz_encoding::{AffineMap, Encoding};

/// The number of a definition in [`Symbols::definitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub(crate) u32);

impl DefId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named thing; its name is the text at `name`.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name where it is defined, its sigil included: `#CSR`, `%x`, `@f`, `i`.
    pub name: Span,
    /// The whole definition: `#CSR = ...`, a function with its body; for values, the name.
    pub whole: Span,
    pub kind: DefinitionKind,
}

#[derive(Clone, Debug)]
pub enum DefinitionKind {
    /// `#CSR = #sparse_tensor.encoding<...>`; `None` if it is broken.
    Encoding(Option<Arc<Encoding>>),
    /// `#map = affine_map<...>`, `#trait = {...}`: an alias of something else.
    Attribute,
    /// `!t = tensor<...>`; `None` if it is broken or no tensor.
    Type(Option<TensorType>),
    /// A tensor of the nnz notation; `None` if it is broken.
    Tensor(Option<Arc<scope::PartialType>>),
    /// A scalar of the nnz notation; `None` if it is broken.
    Scalar(Option<nnz_base::element::Element>),
    /// `%x`
    Value,
    /// `@f`
    Function,
    /// `^bb0`
    Block,
    /// A dimension, symbol or level variable inside a map.
    MapVariable(MapVariable),
}

impl DefinitionKind {
    /// The encoding that the name stands for, unless it is broken.
    pub fn encoding(&self) -> Option<&Encoding> {
        self.shared_encoding().map(|encoding| &**encoding)
    }
    pub(crate) fn shared_encoding(&self) -> Option<&Arc<Encoding>> {
        if let DefinitionKind::Encoding(encoding) = self { encoding.as_ref() } else { None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapVariable {
    Dim,
    Symbol,
    Lvl,
}

/// A use of a name; a name that is not defined has no definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameUse {
    pub span: Span,
    pub definition: Option<DefId>,
}

/// An encoding written out in the text, or named where it is used.
#[derive(Clone, Debug)]
pub struct EncodingSite {
    pub span: Span,
    /// `None` if it is broken.
    pub encoding: Option<Arc<Encoding>>,
    /// Where each dimension and each level is written; empty at a mere name.
    pub dims: Vec<Span>,
    pub levels: Vec<Span>,
}

/// An affine map of a program.
#[derive(Clone, Debug)]
pub struct AffineMapSite {
    pub span: Span,
    /// `None` if its syntax is broken. A wrong result, which is reported, is 0.
    pub map: Option<Arc<AffineMap>>,
}

/// Definitions and uses with their places; every list is sorted by place.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    pub definitions: Vec<Definition>,
    pub uses: Vec<NameUse>,
    pub types: Vec<TypeSite>,
    pub encodings: Vec<EncodingSite>,
    pub maps: Vec<AffineMapSite>,
}

impl Symbols {
    pub fn definition(&self, id: DefId) -> &Definition {
        &self.definitions[id.0 as usize]
    }
    pub fn definition_ids(&self) -> impl Iterator<Item = DefId> {
        (0..self.definitions.len() as u32).map(DefId)
    }
    pub fn uses_of(&self, id: DefId) -> impl Iterator<Item = Span> {
        self.uses.iter().filter(move |u| u.definition == Some(id)).map(|u| u.span)
    }
}

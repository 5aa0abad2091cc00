//! The attributes of operations.

use std::sync::Arc;

use crate::{layout::Strided, types::Type};
use nnz_base::{arrays::Values, element::Scalar, source::Span};
use nnz_encoding::{AffineMap, Encoding};
use nnz_storage::Triplets;

#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Unit,
    Bool(bool),
    /// A number, and its type where one is written.
    Number(Scalar, Option<Type>),
    Text(String),
    Type(Type),
    /// Shared, because aliases may name others many times; dictionaries are shared, too.
    Array(Arc<[Attribute]>),
    Dictionary(Arc<Attributes>),
    Map(Arc<AffineMap>),
    /// `dense<...>`
    Dense(Arc<DenseLiteral>),
    /// `sparse<[...], [...]>`
    Sparse(Arc<SparseLiteral>),
    /// `#sparse_tensor.encoding<...>`
    Encoding(Arc<Encoding>),
    /// `strided<[4, 1]>`
    Strided(Strided),
    /// `@name`
    Symbol(String),
    /// A bare word, `#name<...>`, or anything else that no operation here asks for.
    Word(String),
    /// One that is wrong, which has been told.
    Broken,
}

/// The entries of a constant, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseLiteral {
    pub ty: Type,
    pub shape: Vec<u64>,
    pub values: Arc<Values>,
}

/// The entries of a constant in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseLiteral {
    pub ty: Type,
    pub entries: Arc<Triplets>,
}

impl Attribute {
    pub fn as_text(&self) -> Option<&str> {
        if let Attribute::Text(text) | Attribute::Word(text) | Attribute::Symbol(text) = self {
            Some(text)
        } else {
            None
        }
    }
    pub fn as_int(&self) -> Option<i128> {
        if let Attribute::Bool(truth) = self {
            return Some((*truth).into());
        }
        if let Attribute::Number(Scalar::Int(number), _) = self { Some(*number) } else { None }
    }
    pub fn as_map(&self) -> Option<&Arc<AffineMap>> {
        if let Attribute::Map(map) = self { Some(map) } else { None }
    }
    /// Whether it is wrong, or holds what is.
    pub(crate) fn is_broken(&self) -> bool {
        let holds = |items: &[Attribute]| items.iter().any(Attribute::is_broken);
        *self == Attribute::Broken || matches!(self, Attribute::Array(items) if holds(items))
    }
    /// The integers of `[1, 2]`, `array<i64: 1, 2>` or `dense<[1, 2]>`.
    pub fn as_ints(&self) -> Option<Vec<i128>> {
        if let Attribute::Array(items) = self {
            return items.iter().map(Attribute::as_int).collect();
        }
        let Attribute::Dense(literal) = self else { return None };
        Some(literal.values.iter().map(|value| if let Scalar::Int(number) = value { number } else { 0 }).collect())
    }
}

/// Attributes by name, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes(Vec<Named>);

#[derive(Clone, Debug, PartialEq)]
struct Named {
    name: String,
    value: Attribute,
    /// `None` of one that the operation's own syntax says.
    span: Option<Span>,
    /// The places of a list's items.
    items: Vec<Span>,
}

impl Attributes {
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        self.named(name).map(|known| &known.value)
    }
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|known| known.name.as_str())
    }
    /// The place of the value in the text.
    pub fn span(&self, name: &str) -> Option<Span> {
        self.named(name)?.span
    }
    /// The place of an item of a list in the text.
    pub(crate) fn item_span(&self, name: &str, at: usize) -> Option<Span> {
        self.named(name)?.items.get(at).copied()
    }
    pub fn set(&mut self, name: impl Into<String>, value: Attribute) {
        self.0.push(Named { name: name.into(), value, span: None, items: Vec::new() });
    }
    pub(crate) fn set_at(&mut self, name: impl Into<String>, value: Attribute, span: Span) {
        self.0.push(Named { name: name.into(), value, span: Some(span), items: Vec::new() });
    }
    pub(crate) fn set_items(&mut self, name: impl Into<String>, value: Attribute, span: Span, items: Vec<Span>) {
        self.0.push(Named { name: name.into(), value, span: Some(span), items });
    }
    /// Whether what is wrong with one of them has been told.
    pub(crate) fn are_broken(&self) -> bool {
        self.0.iter().any(|known| known.value.is_broken())
    }
    pub fn append(&mut self, other: Attributes) {
        self.0.extend(other.0);
    }
    /// The first of other attributes that is here already, with its place.
    pub(crate) fn repeated<'o>(&self, other: &'o Attributes) -> Option<(&'o str, Span)> {
        let twice = other.0.iter().find(|known| self.get(&known.name).is_some())?;
        Some((&twice.name, twice.span?))
    }

    fn named(&self, name: &str) -> Option<&Named> {
        self.0.iter().find(|known| known.name == name)
    }
}

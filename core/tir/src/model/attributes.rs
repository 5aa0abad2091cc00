//! What functions, blocks, iterations and loops say of themselves in dictionaries.

use std::collections::BTreeMap;

use super::{Expr, Real, VariableId};

/// Keys and values. Their order in the text means nothing.
pub type Attributes = BTreeMap<String, Value>;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Nothing,
    Bool(bool),
    Int(i64),
    Float(Real),
    Text(String),
    List(Vec<Value>),
    Entries(Attributes),
    Map(IndexMap),
}

/// A map of coordinates: of a format description, from those of one structure to those of another.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexMap {
    pub variables: Vec<VariableId>,
    pub results: Vec<Expr>,
}

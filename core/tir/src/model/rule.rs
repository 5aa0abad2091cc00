//! Format decompositions: a function for several formats of one operand, as calls in the Python around it.

use super::{IndexMap, Place};

/// `format_decompose(spmm, [rule, …])`.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    pub place: Place,
    /// The function that it is of.
    pub function: String,
    pub rules: Vec<Rule>,
    /// Whether the result has the iterations that copy entries.
    pub copies: bool,
}

/// How some entries of buffers are stored in another format.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub place: Place,
    /// Behind a `_` it ends the names of what the description declares.
    pub name: String,
    pub description: Description,
    /// The buffers of the function that get this format.
    pub buffers: Vec<String>,
    /// The iterators of these buffers, if the rule says them.
    pub before: Option<Vec<String>>,
    /// The iterators of the description, if the rule says them.
    pub after: Option<Vec<String>>,
    /// The iterators that replace each one.
    pub iterators: Vec<(String, Vec<String>)>,
    /// From the coordinates before to those after. Its variables are the numbers from 0 on.
    pub there: IndexMap,
    pub back: IndexMap,
    pub places: Places,
}

/// A function that describes a format.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Where its definition starts.
    pub start: u32,
    /// The numbers that the Python around it has for names.
    pub constants: Vec<(String, i64)>,
}

/// Where the parts of a rule stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Places {
    pub name: Place,
    pub description: Place,
    pub buffers: Place,
    pub iterators: Place,
    pub there: Place,
    pub back: Place,
}

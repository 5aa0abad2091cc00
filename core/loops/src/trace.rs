//! What a run of a function did, step by step, as data.

use nnz_base::element::{Element, Scalar};

/// A run of a kernel's functions, one after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The functions as text.
    pub text: String,
    pub steps: Vec<Step>,
    /// Whether it stopped early, after as many steps as there was room for.
    pub is_cut: bool,
}

/// A statement that ran, or an iteration of a loop that began.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The line of the text that it begins on, from 0.
    pub line: usize,
    /// The variables that it set.
    pub set: Vec<(String, Noted)>,
    /// The entries that it read and stored, in that order.
    pub touched: Vec<Touched>,
}

/// An access to an entry of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Touched {
    pub array: String,
    pub at: i64,
    pub is_store: bool,
    pub value: Noted,
}

/// A value of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noted {
    Truth(bool),
    Index(i64),
    Value(Element, Scalar),
}

//! Words of the notation, known by their text alone: operators, functions, names.

use nnz_base::{
    element::Element,
    functions::{BinaryFunction, UnaryFunction},
};

/// Whether a word is an operator, and cannot be a name in an expression.
pub(crate) fn is_operator(word: &str) -> bool {
    matches!(word, "and" | "or" | "not")
}

/// Of one argument they reduce, and lack a variable.
pub(crate) const REDUCTIONS: [&str; 6] = ["sum(", "prod(", "min(", "max(", "argmin(", "argmax("];

/// Whether the language has a function of numbers of this name.
pub(crate) fn is_function(name: &str) -> bool {
    UnaryFunction::ALL.iter().any(|function| function.name() == name)
        || BinaryFunction::ALL.iter().any(|function| function.name() == name)
        || Element::parse(name).is_some()
        || REDUCTIONS.iter().any(|known| known.strip_suffix('(') == Some(name))
        || matches!(
            name,
            "abs" | "sign" | "square" | "relu" | "conj" | "real" | "imag" | "bitnot" | "pow" | "mod" | "rem"
        )
}

/// A name without indices.
pub(crate) fn is_bare(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(is_name_start) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name that ends in front of byte `place`, or nothing.
pub(crate) fn name_before(text: &str, place: usize) -> &str {
    let before = text.get(..place).unwrap_or_default();
    &before[before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()..]
}

pub(crate) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

//! Which words are legal names.

/// Words that open a statement or a literal, and so name nothing.
pub(crate) const RESERVED: &[&str] = &[
    "for",
    "in",
    "let",
    "sort",
    "var",
    "while",
    "if",
    "else",
    "parallel",
    "true",
    "false",
    "kernel",
    "read",
    "write",
    "readwrite",
    "cast",
    "select",
    "min",
    "max",
    "pow",
    "abs",
    "sqrt",
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "tanh",
    "index",
    "bool",
    "complex",
];

/// Words of letters, digits and `_`, joined by single dots; the first word does not start with a digit.
pub(crate) fn is_name(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && text.split('.').all(is_word)
        && !RESERVED.contains(&text)
        && nnz_base::element::Element::parse(text).is_none()
}

//! Operators of other languages.

/// The replacement of an operator of another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// By another operator.
    Operator(&'static str),
    /// By a function of both operands.
    Call(&'static str),
}

/// The precedence of an operator of another language: that of nnz's operators at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tightness {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Power,
}

/// A row of [`OPERATORS`].
#[derive(Debug)]
pub struct Operator {
    pub written: &'static str,
    pub tightness: Tightness,
    pub instead: Instead,
    /// It can only be meant so.
    pub sure: bool,
    /// A further note; may be empty.
    pub note: &'static str,
}

const fn row(
    written: &'static str,
    tightness: Tightness,
    instead: Instead,
    sure: bool,
    note: &'static str,
) -> Operator {
    Operator { written, tightness, instead, sure, note }
}

/// Longer operators come before their prefixes.
pub const OPERATORS: &[Operator] = &[
    row("**", Tightness::Power, Instead::Call("pow"), true, ""),
    row(".^", Tightness::Power, Instead::Call("pow"), true, ""),
    row("^", Tightness::Power, Instead::Call("pow"), false, "`xor(x, y)` is the exclusive or of bits"),
    row(".>=", Tightness::Comparison, Instead::Operator(">="), true, ""),
    row(".<=", Tightness::Comparison, Instead::Operator("<="), true, ""),
    row(".==", Tightness::Comparison, Instead::Operator("=="), true, ""),
    row(".!=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row(".>", Tightness::Comparison, Instead::Operator(">"), true, ""),
    row(".<", Tightness::Comparison, Instead::Operator("<"), true, ""),
    row(".+", Tightness::Sum, Instead::Operator("+"), true, ""),
    row(".-", Tightness::Sum, Instead::Operator("-"), true, ""),
    row(".*", Tightness::Product, Instead::Operator("*"), true, ""),
    row("./", Tightness::Product, Instead::Operator("/"), true, ""),
    row("×", Tightness::Product, Instead::Operator("*"), true, ""),
    row("·", Tightness::Product, Instead::Operator("*"), true, ""),
    row("⋅", Tightness::Product, Instead::Operator("*"), true, ""),
    row("∗", Tightness::Product, Instead::Operator("*"), true, ""),
    row("÷", Tightness::Product, Instead::Operator("/"), true, ""),
    row(
        "@",
        Tightness::Product,
        Instead::Operator("*"),
        false,
        "a product of matrices names its indices: `C(i, j) = A(i, k) * B(k, j)`",
    ),
    row(
        "%",
        Tightness::Product,
        Instead::Call("mod"),
        false,
        "`mod` rounds down, as Python's `%`; `rem` truncates, as C's",
    ),
    row("−", Tightness::Sum, Instead::Operator("-"), true, ""),
    row("–", Tightness::Sum, Instead::Operator("-"), true, ""),
    row("AND", Tightness::And, Instead::Operator("and"), true, ""),
    row("OR", Tightness::Or, Instead::Operator("or"), true, ""),
    row("&&", Tightness::And, Instead::Operator("and"), true, ""),
    row("&", Tightness::And, Instead::Operator("and"), false, ""),
    row("∧", Tightness::And, Instead::Operator("and"), true, ""),
    row("||", Tightness::Or, Instead::Operator("or"), true, ""),
    row("|", Tightness::Or, Instead::Operator("or"), false, ""),
    row("∨", Tightness::Or, Instead::Operator("or"), true, ""),
    row("=/=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("=!=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("====", Tightness::Comparison, Instead::Operator("=="), true, ""),
    row("===", Tightness::Comparison, Instead::Operator("=="), true, ""),
    row("!==", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("=>", Tightness::Comparison, Instead::Operator(">="), false, ""),
    row("=<", Tightness::Comparison, Instead::Operator("<="), false, ""),
    row("<>", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("~=", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("≠", Tightness::Comparison, Instead::Operator("!="), true, ""),
    row("≤", Tightness::Comparison, Instead::Operator("<="), true, ""),
    row("≥", Tightness::Comparison, Instead::Operator(">="), true, ""),
];

/// The operator of another language that `text` begins with.
pub fn operator(text: &str, tightness: Tightness) -> Option<&'static Operator> {
    // This is asked at every token of an expression, and most begin no operator.
    let byte = text.as_bytes().first();
    let mut rows = OPERATORS.iter().filter(|row| row.written.as_bytes().first() == byte);
    let is_word = |row: &Operator| row.written.starts_with(|c: char| c.is_ascii_alphabetic());
    let goes_on =
        |row: &Operator| text[row.written.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let first = rows.find(|row| text.starts_with(row.written) && !(is_word(row) && goes_on(row)))?;
    (first.tightness == tightness).then_some(first)
}

/// What an operator computes from the bits of integers, in C and in Python.
pub fn of_bits(written: &str) -> Option<&'static str> {
    match written {
        "&" => Some("bitand"),
        "|" => Some("bitor"),
        "^" => Some("xor"),
        "~" => Some("bitnot"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operator_hides_a_longer_one() {
        for (at, row) in OPERATORS.iter().enumerate() {
            let hidden = OPERATORS[..at].iter().find(|earlier| row.written.starts_with(earlier.written));
            assert!(hidden.is_none(), "{row:?} stands behind {hidden:?}");
        }
    }
}

//! Whether a text is a whole program.

use crate::syntax;

/// Whether a text can be run as it is, or the user is still in the middle of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    Complete,
    Incomplete,
}

/// What a prompt asks before it runs a text: only text that more text could mend is incomplete.
pub fn is_complete(text: &str) -> Completeness {
    match syntax::session::parse(text).is_incomplete() {
        true => Completeness::Incomplete,
        false => Completeness::Complete,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_text_is_incomplete() {
        assert_eq!(is_complete("y(i) = A(i, j) *"), Completeness::Incomplete);
        assert_eq!(is_complete("y(i) = )"), Completeness::Complete);
    }
}

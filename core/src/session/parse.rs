//! A session's text, cut into statements.

use crate::{
    diagnostic::{Code, Diagnostic},
    ids::FileId,
    source::Span,
    syntax::{self, NodeKind, NodeRef, SyntaxError, Tree},
};

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

/// One statement and the syntax errors in it.
pub(super) struct Statement<'t> {
    pub span: Span,
    /// `None` where the text is no statement at all.
    pub node: Option<NodeRef<'t>>,
    pub errors: Vec<&'t SyntaxError>,
}

/// The statements of a tree in order; every syntax error belongs to exactly one of them.
pub(super) fn statements(tree: &Tree) -> Vec<Statement<'_>> {
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for node in tree.root().children() {
        let own = (node.kind() != NodeKind::Error).then_some(node);
        match statements.last_mut() {
            // What was skipped belongs to the statement that it spoils.
            Some(last) if own.is_none() => last.span = last.span.cover(node.span()),
            _ => statements.push(Statement { span: node.span(), node: own, errors: Vec::new() }),
        }
    }
    let starts: Vec<u32> = statements.iter().map(|statement| statement.span.start).collect();
    for error in tree.errors() {
        let after = starts.partition_point(|&start| start <= error.span.start);
        match statements.get_mut(after.saturating_sub(1)) {
            Some(statement) => statement.errors.push(error),
            None => statements.push(Statement { span: error.span, node: None, errors: vec![error] }),
        }
    }
    statements
}

pub(super) fn diagnostic(file: FileId, error: &SyntaxError) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::SyntaxError, file, error.span, error.message.clone());
    match error.expected.split_last() {
        Some((last, [])) => diagnostic.help(format!("write {last} here")),
        Some((last, rest)) => diagnostic.help(format!("legal here: {} or {last}", rest.join(", "))),
        None => diagnostic,
    }
}

pub(super) fn not_yet(file: FileId, span: Span) -> Diagnostic {
    Diagnostic::new(Code::SyntaxError, file, span, "statements of this kind are not evaluated yet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_belong_to_their_statement() {
        let tree = syntax::session::parse("x : f64 = )\ny ]\nz");
        let cut: Vec<(&str, usize)> =
            statements(&tree).iter().map(|s| (&tree.text()[s.span.range()], s.errors.len())).collect();
        assert_eq!(cut, [("x : f64 = )", 1), ("y ]", 1), ("z", 0)]);
    }

    #[test]
    fn an_unfinished_text_is_incomplete() {
        assert_eq!(is_complete("y(i) = A(i, j) *"), Completeness::Incomplete);
        assert_eq!(is_complete("y(i) = )"), Completeness::Complete);
    }
}

//! Cuts a session into its statements.

use crate::{NodeKind, NodeRef, SyntaxError, Tree};
use nnz_base::source::Span;

/// One statement and the syntax errors in it.
#[derive(Clone, Debug)]
pub struct Statement<'t> {
    pub span: Span,
    /// `None` if the text is not a statement at all.
    pub node: Option<NodeRef<'t>>,
    pub errors: Vec<&'t SyntaxError>,
}

/// The statements of a tree in order; every syntax error belongs to exactly one of them.
pub fn statements(tree: &Tree) -> Vec<Statement<'_>> {
    let mut statements: Vec<Statement<'_>> = Vec::new();
    for node in tree.root().children() {
        let own = (!matches!(node.kind(), NodeKind::Error | NodeKind::Stray)).then_some(node);
        match statements.last_mut() {
            // What was skipped behind a statement spoils it.
            Some(last) if node.kind() == NodeKind::Error => last.span = last.span.cover(node.span()),
            _ => statements.push(Statement { span: node.span(), node: own, errors: Vec::new() }),
        }
    }
    let starts: Vec<u32> = statements.iter().map(|statement| statement.span.start).collect();
    for error in tree.errors() {
        let mut after = starts.partition_point(|&start| start <= error.span.start);
        if after >= 2 && goes_on(tree, &statements[after - 2], &statements[after - 1], error) {
            after -= 1;
        }
        match statements.get_mut(after.saturating_sub(1)) {
            Some(statement) => statement.errors.push(error),
            None => statements.push(Statement { span: error.span, node: None, errors: vec![error] }),
        }
    }
    statements
}

/// Whether an error where a statement begins is of the one before, which stopped there, within a line.
fn goes_on(tree: &Tree, before: &Statement<'_>, after: &Statement<'_>, error: &SyntaxError) -> bool {
    let between = tree.text().get(before.span.end as usize..after.span.start as usize).unwrap_or_default();
    error.span.start == after.span.start && after.node.is_some() && !between.contains(['\n', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::parse;

    #[test]
    fn errors_belong_to_their_statement() {
        let tree = parse("x : f64 = )\ny ]\nz");
        let cut: Vec<(&str, usize)> =
            statements(&tree).iter().map(|s| (&tree.text()[s.span.range()], s.errors.len())).collect();
        assert_eq!(cut, [("x : f64 = )", 1), ("y ]", 1), ("z", 0)]);
        let tree = parse("y\nfor i in 0:4\nz\n)");
        let cut: Vec<(&str, usize)> =
            statements(&tree).iter().map(|s| (&tree.text()[s.span.range()], s.errors.len())).collect();
        assert_eq!(cut, [("y", 0), ("for i in 0:4", 1), ("z", 0), (")", 1)]);
    }
}

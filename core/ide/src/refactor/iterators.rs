//! An encoding as iterators of SparseTIR, in a comment above its definition.

use nnz_base::source::Span;
use nnz_check::Checked;
use nnz_stages::iterators::description;
use nnz_syntax::NodeKind;

use super::{Refactoring, Written, line_start, rewrite};

pub(super) fn refactorings(checked: &Checked, written: &Written<'_>) -> Option<Refactoring> {
    let alias = written.node.ancestors().find(|node| node.kind() == NodeKind::AttrAlias)?;
    let name = alias.first_token()?.text();
    let text = description(written.encoding, None, name).ok()?;
    let lines: String = text.lines().map(|line| format!("// {line}").trim_end().to_string() + "\n").collect();
    let start = line_start(checked, alias.span().start);
    let title = format!("write the iterators of `{name}` in SparseTIR, as a comment");
    Some(rewrite(checked, title, vec![(Span::at(start), lines)]))
}

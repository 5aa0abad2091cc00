//! `textDocument/documentLink`: the files that a text names.

use nnz_base::source::Span;
use nnz_check::{Checked, Grammar};
use nnz_syntax::{NodeKind, TokenKind, TokenRef};

/// The name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Without its quotes.
    pub span: Span,
    /// As the text has it.
    pub path: String,
    /// What the text does with it.
    pub tooltip: &'static str,
}

/// The files in `use` and `read`, in order.
pub fn links(checked: &Checked) -> Vec<Link> {
    if checked.grammar != Grammar::Notation {
        return Vec::new();
    }
    let nodes = checked.tree.root().descendants();
    let named = nodes.filter_map(|node| Some((tooltip(node.kind())?, node.token(TokenKind::String)?)));
    named.filter_map(|(tooltip, token)| link(token, tooltip)).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "kinds of nodes are many")]
fn tooltip(kind: NodeKind) -> Option<&'static str> {
    match kind {
        NodeKind::Use => Some("its encodings and functions are known below"),
        NodeKind::Read => Some("the data of a tensor"),
        _ => None,
    }
}

fn link(token: TokenRef<'_>, tooltip: &'static str) -> Option<Link> {
    let path = token.text().trim_matches('"');
    let start = token.span().start as usize + 1;
    (!path.is_empty()).then(|| Link { span: Span::new(start, start + path.len()), path: path.to_string(), tooltip })
}

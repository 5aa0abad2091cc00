//! The matching brackets of a text, whatever is between them.

use nnz_base::source::Span;
use nnz_syntax::{TokenKind, Tree};

/// Two brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) open: Span,
    pub(super) close: Span,
    /// The place in the list of the pair around it.
    pub(super) parent: Option<usize>,
}

/// Every pair, in the order of the opening brackets. One that is never closed has no pair.
pub(super) fn pairs(tree: &Tree) -> Vec<Pair> {
    let mut pairs: Vec<(Pair, bool)> = Vec::new();
    let mut open: Vec<(TokenKind, usize)> = Vec::new();
    for token in tree.tokens().filter(|token| is_bracket(token.kind())) {
        if let Some(closing) = token.kind().closing() {
            let parent = open.last().map(|(_, at)| *at);
            open.push((closing, pairs.len()));
            pairs.push((Pair { open: token.span(), close: token.span(), parent }, false));
        } else if is_closing(token.kind())
            && open.last().is_some_and(|(wanted, _)| *wanted == token.kind())
            && let Some((_, at)) = open.pop()
            && let Some((pair, closed)) = pairs.get_mut(at)
        {
            (pair.close, *closed) = (token.span(), true);
        } else if token.kind() == TokenKind::RBrace {
            // What is open within a region that ends is never closed.
            close_region(&mut open, &mut pairs, token.span());
        }
    }
    without_open(&pairs)
}

fn is_bracket(kind: TokenKind) -> bool {
    is_closing(kind) || matches!(kind, TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket)
}

fn is_closing(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket)
}

fn close_region(open: &mut Vec<(TokenKind, usize)>, pairs: &mut [(Pair, bool)], close: Span) {
    let Some(at) = open.iter().rposition(|(wanted, _)| *wanted == TokenKind::RBrace) else { return };
    let (_, region) = open[at];
    open.truncate(at);
    if let Some((pair, closed)) = pairs.get_mut(region) {
        (pair.close, *closed) = (close, true);
    }
}

/// The pairs that are closed; parents are those that are.
fn without_open(pairs: &[(Pair, bool)]) -> Vec<Pair> {
    let mut kept: Vec<Pair> = Vec::new();
    // For each pair, itself where it is kept and else what is around it.
    let mut stands_for: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (pair, closed) in pairs {
        let parent = pair.parent.and_then(|parent| stands_for.get(parent).copied().flatten());
        if *closed {
            stands_for.push(Some(kept.len()));
            kept.push(Pair { parent, ..*pair });
        } else {
            stands_for.push(parent);
        }
    }
    kept
}

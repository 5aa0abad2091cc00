//! The tokens of a text, comments among them, each with the gap in front of it.

use nnz_base::source::is_line_end;
use nnz_syntax::{NodeRef, TokenKind, TokenRef, Tree};

/// A token that is no blank.
#[derive(Clone, Copy)]
pub(super) struct Piece<'t> {
    pub(super) node: NodeRef<'t>,
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    /// Without the blanks at the end of a comment.
    pub(super) end: usize,
    /// How many lines end in the gap before it.
    pub(super) lines: usize,
    /// The gap before it is empty.
    pub(super) joined: bool,
}

impl<'t> Piece<'t> {
    pub(super) fn text(&self) -> &'t str {
        &self.node.tree().text()[self.start..self.end]
    }
    pub(super) fn width(&self) -> usize {
        self.text().chars().count()
    }
    pub(super) fn is_comment(&self) -> bool {
        self.kind == TokenKind::Comment
    }
    /// It comes after other tokens of its line.
    pub(super) fn trails(&self) -> bool {
        self.is_comment() && self.lines == 0
    }
}

/// The pieces of a part of a text, which begins behind `from`.
pub(super) fn pieces(tree: &Tree, range: std::ops::Range<usize>, from: usize) -> Vec<Piece<'_>> {
    let mut end = from;
    let inside = tree.tokens_in(range.clone()).filter(|(_, token)| token.span().start as usize >= range.start);
    let pieces = inside.map(|(node, token)| {
        let piece = piece(node, token, end);
        end = piece.end;
        piece
    });
    pieces.collect()
}

fn piece<'t>(node: NodeRef<'t>, token: TokenRef<'t>, behind: usize) -> Piece<'t> {
    let (span, text) = (token.span().range(), node.tree().text());
    let end = span.start + token.text().trim_end_matches([' ', '\t', '\r']).len();
    let lines = (behind..span.start).filter(|&at| is_line_end(text, at)).count();
    Piece { node, kind: token.kind(), start: span.start, end, lines, joined: behind == span.start }
}

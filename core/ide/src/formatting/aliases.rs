//! Aliases of encodings, maps and traits: on one line if they fit; otherwise the items between the outermost brackets
//! go onto lines of their own, one item per line. Braces and square brackets stay broken if the writer broke the line
//! after the opening one.

#![expect(clippy::wildcard_enum_match_arm, reason = "asks for a few of many kinds of tokens and nodes")]

use nnz_syntax::{NodeKind, TokenKind};

use super::{
    Style, WIDTH,
    blanks::blank_between,
    edits::{Indent, Space},
    pieces::Piece,
};

/// What is nested deeper keeps its lines: no hand-written text comes near.
const DEEPEST: usize = 32;

/// The gaps before all pieces but the first; `None` if there are comments or breaks at places that cannot have them, or
/// a slip.
pub(super) fn laid_out(pieces: &[Piece<'_>], indent: Indent, style: Style) -> Option<Vec<Space>> {
    if pieces.windows(2).any(|pair| lacks_operand(pair[0].kind, pair[1].kind) || are_apart(&pair[0], &pair[1])) {
        return None;
    }
    let angles = angles(pieces)?;
    let groups = groups(pieces, &angles)?;
    let stops = stops(pieces, &angles);
    let mut walk = Walk { pieces, angles, groups, stops, flat: flat(pieces), style, open: Vec::new() };
    Some(walk.spaces(indent))
}

/// There is nothing between a sign and the closing bracket: a slip, which breaking the line would hide.
fn lacks_operand(sign: TokenKind, next: TokenKind) -> bool {
    matches!(sign, TokenKind::Colon | TokenKind::Eq | TokenKind::Arrow) && closes(next)
}

/// Two words on two lines, with no sign between them: a slip, too.
fn are_apart(word: &Piece<'_>, next: &Piece<'_>) -> bool {
    word.kind == TokenKind::Ident && next.kind == TokenKind::Ident && next.lines > 0
}

/// Brackets and what is between them.
#[derive(Clone, Copy)]
struct Group {
    open: usize,
    close: usize,
    /// Broken whether it fits or not.
    forced: bool,
}

/// By the piece that opens it.
type Groups = Vec<Option<Group>>;

fn closes(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace)
}

/// For each piece, whether it is between the angles of an unknown attribute, whose syntax is not known well enough to
/// move it to other lines.
fn angles(pieces: &[Piece<'_>]) -> Option<Vec<bool>> {
    let mut open = 0_usize;
    let mut inside = Vec::new();
    for piece in pieces {
        inside.push(open > 0);
        if open > 0 && piece.lines > 0 {
            return None;
        }
        let loose = piece.node.kind() == NodeKind::Value;
        match piece.kind {
            TokenKind::Lt if loose => open += 1,
            TokenKind::Gt if loose => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    (open == 0).then_some(inside)
}

fn groups(pieces: &[Piece<'_>], angles: &[bool]) -> Option<Groups> {
    let mut groups: Groups = vec![None; pieces.len()];
    let (mut open, places): (Vec<Group>, _) = (Vec::new(), places(pieces));
    for (at, piece) in pieces.iter().enumerate().filter(|(at, _)| !angles[*at]) {
        match piece.kind {
            TokenKind::Comment if !places[at] => return None,
            TokenKind::Comment => open.last_mut()?.forced = true,
            kind if kind.closing().is_some() => {
                let forced = kind != TokenKind::LParen && is_opened(pieces, at);
                open.push(Group { open: at, close: at, forced });
                if open.len() > DEEPEST {
                    return None;
                }
            }
            kind if closes(kind) => {
                let group = Group { close: at, ..open.pop()? };
                groups[group.open] = Some(group);
                open.last_mut().into_iter().for_each(|outer| outer.forced |= group.forced);
            }
            _ => {}
        }
    }
    open.is_empty().then_some(groups)
}

/// The writer broke the line behind a bracket that holds something.
fn is_opened(pieces: &[Piece<'_>], at: usize) -> bool {
    pieces.get(at + 1).is_some_and(|next| next.lines > 0 && !closes(next.kind))
}

/// For each piece, whether a comment is allowed there: at the beginning of an item, or at the end of the last one.
fn places(pieces: &[Piece<'_>]) -> Vec<bool> {
    let mut places = vec![false; pieces.len()];
    let begins = |piece: &Piece<'_>| piece.kind == TokenKind::Comma || piece.kind.closing().is_some();
    let mut may = false;
    for (place, piece) in places.iter_mut().zip(pieces) {
        *place = may;
        may = if piece.is_comment() { may } else { begins(piece) };
    }
    let mut may = false;
    for (place, piece) in places.iter_mut().zip(pieces).rev() {
        *place |= may;
        may = if piece.is_comment() { may } else { closes(piece.kind) };
    }
    places
}

/// For each piece, the columns before it if all are on one line, and at the end their sum.
fn flat(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut columns = vec![0];
    for (at, piece) in pieces.iter().enumerate() {
        let blank = pieces.get(at + 1).is_some_and(|next| blank_between(piece, next));
        columns.push(columns[at] + piece.width() + usize::from(blank));
    }
    columns
}

/// For each piece, the first piece from there on before which a line can end.
fn stops(pieces: &[Piece<'_>], angles: &[bool]) -> Vec<usize> {
    let mut stops = vec![pieces.len(); pieces.len() + 1];
    for (at, piece) in pieces.iter().enumerate().rev() {
        stops[at] = match piece.kind {
            _ if angles[at] => stops[at + 1],
            kind if closes(kind) => at,
            kind if kind == TokenKind::Comma || kind.closing().is_some() => at + 1,
            _ => stops[at + 1],
        };
    }
    stops
}

/// A group that is open.
struct Open {
    group: Group,
    broken: bool,
    /// Of the line on which it is opened.
    outside: Indent,
}

struct Walk<'p, 't> {
    pieces: &'p [Piece<'t>],
    angles: Vec<bool>,
    groups: Groups,
    stops: Vec<usize>,
    flat: Vec<usize>,
    style: Style,
    open: Vec<Open>,
}

impl Walk<'_, '_> {
    fn spaces(&mut self, indent: Indent) -> Vec<Space> {
        let (mut line, mut column) = (indent, indent.columns(self.style));
        let mut spaces = Vec::new();
        for at in 0..self.pieces.len() {
            if at > 0 {
                let space = self.space(at);
                match space {
                    Space::Lines(_, indent) => (line, column) = (indent, indent.columns(self.style)),
                    Space::Blanks(count) => column += count,
                    Space::Trailing | Space::Kept | Space::LinesAsIndented(_) => {}
                }
                spaces.push(space);
            }
            self.enter_or_leave(at, line, column);
            column += self.pieces[at].width();
        }
        spaces
    }

    fn space(&self, at: usize) -> Space {
        let (before, piece) = (&self.pieces[at - 1], &self.pieces[at]);
        let broken = self.open.last().filter(|open| open.broken);
        let kept = piece.lines.clamp(1, 2);
        match broken {
            Some(_) if piece.trails() => Space::Trailing,
            Some(open) if at == open.group.close => Space::Lines(1, open.outside),
            Some(open) if at == open.group.open + 1 => Space::Lines(1, open.outside.deeper()),
            Some(open) if before.is_comment() || piece.is_comment() || self.ends_item(at - 1) => {
                Space::Lines(kept, open.outside.deeper())
            }
            _ => Space::Blanks(usize::from(blank_between(before, piece))),
        }
    }

    fn ends_item(&self, at: usize) -> bool {
        self.pieces[at].kind == TokenKind::Comma && !self.angles[at]
    }

    fn enter_or_leave(&mut self, at: usize, line: Indent, column: usize) {
        if let Some(group) = self.groups[at] {
            let inside_flat = self.open.last().is_some_and(|open| !open.broken);
            let broken = group.forced || !inside_flat && !self.fits(group, column);
            self.open.push(Open { group, broken: broken && group.close > at + 1, outside: line });
        } else if self.open.last().is_some_and(|open| open.group.close == at) {
            self.open.pop();
        }
    }

    /// Up to the place after it where the line can end.
    fn fits(&self, group: Group, column: usize) -> bool {
        let last = self.stops[group.close + 1].saturating_sub(1).max(group.close);
        column + self.flat[last] + self.pieces[last].width() - self.flat[group.open] <= WIDTH
    }
}

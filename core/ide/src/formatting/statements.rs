//! Statements of a session: the lines stay, with blanks by rule. A line that continues a statement is indented; inside
//! a bracket it is aligned with what follows the bracket.

use nnz_base::{
    diagnostic::Code,
    source::{Span, byte_order_mark},
};
use nnz_check::Checked;
use nnz_syntax::{
    NodeKind, NodeRef, TokenKind,
    session::{Statement, statements},
};

use super::{
    Left, Style, WIDTH, aliases,
    blanks::blank_between,
    edits::{Gap, Indent, Sheet, Space, Unit, start_of_line},
    is_laid_out,
    matrices::paddings,
    pieces::{Piece, pieces},
};

/// A statement by its pieces.
struct Cut<'t> {
    first: usize,
    end: usize,
    /// `None`: it has a syntax error.
    node: Option<NodeRef<'t>>,
    /// How far its line is indented.
    column: usize,
}

/// So many statements between two looks at whether somebody still waits.
const CHECK: usize = 256;

/// The gaps of a session; `None` once `cancelled` says so. Where somebody types, statements stay where they are.
pub(super) fn sheet(checked: &Checked, (style, typed): (Style, bool), cancelled: &dyn Fn() -> bool) -> Option<Sheet> {
    let text = &*checked.source.text;
    let statements = statements(&checked.tree);
    let pieces = pieces(&checked.tree, 0..text.len(), byte_order_mark(text));
    if cancelled() {
        return None;
    }
    let cuts = cuts(text, &pieces, &statements);
    let mut sheet = Sheet::new(text, style);
    sheet.left = statements.iter().filter_map(left).collect();
    sheet.units =
        statements.iter().zip(&cuts).map(|(cut, found)| Unit { span: cut.span, column: found.column }).collect();
    let mut spaces = outside(&pieces, &cuts);
    let stays = typed || indentation_matters(&cuts);
    for (count, cut) in cuts.iter().enumerate() {
        if count % CHECK == 0 && cancelled() {
            return None;
        }
        fill(&mut spaces, &pieces, cut, (stays, style));
    }
    keep_told(&mut spaces, &pieces, checked);
    let from = [byte_order_mark(text)].into_iter().chain(pieces.iter().map(|piece| piece.end));
    for ((piece, space), from) in pieces.iter().zip(spaces).zip(from) {
        sheet.push(Some(piece), from, space);
    }
    sheet.gaps.extend(end_of_text(text, &pieces));
    Some(sheet)
}

/// Whether a statement that stays is indented, or one after it is indented more. A line that is indented more than one
/// above may continue it, once the mistake is corrected; then all stay where they are.
fn indentation_matters(cuts: &[Cut<'_>]) -> bool {
    let mut least = usize::MAX;
    cuts.iter().any(|cut| {
        let deeper = cut.column > least;
        least = if cut.node.is_none() { least.min(cut.column) } else { least };
        deeper || cut.node.is_none() && cut.column > 0
    })
}

/// The check's reports on blanks must stay. A comment that may be meant as an operand (`x(i) // 2`) would not be
/// reported after two blanks, and `min-plus` without blanks is reported as the name that is meant.
fn keep_told(spaces: &mut [Space], pieces: &[Piece<'_>], checked: &Checked) {
    for told in checked.diagnostics.iter().filter(|told| told.is_error() || told.code == Code::CommentOperand) {
        let Span { start, end } = told.primary.span;
        // Around a sign; within anything else.
        let sign = usize::from(!checked.source.slice(told.primary.span).contains(char::is_alphanumeric));
        let first = pieces.partition_point(|piece| piece.start < start as usize + 1 - sign);
        let behind = pieces.partition_point(|piece| piece.start < end as usize + sign);
        let inside = first..behind.max(first);
        let pieces = pieces.get(inside.clone()).unwrap_or_default();
        let spaces_inside = spaces.get_mut(inside).unwrap_or_default();
        spaces_inside.iter_mut().zip(pieces).for_each(|(space, piece)| *space = as_told(piece, *space));
        if told.code == Code::CommentOperand {
            spaces.get_mut(first.saturating_sub(1)).into_iter().for_each(|space| *space = Space::Kept);
        }
    }
}

fn as_told(piece: &Piece<'_>, space: Space) -> Space {
    match space {
        Space::Blanks(_) => Space::Blanks(usize::from(!piece.joined)),
        Space::Trailing | Space::Kept | Space::Lines(..) | Space::LinesAsIndented(_) => space,
    }
}

fn left(statement: &Statement<'_>) -> Option<Left> {
    let error = statement.errors.first()?;
    Some(Left { span: statement.span, error: error.span, message: error.message.clone() })
}

fn cuts<'t>(text: &str, pieces: &[Piece<'t>], statements: &[Statement<'t>]) -> Vec<Cut<'t>> {
    let mut column = 0;
    let cut = |statement: &Statement<'t>| {
        let Span { start, end } = statement.span;
        let first = pieces.partition_point(|piece| piece.start < start as usize);
        if pieces.get(first).is_some_and(|piece| piece.lines > 0) || first == 0 {
            column = start as usize - start_of_line(text, start as usize);
        }
        let end = pieces.partition_point(|piece| piece.start < end as usize);
        Cut { first, end, node: statement.node.filter(|_| statement.errors.is_empty()), column }
    };
    statements.iter().map(cut).collect()
}

/// One line end behind the last token.
fn end_of_text(text: &str, pieces: &[Piece<'_>]) -> Option<Gap> {
    let (end, lines) = pieces.last().map_or((byte_order_mark(text), 0), |last| (last.end, 1));
    Some(Gap { place: end..text.len(), space: Space::Lines(lines, Indent::default()), width: 0 })
}

/// The gaps between statements; those within are kept.
fn outside(pieces: &[Piece<'_>], cuts: &[Cut<'_>]) -> Vec<Space> {
    let mut spaces = vec![Space::Kept; pieces.len()];
    let mut cuts_ahead = cuts.iter().peekable();
    let mut broken_before = false;
    for (at, piece) in pieces.iter().enumerate() {
        while let Some(passed) = cuts_ahead.next_if(|cut| cut.end <= at) {
            broken_before = passed.node.is_none() && passed.end == at;
        }
        let cut = cuts_ahead.peek().filter(|cut| cut.first <= at);
        if cut.is_none_or(|cut| cut.first == at) {
            let broken = broken_before || cut.is_some_and(|cut| cut.node.is_none());
            spaces[at] = between(at.checked_sub(1).map(|before| &pieces[before]), piece, broken);
        }
        broken_before = false;
    }
    spaces
}

/// The gap between two statements, or beside a comment or a `;`.
fn between(before: Option<&Piece<'_>>, next: &Piece<'_>, broken: bool) -> Space {
    let first = Indent::default();
    match before {
        None => Space::Lines(0, first),
        Some(_) if next.lines > 0 => Space::Lines(next.lines.min(2), first),
        Some(_) if broken => Space::Kept,
        Some(_) if next.is_comment() => Space::Trailing,
        Some(_) => Space::Blanks(usize::from(next.kind != TokenKind::Semicolon)),
    }
}

/// The gaps of a statement; its indentation if it `stays`.
fn fill(spaces: &mut [Space], pieces: &[Piece<'_>], cut: &Cut<'_>, (stays, style): (bool, Style)) {
    if let (true, Some(Space::Lines(count, _))) = (stays, spaces.get(cut.first).copied()) {
        spaces[cut.first] = Space::LinesAsIndented(count);
    }
    let (Some(node), Some(own)) = (cut.node, pieces.get(cut.first..cut.end)) else { return };
    let indent = Indent { steps: 0, spaces: if stays { cut.column } else { 0 } };
    let laid_out = node.kind() == NodeKind::AttrAlias && is_laid_out(node);
    let anew = laid_out.then(|| aliases::laid_out(own, indent, style)).flatten();
    let found = anew.unwrap_or_else(|| by_lines(node, own, indent));
    let inner = spaces.get_mut(cut.first + 1..cut.end).unwrap_or_default();
    inner.iter_mut().zip(found).for_each(|(space, found)| *space = found);
}

/// A bracket that is open: how lines within it are indented, and the one that begins with its end.
struct Bracket {
    inside: Indent,
    closing: Indent,
}

/// The gaps before all pieces but the first, with the lines as they are.
fn by_lines(node: NodeRef<'_>, pieces: &[Piece<'_>], indent: Indent) -> Vec<Space> {
    let paddings = paddings(node, pieces);
    let mut lines = Lines { base: indent, line: indent, offset: 0, brackets: Vec::new(), scheduled: false };
    let mut spaces = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).and_then(|before| pieces.get(before)) {
            spaces.push(lines.space(before, piece, paddings[at]));
        }
        lines.pass(piece, pieces.get(at + 1));
    }
    spaces
}

/// The indentation of the lines of a statement.
struct Lines {
    base: Indent,
    /// The current line, and the column of the current token from its indentation.
    line: Indent,
    offset: usize,
    brackets: Vec<Bracket>,
    /// The schedule is on a line of its own: its steps are a step deeper.
    scheduled: bool,
}

impl Lines {
    fn space(&mut self, before: &Piece<'_>, next: &Piece<'_>, padding: usize) -> Space {
        if next.lines > 0 {
            let indent = self.indent(next);
            (self.line, self.offset) = (indent, 0);
            self.scheduled |= next.node.kind() == NodeKind::Schedule && next.kind == TokenKind::Ident;
            return Space::Lines(next.lines.min(2), indent);
        }
        let blanks = usize::from(blank_between(before, next)) + padding;
        self.offset += blanks;
        if next.is_comment() { Space::Trailing } else { Space::Blanks(blanks) }
    }

    fn indent(&self, next: &Piece<'_>) -> Indent {
        match self.brackets.last() {
            Some(bracket) if closes(next) => bracket.closing,
            Some(bracket) => bracket.inside,
            None if self.scheduled => self.base.deeper().deeper(),
            None => self.base.deeper(),
        }
    }

    /// Behind a piece.
    fn pass(&mut self, piece: &Piece<'_>, next: Option<&Piece<'_>>) {
        let at = self.line.with_spaces(self.offset);
        self.offset += piece.width();
        if opens(piece) {
            let ends_line = next.is_some_and(|next| next.lines > 0 || next.is_comment());
            self.brackets.push(match ends_line || self.offset > WIDTH {
                true => Bracket { inside: self.line.deeper(), closing: self.line },
                false => Bracket { inside: at.with_spaces(piece.width()), closing: at },
            });
        } else if closes(piece) {
            self.brackets.pop();
        }
    }
}

/// Angles that compare are no brackets, and those of unknown attributes may be none.
fn is_angle(piece: &Piece<'_>) -> bool {
    !matches!(piece.node.kind(), NodeKind::Binary | NodeKind::Shift | NodeKind::Value | NodeKind::Shape)
}

fn opens(piece: &Piece<'_>) -> bool {
    piece.kind.closing().is_some() || piece.kind == TokenKind::Lt && is_angle(piece)
}

fn closes(piece: &Piece<'_>) -> bool {
    use TokenKind::{Gt, RBrace, RBracket, RParen};
    matches!(piece.kind, RParen | RBracket | RBrace) || piece.kind == Gt && is_angle(piece)
}

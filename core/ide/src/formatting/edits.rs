//! The gaps of a text with what they become, and the edits that follow.

use std::ops::Range;

use nnz_base::{
    diagnostic::Edit,
    source::{Span, byte_order_mark, is_line_end, line_ends},
};
use nnz_check::Checked;
use nnz_syntax::Tree;

use super::{
    Left, Part, Style, aliases,
    columns::{columns_of_comments, starts_line},
    pieces::{Piece, pieces},
};

/// How far a line is indented: steps, and spaces behind them that put things below others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Indent {
    pub(super) steps: usize,
    pub(super) spaces: usize,
}

impl Indent {
    pub(super) fn deeper(self) -> Indent {
        Indent { steps: self.steps + 1, ..self }
    }
    pub(super) fn with_spaces(self, more: usize) -> Indent {
        Indent { spaces: self.spaces + more, ..self }
    }
    pub(super) fn columns(self, style: Style) -> usize {
        self.steps * style.step + self.spaces
    }
    fn text(self, style: Style) -> String {
        match style.tabs {
            true => "\t".repeat(self.steps) + &" ".repeat(self.spaces),
            false => " ".repeat(self.columns(style)),
        }
    }
}

/// What a gap becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Kept,
    Blanks(usize),
    /// Before a comment after other tokens: comments of consecutive lines are in one column.
    Trailing,
    /// So many ends of lines; at most one empty line is kept.
    Lines(usize, Indent),
    /// The same with the indentation that is there.
    LinesAsIndented(usize),
}

/// A gap and the token after it.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    pub(super) place: Range<usize>,
    pub(super) space: Space,
    /// Of the token.
    pub(super) width: usize,
}

/// A statement or an alias.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) span: Span,
    /// How far its line is indented.
    pub(super) column: usize,
}

/// All gaps that may change, in order.
pub(super) struct Sheet {
    pub(super) style: Style,
    pub(super) gaps: Vec<Gap>,
    pub(super) units: Vec<Unit>,
    pub(super) left: Vec<Left>,
    line_end: &'static str,
}

impl Sheet {
    pub(super) fn new(text: &str, style: Style) -> Sheet {
        Sheet { style, gaps: Vec::new(), units: Vec::new(), left: Vec::new(), line_end: line_end(text) }
    }

    /// The alias at `span` of a file in which nothing else changes.
    pub(super) fn add_alias(&mut self, tree: &Tree, span: Span) {
        let line = start_of_line(tree.text(), span.start as usize);
        let indent = Indent { steps: 0, spaces: tree.text()[line..span.start as usize].chars().count() };
        let pieces = pieces(tree, span.range(), span.start as usize);
        let Some(spaces) = aliases::laid_out(&pieces, indent, self.style) else { return };
        // The end of the line before tells the column of the first token.
        self.push(pieces.first(), line.saturating_sub(1), Space::Kept);
        for ((before, piece), space) in pieces.iter().zip(pieces.iter().skip(1)).zip(spaces) {
            self.push(Some(piece), before.end, space);
        }
        self.units.push(Unit { span, column: indent.spaces });
    }

    pub(super) fn push(&mut self, piece: Option<&Piece<'_>>, from: usize, space: Space) {
        if let Some(piece) = piece {
            self.gaps.push(Gap { place: from..piece.start, space, width: piece.width() });
        }
    }

    /// `None` once `cancelled` says so.
    pub(super) fn edits(&self, checked: &Checked, part: &Part, cancelled: &dyn Fn() -> bool) -> Option<Vec<Edit>> {
        if cancelled() {
            return None;
        }
        let text = &*checked.source.text;
        let columns = columns_of_comments(self, text);
        let wanted = Wanted::of(self, text, part);
        let written = self.gaps.iter().zip(columns).filter(|(gap, _)| wanted.takes(gap));
        let changes = written.filter_map(|(gap, column)| self.change(text, gap, column));
        let edit = |(span, replacement)| Edit { file: checked.source.id, span, replacement };
        let edits = changes.map(edit).collect();
        (!cancelled()).then_some(edits)
    }

    /// The smallest replacement.
    fn change(&self, text: &str, gap: &Gap, blanks: usize) -> Option<(Span, String)> {
        let (old, new) = (text.get(gap.place.clone())?, self.text(text, gap, blanks)?);
        if old == new {
            return None;
        }
        let same = |(one, other): &(u8, u8)| one == other;
        let first = old.bytes().zip(new.bytes()).take_while(same).count();
        let (rest, new) = (old.get(first..)?, new.get(first..)?);
        let last = rest.bytes().rev().zip(new.bytes().rev()).take_while(same).count();
        let span = Span::new(gap.place.start + first, gap.place.end - last);
        Some((span, new.get(..new.len() - last)?.to_string()))
    }

    /// Puts `blanks` before a trailing comment.
    fn text(&self, text: &str, gap: &Gap, blanks: usize) -> Option<String> {
        let lines = |count: usize| self.line_end.repeat(count);
        Some(match gap.space {
            Space::Kept => return None,
            Space::Blanks(count) => " ".repeat(count),
            Space::Trailing => " ".repeat(blanks),
            Space::Lines(count, indent) => lines(count) + &indent.text(self.style),
            Space::LinesAsIndented(count) => {
                lines(count) + &text[start_of_line(text, gap.place.end).max(gap.place.start)..gap.place.end]
            }
        })
    }
}

/// The gaps that an editor asked for.
enum Wanted {
    All,
    /// Those of the units that touch these bytes, and of comments between them.
    Within(Range<usize>),
    /// The same, but for the one in which somebody types.
    Typed(Range<usize>, usize),
}

impl Wanted {
    fn of(sheet: &Sheet, text: &str, part: &Part) -> Wanted {
        match part {
            Part::Whole => Wanted::All,
            Part::Range(range) => Wanted::Within(sheet.whole_units(range.clone())),
            Part::Typed(at) => {
                let end = text.get(..*at).map_or(0, |before| before.trim_end().len());
                Wanted::Typed(sheet.whole_units(start_of_line(text, end)..end), *at)
            }
        }
    }
    fn takes(&self, gap: &Gap) -> bool {
        let within = |range: &Range<usize>| {
            let inside = gap.place.end >= range.start && gap.place.start < range.end;
            inside || gap.space == Space::Trailing && gap.place.start == range.end
        };
        match self {
            Wanted::All => true,
            Wanted::Within(range) => within(range),
            Wanted::Typed(range, at) => within(range) && !(gap.place.start <= *at && *at < gap.place.end),
        }
    }
}

impl Sheet {
    /// `range` with the whole of the units that it touches. A statement behind them that is indented could become a part of the
    /// last one, so it is moved with it.
    fn whole_units(&self, range: Range<usize>) -> Range<usize> {
        let first = self.units.partition_point(|unit| (unit.span.end as usize) < range.start);
        let behind = self.units.partition_point(|unit| unit.span.start as usize <= range.end);
        let last = (behind..self.units.len()).find(|&at| self.units[at].column == 0).unwrap_or(self.units.len());
        let units = self.units.get(first..last).unwrap_or_default();
        let cover = |range: Range<usize>, unit: &Unit| {
            range.start.min(unit.span.start as usize)..range.end.max(unit.span.end as usize)
        };
        units.iter().fold(range, cover)
    }
}

/// Where the line of `at` begins.
pub(super) fn start_of_line(text: &str, at: usize) -> usize {
    let before = (0..at).rev().find(|&before| is_line_end(text, before));
    before.map_or(byte_order_mark(text), |before| before + 1)
}

/// As the first line of the text ends.
fn line_end(text: &str) -> &'static str {
    match line_ends(text).next() {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// Whether the gap begins a line in the text that it becomes.
pub(super) fn breaks(gap: &Gap, text: &str) -> bool {
    match gap.space {
        Space::Blanks(_) | Space::Trailing => false,
        Space::Lines(..) | Space::LinesAsIndented(_) => true,
        Space::Kept => starts_line(text, gap),
    }
}

//! Text with roles instead of colours.

use std::borrow::Cow;

use nnz_base::source::is_unseen;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The role of a piece of text; the edge decides how it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    #[default]
    Plain,
    /// A word of the language: `for`, `sparse`, `:show`.
    Keyword,
    /// A user's own name: a tensor, an index variable, an encoding.
    Name,
    Number,
    String,
    Comment,
    /// An element or tensor type.
    Type,
    /// A level format or a well-known encoding.
    Format,
    /// The dot of an entry that is not stored, and the mark of omitted text.
    Absent,
    /// Lines of pictures and tables.
    Border,
    /// The marks of a plot.
    Mark,
    Heading,
    /// A side note.
    Note,
    Good,
    Warning,
    Error,
}

/// A run of text in one role. Holds no control characters, so nothing shown can drive a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    role: Role,
    text: String,
}

impl Piece {
    pub fn role(&self) -> Role {
        self.role
    }
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// One line; built from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pieces: Vec<Piece>,
}

impl Line {
    pub fn new() -> Self {
        Self::default()
    }
    pub fn of(role: Role, text: impl AsRef<str>) -> Self {
        Self::new().with(role, text)
    }
    pub fn plain(text: impl AsRef<str>) -> Self {
        Self::of(Role::Plain, text)
    }
    pub fn with(mut self, role: Role, text: impl AsRef<str>) -> Self {
        self.push(role, text);
        self
    }
    pub fn text(self, text: impl AsRef<str>) -> Self {
        self.with(Role::Plain, text)
    }
    /// Appends; tabs and line ends become spaces, other control characters `�`.
    pub fn push(&mut self, role: Role, text: impl AsRef<str>) {
        let text = printable(text.as_ref());
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.role == role => last.text.push_str(&text),
            _ => self.pieces.push(Piece { role, text: text.into_owned() }),
        }
    }
    /// Appends `text` so that it ends `width` columns further on.
    pub(crate) fn push_right(&mut self, role: Role, text: impl AsRef<str>, width: usize) {
        self.push(Role::Plain, " ".repeat(width.saturating_sub(display_width(text.as_ref()))));
        self.push(role, text);
    }
    /// Appends `text` and spaces, `width` columns together.
    pub fn push_left(&mut self, role: Role, text: impl AsRef<str>, width: usize) {
        let pad = width.saturating_sub(display_width(text.as_ref()));
        self.push(role, text);
        self.push(Role::Plain, " ".repeat(pad));
    }
    pub fn append(&mut self, other: Line) {
        for piece in other.pieces {
            self.push(piece.role, piece.text);
        }
    }
    /// The line after `columns` spaces.
    pub fn indented(self, columns: usize) -> Line {
        let mut line = Line::plain(" ".repeat(columns));
        line.append(self);
        line
    }
    /// The start of the text that follows two or more spaces; 0 if there is none.
    pub(super) fn last_column(&self) -> usize {
        let text = self.plain_text();
        let start = text.len() - text.trim_start().len();
        let gap = text[start..].find("  ").map(|gap| start + gap);
        let column = gap.map_or(start, |gap| text.len() - text[gap..].trim_start().len());
        display_width(&text[..column])
    }
    pub(super) fn trimmed(mut self) -> Line {
        if let Some(last) = self.pieces.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
        self
    }
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
    /// Columns on a screen.
    pub fn width(&self) -> usize {
        self.pieces.iter().map(|piece| display_width(&piece.text)).sum()
    }
    pub fn plain_text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }
}

/// Lines of text with roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup {
    pub lines: Vec<Line>,
}

impl Markup {
    pub fn new() -> Self {
        Self::default()
    }
    /// `text`, line by line, all in one role.
    pub fn of(role: Role, text: &str) -> Self {
        Self { lines: text.lines().map(|line| Line::of(role, line)).collect() }
    }
    pub fn plain(text: &str) -> Self {
        Self::of(Role::Plain, text)
    }
    pub fn line(mut self, line: Line) -> Self {
        self.push(line);
        self
    }
    /// Every line broken at words to fit `width`: for prose, not for tables and code.
    pub fn wrapped(self, width: usize) -> Markup {
        self.lines.into_iter().flat_map(|line| line.wrapped(width).lines).collect()
    }
    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }
    pub fn blank(self) -> Self {
        self.line(Line::new())
    }
    /// This above `other`.
    pub fn then(mut self, other: Markup) -> Self {
        self.lines.extend(other.lines);
        self
    }
    pub fn indented(self, columns: usize) -> Self {
        Self { lines: self.lines.into_iter().map(|line| line.indented(columns)).collect() }
    }
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
    pub fn width(&self) -> usize {
        self.lines.iter().map(Line::width).max().unwrap_or(0)
    }
    /// Every line with a newline after it, and without blanks at line ends.
    pub fn plain_text(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.plain_text().trim_end())).collect()
    }
}

impl FromIterator<Line> for Markup {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        Self { lines: lines.into_iter().collect() }
    }
}

/// The columns that `text` takes on a screen.
pub fn display_width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// `text`, cut to `width` columns with `ellipsis` at its end if it is longer.
pub fn elide<'a>(text: &'a str, width: usize, ellipsis: &str) -> Cow<'a, str> {
    if display_width(text) <= width {
        return Cow::Borrowed(text);
    }
    let room = width.saturating_sub(display_width(ellipsis));
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= room
    };
    Cow::Owned(text.chars().take_while(fits).chain(ellipsis.chars().take(width)).collect())
}

fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| c.is_control() || is_unseen(c)) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        c if c.is_control() || is_unseen(c) => '\u{fffd}',
        c => c,
    };
    Cow::Owned(text.chars().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_screen() {
        let mut line = Line::new();
        line.push_right(Role::Number, "漢", 4);
        line.push_left(Role::Name, "a", 3);
        line.push(Role::Border, "|");
        assert_eq!(line.plain_text(), "  漢a  |");
        assert_eq!(line.width(), 8);
    }

    #[test]
    fn nothing_shown_drives_a_terminal() {
        let line = Line::of(Role::Name, "a\u{1b}[31mb\tc\u{7}\u{9b}");
        assert_eq!(line.plain_text(), "a\u{fffd}[31mb c\u{fffd}\u{fffd}");
        // A name that would be read from the right.
        assert_eq!(Line::of(Role::Note, "r\u{202e}xtm.mtx").plain_text(), "r\u{fffd}xtm.mtx");
    }

    #[test]
    fn long_text_is_cut_to_the_width() {
        assert_eq!(elide("abcdef", 6, "…"), "abcdef");
        assert_eq!(elide("abcdefg", 6, "…"), "abcde…");
        assert_eq!(elide("漢漢漢", 4, "…"), "漢…");
        assert_eq!(elide("abc", 1, "..."), ".");
    }
}

//! Lines broken at words so that they fit a screen.
//!
//! A line is broken at spaces, but not within code in backticks if the code fits a line. A word that does not fit a
//! line continues on the next.

use unicode_width::UnicodeWidthChar;

use super::markup::{Line, Markup, Role, display_width};

impl Line {
    /// The line as prose for `width` columns. Further lines begin below the last column of the first line, where
    /// columns are separated by two spaces or more.
    pub fn wrapped(self, width: usize) -> Markup {
        let hang = Some(self.last_column()).filter(|column| *column <= 2 * width / 3).unwrap_or(4);
        self.broken(width, hang)
    }

    /// The line in lines of at most `width` columns; all but the first begin after `hang` spaces. The text within the
    /// first `hang` columns stays together.
    pub fn broken(self, width: usize, hang: usize) -> Markup {
        if self.width() <= width {
            return Markup::new().line(self);
        }
        let mut page = Page { width, hang, lines: Markup::new(), line: Line::new(), column: 0, begun: false };
        phrases(&self).iter().for_each(|phrase| page.phrase(phrase));
        page.lines.line(page.line.trimmed())
    }
}

/// `text` in lines of at most `columns`.
pub fn broken(text: &str, columns: usize) -> Vec<String> {
    Line::plain(text).broken(columns, 0).lines.iter().map(Line::plain_text).collect()
}

/// A word, or the part of one in a role, with the spaces after it.
type Word<'a> = (Role, &'a str);

/// The parts between which a line may be broken first: words, and code in backticks.
fn phrases(line: &Line) -> Vec<Vec<Word<'_>>> {
    let (mut phrases, mut open, mut in_code) = (Vec::new(), Vec::new(), false);
    for piece in line.pieces() {
        for word in piece.text().split_inclusive(' ') {
            in_code ^= word.matches('`').count() % 2 == 1;
            open.push((piece.role(), word));
            if word.ends_with(' ') && !in_code {
                phrases.push(std::mem::take(&mut open));
            }
        }
    }
    phrases.push(open);
    phrases
}

/// Columns of a phrase without the spaces at its end.
fn letters(phrase: &[Word<'_>]) -> usize {
    let text: String = phrase.iter().map(|(_, word)| *word).collect();
    display_width(text.trim_end())
}

/// Lines that are filled one after the other.
struct Page {
    width: usize,
    hang: usize,
    lines: Markup,
    line: Line,
    /// Where the line ends.
    column: usize,
    /// Whether there is a letter after the first `hang` columns.
    begun: bool,
}

impl Page {
    /// Adds what stays together if it fits a line.
    fn phrase(&mut self, phrase: &[Word<'_>]) {
        if self.hang + letters(phrase) <= self.width {
            return self.word(phrase);
        }
        let ends = |(_, word): &Word<'_>| word.ends_with(' ');
        phrase.split_inclusive(ends).for_each(|word| self.word(word));
    }

    /// Adds a word, in the next line if it does not fit this one.
    fn word(&mut self, word: &[Word<'_>]) {
        let letters = letters(word);
        if self.begun && letters > 0 && self.column + letters > self.width {
            self.next_line();
        }
        for (role, text) in word {
            text.chars().for_each(|c| self.letter(*role, c));
        }
    }

    fn letter(&mut self, role: Role, c: char) {
        let width = c.width().unwrap_or(0);
        if self.begun && c != ' ' && self.column + width > self.width {
            self.next_line();
        }
        self.line.push(role, c.encode_utf8(&mut [0; 4]));
        self.column += width;
        self.begun |= c != ' ' && self.column > self.hang;
    }

    fn next_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line).trimmed());
        self.line = Line::plain(" ".repeat(self.hang));
        (self.column, self.begun) = (self.hang, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_below_its_last_column() {
        let line = Line::plain("  ").with(Role::Keyword, ":show VIEW").text("  a word, and then some more");
        let wrapped = line.wrapped(28);
        assert_eq!(wrapped.plain_text(), "  :show VIEW  a word, and\n              then some more\n");
        assert_eq!(wrapped.lines[0].pieces()[1].role(), Role::Keyword);
    }

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("a  b", 10), ["a  b"]);
        assert_eq!(broken("an overlong word", 5), ["an", "overl", "ong", "word"]);
        assert_eq!(broken("漢漢漢", 4), ["漢漢", "漢"]);
        assert_eq!(broken("abc", 0), ["a", "b", "c"]);
    }

    #[test]
    fn code_stays_together_if_it_fits() {
        assert_eq!(broken("see `A(i, j)` here", 11), ["see", "`A(i, j)`", "here"]);
        assert_eq!(broken("see `A(i, j) + B` here", 11), ["see `A(i,", "j) + B`", "here"]);
        assert_eq!(broken("a ` that nothing closes", 11), ["a ` that", "nothing", "closes"]);
    }
}

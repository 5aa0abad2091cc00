//! The command line as the user typed it. Errors in the statements made from its words are shown in those words.

use std::ops::Range;

use nnz_core::{
    diagnostic::{Diagnostic, Edit, Label},
    ids::FileId,
    source::Span,
};

/// The name of the command line as a text.
pub(crate) const COMMAND_LINE: &str = "<command line>";

/// The command line, one word after the other.
pub(crate) struct Typed {
    pub(crate) text: String,
    /// Each word and where it begins.
    words: Vec<(String, usize)>,
}

impl Typed {
    pub(crate) fn of(arguments: impl Iterator<Item = String>) -> Typed {
        let mut typed = Typed { text: "nnz".to_string(), words: Vec::new() };
        for word in arguments.skip(1) {
            let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=,:@+".contains(c));
            let quote = if plain { "" } else { "'" };
            typed.text = typed.text + " " + quote;
            let start = typed.text.len();
            typed.text = typed.text + &word + quote;
            if let Some((_, value)) = word.split_once('=').filter(|(option, _)| option.starts_with('-')) {
                typed.words.push((value.to_string(), start + word.len() - value.len()));
            }
            typed.words.push((word, start));
        }
        typed
    }

    pub(crate) fn find(&self, word: &str) -> Option<Span> {
        let (_, start) = self.words.iter().find(|(known, _)| known == word)?;
        Some(Span::new(*start, start + word.len()))
    }
}

/// Statements that nobody typed, some of whose words somebody did.
#[derive(Default)]
pub(crate) struct Statements {
    pub(crate) text: String,
    pieces: Vec<Piece>,
}

struct Piece {
    at: Range<usize>,
    from: Origin,
}

/// Where a piece was typed.
enum Origin {
    /// A part of a word of the command line, from this byte on.
    Word(String, usize),
    Text(FileId, usize),
}

impl Statements {
    pub(crate) fn own(mut self, text: &str) -> Statements {
        self.text.push_str(text);
        self
    }
    pub(crate) fn word(self, word: &str) -> Statements {
        self.part(word, 0..word.len())
    }
    /// A part of a word.
    pub(crate) fn part(self, word: &str, part: Range<usize>) -> Statements {
        let text = word.get(part.clone()).unwrap_or_default().to_string();
        self.piece(&text, Origin::Word(word.to_string(), part.start))
    }
    /// A piece of another text.
    pub(crate) fn copy(self, text: &str, file: FileId, start: usize) -> Statements {
        self.piece(text, Origin::Text(file, start))
    }
    fn piece(mut self, text: &str, from: Origin) -> Statements {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push(Piece { at: start..self.text.len(), from });
        self
    }

    /// Maps places in the statements, the text `file`, to places in the command line, the text `line`.
    pub(crate) fn retelling(&self, file: FileId, typed: &Typed, line: FileId) -> Retelling {
        let place = |piece: &Piece| match &piece.from {
            Origin::Word(word, from) => Some((piece.at.clone(), line, typed.find(word)?.start as usize + from)),
            Origin::Text(file, start) => Some((piece.at.clone(), *file, *start)),
        };
        let pieces = self.pieces.iter().filter_map(place).collect();
        Retelling { file, pieces, whole: (line, Span::new(0, typed.text.len())) }
    }
}

/// Moves diagnostics from the statements to the words from which they were made.
pub(crate) struct Retelling {
    file: FileId,
    /// Pieces of the statements, and where they were typed.
    pieces: Vec<(Range<usize>, FileId, usize)>,
    /// The whole command line, where no piece is meant.
    whole: (FileId, Span),
}

impl Retelling {
    pub(crate) fn tells_of(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.primary.file == self.file
    }

    pub(crate) fn told(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let mut told = diagnostic.clone();
        let primary = &mut told.primary;
        (primary.file, primary.span) = self.place(primary.span).unwrap_or_else(|| self.nearest(primary.span));
        told.secondary = diagnostic.secondary.iter().filter_map(|label| self.label(label)).collect();
        told.fixes.retain_mut(|fix| {
            let edits: Option<Vec<Edit>> = fix.edits.iter().map(|edit| self.edit(edit)).collect();
            edits.map(|edits| fix.edits = edits).is_some()
        });
        told
    }

    fn label(&self, label: &Label) -> Option<Label> {
        let (file, span) = self.place(label.span)?;
        Some(Label { file, span, ..label.clone() })
    }
    fn edit(&self, edit: &Edit) -> Option<Edit> {
        let (file, span) = self.place(edit.span)?;
        Some(Edit { file, span, ..edit.clone() })
    }

    /// A place within a piece; quotes around it do not matter.
    fn place(&self, span: Span) -> Option<(FileId, Span)> {
        let (start, end) = (span.start as usize, span.end as usize);
        self.pieces.iter().find_map(|(at, file, typed)| {
            if start == at.start.saturating_sub(1) && end == at.end + 1 {
                return Some((*file, Span::new(*typed, typed + at.len())));
            }
            let inside = at.start <= start && end <= at.end;
            inside.then(|| (*file, Span::new(typed + start - at.start, typed + end - at.start)))
        })
    }

    /// The piece before a place that is in none, or the first.
    fn nearest(&self, span: Span) -> (FileId, Span) {
        let before = self.pieces.iter().rev().find(|(at, ..)| at.start <= span.start as usize);
        let piece = before.or(self.pieces.first());
        piece.map_or(self.whole, |(at, file, typed)| (*file, Span::new(*typed, typed + at.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &[&str]) -> Typed {
        Typed::of(["nnz"].iter().chain(words).map(|word| word.to_string()))
    }

    #[test]
    fn words_are_found_where_they_were_typed() {
        let typed = typed(&["convert", "a b.mtx", "--to=CRS"]);
        assert_eq!(typed.text, "nnz convert 'a b.mtx' --to=CRS");
        let slice = |word: &str| typed.find(word).map(|span| &typed.text[span.range()]);
        assert_eq!((slice("a b.mtx"), slice("CRS"), slice("CSR")), (Some("a b.mtx"), Some("CRS"), None));
    }

    #[test]
    fn places_in_statements_become_places_in_words() {
        let typed = typed(&["convert", "m.mtx", "--to", "CRS"]);
        let statements = Statements::default().own("T : ").word("CRS").own(" = read \"").word("m.mtx").own("\"");
        let retelling = statements.retelling(FileId(0), &typed, FileId(1));
        let at = |word: &str| {
            let start = statements.text.find(word).unwrap();
            retelling.place(Span::new(start, start + word.len())).map(|(_, span)| &typed.text[span.range()])
        };
        assert_eq!((at("CRS"), at("\"m.mtx\""), at("read")), (Some("CRS"), Some("m.mtx"), None));
        let (_, nearest) = retelling.nearest(Span::at(statements.text.find("= read").unwrap()));
        assert_eq!(&typed.text[nearest.range()], "CRS");
    }
}

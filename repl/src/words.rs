//! The command line as a text, so that the core gets its words with their places.

use std::ops::Range;

use nnz_core::{
    diagnostic::Edit,
    ids::FileId,
    session::Word,
    source::{Source, Span},
};

/// The name of the command line as a text.
pub(crate) const COMMAND_LINE: &str = "<command line>";

/// The command line as a text, one word after the other.
pub(crate) struct CommandLine {
    pub(crate) source: Source,
    words: Vec<Typed>,
}

/// A word, or what an option has behind its `=`.
struct Typed {
    text: String,
    start: usize,
    /// The option in front of it.
    option: Option<String>,
}

impl CommandLine {
    pub(crate) fn of(arguments: impl Iterator<Item = String>, id: FileId) -> CommandLine {
        let (mut text, mut words) = ("nnz".to_string(), Vec::new());
        let mut option = None;
        for word in arguments.skip(1) {
            let quote = if is_plain(&word) { "" } else { "'" };
            text = text + " " + quote;
            let start = text.len();
            text = text + &word + quote;
            if let Some((option, value)) = word.split_once('=').filter(|(option, _)| option.starts_with('-')) {
                let (start, option) = (start + word.len() - value.len(), Some(option.to_string()));
                words.push(Typed { text: value.to_string(), start, option });
            }
            let behind = option.take();
            option = word.starts_with('-').then(|| word.clone());
            words.push(Typed { text: word, start, option: behind });
        }
        CommandLine { source: Source::new(id, COMMAND_LINE, text), words }
    }

    /// A word where it was typed; on the whole line if nobody typed it.
    pub(crate) fn word(&self, word: &str) -> Word {
        self.part(word, 0..word.len())
    }

    /// The value of an option where it was typed, as [`CommandLine::word`].
    pub(crate) fn value_of(&self, options: &[&str], value: &str) -> Word {
        let is_of = |typed: &&Typed| typed.option.as_deref().is_some_and(|option| options.contains(&option));
        let typed = self.words.iter().filter(is_of).find(|typed| typed.text == value);
        typed.map_or_else(|| self.word(value), |typed| cut(typed, 0..value.len()))
    }

    /// A word where it was typed last, as [`CommandLine::word`].
    pub(crate) fn last(&self, word: &str) -> Word {
        let typed = self.words.iter().rev().find(|typed| typed.text == word);
        typed.map_or_else(|| self.word(word), |typed| cut(typed, 0..word.len()))
    }

    /// A part of a word.
    pub(crate) fn part(&self, word: &str, part: Range<usize>) -> Word {
        let text = word.get(part.clone()).unwrap_or_default().to_string();
        let typed = self.words.iter().find(|typed| typed.text == word);
        typed.map_or(Word { text, span: Span::new(0, self.source.text.len()) }, |typed| cut(typed, part))
    }
}

/// A part of a word at its place.
fn cut(typed: &Typed, part: Range<usize>) -> Word {
    let text = typed.text.get(part.clone()).unwrap_or_default().to_string();
    Word { text, span: Span::new(typed.start + part.start, typed.start + part.end) }
}

/// The words of the command line, for showing: bytes that are not UTF-8 are replaced.
pub(crate) fn words() -> impl Iterator<Item = String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned())
}

/// A replacement as the shell takes it: in quotes, if it is a whole word outside quotes.
pub(crate) fn quote(line: &Source, edit: &mut Edit) {
    let span = edit.span.sanitized(&line.text).range();
    let alone = line.text[..span.start].ends_with([' ', '=']) && !line.text[span.end..].starts_with(|c| c != ' ');
    if alone && !is_plain(&edit.replacement) && !edit.replacement.contains('\'') {
        edit.replacement = format!("'{}'", edit.replacement);
    }
}

/// Whether a shell takes it without quotes.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=,:@+".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_were_typed() {
        let words = ["nnz", "convert", "a b.mtx", "--to=CRS"].map(str::to_string);
        let line = CommandLine::of(words.into_iter(), FileId(0));
        assert_eq!(&*line.source.text, "nnz convert 'a b.mtx' --to=CRS");
        let slice = |word: Word| line.source.slice(word.span).to_string();
        assert_eq!(slice(line.word("a b.mtx")), "a b.mtx");
        assert_eq!(slice(line.part("a b.mtx", 2..3)), "b");
        assert_eq!(slice(line.word("CRS")), "CRS");
        assert_eq!(slice(line.word("CSR")), &*line.source.text);
    }

    #[test]
    fn equal_words_are_told_apart() {
        let words = ["nnz", "lower", "c", "--to", "c", "--kernel=c", "c"].map(str::to_string);
        let line = CommandLine::of(words.into_iter(), FileId(0));
        assert_eq!(line.word("c").span, Span::new(10, 11));
        assert_eq!(line.value_of(&["--to"], "c").span, Span::new(17, 18));
        assert_eq!(line.value_of(&["--kernel"], "c").span, Span::new(28, 29));
        assert_eq!(line.last("c").span, Span::new(30, 31));
    }
}

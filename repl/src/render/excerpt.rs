//! The part of a text that a report shows, made safe to show: lines far away are left out, long lines
//! are cut to a window around what is labelled, and control characters cannot reach the terminal.

use std::ops::Range;

use nnz_core::{
    source::{Source, Span},
    view::Charset,
};

/// Longer lines are cut, counted in bytes.
const LONG_LINE: usize = 200;
/// What a window keeps on either side of a label's ends.
const MARGIN: usize = 60;

/// A scratch copy of a text in which spans of the original have a place.
pub(super) struct Excerpt {
    pub(super) text: String,
    cuts: Vec<Cut>,
}

/// A part of the original and what stands for it.
struct Cut {
    from: Range<usize>,
    to: Range<usize>,
}

impl Excerpt {
    /// Whether one of the lines that `spans` touch is too long to be shown whole.
    pub(super) fn is_needed(source: &Source, spans: &[Span]) -> bool {
        let (first, last) = lines_of(source, spans);
        (first..=last).any(|line| source.lines.line_span(&source.text, line).len() > LONG_LINE)
    }

    /// The lines of `source` that `spans` touch; the lines before them are left empty, so that line
    /// numbers stay true. The spans must be sanitized.
    pub(super) fn new(source: &Source, spans: &[Span], charset: Charset) -> Excerpt {
        let text = &source.text;
        let (first, last) = lines_of(source, spans);
        let start = source.lines.line_span(text, first).start as usize;
        let mut excerpt = Excerpt { text: "\n".repeat(first), cuts: vec![Cut { from: 0..start, to: 0..first }] };
        let anchors: Vec<usize> = spans.iter().flat_map(|span| [span.start as usize, span.end as usize]).collect();
        for line in first..=last {
            excerpt.copy_line(text, source.lines.line_span(text, line).range(), &anchors, charset);
        }
        // A label at the very end has a character to stand under.
        excerpt.text.push(' ');
        excerpt
    }

    fn copy_line(&mut self, text: &str, line: Range<usize>, anchors: &[usize], charset: Charset) {
        let end = line.start + text[line.clone()].trim_end_matches(['\n', '\r']).len();
        if end - line.start <= LONG_LINE {
            return self.copy(&text[line]);
        }
        let mut at = line.start;
        for window in windows(text, line.start..end, anchors) {
            self.cut(at..window.start, charset);
            self.copy(&text[window.clone()]);
            at = window.end;
        }
        self.cut(at..end, charset);
        self.copy(&text[end..line.end]);
    }

    fn copy(&mut self, text: &str) {
        self.text.extend(text.chars().map(harmless));
    }

    fn cut(&mut self, from: Range<usize>, charset: Charset) {
        if from.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(match charset {
            Charset::Unicode => "…",
            Charset::Ascii => "...",
        });
        self.cuts.push(Cut { from, to: start..self.text.len() });
    }

    /// Where `span` of the original is here; what lies in a cut is at the mark that stands for it.
    pub(super) fn place(&self, span: Span) -> Range<usize> {
        let start = self.map(span.start as usize, |cut| cut.to.start);
        let end = self.map(span.end as usize, |cut| cut.to.end);
        start..if span.is_empty() { start } else { end.max(start) }
    }

    /// Line and column, in characters from 1, of a place in the excerpt.
    pub(super) fn line_and_character(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    fn map(&self, offset: usize, inside: impl Fn(&Cut) -> usize) -> usize {
        let before = self.cuts.iter().rev().find(|cut| cut.from.start < offset || cut.from.end <= offset);
        match before {
            Some(cut) if offset < cut.from.end => inside(cut),
            Some(cut) => cut.to.end + (offset - cut.from.end),
            None => offset,
        }
    }
}

/// The first and the last line that `spans` touch.
fn lines_of(source: &Source, spans: &[Span]) -> (usize, usize) {
    let line_of = |offset: u32| source.line_col(offset as usize).line as usize;
    let first = spans.iter().map(|span| line_of(span.start)).min().unwrap_or(0);
    (first, spans.iter().map(|span| line_of(span.end)).max().unwrap_or(0))
}

/// The parts of a long line to keep, in order and apart from each other; its start where no anchor
/// lies in it.
fn windows(text: &str, line: Range<usize>, anchors: &[usize]) -> Vec<Range<usize>> {
    let mut inside: Vec<usize> = anchors.iter().copied().filter(|at| line.start <= *at && *at <= line.end).collect();
    inside.sort_unstable();
    let mut windows: Vec<Range<usize>> = Vec::new();
    for at in if inside.is_empty() { vec![line.start] } else { inside } {
        let around = Span::new(at.saturating_sub(MARGIN).max(line.start), (at + MARGIN).min(line.end)).sanitized(text);
        match windows.last_mut() {
            Some(last) if around.range().start <= last.end + 1 => last.end = last.end.max(around.range().end),
            _ => windows.push(around.range()),
        }
    }
    windows
}

/// `c`, or a character of as many bytes that neither ends a line for ariadne only nor drives a
/// terminal.
pub(super) fn harmless(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\u{85}' | '\u{80}'..='\u{9f}' => '\u{a0}',
        '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// `text` without line ends and without control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { ' ' } else { harmless(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_core::{ids::FileId, source::Language};

    fn excerpt(text: &str, spans: &[Span]) -> Excerpt {
        let source = Source::new(FileId(0), "t", Language::Nnz, text);
        Excerpt::new(&source, spans, Charset::Unicode)
    }

    #[test]
    fn line_numbers_stay_and_far_lines_go() {
        let span = Span::new(8, 9);
        let excerpt = excerpt("one\ntwo\nthree\nfour\n", &[span]);
        assert_eq!(excerpt.text, "\n\nthree\n ");
        assert_eq!(&excerpt.text[excerpt.place(span)], "t");
    }

    #[test]
    fn a_long_line_keeps_what_is_labelled() {
        let text = format!("{}HERE{}THERE{}\n", "a".repeat(500), "b".repeat(500), "c".repeat(500));
        let spans = ["HERE", "THERE"].map(|word| {
            let at = text.find(&format!("a{word}")).or(text.find(&format!("b{word}"))).unwrap() + 1;
            Span::new(at, at + word.len())
        });
        let excerpt = excerpt(&text, &spans);
        assert!(excerpt.text.len() < 300, "{}", excerpt.text);
        assert_eq!(&excerpt.text[excerpt.place(spans[0])], "HERE");
        assert_eq!(&excerpt.text[excerpt.place(spans[1])], "THERE");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with("…\n "));
    }

    #[test]
    fn control_characters_are_not_shown() {
        let excerpt = excerpt("a\u{1b}[31m\u{85}\u{2028}\rb", &[Span::new(0, 1)]);
        assert_eq!(excerpt.text, "a [31m\u{a0}\u{fffd} b ");
    }
}

//! The part of a text that a report shows. Lines far from any label are left out, lines that are too wide are cut to
//! windows around the labels, and control characters cannot reach the terminal.

use std::ops::Range;

use nnz_core::{
    source::{Source, Span, byte_order_mark, is_line_end, is_unseen},
    view::Charset,
};
use unicode_width::UnicodeWidthChar;

/// The most that a window keeps on either side of a label.
const MARGIN: usize = 60;
/// This many columns of labelled text are enough to read.
const LEGIBLE: usize = 12;
/// How wide a tab is drawn at most.
const TAB: usize = 4;

/// The columns that a report has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// For the text of a line.
    pub(super) text: usize,
    /// Room after the last label of a line, for its arrow and its text.
    pub(super) message: usize,
}

/// A scratch copy of a text in which spans of the original have a place.
pub(super) struct Excerpt {
    pub(super) text: String,
    cuts: Vec<Cut>,
}

/// A part of the original and its replacement.
struct Cut {
    from: Range<usize>,
    to: Range<usize>,
}

impl Excerpt {
    /// Whether one of the lines that `spans` touch cannot be shown whole.
    pub(super) fn is_needed(source: &Source, spans: &[Span], room: Room) -> bool {
        let (first, last) = lines_of(source, spans);
        let marked = first == 0 && byte_order_mark(&source.text) > 0;
        marked
            || (first..=last).any(|line| {
                let line = trimmed(&source.text, source.lines.line_span(&source.text, line).range());
                !fits(&source.text, line, spans, room)
            })
    }

    /// Whether a line has several labels, and no room to show something of the text under each.
    pub(super) fn is_crowded(source: &Source, spans: &[Span], room: Room) -> bool {
        let (first, last) = lines_of(source, spans);
        (first..=last).any(|line| {
            let line = trimmed(&source.text, source.lines.line_span(&source.text, line).range());
            let inside = |span: &&Span| line.start <= span.start as usize && span.end as usize <= line.end;
            let shown = |span: &Span| width(&source.text[span.range()]).min(LEGIBLE) + 3;
            let (count, columns) =
                spans.iter().filter(inside).fold((0, 0), |(count, columns), span| (count + 1, columns + shown(span)));
            count > 1
                && columns > room.text.saturating_sub(room.message)
                && !fits(&source.text, line.clone(), spans, room)
        })
    }

    /// The lines of `source` that `spans` touch; the lines before them are left empty, so that line
    /// numbers stay true. The spans must be sanitized.
    pub(super) fn new(source: &Source, spans: &[Span], room: Room, charset: Charset) -> Excerpt {
        let text = &source.text;
        let (first, last) = lines_of(source, spans);
        let start = (source.lines.line_span(text, first).start as usize).max(byte_order_mark(text));
        let mut excerpt = Excerpt { text: "\n".repeat(first), cuts: vec![Cut { from: 0..start, to: 0..first }] };
        for line in first..=last {
            let whole = source.lines.line_span(text, line).range();
            excerpt.copy_line(text, whole.start.max(start)..whole.end, spans, room, charset);
        }
        // A label at the very end has a character to stand under.
        excerpt.text.push(' ');
        excerpt
    }

    fn copy_line(&mut self, text: &str, whole: Range<usize>, spans: &[Span], room: Room, charset: Charset) {
        let line = trimmed(text, whole.clone());
        if fits(text, line.clone(), spans, room) {
            return self.copy(text, whole);
        }
        let mut at = line.start;
        let behind = if is_crossed(&line, spans) { room.message } else { 0 };
        for window in windows(text, line.clone(), &anchors(text, &line, spans, room), room, behind) {
            self.cut(at..window.start, charset);
            self.copy(text, window.clone());
            at = window.end;
        }
        self.cut(at..line.end, charset);
        self.copy(text, line.end..whole.end);
    }

    fn copy(&mut self, text: &str, part: Range<usize>) {
        self.text.extend(harmless_part(text, part));
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

    /// The place here of `span` in the original; a place in a cut is at the cut's mark.
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

/// A line without its end. The carriage return of a pair stays: it is drawn as a space, and arrows reach past it.
fn trimmed(text: &str, line: Range<usize>) -> Range<usize> {
    let end = text[line.clone()].strip_suffix(['\n', '\r']).map_or(line.end, |rest| line.start + rest.len());
    line.start..end
}

/// How many columns a text takes. ariadne moves its arrows by one for characters without a width, too.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| if c == '\t' { TAB } else { harmless(c).width().unwrap_or(0).max(1) }).sum()
}

/// Whether a line can be shown whole, with the text after its last label.
fn fits(text: &str, line: Range<usize>, spans: &[Span], room: Room) -> bool {
    // A column takes at most four bytes, but for characters without a width.
    if line.len() > 16 * room.text || width(&text[line.clone()]) > room.text {
        return false;
    }
    let ends = spans.iter().map(|span| span.end as usize).filter(|end| line.contains(end) || *end == line.end);
    let ends = ends.chain(is_crossed(&line, spans).then_some(line.end));
    ends.max().is_none_or(|end| width(&text[line.start..end]) + room.message <= room.text)
}

/// Whether a label over several lines begins or ends in this one: then the texts of labels come after the whole line.
fn is_crossed(line: &Range<usize>, spans: &[Span]) -> bool {
    let inside = |at: u32| (line.start..=line.end).contains(&(at as usize));
    spans.iter().any(|span| inside(span.start) != inside(span.end))
}

/// The visible parts of a line, in order: labelled text as a whole if it is short, else its two ends; the start of a
/// line without labels.
fn anchors(text: &str, line: &Range<usize>, spans: &[Span], room: Room) -> Vec<Range<usize>> {
    let inside = |at: usize| line.start <= at && at <= line.end;
    let mut anchors: Vec<Range<usize>> = Vec::new();
    let whole = |span: &&Span| inside(span.start as usize) && inside(span.end as usize);
    // The marks of omitted text beside each take up to three columns.
    let columns = |span: &Span| width(&text[span.range()]) + 3;
    let most = room.text.saturating_sub(room.message);
    let share = share(spans.iter().filter(whole).map(columns).collect(), most);
    for span in spans {
        let (start, end) = (span.start as usize, span.end as usize);
        if !whole(&span) {
            anchors.extend([start, end].into_iter().filter(|at| inside(*at)).map(|at| at..at));
        } else if columns(span) <= share {
            anchors.push(start..end);
        } else {
            let half = share.saturating_sub(6) / 2;
            let last = end - fitting_before(&text[start..end], half);
            anchors.extend([start..start + fitting(&text[start..end], half), last..end]);
        }
    }
    if anchors.is_empty() {
        anchors.push(line.start..line.start);
    }
    anchors.sort_by_key(|anchor| (anchor.start, anchor.end));
    anchors
}

/// The parts of a line to keep, in order and apart from each other: as much around the anchors as there is room for,
/// with so many columns left `behind` them.
fn windows(text: &str, line: Range<usize>, anchors: &[Range<usize>], room: Room, behind: usize) -> Vec<Range<usize>> {
    let last = anchors.iter().map(|anchor| anchor.end).max().unwrap_or(line.start);
    // The marks of omitted text take up to three columns.
    let before_last = |windows: &[Range<usize>]| -> usize {
        windows.iter().map(|window| 3 + width(&text[window.start.min(last)..window.end.min(last)])).sum()
    };
    // Where nothing is said behind the last, something of the line is seen there.
    let rest = width(&text[last..last + fitting(&text[last..line.end], LEGIBLE)]);
    let most = room.text.saturating_sub(room.message.max(rest));
    let tried = (0..=MARGIN).rev().step_by(4).map(|margin| around(text, &line, anchors, margin));
    let mut windows = tried.clone().find(|windows| before_last(windows) <= most);
    if windows.is_none() {
        windows = tried.last();
    }
    let mut windows = windows.unwrap_or_default();
    let used = before_last(&windows);
    if let Some(window) = windows.last_mut() {
        window.end = last + fitting(&text[last..line.end], room.text.saturating_sub(used + 3 + behind));
    }
    windows
}

/// How many bytes of `text` there is room for.
fn fitting(text: &str, columns: usize) -> usize {
    let mut used = 0;
    let end = text.char_indices().find(|(at, c)| {
        used += width(&text[*at..at + c.len_utf8()]);
        used > columns
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// What each of several has of `most` columns where those that need little get it, and the others divide the rest.
fn share(mut needed: Vec<usize>, most: usize) -> usize {
    needed.sort_unstable();
    let (mut left, mut others) = (most, needed.len());
    for columns in needed {
        if columns > left / others.max(1) {
            break;
        }
        (left, others) = (left - columns, others - 1);
    }
    left.checked_div(others).unwrap_or(most)
}

/// How many of the last bytes of `text` there is room for.
fn fitting_before(text: &str, columns: usize) -> usize {
    let mut used = 0;
    let start = text.char_indices().rev().find(|(at, c)| {
        used += width(&text[*at..at + c.len_utf8()]);
        used > columns
    });
    start.map_or(text.len(), |(at, c)| text.len() - at - c.len_utf8())
}

/// Windows that keep `margin` bytes on either side of each anchor.
fn around(text: &str, line: &Range<usize>, anchors: &[Range<usize>], margin: usize) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    for anchor in anchors {
        let (start, end) = (anchor.start.saturating_sub(margin).max(line.start), (anchor.end + margin).min(line.end));
        let window = Span::new(start, end).sanitized(text).range();
        match windows.last_mut() {
            Some(last) if window.start <= last.end + 3 => last.end = last.end.max(window.end),
            _ => windows.push(window),
        }
    }
    windows
}

/// A line of a diff, cut to the available width around the part in which it differs from the line `other`.
pub(super) fn changed_part(line: &str, other: &str, room: Room, charset: Charset) -> String {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = line.chars().zip(other.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let tail = line[start..].chars().rev().zip(other[start.min(other.len())..].chars().rev());
    let tail: usize = tail.take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let mut excerpt = Excerpt { text: String::new(), cuts: Vec::new() };
    excerpt.copy_line(line, 0..line.len(), &[Span::new(start, line.len() - tail)], room, charset);
    excerpt.text
}

/// A part of a text, with the same number of bytes, in which lines end only in newlines and nothing controls
/// a terminal.
pub(super) fn harmless_part(text: &str, part: Range<usize>) -> impl Iterator<Item = char> {
    text[part.clone()].char_indices().map(move |(at, c)| match is_line_end(text, part.start + at) {
        true => '\n',
        false => harmless(c),
    })
}

/// `c`, or a character of equally many bytes in place of one that ends a line only for ariadne or controls a terminal.
pub(super) fn harmless(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        '\u{85}' | '\u{80}'..='\u{9f}' => '\u{a0}',
        '\u{ad}' => '\u{a0}',
        c if is_unseen(c) => '\u{fffd}',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// `text` without line ends and without control characters.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { ' ' } else { harmless(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnz_core::ids::FileId;

    fn excerpt(text: &str, spans: &[Span]) -> Excerpt {
        let source = Source::new(FileId(0), "t", text);
        Excerpt::new(&source, spans, Room { text: 100, message: 20 }, Charset::Unicode)
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
        assert!(width(excerpt.text.trim_end()) <= 100, "{}", excerpt.text);
        assert_eq!(&excerpt.text[excerpt.place(spans[0])], "HERE");
        assert_eq!(&excerpt.text[excerpt.place(spans[1])], "THERE");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with("…\n "));
    }

    #[test]
    fn what_is_said_behind_a_label_has_room() {
        let text = format!("{}HERE", "a".repeat(90));
        let excerpt = excerpt(&text, &[Span::new(90, 94)]);
        assert!(width(excerpt.text.trim_end()) <= 80 && excerpt.text.ends_with("HERE "), "{}", excerpt.text);
        assert!(excerpt.text.starts_with("…aaa"), "{}", excerpt.text);
    }

    #[test]
    fn a_byte_order_mark_is_not_shown() {
        let span = Span::new(4, 5);
        let excerpt = excerpt("\u{feff}abc\nd", &[span]);
        assert_eq!((excerpt.text.as_str(), &excerpt.text[excerpt.place(span)]), ("abc\n ", "b"));
    }

    #[test]
    fn control_characters_are_not_shown() {
        let excerpt = |text| excerpt(text, &[Span::new(0, 1)]).text;
        assert_eq!(excerpt("a\u{1b}[31m\u{85}\u{2028}\u{c}b"), "a [31m\u{a0}\u{fffd} b ");
        assert_eq!((excerpt("a\rb"), excerpt("a\r\nb")), ("a\n ".to_string(), "a \n ".to_string()));
        assert_eq!(one_line("\u{200b}\u{ad}\u{2066}"), "\u{fffd}\u{a0}\u{fffd}");
    }
}

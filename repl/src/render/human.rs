//! Diagnostics for people, drawn by ariadne. This works around its defects: it panics on spans outside the text or
//! inside a character and on places in a second file, shows no label without a message, prints long lines whole,
//! and colours a custom header even if colours are off. So every file gets its own report, over a sanitized text
//! (`texts`) or, if lines are long, an excerpt of it (`excerpt`). Labels wider than the terminal are wrapped
//! (`wrap`), and the header is our own.

use std::ops::Range;

use ariadne::{CharSet, Config, IndexType, Label as AriadneLabel, Report, ReportKind, Source as AriadneSource};
use nnz_core::{
    diagnostic::{DataPlace, Diagnostic, Label, Severity},
    ids::FileId,
    source::{Source, Span},
    view::{Charset, Role, broken},
};

use super::{
    Texts, advice,
    excerpt::{Excerpt, Room, one_line, width},
    wrap,
};
use crate::{
    ansi::{merged, paint},
    terminal::Color,
};

/// How a report is drawn.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) color: Color,
    pub(super) charset: Charset,
    /// The terminal's columns.
    pub(super) terminal: Option<usize>,
}

impl Look {
    /// How wide pictures are at most; narrower terminals than this break lines by themselves.
    pub(super) fn columns(self) -> usize {
        self.terminal.unwrap_or(PAGE).max(30)
    }
}

/// How wide pictures are where there is no terminal.
const PAGE: usize = 100;
/// A label gets this many columns before it is broken into lines.
const LABEL: usize = 32;

/// A label has at least this many columns, however wide the labelled text is.
const LEAST_LABEL: usize = 10;

/// The diagnostic as rustc heads it and ariadne draws it.
pub(super) fn render(diagnostic: &Diagnostic, texts: &Texts, look: Look) -> String {
    let mut text = header(diagnostic, look);
    text.extend(diagnostic.data.iter().map(|place| data_picture(diagnostic, place, look)));
    for file in files(diagnostic) {
        if let Some(source) = texts.get(file) {
            text.push_str(&report(diagnostic, &source, texts, look));
        }
    }
    text + &advice::render(diagnostic, texts, look)
}

/// The line of a data file, of which only this is kept.
fn data_picture(diagnostic: &Diagnostic, place: &DataPlace, look: Look) -> String {
    // The lines before it are drawn as none, and have to be counted.
    const MOST_LINES: u64 = 1 << 20;
    if place.line > MOST_LINES {
        return String::new();
    }
    let source = place.source(FileId(u32::MAX));
    let said = in_short(diagnostic, &place.message);
    let own = Diagnostic::new(diagnostic.code, source.id, place.span(), "").label(said);
    picture(&own, &source, &[&own.primary], &Texts::default(), look)
}

/// What a label says of a fault: its reason alone where the heading says the whole.
fn in_short<'m>(diagnostic: &Diagnostic, fault: &'m str) -> &'m str {
    match fault.rsplit_once(", ") {
        Some((_, reason)) if diagnostic.message.ends_with(fault) => reason.strip_prefix("but ").unwrap_or(reason),
        _ => fault,
    }
}

fn header(diagnostic: &Diagnostic, look: Look) -> String {
    let severity = diagnostic.severity();
    let title = format!("{}[{}]", severity.name(), diagnostic.code.text());
    let message = format!(": {}", one_line(&diagnostic.message));
    let lines = match look.terminal {
        Some(columns) => broken(&format!("{title}{message}"), columns),
        None => vec![format!("{title}{message}")],
    };
    let rest = lines.join("\n").split_off(title.len());
    format!("{}{}\n", paint(role(severity), &title, look.color), paint(Role::Heading, &rest, look.color))
}

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Information | Severity::Hint => Role::Good,
    }
}

fn labels(diagnostic: &Diagnostic) -> impl Iterator<Item = &Label> {
    std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary)
}

/// The files that the labels are in, the primary one first.
fn files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = Vec::new();
    for label in labels(diagnostic) {
        if !files.contains(&label.file) {
            files.push(label.file);
        }
    }
    files
}

type AriadneSpan = (String, Range<usize>);

/// The lines of one file with the labels in it; where a line has no room for all of them, a picture for each.
fn report(diagnostic: &Diagnostic, source: &Source, texts: &Texts, look: Look) -> String {
    let here: Vec<&Label> = labels(diagnostic).filter(|label| label.file == source.id).collect();
    let spans: Vec<Span> = here.iter().map(|label| shown(label.span, &source.text)).collect();
    if Excerpt::is_crowded(source, &spans, room(diagnostic, source, &here, &spans, look)) {
        return here.into_iter().map(|label| picture(diagnostic, source, &[label], texts, look)).collect();
    }
    picture(diagnostic, source, &here, texts, look)
}

fn picture(diagnostic: &Diagnostic, source: &Source, here: &[&Label], texts: &Texts, look: Look) -> String {
    let spans: Vec<Span> = here.iter().map(|label| shown(label.span, &source.text)).collect();
    let room = room(diagnostic, source, here, &spans, look);
    let drawn = |room: Room, look: Look| picture_in(room, (diagnostic, here, &spans), source, texts, look);
    let plain = drawn(room, Look { color: Color::Off, ..look });
    // Arrows around one another may take more than is known before they are drawn. The first line names the file.
    let widest = plain.lines().skip(1).map(width).max().unwrap_or(0);
    match widest.saturating_sub(look.columns()) {
        0 if look.color == Color::Off => plain,
        over => drawn(Room { message: room.message + over, ..room }, look),
    }
}

fn picture_in(
    room: Room,
    (diagnostic, here, spans): (&Diagnostic, &[&Label], &[Span]),
    source: &Source,
    texts: &Texts,
    look: Look,
) -> String {
    let (Some(own), Some(first)) = (here.first(), spans.first()) else { return String::new() };
    let name = one_line(&source.name);
    let draw = |text: &AriadneSource, places: Vec<Range<usize>>| {
        let shown = here.iter().zip(&places);
        // ariadne starts a new box wherever a label is above the one before it.
        let mut labels: Vec<_> =
            shown.map(|(one, at)| (at.clone(), label(&name, at.clone(), diagnostic, one))).collect();
        labels.sort_by_key(|(at, _)| (at.end, at.start));
        let place = (name.clone(), places.into_iter().next().unwrap_or_default());
        let drawn = draw(place, labels.into_iter().map(|(_, label)| label).collect(), text, look);
        wrap::labels(&drawn, here.iter().map(|label| said(diagnostic, label)), look.columns())
    };
    let (drawn, (line, column)) = if Excerpt::is_needed(source, spans, room) {
        let excerpt = Excerpt::new(source, spans, room, look.charset);
        let places = spans.iter().map(|span| with_a_body(excerpt.place(*span), &excerpt.text)).collect();
        let drawn = draw(&excerpt.text.clone().into(), places);
        (drawn, excerpt.line_and_character(excerpt.place(*first).start))
    } else {
        let places = spans.iter().map(|span| with_a_body(span.range(), &source.text)).collect();
        let drawn = draw(&texts.shown(source), places);
        (drawn, source.line_and_character(first.start as usize))
    };
    let (true_line, true_column) = source.line_and_character(own.span.sanitized(&source.text).start as usize);
    let place = format!("{name}:{line}:{column} ");
    merged(&drawn.replacen(&place, &format!("{name}:{true_line}:{true_column} "), 1))
}

/// A span without the line end that it ends with; of the empty last line, the end of the line before.
fn shown(span: Span, text: &str) -> Span {
    let span = span.sanitized(text);
    let start = span.start as usize;
    if start == text.len() && text.ends_with(['\n', '\r']) {
        return Span::at(text.trim_end_matches(['\n', '\r']).len());
    }
    Span::new(start, start + text[span.range()].trim_end_matches(['\n', '\r']).len())
}

/// An empty place at the start of a line takes its first character: ariadne draws it behind the line before, too.
fn with_a_body(place: Range<usize>, text: &str) -> Range<usize> {
    let starts_a_line = place.is_empty() && text[..place.start].ends_with(['\n', '\r']);
    let first = text[place.start..].chars().next().filter(|_| starts_a_line);
    place.start..place.end + first.map_or(0, char::len_utf8)
}

/// What ariadne leaves to the text beside its margins, and what labels are given of it.
fn room(diagnostic: &Diagnostic, source: &Source, here: &[&Label], spans: &[Span], look: Look) -> Room {
    let line_of = |offset: u32| source.line_col(offset as usize).line;
    let last = spans.iter().map(|span| line_of(span.end)).max().unwrap_or(0);
    let over_lines = spans.iter().filter(|span| line_of(span.start) != line_of(span.end)).count();
    let margins = (last + 1).to_string().len() + 4 + if over_lines > 0 { 2 * (over_lines + 1) } else { 0 };
    let text = look.columns().saturating_sub(margins);
    let longest = here.iter().map(|label| width(&said(diagnostic, label))).max().unwrap_or(0);
    // Between the end of what is labelled and what is said stand the end of an arrow and a space; a label behind the
    // line's end is one more to the right. What is labelled comes first.
    let labelled = spans.iter().filter(|span| line_of(span.start) == line_of(span.end));
    let widest = labelled.map(|span| width(&source.text[span.range()])).max().unwrap_or(0);
    let beside = text.saturating_sub(widest.saturating_add(7)).max(LEAST_LABEL);
    // An arrow goes round those that lead over lines, and one more where there are several.
    let around = 4 + over_lines.min(2);
    Room { text, message: longest.min(LABEL).min(text / 2).min(beside) + around }
}

/// What a label says.
fn said(diagnostic: &Diagnostic, label: &Label) -> String {
    let primary = std::ptr::eq(label, &diagnostic.primary);
    one_line(if primary { diagnostic.reason() } else { &label.message })
}

fn color(diagnostic: &Diagnostic, label: &Label) -> ariadne::Color {
    match diagnostic.severity() {
        _ if !std::ptr::eq(label, &diagnostic.primary) => ariadne::Color::Blue,
        Severity::Error => ariadne::Color::Red,
        Severity::Warning => ariadne::Color::Yellow,
        Severity::Information | Severity::Hint => ariadne::Color::Green,
    }
}

fn label(name: &str, at: Range<usize>, diagnostic: &Diagnostic, label: &Label) -> AriadneLabel<AriadneSpan> {
    let message = said(diagnostic, label);
    AriadneLabel::new((name.to_owned(), at)).with_color(color(diagnostic, label)).with_message(message)
}

fn draw(place: AriadneSpan, labels: Vec<AriadneLabel<AriadneSpan>>, text: &AriadneSource, look: Look) -> String {
    let charset = match look.charset {
        Charset::Unicode => CharSet::Unicode,
        Charset::Ascii => CharSet::Ascii,
    };
    let config =
        Config::default().with_color(look.color == Color::On).with_index_type(IndexType::Byte).with_char_set(charset);
    let source = (place.0.clone(), text);
    let report = Report::build(ReportKind::Error, place).with_config(config).with_labels(labels).finish();
    let mut drawn = Vec::new();
    // Writing to memory does not fail; and a report that is not drawn still has its header.
    let _ = report.write(source, &mut drawn);
    let drawn = String::from_utf8_lossy(&drawn);
    // The first line is ariadne's header.
    drawn.lines().skip(1).map(|line| format!("{}\n", line.trim_end())).collect()
}

//! Diagnostics for people, drawn by ariadne, whose defects are kept off: it panics on spans outside
//! the text or inside a character and on places in a second file, shows no label without a message,
//! prints long lines whole, and colours a custom header even where colours are off. So every file
//! gets a report of its own, over a text made safe (`texts`) or, where lines are long, a scratch of it (`excerpt`),
//! and the header is ours.

use std::ops::Range;

use ariadne::{CharSet, Config, IndexType, Label as AriadneLabel, Report, ReportKind, Source as AriadneSource};
use nnz_core::{
    diagnostic::{Diagnostic, Label, Severity},
    ids::FileId,
    source::{Source, Span},
    view::{Charset, Role},
};

use super::{
    Texts, advice,
    excerpt::{Excerpt, one_line},
};
use crate::{ansi::paint, terminal::Color};

/// How a report is drawn.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) color: Color,
    pub(super) charset: Charset,
}

/// The diagnostic as rustc heads it and ariadne draws it.
pub(super) fn render(diagnostic: &Diagnostic, texts: &Texts, look: Look) -> String {
    let mut text = header(diagnostic, look);
    for file in files(diagnostic) {
        if let Some(source) = texts.get(file) {
            text.push_str(&report(diagnostic, &source, texts, look));
        }
    }
    text + &advice::render(diagnostic, texts, look)
}

fn header(diagnostic: &Diagnostic, look: Look) -> String {
    let severity = diagnostic.severity();
    let title = format!("{}[{}]", severity.name(), diagnostic.code.text());
    let message = format!(": {}", one_line(&diagnostic.message));
    format!("{}{}\n", paint(role(severity), &title, look.color), paint(Role::Heading, &message, look.color))
}

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
        Severity::Hint => Role::Good,
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

/// The lines of one file with the labels in it.
fn report(diagnostic: &Diagnostic, source: &Source, texts: &Texts, look: Look) -> String {
    let here: Vec<&Label> = labels(diagnostic).filter(|label| label.file == source.id).collect();
    let spans: Vec<Span> = here.iter().map(|label| label.span.sanitized(&source.text)).collect();
    let Some(first) = spans.first() else { return String::new() };
    let name = one_line(&source.name);
    let draw = |text: &AriadneSource, places: Vec<Range<usize>>| {
        let shown = here.iter().zip(&places);
        // ariadne starts a new box wherever a label is above the one before it.
        let mut labels: Vec<_> =
            shown.map(|(one, at)| (at.clone(), label(&name, at.clone(), diagnostic, one))).collect();
        labels.sort_by_key(|(at, _)| (at.end, at.start));
        let place = (name.clone(), places.into_iter().next().unwrap_or_default());
        draw(place, labels.into_iter().map(|(_, label)| label).collect(), text, look)
    };
    if !Excerpt::is_needed(source, &spans) {
        return draw(&texts.shown(source), spans.iter().map(|span| span.range()).collect());
    }
    let excerpt = Excerpt::new(source, &spans, look.charset);
    let drawn = draw(&excerpt.text.clone().into(), spans.iter().map(|span| excerpt.place(*span)).collect());
    let (line, column) = source.line_and_character(first.start as usize);
    let (_, shown) = excerpt.line_and_character(excerpt.place(*first).start);
    drawn.replacen(&format!("{name}:{line}:{shown} "), &format!("{name}:{line}:{column} "), 1)
}

fn color(diagnostic: &Diagnostic, label: &Label) -> ariadne::Color {
    match diagnostic.severity() {
        _ if !std::ptr::eq(label, &diagnostic.primary) => ariadne::Color::Blue,
        Severity::Error => ariadne::Color::Red,
        Severity::Warning => ariadne::Color::Yellow,
        Severity::Hint => ariadne::Color::Green,
    }
}

fn label(name: &str, at: Range<usize>, diagnostic: &Diagnostic, label: &Label) -> AriadneLabel<AriadneSpan> {
    let message = if label.message.is_empty() { "here".to_owned() } else { one_line(&label.message) };
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

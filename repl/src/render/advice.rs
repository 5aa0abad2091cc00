//! The part below the excerpt: notes, helps, and fixes as a diff.

use nnz_core::{
    diagnostic::{Diagnostic, Edit, Fix},
    source::{Source, Span, byte_order_mark},
    view::{Role, broken},
};

use super::{
    Texts,
    excerpt::{Room, changed_part, one_line},
    human::Look,
};
use crate::ansi::paint;

/// Longer changes are shown only by their title.
const MAX_DIFF_LINES: usize = 8;
/// Longer lines are cut even where there is no terminal.
const LONGEST: usize = 1000;
/// The columns before the lines of a diff.
const DIFF_MARGIN: usize = 10;

pub(super) fn render(diagnostic: &Diagnostic, texts: &Texts, look: Look) -> String {
    let notes = diagnostic.notes.iter().map(|note| told("note", note, look));
    // The fix shows what the help asks.
    let shown = |help: &&String| diagnostic.fixes.iter().any(|fix| asks_for(help, fix));
    let helps = diagnostic.helps.iter().filter(|help| !shown(help)).map(|help| told("help", help, look));
    let fixes = diagnostic.fixes.iter().map(|fix| told("fix", &fix.title, look) + &diff(fix, texts, look));
    notes.chain(helps).chain(fixes).collect()
}

/// Whether a help asks if this fix is meant.
fn asks_for(help: &str, fix: &Fix) -> bool {
    let asked = help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?"));
    let same = |asked: &str| {
        fix.edits.iter().any(|edit| edit.replacement == asked || format!(":{}", edit.replacement) == asked)
    };
    asked.is_some_and(same)
}

/// `   = note: text`; further lines of the text are aligned with its first.
fn told(kind: &str, text: &str, look: Look) -> String {
    let indent = " ".repeat(kind.len() + 7);
    let lines = text.lines().map(one_line).flat_map(|line| match look.terminal {
        Some(columns) => broken(&line, columns.saturating_sub(indent.len()).max(20)),
        None => vec![line],
    });
    let lines: Vec<String> = lines.collect();
    format!("   = {}: {}\n", paint(Role::Heading, kind, look.color), lines.join(&format!("\n{indent}")))
}

/// The lines that the fix changes, before and after; empty where that would be long.
fn diff(fix: &Fix, texts: &Texts, look: Look) -> String {
    let Some((source, lines)) = changed_lines(fix, texts) else { return String::new() };
    let before = &source.text[lines.range()];
    let after = apply(fix, &source, lines);
    if before.lines().chain(after.lines()).count() > MAX_DIFF_LINES {
        return String::new();
    }
    let first = source.line_col(lines.start as usize).line as usize + 1;
    // Where there is no terminal, the text can be copied.
    let columns = look.terminal.map_or(LONGEST, |_| look.columns().saturating_sub(DIFF_MARGIN));
    let rows = |text: &str, other: &str, sign: char, role: Role| -> String {
        let beside = other.lines().map(Some).chain(std::iter::repeat(None));
        let rows = text.lines().zip(beside).enumerate();
        let shown = |line: &str, beside: Option<&str>| {
            changed_part(line, beside.unwrap_or(""), Room { text: columns, message: 0 }, look.charset)
        };
        rows.map(|(at, (line, beside))| row(first + at, sign, &shown(line, beside), role, look)).collect()
    };
    rows(before, &after, '-', Role::Error) + &rows(&after, before, '+', Role::Good)
}

fn row(number: usize, sign: char, line: &str, role: Role, look: Look) -> String {
    let number = paint(Role::Border, &format!("{number:>7}"), look.color);
    format!("{number} {}\n", paint(role, &format!("{sign} {}", one_line(line)), look.color))
}

/// The file of the edits and its whole lines from the first to the last of them; `None` where the
/// edits are in several files.
fn changed_lines(fix: &Fix, texts: &Texts) -> Option<(Source, Span)> {
    let first = fix.edits.first()?;
    let one_file = fix.edits.iter().all(|edit| edit.file == first.file);
    let source = texts.get(first.file).filter(|_| one_file)?;
    let spans = fix.edits.iter().map(|edit| edit.span.sanitized(&source.text));
    let cover = spans.reduce(Span::cover)?;
    let start = source.lines.line_span(&source.text, source.line_col(cover.start as usize).line as usize);
    let end = source.lines.line_span(&source.text, source.line_col(cover.end as usize).line as usize);
    let lines = start.cover(end).range();
    let shown = Span::new(lines.start.max(byte_order_mark(&source.text)).min(lines.end), lines.end);
    Some((source, shown))
}

/// The text of `lines` after the edits; one that overlaps an earlier edit is left out.
fn apply(fix: &Fix, source: &Source, lines: Span) -> String {
    let mut edits: Vec<&Edit> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let (mut text, mut at) = (String::new(), lines.start as usize);
    for edit in edits {
        let span = edit.span.sanitized(&source.text).range();
        if span.start >= at {
            text.push_str(&source.text[at..span.start]);
            text.push_str(&edit.replacement);
            at = span.end;
        }
    }
    text + &source.text[at..(lines.end as usize).max(at)]
}

//! Lines that change, as `diff` shows them.

use std::ops::Range;

use nnz_core::{
    diagnostic::Edit,
    source::Source,
    view::{Line, Markup, Role},
};

use super::applied;
use crate::render::one_line;

/// Lines that follow one another, and what they become.
struct Hunk {
    /// From 0; the last one is not among them.
    lines: Range<usize>,
    edits: Vec<Edit>,
}

pub(super) fn of(source: &Source, edits: &[Edit]) -> Markup {
    let name = one_line(&source.name);
    let mut markup = Markup::new();
    markup.push(Line::of(Role::Heading, format!("--- {name}")));
    markup.push(Line::of(Role::Heading, format!("+++ {name}")));
    let mut moved = 0;
    for hunk in hunks(source, edits) {
        moved += show(&mut markup, source, &hunk, moved);
    }
    markup
}

fn hunks(source: &Source, edits: &[Edit]) -> Vec<Hunk> {
    let line = |offset: u32| source.line_col(offset as usize).line as usize;
    let mut hunks: Vec<Hunk> = Vec::new();
    for edit in edits {
        let lines = line(edit.span.start)..line(edit.span.end) + 1;
        match hunks.last_mut().filter(|last| lines.start <= last.lines.end) {
            Some(last) => {
                last.lines.end = last.lines.end.max(lines.end);
                last.edits.push(edit.clone());
            }
            None => hunks.push(Hunk { lines, edits: vec![edit.clone()] }),
        }
    }
    hunks
}

/// Adds the lines before and after; by how many lines what follows moves.
fn show(markup: &mut Markup, source: &Source, hunk: &Hunk, moved: isize) -> isize {
    let line = |at: usize| source.lines.line_span(&source.text, at);
    let (start, end) = (line(hunk.lines.start).start, line(hunk.lines.end - 1).end);
    let old = source.text.get(start as usize..end as usize).unwrap_or_default();
    let within = |edit: &Edit| Edit { span: edit.span.relative_to(start), ..edit.clone() };
    let new = applied(old, &hunk.edits.iter().map(within).collect::<Vec<_>>());
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let by = after.len() as isize - before.len() as isize;
    let first = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[first..], &after[first..]);
    let last = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[..before.len() - last], &after[..after.len() - last]);
    show_lines(markup, (before, after), (hunk.lines.start + first, moved));
    by
}

/// The lines from `first` on, which are `moved` lines further down in the new text.
fn show_lines(markup: &mut Markup, (before, after): (&[&str], &[&str]), (first, moved): (usize, isize)) {
    if before.is_empty() && after.is_empty() {
        return markup.push(Line::of(Role::Note, format!("@@ the end of line {first} @@")));
    }
    let place = |first: isize, count: usize| format!("{},{count}", if count == 0 { first } else { first + 1 });
    let first = first as isize;
    let head = format!("@@ -{} +{} @@", place(first, before.len()), place(first + moved, after.len()));
    markup.push(Line::of(Role::Note, head));
    before.iter().for_each(|line| markup.push(Line::of(Role::Error, format!("-{line}"))));
    after.iter().for_each(|line| markup.push(Line::of(Role::Good, format!("+{line}"))));
}

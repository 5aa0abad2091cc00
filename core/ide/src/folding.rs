//! `textDocument/foldingRange`: regions, encodings and lists over several lines, comments, files in use, and the
//! statements below a comment that heads them.

use nnz_base::source::Source;
use nnz_check::{Checked, Grammar, mlir::splits};
use nnz_syntax::{NodeKind, TokenKind};

use super::brackets::{Pair, pairs};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldKind {
    Code,
    Comment,
    /// Lines of `use`.
    Files,
    /// Statements below a heading; a part of a file of MLIR.
    Section,
}

/// The first and the last line, from 0; the first stays visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    pub first: u32,
    pub last: u32,
    pub kind: FoldKind,
}

/// What a line holds.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Line {
    #[default]
    Blank,
    /// A comment alone.
    Comment,
    Use,
    /// A statement, an alias or a function begins.
    Begins,
    Code,
}

/// The folds in order; of two that begin on one line, the longer.
pub fn folds(checked: &Checked) -> Vec<Fold> {
    let lines = lines(checked);
    let mut folds = brackets(checked);
    folds.extend(statements(checked));
    folds.extend(runs(&lines, Line::Comment, FoldKind::Comment));
    folds.extend(runs(&lines, Line::Use, FoldKind::Files));
    folds.extend(match checked.grammar {
        Grammar::Notation => headed(&lines),
        Grammar::Mlir => parts(checked, &lines),
    });
    folds.retain(|fold| fold.first < fold.last);
    folds.sort_by_key(|fold| (fold.first, std::cmp::Reverse(fold.last)));
    folds.dedup_by_key(|fold| fold.first);
    folds
}

fn line_of(source: &Source, offset: u32) -> u32 {
    source.line_col(offset as usize).line
}

/// The line of the closing bracket stays visible.
fn brackets(checked: &Checked) -> Vec<Fold> {
    let (lines, mut first) = (&checked.source.lines, 0);
    let mut fold = |pair: &Pair| {
        first = lines.line_near(pair.open.start, first);
        let last = lines.line_near(pair.close.start, first).saturating_sub(1);
        Fold { first, last, kind: FoldKind::Code }
    };
    pairs(&checked.tree).iter().map(&mut fold).filter(|fold| fold.first < fold.last).collect()
}

/// Statements over several lines; those whose brackets close on the last one are folded by these.
fn statements(checked: &Checked) -> Vec<Fold> {
    let line = |offset: u32| line_of(&checked.source, offset);
    let whole = checked.tree.root().children().filter(|node| node.kind() != NodeKind::Stray).map(|node| node.span());
    let own = whole.filter(|_| checked.grammar == Grammar::Notation);
    own.map(|span| Fold { first: line(span.start), last: line(span.end), kind: FoldKind::Code }).collect()
}

fn lines(checked: &Checked) -> Vec<Line> {
    let mut lines = vec![Line::Blank; line_of(&checked.source, checked.source.text.len() as u32) as usize + 1];
    let spaces = |kind: TokenKind| matches!(kind, TokenKind::Whitespace | TokenKind::Newline);
    // The first token of a line tells what it holds.
    let (mut at, mut end) = (0, 0);
    for token in checked.tree.tokens().filter(|token| !spaces(token.kind())) {
        if token.start() < end {
            continue;
        }
        at = checked.source.lines.line_near(token.start(), at);
        end = checked.source.lines.line_span(&checked.source.text, at as usize).end;
        if let Some(line) = lines.get_mut(at as usize) {
            *line = if token.kind() == TokenKind::Comment { Line::Comment } else { Line::Code };
        }
    }
    at = 0;
    for node in checked.tree.root().children() {
        at = checked.source.lines.line_near(node.span().start, at);
        if let Some(line) = lines.get_mut(at as usize) {
            *line = if node.kind() == NodeKind::Use { Line::Use } else { Line::Begins };
        }
    }
    lines
}

/// Lines of one kind that follow one another.
fn runs(lines: &[Line], kind: Line, fold: FoldKind) -> Vec<Fold> {
    let mut runs: Vec<Fold> = Vec::new();
    for at in lines.iter().enumerate().filter(|(_, line)| **line == kind).map(|(at, _)| at as u32) {
        match runs.last_mut().filter(|run| run.last + 1 == at) {
            Some(run) => run.last = at,
            None => runs.push(Fold { first: at, last: at, kind: fold }),
        }
    }
    runs
}

/// From the last line of each heading to the last one before the next.
fn headed(lines: &[Line]) -> Vec<Fold> {
    let runs = runs(lines, Line::Comment, FoldKind::Comment);
    let heads: Vec<&Fold> = runs.iter().filter(|run| heads(lines, run)).collect();
    let ends = heads.iter().skip(1).map(|next| next.first).chain([lines.len() as u32]);
    heads.iter().zip(ends).map(|(head, end)| section(lines, head.last, end)).collect()
}

/// From a line to the last one before `end` that is not blank.
fn section(lines: &[Line], first: u32, end: u32) -> Fold {
    let inside = lines.get(first as usize..end as usize).unwrap_or_default();
    let last = inside.iter().rposition(|line| *line != Line::Blank).unwrap_or(0) as u32;
    Fold { first, last: first + last, kind: FoldKind::Section }
}

/// A comment behind a blank line or at the beginning, with a statement directly below it.
fn heads(lines: &[Line], run: &Fold) -> bool {
    let blank = run.first.checked_sub(1).is_none_or(|before| lines.get(before as usize) == Some(&Line::Blank));
    blank && matches!(lines.get(run.last as usize + 1), Some(Line::Begins | Line::Use))
}

/// The parts between the comments `// -----`.
fn parts(checked: &Checked, lines: &[Line]) -> Vec<Fold> {
    let starts: Vec<u32> = splits(&checked.tree).iter().map(|split| line_of(&checked.source, *split)).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len() as u32]);
    starts.iter().zip(ends).map(|(start, end)| section(lines, *start, end)).collect()
}

#[cfg(test)]
mod tests {
    use nnz_base::{ids::FileId, source::Source};
    use nnz_check::{mlir::check_mlir, scope::Scope, session::check_session};

    use super::folds;

    fn folded(name: &str, text: &str) -> Vec<(u32, u32)> {
        let source = Source::new(FileId(0), name, text);
        let checked = match name {
            "a.mlir" => check_mlir(&source),
            _ => check_session(&source, &Scope::default()),
        };
        folds(&checked).iter().map(|fold| (fold.first, fold.last)).collect()
    }

    #[test]
    fn a_session_folds_at_headings_comments_and_long_statements() {
        let text = "use \"a.mlir\"\nuse \"b.mlir\"\n\n// One.\n// Two.\nx = [1,\n  2]\ny(i) = x(i)\n  schedule unroll(i, 2)\n\n// Next.\nx\n";
        assert_eq!(folded("a.nnz", text), [(0, 1), (3, 4), (4, 8), (5, 6), (7, 8), (10, 11)]);
        assert_eq!(folded("a.nnz", "x = [1,\n 2"), [(0, 1)]);
    }

    #[test]
    fn a_program_folds_at_regions_encodings_and_parts() {
        let text = "#A = #sparse_tensor.encoding<{\n  map = (i) -> (i : dense)\n}>\nfunc.func @f() {\n  scf.if %c {\n    a.b\n  }\n  return\n}\n// -----\nfunc.func @g() {\n  a.b\n";
        assert_eq!(folded("a.mlir", text), [(0, 1), (3, 7), (4, 5), (9, 11)]);
    }
}

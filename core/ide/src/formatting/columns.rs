//! The columns of comments that follow other tokens.

use nnz_base::source::is_line_end;

use super::WIDTH;
use super::edits::{Gap, Sheet, Space, breaks, start_of_line};

/// The blanks between code and the comment of the longest line.
const BEFORE_COMMENT: usize = 2;

/// For each gap, the blanks before a comment; 0 for the others.
pub(super) fn columns_of_comments(sheet: &Sheet, text: &str) -> Vec<usize> {
    let mut blanks = vec![0; sheet.gaps.len()];
    let comments = trailing(sheet, text);
    // Those of lines that follow one another; a long line would move the others far away.
    let below = |one: &Trailing, next: &Trailing| one.line + 1 == next.line && one.column.max(next.column) <= WIDTH;
    for run in comments.chunk_by(below) {
        let longest = run.iter().map(|comment| comment.column).max().unwrap_or(0);
        for comment in run {
            blanks[comment.gap] = longest - comment.column + BEFORE_COMMENT;
        }
    }
    blanks
}

/// A comment behind other tokens.
struct Trailing {
    gap: usize,
    line: usize,
    /// Where the code ends.
    column: usize,
}

fn trailing(sheet: &Sheet, text: &str) -> Vec<Trailing> {
    let mut found = Vec::new();
    let (mut line, mut column) = (0, 0);
    for (at, gap) in sheet.gaps.iter().enumerate() {
        // Between two aliases of a program are other lines.
        line += lines(gap, text);
        match breaks(gap, text) {
            true => column = indentation(sheet, gap, text),
            false if gap.space == Space::Trailing => found.push(Trailing { gap: at, line, column }),
            false => column += blanks(gap),
        }
        column += gap.width;
    }
    found
}

/// Whether a gap that is kept ends a line.
pub(super) fn starts_line(text: &str, gap: &Gap) -> bool {
    gap.place.clone().any(|at| is_line_end(text, at)) || gap.place.start == 0
}

fn lines(gap: &Gap, text: &str) -> usize {
    match gap.space {
        Space::Blanks(_) | Space::Trailing => 0,
        Space::Lines(count, _) | Space::LinesAsIndented(count) => count,
        // What is kept divides runs of comments.
        Space::Kept => 2 * usize::from(starts_line(text, gap)),
    }
}

fn blanks(gap: &Gap) -> usize {
    match gap.space {
        Space::Blanks(count) => count,
        Space::Kept => gap.place.len(),
        Space::Trailing | Space::Lines(..) | Space::LinesAsIndented(_) => 0,
    }
}

fn indentation(sheet: &Sheet, gap: &Gap, text: &str) -> usize {
    match gap.space {
        Space::Lines(_, indent) => indent.columns(sheet.style),
        Space::Blanks(_) | Space::Trailing => 0,
        Space::Kept | Space::LinesAsIndented(_) => gap.place.end - start_of_line(text, gap.place.end),
    }
}

//! Lists of rows, one row per line: their numbers are aligned on the right.

use nnz_syntax::{NodeKind, NodeRef};

use super::pieces::Piece;

/// Numbers with more digits stay where they are.
const WIDEST: usize = 40;

/// For each piece of a statement the blanks that fill its column.
pub(super) fn paddings(statement: NodeRef<'_>, pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut paddings = vec![0; pieces.len()];
    for list in statement.descendants().filter(|node| node.kind() == NodeKind::ListLiteral) {
        let rows: Vec<Vec<Entry>> = rows(list, pieces).unwrap_or_default();
        let columns = rows.first().map_or(0, Vec::len);
        for column in 0..columns {
            let entries = || rows.iter().filter_map(|row| row.get(column));
            let widest = entries().map(|entry| entry.width).max().unwrap_or(0);
            if widest <= WIDEST {
                entries().for_each(|entry| paddings[entry.piece] = widest - entry.width);
            }
        }
    }
    paddings
}

/// A number: its first piece, and how wide it is.
struct Entry {
    piece: usize,
    width: usize,
}

/// The rows of a matrix, all of one length; `None` if the list is not a matrix, or has two rows on a line.
fn rows(list: NodeRef<'_>, pieces: &[Piece<'_>]) -> Option<Vec<Vec<Entry>>> {
    let rows: Vec<Vec<Entry>> = list.children().map(|row| entries(row, pieces)).collect::<Option<_>>()?;
    let length = rows.first()?.len();
    let same = rows.iter().all(|row| row.len() == length);
    let begins = |row: NodeRef<'_>| pieces.get(place(row, pieces)).is_some_and(|piece| piece.lines > 0);
    (same && list.children().skip(1).all(begins)).then_some(rows)
}

/// The numbers of a row, which is one line.
fn entries(row: NodeRef<'_>, pieces: &[Piece<'_>]) -> Option<Vec<Entry>> {
    let is_line = row.tokens().skip(1).all(|token| !row_breaks(pieces, token.span().start as usize));
    if row.kind() != NodeKind::ListLiteral || !is_line {
        return None;
    }
    let entry = |number: NodeRef<'_>| {
        let width = number.tokens().map(|token| token.text().len()).sum();
        is_number(number).then(|| Entry { piece: place(number, pieces), width })
    };
    row.children().map(entry).collect()
}

fn row_breaks(pieces: &[Piece<'_>], start: usize) -> bool {
    let at = pieces.partition_point(|piece| piece.start < start);
    pieces.get(at).is_some_and(|piece| piece.lines > 0)
}

/// `2.5`, `-2`
fn is_number(node: NodeRef<'_>) -> bool {
    let signed = node.kind() == NodeKind::Unary && node.children().all(|child| child.kind() == NodeKind::Number);
    node.kind() == NodeKind::Number || signed
}

fn place(node: NodeRef<'_>, pieces: &[Piece<'_>]) -> usize {
    let start = node.span().start as usize;
    pieces.partition_point(|piece| piece.start < start)
}

//! The matrix: a box for each place, the stored ones filled.

use super::{
    Leaf,
    pen::{Anchor, Pen},
};
use nnz_storage::Storage;

const MOST: u64 = 16;
const SIDE: f64 = 96.0;
const LARGEST: f64 = 14.0;
const AXIS: f64 = 12.0;

/// Draws a vector or a matrix at its left edge; gives its right edge and its bottom.
pub(super) fn draw(pen: &mut Pen, storage: &Storage, leaves: &[Leaf], left: f64) -> Option<(f64, f64)> {
    let (rows, columns) = match storage.dim_sizes() {
        [columns] => (1, *columns),
        [rows, columns] => (*rows, *columns),
        _ => return None,
    };
    let longest = rows.max(columns);
    if longest == 0 || longest > MOST {
        return None;
    }
    let cell = (SIDE / longest as f64).min(LARGEST);
    let (left, top) = (left + AXIS, 6.0 + AXIS);
    let place = |row: u64, column: u64| (left + column as f64 * cell, top + row as f64 * cell);
    let last = Pen::level(storage.levels().len().saturating_sub(1));
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let here = |leaf: &Leaf| leaf.dims.as_deref().is_some_and(|dims| is_at(dims, row, column));
        pen.cell(place(row, column), (cell, cell), leaves.iter().any(here).then_some(last));
    }
    let (right, bottom) = place(rows, columns);
    names(pen, storage, (left + right) / 2.0, (top + bottom) / 2.0, left);
    Some((right, bottom))
}

fn is_at(dims: &[u64], row: u64, column: u64) -> bool {
    matches!(dims, [only] if *only == column && row == 0) || *dims == [row, column]
}

/// The dimensions beside the matrix, in the colours of the levels that store them.
fn names(pen: &mut Pen, storage: &Storage, middle: f64, centre: f64, left: f64) {
    let encoding = storage.encoding();
    let rank = encoding.dims().len();
    for (at, dim) in encoding.dims().iter().enumerate() {
        let of_dim = |expr: &nnz_encoding::Affine<nnz_base::ids::Dim>| expr.vars().iter().any(|var| var.index() == at);
        let level = encoding.levels().iter().position(|level| of_dim(&level.expr)).unwrap_or(0);
        let place = if at + 1 == rank { (middle, 11.0) } else { (left - 7.0, centre) };
        pen.text(place, Anchor::Middle, Pen::level(level), &dim.name);
    }
}

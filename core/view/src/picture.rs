//! A small tensor as a picture: the matrix, the coordinate tree and the arrays, a colour for each level.

mod arrays;
mod grid;
mod pen;
mod tree;

use super::leaves::{self, Leaf};
use nnz_storage::Storage;
use pen::Pen;

/// The background of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Either: strokes of a middle grey.
    #[default]
    Any,
    Light,
    Dark,
}

/// With more leaves they could not be distinguished.
const MOST_LEAVES: usize = 64;
const WIDTH: f64 = 320.0;
const MARGIN: f64 = 6.0;
const GAP: f64 = 10.0;

/// The picture in SVG; `None` for a tensor that is too large for one, or whose levels do not give its coordinates.
pub fn svg(storage: &Storage, theme: Theme) -> Option<String> {
    let (leaves, false) = leaves::first(storage, MOST_LEAVES)? else { return None };
    let mut pen = Pen::new(theme);
    let grid = grid::draw(&mut pen, storage, &leaves, MARGIN);
    let left = grid.map_or(MARGIN, |(right, _)| right + GAP);
    let below = tree::draw(&mut pen, storage, &leaves, (left, WIDTH - MARGIN));
    let below = grid.map_or(below, |(_, bottom)| bottom.max(below));
    let bottom = arrays::draw(&mut pen, storage, below + GAP, WIDTH - MARGIN);
    Some(pen.finish(WIDTH, bottom + MARGIN))
}

#[cfg(test)]
mod tests;

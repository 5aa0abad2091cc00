//! A small tensor as a picture: the matrix, the coordinate tree and the arrays, a colour for each level.

mod arrays;
mod grid;
mod pen;
mod tree;

use nnz_base::ids::Lvl;
use nnz_storage::{Fibers, Storage};
use pen::Pen;

/// What the picture stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Either: strokes of a middle grey.
    #[default]
    Any,
    Light,
    Dark,
}

/// More leaves are not told apart.
const MOST_LEAVES: usize = 64;
const WIDTH: f64 = 320.0;
const MARGIN: f64 = 6.0;
const GAP: f64 = 10.0;

/// One entry, or padding.
struct Leaf {
    /// The coordinates of the levels.
    path: Vec<i64>,
    /// The coordinates of the dimensions; `None` for padding.
    dims: Option<Vec<u64>>,
}

/// The picture in SVG; `None` for a tensor that is too large for one, or whose levels do not give its coordinates.
pub fn svg(storage: &Storage, theme: Theme) -> Option<String> {
    let leaves = leaves(storage)?;
    let mut pen = Pen::new(theme);
    let grid = grid::draw(&mut pen, storage, &leaves, MARGIN);
    let left = grid.map_or(MARGIN, |(right, _)| right + GAP);
    let below = tree::draw(&mut pen, storage, &leaves, (left, WIDTH - MARGIN));
    let below = grid.map_or(below, |(_, bottom)| bottom.max(below));
    let bottom = arrays::draw(&mut pen, storage, below + GAP, WIDTH - MARGIN);
    Some(pen.finish(WIDTH, bottom + MARGIN))
}

/// The leaves of the coordinate tree in the order of storage.
fn leaves(storage: &Storage) -> Option<Vec<Leaf>> {
    let fibers = Fibers::new(storage).ok()?;
    let mut leaves = Vec::new();
    collect(&fibers, storage.levels().len(), &mut Vec::new(), 0, &mut leaves)?;
    Some(leaves)
}

fn collect(
    fibers: &Fibers<'_>,
    depth: usize,
    path: &mut Vec<i64>,
    position: u64,
    leaves: &mut Vec<Leaf>,
) -> Option<()> {
    if path.len() == depth {
        leaves.push(Leaf { path: path.clone(), dims: fibers.dims(path) });
        return (leaves.len() <= MOST_LEAVES).then_some(());
    }
    let fiber = fibers.below(Lvl::new(path.len()), position);
    let most = (MOST_LEAVES + 1) as u64;
    for (position, coordinate) in fiber.children(0..most) {
        path.push(coordinate);
        collect(fibers, depth, path, position, leaves)?;
        path.pop();
    }
    Some(())
}

#[cfg(test)]
mod tests;

//! The coordinate tree: a row for each level, a node for each coordinate.

use super::{
    Leaf,
    pen::{Anchor, Pen},
};
use nnz_storage::{Storage, model};

const STEP: f64 = 24.0;
const TOP: f64 = 12.0;
/// Coordinates of two digits need this much.
const NARROWEST: f64 = 9.0;

/// Draws the tree between two edges; gives its bottom.
pub(super) fn draw(pen: &mut Pen, storage: &Storage, leaves: &[Leaf], (left, right): (f64, f64)) -> f64 {
    let names: Vec<String> = model::of_storage(storage, 0).levels.into_iter().map(|level| level.expr).collect();
    let label = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64 * 5.6 + 8.0;
    let (left, depth) = (left + label, names.len());
    let space = (right - left) / leaves.len().max(1) as f64;
    for (at, name) in names.iter().enumerate() {
        pen.text((left - label, row(at + 1)), Anchor::Start, Pen::level(at), name);
    }
    let middle = |from: usize, to: usize| left + (from + to) as f64 / 2.0 * space;
    pen.dot((middle(0, leaves.len()), row(0)), pen.ink());
    for at in 0..depth {
        for (from, to) in nodes(leaves, at) {
            let parent = parents(leaves, at, from);
            let place = (middle(from, to), row(at + 1));
            pen.line((middle(parent.0, parent.1), row(at) + 5.0), (place.0, place.1 - 6.0));
            let coordinate = leaves.get(from).and_then(|leaf| leaf.path.get(at)).copied().unwrap_or(0);
            match (to - from) as f64 * space >= NARROWEST {
                true => pen.text(place, Anchor::Middle, Pen::level(at), &coordinate.to_string()),
                false => pen.dot(place, Pen::level(at)),
            }
        }
    }
    row(depth) + 6.0
}

fn row(at: usize) -> f64 {
    TOP + at as f64 * STEP
}

/// The ranges of leaves below each node of a level. Coordinates that repeat have a node each in the innermost level.
fn nodes(leaves: &[Leaf], at: usize) -> Vec<(usize, usize)> {
    let is_last = leaves.first().is_some_and(|leaf| at + 1 == leaf.path.len());
    let mut nodes: Vec<(usize, usize)> = Vec::new();
    for leaf in 0..leaves.len() {
        match nodes.last_mut() {
            Some((from, to)) if !is_last && same(leaves, *from, leaf, at + 1) => *to = leaf + 1,
            _ => nodes.push((leaf, leaf + 1)),
        }
    }
    nodes
}

/// The leaves below the node that is above the node of leaf `of`.
fn parents(leaves: &[Leaf], at: usize, of: usize) -> (usize, usize) {
    let above = (0..leaves.len()).filter(|other| same(leaves, *other, of, at));
    let (mut from, mut to) = (of, of + 1);
    for other in above {
        from = from.min(other);
        to = to.max(other + 1);
    }
    (from, to)
}

/// Whether two leaves have the same coordinates in the outer levels.
fn same(leaves: &[Leaf], one: usize, other: usize, levels: usize) -> bool {
    let path = |at: usize| leaves.get(at).and_then(|leaf| leaf.path.get(..levels));
    path(one) == path(other)
}

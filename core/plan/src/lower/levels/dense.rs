//! `dense`: every coordinate, at position `parent * size + coordinate`.

use super::{Level, Place, Step, Walk};
use nnz_loops::{Builder, ExprId};

pub(super) fn walk(level: &Level, b: &mut Builder) -> Walk {
    Walk::Coordinates([b.index(0), level.size(b)])
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place, at: ExprId) -> Step {
    let size = level.size(b);
    let first = b.mul(parent.position, size);
    Step { coordinate: at, place: Place { position: b.add(first, at), ..parent }, present: None }
}

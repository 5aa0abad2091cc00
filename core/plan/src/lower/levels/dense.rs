//! `dense`: every coordinate, at position `parent * size + coordinate`.

use super::{Code, Level, Parent, Step, Walk};
use nnz_loops::{Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, _: Parent) -> Walk {
    Walk::Coordinates([b.index(0), level.size(b)])
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    let size = level.size(b);
    let first = b.mul(parent.position, size);
    Step { coordinate: at, place: Parent { position: b.add(first, at), ..parent }, present: None }
}

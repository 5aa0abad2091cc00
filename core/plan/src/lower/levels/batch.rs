//! `batch`: every coordinate. The coordinates of the batch levels number the batches, row-major, and
//! positions restart at 0 in each.

use super::{Code, Level, Parent, Step, Walk};
use nnz_loops::{Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, _: Parent) -> Walk {
    Walk::Coordinates([b.index(0), level.size(b)])
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    let first = match parent.batch {
        Some(batch) => {
            let size = level.size(b);
            b.mul(batch, size)
        }
        None => b.index(0),
    };
    Step { coordinate: at, place: Parent { batch: Some(b.add(first, at)), ..parent }, present: None }
}

//! `compressed`: the coordinates at positions `pos[parent] .. pos[parent + 1]`.

use super::{Code, Level, Parent, Step, Walk};
use nnz_loops::{Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    let one = b.index(1);
    let next = b.add(parent.position, one);
    Walk::Positions([level.position(b, parent.position), level.position(b, next)])
}

/// Shared by every format whose loop runs over positions.
fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    Step { coordinate: level.coordinate(b, at), place: Parent { position: at, ..parent }, present: None }
}

//! `compressed`: the coordinates at positions `pos[parent] .. pos[parent + 1]`.

use super::{Code, Level, Place, Step, Walk};
use nnz_loops::{Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, parent: Place) -> Walk {
    let one = b.index(1);
    let next = b.add(parent.position, one);
    Walk::Positions([level.position(b, parent.position), level.position(b, next)])
}

/// Shared by every format whose loop runs over positions.
fn step(level: &Level, b: &mut Builder, parent: Place, at: ExprId) -> Step {
    Step { coordinate: level.coordinate(b, at), place: Place { position: at, ..parent }, present: None }
}

//! `singleton`: one coordinate at each position of the level above, or the level's size if the position has no entry.

use super::{Code, Level, Parent, Step, Walk};
use nnz_loops::{Binary, Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(_: &Level, _: &mut Builder, _: Parent) -> Walk {
    Walk::Here
}

fn step(level: &Level, b: &mut Builder, parent: Parent, _: ExprId) -> Step {
    let coordinate = level.coordinate(b, parent.position);
    let present = level.size.map(|size| b.binary(Binary::Lt, coordinate, size));
    Step { coordinate, place: parent, present }
}

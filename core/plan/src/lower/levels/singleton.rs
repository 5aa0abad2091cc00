//! `singleton`: one coordinate at each position of the level above, or the size where that has none.

use super::{Level, Place, Step, Walk};
use nnz_loops::{Binary, Builder};

pub(super) fn walk() -> Walk {
    Walk::Here
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place) -> Step {
    let coordinate = level.coordinate(b, parent.position);
    let present = level.size.map(|size| b.binary(Binary::Lt, coordinate, size));
    Step { coordinate, place: parent, present }
}

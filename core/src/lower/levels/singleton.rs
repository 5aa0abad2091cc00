//! `singleton`: one coordinate at each position of the level above.

use super::{Level, Place, Step, Walk};
use crate::loops::Builder;

pub(super) fn walk() -> Walk {
    Walk::Here
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place) -> Step {
    Step { coordinate: level.coordinate(b, parent.position), place: parent }
}

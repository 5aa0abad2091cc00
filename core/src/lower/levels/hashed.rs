//! `hashed`: the slots `pos[parent] .. pos[parent + 1]`; where the coordinate is the level's size, the slot is
//! free.

use super::{Level, Place, Step, Walk, compressed};
use crate::loops::{Binary, Builder, ExprId};

pub(super) fn walk(level: &Level, b: &mut Builder, parent: Place) -> Walk {
    compressed::walk(level, b, parent)
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place, at: ExprId) -> Step {
    let step = compressed::step(level, b, parent, at);
    let free = level.size(b);
    Step { present: Some(b.binary(Binary::Lt, step.coordinate, free)), ..step }
}

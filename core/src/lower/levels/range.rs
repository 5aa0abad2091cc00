//! `range`: every coordinate, at position `parent * size + coordinate`. Those that lead out of the tensor
//! are left out where the other dimension is compared with its size.

use super::{Level, Place, Step, Walk, dense};
use crate::loops::{Builder, ExprId};

pub(super) fn walk(level: &Level, b: &mut Builder) -> Walk {
    dense::walk(level, b)
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place, at: ExprId) -> Step {
    dense::step(level, b, parent, at)
}

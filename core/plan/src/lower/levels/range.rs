//! `range`: every coordinate whose diagonal lies in the tensor, at position `parent * size + coordinate`.

use super::{Level, Place, Step, Walk, dense};
use nnz_loops::{Builder, ExprId};

pub(super) fn walk(level: &Level, b: &mut Builder) -> Walk {
    level.bounds.map_or_else(|| dense::walk(level, b), Walk::Coordinates)
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place, at: ExprId) -> Step {
    dense::step(level, b, parent, at)
}

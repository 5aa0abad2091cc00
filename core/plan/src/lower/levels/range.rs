//! `range`: every coordinate whose diagonal lies in the tensor, at position `parent * size + coordinate`.

use super::{Code, Level, Parent, Step, Walk, dense};
use nnz_loops::{Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    level.bounds.map_or_else(|| (dense::CODE.walk)(level, b, parent), Walk::Coordinates)
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    (dense::CODE.step)(level, b, parent, at)
}

//! `bitmap`: every coordinate, at position `parent * size + coordinate`; the byte there says whether there is
//! an entry.

use super::{Level, Place, Step, Walk, dense};
use nnz_loops::{Binary, Builder, ExprId};

pub(super) fn walk(level: &Level, b: &mut Builder) -> Walk {
    dense::walk(level, b)
}

pub(super) fn step(level: &Level, b: &mut Builder, parent: Place, at: ExprId) -> Step {
    let step = dense::step(level, b, parent, at);
    let (byte, zero) = (level.coordinate(b, step.place.position), b.index(0));
    Step { present: Some(b.binary(Binary::Ne, byte, zero)), ..step }
}

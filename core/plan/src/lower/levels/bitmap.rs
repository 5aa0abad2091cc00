//! `bitmap`: every coordinate, at position `parent * size + coordinate`; the byte there says whether there is
//! an entry.

use super::{Code, Level, Parent, Step, Walk, dense};
use nnz_loops::{Binary, Builder, ExprId};

pub(super) const CODE: Code = Code { walk, step, locate: step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    (dense::CODE.walk)(level, b, parent)
}

fn step(level: &Level, b: &mut Builder, parent: Parent, at: ExprId) -> Step {
    let step = (dense::CODE.step)(level, b, parent, at);
    let (byte, zero) = (level.coordinate(b, step.place.position), b.index(0));
    Step { present: Some(b.binary(Binary::Ne, byte, zero)), ..step }
}

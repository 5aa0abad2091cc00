//! `loose_compressed`: the coordinates at positions `pos[2 * parent] .. pos[2 * parent + 1]`.

use super::{Code, Level, Parent, Walk, compressed};
use nnz_loops::Builder;

pub(super) const CODE: Code = Code { walk, step: compressed::CODE.step, locate: compressed::CODE.step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    let (one, two) = (b.index(1), b.index(2));
    let low = b.mul(parent.position, two);
    let high = b.add(low, one);
    Walk::Positions([level.position(b, low), level.position(b, high)])
}

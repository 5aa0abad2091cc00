//! `loose_compressed`: the coordinates at positions `pos[2 * parent] .. pos[2 * parent + 1]`.

use super::{Level, Place, Walk};
use nnz_loops::Builder;

pub(super) fn walk(level: &Level, b: &mut Builder, parent: Place) -> Walk {
    let (one, two) = (b.index(1), b.index(2));
    let low = b.mul(parent.position, two);
    let high = b.add(low, one);
    Walk::Positions([level.position(b, low), level.position(b, high)])
}

//! `structured[n, m]`: the coordinates at positions `parent * n .. parent * n + n`.

use super::{Place, Walk};
use nnz_encoding::NOutOfM;
use nnz_loops::Builder;

pub(super) fn walk(block: NOutOfM, b: &mut Builder, parent: Place) -> Walk {
    let n = b.index(i64::try_from(block.n()).unwrap_or(i64::MAX));
    let first = b.mul(parent.position, n);
    Walk::Positions([first, b.add(first, n)])
}

//! `structured[n, m]`: the coordinates at positions `parent * n .. parent * n + n`.

use super::{Code, Level, Parent, Walk, compressed};
use nnz_encoding::format::Below;
use nnz_loops::Builder;

pub(super) const CODE: Code = Code { walk, step: compressed::CODE.step, locate: compressed::CODE.step };

fn walk(level: &Level, b: &mut Builder, parent: Parent) -> Walk {
    let Below::Exactly(n) = level.format.below() else { return Walk::Here };
    let n = b.index(i64::try_from(n).unwrap_or(i64::MAX));
    let first = b.mul(parent.position, n);
    Walk::Positions([first, b.add(first, n)])
}

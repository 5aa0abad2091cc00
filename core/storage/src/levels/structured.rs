//! `structured[n, m]`: exactly n coordinates below every position, out of 0 .. m, or of a whole dimension. Only the
//! innermost level can be `structured`.
//!
//! ```text
//! parent       0     1     2          n = 2, m = 4
//! crd         0 2   1 3   0 1         position: parent * n + 0 .. n
//! ```
//! A block with fewer nonzeros is padded with the smallest free coordinates and zeros, so the level's size must be at
//! least n.

use super::{Builder, Children, Code, Counts, LevelShape, Positions, RawLevel, check_range, wrong_format};
use crate::{ArrayKind, StorageError, bounds};
use nnz_base::{arrays::IndexArray, ids::Lvl, memory};
use nnz_encoding::{LevelFormat, NOutOfM, format::Below};

pub(super) const CODE: Code = Code {
    build,
    check: |arrays, _, place| check(arrays.coordinates, place),
    expand: |arrays, place, parents| expand(arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl, format: LevelFormat) -> Result<RawLevel, StorageError> {
    let LevelFormat::Structured(block) = format else { return Err(wrong_format(lvl, format)) };
    let (blocks, size) = (builder.count(), builder.size(lvl));
    if size < block.n() && blocks > 0 {
        return Err(StorageError::Narrow { lvl, size, n: block.n(), m: block.m() });
    }
    builder.grow(lvl, block.n())?;
    memory::room_for(u128::from(builder.count()) + 4 * builder.len() as u128, 8)?;
    let mut coordinates = Vec::with_capacity(builder.count() as usize);
    let mut owners = Vec::new();
    let own: Vec<(u64, u64)> = builder.owners().zip(builder.column(lvl).iter().copied()).collect();
    let mut rest = own.as_slice();
    for parent in 0..blocks {
        let (entries, after) = rest.split_at(rest.iter().take_while(|(owner, _)| *owner == parent).count());
        let start = coordinates.len() as u64;
        let wanted: Vec<u64> = entries.iter().map(|(_, coordinate)| *coordinate).collect();
        let stored = pad(&wanted, block.n(), size).ok_or_else(|| full(builder, lvl, parent, wanted.len(), block))?;
        owners.extend(wanted.iter().map(|c| start + stored.partition_point(|s| s < c) as u64));
        coordinates.extend(stored);
        rest = after;
    }
    builder.set_owners(owners);
    Ok(RawLevel { positions: None, coordinates: Some(coordinates) })
}

/// Exactly n sorted coordinates below `size`, the `wanted` ones among them; `None` if there are more.
fn pad(wanted: &[u64], n: u64, size: u64) -> Option<Vec<u64>> {
    let missing = (n as usize).checked_sub(wanted.len())?;
    let free = (0..size).filter(|coordinate| !wanted.contains(coordinate)).take(missing);
    let mut stored: Vec<u64> = wanted.iter().copied().chain(free).collect();
    stored.sort_unstable();
    Some(stored)
}

fn full(builder: &Builder<'_>, lvl: Lvl, parent: u64, found: usize, block: NOutOfM) -> StorageError {
    let at = builder.dense_coordinates(lvl, parent);
    StorageError::BlockFull { lvl, block: at, found: found as u64, n: block.n(), m: block.m() }
}

fn n(place: &LevelShape) -> u64 {
    if let Below::Exactly(n) = place.format.below() { n } else { 0 }
}

pub(super) fn check(coordinates: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let (lvl, count) = (place.lvl, bounds::positions(place.lvl, place.parents, n(place))?);
    if coordinates.len() as u64 != count {
        return Err(StorageError::length(lvl, ArrayKind::Coordinates, count, coordinates.len()));
    }
    check_range(coordinates, place)?;
    let coordinates = coordinates.widened();
    for (at, block) in coordinates.chunks(n(place).max(1) as usize).enumerate() {
        if let Some(fall) = block.windows(2).position(|pair| pair[0] >= pair[1]) {
            let at = at * block.len() + fall + 1;
            let (before, got) = (block[fall], block[fall + 1]);
            return Err(if before == got {
                StorageError::Repeated { lvl, at, coordinate: got }
            } else {
                StorageError::Order { lvl, at, before, got }
            });
        }
    }
    Ok(count)
}

pub(super) fn expand(coordinates: &IndexArray, place: &LevelShape, parents: &Positions) -> Children {
    let (n, coordinates) = (n(place), coordinates.widened());
    let positions = parents.times(n);
    Children { coordinates: positions.of(&coordinates), positions, counts: Counts::Times(n) }
}

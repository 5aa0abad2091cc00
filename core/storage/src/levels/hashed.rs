//! `hashed`: a hash table of coordinates below every position, in no order.
//!
//! ```text
//! parent            0               1
//! pos            0         4     4     6      table of p: pos[p] .. pos[p + 1], a power of two or nothing
//! crd            7 . 2 5         . 3          . is free: the level's size stands there
//! values         x . x x         . x
//! ```
//! A coordinate is in its home slot or, if that is taken, in the next free slot, wrapping around at the end ("linear
//! probing", Knuth, The Art of Computer Programming, section 6.4). So a coordinate is found in constant time on
//! average, as the hash tables of Chou 2018, section 3, allow.

use std::ops::Range;

use super::{Builder, Children, Code, LevelShape, Positions, RawLevel, check_range, compressed, segments};
use crate::{StorageError, bounds};
use nnz_base::{arrays::IndexArray, ids::Lvl, memory};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |arrays, _, place| check(arrays.positions, arrays.coordinates, place),
    expand: |arrays, place, parents| expand(arrays.positions, arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    let segments = builder.split(lvl);
    let coordinates = builder.coordinates(lvl);
    let starts = segments.windows(2).map(|pair| table_size(pair[1] - pair[0]));
    let mut positions = vec![0];
    positions.extend(starts.scan(0, |end: &mut u64, slots| {
        *end += slots;
        Some(*end)
    }));
    let count = bounds::positions(lvl, positions.last().copied().unwrap_or(0), 1)?;
    // Beside the table, the entries are put in its order.
    memory::room_for(u128::from(count) + 4 * coordinates.len() as u128, 8)?;
    let free = builder.size(lvl);
    let mut crd = vec![free; count as usize];
    let mut places = vec![0; coordinates.len()];
    for (pair, start) in segments.windows(2).zip(&positions) {
        let table = *start as usize..(*start + table_size(pair[1] - pair[0])) as usize;
        for at in pair[0] as usize..pair[1] as usize {
            let slot = insert(&mut crd[table.clone()], coordinates[at], free);
            places[at] = start + slot as u64;
        }
    }
    builder.scatter(&places, count);
    Ok(RawLevel { positions: Some(positions), coordinates: Some(crd) })
}

/// Slots for `entries`: a third of them free at least, so that searches are short and end.
fn table_size(entries: u64) -> u64 {
    match entries {
        0 => 0,
        _ => (entries + entries / 2 + 1).next_power_of_two(),
    }
}

/// The home slot of a coordinate: the leading bits of its product with 2^32 over the golden ratio, modulo
/// 2^32, which scatters coordinates that come in any stride (Knuth, section 6.4).
fn home(coordinate: u64, slots: u64) -> u64 {
    let product = (coordinate & 0xFFFF_FFFF).wrapping_mul(HASH_FACTOR as u64) & 0xFFFF_FFFF;
    product.wrapping_mul(slots) >> 32
}

/// 2^32 over the golden ratio.
pub const HASH_FACTOR: i64 = 0x9E37_79B9;

/// Puts a coordinate in its table, and says where.
fn insert(table: &mut [u64], coordinate: u64, free: u64) -> usize {
    let slots = table.len();
    let first = home(coordinate, slots as u64) as usize;
    let slot = (0..slots).map(|step| (first + step) % slots).find(|slot| table[*slot] == free);
    let slot = slot.unwrap_or(first);
    table[slot] = coordinate;
    slot
}

pub(super) fn check(positions: &IndexArray, coordinates: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let count = segments::count(coordinates, place)?;
    let mut tables = compressed::check_segments(positions, count, place)?;
    check_range(coordinates, place)?;
    let coordinates = coordinates.widened();
    tables.try_for_each(|table| check_table(&coordinates, table, place))?;
    Ok(count)
}

/// Checks that every coordinate of a table is found where a search looks for it, once, and that a search for
/// any other one ends.
fn check_table(coordinates: &[u64], range: Range<u64>, place: &LevelShape) -> Result<(), StorageError> {
    let (lvl, first) = (place.lvl, range.start as usize);
    let table = &coordinates[first..range.end as usize];
    let slots = table.len();
    if slots > 0 && !(slots.is_power_of_two() && table.contains(&place.size)) {
        return Err(StorageError::HashTable { lvl, at: first, slots: slots as u64 });
    }
    for (slot, &coordinate) in table.iter().enumerate().filter(|(_, coordinate)| **coordinate < place.size) {
        let start = home(coordinate, slots as u64) as usize;
        let mut probes = (0..slots).map(|step| (start + step) % slots);
        let found = probes.find(|probe| table[*probe] == coordinate || table[*probe] == place.size);
        match found {
            Some(found) if found == slot => {}
            Some(found) if table[found] == coordinate => {
                return Err(StorageError::Repeated { lvl, at: first + slot, coordinate });
            }
            _ => return Err(StorageError::HashSlot { lvl, at: first + slot, coordinate }),
        }
    }
    Ok(())
}

pub(super) fn expand(
    positions: &IndexArray,
    coordinates: &IndexArray,
    place: &LevelShape,
    parents: &Positions,
) -> Children {
    let tables = segments::of_parents(positions, coordinates, place, parents);
    let coordinate = |position: u64| coordinates.at(position as usize);
    Children::present(tables, |position| Some(coordinate(position)).filter(|coordinate| *coordinate < place.size))
}

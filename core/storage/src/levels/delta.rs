//! `delta[b]`: a segment below every position, in which each entry says how many coordinates are skipped
//! since the one before, in b bits.
//!
//! ```text
//! parent              0           1
//! pos                 0     3     5         segment of p: pos[p] .. pos[p + 1]
//! coordinates       0 1 6       2 3
//! crd with b = 2    0 0 3 0     2 0         of the gap of 4 before 6, a filler takes 3 and stands at 5
//! values            x x 0 x     x x
//! ```
//! A gap of more than m = 2^b - 1 takes fillers: entries with the delta m and the value zero, each at a coordinate of
//! its own (DELTA, NVIDIA's Universal Sparse Tensor).

use super::{Builder, Children, Code, Counts, LevelShape, Positions, RawLevel, compressed, segments, wrong_format};
use crate::{StorageError, bounds};
use nnz_base::{arrays::IndexArray, ids::Lvl, memory};
use nnz_encoding::LevelFormat;

pub(super) const CODE: Code = Code {
    build,
    check: |arrays, _, place| check(arrays.positions, arrays.coordinates, place),
    expand: |arrays, place, parents| expand(arrays.positions, arrays.coordinates, place, parents),
};

/// # Errors
/// Gaps so wide, for so few bits, that their fillers do not fit in memory.
pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl, format: LevelFormat) -> Result<RawLevel, StorageError> {
    let LevelFormat::Delta(bits) = format else { return Err(wrong_format(lvl, format)) };
    let segments = builder.split(lvl);
    let gaps = gaps(&segments, builder.coordinates(lvl));
    let fillers = gaps.iter().fold(0, |sum: u64, gap| sum.saturating_add(gap >> bits.bits()));
    let count = bounds::positions(lvl, fillers.saturating_add(gaps.len() as u64), 1)?;
    memory::room_for(u128::from(count) + 2 * gaps.len() as u128, 8)?;
    let deltas = Deltas::of(&segments, &gaps, bits.most(), count);
    if fillers > 0 {
        builder.spread(&deltas.places, count);
    }
    Ok(RawLevel { positions: Some(deltas.pos), coordinates: Some(deltas.crd) })
}

/// How many coordinates are skipped before each one of its segment.
fn gaps(segments: &[u64], mut coordinates: Vec<u64>) -> Vec<u64> {
    for pair in segments.windows(2) {
        let mut next = 0;
        for coordinate in &mut coordinates[pair[0] as usize..pair[1] as usize] {
            let gap = *coordinate - next;
            next = *coordinate + 1;
            *coordinate = gap;
        }
    }
    coordinates
}

/// Segments of deltas, fillers among them, and where the coordinates went.
struct Deltas {
    pos: Vec<u64>,
    crd: Vec<u64>,
    places: Vec<u64>,
}

impl Deltas {
    fn of(segments: &[u64], gaps: &[u64], most: u64, count: u64) -> Deltas {
        let mut deltas = Deltas { pos: vec![0], crd: Vec::with_capacity(count as usize), places: Vec::new() };
        for pair in segments.windows(2) {
            gaps[pair[0] as usize..pair[1] as usize].iter().for_each(|&gap| deltas.push(gap, most));
            deltas.pos.push(deltas.crd.len() as u64);
        }
        deltas
    }

    fn push(&mut self, mut gap: u64, most: u64) {
        while gap > most {
            self.crd.push(most);
            gap -= most + 1;
        }
        self.places.push(self.crd.len() as u64);
        self.crd.push(gap);
    }
}

pub(super) fn check(positions: &IndexArray, coordinates: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let count = segments::count(coordinates, place)?;
    let ranges = compressed::check_segments(positions, count, place)?;
    let LevelFormat::Delta(bits) = place.format else { return Err(wrong_format(place.lvl, place.format)) };
    for range in ranges {
        check_deltas(coordinates, range, bits.most(), place)?;
    }
    Ok(count)
}

/// Checks that no delta of a segment is larger than its bits, and that the last coordinate lies within.
fn check_deltas(
    coordinates: &IndexArray,
    segment: std::ops::Range<u64>,
    most: u64,
    place: &LevelShape,
) -> Result<(), StorageError> {
    let mut next = 0u64;
    for at in segment {
        let at = at as usize;
        let delta = coordinates.at(at);
        if delta > most {
            return Err(StorageError::Delta { lvl: place.lvl, at, delta, most });
        }
        let coordinate = next.saturating_add(delta);
        if coordinate >= place.size {
            return Err(StorageError::OutOfRange { lvl: place.lvl, at, coordinate, size: place.size });
        }
        next = coordinate + 1;
    }
    Ok(())
}

pub(super) fn expand(
    positions: &IndexArray,
    coordinates: &IndexArray,
    place: &LevelShape,
    parents: &Positions,
) -> Children {
    let mut children = compressed::expand(positions, coordinates, place, parents);
    if let Counts::Each(counts) = &children.counts {
        let mut rest = children.coordinates.as_mut_slice();
        for &count in counts {
            let (segment, after) = std::mem::take(&mut rest).split_at_mut(count as usize);
            accumulate(segment);
            rest = after;
        }
    }
    children
}

/// Turns the deltas of a segment into coordinates.
fn accumulate(segment: &mut [u64]) {
    let mut next = 0;
    for delta in segment {
        *delta += next;
        next = *delta + 1;
    }
}

/// The coordinate at `position` of a segment that starts at `start`: a sum over what lies between.
pub(crate) fn coordinate(deltas: &IndexArray, start: u64, position: u64) -> u64 {
    (start..=position).map(|at| deltas.at(at as usize)).sum::<u64>() + position.saturating_sub(start)
}

//! `run_length`: every coordinate below every position, in runs of equal values; the ends of the runs are stored. Only
//! the innermost level can be `run_length`.
//!
//! ```text
//! parent             0               1         size 6
//! coordinates    0 1 2 3 4 5     0 1 2 3 4 5
//! value          7 7 7 . . 2     . . . . . .
//! pos            0         3     3         4   runs of p: pos[p] .. pos[p + 1]
//! ends           3 5 6           6             run r covers the coordinates up to ends[r]
//! values         7 . 2           .             one per run, zeros too
//! ```
//! (Run-length encoding: Donenfeld, Chou, Amarasinghe 2022; RunList in Finch, Ahrens 2023.)

use super::{Builder, Children, Code, Counts, LevelShape, Positions, RawLevel, compressed, segments};
use crate::{ArrayKind, StorageError, bounds};
use nnz_base::{arrays::IndexArray, ids::Lvl, memory};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |arrays, _, place| check(arrays.positions, arrays.coordinates, place),
    expand: |arrays, place, parents| expand(arrays.positions, arrays.coordinates, place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    let (size, parents) = (builder.size(lvl), builder.count());
    bounds::positions(lvl, parents, size)?;
    // A run before each entry, for it and behind the last, in arrays that grow.
    memory::room_for(4 * (u128::from(parents) + 2 * builder.len() as u128), 8)?;
    let entries: Vec<(u64, u64)> = builder.owners().zip(builder.column(lvl).iter().copied()).collect();
    let mut runs = Runs { positions: vec![0], ..Runs::default() };
    let mut rest = 0..entries.len();
    for parent in 0..parents {
        runs.open = None;
        while let Some(entry) = rest.clone().next().filter(|entry| entries[*entry].0 == parent) {
            rest.start += 1;
            runs.entry(builder, entry, entries[entry].1);
        }
        runs.close(size);
    }
    let (positions, ends) = (runs.positions, runs.ends);
    builder.set_places(runs.owners, ends.len() as u64);
    Ok(RawLevel { positions: Some(positions), coordinates: Some(ends) })
}

/// Runs as far as they are known.
#[derive(Default)]
struct Runs {
    positions: Vec<u64>,
    ends: Vec<u64>,
    /// The run of each entry.
    owners: Vec<u64>,
    /// What the last run of the segment holds; `None` before the first.
    open: Option<Run>,
}

/// What a run holds.
#[derive(Clone, Copy)]
enum Run {
    Zero,
    /// The value of an entry.
    Of(usize),
}

impl Runs {
    fn end(&self) -> u64 {
        self.open.and_then(|_| self.ends.last().copied()).unwrap_or(0)
    }

    /// The next coordinates up to `end` hold `run`, which continues the last one if that `is_same`.
    fn push(&mut self, run: Run, is_same: bool, end: u64) {
        match self.ends.last_mut().filter(|_| is_same) {
            Some(last) => *last = end,
            None => self.ends.push(end),
        }
        self.open = Some(if is_same { self.open.unwrap_or(run) } else { run });
    }

    fn zeros(&mut self, end: u64) {
        let is_same = matches!(self.open, Some(Run::Zero));
        self.push(Run::Zero, is_same, end);
    }

    fn entry(&mut self, builder: &Builder<'_>, entry: usize, coordinate: u64) {
        if coordinate > self.end() {
            self.zeros(coordinate);
        }
        if builder.is_zero(entry) {
            self.zeros(coordinate + 1);
        } else {
            let is_same = matches!(self.open, Some(Run::Of(other)) if builder.is_same(other, entry));
            self.push(Run::Of(entry), is_same, coordinate + 1);
        }
        self.owners.push(self.ends.len() as u64 - 1);
    }

    /// Zeros up to the level's size end the segment.
    fn close(&mut self, size: u64) {
        if self.end() < size {
            self.zeros(size);
        }
        self.positions.push(self.ends.len() as u64);
    }
}

pub(super) fn check(positions: &IndexArray, ends: &IndexArray, place: &LevelShape) -> Result<u64, StorageError> {
    let lvl = place.lvl;
    bounds::positions(lvl, place.parents * place.batches, place.size)?;
    let count = segments::count(ends, place)?;
    for segment in compressed::check_segments(positions, count, place)? {
        let mut before = 0;
        for at in segment.clone() {
            let (at, end) = (at as usize, ends.at(at as usize));
            if end <= before {
                return Err(StorageError::Order { lvl, at, before, got: end });
            }
            before = end;
        }
        // A parent that its batch does not use has no runs.
        let is_unused = segment.is_empty() && place.batches > 1;
        if before != place.size && !is_unused {
            let at = segment.end.saturating_sub(1) as usize;
            return Err(StorageError::RunEnd { lvl, at, got: before, size: place.size });
        }
    }
    if count > place.parents * place.size {
        return Err(StorageError::length(lvl, ArrayKind::Coordinates, place.parents * place.size, ends.len()));
    }
    Ok(count)
}

/// A run is the position of each of its coordinates.
pub(super) fn expand(positions: &IndexArray, ends: &IndexArray, place: &LevelShape, parents: &Positions) -> Children {
    let mut runs = Vec::new();
    for segment in segments::of_parents(positions, ends, place, parents) {
        let mut start = 0;
        for run in segment {
            let end = ends.at(run as usize);
            runs.extend(std::iter::repeat_n(run, (end - start) as usize));
            start = end;
        }
    }
    let coordinates = parents.iter().flat_map(|_| 0..place.size).collect();
    Children { positions: Positions::List(runs), coordinates, counts: Counts::Times(place.size) }
}

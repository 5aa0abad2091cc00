//! Walks the coordinate tree of a storage from any position without unpacking the rest: what is below a position, what
//! is above it, and which entry of the tensor a leaf is.

use std::ops::Range;

use super::{
    Storage, StorageError,
    levels::{self, LevelShape, Positions},
    unpack,
};
use nnz_base::{
    arrays::IndexArray,
    ids::{Dim, Lvl, Sym},
};
use nnz_encoding::{
    Affine, Level,
    format::{Below, Stores},
};

/// A storage, prepared for walking.
pub struct Fibers<'a> {
    storage: &'a Storage,
    places: Vec<LevelShape>,
    inverse: Vec<Affine<Lvl>>,
    /// Levels whose coordinate follows from the dimensions, which distinguishes padding from entries.
    determined: Vec<Lvl>,
}

/// The children of one position: their positions and their coordinates.
pub struct Fiber<'a> {
    positions: Positions,
    /// The first position, whether or not it has a coordinate.
    start: u64,
    coordinates: Stored<'a>,
    origin: i64,
}

/// How the coordinates of a fiber are stored.
#[derive(Clone, Copy, Debug)]
enum Stored<'a> {
    /// Every coordinate, in order.
    All,
    Each(&'a IndexArray),
    Deltas(&'a IndexArray),
    /// Every coordinate, several of which may share a position.
    Runs,
}

impl Fiber<'_> {
    /// The position and the coordinate, as the level's expression gives it, of each child in
    /// `range`, which counts from the first child.
    pub fn children(&self, range: Range<u64>) -> impl Iterator<Item = (u64, i64)> + '_ {
        let mut before = None;
        (range.start..range.end.min(self.len())).map(move |at| {
            let position = self.positions.get(at as usize);
            let coordinate = match self.coordinates {
                Stored::Runs => (at as i64).wrapping_add(self.origin),
                Stored::All | Stored::Each(_) | Stored::Deltas(_) => self.coordinate_after(before, position),
            };
            before = Some(coordinate);
            (position, coordinate)
        })
    }
    pub fn len(&self) -> u64 {
        self.positions.len() as u64
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The coordinate at `position`, where that of the position before it may be known.
    fn coordinate_after(&self, before: Option<i64>, position: u64) -> i64 {
        match (self.coordinates, before) {
            (Stored::Deltas(deltas), Some(before)) => before + 1 + deltas.at(position as usize) as i64,
            (Stored::Deltas(_) | Stored::All | Stored::Runs | Stored::Each(_), _) => self.coordinate(position),
        }
    }
    fn coordinate(&self, position: u64) -> i64 {
        let stored = match self.coordinates {
            Stored::All | Stored::Runs => position - self.start,
            Stored::Each(coordinates) => coordinates.at(position as usize),
            Stored::Deltas(deltas) => levels::delta_coordinate(deltas, self.start, position),
        };
        (stored as i64).wrapping_add(self.origin)
    }
}

impl<'a> Fibers<'a> {
    /// # Errors
    /// Levels that do not determine the dimensions.
    pub fn new(storage: &'a Storage) -> Result<Fibers<'a>, StorageError> {
        let inverse = unpack::inverse(&storage.encoding)?;
        let levels = storage.encoding.levels().iter().enumerate();
        let determined = levels.filter(|(_, level)| !has_symbol(&level.expr)).map(|(at, _)| Lvl::new(at)).collect();
        Ok(Fibers { storage, places: levels::places(storage)?, inverse, determined })
    }

    /// The positions of `lvl` below position `parent` of the level above; the outermost level is below
    /// position 0. The position must exist.
    pub fn below(&self, lvl: Lvl, parent: u64) -> Fiber<'a> {
        let (place, level) = (&self.places[lvl.index()], &self.storage.levels[lvl.index()]);
        let mut fiber = self.range_below(lvl, parent);
        if let (Stores::Ends, Some(ends)) = (place.format.row().stores, level.coordinates()) {
            fiber.positions = Positions::List(runs(ends, fiber.positions.iter()));
        }
        if place.holes {
            let present = fiber.positions.iter().filter(|position| level.has(place, *position)).collect();
            fiber.positions = Positions::List(present);
        }
        fiber
    }

    /// The same with the positions that have no coordinate.
    fn range_below(&self, lvl: Lvl, parent: u64) -> Fiber<'a> {
        let (place, level) = (&self.places[lvl.index()], &self.storage.levels[lvl.index()]);
        let positions = level.below(place, parent);
        Fiber {
            start: positions.start,
            positions: Positions::All(positions),
            coordinates: match (place.format.row().stores, level.coordinates()) {
                (Stores::Deltas, Some(deltas)) => Stored::Deltas(deltas),
                (Stores::Ends, Some(_)) => Stored::Runs,
                (Stores::Coordinates, Some(coordinates)) => Stored::Each(coordinates),
                (Stores::Mask | Stores::Nothing, _) | (_, None) => Stored::All,
            },
            origin: self.storage.bounds[lvl.index()].origin,
        }
    }

    /// Whether [`Self::path`] can go up from the leaves. It cannot from loose segments, which may be in any
    /// order, nor from runs, which stand for many coordinates, nor if a batch leaves a part of its arrays
    /// unused.
    pub fn has_paths(&self) -> bool {
        let goes_up = |level: &Level| match level.format.below() {
            Below::Pair | Below::Batch => false,
            Below::Size | Below::One | Below::Exactly(_) | Below::Segment => !level.format.shares_positions(),
        };
        self.storage.encoding.levels().iter().all(goes_up)
    }

    /// The coordinates of every level above and at leaf `position`, which must exist, in logarithmic time;
    /// valid only if [`Self::has_paths`].
    pub fn path(&self, position: u64) -> Vec<i64> {
        let mut path = vec![0; self.places.len()];
        let mut position = position;
        for (at, (level, place)) in self.storage.levels.iter().zip(&self.places).enumerate().rev() {
            let parent = level.above(place, position);
            path[at] = self.range_below(Lvl::new(at), parent).coordinate(position);
            position = parent;
        }
        path
    }

    /// The coordinates of the dimensions of a leaf with these coordinates of the levels; `None` for
    /// padding.
    pub fn dims(&self, path: &[i64]) -> Option<Vec<u64>> {
        let level = |lvl: Lvl| path[lvl.index()];
        let dims: Option<Vec<u64>> =
            self.inverse.iter().map(|expr| u64::try_from(expr.eval(&level, &|_: Sym| 0)?).ok()).collect();
        let dims = dims.filter(|dims| dims.iter().zip(&self.storage.dim_sizes).all(|(at, size)| at < size))?;
        let dim = |dim: Dim| dims[dim.index()] as i64;
        let agrees = |lvl: &Lvl| {
            let expr = &self.storage.encoding.levels()[lvl.index()].expr;
            expr.eval(&dim, &|_: Sym| 0) == Some(level(*lvl))
        };
        self.determined.iter().all(agrees).then_some(dims)
    }
}

/// The run of each coordinate.
fn runs(ends: &IndexArray, runs: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut start = 0;
    let repeated = runs.flat_map(|run| {
        let end = ends.at(run as usize);
        std::iter::repeat_n(run, (end - std::mem::replace(&mut start, end)) as usize)
    });
    repeated.collect()
}

fn has_symbol(expr: &Affine<Dim>) -> bool {
    match expr {
        Affine::Sym(_) => true,
        Affine::Var(_) | Affine::Const(_) => false,
        Affine::Add(a, b) | Affine::Mul(a, b) | Affine::FloorDiv(a, b) | Affine::CeilDiv(a, b) | Affine::Mod(a, b) => {
            has_symbol(a) || has_symbol(b)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Triplets, pack};
    use nnz_base::{arrays::Values, element::Element};
    use nnz_encoding::{Encoding, named};

    /// Every leaf by walking down, as dimensions' coordinates and value; checks walking up on the way.
    fn leaves(storage: &Storage) -> Vec<(Vec<u64>, f64)> {
        let fibers = Fibers::new(storage).unwrap();
        let mut found = Vec::new();
        let mut stack = vec![(0, Vec::new())];
        while let Some((position, path)) = stack.pop() {
            if path.len() < storage.levels().len() {
                let fiber = fibers.below(Lvl::new(path.len()), position);
                for (child, coordinate) in fiber.children(0..fiber.len()) {
                    stack.push((child, [path.clone(), vec![coordinate]].concat()));
                }
                continue;
            }
            if fibers.has_paths() {
                assert_eq!(fibers.path(position), path);
            }
            let value = storage.values().get(position as usize).unwrap().as_f64();
            found.extend(fibers.dims(&path).filter(|_| value != 0.0).map(|dims| (dims, value)));
        }
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        found
    }

    #[test]
    fn walking_finds_the_entries_of_every_format() {
        let coords = vec![vec![0, 0, 2, 4], vec![1, 3, 0, 3]];
        let entries = Triplets::new(vec![5, 4], Element::F64, coords, Values::F64(vec![1.0, 2.0, 3.0, 4.0])).unwrap();
        let expected = [(vec![0, 1], 1.0), (vec![0, 3], 2.0), (vec![2, 0], 3.0), (vec![4, 3], 4.0)];
        let formats: [Option<Encoding>; 6] =
            [named::csr(), named::csc(), named::dcsr(), named::dcsc(), named::coo(2), named::dense(2)];
        for encoding in formats {
            let storage = pack(&entries, &Arc::new(encoding.unwrap())).unwrap();
            assert_eq!(leaves(&storage), expected, "{:?}", storage.encoding());
        }
    }
}

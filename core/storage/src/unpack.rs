//! From storage to coordinates and values.
//!
//! Levels are expanded one after another, each by its format (`levels/*.rs`): from the positions of a
//! level and their coordinates to those of the next. The dimensions follow by the inverse map.

use super::{
    LevelStorage, Storage, StorageError, Triplets,
    bounds::{self, Interval},
    columns::{self, Column},
    levels::{self, Counts, LevelShape, Positions},
};
use nnz_base::{
    arrays::Values,
    ids::{Dim, Lvl},
    memory::{self, NoRoom},
};
use nnz_encoding::{Affine, Encoding};

/// The entries of `storage`, in the order of its levels.
///
/// A stored zero is an entry, those of blocks too, as in MLIR's conversions. Zeros of padding, which cannot be
/// distinguished from entries (structured, range, delta, run_length), and those of all-dense tensors are left out, -0.0
/// included.
///
/// # Errors
/// Levels that do not determine the dimensions.
pub fn unpack(storage: &Storage) -> Result<Triplets, StorageError> {
    entries(storage, Fill::LeftOut)
}

/// As [`unpack()`], with all zeros: everything that loops over the levels visit.
///
/// # Errors
/// As [`unpack()`].
pub fn visited(storage: &Storage) -> Result<Triplets, StorageError> {
    entries(storage, Fill::Kept)
}

/// What becomes of zeros at positions that no entry asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fill {
    Kept,
    LeftOut,
}

fn entries(storage: &Storage, fill: Fill) -> Result<Triplets, StorageError> {
    let inverse = inverse(&storage.encoding)?;
    check_inverse(storage, &inverse)?;
    let expansion = Expansion { storage, places: levels::places(storage)?, inverse: &inverse, fill };
    match expansion.is_in_parts() {
        true => expansion.in_parts(),
        false => expansion.at_once(),
    }
}

/// # Errors
/// There is no room for the coordinates and the value of every position.
fn check_room(storage: &Storage) -> Result<(), StorageError> {
    let places = storage.values.len() as u128;
    let numbers = 1 + storage.levels.len().max(storage.dim_sizes.len()) as u128;
    let values = storage.values.bytes().checked_div(storage.values.len()).unwrap_or(0) as u128;
    Ok(memory::room_for(places * (8 * numbers + values), 1)?)
}

/// The expansion of all levels.
struct Expansion<'a> {
    storage: &'a Storage,
    places: Vec<LevelShape>,
    inverse: &'a [Affine<Lvl>],
    fill: Fill,
}

/// Entries gathered part by part: coordinates by dimension, and the positions of the values.
struct Gathered {
    coords: Vec<Vec<u64>>,
    positions: Vec<u64>,
}

/// So many positions are expanded at a time where most of them may be padding.
/// Tests cut small tensors, too.
const PART: u64 = if cfg!(test) { 3 } else { 1 << 20 };

impl Expansion<'_> {
    /// Whether too many positions would be made only to be left out.
    fn is_in_parts(&self) -> bool {
        let encoding = &self.storage.encoding;
        let leaves_out = encoding.permutation().is_none() || self.fill == Fill::LeftOut && encoding.has_fill();
        leaves_out && self.storage.values.len() as u64 > 4 * PART
    }

    fn at_once(&self) -> Result<Triplets, StorageError> {
        check_room(self.storage)?;
        let mut walk = Walk::root();
        self.places.iter().zip(&self.storage.levels).for_each(|(place, level)| walk.descend(level, place));
        let (coords, kept) = self.entries_of(&mut walk);
        let values = take_values(&self.storage.values, &walk.positions, kept.as_deref());
        let coords = coords.into_iter().map(|column| take(column, kept.as_deref())).collect();
        Ok(Triplets::within(self.storage.dim_sizes.clone(), self.storage.element, coords, values))
    }

    fn in_parts(&self) -> Result<Triplets, StorageError> {
        let mut gathered = Gathered { coords: vec![Vec::new(); self.storage.dim_sizes.len()], positions: Vec::new() };
        self.below(Walk::root(), 0, &mut gathered)?;
        let values = take_values(&self.storage.values, &Positions::List(gathered.positions), None);
        Ok(Triplets::within(self.storage.dim_sizes.clone(), self.storage.element, gathered.coords, values))
    }

    /// Gathers the entries below `walk`, from level `at` on, divided where a level multiplies positions.
    fn below(&self, mut walk: Walk, at: usize, gathered: &mut Gathered) -> Result<(), NoRoom> {
        let (Some(place), Some(level)) = (self.places.get(at), self.storage.levels.get(at)) else {
            return self.gather(walk, gathered);
        };
        let most = (PART / place.size.max(1)).max(1) as usize;
        if place.format.is_full() && place.format.multiplies() && walk.positions.len() > most {
            let len = walk.positions.len();
            return (0..len)
                .step_by(most)
                .try_for_each(|start| self.below(walk.part(start..(start + most).min(len)), at, gathered));
        }
        walk.descend(level, place);
        self.below(walk, at + 1, gathered)
    }

    fn gather(&self, mut walk: Walk, gathered: &mut Gathered) -> Result<(), NoRoom> {
        let (coords, kept) = self.entries_of(&mut walk);
        for (all, column) in gathered.coords.iter_mut().zip(coords) {
            let mut part = take(column, kept.as_deref());
            memory::reserve(all, part.len())?;
            all.append(&mut part);
        }
        memory::reserve(&mut gathered.positions, kept.as_ref().map_or(walk.positions.len(), Vec::len))?;
        match kept {
            Some(kept) => gathered.positions.extend(kept.iter().map(|&at| walk.positions.get(at))),
            None => gathered.positions.extend(walk.positions.iter()),
        }
        Ok(())
    }

    /// The coordinates of the dimensions at all positions, and which of these are entries, if not all.
    fn entries_of(&self, walk: &mut Walk) -> (Vec<Vec<u64>>, Option<Vec<usize>>) {
        let (storage, inverse) = (self.storage, self.inverse);
        let (coords, kept) = match storage.encoding.permutation() {
            Some(dims) => (walk.take_dims(&dims), None),
            None => {
                let coords = dim_columns(storage, inverse, walk);
                let kept = Padding::new(storage, inverse, walk, &coords).entries(walk.positions.len());
                (coords.into_iter().map(Column::into_owned).collect(), Some(kept))
            }
        };
        let kept = if self.fill == Fill::Kept { kept } else { without_fill(storage, &walk.positions, kept) };
        (coords, kept)
    }
}

/// How each dimension follows from the levels: the encoding's inverse, or, if a symbol keeps that open, the
/// level that is the dimension itself.
pub(super) fn inverse(encoding: &Encoding) -> Result<Vec<Affine<Lvl>>, StorageError> {
    if let Some(inverse) = encoding.inverse() {
        return Ok(inverse.to_vec());
    }
    let plain = |dim: Dim| {
        let level = encoding.levels().iter().position(|level| level.expr.as_var() == Some(dim));
        level.map(|at| Affine::Var(Lvl::new(at))).ok_or(StorageError::NotInvertible { dim })
    };
    (0..encoding.dim_rank()).map(|at| plain(Dim::new(at))).collect()
}

/// Checks that evaluating the inverse cannot overflow.
fn check_inverse(storage: &Storage, inverse: &[Affine<Lvl>]) -> Result<(), StorageError> {
    let of_level = |lvl: Lvl| -> Interval { storage.bounds.get(lvl.index()).and_then(|bounds| bounds.interval()) };
    let fits = |(at, expr): (usize, &Affine<Lvl>)| match bounds::interval(expr, &of_level) {
        Ok(_) => Ok(()),
        Err(_) => Err(StorageError::NotInvertible { dim: Dim::new(at) }),
    };
    inverse.iter().enumerate().try_for_each(fits)
}

/// Positions of the level reached, with the coordinates of it and of every level above.
struct Walk {
    positions: Positions,
    columns: Vec<Vec<u64>>,
}

impl Walk {
    fn root() -> Walk {
        Walk { positions: Positions::All(0..1), columns: Vec::new() }
    }

    /// To the next level.
    fn descend(&mut self, level: &LevelStorage, place: &LevelShape) {
        let children = level.expand(place, &self.positions);
        self.columns.iter_mut().for_each(|column| repeat(column, &children.counts, children.positions.len()));
        self.columns.push(children.coordinates);
        self.positions = children.positions;
    }

    /// Some of the positions.
    fn part(&self, range: std::ops::Range<usize>) -> Walk {
        let positions = match &self.positions {
            Positions::All(all) => Positions::All(all.start + range.start as u64..all.start + range.end as u64),
            Positions::List(list) => Positions::List(list[range.clone()].to_vec()),
        };
        Walk { positions, columns: self.columns.iter().map(|column| column[range.clone()].to_vec()).collect() }
    }

    /// The columns of the dimensions that the levels are.
    fn take_dims(&mut self, dims: &[Dim]) -> Vec<Vec<u64>> {
        let mut coords = vec![Vec::new(); dims.len()];
        for (dim, column) in dims.iter().zip(&mut self.columns) {
            coords[dim.index()] = std::mem::take(column);
        }
        coords
    }
}

/// Repeats each coordinate once per child; `total` children in all.
fn repeat(column: &mut Vec<u64>, counts: &Counts, total: usize) {
    let mut repeated = match counts {
        Counts::One | Counts::Times(1) => return,
        Counts::Times(_) | Counts::Each(_) => Vec::with_capacity(total),
    };
    match counts {
        Counts::One => {}
        Counts::Times(n) => column.iter().for_each(|&c| repeated.extend(std::iter::repeat_n(c, *n as usize))),
        Counts::Each(counts) => {
            let each = column.iter().zip(counts);
            each.for_each(|(&c, &n)| repeated.extend(std::iter::repeat_n(c, n as usize)));
        }
    }
    *column = repeated;
}

/// The coordinates of the dimensions; outside their sizes for padding.
fn dim_columns<'a>(storage: &Storage, inverse: &[Affine<Lvl>], walk: &'a Walk) -> Vec<Column<'a>> {
    let true_columns: Vec<Column<'a>> =
        walk.columns.iter().zip(&storage.bounds).map(|(column, bounds)| shifted(column, bounds.origin)).collect();
    let len = walk.positions.len();
    let owned = |expr: &Affine<Lvl>| match expr.as_var().filter(|lvl| storage.bounds[lvl.index()].origin == 0) {
        Some(lvl) => Column::Borrowed(walk.columns[lvl.index()].as_slice()),
        None => columns::eval(expr, len, 0, &|lvl: Lvl| true_columns[lvl.index()].as_ref()).into_owned().into(),
    };
    inverse.iter().map(owned).collect()
}

/// The values of a level's expression; negative ones as two's complement, which evaluation wraps back.
fn shifted(column: &[u64], origin: i64) -> Column<'_> {
    match origin {
        0 => column.into(),
        _ => column.iter().map(|&c| c.wrapping_add(origin as u64)).collect(),
    }
}

/// Leaves the zeros of padding and of dense tensors out; `None`: all are kept.
fn without_fill(storage: &Storage, positions: &Positions, kept: Option<Vec<usize>>) -> Option<Vec<usize>> {
    if !storage.encoding.has_fill() {
        return kept;
    }
    let is_entry = |&at: &usize| storage.values.get(positions.get(at) as usize).is_some_and(|value| !value.is_zero());
    Some(match kept {
        Some(kept) => kept.into_iter().filter(is_entry).collect(),
        None => (0..positions.len()).filter(is_entry).collect(),
    })
}

/// Distinguishes entries from positions without coordinates in the tensor.
struct Padding<'a> {
    sizes: &'a [u64],
    coords: &'a [Column<'a>],
    /// Levels that the inverse does not read, as stored and as the map gives them.
    redundant: Vec<(&'a [u64], Column<'a>)>,
}

impl<'a> Padding<'a> {
    fn new(storage: &'a Storage, inverse: &[Affine<Lvl>], walk: &'a Walk, coords: &'a [Column<'a>]) -> Self {
        let encoding = &storage.encoding;
        let mut read = vec![false; encoding.lvl_rank()];
        inverse.iter().for_each(|expr| mark(expr, &mut read));
        let column = |dim: Dim| coords[dim.index()].as_ref();
        let redundant = (0..encoding.lvl_rank()).filter(|&at| !read[at]).filter_map(|at| {
            let expr = &encoding.levels()[at].expr;
            let counts = bounds::counter(expr).is_ok_and(|counter| counter.is_some());
            let origin = storage.bounds[at].origin;
            let given = || columns::eval(expr, walk.positions.len(), origin, &column);
            (!counts).then(|| (walk.columns[at].as_slice(), given()))
        });
        Padding { sizes: &storage.dim_sizes, coords, redundant: redundant.collect() }
    }

    /// Which of `len` positions are entries.
    fn entries(&self, len: usize) -> Vec<usize> {
        (0..len).filter(|&at| self.is_within(at)).collect()
    }

    fn is_within(&self, at: usize) -> bool {
        let inside = self.coords.iter().zip(self.sizes).all(|(column, &size)| column[at] < size);
        inside && self.redundant.iter().all(|(stored, given)| stored[at] == given[at])
    }
}

fn mark(expr: &Affine<Lvl>, read: &mut [bool]) {
    match expr {
        Affine::Var(lvl) => read[lvl.index()] = true,
        Affine::Sym(_) | Affine::Const(_) => {}
        Affine::Add(a, b) | Affine::Mul(a, b) | Affine::FloorDiv(a, b) | Affine::CeilDiv(a, b) | Affine::Mod(a, b) => {
            mark(a, read);
            mark(b, read);
        }
    }
}

fn take(column: Vec<u64>, kept: Option<&[usize]>) -> Vec<u64> {
    match kept {
        Some(kept) => kept.iter().map(|&at| column[at]).collect(),
        None => column,
    }
}

fn take_values(values: &Values, positions: &Positions, kept: Option<&[usize]>) -> Values {
    fn of<T: Copy>(values: &[T], positions: &Positions, kept: Option<&[usize]>) -> Vec<T> {
        match kept {
            Some(kept) => kept.iter().map(|&at| values[positions.get(at) as usize]).collect(),
            None => positions.of(values),
        }
    }
    nnz_base::with_values!(values, v => Values::from(of(v, positions, kept)))
}

//! The level formats, one file each: what a level stores, how it is built from sorted entries, which
//! positions lie below a position, and what makes its arrays valid.

mod batch;
mod bitmap;
mod build;
mod compressed;
mod delta;
mod dense;
mod hashed;
mod loose;
mod range;
mod run_length;
mod segments;
mod singleton;
mod structured;
mod walk;

pub(super) use batch::part as part_batches;
pub(super) use build::{Builder, RawLevel};
pub(super) use delta::coordinate as delta_coordinate;
pub use hashed::HASH_FACTOR;

use std::ops::Range;

use super::{ArrayKind, Bounds, Storage, StorageError, error::scalar_text, triplets};
use nnz_base::{
    arrays::{IndexArray, Width},
    element::{Scalar, Value},
    ids::Lvl,
};
use nnz_encoding::{Encoding, LevelFormat};

/// The arrays of one level. The levels of a COO segment have separate coordinates, even if the encoding
/// interleaves them: only dumps and `assemble` have tuples.
#[derive(Clone, Debug, PartialEq)]
pub enum LevelStorage {
    Dense,
    Batch,
    Compressed {
        positions: IndexArray,
        coordinates: IndexArray,
    },
    LooseCompressed {
        positions: IndexArray,
        coordinates: IndexArray,
    },
    Singleton {
        coordinates: IndexArray,
    },
    Structured {
        coordinates: IndexArray,
    },
    Range,
    /// As dense, for a level that counts: as many coordinates as the data need.
    Counted {
        slices: u64,
    },
    /// The coordinates skipped before each one.
    Delta {
        positions: IndexArray,
        coordinates: IndexArray,
    },
    /// A byte for every coordinate: 1 if there is an entry.
    Bitmap {
        mask: IndexArray,
    },
    Hashed {
        positions: IndexArray,
        coordinates: IndexArray,
    },
    /// The end of each run.
    RunLength {
        positions: IndexArray,
        ends: IndexArray,
    },
}

impl LevelStorage {
    /// The arrays of a level of `format`; `None` if it stores others than these.
    pub fn new(
        format: LevelFormat,
        positions: Option<IndexArray>,
        coordinates: Option<IndexArray>,
    ) -> Option<LevelStorage> {
        Some(match (format, positions, coordinates) {
            (LevelFormat::Dense, None, None) => LevelStorage::Dense,
            (LevelFormat::Batch, None, None) => LevelStorage::Batch,
            (LevelFormat::Compressed(_), Some(positions), Some(coordinates)) => {
                LevelStorage::Compressed { positions, coordinates }
            }
            (LevelFormat::LooseCompressed(_), Some(positions), Some(coordinates)) => {
                LevelStorage::LooseCompressed { positions, coordinates }
            }
            (LevelFormat::Singleton { .. }, None, Some(coordinates)) => LevelStorage::Singleton { coordinates },
            (LevelFormat::Structured(_), None, Some(coordinates)) => LevelStorage::Structured { coordinates },
            (LevelFormat::Range, None, None) => LevelStorage::Range,
            (LevelFormat::Delta(_), Some(positions), Some(coordinates)) => {
                LevelStorage::Delta { positions, coordinates }
            }
            (LevelFormat::Bitmap, None, Some(mask)) => LevelStorage::Bitmap { mask },
            (LevelFormat::Hashed, Some(positions), Some(coordinates)) => {
                LevelStorage::Hashed { positions, coordinates }
            }
            (LevelFormat::RunLength, Some(positions), Some(ends)) => LevelStorage::RunLength { positions, ends },
            _ => return None,
        })
    }

    pub fn positions(&self) -> Option<&IndexArray> {
        match self {
            LevelStorage::Compressed { positions, .. }
            | LevelStorage::LooseCompressed { positions, .. }
            | LevelStorage::Delta { positions, .. }
            | LevelStorage::Hashed { positions, .. }
            | LevelStorage::RunLength { positions, .. } => Some(positions),
            _ => None,
        }
    }
    /// The coordinates, or the array from which they follow: deltas, a mask, the ends of runs.
    pub fn coordinates(&self) -> Option<&IndexArray> {
        match self {
            LevelStorage::Compressed { coordinates, .. }
            | LevelStorage::LooseCompressed { coordinates, .. }
            | LevelStorage::Singleton { coordinates }
            | LevelStorage::Structured { coordinates }
            | LevelStorage::Delta { coordinates, .. }
            | LevelStorage::Bitmap { mask: coordinates }
            | LevelStorage::Hashed { coordinates, .. }
            | LevelStorage::RunLength { ends: coordinates, .. } => Some(coordinates),
            LevelStorage::Dense | LevelStorage::Batch | LevelStorage::Range | LevelStorage::Counted { .. } => None,
        }
    }

    fn is_of(&self, format: LevelFormat) -> bool {
        match format {
            LevelFormat::Dense => matches!(self, LevelStorage::Dense | LevelStorage::Counted { .. }),
            LevelFormat::Batch => matches!(self, LevelStorage::Batch),
            LevelFormat::Compressed(_) => matches!(self, LevelStorage::Compressed { .. }),
            LevelFormat::LooseCompressed(_) => matches!(self, LevelStorage::LooseCompressed { .. }),
            LevelFormat::Singleton { .. } => matches!(self, LevelStorage::Singleton { .. }),
            LevelFormat::Structured(_) => matches!(self, LevelStorage::Structured { .. }),
            LevelFormat::Range => matches!(self, LevelStorage::Range),
            LevelFormat::Delta(_) => matches!(self, LevelStorage::Delta { .. }),
            LevelFormat::Bitmap => matches!(self, LevelStorage::Bitmap { .. }),
            LevelFormat::Hashed => matches!(self, LevelStorage::Hashed { .. }),
            LevelFormat::RunLength => matches!(self, LevelStorage::RunLength { .. }),
        }
    }

    /// The positions below `parents`, in their order, with their coordinates.
    pub(super) fn expand(&self, place: &Place, parents: &Positions) -> Children {
        match self {
            LevelStorage::Dense | LevelStorage::Counted { .. } => dense::expand(place, parents),
            LevelStorage::Batch => batch::expand(place, parents),
            LevelStorage::Compressed { positions, coordinates } => {
                compressed::expand(positions, coordinates, place, parents)
            }
            LevelStorage::LooseCompressed { positions, coordinates } => {
                loose::expand(positions, coordinates, place, parents)
            }
            LevelStorage::Singleton { coordinates } => singleton::expand(coordinates, place, parents),
            LevelStorage::Structured { coordinates } => structured::expand(coordinates, place, parents),
            LevelStorage::Range => range::expand(place, parents),
            LevelStorage::Delta { positions, coordinates } => delta::expand(positions, coordinates, place, parents),
            LevelStorage::Bitmap { mask } => bitmap::expand(mask, place, parents),
            LevelStorage::Hashed { positions, coordinates } => hashed::expand(positions, coordinates, place, parents),
            LevelStorage::RunLength { positions, ends } => run_length::expand(positions, ends, place, parents),
        }
    }

    /// Checks the level's arrays and gives the number of its positions in each batch.
    fn check(&self, storage: &Storage, place: &Place) -> Result<u64, StorageError> {
        match self {
            LevelStorage::Dense | LevelStorage::Counted { .. } => dense::check(place),
            LevelStorage::Batch => batch::check(place),
            LevelStorage::Compressed { positions, coordinates } => {
                compressed::check(positions, coordinates, storage, place)
            }
            LevelStorage::LooseCompressed { positions, coordinates } => {
                loose::check(positions, coordinates, storage, place)
            }
            LevelStorage::Singleton { coordinates } => singleton::check(coordinates, place),
            LevelStorage::Structured { coordinates } => structured::check(coordinates, place),
            LevelStorage::Range => range::check(place),
            LevelStorage::Delta { positions, coordinates } => delta::check(positions, coordinates, place),
            LevelStorage::Bitmap { mask } => bitmap::check(mask, place),
            LevelStorage::Hashed { positions, coordinates } => hashed::check(positions, coordinates, place),
            LevelStorage::RunLength { positions, ends } => run_length::check(positions, ends, place),
        }
    }
}

/// Adds the arrays of level `lvl` to what is built so far.
pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl, format: LevelFormat) -> Result<RawLevel, StorageError> {
    builder.check_room()?;
    match format {
        LevelFormat::Dense => dense::build(builder, lvl),
        LevelFormat::Batch => batch::build(builder, lvl),
        LevelFormat::Compressed(_) => Ok(compressed::build(builder, lvl)),
        LevelFormat::LooseCompressed(_) => Ok(loose::build(builder, lvl)),
        LevelFormat::Singleton { .. } => singleton::build(builder, lvl),
        LevelFormat::Structured(block) => structured::build(builder, lvl, block),
        LevelFormat::Range => range::build(builder, lvl),
        LevelFormat::Delta(bits) => delta::build(builder, lvl, bits),
        LevelFormat::Bitmap => bitmap::build(builder, lvl),
        LevelFormat::Hashed => hashed::build(builder, lvl),
        LevelFormat::RunLength => run_length::build(builder, lvl),
    }
}

/// The place of a level in its storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) lvl: Lvl,
    pub(super) format: LevelFormat,
    pub(super) size: u64,
    pub(super) batches: u64,
    /// Positions of the level above, in each batch.
    pub(super) parents: u64,
    /// Positions may have no coordinate; they hold the level's size.
    pub(super) holes: bool,
}

impl Place {
    /// The batch that position `parent` of the level above belongs to.
    fn batch_of(&self, parent: u64) -> u64 {
        if self.batches == 1 { 0 } else { parent / self.parents.max(1) }
    }
    /// The part of one batch in an array of `len` entries.
    fn part(&self, len: usize) -> u64 {
        len as u64 / self.batches.max(1)
    }
}

/// Some positions of a level, in order: often all of them, which takes no list.
#[derive(Clone)]
pub(super) enum Positions {
    All(Range<u64>),
    List(Vec<u64>),
}

impl Positions {
    pub(super) fn len(&self) -> usize {
        match self {
            Positions::All(range) => (range.end - range.start) as usize,
            Positions::List(list) => list.len(),
        }
    }
    pub(super) fn get(&self, at: usize) -> u64 {
        match self {
            Positions::All(range) => range.start + at as u64,
            Positions::List(list) => list[at],
        }
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + Clone + '_ {
        (0..self.len()).map(|at| self.get(at))
    }
    /// The entries of `array` at these positions.
    pub(super) fn of<T: Copy>(&self, array: &[T]) -> Vec<T> {
        match self {
            Positions::All(range) => array[range.start as usize..range.end as usize].to_vec(),
            Positions::List(list) => list.iter().map(|&position| array[position as usize]).collect(),
        }
    }
    /// `n` positions for each: `p * n .. (p + 1) * n`.
    fn times(&self, n: u64) -> Positions {
        match self {
            Positions::All(range) => Positions::All(range.start * n..range.end * n),
            Positions::List(list) => Positions::List(list.iter().flat_map(|p| p * n..(p + 1) * n).collect()),
        }
    }
}

/// The positions below some positions of the level above.
pub(super) struct Children {
    pub(super) positions: Positions,
    pub(super) coordinates: Vec<u64>,
    pub(super) counts: Counts,
}

impl Children {
    /// Of the positions in each range, those with a coordinate.
    fn present(ranges: impl Iterator<Item = Range<u64>>, coordinate: impl Fn(u64) -> Option<u64>) -> Children {
        let (mut positions, mut coordinates, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for range in ranges {
            let before = positions.len();
            for (position, coordinate) in range.filter_map(|position| Some((position, coordinate(position)?))) {
                positions.push(position);
                coordinates.push(coordinate);
            }
            counts.push((positions.len() - before) as u64);
        }
        Children { positions: Positions::List(positions), coordinates, counts: Counts::Each(counts) }
    }
}

/// How many children each parent has.
pub(super) enum Counts {
    One,
    Times(u64),
    Each(Vec<u64>),
}

/// The place of every level, outermost first.
pub(super) fn places(storage: &Storage) -> Result<Vec<Place>, StorageError> {
    let mut parents = 1;
    let mut places = Vec::with_capacity(storage.levels.len());
    for (at, level) in storage.levels.iter().enumerate() {
        let place = place(storage, at, parents);
        parents = level.count(&place)?;
        places.push(place);
    }
    Ok(places)
}

fn place(storage: &Storage, at: usize, parents: u64) -> Place {
    let lvl = Lvl::new(at);
    Place {
        lvl,
        format: storage.encoding.format(lvl),
        size: storage.bounds[at].size,
        batches: storage.batches(),
        parents,
        holes: storage.encoding.has_holes(lvl),
    }
}

impl LevelStorage {
    /// The number of positions in each batch, by the lengths of the arrays alone.
    fn count(&self, place: &Place) -> Result<u64, StorageError> {
        match self {
            LevelStorage::Dense | LevelStorage::Counted { .. } => dense::check(place),
            LevelStorage::Batch => batch::check(place),
            LevelStorage::Range => range::check(place),
            LevelStorage::Compressed { coordinates, .. }
            | LevelStorage::LooseCompressed { coordinates, .. }
            | LevelStorage::Singleton { coordinates }
            | LevelStorage::Structured { coordinates }
            | LevelStorage::Delta { coordinates, .. }
            | LevelStorage::Bitmap { mask: coordinates }
            | LevelStorage::Hashed { coordinates, .. }
            | LevelStorage::RunLength { ends: coordinates, .. } => Ok(place.part(coordinates.len())),
        }
    }
}

/// Finds the sizes of the levels that count as far as the data need.
pub(super) fn count_slices(encoding: &Encoding, levels: &[LevelStorage], bounds: &mut [Bounds]) {
    for ((level, stored), bounds) in encoding.levels().iter().zip(levels).zip(bounds) {
        let past_last = |coordinates: &IndexArray| coordinates.iter().max().map_or(0, |most| most.saturating_add(1));
        match (level.counts(), stored) {
            (Some(_), LevelStorage::Counted { slices }) => bounds.size = *slices,
            (Some(_), stored) => bounds.size = stored.coordinates().map_or(0, past_last),
            (None, _) => {}
        }
    }
}

/// Checks every invariant of `storage`, outermost level first.
pub(super) fn check(storage: &Storage) -> Result<(), StorageError> {
    let encoding = &storage.encoding;
    if encoding.lvl_rank() != storage.levels.len() {
        return Err(StorageError::Levels { encoding: encoding.lvl_rank(), storage: storage.levels.len() });
    }
    let mut parents = 1;
    for (at, level) in storage.levels.iter().enumerate() {
        let place = place(storage, at, parents);
        let counts = place.format == LevelFormat::Dense && encoding.levels()[at].counts().is_some();
        if !level.is_of(place.format) || counts != matches!(level, LevelStorage::Counted { .. }) {
            return Err(StorageError::Format { lvl: place.lvl, format: place.format.to_string() });
        }
        check_widths(level, encoding, place.lvl)?;
        parents = level.check(storage, &place)?;
    }
    check_values(storage, (parents * storage.batches()) as usize)
}

fn check_widths(level: &LevelStorage, encoding: &Encoding, lvl: Lvl) -> Result<(), StorageError> {
    let check = |array: Option<&IndexArray>, width: Width, kind| match array {
        Some(array) if array.bits() != width.bits() => {
            Err(StorageError::StoredWidth { lvl, array: kind, bits: width.bits() })
        }
        _ => Ok(()),
    };
    check(level.positions(), encoding.pos_width(), ArrayKind::Positions)?;
    check(level.coordinates(), encoding.coordinates_width(lvl), ArrayKind::Coordinates)
}

/// Checks the number of values, their range, and the encoding's explicit and implicit value.
pub(super) fn check_values(storage: &Storage, expected: usize) -> Result<(), StorageError> {
    if storage.values.len() != expected {
        return Err(StorageError::ValuesLength { expected: expected as u64, got: storage.values.len() as u64 });
    }
    triplets::check_values(storage.element, &storage.values)?;
    if let Some(implicit) = storage.encoding.implicit_val().filter(|constant| !constant.value.is_zero()) {
        return Err(StorageError::ImplicitValue { got: scalar_text(implicit.value) });
    }
    let Some(explicit) = storage.encoding.explicit_val() else { return Ok(()) };
    match nnz_base::with_values!(&storage.values, v => other_than(v, explicit.value)) {
        Some((at, got)) => {
            Err(StorageError::ExplicitValue { at, got: scalar_text(got), promised: scalar_text(explicit.value) })
        }
        None => Ok(()),
    }
}

/// The first value that is not `promised`, rounded to its type.
fn other_than<T: Value>(values: &[T], promised: Scalar) -> Option<(usize, Scalar)> {
    let promised = T::from_scalar(promised);
    values.iter().position(|value| *value != promised).map(|at| (at, values[at].to_scalar()))
}

/// Checks that every coordinate lies within the level; its size marks a hole, where there may be some.
fn check_range(coordinates: &IndexArray, place: &Place) -> Result<(), StorageError> {
    if coordinates.largest().is_none_or(|largest| largest < place.size) {
        return Ok(());
    }
    let is_hole = |coordinate: u64| place.holes && coordinate == place.size;
    match coordinates.iter().enumerate().find(|(_, coordinate)| *coordinate >= place.size && !is_hole(*coordinate)) {
        Some((at, coordinate)) => Err(StorageError::OutOfRange { lvl: place.lvl, at, coordinate, size: place.size }),
        None => Ok(()),
    }
}

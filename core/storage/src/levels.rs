//! The level formats, one file each. A file says what a level stores, how it is built from sorted entries, which
//! positions lie below a position, and what makes its arrays valid.

mod batch;
mod bitmap;
mod build;
mod compressed;
mod delta;
mod dense;
mod hashed;
mod loose_compressed;
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
pub struct LevelStorage {
    positions: Option<IndexArray>,
    coordinates: Option<IndexArray>,
    /// The number of coordinates of a dense level that counts: as many as the data need.
    slices: Option<u64>,
}

impl LevelStorage {
    /// The arrays of a level of `format`, or `None` if it stores other arrays.
    pub fn new(
        format: LevelFormat,
        positions: Option<IndexArray>,
        coordinates: Option<IndexArray>,
    ) -> Option<LevelStorage> {
        Some(LevelStorage { positions, coordinates, slices: None }).filter(|level| level.is_of(format))
    }
    /// A dense level that counts to `slices`.
    pub fn counted(slices: u64) -> LevelStorage {
        LevelStorage { positions: None, coordinates: None, slices: Some(slices) }
    }
    fn is_of(&self, format: LevelFormat) -> bool {
        (self.positions.is_some(), self.coordinates.is_some()) == (format.has_positions(), format.has_coordinates())
    }

    pub fn positions(&self) -> Option<&IndexArray> {
        self.positions.as_ref()
    }
    /// The coordinates, or what determines them: deltas, a mask, the ends of runs.
    pub fn coordinates(&self) -> Option<&IndexArray> {
        self.coordinates.as_ref()
    }

    fn arrays(&self) -> Arrays<'_> {
        const NONE: &IndexArray = &IndexArray::U8(Vec::new());
        Arrays {
            positions: self.positions.as_ref().unwrap_or(NONE),
            coordinates: self.coordinates.as_ref().unwrap_or(NONE),
        }
    }

    /// The positions below `parents`, in their order, with their coordinates.
    pub(super) fn expand(&self, place: &LevelShape, parents: &Positions) -> Children {
        (code(place.format).expand)(&self.arrays(), place, parents)
    }

    /// Checks the level's arrays and gives the number of its positions in each batch.
    fn check(&self, storage: &Storage, place: &LevelShape) -> Result<u64, StorageError> {
        (code(place.format).check)(&self.arrays(), storage, place)
    }

    /// The number of positions in each batch, by the lengths of the arrays alone.
    fn count(&self, storage: &Storage, place: &LevelShape) -> Result<u64, StorageError> {
        match &self.coordinates {
            Some(coordinates) => Ok(place.part(coordinates.len())),
            None => self.check(storage, place),
        }
    }
}

/// The arrays of a level. An array that its format lacks is empty.
struct Arrays<'a> {
    positions: &'a IndexArray,
    coordinates: &'a IndexArray,
}

/// What storage does with the levels of a format.
struct Code {
    build: fn(&mut Builder<'_>, Lvl, LevelFormat) -> Result<RawLevel, StorageError>,
    check: fn(&Arrays<'_>, &Storage, &LevelShape) -> Result<u64, StorageError>,
    expand: fn(&Arrays<'_>, &LevelShape, &Positions) -> Children,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $module:ident $row:ident $variant:ident $(($($held:tt)*))? $({ $($named:tt)* })?;)*) => {
        /// The code of each format, in a file of its own.
        fn code(format: LevelFormat) -> Code {
            match format {
                $(LevelFormat::$variant { .. } => $module::CODE,)*
            }
        }
    };
}
nnz_base::level_formats!(codes);

/// Adds the arrays of level `lvl` to what is built so far.
pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl, format: LevelFormat) -> Result<RawLevel, StorageError> {
    builder.check_room()?;
    (code(format).build)(builder, lvl, format)
}

fn wrong_format(lvl: Lvl, format: LevelFormat) -> StorageError {
    StorageError::Format { lvl, format: format.to_string() }
}

/// The place of a level in its storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelShape {
    pub(super) lvl: Lvl,
    pub(super) format: LevelFormat,
    pub(super) size: u64,
    pub(super) batches: u64,
    /// Positions of the level above, in each batch.
    pub(super) parents: u64,
    /// Positions may have no coordinate; they hold the level's size.
    pub(super) holes: bool,
}

impl LevelShape {
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
pub(super) fn places(storage: &Storage) -> Result<Vec<LevelShape>, StorageError> {
    let mut parents = 1;
    let mut places = Vec::with_capacity(storage.levels.len());
    for (at, level) in storage.levels.iter().enumerate() {
        let place = place(storage, at, parents);
        parents = level.count(storage, &place)?;
        places.push(place);
    }
    Ok(places)
}

fn place(storage: &Storage, at: usize, parents: u64) -> LevelShape {
    let lvl = Lvl::new(at);
    LevelShape {
        lvl,
        format: storage.encoding.format(lvl),
        size: storage.bounds[at].size,
        batches: storage.batches(),
        parents,
        holes: storage.encoding.has_holes(lvl),
    }
}

/// Finds the sizes of the levels that count as far as the data need.
pub(super) fn count_slices(encoding: &Encoding, levels: &[LevelStorage], bounds: &mut [Bounds]) {
    for ((level, stored), bounds) in encoding.levels().iter().zip(levels).zip(bounds) {
        let past_last = |coordinates: &IndexArray| coordinates.iter().max().map_or(0, |most| most.saturating_add(1));
        if level.counts().is_some() {
            bounds.size = stored.slices.unwrap_or_else(|| stored.coordinates().map_or(0, past_last));
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
        let counts = place.format.is_dense() && encoding.levels()[at].counts().is_some();
        if !level.is_of(place.format) || counts != level.slices.is_some() {
            return Err(wrong_format(place.lvl, place.format));
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
        Some(_) | None => Ok(()),
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
fn check_range(coordinates: &IndexArray, place: &LevelShape) -> Result<(), StorageError> {
    if coordinates.largest().is_none_or(|largest| largest < place.size) {
        return Ok(());
    }
    let is_hole = |coordinate: u64| place.holes && coordinate == place.size;
    match coordinates.iter().enumerate().find(|(_, coordinate)| *coordinate >= place.size && !is_hole(*coordinate)) {
        Some((at, coordinate)) => Err(StorageError::OutOfRange { lvl: place.lvl, at, coordinate, size: place.size }),
        None => Ok(()),
    }
}

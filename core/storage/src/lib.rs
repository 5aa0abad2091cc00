//! Tensors as data: coordinates and values, and their storage in any encoding.
//!
//! [`Storage`] holds one [`LevelStorage`] per level and the values below the last. It is checked on
//! construction, so code may follow the positions and coordinates of a `Storage` without checks. [`pack()`]
//! makes one from [`Triplets`], [`unpack()`] goes back, [`convert()`] does both.
//!
//! Positions. The positions of a level are numbered `0..count`, and the format of the level below defines
//! which of its positions belong to each. Batch levels split every array into equal parts, one per batch.
//! Positions restart at 0 in each part, and a batch that needs less than its part leaves the rest unused.

#![warn(clippy::wildcard_enum_match_arm)]

mod part;
pub mod triplets;
mod error;
pub mod bounds;
mod columns;
mod order;
pub mod levels;
pub mod watch;
pub mod pack;
pub mod unpack;
pub mod convert;
pub mod decompose;
pub mod dump;
pub mod fibers;
pub mod files;
pub mod formula;
pub mod generate;
pub mod model;
pub mod slice;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, sync::Arc};

pub use bounds::Bounds;
pub use convert::{convert, convert_while, from_dense, stored_places, to_dense};
pub use decompose::{decompose, joined};
pub use error::{ArrayKind, StorageError};
pub use fibers::{Fiber, Fibers};
pub use formula::Formula;
pub use levels::{HASH_FACTOR, LevelStorage};
pub use model::StorageModel;
pub use order::{SORTED_TOGETHER, summed};
pub use pack::{pack, pack_owned, pack_while};
pub use part::Part;
pub use triplets::{Triplets, TripletsError};
pub use unpack::{unpack, visited};

use nnz_base::{
    arrays::{IndexArray, Values},
    element::Element,
    ids::Lvl,
};
use nnz_encoding::Encoding;

/// The arrays of one tensor.
#[derive(Clone, Debug)]
pub struct Storage {
    encoding: Arc<Encoding>,
    element: Element,
    dim_sizes: Vec<u64>,
    bounds: Vec<Bounds>,
    levels: Vec<LevelStorage>,
    values: Values,
}

impl Storage {
    /// Checks that `levels` and `values` are what `encoding` stores of a tensor of `dim_sizes`: positions
    /// start at 0, never fall, and end where the coordinates end; coordinates lie within their level, and are
    /// ordered and unique as it says; every array has the length that the level above requires; if there is
    /// an explicit value, all stored values equal it; and if a level counts, no entry is in two slices.
    ///
    /// # Errors
    /// The first broken invariant, outermost level first.
    pub fn new(
        encoding: Arc<Encoding>,
        element: Element,
        dim_sizes: Vec<u64>,
        levels: Vec<LevelStorage>,
        values: Values,
    ) -> Result<Storage, StorageError> {
        let mut bounds = bounds::of_levels(&encoding, &dim_sizes)?;
        levels::count_slices(&encoding, &levels, &mut bounds);
        let storage = Storage { encoding, element, dim_sizes, bounds, levels, values };
        levels::check(&storage)?;
        if storage.encoding.levels().iter().any(|level| level.counts().is_some()) {
            check_distinct(&unpack(&storage)?)?;
        }
        Ok(storage)
    }

    pub fn encoding(&self) -> &Arc<Encoding> {
        &self.encoding
    }
    pub fn element(&self) -> Element {
        self.element
    }
    /// The tensor's own sizes; blocks that do not divide them are padded in storage only.
    pub fn dim_sizes(&self) -> &[u64] {
        &self.dim_sizes
    }
    /// One size per level.
    pub fn lvl_sizes(&self) -> Vec<u64> {
        self.bounds.iter().map(|bounds| bounds.size).collect()
    }
    /// The bounds of each level, with the origin: the difference of the value of its expression and the
    /// stored coordinate.
    pub fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }
    /// The number added to the entries of a level's coordinates when they are shown: its origin, unless
    /// coordinates only follow from them.
    pub fn shown_origin(&self, lvl: Lvl) -> i64 {
        let plain =
            self.encoding.levels().get(lvl.index()).is_some_and(|level| level.format.stores_plain_coordinates());
        self.bounds.get(lvl.index()).filter(|_| plain).map_or(0, |bounds| bounds.origin)
    }
    pub fn levels(&self) -> &[LevelStorage] {
        &self.levels
    }
    pub fn positions(&self, lvl: Lvl) -> Option<&IndexArray> {
        self.levels.get(lvl.index())?.positions()
    }
    pub fn coordinates(&self, lvl: Lvl) -> Option<&IndexArray> {
        self.levels.get(lvl.index())?.coordinates()
    }
    pub fn values(&self) -> &Values {
        &self.values
    }
    /// The number of stored entries: the length of the values.
    pub fn nse(&self) -> usize {
        self.values.len()
    }
    /// The number of batches; 1 without batch levels.
    pub fn batches(&self) -> u64 {
        batches(&self.encoding, &self.bounds)
    }
    /// Bytes of all arrays.
    pub fn bytes(&self) -> usize {
        let arrays = self.levels.iter().flat_map(|level| [level.positions(), level.coordinates()]);
        arrays.flatten().map(IndexArray::bytes).sum::<usize>() + self.values.bytes()
    }
    /// Replaces the values by as many others.
    ///
    /// # Errors
    /// Another number of values, values outside the element type, or a broken explicit value.
    pub fn with_values(mut self, values: Values) -> Result<Storage, StorageError> {
        let expected = self.values.len();
        self.values = values;
        levels::check_values(&self, expected)?;
        Ok(self)
    }
    /// Takes the names of dimensions and levels from an equal encoding.
    pub fn named_as(mut self, encoding: &Arc<Encoding>) -> Storage {
        if self.encoding == *encoding {
            self.encoding = encoding.clone();
        }
        self
    }
    /// Replaces the values by the same number of values of another element type.
    ///
    /// # Errors
    /// As [`Storage::with_values`].
    pub fn with_values_of(mut self, element: Element, values: Values) -> Result<Storage, StorageError> {
        self.element = element;
        self.with_values(values)
    }
    pub fn into_parts(self) -> (Vec<LevelStorage>, Values) {
        (self.levels, self.values)
    }
}

/// Checks that no two entries have the same coordinates.
fn check_distinct(triplets: &Triplets) -> Result<(), StorageError> {
    let mut seen = HashSet::new();
    let tuple = |entry: usize| triplets.coords().iter().map(|column| column[entry]).collect::<Vec<u64>>();
    match (0..triplets.len()).map(tuple).find(|tuple| !seen.insert(tuple.clone())) {
        Some(coordinates) => Err(StorageError::TwoSlices { coordinates }),
        None => Ok(()),
    }
}

/// The product of the sizes of the leading batch levels.
fn batches(encoding: &Encoding, bounds: &[Bounds]) -> u64 {
    let leading = encoding.levels().iter().zip(bounds).take_while(|(level, _)| level.format.is_batch());
    leading.map(|(_, bounds)| bounds.size).product()
}

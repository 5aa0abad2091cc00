//! Tensors with an encoding.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use super::{Array, offset};
use crate::{budget::Budget, fault::Fault};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};
use nnz_encoding::Encoding;
use nnz_mlir::dialects::sparse_tensor_arrays::Field;
use nnz_storage::{self as storage, Storage, Triplets};

/// A tensor with an encoding, and the entries inserted since it was last stored.
#[derive(Clone, Debug)]
pub struct Sparse {
    stored: Arc<Storage>,
    inserted: Arc<Vec<(Vec<u64>, Scalar)>>,
    /// Made when an entry is first asked for.
    places: Arc<OnceLock<Places>>,
    /// Those of its arrays that were asked for.
    arrays: Arc<Arrays>,
    /// Which part of another tensor it is, of each dimension; unless it is none.
    part: Option<Arc<[Step]>>,
}

/// Where a part of a dimension begins, and the distance of its coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub offset: u64,
    pub stride: u64,
}

/// The entries of a tensor, for searching: one at each place, in row-major order.
#[derive(Debug)]
struct Places(Triplets);

impl Places {
    fn get(&self, at: &[u64]) -> Option<Scalar> {
        let key = |entry: usize| self.0.coords().iter().map(move |column| column[entry]);
        let entry = partition_point(self.0.len(), |entry| key(entry).lt(at.iter().copied()));
        self.0.values().get(entry).filter(|_| key(entry).eq(at.iter().copied()))
    }
}

/// Arrays that were made of those of a tensor, by what they hold.
#[derive(Debug, Default)]
struct Arrays(Mutex<Vec<(Field, Arc<Values>)>>);

impl Arrays {
    fn get(&self, field: Field, make: impl FnOnce() -> Values) -> Arc<Values> {
        let mut arrays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, made)) = arrays.iter().find(|(known, _)| *known == field) {
            return made.clone();
        }
        let made = Arc::new(make());
        arrays.push((field, made.clone()));
        made
    }
}

/// The first of `len` numbers for which `before` does not hold.
fn partition_point(len: usize, before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

impl Sparse {
    pub fn new(storage: Storage) -> Sparse {
        Sparse {
            stored: Arc::new(storage),
            inserted: Arc::default(),
            places: Arc::default(),
            arrays: Arc::default(),
            part: None,
        }
    }
    /// # Errors
    /// A shape that the encoding cannot have.
    pub fn empty(encoding: &Arc<Encoding>, element: Element, shape: Vec<u64>) -> Result<Sparse, Fault> {
        Ok(Sparse::new(storage::pack::empty(encoding, element, shape)?))
    }
    /// # Errors
    /// Entries that the encoding cannot hold.
    pub fn packed(triplets: Triplets, encoding: &Arc<Encoding>) -> Result<Sparse, Fault> {
        Ok(Sparse::new(storage::pack_owned(triplets, encoding)?))
    }
    /// The same places with one value in all of them.
    ///
    /// # Errors
    /// No room for them.
    pub fn filled(&self, budget: &Budget, value: Scalar) -> Result<Sparse, Fault> {
        let storage = self.storage()?;
        let places = Array::filled(budget, (storage.element(), value), vec![storage.values().len() as u64])?;
        let values = Arc::unwrap_or_clone(places.values);
        Ok(Sparse::new((*storage).clone().with_values(values)?))
    }
    /// The same tensor, known to be this part of another one.
    pub fn part_of(self, part: Vec<Step>) -> Sparse {
        Sparse { part: Some(part.into()), ..self }
    }
    /// The part of another tensor's dimension that its dimension is, if it was made so.
    pub fn part(&self, dim: usize) -> Option<Step> {
        self.part.as_ref()?.get(dim).copied()
    }
    /// The bytes of its arrays.
    pub(super) fn bytes(&self) -> usize {
        self.stored.bytes()
    }
    pub fn shape(&self) -> &[u64] {
        self.stored.dim_sizes()
    }
    pub fn element(&self) -> Element {
        self.stored.element()
    }
    pub fn encoding(&self) -> &Arc<Encoding> {
        self.stored.encoding()
    }
    /// Whether it stores nothing.
    pub fn is_empty(&self) -> bool {
        self.stored.nse() == 0 && self.inserted.is_empty()
    }
    /// Inserts or overwrites an entry.
    ///
    /// # Errors
    /// A coordinate outside the shape.
    pub fn insert(&mut self, at: Vec<u64>, value: Scalar) -> Result<(), Fault> {
        let wrong = |(at, size): (&u64, &u64)| at >= size;
        if let Some(dim) = at.iter().zip(self.shape()).position(wrong) {
            let size = self.shape()[dim];
            let message = format!("coordinate {} is outside dimension {dim}, which has size {size}", at[dim] as i64);
            return Err(Fault::new(message));
        }
        Arc::make_mut(&mut self.inserted).push((at, value));
        self.places = Arc::default();
        self.arrays = Arc::default();
        Ok(())
    }
    /// The entry at `at`, or zero.
    ///
    /// # Errors
    /// A coordinate outside the shape; entries that the encoding cannot hold.
    pub fn get(&self, at: &[u64]) -> Result<Scalar, Fault> {
        offset(self.shape(), at)?;
        let places = match self.places.get() {
            Some(places) => places,
            None => {
                let made = Places(storage::summed(self.triplets()?)?);
                self.places.get_or_init(|| made)
            }
        };
        Ok(places.get(at).unwrap_or(self.element().zero()))
    }
    /// The tensor with all inserted entries.
    ///
    /// # Errors
    /// Entries that the encoding cannot hold.
    pub fn storage(&self) -> Result<Arc<Storage>, Fault> {
        if self.inserted.is_empty() {
            return Ok(self.stored.clone());
        }
        Ok(Arc::new(storage::pack_owned(self.triplets()?, self.stored.encoding())?))
    }
    /// One of its arrays, which `make` makes when it is first asked for.
    pub(crate) fn array(&self, field: Field, make: impl FnOnce() -> Values) -> Arc<Values> {
        self.arrays.get(field, make)
    }
    /// Whether no entry was inserted since it was last stored.
    pub(crate) fn is_stored(&self) -> bool {
        self.inserted.is_empty()
    }
    /// As it was before the insertions.
    pub(crate) fn stored(&self) -> &Arc<Storage> {
        &self.stored
    }
    /// The same tensor, with all inserted entries stored.
    ///
    /// # Errors
    /// As [`Sparse::storage`].
    pub fn finished(&self) -> Result<Sparse, Fault> {
        Ok(Sparse {
            stored: self.storage()?,
            inserted: Arc::default(),
            places: self.places.clone(),
            arrays: self.arrays.clone(),
            part: self.part.clone(),
        })
    }
    /// All entries, including zeros of dense levels, but no padding.
    ///
    /// # Errors
    /// As [`Sparse::storage`].
    pub fn visited(&self) -> Result<Triplets, Fault> {
        self.finished()?.triplets()
    }
    /// # Errors
    /// As [`Sparse::storage`].
    pub fn triplets(&self) -> Result<Triplets, Fault> {
        // A type with an encoding stores what its levels store, even if these are all dense.
        let whole = self.encoding().stores_all();
        let triplets = if whole { storage::visited(&self.stored)? } else { storage::unpack(&self.stored)? };
        if self.inserted.is_empty() { Ok(triplets) } else { merged(triplets, &self.inserted) }
    }
}

/// The entries, with those inserted later. The last one inserted at a place replaces all others there, also where the
/// levels store several.
fn merged(triplets: Triplets, inserted: &[(Vec<u64>, Scalar)]) -> Result<Triplets, Fault> {
    let (shape, element, coords, values) = triplets.into_parts();
    // A value that has got its place is taken out.
    let mut new: HashMap<&[u64], Option<Scalar>> = inserted.iter().map(|(at, value)| (&at[..], Some(*value))).collect();
    let mut merged = (vec![Vec::new(); coords.len()], Values::with_capacity(element, values.len() + new.len()));
    let mut push = |at: &[u64], value: Scalar| {
        merged.0.iter_mut().zip(at).for_each(|(column, at)| column.push(*at));
        merged.1.push(value);
    };
    let mut at = Vec::with_capacity(coords.len());
    for (entry, old) in values.iter().enumerate() {
        at.clear();
        at.extend(coords.iter().map(|column| column[entry]));
        let value = new.get_mut(&at[..]).map_or(Some(old), Option::take);
        value.into_iter().for_each(|value| push(&at, value));
    }
    for (at, _) in inserted {
        new.get_mut(&at[..]).and_then(Option::take).into_iter().for_each(|value| push(at, value));
    }
    let (coords, values) = merged;
    Ok(Triplets::new(shape, element, coords, values).map_err(storage::StorageError::from)?)
}

//! The entries of operands and results.

use std::collections::HashMap;

use super::cell::Cell;
use crate::{
    budget::Budget,
    machine::Fault,
    value::{Array, Memory, Sparse, Value, fill_from, offset},
};
use nnz_base::element::{Element, Scalar};
use nnz_loops::{Binary, scalar::binary};
use nnz_storage::Triplets;

/// The entries of an operand or result.
pub(super) enum Entries {
    Scalar(Scalar),
    Dense(Array),
    /// A buffer, which the body and other operands may be in, too.
    Live(Memory),
    /// By row-major coordinates.
    Sparse {
        element: Element,
        entries: HashMap<Vec<u64>, Scalar>,
    },
}

impl Entries {
    /// Entries of a buffer are read and written at once if it is `live`.
    pub(super) fn new(budget: &Budget, value: &Value, live: bool) -> Result<Entries, Fault> {
        Ok(match value {
            Value::Memory(memory) if live => Entries::Live(memory.clone()),
            Value::Scalar(scalar) => Entries::Scalar(*scalar),
            Value::Sparse(tensor) => Entries::of(&tensor.visited()?),
            Value::Array(_)
            | Value::Entries(_)
            | Value::Memory(_)
            | Value::Name(_)
            | Value::Specifier(_)
            | Value::Walk(_) => Entries::Dense(value.to_array(budget)?),
        })
    }

    fn of(triplets: &Triplets) -> Entries {
        let element = triplets.element();
        let mut entries: HashMap<Vec<u64>, Scalar> = HashMap::with_capacity(triplets.len());
        for (at, value) in (0..triplets.len()).filter_map(|entry| triplets.entry(entry)) {
            // Entries that share a place add up.
            let so_far = entries.entry(at).or_insert(element.zero());
            *so_far = if so_far.is_zero() { value } else { binary(Binary::Add, element, *so_far, value) };
        }
        Entries::Sparse { element, entries }
    }

    /// A result whose old value nobody reads starts from nothing.
    pub(super) fn clear(&mut self) {
        match self {
            Entries::Scalar(_) | Entries::Live(_) => {}
            Entries::Dense(array) => {
                let zeros = nnz_base::arrays::Values::zeros(array.element, array.values.len());
                array.values = zeros.into();
            }
            Entries::Sparse { entries, .. } => entries.clear(),
        }
    }

    pub(super) fn at(&self, place: &[u64]) -> Result<Cell, Fault> {
        Ok(match self {
            Entries::Scalar(scalar) => Cell::constant(*scalar),
            Entries::Dense(array) => Cell::present(array.get(place)?),
            Entries::Live(memory) => Cell::present(memory.load(place)?),
            Entries::Sparse { element, entries } => {
                entries.get(place).map_or(Cell::absent(*element), |value| Cell::present(*value))
            }
        })
    }

    /// Stores the result of a point as the entry. Without a result the entry stays as it is.
    pub(super) fn keep(&mut self, place: &[u64], cell: Cell, filters_zeros: bool) -> Result<(), Fault> {
        if cell.is_left_out() {
            return Ok(());
        }
        match self {
            Entries::Scalar(scalar) => *scalar = cell.value,
            Entries::Live(memory) => memory.store(place, cell.value)?,
            Entries::Dense(array) => {
                let at = offset(&array.shape, place)?;
                std::sync::Arc::make_mut(&mut array.values).set(at, cell.value);
            }
            Entries::Sparse { entries, .. } if cell.is_missing() || filters_zeros && cell.value.is_zero() => {
                entries.remove(place);
            }
            Entries::Sparse { entries, .. } => match entries.get_mut(place) {
                Some(value) => *value = cell.value,
                None => drop(entries.insert(place.to_vec(), cell.value)),
            },
        }
        Ok(())
    }

    /// The result that took the place of `before`.
    pub(super) fn finish(self, budget: &Budget, before: &Value) -> Result<Value, Fault> {
        match (self, before) {
            (Entries::Scalar(scalar), _) => Ok(Value::Scalar(scalar)),
            (Entries::Dense(array), Value::Memory(memory)) => {
                fill_from(budget, memory, &array)?;
                Ok(before.clone())
            }
            (Entries::Dense(array), _) => Ok(Value::Array(array)),
            (Entries::Live(memory), _) => Ok(Value::Memory(memory)),
            (Entries::Sparse { element, entries }, before) => {
                let tensor = before.sparse()?;
                Ok(Value::Sparse(Sparse::packed(triplets(tensor.shape(), element, entries)?, tensor.encoding())?))
            }
        }
    }
}

fn triplets(shape: &[u64], element: Element, entries: HashMap<Vec<u64>, Scalar>) -> Result<Triplets, Fault> {
    let mut coords = vec![Vec::with_capacity(entries.len()); shape.len()];
    let mut values = nnz_base::arrays::Values::with_capacity(element, entries.len());
    for (at, value) in entries {
        coords.iter_mut().zip(at).for_each(|(column, at)| column.push(at));
        values.push(value);
    }
    let triplets = Triplets::new(shape.to_vec(), element, coords, values);
    Ok(triplets.map_err(nnz_storage::StorageError::from)?)
}

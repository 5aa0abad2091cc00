//! Between encodings, and between storage and plain dense arrays.

use std::{borrow::Cow, sync::Arc};

use super::{Storage, StorageError, Triplets, order::wrap_narrow, pack_while, unpack, watch::GoOn};
use nnz_base::{
    arrays::Values,
    element::{Element, Value},
    memory::{self, NoRoom},
};
use nnz_encoding::Encoding;

/// The same tensor in another encoding. Entries stay entries, explicit zeros included, except those that cannot be
/// distinguished from padding (see [`unpack()`]).
///
/// # Errors
/// As [`unpack()`] and [`pack_while`].
pub fn convert(storage: &Storage, encoding: &Arc<Encoding>) -> Result<Storage, StorageError> {
    convert_while(storage, encoding, &|| true)
}

/// As [`convert`], as long as `goes_on` allows.
///
/// # Errors
/// As [`convert`]; [`StorageError::Stopped`].
pub fn convert_while(storage: &Storage, encoding: &Arc<Encoding>, goes_on: GoOn<'_>) -> Result<Storage, StorageError> {
    pack_while(Cow::Owned(unpack(storage)?), encoding, goes_on)
}

/// The entries of a row-major array: all that are not zero. -0.0 is zero; NaN is not.
///
/// # Errors
/// More or fewer values than the shape has elements; values outside the element type.
pub fn from_dense(shape: &[u64], element: Element, values: &Values) -> Result<Triplets, StorageError> {
    let elements = elements(shape)?;
    if values.len() != elements {
        return Err(StorageError::ValuesLength { expected: elements as u64, got: values.len() as u64 });
    }
    let (at, values) = nnz_base::with_values!(values, v => nonzeros(v, shape.len()))?;
    let coords = (0..shape.len()).map(|dim| coordinates(&at, shape, dim)).collect();
    Ok(Triplets::new(shape.to_vec(), element, coords, values)?)
}

fn nonzeros<T: Value>(values: &[T], rank: usize) -> Result<(Vec<u64>, Values), NoRoom>
where
    Values: From<Vec<T>>,
{
    let count = values.iter().filter(|x| !x.is_zero()).count();
    memory::room_for(count as u128, (8 * (rank + 1) + size_of::<T>()) as u64)?;
    let (mut at, mut found) = (memory::array(count)?, memory::array(count)?);
    for (place, value) in values.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
        at.push(place as u64);
        found.push(*value);
    }
    Ok((at, Values::from(found)))
}

fn coordinates(at: &[u64], shape: &[u64], dim: usize) -> Vec<u64> {
    let stride: u64 = shape[dim + 1..].iter().product();
    at.iter().map(|at| at / stride.max(1) % shape[dim].max(1)).collect()
}

/// The tensor as a row-major array.
///
/// # Errors
/// As [`unpack()`]; a shape too large for memory.
pub fn to_dense(storage: &Storage) -> Result<Values, StorageError> {
    dense_of(&unpack(storage)?)
}

/// A row-major array of `i1`: 1 wherever an entry is stored, whatever its value.
///
/// # Errors
/// As [`to_dense`].
pub fn stored_places(storage: &Storage) -> Result<Values, StorageError> {
    let triplets = unpack(storage)?;
    let len = elements(triplets.shape())?;
    memory::room_for(len as u128, 1)?;
    let mut stored = vec![0i8; len];
    (0..triplets.len()).for_each(|entry| stored[offset(&triplets, entry)] = 1);
    Ok(Values::from(stored))
}

/// The entries as a row-major array; repeated ones sum.
///
/// # Errors
/// A shape too large for memory.
pub fn dense_of(triplets: &Triplets) -> Result<Values, StorageError> {
    let len = elements(triplets.shape())?;
    memory::room_for(len as u128, triplets.element().bytes() as u64)?;
    let at: Vec<usize> = (0..triplets.len()).map(|entry| offset(triplets, entry)).collect();
    let sums = nnz_base::with_values!(triplets.values(), v => Values::from(scatter_sum(v, &at, len)));
    Ok(wrap_narrow(triplets.element(), sums))
}

fn offset(triplets: &Triplets, entry: usize) -> usize {
    let axes = triplets.coords().iter().zip(triplets.shape());
    axes.fold(0, |offset, (column, &size)| offset * size as usize + column[entry] as usize)
}

fn scatter_sum<T: Value>(values: &[T], at: &[usize], len: usize) -> Vec<T> {
    let mut dense = vec![T::default(); len];
    at.iter().for_each(|&at| dense[at] = T::neutral());
    for (&value, &at) in values.iter().zip(at) {
        dense[at] = dense[at].sum(value);
    }
    dense
}

/// The most elements of a dense array; 2^32 of 8 bytes are 32 GiB.
const MOST_ELEMENTS: u128 = 1 << 32;

/// As many as an array may have.
fn elements(shape: &[u64]) -> Result<usize, StorageError> {
    let elements = shape.iter().fold(1u128, |product, &size| product.saturating_mul(u128::from(size)));
    if elements > MOST_ELEMENTS {
        return Err(StorageError::TooLargeDense { elements });
    }
    Ok(elements as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stored -0 is no +0: a product with it has the other sign. Of both at one place the sum is +0.
    #[test]
    fn a_dense_array_keeps_the_signs_of_zeros() {
        let values = Values::from(vec![-0.0f64, -0.0, 0.0, -0.0, -0.0]);
        let triplets = Triplets::new(vec![4], Element::F64, vec![vec![0, 1, 1, 2, 2]], values).unwrap();
        let Ok(Values::F64(dense)) = dense_of(&triplets) else { panic!("doubles stay doubles") };
        let negative: Vec<bool> = dense.iter().map(|value| value.is_sign_negative()).collect();
        assert_eq!(negative, [true, false, true, false]);
    }
}

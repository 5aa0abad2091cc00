//! Coordinates and values in dimension order: what every reader makes and every packing takes.

use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    ids::Dim,
};

/// Entries of a tensor, in no order; entries with equal coordinates sum. Coordinates lie within the
/// shape, and values within the element type.
#[derive(Clone, Debug, PartialEq)]
pub struct Triplets {
    shape: Vec<u64>,
    element: Element,
    /// One vector per dimension, each as long as `values`.
    coords: Vec<Vec<u64>>,
    values: Values,
}

/// Why coordinates and values are not the entries of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TripletsError {
    #[error("{got} coordinate vectors for {rank} dimensions")]
    Rank { rank: usize, got: usize },
    #[error("dimension {} has {got} coordinates for {values} values", dim.index())]
    Length { dim: Dim, got: usize, values: usize },
    #[error("entry {at}: coordinate {coordinate} of dimension {} is outside its size {size}", dim.index())]
    OutOfRange { dim: Dim, at: usize, coordinate: u64, size: u64 },
    #[error("the size {size} of dimension {} does not fit 63 bits", dim.index())]
    Size { dim: Dim, size: u64 },
    #[error("the values are not stored as `{element}`")]
    Repr { element: Element },
    #[error("entry {at}: value {value} does not fit `{element}`")]
    Value { at: usize, value: i128, element: Element },
}

impl Triplets {
    /// `coords[d][e]` is the coordinate of entry `e` in dimension `d`.
    ///
    /// # Errors
    /// Lengths that disagree; the first coordinate outside the shape; values of another machine
    /// type, or outside the range of `i1`, `i2`, `i4`.
    pub fn new(
        shape: Vec<u64>,
        element: Element,
        coords: Vec<Vec<u64>>,
        values: Values,
    ) -> Result<Triplets, TripletsError> {
        if coords.len() != shape.len() {
            return Err(TripletsError::Rank { rank: shape.len(), got: coords.len() });
        }
        for (at, (&size, column)) in shape.iter().zip(&coords).enumerate() {
            check_dimension(Dim::new(at), size, column, values.len())?;
        }
        check_values(element, &values)?;
        Ok(Triplets { shape, element, coords, values })
    }

    /// Triplets whose coordinates are known to lie within the shape, and values within the element.
    pub(super) fn within(shape: Vec<u64>, element: Element, coords: Vec<Vec<u64>>, values: Values) -> Triplets {
        let triplets = Triplets { shape, element, coords, values };
        debug_assert!(check_values(element, &triplets.values).is_ok());
        triplets
    }

    /// The same entries without a dimension of size 1.
    pub(super) fn without(mut self, dim: Dim) -> Triplets {
        self.shape.remove(dim.index());
        self.coords.remove(dim.index());
        self
    }

    /// A tensor without entries.
    ///
    /// # Errors
    /// A size of 2^63 or more.
    pub fn empty(shape: Vec<u64>, element: Element) -> Result<Triplets, TripletsError> {
        let coords = vec![Vec::new(); shape.len()];
        Triplets::new(shape, element, coords, Values::with_capacity(element, 0))
    }

    pub fn shape(&self) -> &[u64] {
        &self.shape
    }
    pub fn rank(&self) -> usize {
        self.shape.len()
    }
    pub fn element(&self) -> Element {
        self.element
    }
    /// The number of entries, repeated ones counted each time.
    pub fn len(&self) -> usize {
        self.values.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// One vector of coordinates per dimension.
    pub fn coords(&self) -> &[Vec<u64>] {
        &self.coords
    }
    pub fn values(&self) -> &Values {
        &self.values
    }
    /// The coordinates and the value of entry `at`, if it exists.
    pub fn entry(&self, at: usize) -> Option<(Vec<u64>, Scalar)> {
        let value = self.values.get(at)?;
        Some((self.coords.iter().filter_map(|column| column.get(at).copied()).collect(), value))
    }
    /// The entries that are not zero. -0.0 is zero; NaN is not.
    #[must_use]
    pub fn without_zeros(self) -> Triplets {
        let is_entry = |value: &Scalar| !value.is_zero();
        let kept: Vec<usize> =
            (0..self.len()).filter(|&at| self.values.get(at).as_ref().is_some_and(is_entry)).collect();
        if kept.len() == self.len() {
            return self;
        }
        self.some(&kept)
    }
    /// The entries with these numbers, all of which exist.
    pub(super) fn some(&self, kept: &[usize]) -> Triplets {
        let column = |column: &Vec<u64>| kept.iter().map(|&at| column[at]).collect();
        let values =
            nnz_base::with_values!(&self.values, v => Values::from(kept.iter().map(|&at| v[at]).collect::<Vec<_>>()));
        let (shape, coords) = (self.shape.clone(), self.coords.iter().map(column).collect());
        Triplets { shape, element: self.element, coords, values }
    }
    /// Coordinates by dimension, then values.
    pub fn into_parts(self) -> (Vec<u64>, Element, Vec<Vec<u64>>, Values) {
        (self.shape, self.element, self.coords, self.values)
    }
}

fn check_dimension(dim: Dim, size: u64, column: &[u64], values: usize) -> Result<(), TripletsError> {
    if i64::try_from(size).is_err() {
        return Err(TripletsError::Size { dim, size });
    }
    if column.len() != values {
        return Err(TripletsError::Length { dim, got: column.len(), values });
    }
    match column.iter().position(|&coordinate| coordinate >= size) {
        Some(at) => Err(TripletsError::OutOfRange { dim, at, coordinate: column[at], size }),
        None => Ok(()),
    }
}

/// Checks the machine type, and the range if it is wider than the element type.
pub(crate) fn check_values(element: Element, values: &Values) -> Result<(), TripletsError> {
    if values.repr() != element.repr() {
        return Err(TripletsError::Repr { element });
    }
    let narrow = matches!(element, Element::I1 | Element::I2 | Element::I4);
    let range = element.int_range().filter(|_| narrow);
    let (Some((low, high)), Values::I8(bytes)) = (range, values) else { return Ok(()) };
    let outside = bytes.iter().position(|&value| !(low..=high).contains(&i128::from(value)));
    outside.map_or(Ok(()), |at| Err(TripletsError::Value { at, value: i128::from(bytes[at]), element }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_entry_of_the_tensor_is_refused() {
        let make = |coords: Vec<Vec<u64>>, values| Triplets::new(vec![3, 4], Element::F64, coords, values);
        let one = || Values::F64(vec![1.0]);
        assert!(make(vec![vec![2], vec![3]], one()).is_ok());
        assert_eq!(make(vec![vec![2]], one()), Err(TripletsError::Rank { rank: 2, got: 1 }));
        assert_eq!(make(vec![vec![2], vec![]], one()), Err(TripletsError::Length { dim: Dim(1), got: 0, values: 1 }));
        assert_eq!(
            make(vec![vec![2], vec![4]], one()),
            Err(TripletsError::OutOfRange { dim: Dim(1), at: 0, coordinate: 4, size: 4 })
        );
        assert_eq!(
            make(vec![vec![2], vec![3]], Values::F32(vec![1.0])),
            Err(TripletsError::Repr { element: Element::F64 })
        );
    }

    #[test]
    fn narrow_elements_hold_their_range_only() {
        let make = |value| Triplets::new(vec![1], Element::I1, vec![vec![0]], Values::I8(vec![value]));
        assert!(make(1).is_ok());
        assert_eq!(make(-1), Err(TripletsError::Value { at: 0, value: -1, element: Element::I1 }));
    }
}

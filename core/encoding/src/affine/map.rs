//! Affine maps: several affine expressions over the same dimensions and symbols.

use super::Affine;
use nnz_base::ids::Dim;

/// `affine_map<(i, j)[s] -> (j, i + s)>`
#[derive(Clone, Debug, PartialEq)]
pub struct AffineMap {
    pub dims: usize,
    pub symbols: usize,
    pub results: Vec<Affine<Dim>>,
}

impl AffineMap {
    /// The image of a point.
    pub fn image(&self, point: &[u64]) -> impl Iterator<Item = i128> {
        let var = |dim: Dim| point.get(dim.index()).map_or(0, |&at| at as i64);
        self.results.iter().map(move |result| result.eval(&var, &|_| 0).map_or(-1, i128::from))
    }
}

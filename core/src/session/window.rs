//! Windows of sparse operands: what an access such as `A(3, j)`, `A(i + 2, j)` or `A(2 * i, i)` can meet, as a tensor of
//! its own, which loops follow like any other.

use std::sync::Arc;

use crate::{
    encoding::{Encoding, named},
    ids::{Dim, IndexVar},
    iterate,
    kernel::{Access, IndexExpr},
    storage::{self, Storage, StorageError, Triplets},
};

/// An access each of whose indices is a constant or follows from one variable.
pub(super) struct Window<'a> {
    indices: &'a [IndexExpr],
    /// The variables, in the order of the text, and how far they run: the dimensions of the window.
    pub vars: Vec<IndexVar>,
    pub shape: Vec<u64>,
}

impl<'a> Window<'a> {
    /// The window of `access`, whose variables run as far as `extent` says; `None` of sums of variables, and where it is
    /// the whole operand.
    pub(super) fn of(access: &'a Access, extent: impl Fn(IndexVar) -> u64) -> Option<Window<'a>> {
        let simple = access.as_vars().is_none() && access.indices.iter().all(|index| index.terms().len() <= 1);
        let mut vars: Vec<IndexVar> = Vec::new();
        for var in access.indices.iter().flat_map(IndexExpr::vars) {
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        let shape = vars.iter().map(|var| extent(*var)).collect();
        simple.then_some(Window { indices: &access.indices, vars, shape })
    }

    /// The entries of `storage` that the window meets, in levels that go in the operand's order; an array of one
    /// value where there are no variables.
    ///
    /// # Errors
    /// As packing them.
    pub(super) fn cut(&self, storage: &Storage) -> Result<Storage, StorageError> {
        let entries = storage::unpack(storage)?;
        let met: Vec<(usize, Vec<u64>)> =
            (0..entries.len()).filter_map(|at| Some((at, self.place(&entries, at)?))).collect();
        let kept: Vec<usize> = met.iter().map(|(at, _)| *at).collect();
        let values = entries.values().picked(&kept);
        let coords = (0..self.vars.len()).map(|dim| met.iter().map(|(_, place)| place[dim]).collect()).collect();
        let (shape, coords) = match self.vars.as_slice() {
            [] => (vec![1], vec![vec![0; kept.len()]]),
            _ => (self.shape.clone(), coords),
        };
        let entries = Triplets::new(shape, entries.element(), coords, values)?;
        let no_rank = StorageError::Rank { encoding: 0, tensor: self.vars.len() };
        storage::pack_owned(entries, &self.encoding(storage).ok_or(no_rank)?)
    }

    /// Where the window shows entry `at`, by variable.
    fn place(&self, entries: &Triplets, at: usize) -> Option<Vec<u64>> {
        let mut place: Vec<Option<u64>> = vec![None; self.vars.len()];
        for (index, column) in self.indices.iter().zip(entries.coords()) {
            let beyond = i128::from(*column.get(at)?) - i128::from(index.offset());
            match index.terms() {
                [] if beyond == 0 => {}
                [(factor, var)] => {
                    let dim = self.vars.iter().position(|other| other == var)?;
                    let value = quotient(beyond, i128::from(*factor)).filter(|value| *value < self.shape[dim])?;
                    if place[dim].replace(value).is_some_and(|other| other != value) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        place.into_iter().collect()
    }

    /// A level for every variable, the outermost dense where the operand is a matrix with a dense level.
    fn encoding(&self, storage: &Storage) -> Option<Arc<Encoding>> {
        if self.vars.is_empty() {
            return named::dense(1).map(Arc::new);
        }
        let encoding = storage.encoding();
        let names = self.vars.iter().map(|var| format!("d{}", var.index())).collect();
        let level_of = |var: &IndexVar| {
            let dim = self.indices.iter().position(|index| index.vars().any(|other| other == *var));
            encoding.levels().iter().position(|level| level.expr.as_var().map(Dim::index) == dim)
        };
        let mut order: Vec<usize> = (0..self.vars.len()).collect();
        order.sort_by_key(|at| level_of(&self.vars[*at]));
        let order: Vec<Dim> = order.into_iter().map(Dim::new).collect();
        let outer_dense = order.len() == 2 && encoding.levels().iter().any(|level| level.format.is_full());
        iterate::sorted_levels(names, &order, outer_dense)
    }
}

/// `number / by`, where that is a whole number that is not negative.
fn quotient(number: i128, by: i128) -> Option<u64> {
    (by != 0 && number % by == 0).then(|| u64::try_from(number / by).ok()).flatten()
}

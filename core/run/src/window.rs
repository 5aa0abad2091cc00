//! Windows of sparse operands: the entries that an access such as `A(3, j)`, `A(i + 2, j)` or `A(2 * i, i)` can meet,
//! as a separate tensor that loops follow like any other.

use std::sync::Arc;

use nnz_base::ids::{Dim, IndexVar};
use nnz_encoding::{Encoding, named};
use nnz_kernel::{Access, IndexExpr};
use nnz_plan::iterate;
use nnz_storage::{self as storage, Storage, StorageError, Triplets};

/// An access each of whose indices is a constant or follows from one variable.
pub(super) struct Window<'a> {
    indices: &'a [IndexExpr],
    /// The variables, in the order of the text, with their extents: the dimensions of the window.
    pub vars: Vec<IndexVar>,
    pub shape: Vec<u64>,
}

impl<'a> Window<'a> {
    /// The window of `access`, whose variables have the extents of `extent`; `None` for sums of variables, and for the
    /// whole operand.
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

    /// The entries of `storage` that the window meets, stored in [`Window::encoding`], and their number.
    ///
    /// # Errors
    /// As packing them.
    pub(super) fn cut(&self, storage: &Storage, to: &Arc<Encoding>) -> Result<(Storage, usize), StorageError> {
        let entries = storage::unpack(storage)?;
        let met: Vec<usize> = (0..entries.len()).filter(|at| self.meets(entries.coords(), *at)).collect();
        let (shape, coords) = match self.vars.as_slice() {
            [] => (vec![1], vec![vec![0; met.len()]]),
            vars => (self.shape.clone(), vars.iter().map(|var| self.column(entries.coords(), *var, &met)).collect()),
        };
        let entries = Triplets::new(shape, entries.element(), coords, entries.values().picked(&met))?;
        Ok((storage::pack_owned(entries, to)?, met.len()))
    }

    /// Whether some values of the variables lead to entry `at`.
    fn meets(&self, coords: &[Vec<u64>], at: usize) -> bool {
        self.indices.iter().zip(coords).all(|(index, column)| match index.terms() {
            [] => i128::from(column[at]) == i128::from(index.offset()),
            [(_, var), ..] => {
                let value = self.value(index, *var, column[at]);
                // If a variable occurs more than once, its first place determines it.
                value.is_some() && value == self.first_value(coords, *var, at)
            }
        })
    }

    /// The value of `var` that leads to a coordinate.
    fn value(&self, index: &IndexExpr, var: IndexVar, coordinate: u64) -> Option<u64> {
        let extent = self.vars.iter().zip(&self.shape).find(|(other, _)| **other == var).map(|(_, extent)| *extent)?;
        let (factor, _) = index.terms().first()?;
        let beyond = i128::from(coordinate) - i128::from(index.offset());
        quotient(beyond, i128::from(*factor)).filter(|value| *value < extent)
    }

    fn first_value(&self, coords: &[Vec<u64>], var: IndexVar, at: usize) -> Option<u64> {
        let dim = self.first_dim(var)?;
        self.value(&self.indices[dim], var, coords[dim][at])
    }

    fn first_dim(&self, var: IndexVar) -> Option<usize> {
        self.indices.iter().position(|index| index.vars().any(|other| other == var))
    }

    /// The values of a variable that lead to the entries that are met.
    fn column(&self, coords: &[Vec<u64>], var: IndexVar, met: &[usize]) -> Vec<u64> {
        met.iter().filter_map(|at| self.first_value(coords, var, *at)).collect()
    }

    /// The encoding of the window of an operand in `encoding`: a level for every variable, in the operand's order, the
    /// outermost dense if the operand is a matrix with a dense level; an array of one value if there are no variables.
    ///
    /// # Errors
    /// More variables than an encoding may have dimensions.
    pub(super) fn encoding(&self, encoding: &Encoding) -> Result<Arc<Encoding>, StorageError> {
        let stored = match self.vars.as_slice() {
            [] => named::dense(1).map(Arc::new),
            _ => self.levels(encoding),
        };
        stored.ok_or(StorageError::Rank { encoding: 0, tensor: self.vars.len() })
    }

    fn levels(&self, encoding: &Encoding) -> Option<Arc<Encoding>> {
        let names = self.vars.iter().map(|var| format!("d{}", var.index())).collect();
        let level_of = |var: &IndexVar| {
            let dim = self.first_dim(*var);
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

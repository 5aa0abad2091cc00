//! The extent of each variable. A dimension whose index is a single variable gives the variable its size. A variable
//! that occurs only in sums and multiples, such as the `i` of `x(i + k) * w(k)`, runs as far as every such access stays
//! in bounds, unless its extent is given. If an access has two variables without an extent, the shapes do not determine
//! them, and the kernel is refused.

use super::{Access, AccessRef, KernelError, Tensor, print::Names};
use nnz_base::ids::IndexVar;

/// One dimension of one access.
#[derive(Clone, Copy)]
pub(super) struct Use<'k> {
    pub access: &'k Access,
    pub tensor: &'k Tensor,
    pub place: AccessRef,
    pub dim: usize,
    pub size: u64,
}

impl Use<'_> {
    fn index(&self) -> &super::IndexExpr {
        &self.access.indices[self.dim]
    }
}

/// The extent of every variable; errors go to `errors`, and their variables get 0.
pub(super) fn extents(
    uses: &[Use<'_>],
    given: &[Option<u64>],
    names: &Names<'_>,
    errors: &mut Vec<KernelError>,
) -> Vec<u64> {
    let bounds = given.iter().map(|extent| extent.map(|extent| (extent, None))).collect();
    let mut solver = Solver { uses, names, bounds, errors };
    solver.plain();
    solver.affine();
    solver.check();
    solver.bounds.into_iter().map(|bound| bound.map_or(0, |(extent, _)| extent)).collect()
}

struct Solver<'s, 'k> {
    uses: &'s [Use<'k>],
    names: &'s Names<'s>,
    /// The extent of each variable that is known, and the use that gives it unless it is given.
    bounds: Vec<Option<(u64, Option<Use<'k>>)>>,
    errors: &'s mut Vec<KernelError>,
}

impl Solver<'_, '_> {
    fn extent(&self, var: IndexVar) -> Option<u64> {
        self.bounds.get(var.index()).copied().flatten().map(|(extent, _)| extent)
    }

    /// The extent; 1 of a variable that no value would keep in bounds, so that this comes out.
    fn reach(&self, var: IndexVar) -> Option<u64> {
        let (extent, by) = self.bounds.get(var.index()).copied().flatten()?;
        let computed = by.is_some_and(|by| by.index().as_var().is_none());
        Some(if computed { extent.max(1) } else { extent })
    }

    /// Dimensions that are indexed by a variable alone.
    fn plain(&mut self) {
        for found in self.uses {
            let Some(var) = found.index().as_var() else { continue };
            match self.bounds[var.index()] {
                None => self.bounds[var.index()] = Some((found.size, Some(*found))),
                Some((extent, _)) if extent == found.size => {}
                Some((first, Some(by))) => self.errors.push(mismatch(self.names.var(var), first, &by, found)),
                Some((window, None)) => self.errors.push(KernelError::WindowMismatch {
                    var: self.names.var(var).to_string(),
                    window,
                    size: found.size,
                    tensor: found.tensor.name.clone(),
                    place: found.place,
                }),
            }
        }
    }

    /// Variables that only sums and multiples use: one after the other, as they become the last open one
    /// of an access.
    fn affine(&mut self) {
        while let Some(var) = (0..self.bounds.len()).map(IndexVar::new).find(|var| self.is_next(*var)) {
            let limits = self.uses.iter().filter(|found| self.last_open(found) == Some(var));
            let least = limits.map(|found| (self.limit(found, var), Some(*found))).min_by_key(|(limit, _)| *limit);
            self.bounds[var.index()] = least;
        }
    }

    fn is_next(&self, var: IndexVar) -> bool {
        self.uses.iter().any(|found| self.last_open(found) == Some(var))
    }

    /// The variable of the index that is open, if it is only one.
    fn last_open(&self, found: &Use<'_>) -> Option<IndexVar> {
        let mut open = found.index().vars().filter(|var| self.extent(*var).is_none());
        open.next().filter(|_| open.next().is_none())
    }

    /// How many values `var` can take from 0 on, so that the index stays within its dimension.
    fn limit(&self, found: &Use<'_>, var: IndexVar) -> u64 {
        let factor = found.index().terms().iter().find(|(_, other)| *other == var).map_or(1, |(factor, _)| *factor);
        let alone = |other: IndexVar| if other == var { Some(1) } else { self.extent(other) };
        // Where another variable takes no value at all, no access is made.
        let Some((low, high)) = found.index().range(alone) else { return 0 };
        let room = if factor > 0 { i128::from(found.size) - 1 - high } else { low };
        let fits = low >= 0 && high < i128::from(found.size);
        if fits { u64::try_from(room / i128::from(factor.unsigned_abs()) + 1).unwrap_or(u64::MAX) } else { 0 }
    }

    /// Every index is in bounds, and every variable has an extent.
    fn check(&mut self) {
        for found in self.uses.iter().filter(|found| found.index().as_var().is_none()) {
            let open: Vec<IndexVar> = found.index().vars().filter(|var| self.extent(*var).is_none()).collect();
            let index = self.names.index(found.index());
            if let [first, ..] = open.as_slice() {
                let var = self.names.var(*first).to_string();
                self.errors.push(KernelError::OpenExtent { var, index, place: found.place });
                continue;
            }
            let Some((low, high)) = found.index().range(|var| self.reach(var)) else { continue };
            if low < 0 || high >= i128::from(found.size) {
                let (tensor, size, place) = (found.tensor.name.clone(), found.size, found.place);
                let reaches = if low < 0 { low } else { high };
                self.errors.push(KernelError::OutOfBounds { tensor, size, index, reaches, place });
            }
        }
        let used = |var: &usize| self.uses.iter().any(|found| found.index().vars().any(|other| other.index() == *var));
        let unbounded = (0..self.bounds.len()).filter(|var| self.bounds[*var].is_none() && !used(var));
        let unbounded: Vec<usize> = unbounded.collect();
        self.errors
            .extend(unbounded.into_iter().map(|var| KernelError::Unbounded { var: self.names.vars[var].to_string() }));
    }
}

fn mismatch(var: &str, extent: u64, first: &Use<'_>, second: &Use<'_>) -> KernelError {
    KernelError::ExtentMismatch {
        var: var.into(),
        first: extent,
        first_tensor: first.tensor.name.as_str().into(),
        first_place: first.place,
        second: second.size,
        second_tensor: second.tensor.name.as_str().into(),
        second_place: second.place,
    }
}

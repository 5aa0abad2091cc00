//! Sparse results whose products the loops list in the order in which they meet them.

use std::sync::Arc;

use super::{SparseOperand, derive, planner::Planner, rows::rows};
use nnz_base::ids::{Dim, IndexVar};
use nnz_encoding::{Encoding, EncodingParts, Layout, LevelFormat, Props};

/// Steps that one product takes on its way through the list: it is counted, written, sorted and added up.
const LISTING: f64 = 12.0;

/// How a result is listed.
pub(super) struct Listed {
    /// Coordinates in no order, with repetitions.
    pub(super) encoding: Arc<Encoding>,
    pub(super) order: Vec<IndexVar>,
}

impl Planner<'_> {
    /// The list for a result that would otherwise be appended to as `computed`, if that is estimated to cost more.
    pub(super) fn listed(&self, computed: Option<&Encoding>, operands: &[SparseOperand]) -> Option<Listed> {
        let indices = &self.kernel.result().indices;
        let sums = self.terms.iter().any(|term| !term.summed.is_empty());
        let apart = indices.iter().all(|var| self.can_scatter(Some(*var)));
        (sums && apart && indices.len() > 2 && self.wishes.assembling.is_none()).then_some(())?;
        let (_, _, cost) = self.appending_order(&rows(computed?, indices), operands);
        let listed = self.ordered(&[], indices, operands);
        (listed.cost * LISTING < cost).then_some(())?;
        Some(Listed { encoding: list_like(computed?)?, order: listed.order })
    }
}

/// Coordinates in no order, with repetitions, of the dimensions in the order of the encoding's levels.
fn list_like(encoding: &Encoding) -> Option<Arc<Encoding>> {
    let names = encoding.dims().iter().map(|dim| dim.name.clone()).collect();
    let dims: Vec<Dim> = encoding.permutation()?;
    let sorted = derive::sorted(names, &dims, false)?;
    let props = Props { nonunique: true, nonordered: true };
    let mut levels = sorted.levels().to_vec();
    for (at, level) in levels.iter_mut().enumerate() {
        level.format = match at {
            0 => LevelFormat::Compressed(props),
            _ => LevelFormat::Singleton { props, layout: Layout::Soa },
        };
    }
    let parts = EncodingParts { dims: sorted.dims().to_vec(), levels, ..EncodingParts::default() };
    Encoding::new(parts).ok().map(Arc::new)
}

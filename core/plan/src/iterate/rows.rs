//! The levels of a sparse result, as the loops fill them.

use std::sync::Arc;

use super::derive;
use nnz_base::ids::{Dim, IndexVar, Lvl};
use nnz_encoding::{Encoding, LevelFormat, format::Assembles};
use nnz_kernel::ReduceOp;

/// A level of the result, as the loops fill it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub lvl: Lvl,
    pub var: IndexVar,
    pub fill: Fill,
    /// The loop visits every coordinate.
    pub full: bool,
}

/// How a level of the result takes a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// It has a place already.
    Dense,
    /// Appended once, after what lies below it, if anything does.
    Append,
    /// The first level of a run that stores tuples: appended with each entry.
    Head,
    /// Another level of such a run.
    Tuple,
}

/// The encoding that the loops can fill: the wanted one, or one with its dimensions in the same order.
pub(super) fn computed_as(wanted: &Arc<Encoding>, combine: &ReduceOp) -> Option<Arc<Encoding>> {
    // A dense level below others holds zeros where there is no term. Only sums can start from a zero.
    let stored = wanted.levels().iter().map(|level| level.format).skip_while(|format| format.is_dense());
    let padded = *combine != ReduceOp::Sum && stored.clone().any(LevelFormat::is_dense);
    let plain = wanted.explicit_val().is_none() && !wanted.is_slice() && !padded;
    if plain && wanted.permutation().is_some() && fills(wanted).is_some() {
        return Some(wanted.clone());
    }
    let mut dims: Vec<Dim> = Vec::new();
    let levels = wanted.levels().iter().flat_map(|level| level.expr.vars());
    for dim in levels.chain((0..wanted.dim_rank()).map(Dim::new)) {
        if !dims.contains(&dim) {
            dims.push(dim);
        }
    }
    let names = wanted.dims().iter().map(|dim| dim.name.clone()).collect();
    derive::sorted(names, &dims, dims.len() == 2)
}

/// How each level is filled, where the loops can.
fn fills(encoding: &Encoding) -> Option<Vec<Fill>> {
    let formats: Vec<LevelFormat> = encoding.levels().iter().map(|level| level.format).collect();
    let in_run = |at: usize| formats.get(at + 1).is_some_and(|format| format.is_branchless());
    let below_run = |at: usize| formats[..at].iter().any(|format| format.is_branchless());
    let fill = |(at, format): (usize, &LevelFormat)| match format.assembles()? {
        // A tuple is appended with one value: there is no room for another level below it.
        Assembles::InPlace | Assembles::Appending if below_run(at) => None,
        Assembles::InPlace => Some(Fill::Dense),
        Assembles::Appending if in_run(at) => Some(Fill::Head),
        Assembles::Appending => Some(Fill::Append),
        Assembles::WithParent => Some(Fill::Tuple),
    };
    formats.iter().enumerate().map(fill).collect()
}

pub(super) fn rows(encoding: &Encoding, indices: &[IndexVar]) -> Vec<Row> {
    let (Some(fills), Some(dims)) = (fills(encoding), encoding.permutation()) else { return Vec::new() };
    let row = |(at, (fill, dim)): (usize, (Fill, Dim))| {
        let var = *indices.get(dim.index())?;
        Some(Row { lvl: Lvl::new(at), var, fill, full: false })
    };
    fills.into_iter().zip(dims).enumerate().filter_map(row).collect()
}

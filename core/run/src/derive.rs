//! Makes the tensors that a plan derives from operands.

use super::{Compiled, Means, Operand, RunError, cost, dealt, run, stored};
use nnz_base::ids::Dim;
use nnz_plan::{iterate::Derived, lower::Lowered};
use nnz_storage::{self as storage, Storage, StorageError, Triplets};

/// The tensors that `lowered` needs, in the order of its plan. Later runs can reuse them.
///
/// # Errors
/// Operands without data; data that do not fit their new encoding.
pub fn derive(
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    means: impl Into<Means>,
) -> Result<Vec<Storage>, RunError> {
    let means = means.into();
    let one = |(at, derived): (usize, &Derived)| {
        let conversion = (lowered.conversions.get(at), compiled.conversions.get(at));
        let (Some(Some(lowered)), Some(Some(compiled))) = conversion else {
            return by_library(lowered, derived, operands);
        };
        let source = operands.get(derived.from.index()).copied().flatten();
        run(lowered, compiled, &[source, None], means)
    };
    lowered.plan.derived.iter().enumerate().map(one).collect()
}

/// The number of threads that the conversions of operands, and of a result of this many entries, keep busy.
pub fn converting_threads(
    lowered: &Lowered,
    operands: &[Option<Operand<'_>>],
    result_entries: usize,
    threads: usize,
) -> usize {
    let packing = |entries: usize| if entries > storage::SORTED_TOGETHER { threads } else { 1 };
    let one = |(at, derived): (usize, &Derived)| {
        let source = operands.get(derived.from.index()).copied().flatten();
        match lowered.conversions.get(at) {
            Some(Some(conversion)) => dealt(conversion, cost::of(conversion, &[source, None]).threads(threads)),
            Some(None) | None => packing(stored(operands, derived.from).map_or(0, Storage::nse)),
        }
    };
    let result = if lowered.plan.converted.is_some() { packing(result_entries) } else { 1 };
    lowered.plan.derived.iter().enumerate().map(one).fold(result, usize::max)
}

fn by_library(lowered: &Lowered, derived: &Derived, operands: &[Option<Operand<'_>>]) -> Result<Storage, RunError> {
    let kernel = &lowered.plan.kernel;
    let name = || kernel.tensor(derived.from).name.clone();
    let source = stored(operands, derived.from).ok_or_else(|| RunError::Missing { tensor: name() })?;
    let missing = || RunError::Missing { tensor: name() };
    let encoding = kernel.tensor(derived.tensor).encoding.as_ref().ok_or_else(missing)?;
    let of_source = |error| RunError::Storage { tensor: name(), error: Box::new(error) };
    if derived.dims.iter().all(|dims| dims.len() == 1) {
        return storage::convert(source, encoding).map_err(of_source);
    }
    let entries = storage::unpack(source).and_then(|entries| diagonal(&entries, derived));
    entries.and_then(|entries| storage::pack_owned(entries, encoding)).map_err(of_source)
}

/// The entries whose coordinates agree in each group of dimensions.
fn diagonal(entries: &Triplets, derived: &Derived) -> Result<Triplets, StorageError> {
    let at = |dim: &Dim, entry: usize| entries.coords()[dim.index()][entry];
    let agrees = |entry: &usize| {
        derived.dims.iter().all(|dims| dims.windows(2).all(|pair| at(&pair[0], *entry) == at(&pair[1], *entry)))
    };
    let kept: Vec<usize> = (0..entries.len()).filter(agrees).collect();
    let column = |dims: &Vec<Dim>| kept.iter().map(|entry| at(&dims[0], *entry)).collect();
    let coords = derived.dims.iter().map(column).collect();
    let shape = derived.dims.iter().map(|dims| entries.shape()[dims[0].index()]).collect();
    let values = entries.values().picked(&kept);
    Ok(Triplets::new(shape, entries.element(), coords, values)?)
}

//! The arrays of a sparse result: their maximum lengths, and the storage made from them.

use std::sync::Arc;

use super::{
    BoundArray, Operand,
    sizes::{entries_of, plain_size},
};
use nnz_base::{
    arrays::{IndexArray, Values, Width},
    ids::Lvl,
};
use nnz_encoding::{Level, named};
use nnz_kernel::Tensor;
use nnz_plan::{
    iterate::{Assembly, Capacity, Fill, Method, ResultPlan, Row},
    lower::{ArrayBinding, Lowered},
};
use nnz_storage::{ArrayKind, LevelStorage, Storage, StorageError, pack};

/// How many positions each level that appends has, at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Room {
    counts: Vec<u64>,
    /// Per part and level, how many of them the parts before have.
    pub(super) starts: Vec<u64>,
}

impl Room {
    /// The room for the counts of every part and level.
    pub(super) fn counted(counts: &[u64], levels: usize) -> Room {
        let mut sums = vec![0; levels];
        let mut starts = Vec::with_capacity(counts.len());
        for part in counts.chunks(levels.max(1)) {
            starts.extend_from_slice(&sums);
            sums.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
        }
        Room { counts: sums, starts }
    }

    /// How many entries there is room for.
    pub(super) fn entries(&self) -> u64 {
        self.counts.last().copied().unwrap_or(0)
    }

    /// Whether some part ended beyond the last position of a level for which it has room.
    pub(super) fn is_outgrown(&self, ends: &[u64]) -> bool {
        let levels = self.counts.len().max(1);
        let limits = self.starts.chunks(levels).skip(1).chain([self.counts.as_slice()]).flatten();
        ends.iter().zip(limits).any(|(end, limit)| end > limit)
    }

    /// The positions of every level; one more than counted, because a coordinate is begun before it is
    /// known whether anything is below it.
    fn positions(&self, tensor: &Tensor, assembly: &Assembly) -> Vec<u128> {
        positions(tensor, assembly, |row| u128::from(self.counts.get(row).copied().unwrap_or(0)) + 1)
    }

    /// The length of an array of the result.
    pub(super) fn length(&self, tensor: &Tensor, assembly: &Assembly, binding: ArrayBinding) -> u128 {
        let positions = self.positions(tensor, assembly);
        let at = |lvl: Lvl| positions.get(lvl.index()).copied().unwrap_or(0);
        if let ArrayBinding::ResultPositions(lvl) = binding {
            // One for the end, and one to count ahead of the segments.
            return lvl.index().checked_sub(1).map_or(1, |above| at(Lvl::new(above))) + 2;
        }
        if let ArrayBinding::ResultCoordinates(lvl) = binding {
            return at(lvl);
        }
        positions.last().copied().unwrap_or(1)
    }
}

/// The positions of every level, of the number of those that append.
fn positions(tensor: &Tensor, assembly: &Assembly, count: impl Fn(usize) -> u128) -> Vec<u128> {
    let encoding = tensor.encoding.as_ref();
    let size = |row: usize| encoding.map_or(0, |encoding| plain_size(encoding, Lvl::new(row), &tensor.shape));
    let mut above = 1u128;
    let of_row = |(at, row): (usize, &Row)| {
        above = match row.fill {
            Fill::Dense => above.saturating_mul(u128::from(size(at))),
            Fill::Append | Fill::Head => count(at),
            Fill::Tuple => above,
        };
        above
    };
    assembly.rows.iter().enumerate().map(of_row).collect()
}

/// The room that a bound of the entries gives.
pub(super) fn bound(lowered: &Lowered, operands: &[Option<Operand<'_>>]) -> Option<Room> {
    let ResultPlan::Assembled(assembly) = &lowered.plan.result else { return None };
    let Capacity::Bound(bounds) = &assembly.capacity else { return None };
    let kernel = &lowered.plan.kernel;
    let walked = || bounds.iter().filter_map(|id| lowered.plan.operands.get(id.index()));
    let entries = walked().map(|operand| super::entries(kernel, operands, operand));
    let most = entries.fold(0, u64::saturating_add);
    let result = kernel.tensor(kernel.result().tensor);
    let appends = assembly.rows.iter().all(|row| matches!(row.fill, Fill::Dense | Fill::Append));
    let is_once = appends && is_unique(result) && walked().all(|operand| is_unique(kernel.tensor(operand.tensor)));
    let counts = if is_once { places(result) } else { vec![u64::MAX; assembly.rows.len()] };
    let counts: Vec<u64> = counts.into_iter().map(|places| places.min(most)).collect();
    Some(Room::counted(&counts, assembly.rows.len()))
}

/// Whether no coordinate stands twice below one position.
fn is_unique(tensor: &Tensor) -> bool {
    tensor
        .encoding
        .as_ref()
        .is_some_and(|encoding| encoding.levels().iter().all(|level| !level.format.props().nonunique))
}

/// How many positions each level can have if no coordinate stands twice: its size for each position above.
fn places(tensor: &Tensor) -> Vec<u64> {
    let Some(encoding) = &tensor.encoding else { return Vec::new() };
    let mut places = 1_u64;
    let of_level = |at: usize| {
        // A level of sums of dimensions has no plain size.
        let size = Some(plain_size(encoding, Lvl::new(at), &tensor.shape)).filter(|size| *size > 0);
        places = places.saturating_mul(size.unwrap_or(u64::MAX));
        places
    };
    (0..encoding.lvl_rank()).map(of_level).collect()
}

/// If a result has this many coordinates and one thread makes it, its arrays have room for every coordinate, and it is
/// not counted first. Memory that is never touched costs nothing if it comes fresh from the system, which begins at the
/// lower bound. At the upper bound 2^25 entries of 12 bytes are 400 MB of addresses.
const UNCOUNTED: std::ops::RangeInclusive<u128> = 1 << 22..=1 << 25;
/// With less free memory than this, which the largest of them can take, results are counted.
pub(super) const UNCOUNTED_BYTES: u64 = 1 << 30;

/// Room for every coordinate of the result, if that is better than counting.
pub(super) fn uncounted(lowered: &Lowered) -> Option<Room> {
    let ResultPlan::Assembled(assembly) = &lowered.plan.result else { return None };
    let tensor = lowered.plan.kernel.tensor(lowered.plan.kernel.result().tensor);
    let coordinates = entries_of(tensor);
    let once = !matches!(assembly.method, Method::Insert { .. } | Method::List) && UNCOUNTED.contains(&coordinates);
    let levels = assembly.rows.len();
    once.then(|| Room::counted(&vec![coordinates as u64; levels], levels))
}

/// A dense result.
pub(super) fn dense(tensor: &Tensor, values: Values) -> Result<Storage, StorageError> {
    let plain = || named::dense(tensor.shape.len()).map(Arc::new);
    let no_rank = StorageError::Rank { encoding: 0, tensor: tensor.shape.len() };
    let encoding = tensor.encoding.clone().or_else(plain).ok_or(no_rank)?;
    // Levels without arrays need no storage of zeros first.
    let level = |level: &Level| level.counts().is_none().then(|| LevelStorage::new(level.format, None, None)).flatten();
    match encoding.levels().iter().map(level).collect() {
        Some(levels) => Storage::new(encoding, tensor.element, tensor.shape.clone(), levels, values),
        None => pack::empty(&encoding, tensor.element, tensor.shape.clone())?.with_values(values),
    }
}

/// A result that loops have appended to.
pub(super) fn assembled(
    tensor: &Tensor,
    assembly: &Assembly,
    bindings: &[ArrayBinding],
    arrays: Vec<BoundArray<'_>>,
    mut values: Values,
) -> Result<Storage, StorageError> {
    let no_rank = StorageError::Rank { encoding: 0, tensor: tensor.shape.len() };
    let encoding = tensor.encoding.clone().ok_or(no_rank)?;
    let mut parts = Parts::new(bindings, arrays);
    let ends: Vec<u64> = parts.take(ArrayBinding::Ends).iter().flat_map(IndexArray::iter).collect();
    let counts = ends.rchunks(assembly.rows.len().max(1)).next().unwrap_or_default();
    let positions = positions(tensor, assembly, |row| u128::from(counts.get(row).copied().unwrap_or(0)));
    let length = |at: Option<usize>| at.map_or(1, |at| positions.get(at).copied().unwrap_or(0) as usize);
    values.truncate(length(positions.len().checked_sub(1)));
    let mut levels = Vec::new();
    for (at, level) in encoding.levels().iter().enumerate() {
        let lvl = Lvl::new(at);
        // Loops that append nothing anywhere do not have the arrays.
        let unused = |there: bool| there.then(|| IndexArray::zeros(Width::W64, length(at.checked_sub(1)) + 1));
        let pos = parts.take(ArrayBinding::ResultPositions(lvl)).or_else(|| unused(level.format.has_positions()));
        let pos = pos.map(|pos| truncated(pos, length(at.checked_sub(1)) + 1));
        let crd = parts.take(ArrayBinding::ResultCoordinates(lvl));
        let crd = crd.or_else(|| unused(level.format.has_coordinates())).map(|crd| truncated(crd, length(Some(at))));
        let pos = narrowed(pos, encoding.pos_width(), lvl, ArrayKind::Positions)?;
        let crd = narrowed(crd, encoding.crd_width(), lvl, ArrayKind::Coordinates)?;
        let format = || StorageError::Format { lvl, format: level.format.to_string() };
        levels.push(LevelStorage::new(level.format, pos, crd).ok_or_else(format)?);
    }
    Storage::new(encoding, tensor.element, tensor.shape.clone(), levels, values)
}

fn truncated(mut numbers: IndexArray, len: usize) -> IndexArray {
    numbers.truncate(len);
    numbers
}

/// The array in the encoding's width. Numbers of 64 bits are checked.
fn narrowed(
    numbers: Option<IndexArray>,
    width: Width,
    lvl: Lvl,
    array: ArrayKind,
) -> Result<Option<IndexArray>, StorageError> {
    match numbers {
        Some(IndexArray::U64(numbers)) => pack::narrow_array(Some(numbers), width, lvl, array),
        narrow => Ok(narrow),
    }
}

/// The arrays that a run has filled, for taking one by one.
struct Parts(Vec<(ArrayBinding, IndexArray)>);

impl Parts {
    fn new(bindings: &[ArrayBinding], arrays: Vec<BoundArray<'_>>) -> Parts {
        let own = bindings.iter().zip(arrays).filter_map(|(binding, array)| {
            if let BoundArray::OwnIndices(numbers) = array { Some((*binding, numbers)) } else { None }
        });
        Parts(own.collect())
    }

    fn take(&mut self, binding: ArrayBinding) -> Option<IndexArray> {
        let at = self.0.iter().position(|(other, _)| *other == binding)?;
        Some(self.0.swap_remove(at).1)
    }
}

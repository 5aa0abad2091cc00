//! `batch`: all coordinates, and a leading axis of every array. Only the outermost levels can be `batch`.
//!
//! ```text
//! batch         0          1         pos, crd and values of one batch after those of another,
//! pos         0 2 3      0 0 1       in equal parts; positions restart at 0, so a batch with
//! crd         1 4 2      3 . .       fewer entries leaves the end of its part unused
//! ```

use super::{Builder, Children, Code, Counts, LevelShape, Positions, RawLevel};
use crate::{Bounds, StorageError};
use nnz_base::{
    arrays::Values,
    element::{Scalar, Value},
    ids::Lvl,
};
use nnz_encoding::{Encoding, LevelFormat, format::Below};

pub(super) const CODE: Code = Code {
    build: |builder, lvl, _| build(builder, lvl),
    check: |_, _, place| check(place),
    expand: |_, place, parents| expand(place, parents),
};

pub(super) fn build(builder: &mut Builder<'_>, lvl: Lvl) -> Result<RawLevel, StorageError> {
    builder.fill(lvl)?;
    Ok(RawLevel::default())
}

/// One root position in each batch.
pub(super) fn check(_: &LevelShape) -> Result<u64, StorageError> {
    Ok(1)
}

/// Positions of batch levels number the batches.
pub(super) fn expand(place: &LevelShape, parents: &Positions) -> Children {
    let size = place.size;
    Children {
        positions: parents.times(size),
        coordinates: (0..parents.len()).flat_map(|_| 0..size).collect(),
        counts: Counts::Times(size),
    }
}

/// Parts arrays that were built as if batch levels were dense. Unused values are the explicit value,
/// so that it is every stored value.
pub(crate) fn part(
    encoding: &Encoding,
    bounds: &[Bounds],
    batches: u64,
    levels: Vec<RawLevel>,
    values: &Values,
) -> (Vec<RawLevel>, Values) {
    let mut parts = Parts { starts: (0..=batches).collect() };
    let below = levels.into_iter().zip(encoding.levels()).zip(bounds);
    let levels = below.map(|((raw, level), bounds)| parts.level(raw, level.format, bounds.size)).collect();
    let unused = encoding.explicit_val().map_or(Scalar::Int(0), |constant| constant.value);
    (levels, parts.values(values, unused))
}

/// Where the positions of each batch start, and the end of the last.
struct Parts {
    starts: Vec<u64>,
}

impl Parts {
    fn level(&mut self, raw: RawLevel, format: LevelFormat, size: u64) -> RawLevel {
        if format.multiplies() {
            self.starts.iter_mut().for_each(|start| *start *= size);
        }
        let per_parent = if format.below() == Below::Pair { 2 } else { 1 };
        let positions = raw.positions.map(|positions| self.positions(&positions, per_parent));
        let coordinates = raw.coordinates.map(|coordinates| self.spread(&coordinates, 0));
        RawLevel { positions, coordinates }
    }

    fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }
    fn widest(&self) -> usize {
        self.ranges().map(|range| range.len()).max().unwrap_or(0)
    }

    /// Restarts positions in each batch, `per_parent` a parent and one more, and moves on to the
    /// positions below.
    fn positions(&mut self, positions: &[u64], per_parent: usize) -> Vec<u64> {
        let part = self.widest() * per_parent + 1;
        let mut parted = Vec::with_capacity(part * self.starts.len());
        for range in self.ranges() {
            let own = &positions[range.start * per_parent..=range.end * per_parent];
            let (first, last) = (own[0], own[own.len() - 1]);
            parted.extend(own.iter().map(|position| position - first));
            parted.extend(std::iter::repeat_n(last - first, part - own.len()));
        }
        self.starts.iter_mut().for_each(|start| *start = positions[*start as usize * per_parent]);
        parted
    }

    fn spread<T: Copy>(&self, all: &[T], unused: T) -> Vec<T> {
        let part = self.widest();
        let mut parted = Vec::with_capacity(part * self.starts.len());
        for range in self.ranges() {
            parted.extend_from_slice(&all[range.clone()]);
            parted.extend(std::iter::repeat_n(unused, part - range.len()));
        }
        parted
    }

    fn values(&self, values: &Values, unused: Scalar) -> Values {
        nnz_base::with_values!(values, v => Values::from(self.spread(v, Value::from_scalar(unused))))
    }
}

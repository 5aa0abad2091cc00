//! The places of a sparse buffer, with their coordinates.

use nnz_base::{memory, source::Span};
use nnz_tir::{
    arrays::is_last,
    model::{Function, IteratorId},
};

use crate::{
    fault::{Done, unfit},
    machine::factor,
    structure::Level,
};

/// What is stored of a buffer: coordinates, so many for each entry, and where its value lies.
pub(super) struct Entries {
    pub(super) dimensions: usize,
    coordinates: Vec<i64>,
    pub(super) offsets: Vec<usize>,
}

impl Entries {
    pub(super) fn of((function, levels): (&Function, &[Level]), ids: &[IteratorId], place: Span) -> Done<Entries> {
        let dimensions = ids.len();
        let mut entries = Entries { dimensions, coordinates: Vec::new(), offsets: Vec::new() };
        let count = count((function, levels), ids);
        room(count, 8 * (dimensions as u64 + 1), place)?;
        walk((function, levels), ids, &mut |coordinates, offset| {
            entries.coordinates.extend(coordinates);
            entries.offsets.push(offset);
            Ok(())
        })?;
        Ok(entries)
    }
    pub(super) fn count(&self) -> usize {
        self.offsets.len()
    }
    pub(super) fn at(&self, entry: usize) -> &[i64] {
        &self.coordinates[entry * self.dimensions..(entry + 1) * self.dimensions]
    }
}

/// Memory for so many things of so many bytes.
pub(super) fn room(count: u128, bytes: u64, place: Span) -> Done<()> {
    memory::room_for(count, bytes).map_err(|refused| {
        Box::new(unfit(place, "the entries of this do not fit the memory").label(refused.to_string()))
    })
}

/// How many places a buffer over these iterators has.
pub(super) fn count((function, levels): (&Function, &[Level]), ids: &[IteratorId]) -> u128 {
    let last = ids.iter().filter(|id| is_last(function, ids, **id));
    last.fold(1, |product: u128, id| product.saturating_mul(factor(function, levels, *id).into()))
}

/// Visits every place of a buffer over these iterators, in their order: its coordinates, and where it lies.
pub(super) fn walk(
    of: (&Function, &[Level]),
    ids: &[IteratorId],
    visit: &mut impl FnMut(&[i64], usize) -> Done<()>,
) -> Done<()> {
    Walk { of, ids, visit }.from(&mut Vec::new(), &mut Vec::new(), 0)
}

struct Walk<'w, V> {
    of: (&'w Function, &'w [Level]),
    ids: &'w [IteratorId],
    visit: &'w mut V,
}

impl<V: FnMut(&[i64], usize) -> Done<()>> Walk<'_, V> {
    fn from(&mut self, positions: &mut Vec<u64>, coordinates: &mut Vec<i64>, offset: u64) -> Done<()> {
        let (function, levels) = self.of;
        let Some(id) = self.ids.get(positions.len()).copied() else {
            return (self.visit)(coordinates, usize::try_from(offset).unwrap_or(usize::MAX));
        };
        let parent = function.iterator(id).parent();
        let above = self.ids.iter().position(|other| Some(*other) == parent).and_then(|at| positions.get(at)).copied();
        let (level, factor) = (&levels[id.index()], factor(function, levels, id));
        let range = match above {
            Some(above) => level.range(above),
            None => 0..factor,
        };
        let ends = is_last(function, self.ids, id);
        for position in range.clone() {
            let local = if function.iterator(id).is_varied() { position } else { position - range.start };
            let offset = if ends { offset.saturating_mul(factor).saturating_add(local) } else { offset };
            positions.push(position);
            coordinates.push(i64::try_from(level.coordinate(position, &range)).unwrap_or(i64::MAX));
            let done = self.from(positions, coordinates, offset);
            positions.pop();
            coordinates.pop();
            done?;
        }
        Ok(())
    }
}

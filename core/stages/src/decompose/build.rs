//! The arrays of the structure of a format, made of the coordinates of its entries.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nnz_base::{arrays::Values, element::Scalar};
use nnz_tir::{
    model::{IteratorId, IteratorKind, ParamId, Width},
    rules::Ruled,
};

use super::{entries::room, numbers::Numbers, takes::above};
use crate::{
    array::{Array, Arrays},
    fault::{Done, unfit},
};

/// An entry: its number among those before, and its coordinates after the rewrite.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) entry: usize,
    pub(super) after: Vec<i64>,
}

impl Place {
    pub(super) fn of(&self, which: &[usize]) -> Vec<i64> {
        which.iter().map(|at| self.after[*at]).collect()
    }
}

/// Makes the arrays of a description under its own names.
pub(super) fn built(ruled: &Ruled<'_>, numbers: &mut Numbers<'_>, entries: &[Place]) -> Done<Arrays> {
    let mut building = Building { ruled, arrays: Arrays::new(), positions: HashMap::new(), counts: HashMap::new() };
    let pieces = building.pieces(numbers, entries)?;
    for id in ruled.description.iterator_ids().filter(|id| ruled.after.contains(id)) {
        building.iterator(id, numbers, (entries, &pieces))?;
    }
    for (name, id, value) in numbers.all() {
        let element = ruled.description.variable(id).element;
        let values = Values::from_scalars(element, [value]);
        building.arrays.insert(name.to_string(), Array { element, shape: Vec::new(), values });
    }
    Ok(building.arrays)
}

struct Building<'r> {
    ruled: &'r Ruled<'r>,
    arrays: Arrays,
    /// Of each iterator the position of every entry, over all parents.
    positions: HashMap<IteratorId, Vec<u64>>,
    /// Of each iterator how many positions it has.
    counts: HashMap<IteratorId, u64>,
}

/// Of each entry which piece of a row that is too long it lies in, and the iterator that stands once for each piece.
type Pieces = Option<(IteratorId, Vec<u64>)>;

impl Building<'_> {
    /// Rows of more entries than a fixed length are cut: an iterator above stands once for each piece.
    fn pieces(&mut self, numbers: &mut Numbers<'_>, entries: &[Place]) -> Done<Pieces> {
        let function = self.ruled.description;
        let mut found: Pieces = None;
        for (at, id) in self.ruled.after.iter().enumerate() {
            let IteratorKind::CompressedFixed { columns, .. } = &function.iterator(*id).kind else { continue };
            let rows = ranks(entries, &above(self.ruled, *id), at);
            let longest = rows.iter().map(|rank| rank + 1).max().unwrap_or(0);
            numbers.settle(columns, longest);
            let columns = numbers.value(columns)?;
            if longest <= columns {
                continue;
            }
            let path = function.path(*id);
            let above = path.iter().rev().skip(1).find(|above| function.iterator(**above).is_varied());
            let Some(above) = above.filter(|_| columns > 0 && found.is_none()) else {
                let name = &function.iterator(*id).name;
                let message = format!("a row has {longest} entries, and `{name}` has room for {columns}");
                let told = unfit(self.ruled.rule.place.0, message).label("the last rule that can take it");
                return Err(Box::new(told.help("add a rule that takes longer rows")));
            };
            found = Some((*above, rows.into_iter().map(|rank| rank / columns).collect()));
        }
        Ok(found)
    }

    fn iterator(
        &mut self,
        id: IteratorId,
        numbers: &mut Numbers<'_>,
        (entries, pieces): (&[Place], &Pieces),
    ) -> Done<()> {
        let function = self.ruled.description;
        let iterator = function.iterator(id);
        let at = self.ruled.after.iter().position(|other| *other == id).unwrap_or(0);
        let length = numbers.value(&iterator.length)?;
        self.check(entries, (at, length))?;
        let coordinate = |entry: &Place| u64::try_from(entry.after[at]).unwrap_or(0);
        let pieces = pieces.as_ref().filter(|(of, _)| *of == id).map(|(_, pieces)| pieces);
        let piece = |number: usize| pieces.map_or(0, |pieces| pieces[number]);
        match &iterator.kind {
            IteratorKind::DenseFixed | IteratorKind::Flatten { .. } => {
                self.counts.insert(id, length);
                self.positions.insert(id, entries.iter().map(coordinate).collect());
            }
            IteratorKind::DenseVaried { parent, count, indptr } => {
                let inner: Vec<u64> = (0..).zip(entries).map(|(number, one)| coordinate(one) + piece(number)).collect();
                self.ragged((id, *parent, *indptr), &inner, iterator.width)?;
                if let Some(count) = count {
                    numbers.settle(count, self.counts[&id]);
                }
            }
            IteratorKind::CompressedVaried { parent, count, indptr, indices, .. } => {
                let inner: Vec<(u64, u64)> =
                    (0..).zip(entries).map(|(number, one)| (coordinate(one), piece(number))).collect();
                self.compressed((id, *parent), (*indptr, *indices), &inner, iterator.width)?;
                numbers.settle(count, self.counts[&id]);
            }
            IteratorKind::CompressedFixed { parent, columns, indices, .. } => {
                let columns = numbers.value(columns)?;
                let inner: Vec<u64> = entries.iter().map(coordinate).collect();
                self.rows((id, *parent, *indices), columns, &inner, iterator.width)?;
            }
        }
        Ok(())
    }

    fn check(&self, entries: &[Place], (at, length): (usize, u64)) -> Done<()> {
        let is_outside =
            |entry: &&Place| u64::try_from(entry.after[at]).map_or(true, |coordinate| coordinate >= length);
        let Some(outside) = entries.iter().find(is_outside) else { return Ok(()) };
        let name = &self.ruled.description.iterator(self.ruled.after[at]).name;
        let message = format!("the map gives the coordinate {} of `{name}`, which has {length}", outside.after[at]);
        let told = unfit(self.ruled.rule.places.there.0, message).label("this map");
        Err(Box::new(told.help("declare a length that holds all coordinates")))
    }

    /// Rows of the first positions, as many as the last entry needs.
    fn ragged(
        &mut self,
        (id, parent, indptr): (IteratorId, IteratorId, ParamId),
        inner: &[u64],
        width: Width,
    ) -> Done<()> {
        let (above, rows) = (self.positions[&parent].clone(), self.counts[&parent]);
        let mut lengths: BTreeMap<u64, u64> = BTreeMap::new();
        for (row, at) in above.iter().zip(inner) {
            let length = lengths.entry(*row).or_default();
            *length = (*length).max(at + 1);
        }
        let starts = self.starts(rows, |row| lengths.get(&row).copied().unwrap_or(0))?;
        let position = |(row, at): (&u64, &u64)| starts[*row as usize] + at;
        self.positions.insert(id, above.iter().zip(inner).map(position).collect());
        self.finish(id, &starts, (indptr, width))
    }

    /// Rows of the coordinates that are there, in order.
    fn compressed(
        &mut self,
        (id, parent): (IteratorId, IteratorId),
        (indptr, indices): (ParamId, ParamId),
        inner: &[(u64, u64)],
        width: Width,
    ) -> Done<()> {
        let (above, rows) = (self.positions[&parent].clone(), self.counts[&parent]);
        let all: BTreeSet<(u64, (u64, u64))> = above.iter().copied().zip(inner.iter().copied()).collect();
        let all: Vec<(u64, (u64, u64))> = all.into_iter().collect();
        let mut lengths: HashMap<u64, u64> = HashMap::new();
        all.iter().for_each(|(row, _)| *lengths.entry(*row).or_default() += 1);
        let starts = self.starts(rows, |row| lengths.get(&row).copied().unwrap_or(0))?;
        let position = |key: (&u64, &(u64, u64))| all.binary_search(&(*key.0, *key.1)).unwrap_or(0) as u64;
        self.positions.insert(id, above.iter().zip(inner).map(position).collect());
        self.array(indices, width, all.iter().map(|(_, (coordinate, _))| *coordinate));
        self.finish(id, &starts, (indptr, width))
    }

    /// As many coordinates in each row; what is left over repeats the last, whose values are 0.
    fn rows(
        &mut self,
        (id, parent, indices): (IteratorId, IteratorId, ParamId),
        columns: u64,
        inner: &[u64],
        width: Width,
    ) -> Done<()> {
        let (above, rows) = (self.positions[&parent].clone(), self.counts[&parent]);
        room(u128::from(rows) * u128::from(columns), 16, self.ruled.rule.place.0)?;
        let all: BTreeSet<(u64, u64)> = above.iter().copied().zip(inner.iter().copied()).collect();
        let mut stored = vec![0; usize::try_from(rows * columns).unwrap_or(0)];
        let mut places: HashMap<(u64, u64), u64> = HashMap::new();
        let mut filled: HashMap<u64, u64> = HashMap::new();
        for (row, coordinate) in all {
            let rank = filled.entry(row).or_default();
            let first = (row * columns + *rank) as usize;
            // Until the next one comes it is the last.
            stored[first..((row + 1) * columns) as usize].fill(coordinate);
            places.insert((row, coordinate), row * columns + *rank);
            *rank += 1;
        }
        self.positions.insert(id, above.iter().zip(inner).map(|(row, at)| places[&(*row, *at)]).collect());
        self.counts.insert(id, rows * columns);
        self.array(indices, width, stored.into_iter());
        Ok(())
    }

    fn starts(&self, rows: u64, length: impl Fn(u64) -> u64) -> Done<Vec<u64>> {
        room(u128::from(rows) + 1, 16, self.ruled.rule.place.0)?;
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend((0..rows).map(|row| {
            end += length(row);
            end
        }));
        Ok(starts)
    }

    fn finish(&mut self, id: IteratorId, starts: &[u64], (indptr, width): (ParamId, Width)) -> Done<()> {
        self.counts.insert(id, starts.last().copied().unwrap_or(0));
        self.array(indptr, width, starts.iter().copied());
        Ok(())
    }

    fn array(&mut self, param: ParamId, width: Width, numbers: impl ExactSizeIterator<Item = u64>) {
        let (element, shape) = (width.element(), vec![numbers.len() as u64]);
        let values = Values::from_scalars(element, numbers.map(|number| Scalar::Int(number.into())));
        let name = self.ruled.description.param(param).name.clone();
        self.arrays.insert(name, Array { element, shape, values });
    }
}

/// The place of each entry's coordinate among the different ones of its row, in order.
fn ranks(entries: &[Place], row: &[usize], at: usize) -> Vec<u64> {
    let mut rows: BTreeMap<Vec<i64>, BTreeSet<i64>> = BTreeMap::new();
    for entry in entries {
        rows.entry(entry.of(row)).or_default().insert(entry.after[at]);
    }
    let ranks: HashMap<Vec<i64>, HashMap<i64, u64>> =
        rows.into_iter().map(|(row, all)| (row, all.into_iter().zip(0..).collect())).collect();
    entries.iter().map(|entry| ranks[&entry.of(row)][&entry.after[at]]).collect()
}

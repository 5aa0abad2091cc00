//! The values of a part: of each place the entry with its coordinates before the rewrite.

use std::collections::HashMap;

use nnz_base::arrays::Values;
use nnz_tir::{
    maps::{mapped, point},
    model::{BufferId, Function, Origin},
    rules::Ruled,
};

use super::{
    entries::{Entries, count, room, walk},
    merged::suffixed,
};
use crate::{
    array::{Array, Arrays},
    fault::{Done, unfit},
    structure::Level,
};

/// What an array of a buffer is called.
fn named(function: &Function, id: BufferId) -> String {
    let buffer = function.buffer(id);
    let Origin::Handle(param) = buffer.origin else { return buffer.name.clone() };
    function.param(param).name.clone()
}

/// Which rule has which entry.
pub(super) struct Owners {
    /// Where the entry with some coordinates is.
    entries: HashMap<u128, usize>,
    lengths: Vec<i64>,
    /// The number of the rule, if one has it.
    pub(super) of: Vec<Option<usize>>,
}

impl Owners {
    pub(super) fn new(entries: &Entries, lengths: &[i64], place: nnz_base::source::Span) -> Done<Owners> {
        room(entries.count() as u128, 64, place)?;
        let mut owners = Owners { entries: HashMap::new(), lengths: lengths.to_vec(), of: vec![None; entries.count()] };
        for entry in 0..entries.count() {
            if let Some(key) = owners.key(entries.at(entry))
                && owners.entries.insert(key, entry).is_some()
            {
                let told = unfit(place, format!("two entries are at {}", point(entries.at(entry))));
                return Err(Box::new(
                    told.label("decomposed here").help("add up entries at the same coordinates first"),
                ));
            }
        }
        Ok(owners)
    }

    /// A number of a coordinate, if it is inside.
    fn key(&self, coordinates: &[i64]) -> Option<u128> {
        let pairs = coordinates.iter().zip(&self.lengths);
        let is_inside = { pairs.clone() }.all(|(coordinate, length)| (0..*length).contains(coordinate));
        is_inside.then(|| pairs.fold(0, |key, (coordinate, length)| key * *length as u128 + *coordinate as u128))
    }

    fn find(&self, coordinates: &[i64]) -> Option<usize> {
        self.entries.get(&self.key(coordinates)?).copied()
    }
}

/// A part over its structure.
pub(super) struct Part<'p> {
    pub(super) number: usize,
    pub(super) ruled: &'p Ruled<'p>,
    pub(super) levels: &'p [Level],
    /// Whether the caller gives the structure, so that nothing else says which entries are in it.
    pub(super) is_given: bool,
}

impl Part<'_> {
    /// The arrays of values under their names in the function.
    pub(super) fn filled(
        &self,
        owners: &mut Owners,
        (function, entries): (&Function, &Entries),
        arrays: &Arrays,
    ) -> Done<Arrays> {
        let mut found = Arrays::new();
        for (own, theirs) in &self.ruled.buffers {
            let description = self.ruled.description;
            let name = named(function, *own);
            let source = arrays.get(&name).or_else(|| arrays.get(&function.buffer(*own).name));
            let Some(source) = source.filter(|source| source.values.len() == entries.count()) else {
                let told = unfit(function.buffer(*own).place.0, format!("`{name}` is not given"));
                return Err(Box::new(told.label("an array of a value for each entry is wanted")));
            };
            let array = self.values(*theirs, owners, (source, entries))?;
            found.insert(suffixed(&named(description, *theirs), self.ruled), array);
        }
        Ok(found)
    }

    /// The values of a buffer of the description.
    fn values(&self, theirs: BufferId, owners: &mut Owners, (source, entries): (&Array, &Entries)) -> Done<Array> {
        let buffer = self.ruled.description.buffer(theirs);
        let size = count((self.ruled.description, self.levels), buffer.iterators());
        room(size, buffer.element.bytes() as u64, self.ruled.rule.place.0)?;
        let mut values = Values::zeros(buffer.element, usize::try_from(size).unwrap_or(0));
        for (place, entry) in self.places(owners, (theirs, entries))? {
            if let Some(value) = source.values.get(entries.offsets[entry]) {
                values.set(place, value);
            }
        }
        Ok(Array { element: buffer.element, shape: vec![values.len() as u64], values })
    }

    /// Where each entry of the part lies. A place that repeats an entry is padding.
    fn places(&self, owners: &mut Owners, (buffer, entries): (BufferId, &Entries)) -> Done<Vec<(usize, usize)>> {
        let mut places = Vec::new();
        let description = self.ruled.description;
        let ids = description.buffer(buffer).iterators();
        let order: Vec<usize> =
            { self.ruled.after.iter() }.filter_map(|id| ids.iter().position(|other| other == id)).collect();
        let mut has = vec![false; entries.count()];
        let mut after = vec![0; order.len()];
        walk((description, self.levels), ids, &mut |coordinates, offset| {
            order.iter().zip(&mut after).for_each(|(at, own)| *own = coordinates[*at]);
            let Some(entry) = mapped(&self.ruled.rule.back, &after).and_then(|before| owners.find(&before)) else {
                return Ok(());
            };
            match owners.of[entry] {
                Some(owner) if owner == self.number && !has[entry] => {}
                Some(owner) if self.is_given && owner != self.number => {
                    return Err(self.overlap(entries.at(entry)));
                }
                None if self.is_given => owners.of[entry] = Some(self.number),
                Some(_) | None => return Ok(()),
            }
            has[entry] = true;
            places.push((offset, entry));
            Ok(())
        })?;
        let missing = (0..entries.count()).find(|entry| owners.of[*entry] == Some(self.number) && !has[*entry]);
        match missing {
            Some(entry) => {
                let message = format!("the entry at {} does not come back from this format", point(entries.at(entry)));
                let told = unfit(self.ruled.rule.places.back.0, message).label("the map back");
                Err(Box::new(told.help("the maps invert each other at every entry")))
            }
            None => Ok(places),
        }
    }

    fn overlap(&self, coordinates: &[i64]) -> Box<nnz_base::diagnostic::Diagnostic> {
        let message = format!("the entry at {} is in two parts", point(coordinates));
        let told = unfit(self.ruled.rule.place.0, message).label("the second");
        Box::new(told.help("the parts share no entry: leave the structure out, and nnz makes it"))
    }
}

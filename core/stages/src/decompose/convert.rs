//! The arrays of all parts, made of those of the function.

use nnz_base::{arrays::Values, diagnostic::Diagnostic, element::Scalar};
use nnz_tir::{
    maps::{mapped, point},
    model::{Function, IteratorKind, Role},
    rules::Ruled,
};

use super::{
    build::{Place, built},
    entries::Entries,
    fill::{Owners, Part},
    merged::{holds_rows, suffixed},
    numbers::Numbers,
    takes::{admits, held},
};
use crate::{
    array::{Array, Arrays},
    bind::{levels, scalars},
    fault::{Done, unfit},
};

/// The arrays for a decomposed function: those of the function, and of each part its structure, its numbers and its values.
/// A structure that is given stays as it is.
///
/// # Errors
/// An array that is missing or does not fit; entries that no rule takes, or two.
pub fn parted(function: &Function, rules: &[Ruled<'_>], arrays: &Arrays) -> Result<Arrays, Box<Diagnostic>> {
    let Some(first) = rules.first() else { return Ok(arrays.clone()) };
    let place = first.rule.place.0;
    let known = levels(function, &scalars(function, arrays)?, arrays)?;
    let lengths: Vec<i64> =
        first.before.iter().map(|id| i64::try_from(known[id.index()].length).unwrap_or(i64::MAX)).collect();
    let entries = Entries::of((function, &known), &first.before, place)?;
    let owners = Owners::new(&entries, &lengths, place)?;
    let mut conversion = Conversion { function, rules, entries, lengths, owners, arrays };
    let last = conversion.last_of_each()?;
    let mut found = arrays.clone();
    for number in 0..rules.len() {
        found.extend(conversion.part(number, &last)?);
    }
    conversion.check_all()?;
    Ok(found)
}

struct Conversion<'c> {
    function: &'c Function,
    rules: &'c [Ruled<'c>],
    entries: Entries,
    /// Of the iterators before.
    lengths: Vec<i64>,
    owners: Owners,
    arrays: &'c Arrays,
}

impl Conversion<'_> {
    /// The arrays that are given for a part, under the names of its description.
    fn view(&self, ruled: &Ruled<'_>) -> Arrays {
        let description = ruled.description;
        let params = description.params.iter().map(|param| (param.name.clone(), suffixed(&param.name, ruled)));
        let of_iterators = description.iterators.iter().flat_map(|iterator| {
            let own = suffixed(&iterator.name, ruled);
            ["indptr", "indices"].map(|word| (format!("{}_{word}", iterator.name), format!("{own}_{word}")))
        });
        let given = params.chain(of_iterators);
        let given = given.filter_map(|(name, own)| Some((name, self.arrays.get(&own)?.clone())));
        let constants = description.variables.iter().filter(|variable| variable.role == Role::Captured);
        let constants = constants.filter_map(|variable| {
            let known = ruled.rule.description.constants.iter().find(|(name, _)| *name == variable.name)?;
            let values = Values::from_scalars(variable.element, [Scalar::Int(known.1.into())]);
            Some((variable.name.clone(), Array { element: variable.element, shape: Vec::new(), values }))
        });
        given.chain(constants).collect()
    }

    /// The last rule that can take each entry.
    fn last_of_each(&self) -> Done<Vec<usize>> {
        let mut last = vec![0; self.entries.count()];
        for (number, ruled) in self.rules.iter().enumerate() {
            let numbers = Numbers::of(ruled, &self.view(ruled), &self.lengths);
            for (entry, last) in last.iter_mut().enumerate() {
                if admits(ruled, &numbers, self.entries.at(entry))? {
                    *last = number;
                }
            }
        }
        Ok(last)
    }

    /// The arrays of a part, under their names in the decomposed function.
    fn part(&mut self, number: usize, last: &[usize]) -> Done<Arrays> {
        let ruled = &self.rules[number];
        let mut view = self.view(ruled);
        let description = loose(ruled.description);
        let is_given = description.iterators.iter().any(|iterator| {
            let named = [("indptr", iterator.indptr()), ("indices", iterator.indices())];
            named.into_iter().any(|(word, param)| {
                param.is_some_and(|param| {
                    let name = format!("{}_{word}", iterator.name);
                    view.contains_key(&description.param(param).name) || view.contains_key(&name)
                })
            })
        });
        if !is_given {
            let made = self.made(number, &view, last)?;
            view.extend(made);
        }
        let known = levels(&description, &scalars(&description, &view)?, &view)?;
        let part = Part { number, ruled, levels: &known, is_given };
        let filled = part.filled(&mut self.owners, (self.function, &self.entries), self.arrays)?;
        let own = |(name, array): (String, Array)| (suffixed(&name, ruled), array);
        let params = view.into_iter().filter(|(name, _)| description.params.iter().any(|param| param.name == *name));
        Ok(params.map(own).chain(filled).collect())
    }

    /// The structure of a part, made of the entries that it takes.
    fn made(&mut self, number: usize, view: &Arrays, last: &[usize]) -> Done<Arrays> {
        let ruled = &self.rules[number];
        let mut numbers = Numbers::of(ruled, view, &self.lengths);
        let mut free = Vec::new();
        for entry in 0..self.entries.count() {
            let coordinates = self.entries.at(entry);
            if self.owners.of[entry].is_some() || !admits(ruled, &numbers, coordinates)? {
                continue;
            }
            let Some(after) = mapped(&ruled.rule.there, coordinates) else {
                let told = unfit(ruled.rule.places.there.0, format!("the map gives nothing at {}", point(coordinates)));
                return Err(Box::new(
                    told.label("this map").help("use sums, products and quotients by numbers from 1 on"),
                ));
            };
            free.push(Place { entry, after });
        }
        let taken = held(ruled, &numbers, &free, |place| last[place.entry] == number)?;
        let own: Vec<Place> = free.into_iter().zip(taken).filter(|(_, taken)| *taken).map(|(place, _)| place).collect();
        own.iter().for_each(|place| self.owners.of[place.entry] = Some(number));
        built(ruled, &mut numbers, &own)
    }

    /// Every entry is in some part.
    fn check_all(&self) -> Done<()> {
        let left = self.owners.of.iter().filter(|owner| owner.is_none()).count();
        let Some(first) = self.owners.of.iter().position(Option::is_none) else { return Ok(()) };
        let message = match left {
            1 => format!("no rule takes the entry at {}", point(self.entries.at(first))),
            _ => format!("no rule takes {left} entries, the first of them at {}", point(self.entries.at(first))),
        };
        let place = self.rules.last().map_or(self.function.place.0, |ruled| ruled.rule.place.0);
        let told = unfit(place, message).label("the last rule");
        Err(Box::new(told.help("add a rule that takes what is left")))
    }
}

/// A description in which rows that are too long may stand several times.
fn loose(description: &Function) -> Function {
    let mut loose = description.clone();
    for id in description.iterator_ids().filter(|id| holds_rows(description, *id)) {
        if let IteratorKind::CompressedVaried { sorted, .. } = &mut loose.iterators[id.index()].kind {
            *sorted = false;
        }
    }
    loose
}

//! The structure of an iterator as arrays, checked: then what its positions are is settled.

use std::ops::Range;

use nnz_base::{diagnostic::Diagnostic, source::Span};

use crate::fault::{Done, unfit};

/// An iterator over its arrays.
pub(crate) struct Level {
    /// Coordinates lie below it.
    pub(crate) length: u64,
    /// Positions over all parents.
    pub(crate) positions: u64,
    pub(crate) extent: Extent,
    /// The coordinate of each position; without them it is the place among those of the parent.
    pub(crate) coordinates: Option<Vec<u64>>,
}

/// How many positions each parent has.
pub(crate) enum Extent {
    Same(u64),
    /// Where they begin, and at last where they end.
    Listed(Vec<u64>),
}

/// What an array of the structure is called, and where its iterator is declared.
#[derive(Clone, Copy)]
pub(crate) struct Named<'n> {
    pub(crate) name: &'n str,
    pub(crate) place: Span,
}

impl Named<'_> {
    fn wrong<T>(self, message: impl std::fmt::Display) -> Done<T> {
        Err(Box::new(self.told(message)))
    }
    fn told(self, message: impl std::fmt::Display) -> Diagnostic {
        unfit(self.place, format!("`{}`: {message}", self.name)).label("the iterator of this array")
    }
}

impl Level {
    /// The positions below one of the parent.
    pub(crate) fn range(&self, parent: u64) -> Range<u64> {
        match &self.extent {
            // A position that a text writes may be any number.
            Extent::Same(count) => parent.saturating_mul(*count)..parent.saturating_add(1).saturating_mul(*count),
            Extent::Listed(starts) => {
                // Behind the last parent nothing begins.
                let end = starts.last().copied().unwrap_or(0);
                let at = |at: u64| usize::try_from(at).ok().and_then(|at| starts.get(at)).copied().unwrap_or(end);
                at(parent)..at(parent.saturating_add(1))
            }
        }
    }

    /// The coordinate at a position, which lies in `range`.
    pub(crate) fn coordinate(&self, position: u64, range: &Range<u64>) -> u64 {
        let stored = self.coordinates.as_ref().and_then(|all| all.get(usize::try_from(position).ok()?));
        stored.copied().unwrap_or(position - range.start)
    }

    /// The position of a coordinate among those in `range`, if it is there.
    pub(crate) fn find(&self, coordinate: i128, range: Range<u64>) -> Option<u64> {
        let wanted = u64::try_from(coordinate).ok()?;
        let Some(all) = &self.coordinates else {
            return (wanted < range.end.saturating_sub(range.start)).then_some(range.start.saturating_add(wanted));
        };
        let stored = all.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)?;
        let at = stored.iter().position(|stored| *stored == wanted)?;
        Some(range.start + at as u64)
    }
}

/// Where positions begin: from 0 on, never less, up to the count, and no more of one parent than coordinates.
pub(crate) fn check_starts(starts: &[u64], (rows, count, length): (u64, Option<u64>, u64), of: Named<'_>) -> Done<()> {
    if starts.len() as u64 != rows + 1 {
        return of.wrong(format!(
            "{} numbers, and {} are wanted: one more than the parent has positions",
            starts.len(),
            rows + 1
        ));
    }
    if let Some(first) = starts.first().filter(|first| **first != 0) {
        return of.wrong(format!("it begins with {first}, not with 0: a part of a larger array begins elsewhere"));
    }
    for (row, pair) in starts.windows(2).enumerate() {
        match pair {
            [start, end] if end < start => return of.wrong(format!("it falls from {start} to {end} in row {row}")),
            [start, end] if end - start > length => {
                return of.wrong(format!("row {row} has {} positions, and {length} coordinates are all", end - start));
            }
            _ => {}
        }
    }
    match (starts.last(), count) {
        (Some(last), Some(count)) if *last != count => {
            of.wrong(format!("it ends with {last}, and the count is {count}"))
        }
        _ => Ok(()),
    }
}

/// Coordinates below the length, ascending within each parent if they are said to be.
pub(crate) fn check_coordinates(level: &Level, (rows, sorted): (u64, bool), of: Named<'_>) -> Done<()> {
    let coordinates = level.coordinates.as_deref().unwrap_or_default();
    if coordinates.len() as u64 != level.positions {
        return of.wrong(format!("{} coordinates for {} positions", coordinates.len(), level.positions));
    }
    if let Some(at) = coordinates.iter().position(|coordinate| *coordinate >= level.length) {
        return of.wrong(format!("the coordinate {} at position {at} is none of {}", coordinates[at], level.length));
    }
    let is_varied = matches!(level.extent, Extent::Listed(_));
    // Padding of fixed rows repeats coordinates.
    let rows = if sorted && is_varied { 0..rows } else { 0..0 };
    for row in rows {
        let range = level.range(row);
        let fiber = usize::try_from(range.start).unwrap_or(0)..usize::try_from(range.end).unwrap_or(0);
        if let Some(pair) = coordinates.get(fiber).unwrap_or_default().windows(2).find(|pair| pair[0] >= pair[1]) {
            let told = of.told(format!("row {row} has {} before {}", pair[0], pair[1]));
            return Err(Box::new(told.help("sort the coordinates of each row, or declare `sorted=False`")));
        }
    }
    Ok(())
}

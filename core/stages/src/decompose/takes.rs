//! Which entries a rule takes, of those that the rules before it have left.
//!
//! A rule takes what its format holds well: rows of a fixed length that are long enough, and blocks of which enough is
//! stored (`"filled"` of the description, else half). An entry that no later rule can take is taken anyhow.
//! `"takes"` of the description limits a rule to some coordinates.

use std::collections::{BTreeMap, HashSet};

use nnz_base::element::Scalar;
use nnz_tir::{
    model::{IteratorId, IteratorKind, Real, Value},
    rules::{Ruled, illegal},
};

use super::{build::Place, numbers::Numbers};
use crate::{closed::value, fault::Done};

/// The key of a description that says which part of a block is stored at least.
const FILLED: &str = "filled";

/// The key of a description that says which coordinates a rule takes.
const TAKES: &str = "takes";

/// Whether the description admits an entry with these coordinates before.
pub(super) fn admits(ruled: &Ruled<'_>, numbers: &Numbers<'_>, coordinates: &[i64]) -> Done<bool> {
    let Some(Value::Map(map)) = ruled.description.attributes.get(TAKES) else { return Ok(true) };
    let place = ruled.rule.places.description.0;
    if map.variables.len() != coordinates.len() {
        let message = format!("`{TAKES}` takes {} coordinates of {}", map.variables.len(), coordinates.len());
        return Err(Box::new(illegal(place, message).help("it takes the coordinates before the rewrite")));
    }
    let mut scalars = numbers.scalars().to_vec();
    for (variable, coordinate) in map.variables.iter().zip(coordinates) {
        scalars[variable.index()] = Some(Scalar::Int((*coordinate).into()));
    }
    for condition in &map.results {
        if value(ruled.description, &scalars, condition)? == Scalar::Int(0) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Of entries with coordinates after the rewrite those that the format holds well; those that are `forced` take what is
/// in one row or block with them.
pub(super) fn held(
    ruled: &Ruled<'_>,
    numbers: &Numbers<'_>,
    entries: &[Place],
    forced: impl Fn(&Place) -> bool,
) -> Done<Vec<bool>> {
    let rows = rows(ruled, numbers);
    let (outer, volume) = blocks(ruled, numbers)?;
    let filled = least(ruled);
    let mut groups: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        groups.entry(entry.of(&outer)).or_default().push(at);
    }
    let mut taken = vec![false; entries.len()];
    for group in groups.values() {
        let is_full = group.len() as f64 >= filled * volume as f64;
        let is_forced = group.iter().any(|at| forced(&entries[*at]));
        group.iter().for_each(|at| taken[*at] = is_full || is_forced);
    }
    for (path, id, columns) in rows {
        let mut rows: BTreeMap<Vec<i64>, (HashSet<i64>, Vec<usize>)> = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate().filter(|(at, _)| taken[*at]) {
            let (coordinates, members) = rows.entry(entry.of(&path)).or_default();
            coordinates.insert(entry.after[id]);
            members.push(at);
        }
        for (coordinates, members) in rows.values() {
            let fits = coordinates.len() as u64 <= columns || members.iter().any(|at| forced(&entries[*at]));
            members.iter().for_each(|at| taken[*at] &= fits);
        }
    }
    Ok(taken)
}

/// The rows of a fixed length that is known: the coordinates that find one, the one within, and the length.
fn rows(ruled: &Ruled<'_>, numbers: &Numbers<'_>) -> Vec<(Vec<usize>, usize, u64)> {
    let fixed = ruled.after.iter().enumerate().filter_map(|(at, id)| match &ruled.description.iterator(*id).kind {
        IteratorKind::CompressedFixed { columns, .. } => Some((at, *id, numbers.known(columns)?)),
        IteratorKind::DenseFixed
        | IteratorKind::DenseVaried { .. }
        | IteratorKind::CompressedVaried { .. }
        | IteratorKind::Flatten { .. } => None,
    });
    fixed.map(|(at, id, columns)| (above(ruled, id), at, columns)).collect()
}

/// The ancestors of an iterator, by their places among the coordinates.
pub(super) fn above(ruled: &Ruled<'_>, id: IteratorId) -> Vec<usize> {
    let path = ruled.description.path(id);
    (0..ruled.after.len()).filter(|at| ruled.after[*at] != id && path.contains(&ruled.after[*at])).collect()
}

/// The coordinates that find a block, and how many elements one has: dense iterators without children are within, if any
/// other is compressed.
fn blocks(ruled: &Ruled<'_>, numbers: &Numbers<'_>) -> Done<(Vec<usize>, u64)> {
    let function = ruled.description;
    let is_leaf = |id: IteratorId| {
        let is_parent = ruled.after.iter().any(|other| function.iterator(*other).parent() == Some(id));
        function.iterator(id).kind == IteratorKind::DenseFixed && !is_parent
    };
    let has_structure = ruled.after.iter().any(|id| function.iterator(*id).parent().is_some());
    let (mut outer, mut volume) = (Vec::new(), 1_u64);
    for (at, id) in ruled.after.iter().enumerate() {
        match is_leaf(*id) && has_structure {
            true => volume = volume.saturating_mul(numbers.value(&function.iterator(*id).length)?),
            false => outer.push(at),
        }
    }
    Ok((outer, volume))
}

fn least(ruled: &Ruled<'_>) -> f64 {
    match ruled.description.attributes.get(FILLED) {
        Some(Value::Float(Real(value))) => *value,
        Some(Value::Int(value)) => *value as f64,
        _ => 0.5,
    }
}

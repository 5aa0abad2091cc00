//! A tensor in several encodings that add up to it: each entry is stored in the first part that takes it.
//!
//! A part takes the groups of its encoding ([`Groups`]) of which enough places hold entries: blocks, diagonals, slots of
//! all rows. The last part takes what is left.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    Storage, StorageError, Triplets,
    bounds::{self, Bounds},
    columns::{self, Column},
    order::summed,
    pack_while, unpack,
    watch::GoOn,
};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    ids::{Dim, Lvl},
    memory,
};
use nnz_encoding::{Encoding, groups::Groups};

/// The storages of all parts. A group of which a share of `filled` or more is stored goes to the first part that has such.
///
/// # Errors
/// As [`pack_while`]; a shape that an encoding does not fit.
pub fn decompose(
    triplets: Triplets,
    parts: &[Arc<Encoding>],
    filled: f64,
    goes_on: GoOn<'_>,
) -> Result<Vec<Storage>, StorageError> {
    let (mut rest, mut stored) = (summed(triplets)?, Vec::new());
    for (at, encoding) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            stored.push(pack_while(Cow::Borrowed(&rest), encoding, goes_on)?);
        } else {
            let own = split(&mut rest, encoding, filled)?;
            stored.push(kept(own, &mut rest, (encoding, goes_on))?);
        }
    }
    Ok(stored)
}

/// The storage of what a part takes. Where zeros would be padding in it, they are left for the parts behind.
fn kept(
    own: Triplets,
    rest: &mut Triplets,
    (encoding, goes_on): (&Arc<Encoding>, GoOn<'_>),
) -> Result<Storage, StorageError> {
    let is_zero = |at: &usize| own.values().get(*at).is_some_and(Scalar::is_zero);
    let (zeros, others): (Vec<usize>, Vec<usize>) = (0..own.len()).partition(is_zero);
    let stored = pack_while(Cow::Borrowed(&own), encoding, goes_on)?;
    if zeros.is_empty() || unpack(&stored)?.len() >= own.len() {
        return Ok(stored);
    }
    *rest = summed(joined(&[rest.clone(), own.some(&zeros)])?)?;
    pack_while(Cow::Owned(own.some(&others)), encoding, goes_on)
}

/// The entries of all parts, of which there is one at least.
///
/// # Errors
/// No parts, and parts of different shapes or elements; no room.
pub fn joined(parts: &[Triplets]) -> Result<Triplets, StorageError> {
    let entries: usize = parts.iter().map(Triplets::len).sum();
    let shape = parts.first().map_or_else(Vec::new, |part| part.shape().to_vec());
    let element = parts.first().map_or(Element::F64, Triplets::element);
    memory::room_for(entries as u128 * (shape.len() as u128 + 1), 16)?;
    let column =
        |dim: usize| parts.iter().flat_map(|part| part.coords().get(dim).into_iter().flatten().copied()).collect();
    let coords = (0..shape.len()).map(column).collect();
    let values = Values::from_scalars(element, parts.iter().flat_map(|part| part.values().iter()));
    Triplets::new(shape, element, coords, values).map_err(StorageError::Values)
}

/// What a part takes; the others stay.
fn split(rest: &mut Triplets, encoding: &Encoding, filled: f64) -> Result<Triplets, StorageError> {
    memory::room_for(rest.len() as u128 * (encoding.lvl_rank() as u128 + 4), 16)?;
    let takes = takes(rest, encoding, filled)?;
    let (own, left): (Vec<usize>, Vec<usize>) = (0..rest.len()).partition(|at| takes(*at));
    let own = rest.some(&own);
    *rest = rest.some(&left);
    Ok(own)
}

type Takes = Box<dyn Fn(usize) -> bool>;

/// Which entries a part takes, by their numbers.
fn takes(entries: &Triplets, encoding: &Encoding, filled: f64) -> Result<Takes, StorageError> {
    let bounds = bounds::of_levels(encoding, entries.shape())?;
    Ok(match encoding.groups() {
        Groups::Entries | Groups::Whole | Groups::Padded => Box::new(|_| true),
        Groups::Slots(dim) => of_slots(entries, dim, filled),
        Groups::Below { below, most, .. } => {
            let groups = grouped(entries, encoding, (below, &bounds));
            let inner = bounds.iter().skip(below.index()).map(|bounds| bounds.size as f64);
            let (places, most) = (most.map_or(inner.product(), |most| most as f64), most.unwrap_or(u64::MAX));
            let enough = move |stored: u64| stored as f64 >= filled * places && stored <= most;
            let stored: Vec<bool> = groups.stored.iter().map(|stored| enough(*stored)).collect();
            Box::new(move |at| stored[groups.of[at]])
        }
    })
}

/// The group of each entry, and how many entries each group has.
struct Grouped {
    of: Vec<usize>,
    stored: Vec<u64>,
}

fn grouped(entries: &Triplets, encoding: &Encoding, (below, bounds): (Lvl, &[Bounds])) -> Grouped {
    let column = |dim: Dim| entries.coords()[dim.index()].as_slice();
    let levels = encoding.levels().iter().zip(bounds).take(below.index());
    let levels: Vec<(Column<'_>, u64)> = levels
        .map(|(level, bounds)| (columns::eval(&level.expr, entries.len(), bounds.origin, &column), bounds.size))
        .collect();
    let (mut numbers, mut stored) = (HashMap::new(), Vec::new());
    let mut number = |at: usize| {
        // Where this wraps, groups may count as one: that decides which part stores an entry, and loses none.
        let key = levels.iter().fold(0, |key: u128, (column, size)| {
            key.wrapping_mul(u128::from(*size)).wrapping_add(u128::from(column[at]))
        });
        let number = *numbers.entry(key).or_insert(stored.len());
        stored.resize(stored.len().max(number + 1), 0);
        stored[number] += 1;
        number
    };
    let of = (0..entries.len()).map(&mut number).collect();
    Grouped { of, stored }
}

/// Slots of a place for each coordinate of `dim`: as many first entries of each as have enough of them.
fn of_slots(entries: &Triplets, dim: Dim, filled: f64) -> Takes {
    let coordinates = |at: &usize| {
        let own = entries.coords()[dim.index()][*at];
        (own, entries.coords().iter().map(|column| column[*at]).collect::<Vec<u64>>())
    };
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_cached_key(coordinates);
    let (mut slots, mut stored) = (vec![0_usize; entries.len()], Vec::<u64>::new());
    let mut before = None;
    for at in order {
        let own = entries.coords()[dim.index()][at];
        let slot = before.filter(|(row, _)| *row == own).map_or(0, |(_, slot)| slot + 1);
        before = Some((own, slot));
        slots[at] = slot;
        stored.resize(stored.len().max(slot + 1), 0);
        stored[slot] += 1;
    }
    let places = entries.shape()[dim.index()] as f64;
    let width = stored.iter().take_while(|stored| **stored as f64 >= filled * places).count();
    Box::new(move |at| slots[at] < width)
}

//! From coordinates and values to storage.
//!
//! The coordinates of the levels are evaluated for all entries, the entries are sorted by them and
//! repeated ones summed; then the levels are built one after another, each by its format
//! (`levels/*.rs`), from the sorted entries and the position of each.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use super::{
    ArrayKind, Bounds, LevelStorage, Storage, StorageError, Triplets, batches,
    bounds::{self, Counter},
    columns::{self, Column},
    levels::{self, Builder, RawLevel},
    order::Order,
    watch::GoOn,
};
use nnz_base::{
    arrays::{IndexArray, Values, Width},
    element::{Element, Value},
    ids::{Dim, Lvl},
    memory,
};
use nnz_encoding::{Encoding, Level, format::Below};

/// The storage of `triplets` in `encoding`. Entries with equal coordinates are summed; zeros among the
/// entries are stored, but not in blocks of a structured level, which have zeros as padding.
///
/// # Errors
/// A shape that does not fit the encoding; a number that its width cannot hold; more nonzeros than a
/// structured block or a counted row takes; a value other than the explicit one; a dense level that
/// does not fit in memory.
pub fn pack(triplets: &Triplets, encoding: &Arc<Encoding>) -> Result<Storage, StorageError> {
    pack_while(Cow::Borrowed(triplets), encoding, &|| true)
}

/// As [`pack`], for triplets that are no longer needed.
///
/// # Errors
/// As [`pack`].
pub fn pack_owned(triplets: Triplets, encoding: &Arc<Encoding>) -> Result<Storage, StorageError> {
    pack_while(Cow::Owned(triplets), encoding, &|| true)
}

/// As [`pack`], as long as `goes_on` allows.
///
/// # Errors
/// As [`pack`]; [`StorageError::Stopped`].
pub fn pack_while(
    triplets: Cow<'_, Triplets>,
    encoding: &Arc<Encoding>,
    goes_on: GoOn<'_>,
) -> Result<Storage, StorageError> {
    match triplets {
        Cow::Borrowed(triplets) => {
            let coords = triplets.coords().iter().map(|column| column.as_slice().into()).collect();
            let (shape, values) = (triplets.shape(), Cow::Borrowed(triplets.values()));
            pack_input(Input { shape, element: triplets.element(), coords, values, goes_on }, encoding)
        }
        Cow::Owned(triplets) => {
            let (shape, element, coords, values) = triplets.into_parts();
            let (coords, values) = (coords.into_iter().map(Column::Owned).collect(), Cow::Owned(values));
            pack_input(Input { shape: &shape, element, coords, values, goes_on }, encoding)
        }
    }
}

/// Triplets, borrowed or not.
struct Input<'a> {
    shape: &'a [u64],
    element: Element,
    coords: Vec<Column<'a>>,
    values: Cow<'a, Values>,
    goes_on: GoOn<'a>,
}

fn pack_input(input: Input<'_>, encoding: &Arc<Encoding>) -> Result<Storage, StorageError> {
    let mut bounds = bounds::of_levels(encoding, input.shape)?;
    let (element, dim_sizes, goes_on) = (input.element, input.shape.to_vec(), input.goes_on);
    let entries = Entries::sorted(input, encoding, &mut bounds)?;
    let (raw, values) = build(encoding, &bounds, entries, goes_on)?;
    let (raw, values) = part(encoding, &bounds, raw, values);
    ask(goes_on)?;
    let levels = narrow(encoding, &bounds, raw)?;
    let storage = Storage { encoding: encoding.clone(), element, dim_sizes, bounds, levels, values };
    levels::check_values(&storage, storage.values.len())?;
    debug_assert_eq!(levels::check(&storage), Ok(()));
    Ok(storage)
}

/// # Errors
/// The work is to stop.
fn ask(goes_on: GoOn<'_>) -> Result<(), StorageError> {
    if goes_on() { Ok(()) } else { Err(StorageError::Stopped) }
}

/// Distinct entries in the order of their level coordinates.
struct Entries<'a> {
    columns: Vec<Column<'a>>,
    values: Cow<'a, Values>,
}

impl<'a> Entries<'a> {
    /// Sorts `input`, and finds the sizes of levels that count as far as the data need.
    fn sorted(mut input: Input<'a>, encoding: &Encoding, bounds: &mut [Bounds]) -> Result<Self, StorageError> {
        let counters = counters(encoding)?;
        // Levels that count are zero at first.
        let size =
            |(at, bounds): (usize, &Bounds)| bounds.size.max(counters.iter().any(|(lvl, _)| lvl.index() == at).into());
        let sizes: Vec<u64> = bounds.iter().enumerate().map(size).collect();
        if encoding.permutation().is_none() {
            memory::room_for(input.values.len() as u128 * encoding.lvl_rank() as u128, 8)?;
        }
        ask(input.goes_on)?;
        let columns = level_columns(&mut input, encoding, bounds, &counters);
        ask(input.goes_on)?;
        let order = Order::new(&columns, &sizes, input.values.len())?;
        ask(input.goes_on)?;
        let entries = Entries { values: order.sum(input.element, input.values), columns: order.columns(columns) };
        let kept = entries.told_from_padding(encoding);
        let entries = entries.only(kept.as_deref());
        if counters.is_empty() {
            return Ok(entries);
        }
        let gathered = |column| some_of(order.gather(column), kept.as_deref());
        let dims: Vec<Column<'a>> = input.coords.into_iter().map(gathered).collect();
        entries.counted(&dims, &counters, bounds, input.element, encoding)
    }

    fn len(&self) -> usize {
        self.values.len()
    }

    /// Which entries are told from padding, if not all are. A block of `structured` has zeros as padding, so a zero takes
    /// no place of its own there.
    fn told_from_padding(&self, encoding: &Encoding) -> Option<Vec<usize>> {
        let padded = |level: &Level| matches!(level.format.below(), Below::Exactly(_));
        encoding.levels().iter().any(padded).then_some(())?;
        let kept: Vec<usize> = nnz_base::with_values!(self.values.as_ref(), v => nonzeros(v));
        (kept.len() < self.len()).then_some(kept)
    }

    fn only(self, kept: Option<&[usize]>) -> Self {
        let Some(places) = kept else { return self };
        let values = nnz_base::with_values!(self.values.as_ref(), v => Values::from(places.iter().map(|at| v[*at]).collect::<Vec<_>>()));
        Entries {
            columns: self.columns.into_iter().map(|column| some_of(column, kept)).collect(),
            values: Cow::Owned(values),
        }
    }

    /// Fills in the levels that count, and sorts anew.
    fn counted(
        mut self,
        dims: &[Column<'_>],
        counters: &[(Lvl, Counter)],
        bounds: &mut [Bounds],
        element: Element,
        encoding: &Encoding,
    ) -> Result<Self, StorageError> {
        for (lvl, counter) in counters {
            let counts = count(dims, counter, self.len()).map_err(|row| row.error(*lvl, counter, encoding))?;
            if counter.slices.is_none() {
                bounds[lvl.index()].size = counts.iter().max().map_or(0, |most| most + 1);
            }
            self.columns[lvl.index()] = counts.into();
        }
        let sizes: Vec<u64> = bounds.iter().map(|bounds| bounds.size).collect();
        let order = Order::new(&self.columns, &sizes, self.len())?;
        Ok(Entries { values: order.sum(element, self.values), columns: order.columns(self.columns) })
    }
}

fn nonzeros<T: Value>(values: &[T]) -> Vec<usize> {
    values.iter().enumerate().filter(|(_, value)| !value.is_zero()).map(|(at, _)| at).collect()
}

/// A column at some entries, or as it is.
fn some_of<'a>(column: Column<'a>, kept: Option<&[usize]>) -> Column<'a> {
    match kept {
        Some(kept) => kept.iter().map(|&at| column[at]).collect(),
        None => column,
    }
}

fn counters(encoding: &Encoding) -> Result<Vec<(Lvl, Counter)>, StorageError> {
    let mut counters = Vec::new();
    for (at, level) in encoding.levels().iter().enumerate() {
        let lvl = Lvl::new(at);
        let counter = bounds::counter(&level.expr).map_err(|reason| StorageError::Unsized { lvl, reason })?;
        counters.extend(counter.map(|counter| (lvl, counter)));
    }
    Ok(counters)
}

/// One column per level; levels that count are left at zero. If a dimension is a level itself, its column is moved,
/// unless counters need it.
fn level_columns<'a>(
    input: &mut Input<'a>,
    encoding: &Encoding,
    bounds: &[Bounds],
    counters: &[(Lvl, Counter)],
) -> Vec<Column<'a>> {
    if let Some(dims) = encoding.permutation() {
        return dims.iter().map(|dim| std::mem::take(&mut input.coords[dim.index()])).collect();
    }
    let len = input.values.len();
    let column = |dim: Dim| input.coords[dim.index()].as_ref();
    let levels = encoding.levels().iter().zip(bounds).enumerate();
    let of_level = |(at, (level, bounds)): (usize, (&Level, &Bounds))| {
        if counters.iter().any(|(lvl, _)| lvl.index() == at) {
            return vec![0; len].into();
        }
        columns::eval(&level.expr, len, bounds.origin, &column).into_owned().into()
    };
    levels.map(of_level).collect()
}

/// A row with more entries than there are slices.
struct FullRow {
    coordinates: Vec<u64>,
    found: u64,
}

impl FullRow {
    fn error(self, lvl: Lvl, counter: &Counter, encoding: &Encoding) -> StorageError {
        let name = |dim: &Dim| encoding.dims().get(dim.index()).map_or(dim.to_string(), |d| d.name.clone());
        let named = |(dim, c): (&Dim, &u64)| format!("{} = {c}", name(dim));
        let row: Vec<String> = counter.dims.iter().zip(&self.coordinates).map(named).collect();
        let slices = counter.slices.unwrap_or(u64::MAX);
        StorageError::RowFull { lvl, row: row.join(", "), found: self.found, slices }
    }
}

/// For each entry, how many before it agree with it in the counter's dimensions.
fn count(dims: &[Column<'_>], counter: &Counter, len: usize) -> Result<Vec<u64>, FullRow> {
    let counts = match counter.dims.as_slice() {
        [dim] => count_rows(&dims[dim.index()]),
        _ => count_tuples(dims, counter, len),
    };
    let Some(slices) = counter.slices else { return Ok(counts) };
    let row = |entry: usize| counter.dims.iter().map(|dim| dims[dim.index()][entry]).collect::<Vec<u64>>();
    let mut full: HashMap<Vec<u64>, u64> = HashMap::new();
    for (entry, &before) in counts.iter().enumerate().filter(|(_, before)| **before >= slices) {
        full.insert(row(entry), before + 1);
    }
    match full.into_iter().min() {
        Some((coordinates, found)) => Err(FullRow { coordinates, found }),
        None => Ok(counts),
    }
}

/// The counts of one dimension: in an array of all its coordinates, unless few of these occur.
fn count_rows(rows: &[u64]) -> Vec<u64> {
    let next = |before: &mut u64| std::mem::replace(before, *before + 1);
    let last = rows.iter().max().copied().unwrap_or(0);
    if last / 8 < rows.len() as u64 + 128 {
        let mut before = vec![0; last as usize + 1];
        return rows.iter().map(|&row| next(&mut before[row as usize])).collect();
    }
    let mut before = HashMap::new();
    rows.iter().map(|row| next(before.entry(*row).or_insert(0))).collect()
}

fn count_tuples(dims: &[Column<'_>], counter: &Counter, len: usize) -> Vec<u64> {
    let mut before: HashMap<Vec<u64>, u64> = HashMap::new();
    let tuple = |entry: usize| counter.dims.iter().map(|dim| dims[dim.index()][entry]).collect::<Vec<u64>>();
    let next = |before: &mut u64| std::mem::replace(before, *before + 1);
    (0..len).map(|entry| next(before.entry(tuple(entry)).or_insert(0))).collect()
}

fn build(
    encoding: &Encoding,
    bounds: &[Bounds],
    entries: Entries<'_>,
    goes_on: GoOn<'_>,
) -> Result<(Vec<RawLevel>, Values), StorageError> {
    let mut builder = Builder::new(encoding, bounds, entries.columns, &entries.values);
    let levels = encoding.levels().iter().enumerate();
    let raw = levels.map(|(at, level)| {
        ask(goes_on)?;
        levels::build(&mut builder, Lvl::new(at), level.format)
    });
    let raw = raw.collect::<Result<Vec<_>, _>>()?;
    let (count, owners) = builder.finish();
    if owners.is_some() {
        memory::room_for(
            u128::from(count),
            entries.values.bytes().checked_div(entries.values.len()).unwrap_or(8) as u64,
        )?;
    }
    let values = match owners {
        Some(owners) => scatter(&entries.values, &owners, count as usize),
        None => entries.values.into_owned(),
    };
    Ok((raw, values))
}

/// Each value at its position, zero elsewhere.
fn scatter(values: &Values, owners: &[u64], count: usize) -> Values {
    fn of<T: Value>(values: &[T], owners: &[u64], count: usize) -> Vec<T> {
        let mut scattered = vec![T::default(); count];
        values.iter().zip(owners).for_each(|(&value, &owner)| scattered[owner as usize] = value);
        scattered
    }
    nnz_base::with_values!(values, v => Values::from(of(v, owners, count)))
}

fn part(encoding: &Encoding, bounds: &[Bounds], raw: Vec<RawLevel>, values: Values) -> (Vec<RawLevel>, Values) {
    match encoding.batch_rank() {
        0 => (raw, values),
        _ => levels::part_batches(encoding, bounds, batches(encoding, bounds), raw, &values),
    }
}

fn narrow(encoding: &Encoding, bounds: &[Bounds], raw: Vec<RawLevel>) -> Result<Vec<LevelStorage>, StorageError> {
    let levels = raw.into_iter().zip(encoding.levels()).enumerate();
    let narrow = |(at, (raw, level)): (usize, (RawLevel, &Level))| {
        let lvl = Lvl::new(at);
        let positions = narrow_array(raw.positions, encoding.pos_width(), lvl, ArrayKind::Positions)?;
        let coordinates = narrow_array(raw.coordinates, encoding.coordinates_width(lvl), lvl, ArrayKind::Coordinates)?;
        let format = || StorageError::Format { lvl, format: level.format.to_string() };
        let stored = LevelStorage::new(level.format, positions, coordinates).ok_or_else(format)?;
        let counts = level.format.is_dense() && level.counts().is_some();
        Ok(if counts { LevelStorage::counted(bounds[at].size) } else { stored })
    };
    levels.map(narrow).collect()
}

/// An array of a level in the width of the encoding.
///
/// # Errors
/// A number that the width cannot hold.
pub fn narrow_array(
    numbers: Option<Vec<u64>>,
    width: Width,
    lvl: Lvl,
    array: ArrayKind,
) -> Result<Option<IndexArray>, StorageError> {
    let Some(numbers) = numbers else { return Ok(None) };
    if width.bits() < 64 {
        memory::room_for(numbers.len() as u128, u64::from(width.bits()).div_ceil(8))?;
    }
    let largest = if width.bits() < 64 { numbers.iter().copied().max().unwrap_or(0) } else { 0 };
    let overflow = |overflow| StorageError::overflow(lvl, array, overflow, largest);
    IndexArray::new(numbers, width).map(Some).map_err(overflow)
}

/// The storage of a tensor without entries.
///
/// # Errors
/// A shape that does not fit the encoding.
pub fn empty(encoding: &Arc<Encoding>, element: Element, shape: Vec<u64>) -> Result<Storage, StorageError> {
    pack_owned(Triplets::empty(shape, element)?, encoding)
}

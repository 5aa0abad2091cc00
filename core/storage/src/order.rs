//! Sorting entries by their level coordinates, and summing repeated ones.
//!
//! Sorted entries are left as they are. Others are distributed to buckets by the coordinates of their
//! outermost levels, in one pass. Within a bucket an entry is one number, with its inner coordinates in the
//! high bits and its index among the entries in the low bits, and only unsorted buckets are sorted. If that
//! number would not fit 64 bits, entries are sorted by comparing coordinates.

use std::borrow::Cow;

use rayon::prelude::*;

use super::{StorageError, Triplets, columns::Column};
use nnz_base::{
    arrays::Values,
    element::{Element, Value},
    memory::{self, NoRoom},
    threads,
};

/// Entries in order; repeats next to each other, in the order they came.
pub(super) enum Order {
    /// As they came, without repeats.
    AsIs,
    Sorted {
        entries: Entries,
        /// Where each run of repeats starts; `None` without repeats.
        heads: Option<Vec<usize>>,
    },
}

/// The entries in their new order.
pub(super) enum Entries {
    Plain(Vec<usize>),
    /// Inner coordinates and place of each entry, bucket after bucket.
    Packed(Packed),
}

pub(super) struct Packed {
    numbers: Vec<u64>,
    /// The low bits of a number, which are its place.
    place_bits: u32,
    /// Where each bucket ends.
    ends: Vec<usize>,
    /// The number of levels that the buckets cover.
    prefix: usize,
}

impl Packed {
    fn place(&self, at: usize) -> usize {
        (self.numbers[at] & ((1 << self.place_bits) - 1)) as usize
    }
}

impl Entries {
    fn len(&self) -> usize {
        match self {
            Entries::Plain(entries) => entries.len(),
            Entries::Packed(packed) => packed.numbers.len(),
        }
    }
    fn place(&self, at: usize) -> usize {
        match self {
            Entries::Plain(entries) => entries[at],
            Entries::Packed(packed) => packed.place(at),
        }
    }

    /// `column` of level `lvl`, of `levels`, in the new order.
    fn column(&self, column: &[u64], lvl: usize, levels: usize) -> Vec<u64> {
        match self {
            Entries::Packed(packed) if lvl == 0 && packed.prefix == 1 => {
                let starts = std::iter::once(0).chain(packed.ends.iter().copied());
                let runs = (0..).zip(starts.zip(&packed.ends));
                runs.flat_map(|(bucket, (start, &end))| std::iter::repeat_n(bucket, end - start)).collect()
            }
            Entries::Packed(packed) if lvl + 1 == levels && packed.prefix + 1 == levels => {
                packed.numbers.iter().map(|number| number >> packed.place_bits).collect()
            }
            Entries::Plain(_) | Entries::Packed(_) => (0..self.len()).map(|at| column[self.place(at)]).collect(),
        }
    }
}

impl Order {
    /// The order of `len` entries by `columns`, whose numbers lie below `sizes`.
    ///
    /// # Errors
    /// There is no room for it and for the entries in their new order.
    pub(super) fn new(columns: &[Column<'_>], sizes: &[u64], len: usize) -> Result<Order, NoRoom> {
        let slices: Vec<&[u64]> = columns.iter().map(AsRef::as_ref).collect();
        if is_strictly_sorted(&slices, len) {
            return Ok(Order::AsIs);
        }
        let buckets: u64 = sizes[..bucket_levels(sizes, len)].iter().product();
        memory::room_for(len as u128 * (NUMBERS + slices.len() as u128) + u128::from(buckets), 8)?;
        Ok(match by_buckets(&slices, sizes, len) {
            Some(packed) => Order::Sorted { heads: bucket_heads(&packed), entries: Entries::Packed(packed) },
            None => by_columns(&slices, len),
        })
    }

    /// The columns of the levels, for distinct entries.
    pub(super) fn columns<'a>(&self, columns: Vec<Column<'a>>) -> Vec<Column<'a>> {
        let Order::Sorted { entries, heads } = self else { return columns };
        let levels = columns.len();
        let ordered = |(lvl, column): (usize, Column<'a>)| {
            let all = entries.column(&column, lvl, levels);
            match heads {
                Some(heads) => heads.iter().map(|&at| all[at]).collect(),
                None => Column::Owned(all),
            }
        };
        columns.into_iter().enumerate().map(ordered).collect()
    }

    /// Any other column, for distinct entries.
    pub(super) fn gather<'a>(&self, column: Column<'a>) -> Column<'a> {
        match self {
            Order::AsIs => column,
            Order::Sorted { entries, heads: None } => (0..entries.len()).map(|at| column[entries.place(at)]).collect(),
            Order::Sorted { entries, heads: Some(heads) } => {
                heads.iter().map(|&at| column[entries.place(at)]).collect()
            }
        }
    }

    /// The sum of each run's values.
    pub(super) fn sum<'a>(&self, element: Element, values: Cow<'a, Values>) -> Cow<'a, Values> {
        let Order::Sorted { entries, heads } = self else { return values };
        let sums = nnz_base::with_values!(values.as_ref(), v => Values::from(sum_runs(v, entries, heads.as_deref())));
        Cow::Owned(if heads.is_some() { wrap_narrow(element, sums) } else { sums })
    }
}

/// The entries in row-major order, those at one place summed.
///
/// # Errors
/// There is no room for them.
pub fn summed(triplets: Triplets) -> Result<Triplets, StorageError> {
    let (shape, element, coords, values) = triplets.into_parts();
    let columns: Vec<Column<'_>> = coords.into_iter().map(Column::Owned).collect();
    let order = Order::new(&columns, &shape, values.len())?;
    let coords = order.columns(columns).into_iter().map(Column::into_owned).collect();
    let values = order.sum(element, Cow::Owned(values)).into_owned();
    Ok(Triplets::new(shape, element, coords, values)?)
}

fn sum_runs<T: Value>(values: &[T], entries: &Entries, heads: Option<&[usize]>) -> Vec<T> {
    let value = |at: usize| values[entries.place(at)];
    let Some(heads) = heads else { return (0..entries.len()).map(value).collect() };
    let ends = heads.iter().skip(1).copied().chain([entries.len()]);
    let run = |(&start, end): (&usize, usize)| (start + 1..end).fold(value(start), |sum, at| sum.sum(value(at)));
    heads.iter().zip(ends).map(run).collect()
}

/// Sums of `i1`, `i2`, `i4`, which a byte holds, wrap at their own width.
pub(super) fn wrap_narrow(element: Element, values: Values) -> Values {
    let shift = |unused: u32| move |x: i8| (x << unused) >> unused;
    match (element, values) {
        (Element::I1, Values::I8(v)) => Values::I8(v.into_iter().map(|x| x & 1).collect()),
        (Element::I2, Values::I8(v)) => Values::I8(v.into_iter().map(shift(6)).collect()),
        (Element::I4, Values::I8(v)) => Values::I8(v.into_iter().map(shift(4)).collect()),
        (_, values) => values,
    }
}

/// Whether each entry's coordinates come after those of the one before.
fn is_strictly_sorted(columns: &[&[u64]], len: usize) -> bool {
    match columns {
        [one] => one.is_sorted_by(|a, b| a < b),
        [outer, inner] => {
            let pairs = outer.windows(2).zip(inner.windows(2));
            pairs.into_iter().all(|(o, i)| o[0] < o[1] || (o[0] == o[1] && i[0] < i[1]))
        }
        _ => (1..len).all(|at| columns.iter().map(|c| c[at - 1]).lt(columns.iter().map(|c| c[at]))),
    }
}

/// The mixed-radix number of each entry's coordinates; it must fit 64 bits.
fn linear<'a>(columns: &[&'a [u64]], sizes: &[u64], len: usize) -> Cow<'a, [u64]> {
    let Some((first, rest)) = columns.split_first() else { return vec![0; len].into() };
    if rest.is_empty() {
        return Cow::Borrowed(first);
    }
    let mut numbers = first.to_vec();
    for (column, &size) in rest.iter().zip(&sizes[1..]) {
        numbers.iter_mut().zip(*column).for_each(|(number, &x)| *number = *number * size + x);
    }
    numbers.into()
}

/// Bits that numbers below `count` take.
fn bits_below(count: u64) -> u32 {
    u64::BITS - count.saturating_sub(1).leading_zeros()
}

/// The numbers of each entry on the way to its place, its value among them.
const NUMBERS: u128 = 4;

/// How many outer levels make the buckets: as many as give at most a few buckets per entry.
fn bucket_levels(sizes: &[u64], len: usize) -> usize {
    let limit = (len as u64).saturating_mul(4).max(1 << 16);
    let product = sizes.iter().scan(1u64, |product, &size| {
        *product = product.saturating_mul(size);
        Some(*product)
    });
    product.take_while(|&buckets| buckets <= limit).count()
}

/// `None` where a number would take more than 64 bits.
fn by_buckets(columns: &[&[u64]], sizes: &[u64], len: usize) -> Option<Packed> {
    let prefix = bucket_levels(sizes, len);
    let inner = sizes[prefix..].iter().try_fold(1u64, |product, &size| product.checked_mul(size))?;
    let place_bits = bits_below(len as u64);
    if bits_below(inner) + place_bits >= u64::BITS {
        return None;
    }
    let buckets = linear(&columns[..prefix], &sizes[..prefix], len);
    let inner = linear(&columns[prefix..], &sizes[prefix..], len);
    let mut ends = bucket_starts(&buckets, sizes[..prefix].iter().product::<u64>() as usize);
    let mut numbers = vec![0; len];
    for (entry, (&inner, &bucket)) in inner.iter().zip(buckets.iter()).enumerate() {
        let slot = &mut ends[bucket as usize];
        numbers[*slot] = inner << place_bits | entry as u64;
        *slot += 1;
    }
    threads::within(|| sort_buckets(&mut numbers, &ends, 0));
    Some(Packed { numbers, place_bits, ends, prefix })
}

/// Where each bucket starts.
fn bucket_starts(buckets: &[u64], count: usize) -> Vec<usize> {
    let mut counts = vec![0; count];
    buckets.iter().for_each(|&bucket| counts[bucket as usize] += 1);
    let mut start = 0;
    for slot in &mut counts {
        start += std::mem::replace(slot, start);
    }
    counts
}

/// More entries than this are sorted by all threads together.
pub const SORTED_TOGETHER: usize = 1 << 16;

/// Sorts the buckets that end at `ends` in `numbers`, which starts at `offset`; halves in parallel.
fn sort_buckets(numbers: &mut [u64], ends: &[usize], offset: usize) {
    if let [_] = ends {
        return numbers.par_sort_unstable();
    }
    if numbers.len() > SORTED_TOGETHER {
        let (left, right) = ends.split_at(ends.len() / 2);
        let middle = left.last().map_or(0, |end| end - offset);
        let (low, high) = numbers.split_at_mut(middle);
        rayon::join(|| sort_buckets(low, left, offset), || sort_buckets(high, right, offset + middle));
        return;
    }
    let mut start = offset;
    for &end in ends {
        let bucket = &mut numbers[start - offset..end - offset];
        if !bucket.is_sorted() {
            bucket.sort_unstable();
        }
        start = end;
    }
}

/// Where each run of equal coordinates starts, if any repeat.
fn bucket_heads(packed: &Packed) -> Option<Vec<usize>> {
    let equal = |a: &u64, b: &u64| a >> packed.place_bits == b >> packed.place_bits;
    let starts = std::iter::once(0).chain(packed.ends.iter().copied());
    let buckets = starts.zip(packed.ends.iter().copied()).map(|(start, end)| (start, &packed.numbers[start..end]));
    if buckets.clone().all(|(_, bucket)| bucket.is_sorted_by(|a, b| !equal(a, b))) {
        return None;
    }
    let heads_of = |(start, bucket): (usize, &[u64])| {
        let is_head = |&at: &usize| at == 0 || !equal(&bucket[at - 1], &bucket[at]);
        (0..bucket.len()).filter(is_head).map(|at| start + at).collect::<Vec<usize>>()
    };
    Some(buckets.flat_map(heads_of).collect())
}

/// The way for numbers of more than 64 bits.
fn by_columns(columns: &[&[u64]], len: usize) -> Order {
    let tuple = |entry: usize| columns.iter().map(move |column| column[entry]);
    let mut entries: Vec<usize> = (0..len).collect();
    threads::within(|| entries.par_sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)).then(a.cmp(&b))));
    let is_head = |&at: &usize| at == 0 || !tuple(entries[at - 1]).eq(tuple(entries[at]));
    let heads: Vec<usize> = (0..len).filter(is_head).collect();
    let heads = (heads.len() < len).then_some(heads);
    Order::Sorted { entries: Entries::Plain(entries), heads }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn sorted(columns: &[Vec<u64>], sizes: &[u64]) -> (Vec<Vec<u64>>, Values) {
        let len = columns[0].len();
        let columns: Vec<Column<'_>> = columns.iter().map(|c| Cow::Borrowed(c.as_slice())).collect();
        let order = Order::new(&columns, sizes, len).unwrap();
        let values = Values::I32((0..len as i32).map(|x| 1i32.wrapping_shl(x as u32)).collect());
        let gathered: Vec<_> = columns.iter().map(|c| order.gather(c.clone())).collect();
        let ordered = order.columns(columns);
        assert_eq!(ordered, gathered);
        let summed = order.sum(Element::I32, Cow::Owned(values)).into_owned();
        (ordered.into_iter().map(Column::into_owned).collect(), summed)
    }

    #[test]
    fn every_way_of_sorting_agrees() {
        let columns = [vec![2, 0, 2, 1, 2], vec![5, 1, 3, 0, 3]];
        let expected = (vec![vec![0, 1, 2, 2], vec![1, 0, 3, 5]], Values::I32(vec![2, 8, 4 + 16, 1]));
        for sizes in [[3, 6], [3, 1 << 20], [1 << 20, 1 << 20], [1 << 40, 1 << 40]] {
            assert_eq!(sorted(&columns, &sizes), expected);
        }
    }

    #[test]
    fn large_inputs_are_sorted_in_halves() {
        let column = |factor: u64| (0..200_000).map(move |x: u64| x * factor % 499);
        let (columns, sums) = sorted(&[column(7).collect(), column(11).collect()], &[499, 499]);
        let pairs: Vec<(u64, u64)> = columns[0].iter().copied().zip(columns[1].iter().copied()).collect();
        assert!(pairs.is_sorted_by(|a, b| a < b));
        let distinct: std::collections::HashSet<(u64, u64)> = column(7).zip(column(11)).collect();
        assert_eq!((pairs.len(), sums.len()), (distinct.len(), distinct.len()));
    }

    #[test]
    fn sums_wrap_at_the_element() {
        let columns = [Cow::Owned(vec![0, 0])];
        let order = Order::new(&columns, &[1], 2).unwrap();
        let sum = |element, values: &[i8]| order.sum(element, Cow::Owned(Values::I8(values.to_vec()))).into_owned();
        assert_eq!(sum(Element::I1, &[1, 1]), Values::I8(vec![0]));
        assert_eq!(sum(Element::I4, &[7, 1]), Values::I8(vec![-8]));
    }
}

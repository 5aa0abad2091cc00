//! Sorting entries by their level coordinates, and summing repeated ones.
//!
//! Where the levels' sizes multiply to less than 2^64, an entry's coordinates are one number, its
//! key. Entries are dealt to buckets by their outermost coordinates, in one pass, and only buckets
//! that are out of order are sorted; entries that come sorted are left alone.

use rayon::prelude::*;

use super::columns::Column;
use crate::{
    arrays::Values,
    element::{Element, Value},
};

/// Entries in order: each group's entries have equal coordinates.
pub(super) enum Order {
    /// As they came, without repeats.
    AsIs,
    /// `entries` sorted, ties in the order they came; `heads[g]` is where group g starts in it.
    Sorted { entries: Vec<usize>, heads: Option<Vec<usize>> },
}

impl Order {
    /// The order of `len` entries by `columns`, whose numbers lie below `sizes`.
    pub(super) fn new(columns: &[Column<'_>], sizes: &[u64], len: usize) -> Order {
        match linear(columns, sizes, len) {
            Some(keys) => by_keys(&keys, columns, sizes),
            None => by_columns(columns, len),
        }
    }

    /// The column of distinct entries.
    pub(super) fn gather<'a>(&self, column: Column<'a>) -> Column<'a> {
        match self {
            Order::AsIs => column,
            Order::Sorted { entries, heads: None } => entries.iter().map(|&e| column[e]).collect(),
            Order::Sorted { entries, heads: Some(heads) } => heads.iter().map(|&at| column[entries[at]]).collect(),
        }
    }

    /// The sum of each group's values; `None` where they stay as they are.
    pub(super) fn sum(&self, element: Element, values: &Values) -> Option<Values> {
        let Order::Sorted { entries, heads } = self else { return None };
        let sums = crate::with_values!(values, v => Values::from(sum_groups(v, entries, heads.as_deref())));
        Some(if heads.is_some() { wrap_narrow(element, sums) } else { sums })
    }
}

fn sum_groups<T: Value>(values: &[T], entries: &[usize], heads: Option<&[usize]>) -> Vec<T> {
    let Some(heads) = heads else { return entries.iter().map(|&e| values[e]).collect() };
    let ends = heads.iter().skip(1).copied().chain([entries.len()]);
    let group = |(&start, end): (&usize, usize)| {
        let first = values[entries[start]];
        entries[start + 1..end].iter().fold(first, |sum, &e| sum.sum(values[e]))
    };
    heads.iter().zip(ends).map(group).collect()
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

/// One number per entry, in the entries' order; `None` if it does not fit.
fn linear(columns: &[Column<'_>], sizes: &[u64], len: usize) -> Option<Vec<u64>> {
    sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size))?;
    let Some((first, rest)) = columns.split_first() else { return Some(vec![0; len]) };
    let mut keys = first.to_vec();
    for (column, &size) in rest.iter().zip(sizes.iter().skip(1)) {
        keys.iter_mut().zip(column.iter()).for_each(|(key, &x)| *key = *key * size + x);
    }
    Some(keys)
}

fn by_keys(keys: &[u64], columns: &[Column<'_>], sizes: &[u64]) -> Order {
    if keys.is_sorted_by(|a, b| a < b) {
        return Order::AsIs;
    }
    let sorted = if keys.is_sorted() {
        keys.iter().copied().zip(0..).collect()
    } else {
        match bucket_levels(sizes, keys.len()) {
            0 => sort_pairs(keys),
            prefix => bucket_sort(keys, &columns[..prefix], &sizes[..prefix]),
        }
    };
    grouped(&sorted)
}

fn grouped(sorted: &[(u64, usize)]) -> Order {
    let entries = sorted.iter().map(|&(_, entry)| entry).collect();
    let repeats = sorted.windows(2).any(|pair| pair[0].0 == pair[1].0);
    let is_head = |&at: &usize| at == 0 || sorted[at - 1].0 != sorted[at].0;
    let heads = repeats.then(|| (0..sorted.len()).filter(is_head).collect());
    Order::Sorted { entries, heads }
}

/// How many outer levels make the buckets: as many as give at most a few buckets per entry.
fn bucket_levels(sizes: &[u64], len: usize) -> usize {
    let limit = (len as u64).saturating_mul(4).max(1 << 16);
    let product = sizes.iter().scan(1u64, |product, &size| {
        *product = product.saturating_mul(size);
        Some(*product)
    });
    product.take_while(|&buckets| buckets <= limit).count()
}

fn sort_pairs(keys: &[u64]) -> Vec<(u64, usize)> {
    let mut pairs: Vec<(u64, usize)> = keys.iter().copied().zip(0..).collect();
    pairs.par_sort_unstable();
    pairs
}

fn bucket_sort(keys: &[u64], columns: &[Column<'_>], sizes: &[u64]) -> Vec<(u64, usize)> {
    let buckets = linear(columns, sizes, keys.len()).unwrap_or_default();
    let count: u64 = sizes.iter().product();
    let mut ends = bucket_starts(&buckets, count as usize);
    let mut pairs = vec![(0, 0); keys.len()];
    for (entry, (&key, &bucket)) in keys.iter().zip(&buckets).enumerate() {
        let slot = &mut ends[bucket as usize];
        pairs[*slot] = (key, entry);
        *slot += 1;
    }
    sort_buckets(&mut pairs, &ends);
    pairs
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

fn sort_buckets(pairs: &mut [(u64, usize)], ends: &[usize]) {
    let mut start = 0;
    for &end in ends {
        let bucket = &mut pairs[start..end];
        if !bucket.is_sorted() {
            bucket.sort_unstable();
        }
        start = end;
    }
}

/// The way for keys of more than 64 bits.
fn by_columns(columns: &[Column<'_>], len: usize) -> Order {
    let tuple = |entry: usize| columns.iter().map(move |column| column[entry]);
    let mut entries: Vec<usize> = (0..len).collect();
    entries.par_sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)).then(a.cmp(&b)));
    let is_head = |&at: &usize| at == 0 || !tuple(entries[at - 1]).eq(tuple(entries[at]));
    let heads: Vec<usize> = (0..len).filter(is_head).collect();
    let heads = (heads.len() < len).then_some(heads);
    Order::Sorted { entries, heads }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn sorted(columns: &[Vec<u64>], sizes: &[u64]) -> (Vec<Vec<u64>>, Values) {
        let len = columns[0].len();
        let columns: Vec<Column<'_>> = columns.iter().map(|c| Cow::Borrowed(c.as_slice())).collect();
        let order = Order::new(&columns, sizes, len);
        let values = Values::I32((0..len as i32).map(|x| 1 << x).collect());
        let summed = order.sum(Element::I32, &values).unwrap_or(values);
        (columns.into_iter().map(|c| order.gather(c).into_owned()).collect(), summed)
    }

    #[test]
    fn every_way_of_sorting_agrees() {
        let columns = [vec![2, 0, 2, 1, 2], vec![5, 1, 3, 0, 3]];
        let expected = (vec![vec![0, 1, 2, 2], vec![1, 0, 3, 5]], Values::I32(vec![2, 8, 4 + 16, 1]));
        for sizes in [[3, 6], [1 << 20, 1 << 20], [1 << 40, 1 << 40]] {
            assert_eq!(sorted(&columns, &sizes), expected);
        }
    }

    #[test]
    fn sums_wrap_at_the_element() {
        let columns = [Cow::Owned(vec![0, 0])];
        let order = Order::new(&columns, &[1], 2);
        assert_eq!(order.sum(Element::I1, &Values::I8(vec![1, 1])), Some(Values::I8(vec![0])));
        assert_eq!(order.sum(Element::I4, &Values::I8(vec![7, 1])), Some(Values::I8(vec![-8])));
    }
}

//! Sums repeated entries. A sum that the element type cannot hold is an error of the file, like any other number that
//! it cannot hold.

use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
};

/// The entry at which a sum of repeated entries leaves the range of the element type; `None` if all fit.
pub(super) fn misfit(coords: &[Vec<u64>], values: &Values, element: Element) -> Option<usize> {
    let place = |entry: usize| coords.iter().map(move |column| column.get(entry).copied());
    let none_twice = || (1..values.len()).all(|entry| place(entry - 1).lt(place(entry)));
    if fits_in_one_sum(values, element) || none_twice() {
        return None;
    }
    let mut entries: Vec<usize> = (0..values.len()).collect();
    entries.sort_by(|&a, &b| place(a).cmp(place(b)));
    let runs = entries.chunk_by(|&a, &b| place(a).eq(place(b)));
    runs.filter_map(|run| misfit_of(run, values, element)).min()
}

/// All values together, whatever their signs: then no repeats can be too large.
fn fits_in_one_sum(values: &Values, element: Element) -> bool {
    match (values, element.int_range()) {
        (Values::F64(values), _) => values.iter().map(|x| x.abs()).sum::<f64>().is_finite(),
        (_, None) => holds(element, Scalar::Float(values.iter().map(magnitude).sum())),
        (_, Some((_, high))) => {
            let total = values.iter().fold(0i128, |total, value| match value {
                Scalar::Int(x) => total.saturating_add(x.saturating_abs()),
                Scalar::Float(_) | Scalar::Complex(_) => total,
            });
            total <= high
        }
    }
}

fn magnitude(value: Scalar) -> f64 {
    match value {
        Scalar::Int(x) => (x as f64).abs(),
        Scalar::Float(x) => x.abs(),
        Scalar::Complex(x) => x.re.abs() + x.im.abs(),
    }
}

/// The first entry of a run with which the sum overflows. Infinities that the file contains are meant.
fn misfit_of(run: &[usize], values: &Values, element: Element) -> Option<usize> {
    let mut sum: Option<Scalar> = None;
    for &entry in run {
        let value = values.get(entry).filter(|value| magnitude(*value).is_finite())?;
        let next = sum.map_or(value, |sum| plus(sum, value));
        if !holds(element, next) {
            return Some(entry);
        }
        sum = Some(next);
    }
    None
}

fn plus(a: Scalar, b: Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.saturating_add(b)),
        (Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a + b),
        (Scalar::Complex(a), Scalar::Complex(b)) => Scalar::Complex(a + b),
        (a, _) => a,
    }
}

/// Whether an element type has such a number, rounded if need be.
fn holds(element: Element, value: Scalar) -> bool {
    match (value, element.int_range()) {
        (Scalar::Int(x), Some((low, high))) => (low..=high).contains(&x),
        _ => Values::from_scalars(element, [value]).get(0).is_some_and(|value| magnitude(value).is_finite()),
    }
}

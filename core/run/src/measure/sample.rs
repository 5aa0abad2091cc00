//! Taking samples.

use std::time::{Duration, Instant};

use super::Budget;

/// A sample shorter than this would measure the clock.
const SHORTEST_SAMPLE: Duration = Duration::from_micros(20);

/// Calls until `time` has passed, at least once; gives the shortest call's nanoseconds.
pub(super) fn warm_up<E>(time: Duration, call: &mut impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let start = Instant::now();
    let mut shortest = f64::INFINITY;
    loop {
        shortest = shortest.min(sample(1, call)?);
        if start.elapsed() >= time {
            return Ok(shortest);
        }
    }
}

/// How many calls of about `estimate` nanoseconds make a sample that the clock can measure.
pub(super) fn calls_per_sample(estimate: f64) -> usize {
    (SHORTEST_SAMPLE.as_nanos() as f64 / estimate.max(1.0)).ceil().max(1.0) as usize
}

/// Samples of `inner` calls each, until the budget is spent.
pub(super) fn collect<E>(
    budget: &Budget,
    inner: usize,
    call: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    let start = Instant::now();
    let mut samples = Vec::new();
    while samples.is_empty()
        || samples.len() < budget.least
        || (samples.len() < budget.most && start.elapsed() < budget.measuring)
    {
        samples.push(sample(inner, call)?);
    }
    Ok(samples)
}

/// Nanoseconds of one of `inner` calls.
pub(super) fn sample<E>(inner: usize, call: &mut impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let start = Instant::now();
    for _ in 0..inner {
        call()?;
    }
    Ok(start.elapsed().as_nanos() as f64 / inner.max(1) as f64)
}

/// The value below which `share` of the `sorted` samples lie, between neighbours by proportion.
pub(super) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted.get(place.floor() as usize)?, sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}

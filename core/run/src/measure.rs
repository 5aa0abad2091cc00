//! Times a kernel: repeated runs, their median and spread, and the speed relative to this machine's copying
//! speed. A time is that of a whole call, including the checking and binding of arguments.

mod clock;
mod copy;
mod sample;
mod serve;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

pub use copy::copy_bandwidth;
pub use serve::{ServeError, serve};

/// The work of one call of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Floating-point (or integer) operations on values.
    pub flops: u64,
    /// What is loaded of each array, no more than all of it, and what is written.
    pub bytes: u64,
    /// Whether these are estimates.
    pub is_estimate: bool,
}

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Discarded calls at the start, until this has passed.
    pub warm_up: Duration,
    /// Measured calls, until this has passed.
    pub measuring: Duration,
    /// At least this many samples, however slow the kernel.
    pub least: usize,
    /// At most this many samples, however quick.
    pub most: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { warm_up: Duration::from_millis(20), measuring: Duration::from_millis(200), least: 5, most: 1000 }
    }
}

/// A measurement; times are nanoseconds of one call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    pub median_ns: f64,
    pub min_ns: f64,
    /// The distance between the quartiles, as a share of the median.
    pub spread: f64,
    /// Samples taken, each of one or more calls.
    pub runs: usize,
    pub work: Work,
}

impl Measurement {
    /// The statistics of one or more samples; `None` if there are none.
    pub fn of(mut samples: Vec<f64>, work: Work) -> Option<Measurement> {
        samples.sort_by(f64::total_cmp);
        let quantile = |share: f64| sample::quantile(&samples, share);
        let (min_ns, median_ns) = (*samples.first()?, quantile(0.5)?);
        let range = quantile(0.75)? - quantile(0.25)?;
        let spread = if median_ns > 0.0 { range / median_ns } else { 0.0 };
        Some(Measurement { median_ns, min_ns, spread, runs: samples.len(), work })
    }
    /// Billions of operations a second, by the median.
    pub fn gflops(&self) -> f64 {
        per_nanosecond(self.work.flops, self.median_ns)
    }
    /// Gigabytes a second, by the median.
    pub fn gbs(&self) -> f64 {
        per_nanosecond(self.work.bytes, self.median_ns)
    }
    /// [`Measurement::gbs`] as a share of `copy` gigabytes a second (see [`copy_bandwidth`]); above 1 if the
    /// arrays fit a cache.
    pub fn share_of_copy(&self, copy: f64) -> f64 {
        if copy > 0.0 { self.gbs() / copy } else { 0.0 }
    }
}

fn per_nanosecond(count: u64, ns: f64) -> f64 {
    if ns > 0.0 { count as f64 / ns } else { 0.0 }
}

/// Why there is no measurement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError<E> {
    #[error("the measurement was cancelled")]
    Cancelled,
    #[error(transparent)]
    Failed(E),
}

/// Calls `call` again and again within `budget`.
///
/// # Errors
/// The first error of `call`; `cancelled` set meanwhile (one call is never interrupted).
pub fn measure<E>(
    budget: &Budget,
    work: Work,
    cancelled: &AtomicBool,
    mut call: impl FnMut() -> Result<(), E>,
) -> Result<Measurement, MeasureError<E>> {
    let mut checked = || {
        if cancelled.load(Ordering::Relaxed) {
            return Err(MeasureError::Cancelled);
        }
        call().map_err(MeasureError::Failed)
    };
    let estimate = sample::warm_up(budget.warm_up, &mut checked)?;
    let inner = sample::calls_per_sample(estimate);
    let samples = sample::collect(budget, inner, &mut checked)?;
    // At least one sample is always taken.
    Measurement::of(samples, work).ok_or(MeasureError::Cancelled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick() -> Budget {
        Budget { warm_up: Duration::ZERO, measuring: Duration::from_millis(1), least: 3, most: 7 }
    }

    #[test]
    fn statistics_of_known_samples() {
        let work = Work { flops: 60, bytes: 90, ..Work::default() };
        let found = Measurement::of(vec![50.0, 10.0, 20.0, 40.0, 30.0], work).unwrap();
        assert_eq!(found, Measurement { median_ns: 30.0, min_ns: 10.0, spread: 20.0 / 30.0, runs: 5, work });
        assert_eq!((found.gflops(), found.gbs(), found.share_of_copy(6.0)), (2.0, 3.0, 0.5));
        assert_eq!(Measurement::of(vec![10.0, 20.0], work).unwrap().median_ns, 15.0);
        assert_eq!(Measurement::of(Vec::new(), work), None);
        let instant = Measurement::of(vec![0.0], work).unwrap();
        assert_eq!((instant.spread, instant.gflops(), instant.share_of_copy(0.0)), (0.0, 0.0, 0.0));
    }

    #[test]
    fn slow_calls_are_sampled_the_least_and_quick_ones_the_most() {
        let never = AtomicBool::new(false);
        let slow = || {
            std::thread::sleep(Duration::from_millis(3));
            Ok::<(), ()>(())
        };
        let found = measure(&quick(), Work::default(), &never, slow).unwrap();
        assert_eq!(found.runs, 3);
        assert!(found.min_ns >= 3e6, "{found:?}");
        assert!(found.min_ns <= found.median_ns);
        let budget = Budget { measuring: Duration::from_secs(5), ..quick() };
        let found = measure(&budget, Work::default(), &never, || Ok::<(), ()>(())).unwrap();
        assert_eq!(found.runs, 7);
        assert!(found.median_ns < 1e5, "{found:?}");
    }

    #[test]
    fn cancellation_and_failure_end_it() {
        let flag = AtomicBool::new(false);
        let mut calls = 0;
        let found = measure(&quick(), Work::default(), &flag, || {
            calls += 1;
            flag.store(calls == 2, Ordering::Relaxed);
            Ok::<(), &str>(())
        });
        assert_eq!(found, Err(MeasureError::Cancelled));
        assert_eq!(calls, 2);
        let never = AtomicBool::new(false);
        assert_eq!(measure(&quick(), Work::default(), &never, || Err("broken")), Err(MeasureError::Failed("broken")));
    }
}

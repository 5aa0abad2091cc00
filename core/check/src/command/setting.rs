//! The settings of `:set`.

use std::num::NonZero;

/// The largest number of threads allowed, here and on the command line.
pub const MOST_THREADS: u16 = 1024;

/// This many significant digits distinguish all numbers.
pub const MOST_DIGITS: u16 = 17;

/// A setting with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// How many threads may run a kernel.
    Threads(NonZero<u16>),
    /// Significant digits that numbers are shown with.
    Precision(NonZero<u16>),
    /// Whether floating-point sums may be regrouped.
    Reassociate(bool),
}

impl Setting {
    /// Each with its values.
    pub const ALL: &'static [(&'static str, &'static str)] = &[
        ("threads", "a number: how many threads may run a kernel"),
        ("precision", "a number from 1 to 17: the significant digits that numbers in vectors and matrices keep"),
        ("reassociate", "on or off: whether floating-point sums may be regrouped, which is faster"),
    ];
}

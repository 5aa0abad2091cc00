//! Checks of every operation, and checks that many operations share.

pub(crate) mod attributes;
pub(crate) mod elements;
pub(crate) mod values;

use crate::{draft::Draft, mistake::Mistake};
pub use elements::{Domain, all_alike, in_domain, operands};

/// What each operation declares of its values, with its own checks.
///
/// # Errors
/// A broken rule of the operation.
pub(crate) fn all(draft: &Draft, own: fn(&Draft) -> Result<(), Mistake>) -> Result<(), Mistake> {
    values::check(draft)?;
    own(draft)?;
    values::elements(draft)
}

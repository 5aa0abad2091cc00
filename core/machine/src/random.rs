//! Generators of random numbers that a program makes.

use crate::{fault::Fault, value::Value};

/// The generators that `rtsrand` has made; a program names one by its number.
#[derive(Default)]
pub(super) struct Random(pub(super) Vec<rand_chacha::ChaCha8Rng>);

impl Random {
    pub(super) fn generator(&mut self, handle: &Value) -> Result<&mut rand_chacha::ChaCha8Rng, Fault> {
        let number = if let Value::Name(name) = handle { name.parse::<usize>().ok() } else { None };
        number.and_then(|at| self.0.get_mut(at)).ok_or_else(|| Fault::new("this is not a generator of numbers"))
    }
}

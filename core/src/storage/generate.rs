//! Tensors made on the spot: random ones and the matrices that papers measure with.
//!
//! The same arguments give the same tensor on every machine: random numbers come from ChaCha8
//! through this module's own sampling. Coordinates are distinct and in lexicographic order.

mod args;
mod pattern;
mod random;
mod rmat;
mod sample;
mod stencil;

use std::collections::BTreeMap;

pub use args::{Default as ParameterDefault, GenerateError, Parameter};

use self::args::Args;
use crate::{
    arrays::Values,
    element::{Element, Scalar},
    memory,
    storage::Triplets,
};

/// A kind of tensor that can be made.
#[derive(Debug)]
pub struct GeneratorInfo {
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    pub parameters: &'static [Parameter],
    /// A call in nnz notation.
    pub example: &'static str,
    make: fn(&Args<'_>) -> Result<Triplets, GenerateError>,
}

/// Every generator, in the order of the documentation.
pub fn registry() -> &'static [GeneratorInfo] {
    REGISTRY
}

static REGISTRY: &[GeneratorInfo] = &[
    random::INFO,
    stencil::POISSON_2D,
    stencil::POISSON_3D,
    stencil::TRIDIAGONAL,
    rmat::INFO,
    pattern::BANDED,
    pattern::BLOCK_DIAGONAL,
    pattern::PRUNED_2_4,
];

/// The generator of this name.
pub fn lookup(name: &str) -> Option<&'static GeneratorInfo> {
    REGISTRY.iter().find(|generator| generator.name == name)
}

/// Makes a tensor of `element`. Where `shape` is given the tensor has it: parameters that are left
/// out follow from it, and those that contradict it are errors.
///
/// # Errors
/// An unknown generator or parameter, a value outside a parameter's range, a shape that the
/// generator cannot have, an element type that cannot hold its values.
pub fn make(
    name: &str,
    args: &BTreeMap<String, Scalar>,
    shape: Option<&[u64]>,
    element: Element,
) -> Result<Triplets, GenerateError> {
    let generator = lookup(name).ok_or_else(|| GenerateError::unknown(name, REGISTRY))?;
    let args = Args::new(generator, args, shape, element)?;
    (generator.make)(&args)
}

/// The most entries that a generator makes.
const MOST_ENTRIES: u128 = 1 << 30;

/// # Errors
/// More than a generator makes.
fn check_entries(entries: u128) -> Result<usize, GenerateError> {
    match usize::try_from(entries) {
        Ok(count) if entries <= MOST_ENTRIES => {
            // Coordinates and a value, sorted and packed.
            memory::room_for(entries, 64).map_err(GenerateError::NoRoom)?;
            Ok(count)
        }
        _ => Err(GenerateError::TooLarge { entries }),
    }
}

/// Ends a generator.
fn finish(
    shape: Vec<u64>,
    element: Element,
    coords: Vec<Vec<u64>>,
    values: impl Iterator<Item = Scalar>,
) -> Result<Triplets, GenerateError> {
    let values = Values::from_scalars(element, values);
    Triplets::new(shape, element, coords, values).map_err(GenerateError::Triplets)
}

#[cfg(test)]
mod tests;

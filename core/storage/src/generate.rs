//! Generators of tensors: random ones, and the standard matrices of benchmarks.
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
use crate::Triplets;
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    memory::{self, NoRoom},
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
    plan: for<'a> fn(&'a Args<'a>) -> Result<Plan<'a>, GenerateError>,
}

/// A tensor that can be made: its arguments are right.
struct Plan<'a> {
    shape: Vec<u64>,
    entries: Box<dyn FnOnce() -> Result<Entries, NoRoom> + 'a>,
}

/// Coordinates, one array a dimension, and values.
struct Entries {
    coords: Vec<Vec<u64>>,
    values: Values,
}

impl Entries {
    /// None yet, with room for `count`.
    fn of_matrix(element: Element, count: usize) -> Result<Entries, NoRoom> {
        let coords = vec![memory::array(count)?, memory::array(count)?];
        Ok(Entries { coords, values: Values::with_room(element, count)? })
    }
    fn push(&mut self, row: u64, column: u64, value: Scalar) {
        self.coords.iter_mut().zip([row, column]).for_each(|(coords, at)| coords.push(at));
        self.values.push(value);
    }
}

impl<'a> Plan<'a> {
    fn new(shape: Vec<u64>, entries: impl FnOnce() -> Result<Entries, NoRoom> + 'a) -> Plan<'a> {
        Plan { shape, entries: Box::new(entries) }
    }
    /// A matrix that `fill` gives at most `count` entries.
    fn of_matrix(args: &'a Args<'a>, shape: [u64; 2], count: usize, fill: impl FnOnce(&mut Entries) + 'a) -> Plan<'a> {
        Plan::new(shape.to_vec(), move || {
            let mut entries = Entries::of_matrix(args.element, count)?;
            fill(&mut entries);
            Ok(entries)
        })
    }
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

/// Makes a tensor of `element`. If `shape` is given, the tensor has it: omitted parameters follow from it,
/// and those that contradict it are errors.
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
    let args = arguments(name, args, shape, element)?;
    let Plan { shape, entries } = (args.generator.plan)(&args)?;
    let Entries { coords, values } = entries().map_err(GenerateError::NoRoom)?;
    Triplets::new(shape, element, coords, values).map_err(GenerateError::Triplets)
}

/// The shape of the tensor that [`make`] would make.
///
/// # Errors
/// As [`make`].
pub fn shape(
    name: &str,
    args: &BTreeMap<String, Scalar>,
    shape: Option<&[u64]>,
    element: Element,
) -> Result<Vec<u64>, GenerateError> {
    let args = arguments(name, args, shape, element)?;
    (args.generator.plan)(&args).map(|plan| plan.shape)
}

fn arguments<'a>(
    name: &str,
    args: &'a BTreeMap<String, Scalar>,
    shape: Option<&'a [u64]>,
    element: Element,
) -> Result<Args<'a>, GenerateError> {
    let generator = lookup(name).ok_or_else(|| GenerateError::unknown(name, REGISTRY))?;
    Args::new(generator, args, shape, element)
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

#[cfg(test)]
mod tests;

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
use crate::{
    Triplets,
    watch::{Progress, Watch, unwatched},
};
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

type Make<'a> = dyn FnOnce(Work<'_>) -> Result<Entries, GenerateError> + 'a;

/// How many entries a tensor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    Exactly(u64),
    AtMost(u64),
}

impl Count {
    /// The number, or the largest that it can be.
    pub fn most(self) -> u64 {
        match self {
            Count::Exactly(count) | Count::AtMost(count) => count,
        }
    }
}

/// A tensor that can be made: its arguments are right.
struct Plan<'a> {
    shape: Vec<u64>,
    /// So many entries at most.
    count: usize,
    exactly: Option<u64>,
    entries: Box<Make<'a>>,
}

/// Coordinates, one array a dimension, and values.
struct Entries {
    coords: Vec<Vec<u64>>,
    values: Values,
}

/// What watches a generator that makes `total` entries, and can stop it.
#[derive(Clone, Copy)]
struct Work<'a> {
    watch: Watch<'a>,
    total: usize,
}

impl Work<'_> {
    /// So many of the entries are made in between.
    const STEP: usize = 1 << 16;

    /// # Errors
    /// It is to stop.
    fn at(self, done: usize) -> Result<(), GenerateError> {
        let progress = Progress { done: done as u64, total: self.total as u64 };
        if (self.watch)(progress).is_break() { Err(GenerateError::Stopped) } else { Ok(()) }
    }

    /// What `make` gives for each entry, in its order.
    fn each<T>(self, items: &mut Vec<T>, count: usize, mut make: impl FnMut() -> T) -> Result<(), GenerateError> {
        for start in (0..count).step_by(Work::STEP) {
            self.at(items.len())?;
            items.extend((start..count.min(start + Work::STEP)).map(|_| make()));
        }
        Ok(())
    }
}

/// For steps too short to stop.
const UNWATCHED: Work<'static> = Work { watch: &unwatched, total: 0 };

/// A matrix that is filled.
struct Matrix<'a> {
    entries: Entries,
    work: Work<'a>,
}

impl<'a> Matrix<'a> {
    /// Without entries yet, with room for all.
    fn of(element: Element, work: Work<'a>) -> Result<Matrix<'a>, NoRoom> {
        let coords = vec![memory::array(work.total)?, memory::array(work.total)?];
        let values = Values::with_room(element, work.total)?;
        Ok(Matrix { entries: Entries { coords, values }, work })
    }

    /// # Errors
    /// The work is to stop.
    fn push(&mut self, row: u64, column: u64, value: Scalar) -> Result<(), GenerateError> {
        let Entries { coords, values } = &mut self.entries;
        if values.len().is_multiple_of(Work::STEP) {
            self.work.at(values.len())?;
        }
        coords.iter_mut().zip([row, column]).for_each(|(coords, at)| coords.push(at));
        values.push(value);
        Ok(())
    }
}

impl<'a> Plan<'a> {
    /// A tensor of at most `count` entries.
    fn new(
        shape: Vec<u64>,
        count: usize,
        entries: impl FnOnce(Work<'_>) -> Result<Entries, GenerateError> + 'a,
    ) -> Plan<'a> {
        Plan { shape, count, exactly: None, entries: Box::new(entries) }
    }
    /// The same, known to have so many entries: no more than there may be.
    fn exactly(self, count: u128) -> Plan<'a> {
        Plan { exactly: u64::try_from(count).ok(), ..self }
    }
    fn entries(&self) -> Count {
        self.exactly.map_or(Count::AtMost(self.count as u64), Count::Exactly)
    }
    /// A matrix that `fill` gives at most `count` entries.
    fn of_matrix(
        args: &'a Args<'a>,
        shape: [u64; 2],
        count: usize,
        fill: impl FnOnce(&mut Matrix<'_>) -> Result<(), GenerateError> + 'a,
    ) -> Plan<'a> {
        Plan::new(shape.to_vec(), count, move |work| {
            let mut matrix = Matrix::of(args.element, work)?;
            fill(&mut matrix)?;
            Ok(matrix.entries)
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
/// generator cannot have, an element type that cannot hold its values; `watch` stops it.
pub fn make(
    name: &str,
    args: &BTreeMap<String, Scalar>,
    shape: Option<&[u64]>,
    element: Element,
    watch: Watch<'_>,
) -> Result<Triplets, GenerateError> {
    let args = arguments(name, args, shape, element)?;
    let Plan { shape, count, entries, .. } = (args.generator.plan)(&args)?;
    let Entries { coords, values } = entries(Work { watch, total: count })?;
    Triplets::new(shape, element, coords, values).map_err(GenerateError::Triplets)
}

/// The shape of the tensor that [`make`] would make.
///
/// # Errors
/// As [`make`], except that nothing stops it.
pub fn shape(
    name: &str,
    args: &BTreeMap<String, Scalar>,
    shape: Option<&[u64]>,
    element: Element,
) -> Result<Vec<u64>, GenerateError> {
    let args = arguments(name, args, shape, element)?;
    (args.generator.plan)(&args).map(|plan| plan.shape)
}

/// The shape of the tensor that [`make`] would make, and how many entries it would have.
///
/// # Errors
/// As [`make`], except that nothing stops it.
pub fn size(
    name: &str,
    args: &BTreeMap<String, Scalar>,
    shape: Option<&[u64]>,
    element: Element,
) -> Result<(Vec<u64>, Count), GenerateError> {
    let args = arguments(name, args, shape, element)?;
    let plan = (args.generator.plan)(&args)?;
    let count = plan.entries();
    Ok((plan.shape, count))
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

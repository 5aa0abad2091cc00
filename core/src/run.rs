//! Runs a lowered kernel over stored operands: binds their arrays to the function's parameters,
//! allocates the result and the workspace, and counts the work.

mod bind;
mod cost;

use std::borrow::Cow;

pub use cost::Cost;

use crate::{
    arrays::{IndexArray, Values},
    backend::{Argument, BackendError, Executable},
    element::Scalar,
    ids::{Lvl, TensorId},
    kernel::Kernel,
    lower::{ArrayBinding, Lowered},
    storage::Storage,
};

/// The data of one tensor of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// Any tensor with an encoding.
    Stored(&'a Storage),
    /// A plain array, row-major.
    Dense(&'a Values),
    /// A tensor without dimensions.
    Scalar(Scalar),
}

/// Why a kernel did not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    #[error("`{tensor}` has no data")]
    Missing { tensor: String },
    #[error("`{tensor}` does not fit the kernel: {reason}")]
    Mismatch { tensor: String, reason: String },
    #[error("`{tensor}` would need {entries} entries of memory, more than {limit}")]
    TooLarge { tensor: String, entries: u128, limit: u64 },
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// A kernel with everything bound: it can be run many times.
#[derive(Debug)]
pub struct Bound<'a> {
    arrays: Vec<BoundArray<'a>>,
    scalars: Vec<Scalar>,
    cost: Cost,
}

#[derive(Debug)]
enum BoundArray<'a> {
    Values(&'a Values),
    Indices(Cow<'a, IndexArray>),
    Workspace(Values),
    Result(Values),
}

impl<'a> Bound<'a> {
    /// Binds `operands`, one per tensor of the kernel in its order; the result's is not looked at.
    ///
    /// # Errors
    /// Operands that are missing or are not what the kernel was made for; too large a result.
    pub fn new(kernel: &'a Kernel, lowered: &Lowered, operands: &[Option<Operand<'a>>]) -> Result<Self, RunError> {
        let binder = bind::Binder { kernel, lowered, operands };
        binder.check()?;
        let arrays = lowered.arrays.iter().map(|binding| binder.array(*binding)).collect::<Result<_, _>>()?;
        let scalars = lowered.scalars.iter().map(|binding| binder.scalar(*binding)).collect::<Result<_, _>>()?;
        Ok(Bound { arrays, scalars, cost: cost::of(kernel, lowered, operands) })
    }

    /// Runs once; the result is overwritten.
    ///
    /// # Errors
    /// What the back end reports.
    pub fn run(&mut self, executable: &dyn Executable, threads: usize) -> Result<(), RunError> {
        let mut arguments: Vec<Argument<'_>> = self.arrays.iter_mut().map(BoundArray::argument).collect();
        Ok(executable.run(&mut arguments, &self.scalars, threads)?)
    }

    /// The result's values, in the order of its levels.
    pub fn into_result(self) -> Values {
        let result = self.arrays.into_iter().find_map(|array| match array {
            BoundArray::Result(values) => Some(values),
            BoundArray::Values(_) | BoundArray::Indices(_) | BoundArray::Workspace(_) => None,
        });
        // Every kernel stores its result, if only its initial value.
        result.unwrap_or_else(|| Values::F64(Vec::new()))
    }

    /// What one run takes.
    pub fn cost(&self) -> Cost {
        self.cost
    }
}

impl BoundArray<'_> {
    fn argument(&mut self) -> Argument<'_> {
        match self {
            BoundArray::Values(values) => Argument::Values(values),
            BoundArray::Indices(indices) => Argument::Indices(indices),
            BoundArray::Workspace(values) | BoundArray::Result(values) => Argument::ValuesMut(values),
        }
    }
}

/// Runs `lowered` once and gives the result's values, in the order of its levels.
///
/// # Errors
/// As [`Bound::new`] and [`Bound::run`].
pub fn run(
    kernel: &Kernel,
    lowered: &Lowered,
    executable: &dyn Executable,
    operands: &[Option<Operand<'_>>],
    threads: usize,
) -> Result<Values, RunError> {
    let mut bound = Bound::new(kernel, lowered, operands)?;
    bound.run(executable, threads)?;
    Ok(bound.into_result())
}

/// The array of the storage that a binding asks for.
fn index_array(storage: &Storage, binding: ArrayBinding) -> Option<&IndexArray> {
    match binding {
        ArrayBinding::Positions(_, lvl) => storage.positions(lvl),
        ArrayBinding::Coordinates(_, lvl) => storage.coordinates(lvl),
        ArrayBinding::Values(_) | ArrayBinding::Workspace(_) | ArrayBinding::Result => None,
    }
}

fn stored<'a>(operands: &[Option<Operand<'a>>], tensor: TensorId) -> Option<&'a Storage> {
    match operands.get(tensor.index()) {
        Some(Some(Operand::Stored(storage))) => Some(storage),
        _ => None,
    }
}

/// How many coordinates the level has.
fn level_size(storage: &Storage, lvl: Lvl) -> Option<u64> {
    storage.bounds().get(lvl.index()).map(|bounds| bounds.size)
}

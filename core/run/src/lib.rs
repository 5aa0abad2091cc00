//! From a kernel to its result. `prepare` cuts and copies operands until loops can be made, and plans and compiles
//! the loops. A run derives the operands that the loops need, binds all arrays to the functions' parameters,
//! allocates the result, and counts the work.

#![warn(clippy::wildcard_enum_match_arm)]

mod request;
mod sizes;
mod parts;
mod result;
mod error;
mod bind;
mod cost;
mod data;
mod derive;
mod refusal;
mod hidden;
mod made;
mod window;
mod draft;
mod scalars;
mod plans;
mod prepare;
mod launch;
mod limits;
pub mod measure;
mod trace;
mod work;

use std::{borrow::Cow, sync::Arc};

pub use cost::{Cost, LONG_FROM, points};
pub use derive::{converting_threads, derive};
pub use error::{RunError, called};
pub use hidden::Hidden;
pub use launch::{Engine, Launch};
pub use limits::TooMuch;
pub use made::{Made, What, WhyDense};
pub use plans::Plans;
pub use prepare::{Before, Outline, Prepared, foresee, outlined, prepare};
pub use refusal::{Blame, Refusal, Uncopied};
pub use request::{Origin, Request};

use bind::Binder;
use nnz_backend::{Argument, Backend, BackendError, Executable};
use nnz_base::{
    arrays::{IndexArray, Values},
    element::Scalar,
    ids::{Lvl, TensorId},
};
use nnz_kernel::Kernel;
use nnz_loops::{Function, Stmt, Verified, visit};
use nnz_plan::{
    iterate::{ResultPlan, SparseOperand},
    lower::{ArrayBinding, Lowered, Phase, Seal},
};
use nnz_storage::Storage;
use parts::Parts;
use result::Room;

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

/// The resources of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    pub threads: usize,
    /// In bytes, if known.
    pub memory: Option<u64>,
}

impl From<usize> for Means {
    fn from(threads: usize) -> Means {
        Means { threads, memory: None }
    }
}

/// What the loops report as the end of a part whose table was too small: -1.
const FULL: u64 = u64::MAX;

/// Compiles a function to code that does the same.
type Compile<'a> = dyn FnMut(&Verified<Function>) -> Result<Arc<dyn Executable>, BackendError> + 'a;

/// The functions of a kernel, compiled.
pub struct Compiled {
    /// The seal of the loops that it was compiled from.
    seal: Seal,
    /// The code for each derived tensor that loops make.
    conversions: Vec<Option<Compiled>>,
    count: Option<Arc<dyn Executable>>,
    fill: Arc<dyn Executable>,
}

impl Compiled {
    /// Compiles every function of `lowered`.
    ///
    /// # Errors
    /// As [`Backend::compile`].
    pub fn new(lowered: &Lowered, backend: &dyn Backend) -> Result<Compiled, BackendError> {
        Compiled::by(lowered, &mut |function| backend.compile(function))
    }

    fn by(lowered: &Lowered, compile: &mut Compile<'_>) -> Result<Compiled, BackendError> {
        let conversions = lowered.conversions.iter();
        let conversions = conversions.map(|lowered| lowered.as_ref().map(|it| Compiled::by(it, compile)).transpose());
        let conversions = conversions.collect::<Result<_, _>>()?;
        let count = lowered.count.as_ref().map(|phase| compile(&phase.function)).transpose()?;
        Ok(Compiled { seal: lowered.seal(), conversions, count, fill: compile(&lowered.fill.function)? })
    }
}

/// A kernel with everything bound: it can be run many times.
pub struct Bound<'a> {
    lowered: &'a Lowered,
    operands: Vec<Option<Operand<'a>>>,
    count: Option<BoundPhase<'a>>,
    fill: Option<BoundPhase<'a>>,
    /// How much of a sparse result the arrays have room for.
    room: Option<Room>,
    parts: Parts,
    means: Means,
    cost: Cost,
}

/// One function with its arguments.
struct BoundPhase<'a> {
    arrays: Vec<BoundArray<'a>>,
    scalars: Vec<Scalar>,
}

#[derive(Debug)]
enum BoundArray<'a> {
    Values(&'a Values),
    Indices(Cow<'a, IndexArray>),
    OwnValues(Values),
    OwnIndices(IndexArray),
}

impl<'a> Bound<'a> {
    /// Binds `operands`, one per tensor of the kernel in its order (the result's is ignored), and the tensors that
    /// `derive` made from them, for runs with these resources; a number of threads is enough.
    ///
    /// # Errors
    /// Operands that are missing or that the kernel was not made for; too large a result.
    pub fn new(
        lowered: &'a Lowered,
        operands: &[Option<Operand<'a>>],
        derived: &'a [Storage],
        means: impl Into<Means>,
    ) -> Result<Self, RunError> {
        let means = means.into();
        let mut operands = operands.to_vec();
        operands.resize(lowered.plan.kernel.tensors().len(), None);
        for (of, storage) in lowered.plan.derived.iter().zip(derived) {
            operands[of.tensor.index()] = Some(Operand::Stored(storage));
        }
        let parts = Parts::new(lowered, &operands, means.threads);
        let binder = Binder { lowered, operands: &operands, parts: &parts, memory: means.memory };
        binder.check()?;
        let roomy = means.memory.is_none_or(|free| free >= result::UNCOUNTED_BYTES);
        let uncounted = result::uncounted(lowered).filter(|_| parts.count() == 1 && roomy);
        let counts = lowered.count.as_ref().filter(|_| uncounted.is_none());
        let count = counts.map(|phase| binder.phase(phase, None)).transpose()?;
        let cost = cost::of(lowered, &operands);
        let means = Means { threads: cost.threads(means.threads), ..means };
        let mut bound = Bound { lowered, operands, count, fill: None, room: None, parts, means, cost };
        if bound.count.is_none() {
            bound.make_room(uncounted.or_else(|| result::bound(bound.lowered, &bound.operands)))?;
        }
        Ok(bound)
    }

    /// Allocates the arrays that the result needs, unless those of an earlier run do.
    fn make_room(&mut self, room: Option<Room>) -> Result<(), RunError> {
        if self.fill.is_none() || self.room != room {
            let memory = self.means.memory;
            let binder = Binder { lowered: self.lowered, operands: &self.operands, parts: &self.parts, memory };
            self.fill = Some(binder.phase(&self.lowered.fill, room.as_ref())?);
            self.room = room;
        }
        Ok(())
    }

    /// Runs once; the result is overwritten.
    ///
    /// # Errors
    /// An error of the back end; too large a result; code of another kernel.
    pub fn run(&mut self, compiled: &Compiled) -> Result<(), RunError> {
        if compiled.seal != self.lowered.seal() {
            return Err(RunError::OtherCode);
        }
        // SAFETY: the code is of these loops, which lowering made, and every operand was found to be one that they were
        // made for; what else they access was bound here, as the bindings ask.
        unsafe { self.run_sealed(compiled) }
    }

    /// # Safety
    /// `compiled` is of the loops that are bound.
    unsafe fn run_sealed(&mut self, compiled: &Compiled) -> Result<(), RunError> {
        let threads = self.means.threads;
        if let (Some(phase), Some(executable)) = (&mut self.count, &compiled.count) {
            // SAFETY: as the caller promises, and the arguments are those of its bindings.
            unsafe { phase.run(&**executable, threads)? };
            let counts = phase.ends(self.lowered.count.as_ref());
            if counts.contains(&FULL) {
                return Err(self.outgrown());
            }
            let levels = counts.len() / self.parts.count().max(1);
            self.make_room(Some(Room::counted(&counts, levels)))?;
        }
        let Some(phase) = &mut self.fill else { return Ok(()) };
        // SAFETY: as above.
        unsafe { phase.run(&*compiled.fill, threads)? };
        let ends = phase.ends(Some(&self.lowered.fill));
        let outgrown = self.room.as_ref().is_some_and(|room| room.is_outgrown(&ends));
        if outgrown { Err(self.outgrown()) } else { Ok(()) }
    }

    fn outgrown(&self) -> RunError {
        let kernel = &self.lowered.plan.kernel;
        RunError::Outgrown { tensor: kernel.tensor(kernel.result().tensor).name.clone() }
    }

    /// The values of a dense result, in the order of its levels.
    pub(crate) fn into_values(mut self) -> Values {
        self.take_values().unwrap_or_else(|| Values::zeros(self.lowered.plan.kernel.element(), 0))
    }

    fn take_values(&mut self) -> Option<Values> {
        let at = self.lowered.fill.arrays.iter().position(|binding| *binding == ArrayBinding::Result)?;
        match self.fill.as_mut()?.arrays.get_mut(at)? {
            BoundArray::OwnValues(values) => Some(std::mem::replace(values, Values::F64(Vec::new()))),
            BoundArray::Values(_) | BoundArray::Indices(_) | BoundArray::OwnIndices(_) => None,
        }
    }

    /// The result in the encoding that the kernel declares; dense if it declares none.
    ///
    /// # Errors
    /// A result that does not fit its encoding: numbers beyond its widths, too many entries in a block.
    pub(crate) fn into_storage(mut self) -> Result<Storage, RunError> {
        let values = self.take_values();
        let kernel = &self.lowered.plan.kernel;
        let tensor = kernel.tensor(kernel.result().tensor);
        // Loops that store nothing anywhere do not have the array.
        let values = values.unwrap_or_else(|| Values::with_capacity(tensor.element, 0));
        let of_result = |error| RunError::Storage { tensor: tensor.name.clone(), error: Box::new(error) };
        let storage = match &self.lowered.plan.result {
            ResultPlan::Dense { .. } => result::dense(tensor, values),
            ResultPlan::Inherited { operand, .. } => {
                let source = self.lowered.plan.operands.get(operand.index()).map(|operand| operand.tensor);
                let source = source.and_then(|tensor| stored(&self.operands, tensor));
                let missing = || RunError::Missing { tensor: tensor.name.clone() };
                let stored = source.ok_or_else(missing)?.clone().with_values_of(tensor.element, values);
                stored.map(|stored| tensor.encoding.iter().fold(stored, Storage::named_as))
            }
            ResultPlan::Assembled(assembly) => {
                let arrays = self.fill.take().map(|phase| phase.arrays).unwrap_or_default();
                result::assembled(tensor, assembly, &self.lowered.fill.arrays, arrays, values)
            }
        };
        let storage = storage.map_err(of_result)?;
        match &self.lowered.plan.converted {
            Some(encoding) => nnz_storage::convert(&storage, encoding).map_err(of_result),
            None => Ok(storage),
        }
    }

    /// The bytes of the entries of a sparse result, which are known after a run; those of a dense result are part of
    /// [`Bound::cost`].
    pub fn sparse_result_bytes(&self) -> u64 {
        if matches!(self.lowered.plan.result, ResultPlan::Dense { .. }) {
            return 0;
        }
        let is_result = |binding: &ArrayBinding| {
            matches!(
                binding,
                ArrayBinding::Result | ArrayBinding::ResultPositions(_) | ArrayBinding::ResultCoordinates(_)
            )
        };
        let arrays = self.fill.iter().flat_map(|phase| self.lowered.fill.arrays.iter().zip(&phase.arrays));
        let arrays = arrays.filter(|(binding, _)| is_result(binding));
        arrays.map(|(binding, array)| array.bytes_of(self.filled(*binding))).sum()
    }

    /// The length of an array of the result, as far as the run has filled it; arrays may have room for more.
    fn filled(&self, binding: ArrayBinding) -> u128 {
        let (ResultPlan::Assembled(assembly), Some(fill)) = (&self.lowered.plan.result, &self.fill) else {
            return u128::MAX;
        };
        let kernel = &self.lowered.plan.kernel;
        let (tensor, levels) = (kernel.tensor(kernel.result().tensor), assembly.rows.len());
        Room::counted(&fill.ends(Some(&self.lowered.fill)), levels).length(tensor, assembly, binding)
    }

    /// The cost of one run.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// How many threads take part in a run.
    pub fn threads(&self) -> usize {
        dealt(self.lowered, self.means.threads)
    }
}

/// How many of these threads take part in a run of the loops: one, if none is parallel.
fn dealt(lowered: &Lowered, threads: usize) -> usize {
    let parallel = |stmt: &Stmt| matches!(stmt, Stmt::For { kind, .. } if kind.is_parallel());
    let deals = lowered.phases().any(|phase| visit::any(&phase.function.body, &parallel));
    if deals { threads } else { 1 }
}

impl BoundPhase<'_> {
    /// # Safety
    /// `executable` is of the function that is bound.
    unsafe fn run(&mut self, executable: &dyn Executable, threads: usize) -> Result<(), RunError> {
        let mut arguments: Vec<Argument<'_>> = self.arrays.iter_mut().map(BoundArray::argument).collect();
        // SAFETY: the function is lowering's, bound as it asks.
        unsafe { executable.run(&mut arguments, &self.scalars, threads) }?;
        Ok(())
    }

    /// How many positions the function has made or counted, per part and level.
    fn ends(&self, phase: Option<&Phase>) -> Vec<u64> {
        let bindings = phase.map_or(&[][..], |phase| &phase.arrays);
        let found = bindings.iter().zip(&self.arrays).find(|(binding, _)| **binding == ArrayBinding::Ends);
        match found {
            Some((_, BoundArray::OwnIndices(counts))) => counts.iter().collect(),
            _ => Vec::new(),
        }
    }
}

impl BoundArray<'_> {
    /// An array of these numbers, or of `zeros` zeros if there are none.
    fn given(numbers: Vec<u64>, zeros: u128) -> BoundArray<'static> {
        let numbers = if numbers.is_empty() { vec![0; zeros as usize] } else { numbers };
        BoundArray::Indices(Cow::Owned(IndexArray::U64(numbers)))
    }

    /// The bytes of its first entries, of all if there are not so many.
    fn bytes_of(&self, entries: u128) -> u64 {
        let len = self.len().max(1) as u128;
        (self.bytes() as u128 * entries.min(len) / len) as u64
    }

    fn len(&self) -> usize {
        match self {
            BoundArray::Values(values) => values.len(),
            BoundArray::OwnValues(values) => values.len(),
            BoundArray::Indices(indices) => indices.len(),
            BoundArray::OwnIndices(indices) => indices.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            BoundArray::Values(values) => values.bytes(),
            BoundArray::OwnValues(values) => values.bytes(),
            BoundArray::Indices(indices) => indices.bytes(),
            BoundArray::OwnIndices(indices) => indices.bytes(),
        }
    }

    fn argument(&mut self) -> Argument<'_> {
        match self {
            BoundArray::Values(values) => Argument::Values(values),
            BoundArray::Indices(indices) => Argument::Indices(indices),
            BoundArray::OwnValues(values) => Argument::ValuesMut(values),
            BoundArray::OwnIndices(indices) => Argument::IndicesMut(indices),
        }
    }
}

/// Runs `lowered` once and gives the result.
///
/// # Errors
/// As [`derive()`], [`Bound::new`], [`Bound::run`] and `Bound::into_storage`.
pub fn run(
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    means: impl Into<Means>,
) -> Result<Storage, RunError> {
    let means = means.into();
    let derived = derive(lowered, compiled, operands, means)?;
    let mut bound = Bound::new(lowered, operands, &derived, means)?;
    bound.run(compiled)?;
    bound.into_storage()
}

/// Runs `lowered` once and gives the values of a dense result, in the order of its levels; for a number, one value.
///
/// # Errors
/// As [`run`].
pub fn run_values(
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    means: impl Into<Means>,
) -> Result<Values, RunError> {
    let means = means.into();
    let derived = derive(lowered, compiled, operands, means)?;
    let mut bound = Bound::new(lowered, operands, &derived, means)?;
    bound.run(compiled)?;
    Ok(bound.into_values())
}

/// Runs a kernel whose result is a number, and gives the number.
///
/// # Errors
/// As [`run`].
pub fn run_scalar(
    lowered: &Lowered,
    compiled: &Compiled,
    operands: &[Option<Operand<'_>>],
    means: impl Into<Means>,
) -> Result<Scalar, RunError> {
    let values = run_values(lowered, compiled, operands, means)?;
    Ok(values.get(0).unwrap_or_else(|| lowered.plan.kernel.element().zero()))
}

/// The array of the storage that a binding asks for.
fn index_array(storage: &Storage, binding: ArrayBinding) -> Option<&IndexArray> {
    if let ArrayBinding::Positions(_, lvl) = binding {
        return storage.positions(lvl);
    }
    let ArrayBinding::Coordinates(_, lvl) = binding else { return None };
    storage.coordinates(lvl)
}

fn stored<'a>(operands: &[Option<Operand<'a>>], tensor: TensorId) -> Option<&'a Storage> {
    let Some(Operand::Stored(storage)) = operands.get(tensor.index())? else { return None };
    Some(storage)
}

/// How many entries an operand has; of a condition, at most.
fn entries(kernel: &Kernel, operands: &[Option<Operand<'_>>], operand: &SparseOperand) -> u64 {
    match &operand.condition {
        Some(condition) => condition.most_entries(&kernel.tensor(operand.tensor).shape),
        None => stored(operands, operand.tensor).map_or(0, |storage| storage.nse() as u64),
    }
}

/// How many coordinates the level has.
fn level_size(storage: &Storage, lvl: Lvl) -> Option<u64> {
    storage.bounds().get(lvl.index()).map(|bounds| bounds.size)
}

//! Binds each parameter, and checks that the argument fits.

use std::borrow::Cow;

use super::{
    BoundArray, BoundPhase, Operand, Parts, Room, RunError, index_array, level_size, parts,
    sizes::{entries, entries_of},
    stored,
};
use nnz_base::{
    arrays::{IndexArray, Values},
    element::Scalar,
    ids::TensorId,
    memory,
};
use nnz_kernel::{Kernel, Tensor};
use nnz_plan::{
    iterate::ResultPlan,
    lower::{ArrayBinding, Lowered, Phase, ScalarBinding, result_width},
};
use nnz_storage::{Storage, StorageError};

/// The most entries of a result or a workspace, so that positions fit 32 bits: of 8 bytes they take 32 GiB.
const MOST_ENTRIES: u64 = u32::MAX as u64;

pub(super) struct Binder<'a, 'b> {
    pub(super) lowered: &'a Lowered,
    pub(super) operands: &'b [Option<Operand<'a>>],
    pub(super) parts: &'b Parts,
    /// The number of free bytes, if known.
    pub(super) memory: Option<u64>,
}

impl<'a> Binder<'a, '_> {
    fn kernel(&self) -> &'a Kernel {
        &self.lowered.plan.kernel
    }
    fn name(&self, tensor: TensorId) -> String {
        self.kernel().tensor(tensor).name.clone()
    }
    fn missing(&self, tensor: TensorId) -> RunError {
        RunError::Missing { tensor: self.name(tensor) }
    }

    /// Checks every operand against the tensor it stands for.
    pub(super) fn check(&self) -> Result<(), RunError> {
        let result = self.kernel().result().tensor;
        for (at, tensor) in self.kernel().tensors().iter().enumerate().filter(|(at, _)| *at != result.index()) {
            let Some(operand) = self.operands.get(at).copied().flatten() else { continue };
            if let Some(reason) = mismatch(tensor, operand) {
                return Err(RunError::Mismatch { tensor: tensor.name.clone(), reason });
            }
        }
        Ok(())
    }

    /// The arguments of a function; `room` is how much of a sparse result it may fill.
    pub(super) fn phase(&self, phase: &Phase, room: Option<&Room>) -> Result<BoundPhase<'a>, RunError> {
        self.check_memory(phase, room)?;
        let arrays = phase.arrays.iter().map(|binding| self.array(*binding, room)).collect::<Result<_, _>>()?;
        let scalars =
            phase.scalars.iter().map(|binding| self.scalar(phase, *binding, room)).collect::<Result<_, _>>()?;
        Ok(BoundPhase { arrays, scalars })
    }

    /// Checks that there is memory for all arrays that the phase fills, before any is made.
    fn check_memory(&self, phase: &Phase, room: Option<&Room>) -> Result<(), RunError> {
        let wanted = phase.arrays.iter().map(|binding| self.new_bytes(*binding, room)).fold(0, u128::saturating_add);
        let refused = |free| RunError::Memory { tensor: self.name(self.kernel().result().tensor), wanted, free };
        if self.memory.is_some_and(|free| u128::from(free) < wanted) {
            return Err(refused(self.memory));
        }
        let bytes = usize::try_from(wanted).map_err(|_| refused(None))?;
        // A trial allocation costs nothing. If the system refuses it, that is an error here and not an abort later.
        memory::array::<u8>(bytes).map(drop).map_err(|no_room| refused(no_room.free()))
    }

    /// The bytes of an array that is made for the run.
    fn new_bytes(&self, binding: ArrayBinding, room: Option<&Room>) -> u128 {
        let (values, width) = (self.kernel().element().bytes() as u128, result_width(self.kernel(), binding));
        let indices = u128::from(width.bits()).div_ceil(8).max(1);
        match binding {
            ArrayBinding::Result => self.result_values(room).saturating_mul(values),
            ArrayBinding::Workspace => self.workspace_length().saturating_mul(values),
            ArrayBinding::Stamps | ArrayBinding::Keys => self.workspace_length().saturating_mul(indices),
            ArrayBinding::ResultPositions(_) | ArrayBinding::ResultCoordinates(_) => {
                self.result_length(binding, room).saturating_mul(indices)
            }
            ArrayBinding::Positions(..) | ArrayBinding::Coordinates(..) | ArrayBinding::Values(_) => 0,
            // One for each part.
            ArrayBinding::Starts | ArrayBinding::Ends | ArrayBinding::Cuts | ArrayBinding::OperandCuts(_) => 0,
        }
    }

    fn array(&self, binding: ArrayBinding, room: Option<&Room>) -> Result<BoundArray<'a>, RunError> {
        Ok(match binding {
            ArrayBinding::Positions(tensor, _) | ArrayBinding::Coordinates(tensor, _) => {
                let array = stored(self.operands, tensor).and_then(|storage| index_array(storage, binding));
                BoundArray::Indices(expanded(array.ok_or_else(|| self.missing(tensor))?))
            }
            ArrayBinding::Values(tensor) => match self.operands.get(tensor.index()).copied().flatten() {
                Some(Operand::Stored(storage)) => BoundArray::Values(storage.values()),
                Some(Operand::Dense(values)) => BoundArray::Values(values),
                Some(Operand::Scalar(_)) | None => return Err(self.missing(tensor)),
            },
            ArrayBinding::Result => {
                let tensor = self.kernel().tensor(self.kernel().result().tensor);
                BoundArray::OwnValues(zeros(tensor, self.result_values(room))?)
            }
            ArrayBinding::Workspace => {
                let tensor = self.kernel().tensor(self.kernel().result().tensor);
                BoundArray::OwnValues(zeros(tensor, self.workspace_length())?)
            }
            ArrayBinding::Stamps | ArrayBinding::Keys => self.own_indices(binding, self.workspace_length())?,
            ArrayBinding::ResultPositions(_) | ArrayBinding::ResultCoordinates(_) => {
                self.own_indices(binding, self.result_length(binding, room))?
            }
            ArrayBinding::Ends => self.own_indices(binding, self.slots())?,
            ArrayBinding::Starts => {
                BoundArray::given(room.map_or_else(Vec::new, |room| room.starts.clone()), self.slots())
            }
            ArrayBinding::Cuts => BoundArray::given(self.parts.values.clone(), 0),
            ArrayBinding::OperandCuts(tensor) => BoundArray::given(self.parts.positions(tensor), 0),
        })
    }

    fn own_indices(&self, binding: ArrayBinding, len: u128) -> Result<BoundArray<'a>, RunError> {
        let tensor = self.kernel().tensor(self.kernel().result().tensor);
        let (width, len) = (result_width(self.kernel(), binding), fitting(tensor, len)?);
        Ok(BoundArray::OwnIndices(IndexArray::zeros(width, len)))
    }

    /// How many values the result has room for.
    fn result_values(&self, room: Option<&Room>) -> u128 {
        match &self.lowered.plan.result {
            ResultPlan::Dense { .. } => entries_of(self.kernel().tensor(self.kernel().result().tensor)),
            ResultPlan::Inherited { .. } => self.inherited_entries().into(),
            ResultPlan::Assembled(_) => self.result_length(ArrayBinding::Result, room),
        }
    }

    fn inherited_entries(&self) -> u64 {
        let ResultPlan::Inherited { operand, .. } = &self.lowered.plan.result else { return 0 };
        let operand = self.lowered.plan.operands.get(operand.index());
        operand.and_then(|operand| stored(self.operands, operand.tensor)).map_or(0, |storage| storage.nse() as u64)
    }

    fn result_length(&self, binding: ArrayBinding, room: Option<&Room>) -> u128 {
        let tensor = self.kernel().tensor(self.kernel().result().tensor);
        match (&self.lowered.plan.result, room) {
            (ResultPlan::Assembled(assembly), Some(room)) => room.length(tensor, assembly, binding),
            _ => 0,
        }
    }

    /// A workspace for every part.
    fn workspace_length(&self) -> u128 {
        self.parts.count() as u128 * u128::from(parts::workspace(&self.lowered.plan, self.operands))
    }

    /// One for every level and part.
    fn slots(&self) -> u128 {
        let ResultPlan::Assembled(assembly) = &self.lowered.plan.result else { return 0 };
        self.parts.count() as u128 * assembly.rows.len() as u128
    }

    fn scalar(&self, phase: &Phase, binding: ScalarBinding, room: Option<&Room>) -> Result<Scalar, RunError> {
        let storage = |tensor| stored(self.operands, tensor).ok_or_else(|| self.missing(tensor));
        Ok(match binding {
            ScalarBinding::Extent(var) => Scalar::Int(self.kernel().var(var).extent.into()),
            ScalarBinding::LevelSize(tensor, lvl) => Scalar::Int(level_size(storage(tensor)?, lvl).unwrap_or(0).into()),
            ScalarBinding::DimSize(tensor, dim) => {
                Scalar::Int(self.kernel().tensor(tensor).shape.get(dim.index()).copied().unwrap_or(0).into())
            }
            ScalarBinding::LevelOrigin(tensor, lvl) => {
                Scalar::Int(storage(tensor)?.bounds().get(lvl.index()).map_or(0, |bounds| bounds.origin).into())
            }
            ScalarBinding::BatchPart(array) => Scalar::Int(self.part(phase, array.index())?.into()),
            ScalarBinding::Parts => Scalar::Int(self.parts.count() as i128),
            ScalarBinding::Room => Scalar::Int(room.map_or(0, Room::entries).into()),
            ScalarBinding::Slots => Scalar::Int(parts::workspace(&self.lowered.plan, self.operands).into()),
            ScalarBinding::ResultEntries => Scalar::Int(self.inherited_entries().into()),
            ScalarBinding::Value(tensor) => match self.operands.get(tensor.index()).copied().flatten() {
                Some(Operand::Scalar(scalar)) => scalar,
                Some(Operand::Dense(values)) => values.get(0).ok_or_else(|| self.missing(tensor))?,
                Some(Operand::Stored(_)) | None => return Err(self.missing(tensor)),
            },
        })
    }

    /// How many entries each batch has in the array.
    fn part(&self, phase: &Phase, array: usize) -> Result<u64, RunError> {
        let binding = phase.arrays[array];
        let (ArrayBinding::Positions(tensor, _) | ArrayBinding::Coordinates(tensor, _) | ArrayBinding::Values(tensor)) =
            binding
        else {
            return Ok(0);
        };
        let storage = stored(self.operands, tensor).ok_or_else(|| self.missing(tensor))?;
        let len = index_array(storage, binding).map_or(storage.values().len(), IndexArray::len);
        Ok(len as u64 / storage.batches().max(1))
    }
}

/// Back ends read no packed numbers: 2-bit coordinates become bytes.
fn expanded(array: &IndexArray) -> Cow<'_, IndexArray> {
    let IndexArray::U2 { .. } = array else { return Cow::Borrowed(array) };
    Cow::Owned(IndexArray::U8(array.iter().map(|number| number as u8).collect()))
}

/// Why `operand` cannot stand for `tensor`.
fn mismatch(tensor: &Tensor, operand: Operand<'_>) -> Option<String> {
    match operand {
        Operand::Stored(storage) => storage_mismatch(tensor, storage),
        Operand::Dense(values) => {
            let (wanted, plain) = (entries(&tensor.shape), tensor.encoding.is_none());
            let kind = values.repr() != tensor.element.repr();
            let length = values.len() as u128 != wanted;
            (!plain)
                .then(|| "it has an encoding and was given as a plain array".to_string())
                .or_else(|| kind.then(|| format!("it holds {} and was given {:?}", tensor.element, values.repr())))
                .or_else(|| length.then(|| format!("it has {wanted} entries and was given {}", values.len())))
        }
        Operand::Scalar(_) => (!tensor.shape.is_empty()).then(|| "it was given as one number".to_string()),
    }
}

fn storage_mismatch(tensor: &Tensor, storage: &Storage) -> Option<String> {
    let encoded = tensor.encoding.as_deref() == Some(storage.encoding().as_ref());
    if !encoded {
        return Some("it is stored in another encoding".to_string());
    }
    if storage.element() != tensor.element || storage.dim_sizes() != tensor.shape {
        return Some("it is stored with another type or shape".to_string());
    }
    let blocks = storage.encoding().levels().iter().zip(storage.lvl_sizes());
    let wrong = blocks
        .into_iter()
        .position(|(level, size)| level.expr.as_mod().is_some_and(|(_, modulus)| u64::try_from(modulus) != Ok(size)));
    wrong.map(|at| format!("level {at} is not stored as whole blocks"))
}

fn zeros(tensor: &Tensor, entries: u128) -> Result<Values, RunError> {
    Ok(Values::zeros(tensor.element, fitting(tensor, entries)?))
}

/// A length that is not beyond what is reasonable.
fn fitting(tensor: &Tensor, entries: u128) -> Result<usize, RunError> {
    let too_large = || RunError::TooLarge { tensor: tensor.name.clone(), entries, limit: MOST_ENTRIES };
    let no_room =
        |error| RunError::Storage { tensor: tensor.name.clone(), error: Box::new(StorageError::NoRoom(error)) };
    if entries <= u128::from(MOST_ENTRIES) {
        memory::room_for(entries, tensor.element.bytes() as u64).map_err(no_room)?;
    }
    let len = u64::try_from(entries).ok().filter(|entries| *entries <= MOST_ENTRIES);
    len.and_then(|len| usize::try_from(len).ok()).ok_or_else(too_large)
}

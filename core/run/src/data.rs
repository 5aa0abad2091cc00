//! The data of an operand while its kernel is prepared.

use std::borrow::Cow;

use super::Operand;
use nnz_base::arrays::Values;
use nnz_kernel::Tensor;
use nnz_plan::iterate::magnitude;
use nnz_storage::Storage;

/// The data of an operand.
pub(super) enum Data<'a> {
    Given(Operand<'a>),
    /// A row-major copy of a sparse operand.
    Copy(Values),
    /// A window of a sparse operand, or the operand without its padding.
    Window(Storage),
}

impl<'a> Data<'a> {
    pub(super) fn operand(&self, tensor: &Tensor) -> Operand<'_> {
        match self {
            Data::Given(operand) => *operand,
            Data::Copy(values) => Operand::Dense(values),
            Data::Window(storage) if tensor.encoding.is_none() => Operand::Dense(storage.values()),
            Data::Window(storage) => Operand::Stored(storage),
        }
    }

    /// The storage, if it is in an encoding.
    pub(super) fn into_storage(self) -> Option<Cow<'a, Storage>> {
        match self {
            Data::Given(Operand::Stored(storage)) => Some(Cow::Borrowed(storage)),
            Data::Window(storage) => Some(Cow::Owned(storage)),
            Data::Given(Operand::Dense(_) | Operand::Scalar(_)) | Data::Copy(_) => None,
        }
    }

    /// The number of entries of an operand in an encoding; 0 for others.
    pub(super) fn entries(&self) -> u64 {
        self.storage().map_or(0, |storage| storage.nse() as u64)
    }

    pub(super) fn storage(&self) -> Option<&Storage> {
        match self {
            Data::Given(Operand::Stored(storage)) => Some(storage),
            Data::Window(storage) => Some(storage),
            Data::Given(Operand::Dense(_) | Operand::Scalar(_)) | Data::Copy(_) => None,
        }
    }

    /// The greatest magnitude of its values; infinity if there is a NaN.
    pub(super) fn largest(&self) -> f64 {
        match self {
            Data::Given(Operand::Scalar(scalar)) => magnitude(*scalar),
            Data::Given(Operand::Dense(values)) => largest(values),
            Data::Given(Operand::Stored(storage)) => largest(storage.values()),
            Data::Copy(values) => largest(values),
            Data::Window(storage) => largest(storage.values()),
        }
    }
}

fn largest(values: &Values) -> f64 {
    values.iter().map(magnitude).fold(0.0, f64::max)
}

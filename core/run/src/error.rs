//! Why a kernel did not run.

use nnz_backend::BackendError;
use nnz_base::{diagnostic::Code, memory};
use nnz_storage::StorageError;

/// Why a kernel did not run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    #[error("`{tensor}` has no data")]
    Missing { tensor: String },
    #[error("`{tensor}` does not fit the kernel: {reason}")]
    Mismatch { tensor: String, reason: String },
    #[error("{} would need {entries} entries of memory, more than {limit}", called(tensor))]
    TooLarge { tensor: String, entries: u128, limit: u64 },
    #[error("{}", too_large(tensor, *.wanted, *.free))]
    Memory { tensor: String, wanted: u128, free: Option<u64> },
    #[error("{}: {error}", called(tensor))]
    Storage { tensor: String, error: Box<StorageError> },
    /// A bug of nnz.
    #[error("{} has more entries than nnz made room for, which is a bug of nnz", called(tensor))]
    Outgrown { tensor: String },
    /// A bug of nnz.
    #[error("the code is that of another kernel")]
    OtherCode,
    #[error(transparent)]
    Backend(#[from] BackendError),
}

impl RunError {
    /// Whether the only problem is that memory is short.
    pub fn is_no_room(&self) -> bool {
        match self {
            RunError::Memory { .. } | RunError::Backend(BackendError::NoRoom(_)) => true,
            RunError::Storage { error, .. } => error.is_no_room(),
            RunError::Missing { .. } | RunError::Mismatch { .. } | RunError::TooLarge { .. } => false,
            RunError::OtherCode | RunError::Outgrown { .. } | RunError::Backend(_) => false,
        }
    }

    pub fn code(&self) -> Code {
        match self {
            error if error.is_no_room() => Code::TooLarge,
            RunError::Storage { .. } => Code::BadData,
            RunError::OtherCode | RunError::Outgrown { .. } => Code::CompilerBug,
            RunError::Backend(error) => error.code(),
            RunError::Missing { .. }
            | RunError::Mismatch { .. }
            | RunError::TooLarge { .. }
            | RunError::Memory { .. } => Code::RunFailed,
        }
    }
}

/// The name of a tensor in messages. Plans call the tensors that they derive `A.converted`.
pub fn called(tensor: &str) -> String {
    match tensor.split_once('.') {
        Some((of, _)) => format!("a copy of `{of}`"),
        None => format!("`{tensor}`"),
    }
}

/// The message about a result that does not fit in memory.
pub(super) fn too_large(name: &str, wanted: u128, free: Option<u64>) -> String {
    let wanted = match u64::try_from(wanted) {
        Ok(wanted) => memory::size_text(wanted),
        Err(_) => format!("more than {}", memory::size_text(u64::MAX)),
    };
    let name = called(name);
    match free.map(memory::size_text) {
        Some(free) => format!("{name} would take {wanted} of memory, and {}", memory::left(free)),
        None => format!("{name} would take {wanted} of memory, more than there is"),
    }
}

//! A kernel with the data that it has when a program reaches it.

use std::sync::Arc;

use crate::fault::Fault;
use nnz_base::{arrays::Values, element::Scalar, source::Span};
use nnz_kernel::Kernel;
use nnz_mlir::ir::Op;
use nnz_storage::Storage;

/// A kernel with its operands, one for each of its tensors but the result.
#[derive(Debug)]
pub struct Caught {
    pub kernel: Kernel,
    pub operands: Vec<Given>,
}

/// An operand as the compiler takes it.
#[derive(Clone, Debug)]
pub enum Given {
    Scalar(Scalar),
    Dense(Arc<Values>),
    Stored(Arc<Storage>),
}

/// What a machine looks for, and has found.
#[derive(Default)]
pub(crate) struct Catch {
    pub(crate) wanted: Option<Span>,
    pub(crate) found: Option<Caught>,
}

impl Catch {
    /// Whether the run ends at this operation.
    pub(crate) fn wants(&self, op: &Op) -> bool {
        self.wanted == Some(op.span)
    }

    /// Keeps what was found; the fault ends the run.
    pub(crate) fn keep(&mut self, caught: Caught) -> Fault {
        self.found = Some(caught);
        Fault::cancelled()
    }
}

//! Tensors of which the program has buffers. In MLIR a tensor and its buffer share memory; here the buffer is a copy.
//! So a store into the buffer makes the tensor outdated, and later uses of the tensor are refused.

use std::{
    cell::Cell,
    rc::Rc,
    sync::{Arc, Weak},
};

use crate::value::{Memory, Value};
use nnz_base::arrays::Values;
use nnz_storage::Storage;

/// A tensor, as long as the program holds it.
#[derive(Debug)]
enum Tensor {
    Stored(Weak<Storage>),
    Dense(Weak<Values>),
}

impl Tensor {
    fn of(value: &Value) -> Option<Tensor> {
        match value {
            Value::Sparse(tensor) => Some(Tensor::Stored(Arc::downgrade(tensor.stored()))),
            Value::Array(array) => Some(Tensor::Dense(Arc::downgrade(&array.values))),
            Value::Scalar(_) | Value::Entries(_) | Value::Memory(_) => None,
            Value::Name(_) | Value::Specifier(_) | Value::Walk(_) => None,
        }
    }
    fn is(&self, value: &Value) -> bool {
        match (self, value) {
            (Tensor::Stored(own), Value::Sparse(tensor)) => own.as_ptr() == Arc::as_ptr(tensor.stored()),
            (Tensor::Dense(own), Value::Array(array)) => own.as_ptr() == Arc::as_ptr(&array.values),
            _ => false,
        }
    }
    fn lives(&self) -> bool {
        match self {
            Tensor::Stored(own) => own.strong_count() > 0,
            Tensor::Dense(own) => own.strong_count() > 0,
        }
    }
}

/// Every tensor of a run that shares its buffer, and whether that was written to.
#[derive(Debug, Default)]
pub(crate) struct Views {
    all: Vec<(Tensor, Rc<Cell<bool>>)>,
    /// With so many, those that are gone are dropped.
    most: usize,
}

impl Views {
    /// `tensor` and `memory` are one memory from now on.
    pub(crate) fn share(&mut self, tensor: &Value, memory: &Memory) {
        let Some(tensor) = Tensor::of(tensor) else { return };
        if self.all.len() >= self.most {
            self.all.retain(|(tensor, _)| tensor.lives());
            self.most = 2 * self.all.len() + 16;
        }
        let outdated = Rc::new(Cell::new(false));
        memory.sharers.join(outdated.clone());
        self.all.push((tensor, outdated));
    }
    /// Whether the buffer of a tensor has been written to since it was shared.
    pub(crate) fn is_outdated(&self, value: &Value) -> bool {
        self.all.iter().any(|(tensor, outdated)| outdated.get() && tensor.is(value))
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

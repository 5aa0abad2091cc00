//! Tensors of which the program has buffers. In MLIR a tensor and its buffer share memory; here the buffer is a copy as
//! soon as it is written to.
//! So a store into the buffer makes the tensor outdated, and later uses of the tensor are refused.

use std::{
    cell::Cell,
    collections::HashMap,
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
    fn lives(&self) -> bool {
        match self {
            Tensor::Stored(own) => own.strong_count() > 0,
            Tensor::Dense(own) => own.strong_count() > 0,
        }
    }
}

/// Where a tensor is in memory: no other one is there as long as something points to it.
fn place(value: &Value) -> Option<usize> {
    match value {
        Value::Sparse(tensor) => Some(Arc::as_ptr(tensor.stored()).addr()),
        Value::Array(array) => Some(Arc::as_ptr(&array.values).addr()),
        Value::Scalar(_) | Value::Entries(_) | Value::Memory(_) => None,
        Value::Name(_) | Value::Specifier(_) | Value::Walk(_) => None,
    }
}

/// Every tensor of a run that shares its buffers, by its place, and whether one of them was written to.
#[derive(Debug, Default)]
pub(crate) struct Views {
    all: HashMap<usize, (Tensor, Rc<Cell<bool>>)>,
    /// With so many, those that are gone are dropped.
    most: usize,
}

impl Views {
    /// `tensor` and `memory` are one memory from now on.
    pub(crate) fn share(&mut self, tensor: &Value, memory: &Memory) {
        let (Some(place), Some(tensor)) = (place(tensor), Tensor::of(tensor)) else { return };
        if self.all.len() >= self.most {
            self.all.retain(|_, (tensor, _)| tensor.lives());
            self.most = 2 * self.all.len() + 16;
        }
        let (_, outdated) = self.all.entry(place).or_insert_with(|| (tensor, Rc::default()));
        memory.sharers.join(outdated.clone());
    }
    /// Whether a buffer of a tensor has been written to since it was shared.
    pub(crate) fn is_outdated(&self, value: &Value) -> bool {
        place(value).and_then(|place| self.all.get(&place)).is_some_and(|(_, outdated)| outdated.get())
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

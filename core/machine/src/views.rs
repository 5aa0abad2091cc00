//! Tensors of which the program has buffers. In MLIR a tensor and its buffers share memory; here a buffer is a copy as
//! soon as it is written to.
//! So a store into a buffer makes the tensor outdated, and later uses of the tensor are refused. The buffers of one array
//! of a tensor are one.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
    sync::{Arc, Weak},
};

use crate::value::{Memory, Value, Watched};
use nnz_base::arrays::Values;
use nnz_mlir::dialects::sparse_tensor_arrays::Field;
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
        Value::Array(array) => Some(place_of(&array.values)),
        Value::Scalar(_) | Value::Entries(_) | Value::Memory(_) => None,
        Value::Name(_) | Value::Specifier(_) | Value::Walk(_) => None,
    }
}

fn place_of(values: &Arc<Values>) -> usize {
    Arc::as_ptr(values).addr()
}

/// The array of a tensor that a buffer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of a tensor without an encoding.
    Whole,
    Values,
    Numbers(Field),
}

/// What tensors in one memory have in common.
#[derive(Debug, Default)]
struct Shared {
    /// A buffer was written to.
    outdated: Rc<Cell<bool>>,
    buffers: RefCell<Vec<(Part, Watched)>>,
}

impl Shared {
    fn buffer(&self, part: Part) -> Option<Memory> {
        self.buffers.borrow().iter().find(|(known, _)| *known == part).and_then(|(_, buffer)| buffer.get())
    }
    fn add(&self, part: Part, memory: &Memory) {
        memory.sharers.join(self.outdated.clone());
        let mut buffers = self.buffers.borrow_mut();
        buffers.retain(|(known, _)| *known != part);
        buffers.push((part, memory.watched()));
    }
}

/// Every tensor of a run that shares its buffers, by its place.
#[derive(Debug, Default)]
pub(crate) struct Views {
    all: HashMap<usize, (Tensor, Rc<Shared>)>,
    /// With so many, those that are gone are dropped.
    most: usize,
}

impl Views {
    fn shared(&mut self, tensor: &Value) -> Option<Rc<Shared>> {
        let place = place(tensor)?;
        if let Some((_, shared)) = self.all.get(&place) {
            return Some(shared.clone());
        }
        let shared = Rc::new(Shared::default());
        self.put(tensor, shared.clone());
        Some(shared)
    }
    fn put(&mut self, tensor: &Value, shared: Rc<Shared>) {
        let (Some(place), Some(tensor)) = (place(tensor), Tensor::of(tensor)) else { return };
        if self.all.len() >= self.most {
            self.all.retain(|_, (tensor, _)| tensor.lives());
            self.most = 2 * self.all.len() + 16;
        }
        self.all.insert(place, (tensor, shared));
    }
    /// The buffer that the program has of a part of `tensor`, or else `made`. It and the tensor are one memory from now on.
    pub(crate) fn share(&mut self, tensor: &Value, part: Part, made: Memory) -> Memory {
        let Some(shared) = self.shared(tensor) else { return made };
        if tensor.sparse().is_ok_and(|tensor| !tensor.is_stored()) {
            // Other tensors have other entries in addition to what is stored.
            made.sharers.join(shared.outdated.clone());
            return made;
        }
        if let Some(known) = shared.buffer(part).and_then(|known| known.shaped(&made.shape)) {
            return known;
        }
        shared.add(part, &made);
        made
    }
    /// Both tensors are in one memory, with the same arrays.
    pub(crate) fn same(&mut self, one: &Value, other: &Value) {
        if let Some(shared) = self.shared(one) {
            self.put(other, shared);
        }
    }
    /// A store into a buffer of one of the tensors shows in the other, too, which has other arrays.
    pub(crate) fn overlap(&mut self, one: &Value, other: &Value) {
        if place(one) == place(other) {
            return;
        }
        if let Some(shared) = self.shared(one) {
            self.put(other, Rc::new(Shared { outdated: shared.outdated.clone(), buffers: RefCell::default() }));
        }
    }
    /// As [`Views::overlap`], for a part of a tensor that may have no buffers.
    pub(crate) fn follow(&mut self, one: &Value, part: &Value) {
        if place(one).is_some_and(|place| self.all.contains_key(&place)) {
            self.overlap(one, part);
        }
    }
    /// The arrays of `tensor` are in the memory of `dense`, if that is a buffer's.
    pub(crate) fn assembled(&mut self, tensor: &Value, part: Part, dense: &Value) {
        let Some(memory) = self.source(dense) else { return };
        let Some(shared) = self.shared(tensor) else { return };
        shared.add(part, &memory);
    }
    /// The buffer that a tensor was made of.
    pub(crate) fn source(&self, tensor: &Value) -> Option<Memory> {
        let (_, shared) = self.all.get(&place(tensor)?)?;
        shared.buffer(Part::Whole)?.shaped(&tensor.sizes())
    }
    /// All of a buffer, shared until it is written to; `None` if it has no values for itself.
    pub(crate) fn whole(&self, memory: &Memory) -> Option<Arc<Values>> {
        let values = memory.whole()?;
        let may_share = match self.all.get(&place_of(&values)) {
            Some((_, shared)) => {
                shared.buffer(Part::Whole).is_some_and(|known| Rc::ptr_eq(&known.buffer, &memory.buffer))
            }
            None => Arc::strong_count(&values) == 2,
        };
        may_share.then_some(values)
    }
    /// Whether a buffer of a tensor has been written to since it was shared.
    pub(crate) fn is_outdated(&self, value: &Value) -> bool {
        place(value).and_then(|place| self.all.get(&place)).is_some_and(|(_, shared)| shared.outdated.get())
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

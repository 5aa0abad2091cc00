//! Buffers.

use std::{
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
    sync::Arc,
};

use super::{Array, advance, entries, offset, strides};
use crate::{budget::Budget, fault::Fault};
use nnz_base::{
    arrays::Values,
    element::{Element, Scalar},
    memory,
};
use nnz_storage::Storage;

/// The tensors that have a buffer in common with a view of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sharers(Rc<RefCell<Vec<Rc<Cell<bool>>>>>);

impl Sharers {
    /// The buffer is written to.
    pub(crate) fn outdate(&self) {
        if !self.0.borrow().is_empty() {
            self.0.borrow_mut().drain(..).for_each(|outdated| outdated.set(true));
        }
    }
    /// `outdated` is told when the buffer is written to.
    pub(crate) fn join(&self, outdated: Rc<Cell<bool>>) {
        self.0.borrow_mut().push(outdated);
    }
}

/// What a buffer holds: values of its own, or those of a tensor until the buffer is written to.
#[derive(Clone, Debug)]
pub(crate) enum Contents {
    Own(Arc<Values>),
    OfTensor(Arc<Storage>),
}

impl Contents {
    pub(crate) fn values(&self) -> &Values {
        match self {
            Contents::Own(values) => values,
            Contents::OfTensor(storage) => storage.values(),
        }
    }
    /// The values, to be written to: what others hold, too, is copied.
    fn own(&mut self) -> Result<&mut Values, Fault> {
        let is_own = matches!(self, Contents::Own(values) if Arc::strong_count(values) == 1);
        if !is_own {
            memory::room(self.values().bytes() as u64).map_err(|short| Fault::limit(short.to_string()))?;
            *self = Contents::Own(Arc::new(self.values().clone()));
        }
        match self {
            Contents::Own(values) => Ok(Arc::make_mut(values)),
            Contents::OfTensor(_) => Err(Fault::bug("a buffer without values of its own")),
        }
    }
}

/// A view into a buffer that programs write to.
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) buffer: Rc<RefCell<Contents>>,
    pub element: Element,
    pub offset: i64,
    pub shape: Vec<u64>,
    pub strides: Vec<i64>,
    /// The tensors that are in this buffer.
    pub(crate) sharers: Sharers,
}

/// A view as long as the program has its buffer.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    buffer: Weak<RefCell<Contents>>,
    /// Of no buffer.
    view: Memory,
}

impl Watched {
    pub(crate) fn get(&self) -> Option<Memory> {
        Some(Memory { buffer: self.buffer.upgrade()?, ..self.view.clone() })
    }
}

impl Memory {
    pub(crate) fn of_array(array: Array) -> Memory {
        Memory::of((array.element, array.shape), Contents::Own(array.values))
    }
    /// Overwrites every entry.
    ///
    /// # Errors
    /// More entries than the program has memory for.
    pub(crate) fn fill(&self, budget: &Budget, value: Scalar) -> Result<(), Fault> {
        fill_from(budget, self, &Array::filled(budget, (self.element, value), self.shape.clone())?)
    }
    /// The values of a tensor, in this shape.
    pub(crate) fn of_tensor(shape: Vec<u64>, storage: Arc<Storage>) -> Memory {
        Memory::of((storage.element(), shape), Contents::OfTensor(storage))
    }
    pub fn new(element: Element, shape: Vec<u64>, values: Values) -> Memory {
        Memory::of((element, shape), Contents::Own(values.into()))
    }
    fn of((element, shape): (Element, Vec<u64>), contents: Contents) -> Memory {
        let strides = strides(&shape);
        Memory {
            buffer: Rc::new(RefCell::new(contents)),
            element,
            offset: 0,
            shape,
            strides,
            sharers: Sharers::default(),
        }
    }
    pub(crate) fn watched(&self) -> Watched {
        let nothing = Contents::Own(Arc::new(Values::zeros(self.element, 0)));
        let view = Memory { buffer: Rc::new(RefCell::new(nothing)), ..self.clone() };
        Watched { buffer: Rc::downgrade(&self.buffer), view }
    }
    /// Whether its entries stand one after the other, in row-major order.
    fn is_in_order(&self) -> bool {
        self.strides == strides(&self.shape)
    }
    /// All values of its buffer, if it is a view of all, in their order.
    pub(crate) fn whole(&self) -> Option<Arc<Values>> {
        let Contents::Own(values) = &*self.buffer.borrow() else { return None };
        self.is_whole().then(|| values.clone())
    }
    /// Whether it is a view of all its buffer, in order.
    fn is_whole(&self) -> bool {
        self.offset == 0 && self.is_in_order() && self.shape.iter().product::<u64>() == self.len() as u64
    }
    /// Its first entries in another shape.
    pub(crate) fn shaped(&self, shape: &[u64]) -> Option<Memory> {
        let is_first = self.shape.len() == 1 && shape.len() == 1;
        match self.shape == shape || is_first {
            true => Some(Memory { shape: shape.to_vec(), ..self.clone() }),
            false if self.is_in_order() => {
                Some(Memory { shape: shape.to_vec(), strides: strides(shape), ..self.clone() })
            }
            false => None,
        }
    }
    /// Whether both are the same part of one buffer, in the same order.
    pub(crate) fn is_same_view(&self, other: &Memory) -> bool {
        let is_same = (self.offset, &self.shape, &self.strides) == (other.offset, &other.shape, &other.strides);
        Rc::ptr_eq(&self.buffer, &other.buffer) && is_same
    }
    /// Whether no two of its entries are at one place, as far as its strides show it.
    pub(crate) fn has_own_places(&self) -> bool {
        let mut steps: Vec<(u64, u64)> =
            self.strides.iter().map(|step| step.unsigned_abs()).zip(self.shape.clone()).collect();
        steps.sort_unstable();
        let mut reach = 0u64;
        steps.into_iter().filter(|(_, size)| *size > 1).all(|(step, size)| {
            let fits = step > reach;
            reach = reach.saturating_add(step.saturating_mul(size - 1));
            fits
        })
    }
    /// Whether both may have an entry at one place of one buffer.
    pub(crate) fn may_overlap(&self, other: &Memory) -> bool {
        let reach = |memory: &Memory| {
            let steps = memory.shape.iter().zip(&memory.strides);
            let last = steps.map(|(size, stride)| i128::from(size.saturating_sub(1)) * i128::from(*stride));
            let (down, up) = last.fold((0, 0), |(down, up), step| (down + step.min(0), up + step.max(0)));
            (i128::from(memory.offset) + down, i128::from(memory.offset) + up)
        };
        let ((first, last), (other_first, other_last)) = (reach(self), reach(other));
        Rc::ptr_eq(&self.buffer, &other.buffer) && first <= other_last && other_first <= last
    }
    /// How many entries its buffer has.
    pub(crate) fn len(&self) -> usize {
        self.buffer.borrow().values().len()
    }
    /// The place of an entry in the buffer.
    ///
    /// # Errors
    /// A coordinate outside the shape.
    pub fn place(&self, at: &[u64]) -> Result<usize, Fault> {
        offset(&self.shape, at)?;
        let place = at
            .iter()
            .zip(&self.strides)
            .fold(self.offset, |place, (at, stride)| place.wrapping_add((*at as i64).wrapping_mul(*stride)));
        let len = self.len();
        usize::try_from(place)
            .ok()
            .filter(|&place| place < len)
            .ok_or_else(|| Fault::new(format!("place {place} is outside a buffer of {len} entries")))
    }
    /// # Errors
    /// A coordinate outside the shape.
    pub fn load(&self, at: &[u64]) -> Result<Scalar, Fault> {
        let place = self.place(at)?;
        Ok(self.buffer.borrow().values().get(place).unwrap_or(self.element.zero()))
    }
    /// # Errors
    /// A coordinate outside the shape.
    pub fn store(&self, at: &[u64], value: Scalar) -> Result<(), Fault> {
        let place = self.place(at)?;
        self.sharers.outdate();
        self.buffer.borrow_mut().own()?.set(place, value);
        Ok(())
    }
    /// The entries to be read before anything is written to the buffer: its own array, if that is all of it.
    ///
    /// # Errors
    /// As [`Memory::to_array`].
    pub(crate) fn as_it_is(&self, budget: &Budget) -> Result<Array, Fault> {
        match self.whole() {
            Some(values) => Ok(Array { element: self.element, shape: self.shape.clone(), values }),
            None => self.to_array(budget),
        }
    }
    /// The entries as a separate array.
    ///
    /// # Errors
    /// A view that reaches beyond its buffer.
    pub fn to_array(&self, budget: &Budget) -> Result<Array, Fault> {
        let count = budget.room(&self.shape, self.element)?;
        let mut values = Values::with_capacity(self.element, count);
        let mut at = vec![0; self.shape.len()];
        for _ in 0..count {
            values.push(self.load(&at)?);
            advance(&mut at, &self.shape);
        }
        Ok(Array { element: self.element, shape: self.shape.clone(), values: Arc::new(values) })
    }
}

/// Overwrites a whole buffer.
///
/// # Errors
/// Another shape.
pub(crate) fn fill_from(budget: &Budget, memory: &Memory, array: &Array) -> Result<(), Fault> {
    if memory.is_whole() && memory.shape == array.shape {
        memory.sharers.outdate();
        *memory.buffer.borrow_mut() = Contents::Own(array.values.clone());
        return Ok(());
    }
    let mut at = vec![0; array.shape.len()];
    for entry in 0..entries(budget, &array.shape)? {
        memory.store(&at, array.values.get(entry).unwrap_or(array.element.zero()))?;
        advance(&mut at, &array.shape);
    }
    Ok(())
}

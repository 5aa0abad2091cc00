//! The arrays of a running function, and accesses to their entries.

use super::{
    ArrayId, AtomicOp, BackendError, Binary, Cell, ExprId, Machine, Type, Watch, binary, ill_typed, races::Touch,
};
use crate::Argument;
use nnz_base::{
    arrays::{self, IndexArray, Values},
    element::{Element, Scalar},
    memory,
};
use nnz_loops::{Array, ArrayType, scalar};

/// An array of a running function.
pub(super) enum Slot<'r> {
    /// A parameter's.
    Bound(Argument<'r>),
    /// One that the function has allocated.
    Own(Box<Own>),
    /// That of an earlier parameter, which reads it too.
    Same(usize),
    /// Not allocated now, or lent to a kernel.
    Absent,
}

pub(super) struct Own {
    entries: Entries,
    /// Which entries have been.
    written: Vec<bool>,
}

enum Entries {
    Values(Values),
    Indices(IndexArray),
}

impl<'r> Slot<'r> {
    pub(super) fn of(argument: &'r mut Argument<'_>) -> Slot<'r> {
        Slot::Bound(match argument {
            Argument::Values(values) => Argument::Values(values),
            Argument::ValuesMut(values) => Argument::ValuesMut(values),
            Argument::Indices(indices) => Argument::Indices(indices),
            Argument::IndicesMut(indices) => Argument::IndicesMut(indices),
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Slot::Bound(Argument::Values(values)) => values.len(),
            Slot::Bound(Argument::ValuesMut(values)) => values.len(),
            Slot::Bound(Argument::Indices(indices)) => indices.len(),
            Slot::Bound(Argument::IndicesMut(indices)) => indices.len(),
            Slot::Own(own) => own.written.len(),
            Slot::Same(_) | Slot::Absent => 0,
        }
    }

    /// The entry, if there is one that has been written.
    #[inline]
    fn get(&self, at: usize) -> Option<Cell> {
        match self {
            Slot::Bound(Argument::Values(values)) => values.get(at).map(Cell::Value),
            Slot::Bound(Argument::ValuesMut(values)) => values.get(at).map(Cell::Value),
            Slot::Bound(Argument::Indices(indices)) => index_at(indices, at),
            Slot::Bound(Argument::IndicesMut(indices)) => index_at(indices, at),
            Slot::Own(own) => own.get(at),
            Slot::Same(_) | Slot::Absent => None,
        }
    }

    /// Overwrites an entry, which there is.
    fn set(&mut self, at: usize, value: Cell) -> Result<(), BackendError> {
        match (self, value) {
            (Slot::Bound(Argument::ValuesMut(values)), Cell::Value(scalar)) => values.set(at, scalar),
            (Slot::Bound(Argument::IndicesMut(indices)), Cell::Index(number)) => indices.set(at, number as u64),
            (Slot::Own(own), value) => own.set(at, value)?,
            _ => return Err(ill_typed(value)),
        }
        Ok(())
    }
}

impl Own {
    fn new(ty: ArrayType, len: usize) -> Result<Own, BackendError> {
        memory::room_for(len as u128, ty.repr().bytes() as u64 + 1)?;
        let entries = match ty {
            ArrayType::Values(element) => Entries::Values(Values::zeros(element, len)),
            ArrayType::Indices(width) => Entries::Indices(IndexArray::zeros(width.into(), len)),
        };
        Ok(Own { entries, written: vec![false; len] })
    }

    fn get(&self, at: usize) -> Option<Cell> {
        self.written.get(at).filter(|written| **written)?;
        match &self.entries {
            Entries::Values(values) => values.get(at).map(Cell::Value),
            Entries::Indices(indices) => index_at(indices, at),
        }
    }

    fn set(&mut self, at: usize, value: Cell) -> Result<(), BackendError> {
        match (&mut self.entries, value) {
            (Entries::Values(values), Cell::Value(scalar)) => values.set(at, scalar),
            (Entries::Indices(indices), Cell::Index(number)) => indices.set(at, number as u64),
            _ => return Err(ill_typed(value)),
        }
        self.written[at] = true;
        Ok(())
    }
}

impl<'r> Machine<'_, 'r> {
    fn declared(&self, id: ArrayId) -> &Array {
        self.code.function.array(id)
    }

    pub(super) fn slot(&self, id: ArrayId) -> &Slot<'r> {
        let slot = &self.arrays[id.index()];
        if let Slot::Same(first) = slot { &self.arrays[*first] } else { slot }
    }

    #[inline]
    pub(super) fn load(&self, id: ArrayId, at: i64) -> Result<Cell, BackendError> {
        match &self.watch {
            Watch::Nothing | Watch::Loop(_) => self.found(id, at),
            Watch::Grid(_) => {
                self.touch(id, at, Touch::Read)?;
                self.found(id, at)
            }
            Watch::Steps(steps) => {
                let value = self.found(id, at)?;
                steps.borrow_mut().touched(id, at, false, value);
                Ok(value)
            }
        }
    }

    /// What the entry holds.
    #[inline]
    fn found(&self, id: ArrayId, at: i64) -> Result<Cell, BackendError> {
        let found = usize::try_from(at).ok().and_then(|at| self.arrays[id.index()].get(at));
        found.map_or_else(|| self.found_elsewhere(id, at), Ok)
    }

    #[cold]
    fn found_elsewhere(&self, id: ArrayId, at: i64) -> Result<Cell, BackendError> {
        let slot = self.slot(id);
        let entry = usize::try_from(at).ok().filter(|at| *at < slot.len());
        let Some(entry) = entry else { return Err(self.outside(id, at)) };
        let problem = || format!("`{}[{at}]` is read before it is written", self.declared(id).name);
        slot.get(entry).ok_or_else(|| BackendError::Failed(problem()))
    }

    pub(super) fn store(&mut self, id: ArrayId, at: i64, value: Cell) -> Result<(), BackendError> {
        self.touch(id, at, Touch::Store)?;
        self.put(id, at, value)
    }

    fn put(&mut self, id: ArrayId, at: i64, value: Cell) -> Result<(), BackendError> {
        let inside = usize::try_from(at).ok().filter(|at| *at < self.arrays[id.index()].len());
        let Some(entry) = inside else { return Err(self.outside(id, at)) };
        if let Watch::Steps(steps) = &self.watch {
            steps.borrow_mut().touched(id, at, true, value);
        }
        self.arrays[id.index()].set(entry, value)
    }

    fn touch(&self, id: ArrayId, at: i64, how: Touch) -> Result<(), BackendError> {
        match self.watch.touch(id, at, how, || self.declared(id).space)? {
            None => Ok(()),
            Some(conflict) => {
                let name = &self.declared(id).name;
                Err(BackendError::Failed(conflict.on(&format!("{name}[{at}]"))))
            }
        }
    }

    /// The index of the first of `count` entries that are moved at once.
    pub(super) fn aligned(&self, id: ArrayId, index: ExprId, count: usize) -> Result<i64, BackendError> {
        let at = self.index(index)?;
        if at % count as i64 == 0 {
            return Ok(at);
        }
        let name = &self.declared(id).name;
        Err(BackendError::Failed(format!("{count} entries of `{name}` are moved at once from entry {at}")))
    }

    pub(super) fn atomic(&mut self, op: AtomicOp, id: ArrayId, at: i64, value: Cell) -> Result<Cell, BackendError> {
        let old = self.found(id, at)?;
        self.touch(id, at, Touch::Atomic)?;
        let ty = self.declared(id).ty;
        let fold = |op: Binary| combined(op, ty, old, value);
        let new = match op {
            AtomicOp::Add => fold(Binary::Add),
            AtomicOp::Min => fold(Binary::Min),
            AtomicOp::Max => fold(Binary::Max),
            AtomicOp::And => fold(Binary::BitAnd),
            AtomicOp::Or => fold(Binary::BitOr),
            AtomicOp::Xor => fold(Binary::BitXor),
            AtomicOp::Exchange => value,
            AtomicOp::CompareExchange { expected } => {
                if self.eval(expected)? == old {
                    value
                } else {
                    old
                }
            }
        };
        self.put(id, at, new)?;
        Ok(old)
    }

    pub(super) fn alloc(&mut self, id: ArrayId) -> Result<(), BackendError> {
        let array = self.declared(id);
        let len = array.len.map_or(Ok(-1), |len| self.index(len))?;
        let problem = || BackendError::Failed(format!("`{}` is allocated with {len} entries", array.name));
        let own = Own::new(array.ty, usize::try_from(len).map_err(|_| problem())?)?;
        self.arrays[id.index()] = Slot::Own(Box::new(own));
        self.watch.allocated(id);
        Ok(())
    }

    pub(super) fn copy(&mut self, from: ArrayId, to: ArrayId, len: i64) -> Result<(), BackendError> {
        for id in [from, to] {
            let (name, entries) = (&self.declared(id).name, self.slot(id).len());
            if usize::try_from(len).ok().is_none_or(|len| entries < len) {
                return Err(BackendError::Failed(format!("{len} entries are copied; `{name}` has {entries}")));
            }
        }
        (0..len).try_for_each(|at| self.store(to, at, self.load(from, at)?))
    }

    pub(super) fn sort(&mut self, id: ArrayId, range: std::ops::Range<i64>) -> Result<(), BackendError> {
        let numbers = range.clone().map(|at| self.load(id, at)?.index());
        let mut numbers = numbers.collect::<Result<Vec<_>, BackendError>>()?;
        numbers.sort_unstable();
        range.zip(numbers).try_for_each(|(at, number)| self.store(id, at, Cell::Index(number)))
    }

    fn outside(&self, id: ArrayId, at: i64) -> BackendError {
        let (name, len) = (&self.declared(id).name, self.slot(id).len());
        BackendError::Failed(format!("`{name}[{at}]` is outside the array, which has {len} entries"))
    }
}

/// Entries of index arrays are numbers without a sign, of the array's width.
fn combined(op: Binary, ty: ArrayType, old: Cell, value: Cell) -> Cell {
    match (ty, old, value) {
        (ArrayType::Indices(width), Cell::Index(old), Cell::Index(value)) => {
            let value = value as u64 & arrays::Width::from(width).max();
            let [old, value] = [old as u64, value].map(|number| Scalar::Int(number.into()));
            Cell::of(Type::Index, scalar::binary(op, Element::U64, old, value))
        }
        (ArrayType::Values(element), old, value) => binary(op, Type::Element(element), old, value),
        (ArrayType::Indices(_), ..) => old,
    }
}

fn index_at(indices: &IndexArray, at: usize) -> Option<Cell> {
    (at < indices.len()).then(|| Cell::Index(indices.at(at) as i64))
}

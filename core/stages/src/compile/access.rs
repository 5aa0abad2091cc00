//! Elements of buffers as entries of arrays.

use nnz_loops::{Binary, ExprId, Stmt};
use nnz_tir::model::{Access, BufferId, Dense, Expr, Layout};

use super::{Emission, Made, arrays::Memory, faults::Site, scope::Form, uncompiled};

/// An element that a statement names, or a buffer that lives from here on.
pub(super) enum Touched {
    Element { buffer: BufferId, writes: bool, indices: Vec<Expr> },
    Own(BufferId),
}

/// Where an element lies in its array.
struct Place {
    at: ExprId,
    /// Whether it lies there, if that is not certain.
    inside: Option<ExprId>,
    /// How many loops are around the condition that this needs.
    relied: Option<usize>,
}

impl<'f> Emission<'f> {
    pub(super) fn load(&mut self, access: &'f Access) -> Made<(ExprId, Form)> {
        self.touch(access, false);
        match self.memory_of(access)? {
            Memory::Cell(var, form) => Ok((self.b.var(var), form)),
            Memory::Array(array, form) => {
                let place = self.place(access)?;
                let zero = self.zero(form, access.buffer);
                let read = self.b.load(array, place.at);
                let read = match place.inside {
                    Some(inside) => {
                        let other = self.read_outside(form, access.buffer);
                        self.b.select(inside, read, other)
                    }
                    None if form == Form::Index => self.hoisted(read, access.buffer, place.relied),
                    None => read,
                };
                let as_bool = form == Form::Bool;
                Ok((if as_bool { self.b.binary(Binary::Ne, read, zero) } else { read }, form))
            }
        }
    }

    /// `value` is in the form that the buffer has.
    pub(super) fn store(&mut self, target: &'f Access, value: ExprId) -> Made<()> {
        self.touch(target, true);
        match self.memory_of(target)? {
            Memory::Cell(var, _) => {
                self.settle();
                self.b.push(Stmt::Assign { var, value });
            }
            Memory::Array(array, form) => {
                let place = self.place(target)?;
                self.settle();
                let value = if form == Form::Bool { self.bit(value) } else { value };
                let store = Stmt::Store { array, index: place.at, value };
                self.b.push(match place.inside {
                    Some(cond) => Stmt::If { cond, then: vec![store], other: Vec::new() },
                    None => store,
                });
            }
        }
        Ok(())
    }

    /// The form of the elements of a buffer.
    pub(super) fn form_of(&self, access: &Access) -> Made<Form> {
        Ok(match self.memory_of(access)? {
            Memory::Cell(_, form) | Memory::Array(_, form) => form,
        })
    }

    fn memory_of(&self, access: &Access) -> Made<Memory> {
        match self.memory.get(access.buffer.index()).and_then(Clone::clone) {
            Some(memory) => Ok(memory),
            None => {
                let name = &self.function.buffer(access.buffer).name;
                uncompiled(access.place.0, format!("`{name}` is not allocated where it is used"))
            }
        }
    }

    fn touch(&mut self, access: &Access, writes: bool) {
        // Casts are looked through here, where conditions around may say that they change nothing.
        let indices = access.indices.iter().map(|index| self.within_cast(&self.resolved(index)).clone()).collect();
        self.touched.push(Touched::Element { buffer: access.buffer, writes, indices });
    }

    /// The dimensions one behind the other, with a guard where an index may lie outside.
    fn place(&mut self, access: &'f Access) -> Made<Place> {
        let Layout::Dense(dense) = &self.function.buffer(access.buffer).layout else {
            return uncompiled(access.place.0, "it has a sparse buffer");
        };
        let before = self.relied.replace(None);
        let (mut at, mut inside) = (self.b.index(0), None);
        let mut noted = Vec::new();
        for (index, size) in access.indices.iter().zip(&dense.shape) {
            let (position, length) = (self.index(index)?, self.size(size)?);
            noted.push(position);
            if self.is_never_inside(position, length) {
                inside = Some(self.b.bool(false));
                continue;
            }
            for check in self.checks((index, position), (size, length)) {
                inside = Some(inside.map_or(check, |before| self.b.binary(Binary::And, before, check)));
            }
            let row = self.b.mul(at, length);
            at = self.b.add(row, position);
        }
        if let Some(inside) = inside {
            self.guard(Site::Outside(access.clone()), inside, noted);
        }
        let relied = self.relied.get();
        self.relied.set(before.max(relied));
        match self.b.index_literal(at) {
            Some(_) if self.is_empty(dense) => uncompiled(access.place.0, "it has a buffer without elements"),
            Some(_) | None => Ok(Place { at, inside, relied }),
        }
    }

    /// Whether numbers of the text alone say that an index lies outside. The loops have no such access.
    fn is_never_inside(&self, position: ExprId, length: ExprId) -> bool {
        match (self.b.index_literal(position), self.b.index_literal(length)) {
            (Some(position), Some(length)) => !(0..length).contains(&position),
            (Some(position), None) => position < 0,
            (None, _) => false,
        }
    }

    fn is_empty(&self, dense: &Dense) -> bool {
        dense.shape.iter().any(|size| size.as_constant().is_some_and(|size| size <= 0))
    }

    /// What is not certain of an index.
    fn checks(&mut self, (index, position): (&Expr, ExprId), (size, length): (&Expr, ExprId)) -> Vec<ExprId> {
        let mut checks = Vec::new();
        if !self.is_from_zero(index) {
            let zero = self.b.index(0);
            checks.push(self.b.binary(Binary::Le, zero, position));
        }
        if !self.is_below(index, size) {
            checks.push(self.b.binary(Binary::Lt, position, length));
        }
        checks
    }
}

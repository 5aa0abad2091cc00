//! Parameters and buffers as scalars, arrays and variables of the loops.

use nnz_base::element::Element;
use nnz_loops::{AccessMode, ArrayId, ArrayType, ExprId, ForKind, Space, Stmt, Type, VarId, machine::Width};
use nnz_tir::model::{Access, Binary, Buffer, BufferId, Expr, ExprKind, Layout, Origin, Place, Role, VariableId};

use super::{
    Emission, Made,
    access::Touched,
    known::is_structure,
    mentions::{accesses, finds, is_read, named},
    ranges::Interval,
    scope::{Form, Known},
    uncompiled,
};

/// Where the elements of a buffer are.
#[derive(Clone)]
pub(super) enum Memory {
    Array(ArrayId, Form),
    /// The only element of a buffer is a variable.
    Cell(VarId, Form),
}

/// What a parameter of the loops is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binding {
    Values(BufferId),
    /// Whole numbers, none of which is negative.
    Structure(BufferId),
    /// What went wrong.
    Faults,
}

/// The form in which variables of a type are kept.
pub(super) fn form_of(element: Element) -> Form {
    match element.int_range() {
        _ if element == Element::I1 => Form::Bool,
        Some((least, _)) if least < 0 => Form::Index,
        Some(_) | None => Form::Element,
    }
}

impl<'f> Emission<'f> {
    pub(super) fn parameters(&mut self) -> Made<()> {
        let function = self.function;
        let (buffers, variables) = named(&function.body, function);
        for (at, variable) in function.variables.iter().enumerate() {
            let id = VariableId::new(at);
            if matches!(variable.role, Role::Param | Role::Captured) && variables.contains(&id) {
                self.scalar(id);
            }
        }
        let bound = (0..function.buffers.len()).map(BufferId::new);
        for id in bound.filter(|id| matches!(function.buffer(*id).origin, Origin::Handle(_)) && buffers.contains(id)) {
            self.array(id)?;
        }
        Ok(())
    }

    fn scalar(&mut self, id: VariableId) {
        let variable = self.function.variable(id);
        let (element, form) = (variable.element, form_of(variable.element));
        let ty = if form == Form::Index { Type::Index } else { Type::Element(element) };
        let param = self.b.param(&variable.name, ty);
        self.scalars.push(id);
        let (mut value, range) = (self.b.var(param), self.known.number(id).map(Interval::point));
        if form == Form::Bool {
            let zero = self.b.value(element, element.zero());
            value = self.b.binary(nnz_loops::Binary::Ne, value, zero);
        }
        let range = range.unwrap_or_else(|| self.any_number(id));
        self.scope.bind(id, Known { value, form, range, meaning: None, end: None, segment: None });
    }

    /// The values of a parameter that is not known: what is a size is not negative.
    fn any_number(&self, id: VariableId) -> Interval {
        let is_size = |buffer: &Buffer| match &buffer.layout {
            Layout::Dense(dense) if matches!(buffer.origin, Origin::Handle(_)) => {
                dense.shape.iter().any(|size| size.as_variable() == Some(id))
            }
            Layout::Dense(_) | Layout::Sparse(_) => false,
        };
        let all = Interval::of(self.function.variable(id).element);
        let least = if self.function.buffers.iter().any(is_size) { all.least.max(0) } else { all.least };
        Interval { least, ..all }
    }

    fn array(&mut self, id: BufferId) -> Made<()> {
        let buffer = self.function.buffer(id);
        let mode = match (self.written.contains(&id), is_read(self.function, id)) {
            (false, _) => AccessMode::Read,
            (true, true) => AccessMode::ReadWrite,
            (true, false) => AccessMode::Write,
        };
        let is_structure = self.is_structure(id);
        let (ty, form) = match (is_structure, buffer.element) {
            (true, Element::I64) => (ArrayType::Indices(Width::W64), Form::Index),
            (true, _) => (ArrayType::Indices(Width::W32), Form::Index),
            (false, Element::I1) => (ArrayType::Values(Element::I1), Form::Bool),
            (false, element) => (ArrayType::Values(element), Form::Element),
        };
        let array = self.b.array(&buffer.name, ty, mode);
        let length = self.length(buffer)?;
        self.b.set_length(array, length);
        self.arrays.push(if is_structure { Binding::Structure(id) } else { Binding::Values(id) });
        self.memory[id.index()] = Some(Memory::Array(array, form));
        Ok(())
    }

    /// Whether an array holds positions or coordinates: whole numbers that only find other elements or bound loops.
    fn is_structure(&self, id: BufferId) -> bool {
        let is_natural = self.known.of(id).is_some_and(|fact| fact.least >= 0);
        is_natural
            && !self.written.contains(&id)
            && is_structure(self.function.buffer(id).element)
            && finds(self.function, id)
    }

    /// How many elements a buffer has.
    fn length(&mut self, buffer: &'f Buffer) -> Made<ExprId> {
        let Layout::Dense(dense) = &buffer.layout else {
            return uncompiled(buffer.place.0, format!("`{}` is sparse", buffer.name));
        };
        let mut length = self.b.index(1);
        for size in &dense.shape {
            let size = self.size(size)?;
            length = self.b.mul(length, size);
        }
        Ok(length)
    }

    /// A size, over the numbers that the function is given.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a size of the loops")]
    pub(super) fn size(&mut self, expr: &'f Expr) -> Made<ExprId> {
        let place = expr.place.0;
        let told = "a size of it is more than sums and products of numbers";
        match expr.kind() {
            ExprKind::Int(value) => Ok(self.b.index(*value)),
            ExprKind::Variable(id) if matches!(self.function.variable(*id).role, Role::Param | Role::Captured) => {
                match self.scope.get(*id).filter(|known| known.form == Form::Index) {
                    Some(known) => Ok(known.value),
                    None => uncompiled(place, told),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let op = match op {
                    Binary::Add => nnz_loops::Binary::Add,
                    Binary::Subtract => nnz_loops::Binary::Sub,
                    Binary::Multiply => nnz_loops::Binary::Mul,
                    Binary::FloorDivide if self.is_from_zero(left) && self.interval(right).least > 0 => {
                        nnz_loops::Binary::Div
                    }
                    _ => return uncompiled(place, told),
                };
                let (left, right) = (self.size(left)?, self.size(right)?);
                Ok(self.b.binary(op, left, right))
            }
            ExprKind::Cast(size) if size.as_integer().is_ok() && self.fits(expr) => self.size(size),
            _ => uncompiled(place, told),
        }
    }

    /// A buffer of zeros that lives from here on.
    pub(super) fn allocate(&mut self, id: BufferId, place: Place) -> Made<()> {
        let buffer = self.function.buffer(id);
        if buffer.origin != Origin::Allocated {
            return uncompiled(place.0, format!("`{}` is a part of another buffer", buffer.name));
        }
        self.touched.push(Touched::Own(id));
        let Layout::Dense(dense) = &buffer.layout else {
            return uncompiled(place.0, format!("`{}` is sparse", buffer.name));
        };
        if dense.shape.iter().all(|size| size.as_constant() == Some(1)) {
            return self.cell(id);
        }
        let length = self.length(buffer)?;
        let form = if buffer.element == Element::I1 { Form::Bool } else { Form::Element };
        let array = self.b.alloc(&buffer.name, ArrayType::Values(buffer.element), Space::Host, length);
        let (zero, value) = (self.b.index(0), self.b.value(buffer.element, buffer.element.zero()));
        let at = self.b.local("at", Type::Index);
        self.b.for_range(at, [zero, length], ForKind::Serial, |b| {
            let at = b.var(at);
            b.store(array, at, value);
        });
        self.memory[id.index()] = Some(Memory::Array(array, form));
        Ok(())
    }

    /// A buffer of one element. An index other than 0 is out of it.
    fn cell(&mut self, id: BufferId) -> Made<()> {
        let buffer = self.function.buffer(id);
        let is_other =
            |access: &&Access| access.buffer == id && access.indices.iter().any(|index| index.as_constant() != Some(0));
        if let Some(other) = accesses(self.function).into_iter().find(is_other) {
            return uncompiled(other.place.0, format!("`{}` has one element, and not only that is named", buffer.name));
        }
        let form = form_of(buffer.element);
        let ty = match form {
            Form::Bool => Type::Bool,
            Form::Index => Type::Index,
            Form::Element => Type::Element(buffer.element),
        };
        let var = self.b.local(&buffer.name, ty);
        let value = match form {
            Form::Bool => self.b.bool(false),
            Form::Index => self.b.index(0),
            Form::Element => self.b.value(buffer.element, buffer.element.zero()),
        };
        self.b.push(Stmt::Mut { var, value });
        self.memory[id.index()] = Some(Memory::Cell(var, form));
        Ok(())
    }

    /// What a guarded access reads where there is no entry: a number that is in the range of the others, so that what is
    /// proven of these holds.
    pub(super) fn read_outside(&mut self, form: Form, buffer: BufferId) -> ExprId {
        let fact = self.known.of(buffer).filter(|_| !self.written.contains(&buffer)).map(|fact| fact.least);
        match (fact, form) {
            (Some(least), Form::Index) => self.b.index(i64::try_from(least).unwrap_or(0)),
            (Some(least), Form::Element) => {
                self.b.value(self.function.buffer(buffer).element, nnz_base::element::Scalar::Int(least))
            }
            (_, Form::Bool) | (None, _) => self.zero(form, buffer),
        }
    }

    /// The zero of an array's entries as they are loaded.
    pub(super) fn zero(&mut self, form: Form, buffer: BufferId) -> ExprId {
        let element = self.function.buffer(buffer).element;
        match form {
            Form::Index => self.b.index(0),
            Form::Bool | Form::Element => self.b.value(element, element.zero()),
        }
    }
}
